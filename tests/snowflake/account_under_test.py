"""The Snowflake that tests run on: the stand-in, or a real account while it is being certified."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

from tests.snowflake.real_account import CERTIFIED_DATABASE, RealAccount
from tests.snowflake.recorder import Statement
from tests.snowflake.stand_in import stand_in


class SnowflakeAccount(Protocol):
    """What tests need of it."""

    @property
    def credentials(self) -> Mapping[str, Any]: ...

    def reset(self) -> None: ...

    def statements(self) -> list[Statement]: ...


@contextmanager
def account_under_test() -> Iterator[SnowflakeAccount]:
    """The account that certify.py has made a database in, or else a stand-in of one's own."""
    database = os.environ.get(CERTIFIED_DATABASE)
    if database:
        yield RealAccount.from_environment(database)
    else:
        with stand_in() as account:
            yield account
