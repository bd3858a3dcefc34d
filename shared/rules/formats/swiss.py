"""Swiss pairing (jimei-2018 十.1, 瑞士制电脑积分编排法).

Of all ways to pair the teams that play, the best is taken by these costs, the first that differs deciding:

1. forbidden pairs: never; fixed pairs are made first
2. meetings repeated: a pair costs the number of times it met              (no_rematch)
3. second byes: a team that had a bye costs one for another                (one_bye)
4. the points of the team with the bye, so that it goes to the lowest group that can take it
5. the sum of the differences in points within the pairs, so that teams of the same points meet and least float
6. the sum of the squares of these differences, so that two short floats are better than a long one
7. round 1: the squared distance of the pair's lots, so that lot 1 meets 2, 3 meets 4, and the last lot has the bye
8. a lot for every pair, drawn from the seed, so that one pairing is the best and anyone finds the same

One maximum-weight matching over exact integers finds it, so a rule that the answer gives up is one that no pairing
keeps: costs 2 and 3 outweigh whatever comes after them. That repeating a meeting is worse than a second bye, and costs
6 to 8, are our choice where the text is silent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import rustworkx
from msgspec import Struct

from shared.rules.basis import Text
from shared.rules.errors import PairingRefused
from shared.rules.formats.competition import Competition
from shared.rules.formats.draws import key, shuffle
from shared.rules.formats.history import Field, field_of, open_tables
from shared.rules.regulations.preset import Preset

Rule = Literal["no_rematch", "one_bye"]
BYE = ""
"""Stands for the missing opponent."""

_LOT_BYTES = 5
_MOST_BITS = 120
"""The matching adds and doubles weights in 128 bits."""


class PairedMatch(Struct, frozen=True):
    """A match to be played; the first team sits as pair 13."""

    table: int
    teams: tuple[str, str]


class Pairing(Struct, frozen=True, kw_only=True):
    """A round to be played. gave_up: the rules that no pairing keeps; why: for each of them in the same order."""

    round: int
    matches: tuple[PairedMatch, ...]
    bye: str | None
    gave_up: tuple[Rule, ...]
    why: tuple[Text, ...]


def pair(preset: Preset, competition: Competition, seed: bytes) -> Pairing:
    """The next round's pairing, a function of its inputs alone.

    Withdrawn, disqualified and absent teams are left out. Table 1 has the teams with most points. The lots of round N
    are `draws.shuffle(seed, "round N", teams)`. Raises PairingRefused: `open_matches` while a match is not over,
    `no_teams`, `bad_fixed`, `pairing_impossible`.
    """
    field = field_of(preset, competition)
    _refuse_open(competition)
    number = len(competition.rounds) + 1
    lots = shuffle(seed, f"round {number}", _playing(competition))
    fixed = _fixed(competition, lots)
    free = [team for team in lots if team not in {team for pair in fixed for team in pair}]
    pairs, bye = _best(_Costs(field, number, seed, lots), free, competition.forbidden)
    pairs = [*fixed, *pairs]
    given_up = _given_up(preset, field, pairs, fixed, bye)
    return Pairing(
        round=number,
        matches=_tables(field, pairs, lots),
        bye=bye,
        gave_up=tuple(given_up),
        why=tuple(given_up.values()),
    )


def floats(field: Field, pairs: Iterable[tuple[str, str]]) -> tuple[int, int]:
    """How far the pairs float: the sum of the differences in points, and of their squares."""
    apart = [abs(field.points[one] - field.points[two]) for one, two in pairs]
    return sum(apart), sum(step * step for step in apart)


def _refuse_open(competition: Competition) -> None:
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


def _fixed(competition: Competition, lots: Sequence[str]) -> list[tuple[str, str]]:
    """The organiser's pairs, each in the order of lots. Raises PairingRefused `bad_fixed`."""
    forbidden = {frozenset(pair) for pair in competition.forbidden}
    taken: set[str] = set()
    for pair in competition.fixed:
        for team in pair:
            if team not in lots:
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
    return [(one, two) if lots.index(one) < lots.index(two) else (two, one) for one, two in competition.fixed]


