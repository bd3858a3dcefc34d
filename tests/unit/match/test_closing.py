"""How matches and rounds end: by A, by time, by absence; and how they are opened again (十.2; RULINGS jimei 6)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from services.match import refusals
from shared.contracts.match import MatchClosed, MatchReopened
from tests.unit.match.hall import PLAY, WON, Hall


def test_passing_a_wins_two_points_without_a_call_of_time() -> None:
    closed = Hall().paired().hands(*WON).close()
    assert (closed.result.points, closed.result.how, closed.result.levels) == ((2, 0), "passed_a", ("A", "2"))
    assert closed.ended == "played"


@pytest.mark.parametrize(
    ("points", "result", "how"),
    [(0, (2, 0), "level"), (100, (0, 2), "level"), (80, (1, 1), "equal")],
    ids=["higher level", "lower level", "equal levels"],
)
def test_at_the_call_of_time_the_levels_decide(points: int, result: tuple[int, int], how: str) -> None:
    hall = Hall().paired().hands((1, points))
    hall.call_time()
    closed = hall.close()
    assert (closed.result.points, closed.result.how, closed.ended) == (result, how, "time")


def test_a_match_without_a_hand_is_a_draw_at_the_call_of_time() -> None:
    hall = Hall().paired()
    hall.call_time()
    assert hall.close().result.points == (1, 1)


@pytest.mark.parametrize(("seat", "points"), [(0, (0, 2)), (1, (2, 0))])
def test_who_does_not_come_loses(seat: int, points: tuple[int, int]) -> None:
    hall = Hall().paired()
    event = hall.forfeit(hall.seated().teams[seat])
    assert (event.result.points, event.result.levels, event.result.status) == (points, None, "forfeit")


def test_when_both_are_absent_neither_gets_anything() -> None:
    hall = Hall().paired()
    event = hall.forfeit(*reversed(hall.seated().teams))
    assert (event.result.points, event.result.how) == ((0, 0), "double_absence")
    assert event.absent == hall.seated().teams


def test_the_same_team_named_twice_is_absent_once() -> None:
    hall = Hall().paired()
    one, _ = hall.seated().teams
    assert hall.forfeit(one, one).absent == (one,)


def test_a_team_that_leaves_during_play_forfeits_what_was_begun() -> None:
    hall = Hall().paired().hands((1, 0))
    one, _ = hall.seated().teams
    assert hall.forfeit(one).result.points == (0, 2)


def test_a_round_closes_with_the_results_of_all_its_tables() -> None:
    hall = Hall(5).drawn().play(">", "=")
    closed = hall.state.rounds[0]
    assert [result.points for result in closed.results.values()] == [(2, 0), (1, 1)]
    assert closed.bye is not None


def test_a_round_closes_after_the_last_table_only() -> None:
    hall = Hall().paired().hands(*WON)
    hall.close()
    with pytest.raises(refusals.OpenMatches) as caught:
        hall.close_round()
    assert caught.value.params["tables"] == "2"
    hall.forfeit(hall.table(2).teams[0], name="r1t2")
    assert hall.close_round().closing == 1


def test_only_the_last_round_of_the_regulation_is_marked_as_the_last() -> None:
    hall = Hall().finished()
    assert [current.number for current in hall.state.rounds] == [1, 2, 3, 4]  # 十.2: 4 rounds up to 16 teams


def test_a_round_may_close_without_a_call_of_time_when_every_match_was_won() -> None:
    hall = Hall().paired().hands(*WON).hands(*WON, name="r1t2")
    hall.close("r1t1")
    hall.close("r1t2")
    assert [result.points for result in hall.close_round().results] == [(2, 0), (2, 0)]


def _reopened(*names: str) -> Hall:
    hall = Hall().paired().hands(*WON).hands(*WON, name="r1t2")
    hall.close("r1t1")
    hall.close("r1t2")
    hall.close_round()
    hall.reopen(*names)
    return hall


def test_a_reopened_round_opens_only_the_matches_it_names() -> None:
    hall = _reopened("r1t1")
    with pytest.raises(refusals.MatchIsClosed):
        hall.correct(1, points=80, name="r1t2")
    reopened, _ = hall.correct(1, points=80)
    assert isinstance(reopened, MatchReopened)
    assert not reopened.replay


def test_a_reopened_match_must_be_closed_again_before_its_round() -> None:
    hall = _reopened("r1t1")
    with pytest.raises(refusals.OpenMatches) as caught:
        hall.close_round()
    assert caught.value.params["tables"] == "1"
    hall.close()
    assert hall.close_round().closing == 2


def test_a_win_that_a_correction_takes_away_leaves_the_levels_then_reached() -> None:
    # RULINGS, Corrections 3: the match is decided by the levels; time was never called in this round
    hall = _reopened("r1t1")
    hall.correct(1, points=120)  # 24 gain two; 13 come to 7, Q, A
    closed = hall.close()
    assert (closed.result.points, closed.result.how, closed.result.levels) == ((2, 0), "level", ("A", "4"))
    assert closed.ended == "played"
    hall.close_round()
    assert hall.result().how == "level"


def test_a_correction_can_turn_the_result_of_a_closed_round() -> None:
    hall = Hall().drawn().play(">", ">")
    hall.reopen("r1t1")
    hall.correct(1, points=200)
    hall.finish()
    assert hall.result(table=1).points == (0, 2)
    assert hall.result(table=2).points == (2, 0)


def test_a_forfeit_taken_back_lets_the_match_be_played_under_the_clock_of_its_round() -> None:
    hall = Hall().paired()
    hall.forfeit(hall.seated().teams[0])
    hall.forfeit(hall.table(2).teams[0], name="r1t2")
    hall.close_round()
    hall.reopen("r1t1")
    hall.hand(1, points=0)
    with pytest.raises(refusals.TimeNotCalled):
        hall.close()
    hall.call_time()
    assert hall.close().result.points == (2, 0)


def test_nothing_is_paired_while_an_earlier_round_stands_open() -> None:
    hall = Hall().drawn().play(">", ">").play(">", ">")
    hall.reopen("r1t1", number=1)
    with pytest.raises(refusals.RoundIsOpen) as caught:
        hall.pair()
    assert caught.value.params == {"round": 1}


def test_a_round_can_be_reopened_again_and_again() -> None:
    hall = Hall().drawn().play(">", ">")
    for closing in (2, 3):
        hall.reopen("r1t1")
        hall.close()
        assert hall.close_round().closing == closing
    assert isinstance(hall.matches["r1t1"].closed, type(hall.result()))


def test_a_match_that_was_not_touched_since_is_closed_as_it_stood() -> None:
    hall = Hall().drawn().play(">", ">")
    before = hall.result()
    hall.reopen("r1t1")
    closed = hall.close()
    assert isinstance(closed, MatchClosed)
    assert closed.result == before


def test_a_match_and_a_forfeit_say_when_they_were_over_and_the_round_when_the_last_was() -> None:
    hall = Hall().paired()
    assert hall.forfeit(hall.table(1).teams[0], name="r1t1").closed_at == PLAY
    hall.hands(*WON, name="r1t2")
    hall.now += timedelta(minutes=5)
    assert hall.close("r1t2").closed_at == PLAY + timedelta(minutes=5)
    hall.now += timedelta(minutes=5)
    closed = hall.close_round()
    assert (closed.matches_closed_at, closed.closed_at) == (
        PLAY + timedelta(minutes=5),
        PLAY + timedelta(minutes=10),
    )


def test_results_are_posted_once_each_time_their_round_is_closed() -> None:
    hall = Hall().drawn().play(">", ">")
    posted = hall.post()
    assert (posted.round, posted.closing, posted.posted_at) == (1, 1, hall.now)
    with pytest.raises(refusals.AlreadyPosted):
        hall.post()
    hall.reopen(hall.table(1).match)
    with pytest.raises(refusals.RoundIsOpen):
        hall.post()
    hall.finish()
    assert hall.post().closing == 2
