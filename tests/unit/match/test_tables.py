"""Around a table: devices that claim it softly, teams that come, who sits where and who comes in (九; zhongshan 六)."""

from __future__ import annotations

from typing import Any

import pytest

from services.match import refusals
from services.match.model import tables
from services.match.model.rounds import seat_of
from services.match.model.tables import Member, Substitution, Table
from shared.contracts.match import LineUpGiven, PlayerSubstituted
from tests.unit.match.hall import PLAY, Hall

FOUR = [Member(number=n) for n in (1, 2)] + [Member(number=n, substitute=True) for n in (3, 4)]
"""A leader is member 0; two players and two substitutes."""


class Place:
    """Table 1 of round 1."""

    def __init__(self) -> None:
        self.hall = Hall().paired()
        self.seat = seat_of(self.hall.state, "r1t1")
        self.team, self.other = self.seat.seated.teams
        self.state = Table()

    def take(self, events: Any) -> Any:
        for event in events:
            self.state = tables.evolve(self.state, event)
        return list(events)

    def claim(self, device: str) -> Any:
        return self.take(tables.claim(self.state, self.seat, device, "li"))

    def line_up(self, seats: dict[str, int], members: Any = FOUR, hands: int = 0, team: str = "") -> Any:
        team = team or self.team
        return self.take(tables.line_up(self.state, self.seat, team, seats, members, hands, "ref"))

    def substitute(self, seat: int, member: int, members: Any = FOUR) -> Any:
        asked = Substitution(team=self.team, seat=seat, member=member, hand=3, reason="身体不适")
        return self.take(tables.substitute(self.state, self.hall.preset, self.seat, asked, members, "ref"))


def test_a_second_device_is_told_of_the_first_and_is_not_locked_out() -> None:
    place = Place()
    assert [event.beside for event in (*place.claim("phone 1"), *place.claim("phone 2"))] == [(), ("phone 1",)]
    assert place.claim("phone 1") == [], "it has the table already"
    assert place.state.claims == ("phone 1", "phone 2")


def test_a_device_leaves_what_it_has_claimed() -> None:
    place = Place()
    place.claim("phone 1")
    place.take(tables.release(place.state, place.seat, "phone 1", "li"))
    assert place.state.claims == ()
    with pytest.raises(refusals.NotClaimed):
        tables.release(place.state, place.seat, "phone 1", "li")


def test_a_team_comes_once_by_the_servers_clock() -> None:
    place = Place()
    (event,) = place.take(tables.check_in(place.state, place.seat, place.team, PLAY, "ref"))
    assert (event.team, event.checked_in_at) == (place.team, PLAY)
    assert tables.check_in(place.state, place.seat, place.team, PLAY, "ref") == []
    with pytest.raises(refusals.NoSuchTeam):
        tables.check_in(place.state, place.seat, "Z", PLAY, "ref")


def test_two_members_of_the_entry_sit_at_the_seats_of_their_side() -> None:
    place = Place()
    assert [type(event) for event in place.line_up({"1": 1, "3": 3})] == [LineUpGiven]
    assert [type(event) for event in place.line_up({"2": 2, "4": 1}, team=place.other)] == [LineUpGiven]
    assert place.line_up({"1": 1, "3": 3}) == []
    place.line_up({"1": 2, "3": 3})
    assert place.state.line_ups[place.team] == {"1": 2, "3": 3}


@pytest.mark.parametrize("seats", [{"2": 1, "4": 2}, {"1": 1, "3": 1}, {"1": 0, "3": 1}, {"1": 1, "2": 2}])
def test_no_seat_of_the_other_side_nobody_twice_and_nobody_who_does_not_play(seats: dict[str, int]) -> None:
    with pytest.raises(refusals.LineUpInvalid):
        Place().line_up(seats)


def test_after_the_first_hand_players_are_substituted_instead() -> None:
    place = Place()
    place.line_up({"1": 1, "3": 2})
    with pytest.raises(refusals.HandsHaveBegun):
        place.line_up({"1": 3, "3": 2}, hands=2)
    (event,) = place.substitute(1, 3)
    assert isinstance(event, PlayerSubstituted)
    assert (event.seat, event.left, event.came, event.hand) == (1, 1, 3, 3)
    assert place.state.line_ups[place.team] == {"1": 3, "3": 2}


def test_a_line_up_that_was_forgotten_may_be_given_late() -> None:
    assert Place().line_up({"1": 1, "3": 2}, hands=2)


@pytest.mark.parametrize(("seat", "member"), [(1, 2), (2, 3), (1, 0), (1, 9)])
def test_who_comes_in_is_of_the_entry_and_not_seated(seat: int, member: int) -> None:
    place = Place()
    place.line_up({"1": 1, "3": 2})
    with pytest.raises(refusals.LineUpInvalid):
        place.substitute(seat, member)


def test_nobody_is_replaced_who_is_not_seated() -> None:
    with pytest.raises(refusals.NoLineUp):
        Place().substitute(1, 3)


def test_a_team_of_two_has_nobody_to_come_in() -> None:
    place = Place()
    place.line_up({"1": 1, "3": 2}, FOUR[:2])
    with pytest.raises(refusals.NobodyToComeIn) as caught:
        place.substitute(1, 3, FOUR[:2])
    assert caught.value.article == place.hall.preset.entry.substitutes.article
