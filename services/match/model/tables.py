"""What happens around a table: which devices enter there, who has come, who sits where. It is a stream of its own, so
that none of it changes the version of the match that a correction insists on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from services.match import refusals as refuse
from services.match.model.seated import Seat
from shared.contracts.fact import Fact
from shared.contracts.match import LineUpGiven, PlayerSubstituted, TableClaimed, TableReleased, TeamCheckedIn
from shared.eventsourcing.handling import Model
from shared.rules.formats.articles import articles
from shared.rules.formats.stages import CARDS
from shared.rules.regulations.schema import AnyPreset

Events = Sequence[Fact]
SEATS = (("1", "3"), ("2", "4"))
"""The seats of the team named first, and of the other."""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table for one match: the devices that claim it, the teams that have come, and by team who sits where."""

    claims: tuple[str, ...] = ()
    present: frozenset[str] = frozenset()
    line_ups: Mapping[str, Mapping[str, int]] = {}


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """Who may play for a team, by the number in its entry: in which of its pairs, and whether as a substitute."""

    number: int
    pair: int | None = None
    substitute: bool = False


def evolve(state: Table, event: Any) -> Table:
    """Fold one event of a table's stream."""
    change = msgspec.structs.replace
    match event:
        case TableClaimed():
            return change(state, claims=(*state.claims, event.device))
        case TableReleased():
            return change(state, claims=tuple(device for device in state.claims if device != event.device))
        case TeamCheckedIn():
            return change(state, present=state.present | {event.team})
        case LineUpGiven():
            return change(state, line_ups={**state.line_ups, event.team: event.seats})
        case PlayerSubstituted():
            seats = {**state.line_ups[event.team], str(event.seat): event.came}
            return change(state, line_ups={**state.line_ups, event.team: seats})
    raise TypeError(f"no fold for {type(event).__name__}")


TABLE: Model[Table] = Model(lambda _stream: Table(), evolve)


def claim(state: Table, seat: Seat, device: str, by: str) -> Events:
    """A device takes the table; others that have it keep it, and it is told which. Nothing new where it has it."""
    if device in state.claims:
        return []
    return [
        TableClaimed(
            **_head(seat, by),
            table=seat.seated.table,
            device=device,
            beside=state.claims,
        )
    ]


def release(state: Table, seat: Seat, device: str, by: str) -> Events:
    """A device leaves the table. Raises NotClaimed."""
    if device not in state.claims:
        raise refuse.NotClaimed(match=seat.seated.match, device=device)
    return [
        TableReleased(
            **_head(seat, by),
            table=seat.seated.table,
            device=device,
        )
    ]


def check_in(state: Table, seat: Seat, team: str, now: datetime, by: str) -> Events:
    """A team has come; once more is nothing new. Raises NoSuchTeam."""
    _side(seat, team)
    if team in state.present:
        return []
    return [
        TeamCheckedIn(
            **_head(seat, by),
            team=team,
            checked_in_at=now,
        )
    ]


def line_up(
    state: Table, seat: Seat, team: str, seats: Mapping[str, int], members: Sequence[Member], hands: int, by: str
) -> Events:
    """Who of a team sits where, before the first hand. Raises NoSuchTeam, LineUpInvalid, HandsHaveBegun."""
    own = _seats(seat, team)
    if state.line_ups.get(team) == seats:
        return []
    if hands and team in state.line_ups:
        raise refuse.HandsHaveBegun(match=seat.seated.match, hands=hands)
    known = {member.number for member in members}
    if set(seats) != set(own) or len(set(seats.values())) < len(own) or not set(seats.values()) <= known:
        raise refuse.LineUpInvalid("/seats", seats=", ".join(own), members=_named(members))
    return [
        LineUpGiven(
            **_head(seat, by),
            team=team,
            seats=dict(seats),
        )
    ]


class Substitution(msgspec.Struct, frozen=True, kw_only=True):
    """From a hand on another member plays at a seat, and why."""

    team: str
    seat: int
    member: int
    hand: int
    reason: str


def substitute(
    state: Table, preset: AnyPreset, seat: Seat, asked: Substitution, members: Sequence[Member], by: str
) -> Events:
    """Another member of the entry comes in. Who is not on the form comes by the chief referee's consent, at the entry
    desk. Raises NoSuchTeam, NoLineUp, LineUpInvalid, NobodyToComeIn where the entry has no more players than seats."""
    own = _seats(seat, asked.team)
    seated = state.line_ups.get(asked.team)
    if seated is None:
        raise refuse.NoLineUp(match=seat.seated.match, team=asked.team)
    if len(members) <= len(own):
        raise refuse.NobodyToComeIn(articles(preset).players, team=asked.team)
    known = {member.number for member in members}
    if str(asked.seat) not in own or asked.member not in known or asked.member in seated.values():
        raise refuse.LineUpInvalid("/member", seats=", ".join(own), members=_named(members))
    return [
        PlayerSubstituted(
            **_head(seat, by),
            team=asked.team,
            seat=asked.seat,
            left=seated[str(asked.seat)],
            came=asked.member,
            hand=asked.hand,
            reason=asked.reason,
            article=articles(preset).players,
        )
    ]


def _head(seat: Seat, by: str) -> dict[str, Any]:
    """What every event at a table says."""
    return {
        "regulation": seat.regulation,
        "by": by,
        "competition": seat.competition,
        "match": seat.seated.match,
        "round": seat.round,
    }


def _seats(seat: Seat, team: str) -> tuple[str, ...]:
    """Where a team sits: a pair at two seats, a player at a board at the first of them."""
    both = SEATS[_side(seat, team)]
    return both if seat.event == CARDS else both[:1]


def _side(seat: Seat, team: str) -> int:
    if team not in seat.seated.teams:
        raise refuse.NoSuchTeam(competition=seat.competition, team=team)
    return seat.seated.teams.index(team)


def _named(members: Sequence[Member]) -> str:
    return ", ".join(str(member.number) for member in members) or "-"
