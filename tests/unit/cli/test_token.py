"""`pailu token`: a token that the services accept, and nothing else on stdout."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shared.cli.main import pailu
from shared.cli.settings import Settings, load, make_token_secret
from shared.eventsourcing.clock import SystemClock
from shared.web.identity import Identity, TokenNeeded, read


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A data folder as `pailu up` has left it."""
    monkeypatch.setenv("PAILU_DATA", str(tmp_path))
    made = load()
    make_token_secret(made)
    return made


def token(*arguments: str) -> Result:
    return CliRunner().invoke(pailu, ["--lang", "en", "token", *arguments])


def test_it_prints_a_token_for_the_person_asked_for(settings: Settings) -> None:
    printed = token("--role", "referee", "--name", "li", "--competition", "a", "--competition", "b", "--chief")
    assert printed.exit_code == 0
    assert printed.stderr == ""
    assert printed.stdout.count("\n") == 1
    who = read(printed.stdout.strip(), make_token_secret(settings), SystemClock().now())
    assert who == Identity(sub="li", role="referee", competitions=("a", "b"), chief=True)


def test_without_a_name_the_role_is_the_account_and_every_competition_is_meant(settings: Settings) -> None:
    who = read(token("--role", "auditor").stdout.strip(), make_token_secret(settings), SystemClock().now())
    assert who == Identity(sub="auditor", role="auditor", competitions=("*",))


def test_it_holds_for_the_hours_asked_for(settings: Settings) -> None:
    printed = token("--role", "organiser", "--hours", "0.5").stdout.strip()
    now, secret = SystemClock().now(), make_token_secret(settings)
    read(printed, secret, now + timedelta(minutes=29))
    with pytest.raises(TokenNeeded):
        read(printed, secret, now + timedelta(minutes=31))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--role", "leader"), "add --team"),
        (("--role", "organiser", "--chief"), "--chief is for a referee"),
    ],
)
def test_what_makes_no_sense_is_refused_on_stderr(settings: Settings, arguments: tuple[str, ...], words: str) -> None:
    refused = token(*arguments)
    assert refused.exit_code == 1
    assert refused.stdout == ""
    assert words in refused.stderr


def test_before_the_first_start_there_is_no_secret_to_sign_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAILU_DATA", str(tmp_path / "nothing"))
    refused = token("--role", "organiser")
    assert refused.exit_code == 1
    assert refused.stdout == ""
    assert "start Pailu first" in refused.stderr


def test_a_secret_that_was_given_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAILU_DATA", str(tmp_path / "nothing"))
    (tmp_path / "secret").write_text("thirty-two bytes of a given secret\n")
    monkeypatch.setenv("PAILU_TOKEN_SECRET_FILE", str(tmp_path / "secret"))
    printed = token("--role", "organiser")
    assert read(printed.stdout.strip(), "thirty-two bytes of a given secret", SystemClock().now()).sub == "organiser"
