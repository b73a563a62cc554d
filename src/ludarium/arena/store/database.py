"""The database under a store: where it is, its schema, its transactions, and what to say when it fails."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError, OperationalError

from ludarium.core.data_folder import data_folder, seen_from
from ludarium.core.locks import locked
from ludarium.core.pickling import Unpicklable
from ludarium.core.stopping import noticed
from ludarium.errors import StoreError, store_errors

from .schema import LATER, VERSION, metadata

Result = TypeVar("Result")

VARIABLE = "LUDARIUM_STORE"
"""The environment variable that says where the store is."""

ACCEPTED = "a file, sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"

PATIENCE = 30.0
"""Seconds that a transaction waits for another program's in SQLite."""

MOST_AWAY = 60.0
"""Seconds for which a server may be away while somebody waits for it."""

KNOCKS = 0.5
"""Seconds from one attempt to find it again to the next."""

MOST_ATTEMPTS = 10
"""How often a transaction is begun anew that met another one's changes."""

_UPGRADING = threading.Lock()
"""Alembic has one migration a process in mind."""

_IN_WORDS = {
    "database is locked": f"has been locked by another program for {PATIENCE:.0f} seconds",
    "database or disk is full": "cannot be written: the disk is full",
    "attempt to write a readonly database": "cannot be written: it is read-only",
    "file is not a database": "is no database of SQLite, or its file is damaged",
    "database disk image is malformed": "is damaged; move its file away and import the records of its games into a new one",
    "unable to open database file": "cannot be opened: its file or folder cannot be read or written",
}


class Database(Unpicklable, AbstractContextManager["Database"]):
    """A store that is open, with the newest schema. A context manager. Threads and processes may use one at the same time."""

    send_instead = "send what open_database was given"

    def __init__(self, engine: Engine, name: str, file: Path | None = None) -> None:
        self.engine = engine
        self._file = file
        self._identity = file and _identity(file)
        self.name = name
        """How messages call it: its file, or its URL without the password."""
        self.losses = 0
        """How often its server was lost and waited for."""
        self._until: float | None = None
        """When everybody gives up waiting for the server, until something is written again."""

    @contextmanager
    def reading(self) -> Generator[Connection]:
        """A transaction that reads: all that it sees is of one moment.

        Raises:
            StoreError: the database fails.
        """
        with _said(self.name), self.engine.connect() as connection:
            yield connection

    def write(self, work: Callable[[Connection], Result]) -> Result:
        """Do something in one transaction: all of it is on the disk when this returns, or nothing ever will be. It is done again if another one came between.

        Raises:
            StoreError: the database fails.
        """
        with _said(self.name):
            for attempt in range(MOST_ATTEMPTS):
                try:
                    with self.engine.connect().execution_options(writes=True) as connection, connection.begin():
                        result = work(connection)
                except (IntegrityError, OperationalError) as problem:
                    if attempt + 1 == MOST_ATTEMPTS or not _met_another(problem):
                        raise
                else:
                    self._look_for_file()
                    return result
        raise AssertionError

    def _look_for_file(self) -> None:
        """Raise StoreError if SQLite's file was deleted or replaced. SQLite itself would continue to write to the deleted file."""
        if self._file is None:
            return
        identity = _identity(self._file)
        self._identity = self._identity or identity  # the first transaction makes the file
        if identity != self._identity:
            what = "another file is in its place" if self._file.exists() else "its file was deleted or moved"
            raise StoreError(f"the store {self.name} is lost: {what} since it was opened")

    def write_again(self, work: Callable[[Connection], Result]) -> Result:
        """As :meth:`write`, for what may be done twice. A server that is away, and so may have done it or not, is waited for and asked again; once more
        and at once when this process is to end.

        Raises:
            StoreError: the database fails, or its server stays away.
        """
        is_last = False
        while True:
            try:
                result = self.write(work)
            except ServerLost:
                self._until = self._until or time.monotonic() + MOST_AWAY
                if is_last or time.monotonic() >= self._until:
                    raise
                self.losses += 1
                is_last = noticed.wait(KNOCKS)
            else:
                self._until = None
                return result

    @contextmanager
    def claimed(self, competition: int) -> Generator[bool]:
        """Have a competition for this program alone, however it ends; whether nobody else has it. Others than SQLite and PostgreSQL do not know.

        Raises:
            StoreError: the database fails.
        """
        if self.engine.dialect.name == "postgresql":
            with _said(self.name):
                connection = self.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
                connection.detach()  # from the pool, which has few; the lock ends with the connection
                key = {"house": zlib.crc32(b"ludarium") >> 1, "competition": competition}
                is_ours = bool(connection.execute(text("SELECT pg_try_advisory_lock(:house, :competition)"), key).scalar())
            try:
                yield is_ours
            finally:
                connection.close()
        elif self.engine.dialect.name == "sqlite":
            with self.reading() as connection:
                file = str(connection.execute(text("SELECT file FROM pragma_database_list WHERE name = 'main'")).scalar_one())
            with ExitStack() as last:
                with store_errors(f"competition {competition} of the store {self.name} cannot be locked"):
                    is_ours = last.enter_context(locked(Path(f"{file}-writer-{competition}")))
                yield is_ours
        else:
            yield True

    def vacuum(self) -> None:
        """Give unused room back to the disk, and learn anew which indexes serve.

        Raises:
            StoreError: the database fails.
        """
        is_sqlite = self.engine.dialect.name == "sqlite"
        outside = {"outside": True} if is_sqlite else {"isolation_level": "AUTOCOMMIT"}  # of transactions
        with _said(self.name), self.engine.connect().execution_options(**outside) as connection:
            for command in ["VACUUM", "ANALYZE", *(["PRAGMA wal_checkpoint(TRUNCATE)"] if is_sqlite else [])]:
                connection.exec_driver_sql(command)

    def size(self) -> int:
        """Bytes that it takes on its disk; 0 where nobody tells."""
        sizes = {
            "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
            "postgresql": "SELECT pg_database_size(current_database())",
        }
        if (query := sizes.get(self.engine.dialect.name)) is None:
            return 0
        with self.reading() as connection:
            return int(connection.execute(text(query)).scalar_one())

    def damage(self) -> list[str]:
        """What the database itself finds wrong with its file, where it can look."""
        if self.engine.dialect.name != "sqlite":
            return []
        with self.reading() as connection:
            found = [str(row[0]) for row in connection.execute(text("PRAGMA integrity_check(20)"))]
        return [] if found == ["ok"] else found

    def close(self) -> None:
        self.engine.dispose()

    def __exit__(self, *error: object) -> None:
        self.close()


