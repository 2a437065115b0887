"""The statements that sessions sent, in their order."""

from __future__ import annotations

import re
from dataclasses import dataclass

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_DDL = re.compile(r"(create|alter|drop|comment|undrop|grant|revoke|use)\b")
_DML = re.compile(r"(insert|update|delete|merge|truncate)\b")


@dataclass(frozen=True)
class Statement:
    """One statement: which session sent it, on whose behalf (dbt, loader, test), and whether it failed."""

    session: int
    application: str
    sql: str
    failed: bool = False

    @property
    def text(self) -> str:
        """In lower case, on one line, without dbt's comment."""
        return " ".join(_COMMENT.sub(" ", self.sql).split()).rstrip("; ").lower()

    @property
    def is_ddl(self) -> bool:
        """Whether Snowflake commits the open transaction before it; CREATE TEMPORARY TABLE counts."""
        return bool(_DDL.match(self.text))

    @property
    def is_dml(self) -> bool:
        return bool(_DML.match(self.text))


def transactions(statements: list[Statement]) -> list[list[Statement]]:
    """Each explicit transaction from its BEGIN to its end: COMMIT, ROLLBACK, or the session's last statement."""
    found = []
    for session in dict.fromkeys(one.session for one in statements):
        current: list[Statement] | None = None
        for one in (each for each in statements if each.session == session):
            if one.text.split(" ")[0] == "begin" and current is None:
                current = []
                found.append(current)
            if current is not None:
                current.append(one)
            if one.text in ("commit", "rollback"):
                current = None
    return found
