"""Moments as the wire carries them."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

# What the connector takes for UTC: minutes from the offset -24:00.
_UTC = 1440


def moments_with_nulls(moments: Any) -> pa.Array:
    """Snowflake's structs for moments; in fakesnow's a NULL becomes 1970-01-01."""
    moments = moments.combine_chunks() if isinstance(moments, pa.ChunkedArray) else moments
    nulls = pc.is_null(moments)
    filled = pc.fill_null(moments, pa.scalar(0, moments.type))
    whole = pc.floor_temporal(filled, unit="second").cast(pa.timestamp("us", tz=moments.type.tz)).cast(pa.int64())
    columns = {
        "epoch": pc.divide(whole, 1_000_000),
        "fraction": pc.round(pc.multiply(pc.subsecond(filled), 1_000_000_000)).cast(pa.int32()),
    }
    if moments.type.tz:
        columns["timezone"] = pa.array([_UTC] * len(moments), pa.int32())
    fields = [pa.field(name, column.type) for name, column in columns.items()]
    return pa.StructArray.from_arrays(list(columns.values()), fields=fields, mask=nulls)