def open_database(where: str | Path | None = None, *, create: bool = True) -> Database:
    """Open a database, and bring its schema up to date.

    Args:
        where: an SQLAlchemy URL or a file of SQLite; by default what ``LUDARIUM_STORE`` says, else ``store.sqlite`` in Ludarium's data folder.
        create: whether a file that does not exist is made.

    Raises:
        StoreError: a wrong URL, a driver that is not installed, a server that does not answer, a file that cannot be used, a newer schema.
    """
    url = _url(where)
    path = Path(url.database or "") if url.get_backend_name() == "sqlite" and not url.query else None
    name = str(path or url.render_as_string(hide_password=True))
    if path is not None:
        if path.name in ("", ":memory:"):
            raise StoreError(f"the store {where} is in memory alone; name a file")
        if not create and not path.exists():
            raise StoreError(
                f"there is no store {path} yet; 'ludarium tournament', 'ludarium match --store' and 'ludarium store import' make one"
            )
        with store_errors(f"the store {path} cannot be made"):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        engine = create_engine(url, **({"connect_args": {"timeout": PATIENCE}} if url.get_backend_name() == "sqlite" else {}))
    except NoSuchModuleError:
        raise StoreError(f"the store {name}: no driver is called {url.drivername}; write {ACCEPTED}") from None
    except ModuleNotFoundError as problem:
        hint = ": pip install 'ludarium[postgres]'" if url.get_backend_name() == "postgresql" else f"; what serves without it is {ACCEPTED}"
        raise StoreError(f"the store {name} needs {problem.name}, which is not installed{hint}") from None
    logging.getLogger("psycopg").setLevel(logging.CRITICAL)  # what it says of a server that is lost is raised, too
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    database = Database(engine, name, path)
    try:
        _bring_up_to_date(database)
    except BaseException:
        database.close()
        raise
    return database


