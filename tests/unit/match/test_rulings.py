"""What an appeal's decision does to a match (RULINGS, Appeals 5 and 6; Corrections and later hands)."""

from __future__ import annotations

import pytest

from services.match import refusals
from tests.unit.match.hall import WON, Hall, facts


def _charged() -> Hall:
    """Round 1: at table 1 the dealers would have gained three levels, but for 80 charged for a revoke."""
    hall = Hall().drawn()
    hall.pair()
    hall.hands((1, 40)).hands((1, 0), name="r1t2")
    hall.penalty(1, "13")
    hall.call_time()
    return hall.finish()


def test_lifting_a_penalty_turns_the_result_of_a_closed_round() -> None:
    hall = _charged()
    event = hall.rule("lift_penalty", penalty="p1")
    assert (event.before.points, event.after.points) == ((0, 2), (2, 0))
    assert (event.before.levels, event.after.levels) == (("2", "4"), ("5", "2"))
    assert hall.result() == event.after


@pytest.mark.parametrize(
    ("remedy", "after"),
    [
        ({"kind": "correct_hand", "hand": 1, "facts": facts(1, 80)}, (1, 1)),  # 倒庄, nobody gains
        ({"kind": "annul_hand", "hand": 1}, (1, 1)),
        ({"kind": "impose_penalty", "hand": 1, "pair": "13", "code": "revoke"}, (1, 1)),  # 0 + 80
        ({"kind": "impose_penalty", "hand": 1, "pair": "13", "code": "wrong_follow", "cards": 12}, (0, 2)),  # 120
        ({"kind": "award_match", "team": "second"}, (0, 2)),
        ({"kind": "disqualify_team", "team": "first"}, (2, 0)),  # results against it stand
        ({"kind": "none"}, (2, 0)),
    ],
    ids=lambda value: value["kind"] if isinstance(value, dict) else "",
)
def test_a_remedy_does_what_it_says(remedy: dict[str, object], after: tuple[int, int]) -> None:
    hall = Hall().drawn().play(">", ">")
    one, two = hall.seated().teams
    if "team" in remedy:
        remedy = remedy | {"team": {"first": one, "second": two}[str(remedy["team"])]}
    event = hall.rule(**remedy)  # type: ignore[arg-type]
    assert event.after.points == after
    assert hall.result().points == after


def test_a_ruling_equals_a_log_in_which_it_was_so_from_the_start() -> None:
    ruled, straight = Hall().drawn().play(">", ">"), Hall().drawn().play("=", ">")
    ruled.rule("correct_hand", hand=1, facts=facts(1, 80))
    assert ruled.result() == straight.result()


def test_an_awarded_match_stays_awarded_whatever_is_corrected_later() -> None:
    hall = Hall().drawn().play(">", ">")
    _, two = hall.seated().teams
    hall.rule("award_match", team=two)
    hall.reopen("r1t1")
    hall.correct(1, points=5)
    hall.finish()
    assert (hall.result().points, hall.result().how) == ((0, 2), "awarded")


def test_the_last_award_counts() -> None:
    hall = Hall().drawn().play(">", ">")
    one, two = hall.seated().teams
    hall.rule("award_match", team=two)
    hall.rule("award_match", team=one, appeal="a2")
    assert hall.result().points == (2, 0)


def test_a_match_awarded_before_it_was_over_closes_without_a_call_of_time() -> None:
    hall = Hall().paired()
    _, two = hall.seated().teams
    event = hall.rule("award_match", team=two)
    assert (event.before, event.after) == (None, None)
    closed = hall.close()
    assert (closed.ended, closed.result.points, closed.result.how) == ("ruling", (0, 2), "awarded")


def test_a_ruling_during_play_counts_in_what_follows() -> None:
    hall = Hall().paired().hands(*WON[:3], (3, 80))
    hall.rule("correct_hand", hand=4, facts=facts(3, 0))
    with pytest.raises(refusals.MatchIsWon):
        hall.hand(5, dealer=4)
    assert hall.close().result.how == "passed_a"


def test_a_forfeited_match_changes_by_an_award_only() -> None:
    hall = Hall().paired()
    one, two = hall.seated().teams
    hall.forfeit(one)
    hall.forfeit(hall.table(2).teams[0], name="r1t2")
    hall.close_round()
    assert hall.rule("disqualify_team", team=two).after.points == (0, 2)
    assert hall.rule("award_match", team=one, appeal="a2").after.points == (2, 0)


