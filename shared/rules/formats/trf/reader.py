"""A report as a competition."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from shared.rules.basis import Text
from shared.rules.formats.competition import Competition, PlayedMatch, Round, Status, Team
from shared.rules.formats.trf import columns
from shared.rules.formats.trf.lines import Cell, Line, Player, lines_of, numbers_of, players_of
from shared.rules.regulations.preset import MatchPoints, Preset

Cells = Mapping[int, Cell]
"""One round, by starting number."""


def read(preset: Preset, text: str) -> tuple[Competition, list[Text]]:
    """The competition of a report under this regulation, and what it has no place for.

    Teams stand in the order of their lines, a round's tables in the order of the lines of their white sides. A last
    round that has neither match nor bye tells who will be absent next. Raises BadReport naming line and column.
    """
    lines = lines_of(text)
    players = players_of(lines)
    ids = _ids(players)
    rounds = [
        {player.number: player.cells[number] for player in players if len(player.cells) > number}
        for number in range(max(len(player.cells) for player in players))
    ]
    away = [ids[number] for numbers in numbers_of(lines, columns.AWAY, ids) for number in numbers]
    if rounds and not any(cell.opponent or columns.ALONE[cell.result] == "bye" for cell in rounds[-1].values()):
        away += [ids[number] for number, cell in rounds.pop().items() if columns.ALONE[cell.result] != "none"]
    competition = Competition(
        teams=tuple(_team(player, ids[player.number]) for player in players),
        rounds=tuple(_round(preset.match.points, number, cells, ids) for number, cells in enumerate(rounds, 1)),
        absent=tuple(dict.fromkeys(away)),
        forbidden=tuple(
            (ids[one], ids[two])
            for numbers in numbers_of(lines, columns.APART, ids)
            for one, two in combinations(dict.fromkeys(numbers), 2)
        ),
        regulation=preset.name,
        name=next((line.text[4:].strip() for line in lines if line.code == columns.NAME), ""),
    )
    return competition, list(_lost(lines, players))


def regulation_of(text: str) -> str | None:
    """The regulation that a report names as ours do, in brackets after the type; None where it names none."""
    found = re.search(rf"^{columns.TYPE} .*\((?P<name>[^()]+)\)\s*$", text.replace("\r", "\n"), re.MULTILINE)
    return found["name"] if found else None


def _ids(players: Sequence[Player]) -> dict[int, str]:
    """The teams' ids by starting number: as the name has it in brackets, else the number."""
    ids: dict[int, str] = {}
    taken: set[str] = set()
    for player in players:
        tagged = columns.TAGGED.fullmatch(player.name)
        id_ = tagged["id"] if tagged else str(player.number)
        if player.number in ids:
            raise player.line.wrong(columns.STARTING_NUMBER[0], f"{player.number} is given twice")
        if id_ in taken:
            raise player.line.wrong(columns.PLAYER_NAME[0], f"{id_!r} is given twice")
        ids[player.number] = id_
        taken.add(id_)
    return ids


def _team(player: Player, id_: str) -> Team:
    tagged = columns.TAGGED.fullmatch(player.name)
    return Team(id=id_, name=(tagged["name"] or "") if tagged else player.name, unit=player.federation)


def _round(points: MatchPoints, number: int, cells: Cells, ids: Mapping[int, str]) -> Round:
    matches: list[PlayedMatch] = []
    for own, cell in cells.items():
        if cell.opponent:
            other = _other(own, cell, cells)
            if cell.colour == "w":
                matches.append(_match(points, len(matches) + 1, (ids[own], ids[cell.opponent]), cell, other))
    alone = {ids[own]: columns.ALONE[cell.result] for own, cell in cells.items() if not cell.opponent}
    byes, half_byes, absent = (
        tuple(team for team, kind in alone.items() if kind == wanted) for wanted in ("bye", "half_bye", "absent")
    )
    return Round(number=number, matches=tuple(matches), byes=byes, half_byes=half_byes, absent=absent)


def _other(own: int, cell: Cell, cells: Cells) -> Cell:
    """The match as the opponent's line has it. Raises BadReport where the two contradict each other."""
    other = cells.get(cell.opponent)
    if cell.opponent == own:
        raise cell.wrong(f"{own} meets itself")
    if other is None or other.opponent != own:
        raise cell.wrong(f"{cell.opponent} has no match with {own} in round {cell.round}")
    if {cell.colour, other.colour} != {"w", "b"}:
        raise cell.wrong(f"both {own} and {cell.opponent} have the colour {cell.colour}", 1)
    if _status(cell) != _status(other):
        raise cell.wrong(f"{cell.result!r} and the opponent's {other.result!r} are no result together", 2)
    return other


def _status(cell: Cell) -> Status:
    return "forfeit" if cell.result in "+-" else "unfinished" if cell.result == " " else "played"


def _match(points: MatchPoints, table: int, teams: tuple[str, str], white: Cell, black: Cell) -> PlayedMatch:
    status = _status(white)
    if status == "unfinished":
        return PlayedMatch(table=table, teams=teams, status=status)
    by_halves = {2: points.win.value, 1: points.draw.value, 0: points.loss.value}
    given = (by_halves[columns.HALVES[white.result]], by_halves[columns.HALVES[black.result]])
    return PlayedMatch(table=table, teams=teams, points=given, status=status)


_UNDERSTOOD = {
    *(columns.PLAYER, columns.NAME, columns.COUNT, columns.TYPE),
    *(columns.ROUNDS, columns.AWAY, columns.APART, columns.COMMENT),
}
_UNKNOWN_FIELDS = (
    (Text("性别、称号", "sexes and titles"), (10, 13)),
    (Text("等级分", "ratings"), (49, 52)),
    (Text("FIDE 编号", "FIDE numbers"), (58, 68)),
    (Text("出生日期", "dates of birth"), (70, 79)),
)


def _lost(lines: Sequence[Line], players: Sequence[Player]) -> Iterator[Text]:
    """What the competition has no place for, each said once, and points that the rounds do not give."""
    for code in sorted({line.code for line in lines} - _UNDERSTOOD):
        yield Text(f"代码为 {code} 的行", f"lines {code}")
    for said, place in _UNKNOWN_FIELDS:
        if any(player.line.field(place).strip("0 ") for player in players):
            yield said
    for player in players:
        if player.points is not None and player.points != player.halves:
            number, column = player.line.number, columns.POINTS[0]
            own, given = columns.score(player.points), columns.score(player.halves)
            yield Text(
                f"第 {number} 行第 {column} 列的积分 {own}（各轮之和为 {given}）",
                f"the points {own} at line {number}, column {column} (the rounds give {given})",
            )
