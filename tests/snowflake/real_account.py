"""A real Snowflake account, in a database that belongs to the tests."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import snowflake.connector

from loaders.settings import Target
from loaders.stage.snowflake_session import connection_settings
from tests.snowflake.recorder import Statement

# Set by certify.py for the tests that it runs.
CERTIFIED_DATABASE = "HOTELMIND_CERTIFIED_DATABASE"
# Of the environment, what dbt's profile calls otherwise or may lack.
REQUIRED = ("SNOWFLAKE_ACCOUNT", "SNOWFLAKE_USER", "SNOWFLAKE_ROLE", "SNOWFLAKE_WAREHOUSE")
SECRETS = ("SNOWFLAKE_PRIVATE_KEY_PATH", "SNOWFLAKE_PRIVATE_KEY", "SNOWFLAKE_PASSWORD", "SNOWFLAKE_TOKEN")
_OPTIONAL = ("SNOWFLAKE_AUTHENTICATOR", "SNOWFLAKE_PRIVATE_KEY_PASSPHRASE", "SNOWFLAKE_HOST")


@dataclass(frozen=True)
class RealAccount:
    """One database of an account; each test begins with it empty."""

    credentials: Mapping[str, Any]

    @classmethod
    def from_environment(cls, database: str, environment: Mapping[str, str] = os.environ) -> RealAccount:
        names = [name for name in (*REQUIRED, *SECRETS, *_OPTIONAL) if environment.get(name)]
        settings = {name.removeprefix("SNOWFLAKE_").lower(): environment[name] for name in names}
        return cls({"type": "snowflake", **settings, "database": database, "reuse_connections": False})

    def reset(self) -> None:
        self.execute(f"create or replace database {self.credentials['database']}")

    def drop(self) -> None:
        self.execute(f"drop database if exists {self.credentials['database']}")

    def statements(self) -> list[Statement]:
        """None: only the stand-in records what it is sent."""
        return []

    def execute(self, sql: str) -> None:
        target = Target("certify", "snowflake", "hotelmind_warehouse", self.credentials)
        with snowflake.connector.connect(**connection_settings(target)) as connection, connection.cursor() as cursor:
            cursor.execute(sql)
