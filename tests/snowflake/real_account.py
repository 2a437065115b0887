"""A real Snowflake account, in a database that belongs to the tests."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import snowflake.connector

from loaders.settings import Target
from loaders.stage.snowflake_session import SnowflakeConnection, connection_settings
from tests.snowflake.recorder import Statement

# Set by certify.py for the tests that it runs.
CERTIFIED_DATABASE = "HOTELMIND_CERTIFIED_DATABASE"
# The variables of profiles.example.yml: what must be set, one of what one can log in with, and the rest.
REQUIRED = ("SNOWFLAKE_ACCOUNT", "SNOWFLAKE_USER", "SNOWFLAKE_ROLE", "SNOWFLAKE_WAREHOUSE")
ONE_OF = (
    "SNOWFLAKE_PRIVATE_KEY_PATH",
    "SNOWFLAKE_PRIVATE_KEY",
    "SNOWFLAKE_PASSWORD",
    "SNOWFLAKE_TOKEN",
    "SNOWFLAKE_AUTHENTICATOR",
)
_OPTIONAL = ("SNOWFLAKE_PRIVATE_KEY_PASSPHRASE", "SNOWFLAKE_HOST", "SNOWFLAKE_PORT", "SNOWFLAKE_PROTOCOL")


@dataclass(frozen=True)
class RealAccount:
    """One database of an account; each test begins with it empty."""

    credentials: Mapping[str, Any]

    @classmethod
    def from_environment(cls, database: str, environment: Mapping[str, str] = os.environ) -> RealAccount:
        """The account that the environment names, with the tests' own database in it."""
        names = [name for name in (*REQUIRED, *ONE_OF, *_OPTIONAL) if environment.get(name)]
        settings: dict[str, Any] = {name.removeprefix("SNOWFLAKE_").lower(): environment[name] for name in names}
        if "port" in settings:
            settings["port"] = int(settings["port"])
        return cls({"type": "snowflake", **settings, "database": database, "reuse_connections": False})

    def reset(self) -> None:
        """Leave the database without any schema of ours."""
        with self._session() as session:
            made = "select schema_name from information_schema.schemata where lower(schema_name) not in"
            for (name,) in session.query(f"{made} ('information_schema', 'public')"):
                session.query(f"drop schema if exists {name}")

    def statements(self) -> list[Statement]:
        """None: only the stand-in records what it is sent."""
        return []

    @contextmanager
    def database(self) -> Iterator[str]:
        """Make the tests' database, and drop it at the end whatever happened; yields what the account says it is."""
        name = self.credentials["database"]
        with self._session() as session:
            session.query(f"create database {name}")
        try:
            with self._session() as session:
                ((version,),) = session.query("select current_version()")
            yield f"{self.credentials['account']}, Snowflake {version}"
        finally:
            with self._session() as session:
                session.query(f"drop database if exists {name}")

    @contextmanager
    def _session(self) -> Iterator[SnowflakeConnection]:
        target = Target("certify", "snowflake", "hotelmind_warehouse", self.credentials)
        connection = SnowflakeConnection(snowflake.connector.connect(**connection_settings(target)))
        try:
            yield connection
        finally:
            connection.close()