class _Costs:
    """The costs 2 to 8 of a pair as one integer, in which an earlier cost outweighs all the later ones."""

    def __init__(self, field: Field, number: int, seed: bytes, lots: Sequence[str]):
        self._field, self._number, self._seed = field, number, seed
        self._place = {team: place for place, team in enumerate([*lots, BYE])}
        self._met = {team: _meetings(field, team) for team in lots}
        self._by_lots = number == 1 and field.preset.draws.first_round.value == "lot"
        self._bases = self._room(len(lots) // 2 + 1)

    def of(self, one: str, two: str) -> int:
        """The cost of a pair as one integer; two may be BYE."""
        total = 0
        for cost, base in zip(self._list(one, two), self._bases, strict=True):
            total = total * base + cost
        return total

    def _list(self, one: str, two: str) -> tuple[int, ...]:
        field, draws = self._field, self._field.preset.draws
        apart = abs(field.points[one] - field.points[two]) if two != BYE else 0
        distance = self._place[one] - self._place[two] if self._by_lots else 0
        return (
            self._met[one][two] if two != BYE and draws.no_rematch.value else 0,
            _byes(field, one) if two == BYE and draws.one_bye.value else 0,
            field.points[one] if two == BYE else 0,
            apart,
            apart * apart,
            distance * distance,
            self._lot(one, two),
        )

    def _lot(self, one: str, two: str) -> int:
        pair = "\n".join(sorted([one, two]))
        return int.from_bytes(key(self._seed, f"pairs of round {self._number}", pair)[:_LOT_BYTES], "big")

    def _room(self, pairs: int) -> tuple[int, ...]:
        """For each cost, one more than the most that it can sum to."""
        field, most = self._field, self._field.highest
        rounds = field.rounds
        widest = (len(self._place) - 1) ** 2 if self._by_lots else 0
        sums = (pairs * rounds, rounds, most, pairs * most, pairs * most * most, pairs * widest)
        return (*(room + 1 for room in sums), (pairs << 8 * _LOT_BYTES) + 1)


def _meetings(field: Field, team: str) -> Counter[str]:
    return Counter(outcome.opponent for outcome in field.outcomes[team] if outcome.met and outcome.opponent)


def _byes(field: Field, team: str) -> int:
    return sum(1 for outcome in field.outcomes[team] if outcome.kind == "bye")


def _best(
    costs: _Costs, free: Sequence[str], forbidden: Iterable[tuple[str, str]]
) -> tuple[list[tuple[str, str]], str | None]:
    """The cheapest way to pair the free teams, given in the order of lots, and the team with the bye.

    Raises PairingRefused `pairing_impossible` when every way has a forbidden pair.
    """
    nodes = [*free, BYE] if len(free) % 2 else list(free)
    banned = {frozenset(pair) for pair in forbidden}
    edges = [
        (i, j, -costs.of(one, two))
        for i, one in enumerate(nodes)
        for j, two in enumerate(nodes[i + 1 :], i + 1)
        if frozenset((one, two)) not in banned
    ]
    assert all(-weight >> _MOST_BITS == 0 for *_, weight in edges), "too many teams for exact weights"
    graph: rustworkx.PyGraph[str, int] = rustworkx.PyGraph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(edges)
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=lambda weight: weight)
    if 2 * len(matched) != len(nodes):
        raise PairingRefused(
            "pairing_impossible",
            f"every pairing of these {len(free)} teams has a forbidden pair",
            f"这 {len(free)} 队无论怎样编排都有被禁止的对阵",
        )
    pairs = sorted((min(i, j), max(i, j)) for i, j in matched)
    bye = next((nodes[i] for i, j in pairs if nodes[j] == BYE), None)
    return [(nodes[i], nodes[j]) for i, j in pairs if nodes[j] != BYE], bye


def _tables(field: Field, pairs: Sequence[tuple[str, str]], lots: Sequence[str]) -> tuple[PairedMatch, ...]:
    """Most points first, then the lower lot."""
    place = {team: index for index, team in enumerate(lots)}

    def standing(pair: tuple[str, str]) -> tuple[int, int, int]:
        points = sorted(field.points[team] for team in pair)
        return -points[1], -points[0], place[pair[0]]

    return tuple(PairedMatch(table, teams) for table, teams in enumerate(sorted(pairs, key=standing), 1))


def _given_up(
    preset: Preset, field: Field, pairs: Sequence[tuple[str, str]], fixed: Sequence[tuple[str, str]], bye: str | None
) -> Mapping[Rule, Text]:
    """The rules that the pairing breaks, with the reason."""
    given_up: dict[Rule, Text] = {}
    again = [pair for pair in pairs if _meetings(field, pair[0])[pair[1]]]
    if again and preset.draws.no_rematch.value:
        given_up["no_rematch"] = _why_again(again, fixed)
    if bye is not None and _byes(field, bye) and preset.draws.one_bye.value:
        given_up["one_bye"] = Text(
            f"{bye} 再次轮空：不重复相遇次数更少的编排中，轮空者都已轮空过",
            f"{bye} has another bye: every pairing with no more repeated meetings gives one to a team that had one",
        )
    return given_up


def _why_again(again: Sequence[tuple[str, str]], fixed: Sequence[tuple[str, str]]) -> Text:
    ordered = [pair for pair in again if pair in fixed]
    forced = [pair for pair in again if pair not in fixed]
    zh, en = [], []
    if ordered:
        names = ", ".join("-".join(pair) for pair in ordered)
        zh.append(f"{names} 由组织者指定")
        en.append(f"{names} fixed by the organiser")
    if forced:
        names = ", ".join("-".join(pair) for pair in forced)
        zh.append(f"{names} 再次相遇：参赛各队的任何编排都至少有 {len(forced)} 场重复")
        en.append(f"{names} meet again: any pairing of the teams that play repeats at least {len(forced)}")
    return Text("；".join(zh), "; ".join(en))
