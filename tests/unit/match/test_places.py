"""Lots, and places proposed by one person and declared by another (十二（名次）, 十三; RULINGS, Appeals 7 and 8)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from services.match import refusals
from services.match.model.places import Appealed
from tests.unit.match.hall import MICROSECOND, Hall, ranks


def _tied(teams: int = 4) -> Hall:
    """Every match a draw: nothing but a lot parts the teams."""
    hall = Hall(teams).drawn()
    for _ in range(4):
        hall.play(*"=" * (teams // 2))
    hall.now += timedelta(hours=25)
    return hall


def test_places_come_in_order_of_the_total_with_its_working() -> None:
    # four rounds of four teams, the first of each table winning: P + S / (M/2) - R with M = 8, R = 4
    places = Hall().finished().propose().places
    assert [(place.rank, place.points) for place in places] == [(1, 6), (2, 4), (3, 4), (4, 2)]
    assert places[0].total == "6 + 14÷(8/2) − 4 = 11/2 = 5.500"
    assert places[1].decided_by == "total"


@pytest.mark.parametrize(("teams", "awarded"), [(4, 3), (8, 7)])
def test_with_fewer_than_nine_teams_one_place_less_is_awarded(teams: int, awarded: int) -> None:
    hall = _tied(teams)
    hall.lot(*"ABCDEFGH"[:teams])
    places = hall.propose().places
    assert [place.award for place in places] == [*range(1, awarded + 1), None]


def test_a_lot_from_the_seed_is_the_same_whoever_draws_it() -> None:
    orders = {_tied().lot(*teams).order for teams in ("ABCD", "DCBA")}
    assert len(orders) == 1


def test_lots_drawn_in_the_hall_stand_in_their_order_with_the_witness() -> None:
    hall = _tied()
    event = hall.lot(*"CADB", by_hand=True)
    assert (event.method, event.witness, event.order) == ("hand", "张", tuple("CADB"))
    assert ranks(hall.propose().places) == {"C": 1, "A": 2, "D": 3, "B": 4}


def test_a_lot_that_was_drawn_is_not_drawn_again() -> None:
    hall = _tied()
    hall.lot(*"CADB", by_hand=True)
    with pytest.raises(refusals.LotNotNeeded):
        hall.lot(*"ABCD")


def test_a_lot_drawn_after_the_proposal_needs_a_new_proposal() -> None:
    hall = _tied()
    hall.lot(*"CADB", by_hand=True)
    hall.propose()
    hall.rule("award_match", team=hall.table(round=1).teams[0])
    with pytest.raises(refusals.PlacesHaveChanged):
        hall.declare()
    hall.propose()
    assert hall.declare().proposed_by == "bureau"


def test_a_second_proposal_takes_the_place_of_the_first() -> None:
    hall = Hall().finished()
    hall.propose(by="bureau")
    hall.propose(by="director")
    with pytest.raises(refusals.TwoPeopleNeeded):
        hall.declare(by="director")
    assert hall.declare(by="bureau").proposed_by == "director"


def test_places_can_be_declared_a_microsecond_after_the_last_window() -> None:
    hall = Hall().finished()
    hall.propose()
    hall.now -= MICROSECOND
    with pytest.raises(refusals.AppealWindowOpen):
        hall.declare()
    hall.now += MICROSECOND
    assert hall.declare().by == "director"


def _played(**changes: str) -> Hall:
    """Four rounds; the last match of the last one is closed ten minutes before its round."""
    hall = Hall(**changes).drawn()
    for _ in range(3):
        hall.play(">", ">")
    hall.now += timedelta(hours=1)
    number = hall.pair().round
    for table in (1, 2):
        hall.hand(1, 1, 0, name=hall.table(table).match)
    hall.call_time(number)
    for table in (1, 2):
        hall.close(hall.table(table).match)
    hall.now += timedelta(minutes=10)
    hall.close_round(number)
    hall.propose()
    return hall


@pytest.mark.parametrize("start", ["match_closed", "incident"])
def test_where_windows_run_from_a_match_the_places_wait_for_its_last_match_and_not_for_the_round(start: str) -> None:
    hall = _played(appeals__window_from=start)
    hall.now += timedelta(hours=24) - timedelta(minutes=10)
    with pytest.raises(refusals.AppealWindowOpen) as caught:
        hall.declare()
    assert caught.value.params["until"] == hall.now
    hall.now += MICROSECOND
    assert hall.declare()


def test_where_windows_run_from_the_posting_of_results_the_places_wait_for_that() -> None:
    hall = _played(appeals__window_from="result_posted")
    hall.now += timedelta(days=3)
    with pytest.raises(refusals.ResultsNotPosted) as caught:
        hall.declare()
    assert (caught.value.article, caught.value.params["round"]) == ("十四.1", 1)
    for number in (1, 2, 3, 4):
        hall.post(number)
    with pytest.raises(refusals.AppealWindowOpen):
        hall.declare()
    hall.now += timedelta(hours=24) + MICROSECOND
    assert hall.declare()


def test_places_wait_for_the_chief_referee_where_a_hand_is_in_conflict() -> None:
    hall = Hall().finished()
    hall.propose()
    with pytest.raises(refusals.HandsInConflict):
        hall.declare(appealed=Appealed(conflicts={"r4t2": [1]}))
    hall.declare(appealed=Appealed(conflicts={"r4x1t2": [1], "r4t2": []}))


def test_places_wait_until_the_desk_has_recorded_that_the_windows_are_closed() -> None:
    """What it took in time and has not published yet might else be passed over."""
    hall = Hall().finished()
    hall.propose()
    for missing in (1, 4):
        windows = {r.number: r.closed_at for r in hall.state.rounds if r.closed_at and r.number != missing}
        with pytest.raises(refusals.WindowNotRecorded) as caught:
            hall.declare(appealed=Appealed(windows=windows), recorded=False)
        assert caught.value.params["round"] == missing
    assert hall.declare()


def test_an_earlier_closing_of_a_round_is_not_the_one_that_counts() -> None:
    hall = Hall().finished()
    known = {r.number: r.closed_at for r in hall.state.rounds if r.closed_at}
    hall.reopen(hall.table(round=4).match, number=4)
    hall.finish(4)
    hall.propose()
    hall.now += timedelta(hours=24) + MICROSECOND
    with pytest.raises(refusals.WindowNotRecorded):
        hall.declare(appealed=Appealed(windows=known), recorded=False)


def test_where_all_have_waived_nothing_more_is_waited_for() -> None:
    hall = Hall().finished()
    hall.propose()
    waived = Appealed(waived=dict.fromkeys("ABCD", _closings(hall)))  # type: ignore[arg-type]
    assert hall.declare(appealed=waived, recorded=False)


def _closings(hall: Hall) -> list[object]:
    return [current.closed_at for current in hall.state.rounds]


def test_waivers_of_all_teams_close_the_windows_early() -> None:
    hall = Hall().finished()
    hall.now -= timedelta(hours=20)
    hall.propose()
    with pytest.raises(refusals.AppealWindowOpen):
        hall.declare(appealed=Appealed(waived=dict.fromkeys("ABC", _closings(hall))))  # type: ignore[arg-type]
    assert hall.declare(appealed=Appealed(waived=dict.fromkeys("ABCD", _closings(hall))))  # type: ignore[arg-type]


def test_a_waiver_does_not_reach_a_round_that_was_closed_anew() -> None:
    hall = Hall().finished()
    waived = Appealed(waived=dict.fromkeys("ABCD", _closings(hall)))  # type: ignore[arg-type]
    hall.reopen(hall.table(round=4).match, number=4)
    hall.finish(4)
    hall.propose()
    with pytest.raises(refusals.AppealWindowOpen) as caught:
        hall.declare(appealed=waived)
    assert caught.value.params["round"] == 4


def test_a_regulation_without_appeals_has_no_window_to_wait_for() -> None:
    hall = Hall(appeals__allowed=False).drawn()
    for _ in range(4):
        hall.play(">", ">")
    hall.propose()
    assert hall.declare()


def test_a_decision_that_was_applied_is_no_obstacle() -> None:
    hall = Hall().finished()
    hall.rule("none", appeal="a1")
    hall.propose()
    assert hall.declare(appealed=Appealed(ruled=("a1",)))


def test_fraud_found_after_the_places_were_declared_undoes_them() -> None:
    """七.7: 如发现即取消……该代表队此项比赛成绩. Two people declare anew what is then."""
    hall = Hall().finished()
    first = hall.propose().places[0].team
    hall.declare()
    event = hall.disqualify(first)
    assert event.article == "七.7"
    with pytest.raises(refusals.PlacesHaveChanged):
        hall.declare()
    hall.propose()
    places = hall.declare().places
    assert first not in ranks(places)
    assert [place.rank for place in places] == [1, 2, 3]
    with pytest.raises(refusals.PlacesAreDeclared):
        hall.declare()


def test_a_disqualified_team_has_no_place() -> None:
    hall = Hall().finished()
    first = hall.propose().places[0].team
    name = next(p.match for current in hall.state.rounds for p in current.pairings if first in p.teams)
    hall.rule("disqualify_team", name=name, team=first)
    places = hall.propose().places
    assert first not in ranks(places)
    assert [place.rank for place in places] == [1, 2, 3]
