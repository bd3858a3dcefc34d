"""The `pailu` command: quick, in the person's language, loading only what was asked for."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
import yaml
from click.testing import CliRunner, Result

from shared.cli.language import of_locale
from shared.cli.main import COMMANDS, pailu
from shared.contracts.asyncapi import document


def run(*arguments: str) -> Result:
    return CliRunner().invoke(pailu, arguments)


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": ""}, "zh"),
    ],
)
def test_the_locale_decides_over_the_language(environ: dict[str, str], language: str) -> None:
    assert of_locale(environ) == language


def test_help_names_every_command_in_either_language() -> None:
    english, chinese = run("--lang", "en", "--help").output, run("--lang", "zh", "--help").output
    for name, (_, en, zh) in COMMANDS.items():
        assert name in english
        assert en in english
        assert zh in chinese


@pytest.mark.parametrize("arguments", [["--help"], ["token", "--help"], ["regulations", "list"]])
def test_a_command_loads_nothing_that_it_does_not_need(arguments: list[str]) -> None:
    program = (
        "import sys; from shared.cli.main import pailu; pailu(sys.argv[1:], standalone_mode=False)\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('services', 'deploy', 'pymongo', 'gunicorn')])"
    )
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_an_unknown_command_is_refused() -> None:
    refused = run("shuffle")
    assert refused.exit_code == 2
    assert "shuffle" in refused.output


def test_regulations_are_listed_and_shown_with_their_articles() -> None:
    assert "jimei-2018" in run("regulations", "list").output
    english = run("--lang", "en", "regulations", "show", "jimei-2018").output
    chinese = run("--lang", "zh", "regulations", "show", "jimei-2018").output
    assert "match.minutes = 60\n    minutes a round  [十.2]\n    “每轮时间为60分钟”" in english
    assert "match.minutes = 60\n    每轮时间（分钟）  [十.2]\n" in chinese
    assert "read: the text can be read two ways" in english


def test_an_unknown_regulation_is_refused_with_those_there_are() -> None:
    refused = run("regulations", "show", "nowhere-1900")
    assert refused.exit_code == 1
    assert "jimei-2018" in refused.stderr


def test_the_contracts_are_printed_as_json_and_as_yaml() -> None:
    assert json.loads(run("contracts", "asyncapi").output) == document()
    assert yaml.safe_load(run("contracts", "asyncapi", "--yaml").output) == document()
