"""Tables for people, no wider than the terminal, 80 columns where there is none."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.segment import Segment
from rich.table import Table

from shared.cli.language import say

GAP = 2
"""Columns between two cells."""

T = TypeVar("T")


class Lines:
    """A table without rules: heads and rows of cells.

    Where it fits it is written at once; measuring every cell for folding, as rich does, takes seconds in a large field.
    """

    def __init__(self, heads: Sequence[str]):
        self._heads = heads
        self._rows: list[tuple[str, ...]] = []

    def add_row(self, *cells: str) -> None:
        """A row, a cell for each head."""
        assert len(cells) == len(self._heads), "a cell for each head"
        self._rows.append(cells)

    @property
    def widths(self) -> list[int]:
        """How many columns of the terminal each column takes."""
        return [max(map(cell_len, column)) for column in zip(self._heads, *self._rows, strict=True)]

    @property
    def width(self) -> int:
        """How many columns of the terminal the table takes."""
        return sum(self.widths) + GAP * (len(self._heads) - 1)

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> Iterator[RenderableType | Segment]:
        plain = all(cell.isprintable() for row in self._rows for cell in row)
        if self.width > options.max_width or not plain:
            yield self._folded()
            return
        widths = self.widths
        for row in (self._heads, *self._rows):
            cells = (cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True))
            yield Segment((" " * GAP).join(cells).rstrip() + "\n")

    def _folded(self) -> Table:
        folded = Table(box=None, pad_edge=False)
        for head in self._heads:
            folded.add_column(head, overflow="fold")
        for row in self._rows:
            folded.add_row(*row)
        return folded


def screen() -> Console:
    """The terminal, which shows a name as it is written, whatever brackets and colons it has."""
    return Console(highlight=False, markup=False, emoji=False)


def progress() -> Progress:
    """A bar on the terminal with the time it took so far, gone when done; nothing where a program reads the error
    output."""
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())


@contextmanager
def busy() -> Iterator[None]:
    """A bar that moves while a large field is worked on, of which nobody knows how much is left."""
    with progress() as bar:
        bar.add_task(say("working", "处理中"), total=None)
        yield


def table(heads: list[tuple[str, str]]) -> Lines:
    """An empty table with these heads in English and Chinese; cells too long for the terminal are folded."""
    return Lines([say(*head) for head in heads])


def as_many_as_fit(console: Console, build: Callable[[Sequence[T]], Lines], columns: Sequence[T]) -> Sequence[T]:
    """The first of the columns, as many as the terminal has room for beside what the table has anyway."""
    for many in range(len(columns), 0, -1):
        if build(columns[:many]).width <= console.width:
            return columns[:many]
    return ()


def called(id_: str, name: str) -> str:
    """A team as people know it: its id, and its name where that says more."""
    return id_ if name in ("", id_) else f"{id_} {name}"
