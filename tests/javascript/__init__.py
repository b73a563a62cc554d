"""TypeScript and axe-core, as ``make .venv/installed-test`` installs them."""

from pathlib import Path

TOOLS = Path(__file__).parent / "node_modules"
