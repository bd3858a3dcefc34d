"""Lines for a terminal of 80 columns, in which Chinese characters take two; colour only where there is a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

import click

from shared.cli.language import say
from shared.rules.basis import Basis, Mark

WIDTH = 80
MARKS = {"stated": ("stated", "明文"), "read": ("read", "理解"), "assumed": ("assumed", "约定")}


def width(text: str) -> int:
    """How many columns a text takes."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def padded(text: str, columns: int) -> str:
    """The text with blanks up to so many columns."""
    return text + " " * max(columns - width(text), 0)


def right(text: str, columns: int) -> str:
    """The text at the right of so many columns."""
    return " " * max(columns - width(text), 0) + text


def wrapped(words: Iterable[str], columns: int) -> list[str]:
    """Words in lines of at most so many columns; a longer word is broken at its blanks, then anywhere."""
    lines = [""]
    for word in words:
        for part in [word] if width(word) <= columns else word.split(" "):
            while width(part) > columns:
                cut = _fitting(part, columns)
                lines += [part[:cut]]
                part = part[cut:]
            joined = f"{lines[-1]} {part}" if lines[-1] else part
            if width(joined) <= columns:
                lines[-1] = joined
            else:
                lines.append(part)
    return [line for line in lines if line]


def cited(article: str, mark: Mark, changed: bool) -> str:
    """An article with its mark, or with the word that the organiser changed what it says."""
    how = say("changed by the organiser", "主办方改定") if changed else say(*MARKS[mark])
    return say(f"{article} ({how})", f"{article}（{how}）")


def say_articles(bases: Iterable[Basis]) -> str:
    """The articles that an answer rests on, each with its mark."""
    shown = [cited(one.article, one.mark, one.changed) for one in bases]
    return say("Articles: ", "条文：") + ", ".join(shown)


def _fitting(text: str, columns: int) -> int:
    taken = 0
    for index, letter in enumerate(text):
        taken += width(letter)
        if taken > columns:
            return index
    return len(text)


class Sheet:
    """What is printed at the end, line by line."""

    def __init__(self) -> None:
        self._lines: list[tuple[str, dict[str, object]]] = []

    def line(self, text: str = "", **style: object) -> None:
        """A line that fits; style as `click.style` takes it."""
        self._lines.append((text, style))

    def words(self, text: str, indent: int = 0, **style: object) -> None:
        """A text of any length, in as many lines as it takes."""
        for line in wrapped(text.split(" "), WIDTH - indent):
            self.line(" " * indent + line, **style)

    def row(self, head: str, words: Sequence[str], tail: str, **style: object) -> None:
        """A head, words that may take several lines, and a tail at the end of the first line."""
        lines = wrapped(words, WIDTH - width(head) - width(tail) - 1) or [""]
        for index, line in enumerate(lines):
            if index == 0:
                space = WIDTH - width(head) - width(tail)
                self.line(head + padded(line, space) + tail, **style)
            else:
                self.line(" " * width(head) + line, **style)

    def articles(self, bases: Sequence[Basis]) -> None:
        """The articles that the result rests on."""
        self.line()
        self.words(say_articles(bases))

    def print(self) -> None:
        """Print everything; click leaves colours out where the output is no terminal."""
        for text, style in self._lines:
            click.secho(text.rstrip(), **style)  # type: ignore[arg-type]
