"""An account of the stand-in, its sessions, and what they have in common."""

from __future__ import annotations

import itertools
import shutil
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fakesnow.conn import FakeSnowflakeConnection
from fakesnow.instance import FakeSnow
from fakesnow.transforms import stage

from tests.snowflake.cursor import Cursor
from tests.snowflake.stand_in import DATABASE


class Session(FakeSnowflakeConnection):  # type: ignore[misc]
    """One login."""

    def __init__(self, account: Account, *arguments: Any, **settings: Any) -> None:
        self.account = account
        self.number = next(account.numbers)
        self.application = ""
        # One request at a time, also where another session aborts this one's transaction.
        self.lock = threading.RLock()
        # The open explicit transaction's id, when it began, and whether it has written.
        self.transaction: int | None = None
        self.began_at = datetime.now(UTC)
        self.has_written = False
        # Temporary tables and views: database, schema and name, and what DuckDB calls them.
        self.temporary: dict[tuple[str, str, str], str] = {}
        super().__init__(*arguments, **settings)

    def cursor(self, *_: Any) -> Cursor:
        return Cursor(conn=self, duck_conn=self._duck_conn)

    def end(self) -> None:
        """Documented: closing a session rolls back its transaction and drops its temporary tables."""
        with self.lock:
            self._duck_conn.close()


class Account(FakeSnow):  # type: ignore[misc]
    """Databases, stages and sessions. A login makes no database and no schema, as fakesnow's would."""

    def __init__(self) -> None:
        super().__init__(create_database_on_connect=True, create_schema_on_connect=False)
        self.numbers = itertools.count(1)
        self.sessions: list[Session] = []
        self.statements: list[dict[str, Any]] = []
        # Texts, and what another session runs just before a statement that contains one.
        self.interruptions: list[tuple[str, str]] = []
        self.connect(DATABASE).cursor().execute("create schema public")
        self.create_database_on_connect = False
        self.statements.clear()

    def connect(self, database: str | None = None, schema: str | None = None, **settings: Any) -> Session:
        session = Session(
            self,
            self.duck_conn.cursor(),
            self.results_cache,
            database,
            # Documented: every database is made with the schema PUBLIC, where a session is that names none.
            schema or "PUBLIC",
            create_database=self.create_database_on_connect,
            create_schema=False,
            autocommit=settings.get("autocommit", True),
        )
        self.sessions.append(session)
        return session

    def interrupt(self, command: str) -> None:
        """Run what was asked for before such a statement, once."""
        for one in [one for one in self.interruptions if one[0] in command.lower()]:
            self.interruptions.remove(one)
            self.connect(DATABASE).cursor().execute(one[1])

    def close(self) -> None:
        """End all sessions and remove all staged files."""
        for session in self.sessions:
            session.end()
        self.duck_conn.close()
        for path in Path(stage.LOCAL_BUCKET_PATH).glob("*"):
            shutil.rmtree(path)
