"""The lines of a report, read one by one; what is malformed is refused with its line and column."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from shared.rules.errors import BadReport
from shared.rules.formats.trf import columns


class Line(Struct, frozen=True):
    """A line, its number counted from 1."""

    number: int
    text: str

    @property
    def code(self) -> str:
        """What the line is about."""
        return self.text[:3]

    def field(self, place: tuple[int, int]) -> str:
        """What stands in these columns."""
        return self.text[place[0] - 1 : place[1]].strip()

    def wrong(self, column: int, problem: str) -> BadReport:
        """The error at a column of this line."""
        return BadReport(self.number, column, problem)

    def natural(self, column: int, text: str, what: str) -> int:
        """The number that the text at a column is. Raises BadReport."""
        if not (text.isascii() and text.isdigit()):
            raise self.wrong(column, f"{text!r} is no {what}")
        return int(text)


class Cell(Struct, frozen=True):
    """A round of a player. opponent 0: none; colour: w, b or -; result: as the report has it."""

    line: Line
    round: int
    opponent: int
    colour: str
    result: str

    def wrong(self, problem: str, field: int = 0) -> BadReport:
        """The error at the opponent (field 0), the colour (1) or the result (2)."""
        return self.line.wrong(columns.round_columns(self.round)[field], problem)


class Player(Struct, frozen=True, kw_only=True):
    """A player's line; points: in half points, None where the line gives none."""

    line: Line
    number: int
    name: str
    federation: str
    points: int | None
    cells: Sequence[Cell]

    @property
    def halves(self) -> int:
        """What the rounds give, in half points."""
        return sum(columns.HALVES[cell.result] for cell in self.cells)


def lines_of(text: str) -> list[Line]:
    """The lines that are not blank. Raises BadReport for one without a code."""
    numbered = enumerate(re.split("\r\n|\r|\n", text.removeprefix("\ufeff")), 1)
    lines = [Line(number, line.expandtabs()) for number, line in numbered if line.strip()]
    for line in lines:
        if re.match(r"[0-9A-Z#]{3}(?: |$)", line.text) is None:
            raise line.wrong(1, f"{line.text[:3]!r} is no code of three characters and a blank")
    return lines


def players_of(lines: Sequence[Line]) -> list[Player]:
    """The players, in the order of their lines. Raises BadReport."""
    players = [_player(line) for line in lines if line.code == columns.PLAYER]
    if not players:
        raise BadReport(1, 1, f"the report has no player (no line {columns.PLAYER})")
    return players


def numbers_of(lines: Sequence[Line], code: str, known: Mapping[int, str]) -> Iterator[list[int]]:
    """The starting numbers on each line of a code. Raises BadReport for one that no player has."""
    for line in lines:
        if line.code == code:
            yield [_known(line, word.start() + 5, word[0], known) for word in re.finditer(r"[^\s,/]+", line.text[4:])]


def _known(line: Line, column: int, word: str, known: Mapping[int, str]) -> int:
    named = line.natural(column, word, "starting number")
    if named not in known:
        raise line.wrong(column, f"{named} is no player of this report")
    return named


def _player(line: Line) -> Player:
    start = columns.STARTING_NUMBER
    number = line.natural(start[0], line.field(start), "starting number")
    if number == 0:
        raise line.wrong(start[0], "'0' is no starting number")
    return Player(
        line=line,
        number=number,
        name=line.field(columns.PLAYER_NAME),
        federation=line.field(columns.FEDERATION),
        points=_points(line),
        cells=tuple(_cells(line)),
    )


def _points(line: Line) -> int | None:
    text = line.field(columns.POINTS)
    found = re.fullmatch(r"(?P<whole>[0-9]*)(?:[.,](?P<half>[05]))?", text)
    if found is None:
        raise line.wrong(columns.POINTS[0], f"{text!r} is no number of points")
    return 2 * int(found["whole"] or 0) + (found["half"] == "5") if text else None


def _cells(line: Line) -> Iterator[Cell]:
    width = len(line.text.rstrip()) - columns.FIRST_ROUND + 1
    for round_ in range(1, -(-width // columns.ROUND_WIDTH) + 1):
        yield _cell(line, round_)


def _cell(line: Line, round_: int) -> Cell:
    first, colour, result = columns.round_columns(round_)
    text = line.text[first - 1 : first + columns.ROUND_WIDTH - 3].ljust(columns.ROUND_WIDTH - 2)
    for column in (first - 2, first - 1, first + 4, first + 6):
        if line.text[column - 1 : column].strip():
            raise line.wrong(column, f"{line.text[column - 1]!r} stands where a blank belongs")
    if not text.strip():
        return Cell(line, round_, 0, "-", " ")
    opponent = line.natural(first, text[:4].strip() or "0", "opponent")
    cell = Cell(line, round_, opponent, text[5].lower(), text[7].upper())
    if cell.colour not in (("w", "b") if opponent else ("w", "b", "-", " ")):
        raise line.wrong(colour, f"{text[5]!r} is no colour")
    if cell.result not in (columns.TOGETHER if opponent else columns.ALONE):
        with_or_not = "with an opponent" if opponent else "without an opponent"
        raise line.wrong(result, f"{text[7]!r} is no result of a round {with_or_not}")
    return cell
