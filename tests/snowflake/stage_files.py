"""What is done with staged files: LIST, REMOVE and GET."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from email.utils import formatdate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fakesnow.transforms import stage

if TYPE_CHECKING:
    from tests.snowflake.account import Session

_LIST = re.compile(r"\s*(list|ls|remove|rm)\s+(@\S+)\s*;?\s*", re.IGNORECASE)
_GET = re.compile(r"\s*get\s+(@\S+)\s+'file://([^']+)'\s*;?\s*", re.IGNORECASE)


def staged_path(session: Session, reference: str) -> str:
    """Where @database.schema.stage/path lies on this machine; raises as Snowflake does for a stage not there."""
    name, _, path = reference.strip().removeprefix("@").partition("/")
    parts = stage.parts_from_var(name, session.database, session.schema)
    found = session._duck_conn.execute(
        "select 1 from _fs_global._fs_information_schema._fs_stages"
        " where database_name = ? and schema_name = ? and name = ?",
        list(parts),
    ).fetchone()
    if not found:
        raise stage.not_found_error(".".join(parts))
    return stage.internal_dir(".".join(parts)) + path


def forget_schema(session: Session, database: str, schema: str) -> None:
    """Documented: a schema that is dropped takes its stages, and their files, along."""
    session._duck_conn.execute(
        "delete from _fs_global._fs_information_schema._fs_stages where database_name = ? and schema_name = ?",
        [database, schema],
    )
    shutil.rmtree(Path(stage.LOCAL_BUCKET_PATH) / database / schema, ignore_errors=True)


def list_or_remove(session: Session, sql: str) -> list[dict[str, Any]] | None:
    """LIST and REMOVE of all files whose name begins so; None for any other statement."""
    match = _LIST.fullmatch(sql)
    if not match:
        return None
    prefix = staged_path(session, match[2])
    folder = Path(prefix if prefix.endswith("/") else os.path.dirname(prefix))
    rows: list[dict[str, Any]] = []
    for path in sorted(one for one in folder.rglob("*") if one.is_file() and str(one).startswith(prefix)):
        name = stage.internal_file_name(str(path))
        if match[1].lower() in ("remove", "rm"):
            path.unlink()
            rows.append({"name": name, "result": "removed"})
        else:
            md5 = hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()
            changed = formatdate(path.stat().st_mtime, usegmt=True)
            rows.append({"name": name, "size": path.stat().st_size, "md5": md5, "last_modified": changed})
    return rows


def download(session: Session, sql: str) -> dict[str, Any] | None:
    """What tells the connector to fetch one file, by GET; None for any other statement."""
    match = _GET.fullmatch(sql)
    if not match:
        return None
    folder, name = os.path.split(staged_path(session, match[1]))
    return {
        "command": "DOWNLOAD",
        "src_locations": [name] if os.path.isfile(os.path.join(folder, name)) else [],
        "localLocation": match[2],
        "stageInfo": {"locationType": "LOCAL_FS", "location": folder, "creds": {}},
        "encryptionMaterial": [],
        "parallel": 1,
        "autoCompress": False,
        "sourceCompression": "none",
        "overwrite": True,
    }
