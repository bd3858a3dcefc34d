"""The prize list: what each team is given, and for which place.

jimei-2018 十三: the first eight, or one less than the teams; shandong-2023 九（一）: one, two and five prizes; ahut
三: eight of each group, and the encouragement prize for the rest; zhongshan 五: gifts and medals of each event, cups
and money of the teams.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from shared.rules.basis import Basis, Text, gather
from shared.rules.errors import PlacesOpen
from shared.rules.formats.awards import awards
from shared.rules.formats.bracket_standings import all_decided, has_brackets
from shared.rules.formats.competition import Competition
from shared.rules.formats.row import Row
from shared.rules.formats.standings import standings
from shared.rules.formats.totals import UnionRow, by_number, totals
from shared.rules.formats.totals import basis as totals_basis
from shared.rules.formats.union import UnionResults
from shared.rules.regulations.guandan import GuandanPreset
from shared.rules.regulations.preset import Preset, Union
from shared.rules.regulations.schema import AnyPreset

ENCOURAGEMENT = Text("参赛鼓励奖", "encouragement prize")
CUP = Text("奖杯牌匾", "cup and plaque")
PRIZE_MONEY = Text("奖金", "prize money")
PARTICIPATION = Text("参与奖", "participation prize")

TEAMS = "teams"
"""The team totals, among the events of a union."""


class Given(Struct, frozen=True, kw_only=True):
    """What a team is given for a place.

    event: of several, `teams` for the team totals, None where there is one; part: the group whose place it is, None
    where there is one ranking; place: None for what goes to no place; to_place: the last of the places that it covers
    when it is shared; money_fen: the exact part; paid_fen: the same in whole fen.
    """

    event: str | None = None
    part: str | None = None
    place: int | None
    to_place: int | None
    team: str
    prizes: tuple[Text, ...]
    money_fen: Fraction = Fraction(0)
    paid_fen: int = 0


def prize_list(preset: AnyPreset, competition: Competition) -> list[Given]:
    """The prizes of a competition, best place first, group by group; teams that share a place in order of id.

    Raises PlacesOpen while a match is open, LotNeeded while a lot must part awarded places, and what `standings` does.
    """
    rows = standings(preset, competition)
    undecided = has_brackets(preset, competition) and not all_decided(preset, competition)
    if undecided or any(row.provisional for row in rows):
        raise PlacesOpen()
    if isinstance(preset, GuandanPreset):
        return list(_of_groups(preset, rows))
    placed = {award.team for award in awards(preset, rows)}
    return [_given(preset, row, rows) for row in rows if row.team in placed]


def union_prizes(preset: Preset, results: UnionResults) -> list[Given]:
    """The prizes of a union's teams, then of each event in the order of the regulation. Raises BadUnion."""
    rows = totals(preset, results)
    assert preset.union is not None, "totals asked for it"
    events = [one for event in preset.union.points.value for one in _of_event(preset, event, results)]
    return [*_of_teams(preset.union, rows), *events]


def basis(preset: AnyPreset) -> tuple[Basis, ...]:
    """The articles that the prizes rest on."""
    if isinstance(preset, GuandanPreset):
        return gather([preset.awards.places_per_group.basis, preset.awards.rest.basis])
    return gather([preset.awards.places.basis, preset.awards.prizes.basis, *totals_basis(preset)])


def _given(preset: Preset, row: Row, rows: list[Row]) -> Given:
    """What a place of the standings brings."""
    assert row.rank is not None, "a disqualified team is awarded nothing"
    return Given(
        part=row.part or None,
        place=row.rank,
        to_place=row.rank + _sharing(row, rows) - 1,
        team=row.team,
        prizes=_by_place(preset, row.rank),
    )


def _sharing(row: Row, rows: list[Row]) -> int:
    """How many teams have this place."""
    return sum(1 for other in rows if (other.part, other.rank) == (row.part, row.rank))


def _by_place(preset: Preset, place: int) -> tuple[Text, ...]:
    return tuple(prize.name for prize in preset.awards.prizes.value if prize.place_from <= place <= prize.place_to)


def _of_groups(preset: GuandanPreset, rows: list[Row]) -> Iterator[Given]:
    """The first of each group, then what the rest of the group gets."""
    for row in rows:
        if row.rank is not None and row.rank <= preset.awards.places_per_group.value:
            last = row.rank + _sharing(row, rows) - 1
            yield Given(part=row.part, place=row.rank, to_place=last, team=row.team, prizes=())
        elif row.rank is not None and preset.awards.rest.value == "encouragement":
            yield Given(part=row.part, place=None, to_place=None, team=row.team, prizes=(ENCOURAGEMENT,))


def _of_teams(terms: Union, rows: list[UnionRow]) -> Iterator[Given]:
    """Cups and money by the teams' places; what is left goes to no place."""
    for row in rows:
        scored = bool(row.all) or terms.pointless.value == "takes_place"
        placed = row.rank is not None and scored
        sharing = sum(1 for other in rows if other.rank == row.rank)
        cup = placed and row.rank is not None and row.rank <= terms.cups_to.value
        money = PARTICIPATION if row.participation else PRIZE_MONEY
        prizes = (CUP,) * cup + (money,) * bool(row.paid_fen)
        if prizes and row.rank is not None:
            yield Given(
                event=TEAMS,
                place=row.rank if placed else None,
                to_place=row.rank + sharing - 1 if placed else None,
                team=row.team,
                prizes=prizes,
                money_fen=row.money_fen,
                paid_fen=row.paid_fen,
            )


def _of_event(preset: Preset, event: str, results: UnionResults) -> Iterator[Given]:
    """Gifts and medals by the places of an event, a line for each pair or player."""
    cancelled = {team.id for team in results.teams if team.cancelled}
    first = 1
    for place in results.placings.get(event, ()):
        sharing = sorted((team for team in place if team not in cancelled), key=by_number)
        prizes = _by_place(preset, first)
        for team in sharing if prizes else ():
            yield Given(event=event, place=first, to_place=first + len(sharing) - 1, team=team, prizes=prizes)
        first += len(sharing)
