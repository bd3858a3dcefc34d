"""The examples of docs/formats.md: what a reader checks by hand is what the commands print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from shared.cli.main import pailu

PAGE = (Path(__file__).parents[2] / "docs/formats.md").read_text("utf-8")
LINES = r"((?:(?!```).*\n)+)"
EXAMPLES = re.findall(rf"^```json\n{LINES}```\n\n```console\n\$ pailu (\w+) FILE(.*)\n{LINES}```", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("file", "command", "options", "printed"), EXAMPLES, ids=[example[1] for example in EXAMPLES])
def test_an_example_is_what_the_command_prints(
    tmp_path: Path, file: str, command: str, options: str, printed: str
) -> None:
    path = tmp_path / "file.json"
    path.write_text(file, encoding="utf-8")
    result = CliRunner().invoke(pailu, ["--lang", "en", *command.split(), str(path), *options.split()])
    assert result.exit_code == 0
    shown = [line.split() for line in result.output.splitlines()]
    assert [line.split() for line in printed.splitlines()] == shown[: len(printed.splitlines())]


def test_there_are_examples() -> None:
    assert {example[1] for example in EXAMPLES} >= {"standings", "totals"}
