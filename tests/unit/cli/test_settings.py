"""Settings come from the environment, and one that cannot be right is named."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.cli.language import Trouble, choose
from shared.cli.settings import load, make_token_secret, token_secret


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in list(os.environ):
        if name.startswith("PAILU_"):
            monkeypatch.delenv(name)
    choose("en")
    yield
    choose(None)


def test_the_defaults_are_those_of_one_machine() -> None:
    settings = load()
    assert (settings.data, settings.mongo_url, settings.kafka, settings.bind) == (Path("var"), None, None, None)
    assert (settings.given_secret, settings.log_level) == (None, "INFO")


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("PAILU_LOG_LEVEL", "loud", "it takes DEBUG, INFO, WARNING, ERROR"),
        ("PAILU_TRUSTED_PROXY", "127.0.0.1,proxy", "PAILU_TRUSTED_PROXY takes IP addresses: 'proxy'"),
        ("PAILU_TOKEN_SECRET", "short", "at least 32 bytes"),
        ("PAILU_TOKEN_SECRET_FILE", "/nowhere/secret", "PAILU_TOKEN_SECRET_FILE must be a readable file"),
    ],
)
def test_a_setting_that_cannot_be_right_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, words: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(Trouble) as trouble:
        load()
    assert words in trouble.value.message


def test_proxies_are_trusted_by_address(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load().proxies == frozenset()
    monkeypatch.setenv("PAILU_TRUSTED_PROXY", "127.0.0.1, 2001:DB8:0::7")
    assert load().proxies == {"127.0.0.1", "2001:db8::7"}


def test_the_token_secret_is_made_once_and_for_its_owner_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAILU_DATA", str(tmp_path))
    settings = load()
    first = make_token_secret(settings)
    assert len(first) >= 32
    assert make_token_secret(settings) == first == token_secret(settings)
    assert stat.S_IMODE(settings.secret_file.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["token-secret"]


def test_a_damaged_token_secret_is_not_signed_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAILU_DATA", str(tmp_path))
    (tmp_path / "token-secret").write_text("")
    with pytest.raises(Trouble) as trouble:
        make_token_secret(load())
    assert "is damaged" in trouble.value.message
