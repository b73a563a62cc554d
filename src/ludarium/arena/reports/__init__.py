"""What a tournament has shown, as files in its folder."""

from .table import Row, table
from .texts import table_json
from .writing import write_reports

__all__ = ["Row", "table", "table_json", "write_reports"]
