"""团体总分, the totals of union teams over several events, and the money they bring (zhongshan-2013 五).

A place gives points to each pair or player; a shared place gives each an equal part of the points of the places it
covers. Equal totals are parted by more first places, then seconds, and so on through all recorded places, a shared
place counting as the best that it covers; teams that are still equal share their place, and its money.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from msgspec import Struct

from shared.rules.basis import Basis, gather
from shared.rules.errors import BadUnion
from shared.rules.formats.exact import exact
from shared.rules.formats.union import UnionResults, UnionTeam, check
from shared.rules.regulations.preset import Preset, Union

FEN = 100
"""In a yuan."""


class UnionRow(Struct, frozen=True, kw_only=True):
    """One team's line.

    rank: shared ranks leave the next ones out, None for a team whose results are cancelled, which stands last; points:
    by event, in the order of the regulation; firsts: its first places; money_fen: its exact part; paid_fen: the part in
    whole fen; participation: the money is the 参与奖, not a place's; decided_by: `points`, `firsts`, `seconds` and so
    on, what parts the team from the one above, None for the first; `shared` for every team but the first of those that
    share a rank.
    """

    rank: int | None
    team: str
    points: Mapping[str, Fraction]
    all: Fraction
    firsts: int
    money_fen: Fraction
    paid_fen: int
    participation: bool
    decided_by: str | None


def totals(preset: Preset, results: UnionResults) -> list[UnionRow]:
    """The totals, best first; teams that share a rank stand in order of number.

    Raises BadUnion for results that contradict themselves, name an event that the regulation does not have, or are of
    a regulation without team totals.
    """
    terms = _terms(preset, results)
    scores = {team.id: _Score(team, {}, Counter()) for team in results.teams if not team.cancelled}
    for event, awarded in terms.points.value.items():
        _score_event(event, awarded, results.placings.get(event, ()), scores)
    rows: list[UnionRow] = []
    above: _Score | None = None
    for block in _blocks(terms, scores.values()):
        by = None if above is None else _parting(terms, above, block[0])
        rows += _rows(terms, block, len(rows) + 1, by)
        above = block[-1]
    cancelled = sorted((team.id for team in results.teams if team.cancelled), key=by_number)
    return rows + [_cancelled(terms, team) for team in cancelled]


def told(row: UnionRow) -> dict[str, Any]:
    """A line as RECORDS has it: exact points, and the money in yuan, an integer or a fraction."""
    return {
        "rank": row.rank,
        "team": row.team,
        "points": {**{event: exact(points) for event, points in row.points.items()}, "all": exact(row.all)},
        "firsts": row.firsts,
        "money_yuan": exact(row.money_fen / FEN),
        "decided_by": row.decided_by,
    }


def basis(preset: Preset) -> tuple[Basis, ...]:
    """The articles that totals and money rest on; none in a regulation without team totals."""
    terms = preset.union
    if terms is None:
        return ()
    money = (terms.money_fen, terms.participation_fen, terms.shared_money, terms.pointless)
    return gather([terms.points.basis, terms.ties.basis, *(rule.basis for rule in money), terms.cancelled.basis])


def by_number(team: str) -> tuple[list[int | str], str]:
    """The key of the order of number: U2 stands before U10."""
    return [int(part) if place % 2 else part for place, part in enumerate(re.split(r"([0-9]+)", team))], team


def place_name(place: int) -> str:
    """How `decided_by` calls the number of a place that a team has: firsts, seconds, thirteenths, twenty_firsts."""
    if place < len(_ONES):
        return f"{_ONES[place]}s"
    tens, ones = divmod(place, 10)
    if tens >= len(_TENS):
        return f"{place}ths"
    return f"{_TENS[tens]}_{_ONES[ones]}s" if ones else f"{_TENS[tens].removesuffix('y')}ieths"


_ONES = (
    *("zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    *("tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth"),
    *("eighteenth", "nineteenth"),
)
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


class _Score(Struct, frozen=True):
    """A team, its points by event, and how many of each place it has."""

    team: UnionTeam
    points: dict[str, Fraction]
    places: Counter[int]

    @property
    def all(self) -> Fraction:
        return sum(self.points.values(), Fraction(0))


def _terms(preset: Preset, results: UnionResults) -> Union:
    check(results)
    if preset.union is None:
        raise BadUnion("regulation", f"{preset.name} has no team totals")
    for event in results.placings:
        if event not in preset.union.points.value:
            raise BadUnion(f"placings.{event}", f"is no event of {preset.name}")
    return preset.union


def _score_event(
    event: str, awarded: Sequence[int], places: Iterable[Sequence[str]], scores: Mapping[str, _Score]
) -> None:
    """Give the points and places of one event to its teams; those below a cancelled team move up."""
    for score in scores.values():
        score.points[event] = Fraction(0)
    first = 1
    for place in places:
        sharing = [team for team in place if team in scores]
        covered = awarded[first - 1 : first - 1 + len(sharing)]
        for team in sharing:
            scores[team].points[event] += Fraction(sum(covered), len(sharing))
            scores[team].places[first] += 1
        first += len(sharing)


def _counted(terms: Union) -> bool:
    return "more_better_places" in terms.ties.value


def _order(terms: Union, last: int) -> Callable[[_Score], tuple[Fraction | int, ...]]:
    """The key by which teams are sorted and compared, better ones lower; last: the last place that anyone has.

    Of the places a team's own alone are listed, each with how often, as -count: who has the better place first, or the
    same more often, is the better one, and who has no more is behind `last`.
    """
    if not _counted(terms):
        return lambda score: (-score.all,)
    return lambda score: (
        -score.all,
        *(figure for place in sorted(score.places) for figure in (place, -score.places[place])),
        last + 1,
    )


def _blocks(terms: Union, scores: Iterable[_Score]) -> Iterator[list[_Score]]:
    """The teams in blocks that share a place, best first, each in order of number."""
    all_ = list(scores)
    order = _order(terms, max((place for score in all_ for place in score.places), default=0))
    ranked = sorted(all_, key=lambda score: (order(score), by_number(score.team.id)))
    return (list(block) for _, block in groupby(ranked, key=order))


def _parting(terms: Union, above: _Score, below: _Score) -> str:
    if above.all != below.all:
        return "points"
    assert _counted(terms), "equal totals are parted by places alone"
    return place_name(min(place for place in above.places | below.places if above.places[place] != below.places[place]))


def _rows(terms: Union, block: Sequence[_Score], rank: int, by: str | None) -> list[UnionRow]:
    """The lines of a block that takes the places from `rank` on."""
    pot = _pot(terms, block, rank)
    part, rest = divmod(pot, len(block))
    rows = []
    for index, score in enumerate(block):
        exact, entitled = Fraction(pot, len(block)), _entitled(terms, score.team)
        rows.append(
            UnionRow(
                rank=rank,
                team=score.team.id,
                points=score.points,
                all=score.all,
                firsts=score.places[1],
                money_fen=max(exact, Fraction(entitled)),
                paid_fen=max(part + (index < rest), entitled),
                participation=entitled > exact,
                decided_by=by if index == 0 else "shared",
            )
        )
    return rows


def _pot(terms: Union, block: Sequence[_Score], rank: int) -> int:
    """The prize money, in fen, of the places that the block covers."""
    if not block[0].all and terms.pointless.value == "no_money_place":
        return 0
    return sum(terms.money_fen.value[rank - 1 : rank - 1 + len(block)])


def _entitled(terms: Union, team: UnionTeam) -> int:
    """The fen of the 参与奖 that the team is entitled to; a team that wins more has the prize in its stead."""
    return terms.participation_fen.value if team.entered_in_full and team.played_everything else 0


def _cancelled(terms: Union, team: str) -> UnionRow:
    nothing = Fraction(0)
    return UnionRow(
        rank=None,
        team=team,
        points=dict.fromkeys(terms.points.value, nothing),
        all=nothing,
        firsts=0,
        money_fen=nothing,
        paid_fen=0,
        participation=False,
        decided_by=None,
    )