def test_a_penalty_that_a_ruling_imposed_can_be_lifted_by_another() -> None:
    hall = Hall().drawn().play(">", ">")
    hall.rule("impose_penalty", hand=1, pair="13", code="revoke")
    hall.rule("lift_penalty", penalty="ruling-1", appeal="a2")
    assert hall.result().points == (2, 0)


def test_a_correction_that_no_ruling_fits_is_refused() -> None:
    hall = Hall().drawn().play(">", ">")
    hall.rule("impose_penalty", hand=1, pair="13", code="kitty_size")
    hall.reopen("r1t1")
    with pytest.raises(refusals.HandIsImpossible) as caught:
        hall.correct(1, dealer=2)
    assert caught.value.pointer == "/dealer"


def test_a_replay_begins_with_the_first_hand_and_nothing_before_it_counts() -> None:
    hall = _charged()
    hall.rule("lift_penalty", penalty="p1")
    event = hall.rule("replay_match", appeal="a2")
    assert (event.before.points, event.after) == ((2, 0), None)
    reopened, _ = hall.hand(1, dealer=2, points=0)
    assert reopened.replay
    assert hall.levels() == ("2", "7")


def test_a_replay_has_its_own_time() -> None:
    hall = _charged()
    hall.rule("replay_match")
    hall.hand(1, dealer=2, points=0)
    with pytest.raises(refusals.TimeNotCalled):
        hall.close()
    hall.call_time()
    assert hall.close().result.points == (0, 2)
    hall.close_round()
    assert [result.points for result in hall.state.rounds[0].results.values()] == [(0, 2), (2, 0)]


def test_the_clock_of_a_replay_is_not_that_of_the_tables_still_playing() -> None:
    hall = Hall().paired().hands((1, 0)).hands((1, 0), name="r1t2")
    hall.call_time()
    hall.close()
    hall.rule("replay_match")
    hall.close("r1t2")
    with pytest.raises(refusals.TimeNotCalled):
        hall.close()


def test_a_replay_ordered_while_the_match_is_still_open_begins_at_the_next_entry() -> None:
    hall = Hall().paired().hands((1, 0), (3, 0))
    hall.rule("replay_match")
    reopened, played = hall.hand(1, dealer=2, points=40)
    assert (reopened.replay, played.hand) == (True, 1)
    assert hall.levels() == ("2", "5")


def test_a_replay_ordered_twice_is_played_once_more_only() -> None:
    hall = _charged()
    hall.rule("replay_match")
    hall.rule("replay_match", appeal="a2")
    hall.hand(1, dealer=2, points=0)
    hall.call_time()
    hall.finish()
    assert hall.result().points == (0, 2)


def test_a_replayed_match_can_be_corrected_after_its_round_is_closed() -> None:
    hall = _charged()
    hall.rule("replay_match")
    hall.hand(1, dealer=2, points=0)
    hall.call_time()
    hall.finish()
    hall.reopen("r1t1")
    reopened, _ = hall.correct(1, dealer=2, points=100)
    assert not reopened.replay
    hall.finish()
    assert hall.result().levels == ("3", "2")


def test_rounds_played_again_are_paired_anew_with_new_matches() -> None:
    hall = Hall().drawn().play(">", ">").play(">", ">").play(">", ">")
    hall.rule("award_match", team=hall.table(round=1).teams[1], replay_from=2)
    event = hall.pair()
    assert (event.round, event.attempt) == (2, 2)
    assert [match.match for match in event.matches] == ["r2x2t1", "r2x2t2"]


def test_an_absence_from_a_round_that_is_void_is_void() -> None:
    hall = Hall(5).drawn().play(">", ">")
    hall.absent("A")
    hall.play(">", ">")
    hall.rule("none", replay_from=2)
    assert hall.pair().absent == ()


def test_two_disqualifications_of_one_team_list_it_once() -> None:
    hall = Hall().finished()
    out = hall.table(round=1).teams[0]
    hall.rule("disqualify_team", team=out)
    hall.rule("disqualify_team", team=out, appeal="a2")
    assert hall.state.disqualified == (out,)
    assert len(hall.propose().places) == 3
