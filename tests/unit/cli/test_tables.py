"""Tables for people: Chinese takes two columns a character, too wide is folded, line ends stay in their cell."""

from __future__ import annotations

import io

from rich.cells import cell_len
from rich.console import Console

from shared.cli.tables import Lines, table


def shown(lines: Lines, width: int = 80) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=width, highlight=False, markup=False).print(lines)
    return out.getvalue().splitlines()


def test_columns_stand_below_each_other_in_both_languages() -> None:
    lines = table([("team", "队"), ("points", "积分")])
    lines.add_row("T01 红星", "3")
    lines.add_row("T02", "12")
    assert shown(lines) == ["team      points", "T01 红星  3", "T02       12"]
    assert lines.width == len("T01 ") + 4 + 2 + len("points")


def test_what_is_wider_than_the_terminal_is_folded_and_nothing_is_lost() -> None:
    lines = table([("team", "队"), ("points", "积分")])
    lines.add_row("红星" * 30, "3")
    folded = shown(lines, 40)
    assert max(map(cell_len, folded)) <= 40
    assert "".join("".join(line.split()[:1]) for line in folded[1:]).count("红星") >= 29


def test_a_name_of_several_lines_stays_in_its_cell() -> None:
    lines = table([("team", "队"), ("points", "积分")])
    lines.add_row("one\ntwo", "3")
    assert shown(lines)[1].split() == ["one", "3"]
