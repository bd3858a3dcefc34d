"""Tables for people, no wider than the terminal, 80 columns where there is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from shared.cli.language import say

WIDEST = 10_000
"""More columns than any terminal has."""

T = TypeVar("T")


def screen() -> Console:
    """The terminal, which shows a name as it is written, whatever brackets and colons it has."""
    return Console(highlight=False, markup=False, emoji=False)


def table(heads: list[tuple[str, str]]) -> Table:
    """An empty table with these heads in English and Chinese; cells too long for the terminal are folded."""
    empty = Table(box=None, pad_edge=False)
    for head in heads:
        empty.add_column(say(*head), overflow="fold")
    return empty


def as_many_as_fit(console: Console, build: Callable[[Sequence[T]], Table], columns: Sequence[T]) -> Sequence[T]:
    """The first of the columns, as many as the terminal has room for beside what the table has anyway."""
    unbounded = console.options.update(max_width=WIDEST)
    for many in range(len(columns), 0, -1):
        if Measurement.get(console, unbounded, build(columns[:many])).maximum <= console.width:
            return columns[:many]
    return ()


def called(id_: str, name: str) -> str:
    """A team as people know it: its id, and its name where that says more."""
    return id_ if name in ("", id_) else f"{id_} {name}"
