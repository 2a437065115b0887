"""A session with Snowflake, from the settings that dbt-snowflake has in the profile."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import date, datetime
from pathlib import Path
from typing import Any

from loaders.errors import SettingsError, StageError
from loaders.settings import Target

# The connector is imported where it is used: it takes longer than a whole load into DuckDB.

# Of the profile's keys, those that the connector has under the same name.
_SAME = (
    "account user password role warehouse database authenticator token host port protocol proxy_host proxy_port"
).split()
# A request that fails is sent again until then; without a limit, for ever. The first is dbt's connect_timeout, if set.
_LOGIN_SECONDS = 60
_REQUEST_SECONDS = 300


class SnowflakeConnection:
    """A Snowflake session in autocommit, as the ledger uses it."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def query(self, sql: str, parameters: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """The rows of one statement; `$name` is bound."""
        with self._connection.cursor() as cursor:
            cursor.execute(*_bound(sql, parameters))
            return [tuple(row) for row in cursor.fetchall()]

    def update(self, sql: str, parameters: Mapping[str, Any] | None = None) -> int:
        """How many rows one statement changed; `$name` is bound."""
        with self._connection.cursor() as cursor:
            cursor.execute(*_bound(sql, parameters))
            return int(cursor.rowcount or 0)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it or nothing; no DDL within, which would commit what came before."""
        self.query("begin")
        try:
            yield
        except BaseException:
            # Where even that fails, the session is at its end, and the transaction with it.
            with suppress(database_error()):
                self.query("rollback")
            raise
        self.query("commit")

    def close(self) -> None:
        """End the session, if it has not ended; what it has not committed is rolled back."""
        if not self._connection.is_closed():
            self._connection.close(retry=False)


def open_connection(target: Target) -> SnowflakeConnection:
    """A session as the profile's user; raises SettingsError for wrong settings, StageError where it cannot log in."""
    import snowflake.connector  # noqa: PLC0415

    settings = connection_settings(target)
    try:
        return SnowflakeConnection(snowflake.connector.connect(**settings))
    except snowflake.connector.Error as error:
        message = " ".join(str(error).split())
        raise StageError(f"target {target.name!r}: cannot connect: {message}; check profiles.yml") from None


def connection_settings(target: Target) -> dict[str, Any]:
    """The connector's arguments for a dbt profile's target."""
    credentials = {key: value for key, value in target.credentials.items() if value not in (None, "")}
    missing = [key for key in ("account", "database") if key not in credentials]
    if missing:
        raise SettingsError(f"target {target.name!r} lacks {' and '.join(missing)}")
    settings = {key: credentials[key] for key in _SAME if key in credentials}
    # As dbt-snowflake does: an underscore is in no host name.
    settings["account"] = str(settings["account"]).replace("_", "-")
    settings |= _authentication(target, credentials)
    return {
        **settings,
        "autocommit": True,
        "application": "hotelmind_loaders",
        "login_timeout": int(credentials.get("connect_timeout", _LOGIN_SECONDS)),
        "network_timeout": _REQUEST_SECONDS,
        "session_parameters": {
            "QUERY_TAG": credentials.get("query_tag", "hotelmind loaders"),
            # Moments are kept and compared in UTC, whatever the account's zone.
            "TIMEZONE": "UTC",
            "TIMESTAMP_INPUT_FORMAT": "AUTO",
            "CLIENT_TELEMETRY_ENABLED": False,
        },
    }


def database_error() -> type[Exception]:
    """What the connector raises."""
    import snowflake.connector  # noqa: PLC0415

    return snowflake.connector.Error


def _authentication(target: Target, credentials: Mapping[str, Any]) -> dict[str, Any]:
    if "oauth_client_secret" in credentials:
        raise SettingsError(
            f"target {target.name!r}: the loaders take an OAuth access token as `token`, and no client secret"
        )
    # dbt's word for an OAuth token that is a JWT.
    settings: dict[str, Any] = {"authenticator": "oauth"} if credentials.get("authenticator") == "jwt" else {}
    if "private_key" in credentials or "private_key_path" in credentials:
        settings["private_key"] = _private_key(target, credentials)
    if "authenticator" in credentials:
        # A person who logged in at the browser, or with a second factor, is not asked again at once.
        settings |= {"client_store_temporary_credential": True, "client_request_mfa_token": True}
    return settings


def _private_key(target: Target, credentials: Mapping[str, Any]) -> bytes:
    """The key as the connector wants it; it stands in the profile as PEM, as base64, or as the path of a PEM file."""
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415

    name = "private_key" if "private_key" in credentials else "private_key_path"
    passphrase = str(credentials.get("private_key_passphrase", "")).encode() or None
    try:
        text = str(credentials[name]) if name == "private_key" else Path(credentials[name]).expanduser().read_text()
        if text.lstrip().startswith("-"):
            key = serialization.load_pem_private_key(text.encode(), passphrase)
        else:
            key = serialization.load_der_private_key(base64.b64decode(text, validate=True), passphrase)
    except OSError as error:
        raise SettingsError(f"target {target.name!r}: {name} cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, binascii.Error):
        # The library's own text may show a part of the key.
        raise SettingsError(f"target {target.name!r}: {name} is no private key for this passphrase") from None
    return key.private_bytes(
        serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _bound(sql: str, parameters: Mapping[str, Any] | None) -> tuple[str, Mapping[str, Any] | None]:
    """The statement as the connector binds it. Moments and days are cast: Snowflake would compare them as text."""
    used = {name: value for name, value in (parameters or {}).items() if re.search(rf"\${name}\b", sql)}
    if not used:
        return sql, None

    def placeholder(match: re.Match[str]) -> str:
        value = used[match[1]]
        if isinstance(value, datetime):
            return f"cast(%({match[1]})s as timestamp_tz)"
        return f"cast(%({match[1]})s as date)" if isinstance(value, date) else f"%({match[1]})s"

    return re.sub(r"\$(\w+)", placeholder, sql.replace("%", "%%")), used
