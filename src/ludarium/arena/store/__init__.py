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
    last_number,
    latest_competitions,
    latest_results,
    points_by_options,
    rating_history,
    search_games,
    totals,
)
from .rows import CompetitionRow, Entrant, Expulsion, Pair, Rating, StoredGame, Total, Voiding
from .scorekeeper import Scorekeeper
from .voiding import expel, expulsions, readmit, restore, void
from .writer import Writer

__all__ = [
    "VARIABLE",
    "Competition",
    "CompetitionRow",
    "Database",
    "Entrant",
    "Expulsion",
    "Pair",
    "Rating",
    "Scorekeeper",
    "Search",
    "StoredGame",
    "Total",
    "Voiding",
    "Writer",
    "begin",
    "competition_of",
    "competitions",
    "cross_table",
    "current_ratings",
    "entrants_of",
    "expel",
    "expulsions",
    "find_competition",
    "game_of",
    "last_number",
    "latest_competitions",
    "latest_results",
    "mark_interrupted",
    "open_database",
    "points_by_options",
    "rating_history",
    "readmit",
    "restore",
    "resume",
    "search_games",
    "store_exists",
    "totals",
    "void",
]
