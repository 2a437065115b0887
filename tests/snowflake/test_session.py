"""The connector's settings come from the dbt profile, and no secret is in any error."""

from __future__ import annotations

import base64
import time
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from loaders.errors import SettingsError, StageError
from loaders.settings import Target
from loaders.stage import open_stage
from loaders.stage.snowflake_session import connection_settings

ACCOUNT = {"account": "my_org-account", "user": "loader", "database": "hotelmind"}
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
PLAIN = serialization.NoEncryption()
LOCKED = serialization.BestAvailableEncryption(b"s3cret")


def pem(encryption: Any) -> str:
    return KEY.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption).decode()


def der(encryption: Any = PLAIN) -> bytes:
    return KEY.private_bytes(serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, encryption)


def settings(**credentials: Any) -> dict[str, Any]:
    return connection_settings(Target("prod", "snowflake", "hotelmind_warehouse", {**ACCOUNT, **credentials}))


def test_a_profile_with_a_password_is_taken_as_it_is() -> None:
    found = settings(password="s3cret", role="loader", warehouse="small", host="127.0.0.1", port=1234, protocol="http")
    assert found["account"] == "my-org-account"
    wanted = "user password role warehouse database host port protocol".split()
    assert [found[name] for name in wanted] == [
        "loader", "s3cret", "loader", "small", "hotelmind", "127.0.0.1", 1234, "http",
    ]  # fmt: skip
    assert found["autocommit"] is True
    # Without these the connector would ask for ever.
    assert found["login_timeout"] > 0
    assert found["network_timeout"] > 0
    assert found["session_parameters"]["TIMEZONE"] == "UTC"


def test_what_the_profile_leaves_empty_is_not_set() -> None:
    found = settings(password="", private_key_path="", token=None, role="", authenticator="")
    assert not {"password", "private_key", "token", "role", "authenticator"} & set(found)


def test_the_query_tag_is_the_profiles_or_says_who_asks() -> None:
    assert settings()["session_parameters"]["QUERY_TAG"] == "hotelmind loaders"
    assert settings(query_tag="nightly")["session_parameters"]["QUERY_TAG"] == "nightly"


@pytest.mark.parametrize("passphrase", [None, "s3cret"], ids=["no passphrase", "a passphrase"])
def test_a_key_pair_may_be_a_file_pem_or_base64(tmp_path: Path, passphrase: str | None) -> None:
    encryption = LOCKED if passphrase else PLAIN
    path = tmp_path / "key.p8"
    path.write_text(pem(encryption))
    given = [
        {"private_key_path": str(path)},
        {"private_key": pem(encryption)},
        {"private_key": base64.b64encode(der(encryption)).decode()},
    ]
    for one in given:
        assert settings(**one, private_key_passphrase=passphrase)["private_key"] == der()


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"authenticator": "oauth", "token": "t"}, ("oauth", "t")),
        ({"authenticator": "jwt", "token": "t"}, ("oauth", "t")),
        ({"authenticator": "programmatic_access_token", "token": "t"}, ("programmatic_access_token", "t")),
        ({"authenticator": "externalbrowser"}, ("externalbrowser", None)),
    ],
    ids=["OAuth token", "dbt's word for a JWT", "programmatic access token", "browser"],
)
def test_other_ways_to_log_in(given: dict[str, str], expected: tuple[str, str | None]) -> None:
    found = settings(**given)
    assert (found["authenticator"], found.get("token")) == expected
    # Whoever logged in at a browser is not asked again by the next command.
    assert found["client_store_temporary_credential"] is True


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"account": "", "database": None}, "target 'prod' lacks account and database"),
        ({"private_key_path": "/nowhere/key.p8"}, "private_key_path cannot be read: No such file or directory"),
        ({"private_key": pem(LOCKED), "private_key_passphrase": "wr0ng"}, "private_key is no private key for this"),
        ({"private_key": "bm90IGEga2V5"}, "private_key is no private key for this passphrase"),
        ({"private_key": "not base64!"}, "private_key is no private key for this passphrase"),
        (
            {"authenticator": "oauth", "oauth_client_secret": "s3cret"},
            "the loaders take an OAuth access token as `token`",
        ),
    ],
    ids=["nothing", "no file", "wrong passphrase", "no key", "no base64", "a client secret"],
)
def test_settings_that_cannot_work_are_refused_without_a_secret(given: dict[str, Any], expected: str) -> None:
    with pytest.raises(SettingsError) as caught:
        settings(**given)
    assert expected in str(caught.value)
    assert not any(secret in str(caught.value) for secret in ("s3cret", "wr0ng", "BEGIN", "bm90"))


@pytest.mark.parametrize("schema", ["Anna", "anna-1", "1anna", 'an"na'])
def test_a_schema_that_would_need_quotes_is_refused(schema: str) -> None:
    with pytest.raises(SettingsError, match="is no lower-case name of letters, digits and _"):
        open_stage(Target("prod", "snowflake", schema, ACCOUNT))


def test_an_account_that_does_not_answer_is_said_after_a_bounded_wait_without_the_password() -> None:
    credentials = {**ACCOUNT, "password": "s3cret", "host": "127.0.0.1", "port": 1, "protocol": "http"}
    stage = open_stage(Target("prod", "snowflake", "hotelmind_warehouse", {**credentials, "connect_timeout": 1}))
    started = time.monotonic()
    with pytest.raises(StageError, match="target 'prod': cannot connect: ") as caught:
        stage.progress("desk.contacts")
    assert time.monotonic() - started < 30
    assert "s3cret" not in str(caught.value)
    assert "\n" not in str(caught.value)