def store_exists(where: str | Path | None = None) -> bool:
    """Whether :func:`open_database` would find a store and need not make one. A server's databases are always there.

    Raises:
        StoreError: a wrong URL.
    """
    url = _url(where)
    return url.get_backend_name() != "sqlite" or Path(url.database or "").exists()


def _identity(file: Path) -> tuple[int, int] | None:
    """Return a file's device and inode, or None if it does not exist."""
    with suppress(OSError):
        found = file.stat()
        return found.st_dev, found.st_ino
    return None


def _url(where: str | Path | None) -> URL:
    where = str(where if where is not None else os.environ.get(VARIABLE) or data_folder() / "store.sqlite")
    if "://" not in where:
        return URL.create("sqlite", database=str(seen_from(Path.cwd(), where)))
    try:
        url = make_url(where)
    except (ArgumentError, ValueError):
        raise StoreError(f"'{where}' is no URL of a database; write {ACCEPTED}") from None
    return url.set(drivername="postgresql+psycopg") if url.drivername in ("postgresql", "postgres") else url


def _prepare_sqlite(connection: sqlite3.Connection, _: Any) -> None:
    connection.isolation_level = None  # transactions begin when SQLAlchemy says so, not when Python thinks that they should
    _keep_a_log(connection)
    for setting in ("synchronous=FULL", "foreign_keys=ON", f"busy_timeout={PATIENCE * 1000:.0f}"):
        connection.execute(f"PRAGMA {setting}")


def _keep_a_log(connection: sqlite3.Connection) -> None:
    """Write ahead. Of several processes that ask for it in the same moment, SQLite lets one wait until all others have closed the database: whoever asks
    again instead finds that it is done."""
    connection.execute("PRAGMA busy_timeout=100")
    until = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as problem:
            if problem.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        else:
            return


def _begin_sqlite(connection: Connection) -> None:
    """A transaction that will write waits for others' at its beginning; later SQLite would refuse to wait, for what it has read is old by then."""
    options = connection.get_execution_options()
    if not options.get("outside"):
        connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes") else "BEGIN")


def _bring_up_to_date(database: Database) -> None:
    with database.reading() as connection:
        version = _version(connection, database.name)
    if version != VERSION:
        with _UPGRADING:
            database.write(lambda connection: _upgrade(connection, database.name))


def _version(connection: Connection, name: str) -> str:
    """That of the schema; empty where there is none yet."""
    tables = inspect(connection).get_table_names()
    if "alembic_version" not in tables:
        if tables:
            raise StoreError(f"the store {name} is another program's database, with tables such as {tables[0]}; name an empty one")
        return ""
    version = str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar() or "")
    if version > VERSION or not set(metadata.tables) - LATER <= set(tables):
        raise StoreError(
            f"the store {name} has schema {version}, which this version of Ludarium does not know (it knows {VERSION}); update Ludarium"
        )
    return version


def _upgrade(connection: Connection, name: str) -> None:
    if connection.dialect.name == "postgresql":  # where two that make the same table do not wait for each other
        connection.execute(text("SELECT pg_advisory_xact_lock(:id)"), {"id": zlib.crc32(b"ludarium")})
    if _version(connection, name) == VERSION:  # somebody else has done it meanwhile
        return
    from alembic import command  # takes a while, which only a store that is new or old has to wait for
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", f"{__package__}:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _met_another(problem: DBAPIError) -> bool:
    """Whether another transaction changed the same rows: it inserted them before, or this one was given up for it."""
    return isinstance(problem, IntegrityError) or getattr(problem.orig, "sqlstate", None) in ("40001", "40P01")


class ServerLost(StoreError):
    """The database's server does not answer, or has ended the connection."""


def _is_lost(problem: DBAPIError) -> bool:
    """Whether a server is away: it said nothing, which psycopg tells by None, or the connection failed (class 08), or it is being stopped or started (57P)."""
    state = getattr(problem.orig, "sqlstate", "")
    return problem.connection_invalidated or (isinstance(problem, OperationalError) and (state is None or state.startswith(("08", "57P"))))


@contextmanager
def _said(name: str) -> Generator[None]:
    try:
        yield
    except DBAPIError as problem:
        said = " ".join(str(problem.orig).split())
        kind = ServerLost if _is_lost(problem) else StoreError
        raise kind(f"the store {name} {_IN_WORDS.get(said) or f'fails: {said}'}") from None
