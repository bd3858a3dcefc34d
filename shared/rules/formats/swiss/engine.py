"""The next round's pairing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from shared.rules.errors import PairingRefused
from shared.rules.formats.competition import Competition
from shared.rules.formats.draws import shuffle
from shared.rules.formats.history import Field, field_of, open_tables
from shared.rules.formats.swiss.giving_up import given_up
from shared.rules.formats.swiss.matching import cheapest
from shared.rules.formats.swiss.paired import PairedMatch, Pairing
from shared.rules.formats.swiss.sheet import Sheet, sheet_of
from shared.rules.regulations.preset import Preset

Pair = tuple[str, str]


def pair(preset: Preset, competition: Competition, seed: bytes) -> Pairing:
    """The next round's pairing, a function of its inputs alone.

    Withdrawn, disqualified and absent teams are left out. Table 1 has the teams with most points. The lots of round N
    are `draws.shuffle(seed, "round N", teams)`, unless those of round 1 were drawn in the hall. Raises PairingRefused:
    `open_matches` while a match is not over, `no_teams`, `bad_fixed`, `pairing_impossible`.
    """
    task = task_of(preset, competition, seed)
    found = [(one, two) for one, two in cheapest(task.sheet)]
    teams = task.sheet.teams
    pairs = [*task.fixed, *(task.in_lots(teams[one], teams[two]) for one, two in found if two != task.sheet.bye)]
    bye = next((teams[one] for one, two in found if two == task.sheet.bye), None)
    return pairing_of(task, pairs, bye)


class Task(Struct, frozen=True, kw_only=True):
    """A round to be paired: the lot of each that plays (from 0, best first), the organiser's pairs, and the sheet of
    the others."""

    field: Field
    number: int
    lots: dict[str, int]
    fixed: tuple[Pair, ...]
    sheet: Sheet

    def in_lots(self, one: str, two: str) -> Pair:
        """The pair with the better lot first."""
        return (one, two) if self.lots[one] < self.lots[two] else (two, one)


def task_of(preset: Preset, competition: Competition, seed: bytes) -> Task:
    """What there is to pair. Raises PairingRefused `open_matches`, `no_teams`, `bad_fixed`."""
    field = field_of(preset, competition)
    refuse_open(competition)
    number = len(competition.rounds) + 1
    lots = _lots(competition, number, seed)
    fixed = _fixed(competition, lots)
    held = {team for pair in fixed for team in pair}
    return Task(
        field=field,
        number=number,
        lots={team: lot for lot, team in enumerate(lots)},
        fixed=tuple(fixed),
        sheet=sheet_of(field, number, seed, lots, [team for team in lots if team not in held]),
    )


def pairing_of(task: Task, pairs: Sequence[Pair], bye: str | None) -> Pairing:
    """The pairs at their tables, with what they give up of the rules."""
    lost = given_up(task.field, task.sheet, pairs, task.fixed, bye)
    return Pairing(
        round=task.number,
        matches=_tables(task, pairs),
        bye=bye,
        gave_up=tuple(loss.rule for loss in lost),
        why=tuple(loss.why for loss in lost),
        proofs=tuple(loss.proof for loss in lost),
    )


def floats(field: Field, pairs: Iterable[Pair]) -> tuple[int, int]:
    """How far the pairs float: the sum of the differences in points, and of their squares."""
    apart = [abs(field.points[one] - field.points[two]) for one, two in pairs]
    return sum(apart), sum(step * step for step in apart)


def _lots(competition: Competition, number: int, seed: bytes) -> Sequence[str]:
    """Those that play in the order of this round's lots, of which those of round 1 may have been drawn in the hall."""
    playing = _playing(competition)
    drawn = [team for hall in competition.draws.values() for seats in hall.parts.values() for team in seats]
    if number == 1 and drawn:
        late = [team for team in shuffle(seed, "round 1", playing) if team not in drawn]
        return [team for team in [*drawn, *late] if team in set(playing)]
    return shuffle(seed, f"round {number}", playing)


def refuse_open(competition: Competition) -> None:
    """A round is paired from confirmed results only. Raises PairingRefused `open_matches`."""
    tables = open_tables(competition)
    if tables:
        detail = f"a round is paired from finished matches; open are (round/table) {', '.join(tables)}"
        zh = f"须在各场结束后编排；尚未结束的（轮/台）：{'、'.join(tables)}"
        raise PairingRefused("open_matches", detail, zh, tables)


def _playing(competition: Competition) -> list[str]:
    out = {*competition.withdrawn, *competition.disqualified, *competition.absent}
    playing = [team for team in competition.ids if team not in out]
    if not playing:
        raise PairingRefused("no_teams", "no team is left to be paired", "没有可编排的队伍")
    return playing


def _fixed(competition: Competition, lots: Sequence[str]) -> list[Pair]:
    """The organiser's pairs, each in the order of lots. Raises PairingRefused `bad_fixed`."""
    forbidden = {frozenset(pair) for pair in competition.forbidden}
    place = {team: place for place, team in enumerate(lots)}
    taken: set[str] = set()
    for pair in competition.fixed:
        for team in pair:
            if team not in place:
                raise PairingRefused(
                    "bad_fixed",
                    f"{' and '.join(pair)} are fixed, and {team} does not play this round",
                    f"指定 {' 对 '.join(pair)}，而 {team} 本轮不参赛",
                )
            if team in taken:
                raise PairingRefused("bad_fixed", f"{team} stands in two fixed pairs", f"{team} 被指定了两个对手")
            taken.add(team)
        if frozenset(pair) in forbidden:
            raise PairingRefused(
                "bad_fixed",
                f"{' and '.join(pair)} are both fixed and forbidden",
                f"{' 对 '.join(pair)} 既被指定又被禁止",
            )
    return [(one, two) if place[one] < place[two] else (two, one) for one, two in competition.fixed]


def _tables(task: Task, pairs: Sequence[Pair]) -> tuple[PairedMatch, ...]:
    """Most points first, then the lower lot."""
    points = task.field.points

    def standing(pair: Pair) -> tuple[int, int, int]:
        low, high = sorted(points[team] for team in pair)
        return -high, -low, task.lots[pair[0]]

    return tuple(PairedMatch(table, teams) for table, teams in enumerate(sorted(pairs, key=standing), 1))
