"""What the documents name exists: files they link to, targets of the Makefile, commands of `pailu`, settings."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from shared.cli import settings
from shared.cli.main import COMMANDS, pailu
from shared.web import health
from tests.support.readme import READMES

ROOT = Path(__file__).parents[2]
PAGES = sorted(page.relative_to(ROOT) for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")))
TARGETS = re.findall(r"^([a-z]+):.*##", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)


def _code(page: Path) -> str:
    """What stands as code on a page: spans and fenced blocks."""
    text = (ROOT / page).read_text("utf-8")
    fenced = re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return "\n".join([*fenced, *re.findall(r"`([^`\n]+)`", text)])


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#]+)", (ROOT / page).read_text("utf-8")):
        assert ((ROOT / page).parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_target_named_is_in_the_makefile(page: Path) -> None:
    for target in re.findall(r"^make ([a-z]+)", _code(page), re.MULTILINE):
        assert target in TARGETS


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_command_named_exists(page: Path) -> None:
    for words in re.findall(r"^(?:.*/)?pailu((?: [a-z]+)+)", _code(page), re.MULTILINE):
        command: click.Command | None = pailu
        for word in words.split():
            if not isinstance(command, click.Group):
                break  # an argument
            command = command.get_command(click.Context(command), word)
            assert command is not None, words


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_option_named_exists(page: Path) -> None:
    for words in re.findall(r"^(?:.*/)?pailu ([a-z].*)$", _code(page), re.MULTILINE):
        known = {opt for parameter in _meant(words.split()).params for opt in parameter.opts}
        assert set(re.findall(r"--[a-z-]+", words)) <= known | {"--help"}, words


def _meant(words: list[str]) -> click.Command:
    """The command that these words name, sub-commands followed as far as they go."""
    command: click.Command = pailu
    for word in words:
        if not isinstance(command, click.Group):
            break
        found = command.get_command(click.Context(command), word)
        if found is None:
            break
        command = found
    return command


def test_operating_names_every_setting_and_no_other() -> None:
    named = set(re.findall(r"\bPAILU_[A-Z_]+", (ROOT / "docs/operating.md").read_text("utf-8")))
    assert named == set(re.findall(r"^\| (PAILU_[A-Z_]+) ", settings.__doc__ or "", re.MULTILINE))


def test_operating_names_every_metric_to_watch() -> None:
    named = set(re.findall(r"^\| `(pailu_\w+)`", (ROOT / "docs/operating.md").read_text("utf-8"), re.MULTILINE))
    assert named == {*health.GAUGES, "pailu_requests_total", "pailu_request_seconds"}


@pytest.mark.parametrize("readme", READMES)
def test_a_readme_names_the_commands_to_begin_with(readme: str) -> None:
    code = _code(Path(readme))
    for command in ("make run", "make test", "make demo"):
        assert command in code
    assert {"token", "ask"} <= set(COMMANDS)
    assert len((ROOT / readme).read_text("utf-8").splitlines()) <= 150
