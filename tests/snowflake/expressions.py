"""Expressions that fakesnow evaluates otherwise than Snowflake documents."""

from __future__ import annotations

from sqlglot import exp

_WITHOUT_ZONE = (exp.DataType.Type.TIMESTAMP, exp.DataType.Type.TIMESTAMPNTZ, exp.DataType.Type.DATETIME)


def repaired(node: exp.Expression) -> exp.Expression:
    """The expression in a form that fakesnow leaves alone."""
    if isinstance(node, exp.TryCast) and node.to.this in _WITHOUT_ZONE:
        # Documented: TRY_CAST gives NULL for text that is no moment; fakesnow's own macro raises.
        return exp.Anonymous(this="TRY", expressions=[exp.Cast(this=node.this, to=node.to)])
    if isinstance(node, exp.Trim) and not isinstance(node.this, exp.Cast):
        # Documented: LTRIM and RTRIM trim one end, of the characters given; fakesnow makes TRIM of spaces of them.
        node.set("this", exp.cast(node.this, "varchar"))
    if isinstance(node, exp.Sum):
        # Documented: a sum of numbers is exact; fakesnow sums doubles.
        return exp.Anonymous(this="SUM", expressions=[node.this])
    return node
