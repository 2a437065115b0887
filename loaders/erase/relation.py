"""A table or a stored batch, and what its columns hold of a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from loaders.erase.declaration import TEXT, Declaration
from loaders.erase.person import IDENTIFIERS
from loaders.names import LOAD_COLUMNS

# Within a raw delivery, whose text is JSON.
JSON = "json"
# A nested package: what a row and the object that it is part of are told apart by.
ROW_ID, _ROOT_ROW_ID = "row_id", "root_row_id"


@dataclass(frozen=True)
class Relation:
    """`sql` stands behind FROM. `columns` says of each whether it is text, `meanings` what it holds.

    A meaning is an identifier of a person, the id of something that belongs to one (its own column's name, such as
    reservation_id), `text` or `json`. `location` is that of a stored batch.
    """

    name: str
    sql: str
    columns: Mapping[str, bool]
    meanings: Mapping[str, str]
    source_table: str | None = None
    location: str | None = None
    # The columns whose values say what else belongs to the person whose row this is.
    things: Mapping[str, str] | None = None

    @property
    def source(self) -> str | None:
        return self.source_table.split(".")[0] if self.source_table else None


def describe_relation(
    name: str,
    sql: str,
    columns: Mapping[str, bool],
    declaration: Declaration,
    *,
    source_table: str | None = None,
    location: str | None = None,
) -> Relation:
    """A relation with what the YAML says of its source table and of the model it is the table of."""
    table = name.rpartition(".")[2]
    if source_table is None and location is None and table.startswith("bronze_"):
        source_table = table.removeprefix("bronze_").replace("__", ".", 1)
    tags: dict[str, str | bool] = dict.fromkeys(declaration.texts if source_table is None else (), TEXT)
    tags |= {**declaration.tags.get(source_table or "", {}), **declaration.tags.get(table, {})}
    if table == "etl_batches":
        tags["reason"] = TEXT
    is_raw = bool(source_table and source_table.endswith("_raw"))
    meanings = {}
    for column, is_text in columns.items():
        meaning = _meaning(column, tags.get(column), is_json=is_raw and is_text)
        if meaning:
            meanings[column] = meaning
    things = {}
    if source_table:
        key = declaration.record_keys.get(source_table, ())
        # A key of several parts names nothing that other tables would speak of.
        things = {one: meanings[one] for one in key if len(key) == 1 and one in meanings}
        row_id = _ROOT_ROW_ID if _ROOT_ROW_ID in columns else ROW_ID
        things |= {row_id: ROW_ID} if row_id in columns else {}
    return Relation(name, sql, columns, meanings, source_table, location, things)


def _meaning(column: str, tag: str | bool | None, *, is_json: bool) -> str | None:
    if tag in IDENTIFIERS or tag == TEXT:
        return str(tag)
    if tag is not None or column in LOAD_COLUMNS:
        return None
    if column in IDENTIFIERS:
        return column
    if column in (ROW_ID, _ROOT_ROW_ID):
        return ROW_ID
    if column.endswith("_id"):
        return column
    return JSON if is_json else None
