"""A competition as a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from shared.rules.basis import Text
from shared.rules.errors import RuleError
from shared.rules.formats.competition import Competition, PlayedMatch, Round, Team
from shared.rules.formats.standings import standings
from shared.rules.formats.trf import columns
from shared.rules.regulations.preset import MatchPoints, Preset

LINE_END = "\r\n"
"""The format asks for a carriage return."""

Cells = Mapping[str, str]
"""The ten columns of a round, by team; a team that took no part has none."""


def written(preset: Preset, competition: Competition) -> tuple[str, list[Text]]:
    """The report of a competition, and what it could not carry.

    Raises RuleError `bad_value` for a result that is no win, draw or loss of the regulation, and for more teams than
    the format has numbers for.
    """
    if len(competition.teams) > columns.MOST_PLAYERS:
        raise RuleError(
            f"the format has room for {columns.MOST_PLAYERS} teams, there are {len(competition.teams)}",
            f"该格式最多容纳 {columns.MOST_PLAYERS} 队，现有 {len(competition.teams)} 队",
            field="teams",
        )
    numbers = {team: number for number, team in enumerate(competition.ids, 1)}
    rounds = [_round(preset.match.points, round_, numbers) for round_ in competition.rounds]
    ranks = {row.team: row.rank for row in standings(preset, competition)}
    lines = [
        *_head(preset, competition),
        *(_player(team, numbers[team.id], ranks[team.id], rounds) for team in competition.teams),
        *_next_round(competition, numbers),
    ]
    return "".join(line.rstrip() + LINE_END for line in lines), list(_lost(preset.match.points, competition, numbers))


def _head(preset: Preset, competition: Competition) -> Iterator[str]:
    if competition.name:
        yield f"{columns.NAME} {_one_line(competition.name)}"
    yield f"{columns.COUNT} {len(competition.teams)}"
    yield f"{columns.TYPE} Swiss ({competition.regulation or preset.name})"
    bands = preset.match.rounds.value or ()
    planned = next((band.rounds for band in bands if band.up_to is None or len(competition.teams) <= band.up_to), 0)
    yield f"{columns.ROUNDS} {max(planned, len(competition.rounds))}"


def _player(team: Team, number: int, rank: int | None, rounds: list[Cells]) -> str:
    fields = {
        (1, 3): columns.PLAYER,
        columns.STARTING_NUMBER: f"{number:>4}",
        columns.PLAYER_NAME: _name(team, number),
        columns.FEDERATION: team.unit if _fits(team.unit, columns.FEDERATION) else "",
        columns.POINTS: f"{_score(team.id, rounds):>4}",
        columns.RANK: f"{rank or '':>4}",
    }
    line = ""
    for (first, last), text in fields.items():
        line = line.ljust(first - 1) + text[: last - first + 1]
    return line.ljust(columns.FIRST_ROUND - 3) + "".join(cells.get(team.id, " " * 10) for cells in rounds)


def _name(team: Team, number: int) -> str:
    if team.id == str(number):
        return _one_line(team.name)
    return f"[{team.id}] {_one_line(team.name)}".rstrip()


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _fits(text: str, field: tuple[int, int]) -> bool:
    return len(text) <= field[1] - field[0] + 1 and text == text.strip() and text.isprintable()


def _score(team: str, rounds: list[Cells]) -> str:
    return columns.score(sum(columns.HALVES[cells[team][-1]] for cells in rounds if team in cells))


def _round(points: MatchPoints, round_: Round, numbers: Mapping[str, int]) -> Cells:
    cells = {team: _cell(columns.NOBODY, "-", "U") for team in round_.byes}
    cells |= {team: _cell(columns.NOBODY, "-", "H") for team in round_.half_byes}
    cells |= {team: _cell(columns.NOBODY, "-", "Z") for team in round_.absent}
    for index, match in enumerate(round_.matches):
        if match.status == "cancelled":
            continue
        place = f"rounds[{round_.number - 1}].matches[{index}]"
        for side, colour in enumerate("wb"):
            opponent = numbers[match.teams[1 - side]]
            cells[match.teams[side]] = _cell(f"{opponent:>4}", colour, _result(points, match, side, place))
    return cells


def _cell(opponent: str, colour: str, result: str) -> str:
    return f"  {opponent} {colour} {result}"


def _result(points: MatchPoints, match: PlayedMatch, side: int, place: str) -> str:
    if match.status == "unfinished" or match.points is None:
        return " "
    won, drawn, lost = "WDL" if _awarded_draw(points, match) else "+ -" if match.status == "forfeit" else "1=0"
    codes = {points.win.value: won, points.draw.value: drawn, points.loss.value: lost}
    own = match.points[side]
    if own not in codes:
        raise RuleError(
            f"{place}.points: {own} is no result that the format has a code for",
            f"{place}.points：{own} 分不是胜、平或负，该格式没有对应的代码",
            field=f"{place}.points",
        )
    return codes[own]


def _awarded_draw(points: MatchPoints, match: PlayedMatch) -> bool:
    """A forfeit in which a side has the points of a draw, for which the format has no code."""
    return match.status == "forfeit" and match.points is not None and points.draw.value in match.points


def _next_round(competition: Competition, numbers: Mapping[str, int]) -> Iterator[str]:
    away = {*competition.absent, *competition.withdrawn, *competition.disqualified}
    if away:
        yield f"{columns.AWAY} {' '.join(str(numbers[team]) for team in competition.ids if team in away)}"
    for one, two in competition.forbidden:
        yield f"{columns.APART} {numbers[one]} {numbers[two]}"


def _lost(points: MatchPoints, competition: Competition, numbers: Mapping[str, int]) -> Iterator[Text]:
    """What a reader of the report would not find again, each said once."""
    matches = [match for round_ in competition.rounds for match in round_.matches]
    awarded = any(_awarded_draw(points, match) for match in matches)
    long = ", ".join(t.id for t in competition.teams if not _fits(_name(t, numbers[t.id]), columns.PLAYER_NAME))
    odd = ", ".join(team.id for team in competition.teams if _written_otherwise(team, numbers[team.id]))
    last = competition.rounds[-1] if competition.rounds else None
    lost = (
        ("台号", "table numbers", matches),
        ("级数", "levels", any(match.levels for match in matches)),
        ("犯规", "fouls", any(match.fouls for match in matches)),
        ("判和的弃权（写作不计等级分的平局）", "forfeits that were draws (written as played, unrated)", awarded),
        ("取消的场次", "cancelled matches", any(match.status == "cancelled" for match in matches)),
        ("没有比赛的最后一轮", "a last round without matches", last and not last.matches and not last.byes),
        (f"过长的队名：{long}", f"the whole names of {long}", long),
        (f"代号或队名的写法：{odd}", f"how {odd} are written", odd),
        ("单位", "units", any(not _fits(team.unit, columns.FEDERATION) for team in competition.teams)),
        ("队的种子", "seeds of teams", any(team.seed for team in competition.teams)),
        ("抽签的种子", "the seed of the draw", competition.seed),
        ("已抽的签", "lots", competition.lots),
        ("在赛场抽的签位", "draws made in the hall", competition.draws),
        ("指定的对阵及其指令", "fixed pairs and orders", competition.fixed or competition.orders),
        ("退赛（写作下一轮缺席）", "who withdrew (written as absent next)", competition.withdrawn),
        ("取消资格（写作下一轮缺席）", "who was disqualified (written as absent next)", competition.disqualified),
    )
    return (Text(zh, en) for zh, en, is_lost in lost if is_lost)


def _written_otherwise(team: Team, number: int) -> bool:
    """Whether the id cannot stand in brackets, or the name is not written as it is or would be taken for an id."""
    if _one_line(team.name) != team.name or _one_line(team.id) != team.id:
        return True
    found = columns.TAGGED.fullmatch(_name(team, number))
    return (found is not None) == (team.id == str(number)) or (found is not None and found["id"] != team.id)
