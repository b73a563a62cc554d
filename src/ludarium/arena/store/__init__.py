"""Games, players, competitions and ratings in a database: SQLite by default, or any that SQLAlchemy reaches.

>>> import ludarium, tempfile
>>> from pathlib import Path
>>> from ludarium.arena import match
>>> from ludarium.arena.store import Writer, begin, entrants_of, open_database, totals
>>> game, players = ludarium.game("expendibots"), ["random", "greedy"]
>>> folder = tempfile.TemporaryDirectory()
>>> with open_database(Path(folder.name) / "store.sqlite") as database:
...     with Writer(begin(database, "evening", "match", game, entrants_of(players))) as writer:
...         _ = match(game, players, games=4, seed=1, on_result=writer.add)
...     [(total.name, total.points) for total in totals(database)]
[('random', 0.0), ('greedy', 4.0)]
>>> folder.cleanup()

Records are the truth for games (:mod:`.records`): the store indexes them, and is made again from them.
"""

from .competitions import Competition, begin, entrants_of, mark_interrupted, resume
from .database import VARIABLE, Database, open_database, store_exists
from .queries import (
    Search,
    competition_of,
    competitions,
    cross_table,
    current_ratings,
    find_competition,
    game_of,
    latest_competitions,
    latest_results,
    rating_history,
    search_games,
    totals,
)
from .rows import CompetitionRow, Entrant, Pair, Rating, StoredGame, Total
from .scorekeeper import Scorekeeper
from .writer import Writer

__all__ = [
    "VARIABLE",
    "Competition",
    "CompetitionRow",
    "Database",
    "Entrant",
    "Pair",
    "Rating",
    "Scorekeeper",
    "Search",
    "StoredGame",
    "Total",
    "Writer",
    "begin",
    "competition_of",
    "competitions",
    "cross_table",
    "current_ratings",
    "entrants_of",
    "find_competition",
    "game_of",
    "latest_competitions",
    "latest_results",
    "mark_interrupted",
    "open_database",
    "rating_history",
    "resume",
    "search_games",
    "store_exists",
    "totals",
]
