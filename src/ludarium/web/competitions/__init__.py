"""The competitions of the store on the pages, while they are played by others and afterwards: tables, and every game that has ended."""

from .archive import Archive
from .routes import add_competitions
from .store import Store

__all__ = ["Archive", "Store", "add_competitions"]
