"""Tables for people, no wider than the terminal, 80 columns where there is none."""

from __future__ import annotations

from rich.table import Table

from shared.cli.language import say


def table(heads: list[tuple[str, str]]) -> Table:
    """An empty table with these heads in English and Chinese; cells too long for the terminal are folded."""
    empty = Table(box=None, pad_edge=False)
    for head in heads:
        empty.add_column(say(*head), overflow="fold")
    return empty


def called(id_: str, name: str) -> str:
    """A team as people know it: its id, and its name where that says more."""
    return id_ if name in ("", id_) else f"{id_} {name}"
