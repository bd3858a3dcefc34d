"""The language of this run: `--lang`, else the locale, as a person's terminal has it."""

from __future__ import annotations

import os
from collections.abc import Mapping

import click

from shared.contracts.refusal import Language

_chosen: Language | None = None


def choose(language: Language | None) -> None:
    """Fix the language for this process; None: as the locale has it."""
    global _chosen  # noqa: PLW0603  one process, one terminal, one language
    _chosen = language


def of_locale(environ: Mapping[str, str]) -> Language:
    """Chinese where the locale is a Chinese one, else English. The first of LC_ALL, LC_MESSAGES and LANG counts."""
    locale = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := environ.get(name))), "")
    return "zh" if locale.lower().startswith("zh") else "en"


def language() -> Language:
    """The language to speak."""
    return _chosen or of_locale(os.environ)


def say(en: str, zh: str) -> str:
    """The words in the language of this run."""
    return zh if language() == "zh" else en


class Trouble(click.ClickException):
    """What a person has to know to go on: said without a traceback, exit status 1."""

    def __init__(self, en: str, zh: str) -> None:
        super().__init__(say(en, zh))

    def show(self, file: object = None) -> None:  # noqa: ARG002  click's signature
        click.echo(f"pailu: {self.message}", err=True)
