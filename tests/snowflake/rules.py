"""The order that statements must have on Snowflake, whatever a test is about."""

from __future__ import annotations

import re

from tests.snowflake.recorder import Statement, transactions


def broken_rules(statements: list[Statement]) -> list[str]:
    """Every rule that was broken, with the statement that broke it."""
    return [
        f"{problem}: {one.text[:200]}"
        for transaction in transactions(statements)
        for problem, one in [*_not_dml(transaction), *_after_the_claim(transaction)]
    ]


def _not_dml(transaction: list[Statement]) -> list[tuple[str, Statement]]:
    """DDL would commit what came before it; COPY has no place there either, since it would wait for no lock."""
    return [
        ("in a transaction", one) for one in transaction if one.is_ddl or one.text.startswith(("copy ", "put ", "get "))
    ]


def _after_the_claim(transaction: list[Statement]) -> list[tuple[str, Statement]]:
    """Claim and watermark lock tables that all loads share: they come last, and only a load's end comes after them.

    A package enters its batches behind its claim, in the same table.
    """
    claims = [number for number, one in enumerate(transaction) if is_claim(one)]
    if not claims:
        return []
    rest = transaction[claims[0] + 1 :]
    allowed = [is_watermark_move, is_ledger_entry, is_end]
    return [("after the claim", one) for one in rest if not any(fits(one) for fits in allowed)]


def is_claim(statement: Statement) -> bool:
    """Marks a batch as loaded."""
    return statement.text.startswith("update ") and ".etl_batches set status = 'loaded'" in statement.text


def is_watermark_move(statement: Statement) -> bool:
    """Moves the watermark of a source table."""
    return statement.text.startswith("merge into ") and ".etl_watermarks as mark" in statement.text


def is_ledger_entry(statement: Statement) -> bool:
    """Enters a batch, or supersedes an earlier attempt at it."""
    return re.match(r"(insert into|update) \S*\betl_batches ", statement.text) is not None


def is_end(statement: Statement) -> bool:
    return statement.text in ("commit", "rollback")
