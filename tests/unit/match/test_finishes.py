"""A match of 掼蛋 (ahut-2018): hands by who went out when, the clock of its round, penalties by how often."""

from __future__ import annotations

import pytest

from services.match import refusals as refuse
from shared.contracts.match import FinishCorrected, HandFinished, MatchClosed
from tests.unit.match.hall import Hall
from tests.unit.match.pairs import DOWN1, DOWN2, DOWN3, PASSED, UP1, UP2, UP3, Pairs


def paired(pairs: int = 18) -> Pairs:
    """Two groups of nine: the first round is one of 32, an hour (二.5)."""
    hall = Pairs(pairs)
    hall.drawn().pair()
    return hall


def untimed() -> Pairs:
    """Two groups of four: the round of the last four, which no clock ends."""
    return paired(8)


def final() -> Pairs:
    """Two groups of two: each has its final."""
    return paired(4)


def test_a_hand_is_kept_as_it_was_played() -> None:
    (event,) = paired().outs(UP3).out(2, (2, 1, 3, 4), own="13", levels={"13": "5", "24": "2"})
    assert isinstance(event, HandFinished)
    assert (event.hand, event.facts.finish, event.article) == (2, (2, 1, 3, 4), "二.5")


def test_who_did_not_go_out_is_left_out_of_a_double_win() -> None:
    event = paired().out(1, (1, 3, 2, 4))[-1]
    assert event.facts.finish == (1, 3), "双下: the others did not finish"


def test_other_levels_than_the_log_has_are_questioned_and_kept_when_they_were_played() -> None:
    hall = paired().outs(UP3)
    with pytest.raises(refuse.LevelsDisagree, match="own 13"):
        hall.out(2, UP3, own="24")
    with pytest.raises(refuse.LevelsDisagree, match="13:5"):
        hall.out(2, UP3, levels={"13": "2", "24": "2"})
    hall.out(2, UP3, own="24", as_played=True)


def test_when_time_is_called_the_higher_level_wins_and_of_equals_who_was_there_first() -> None:
    hall = paired().outs(UP3, DOWN3)  # 5 : 5, pair 13 was there first
    with pytest.raises(refuse.TimeNotCalled):
        hall.close()
    hall.call_time()
    closed = hall.close()
    assert isinstance(closed, MatchClosed)
    assert (closed.ended, closed.result.how, closed.result.points) == ("time", "reached_first", (1, 0))
    hall.unfinished(3, "shuffling", name="r1t2")
    hall.outs(UP1, DOWN2, name="r1t2")  # 3 : 4, held back by a phone
    assert hall.close("r1t2").result.points == (0, 1)


def test_a_hand_whose_cards_are_drawn_is_finished_after_time_is_called() -> None:
    hall = paired().outs(UP1)
    hall.call_time()
    (noted,) = hall.unfinished(2, "drawing")
    assert (noted.counts, noted.article) == (True, "二.5")  # 只要开始摸牌，就要将该牌打完
    assert hall.outs(DOWN2).close().result.points == (0, 1)


def test_who_passes_a_has_won_before_time_is_called() -> None:
    hall = paired().outs(*PASSED)
    with pytest.raises(refuse.MatchIsWon):
        hall.out(6, UP1)
    closed = hall.close()
    assert (closed.ended, closed.result.how, closed.result.levels) == ("played", "passed_top", ("A", "2"))


def test_from_the_last_eight_on_no_clock_ends_a_match() -> None:
    hall = untimed().outs(UP3, UP3)
    with pytest.raises(refuse.RoundIsUntimed):
        hall.call_time()
    with pytest.raises(refuse.TopNotPassed):
        hall.close()
    assert hall.outs(UP3, UP3, UP2).close().result.points == (1, 0)


def test_time_ends_only_the_matches_that_are_played_by_the_clock() -> None:
    """One group has nine pairs, the other eight: the one match of the first is timed, those of the second are not."""
    hall = paired(17)
    timed = [one.minutes for one in hall.state.rounds[0].pairings]
    assert sorted(timed, key=str) == [60, None, None, None, None]
    hall.call_time()
    by_clock, by_level = f"r1t{timed.index(60) + 1}", f"r1t{timed.index(None) + 1}"
    hall.unfinished(2, "shuffling", name=by_clock)
    assert hall.outs(UP1, name=by_clock).close(by_clock).result.how == "level"
    with pytest.raises(refuse.TopNotPassed):
        hall.outs(UP1, name=by_level).close(by_level)


def test_only_in_the_final_three_failures_at_a_send_a_pair_back_to_two() -> None:
    at_a = (UP3, UP3, UP3, UP3)
    failed = (UP1, UP1, UP1)  # first with last does not pass
    last_four, the_final = untimed().outs(*at_a, *failed), final().outs(*at_a, *failed)
    assert last_four.outs(UP3).close().result.points == (1, 0)
    with pytest.raises(refuse.TopNotPassed):
        the_final.outs(UP3).close()  # it stands at 5
    assert the_final.outs(UP3, UP3, UP3, UP3).close().result.levels == ("A", "2")


def test_the_second_omission_gives_the_opponents_a_level_and_the_third_loses_the_match() -> None:
    hall = paired().outs(UP1)
    first, second = hall.omits(1), hall.omits(2)
    assert (first.effects, second.effects) == (("reminder",), ("level_to_opponents",))
    hall.outs(DOWN1)  # 13: 3, 24: 3 and one given
    hall.call_time()
    assert hall.omits(2, "24").effects == ("reminder",), "counted by pair"
    third = hall.omits(3)
    assert (third.effects, third.article, third.mark) == (("match_lost",), "二.4", "stated")
    closed = hall.close()
    assert (closed.result.how, closed.result.levels) == ("penalty", ("3", "4"))
    assert closed.result.points == (0, 1)


def test_a_lifted_omission_no_longer_counts() -> None:
    hall = paired().outs(UP1)
    hall.omits(1)
    hall.lift("p1")
    assert hall.omits(1).effects == ("reminder",)


def test_a_match_lost_by_signals_takes_no_further_hand() -> None:
    hall = untimed().outs(UP1)
    hall.omits(1, "24", code="signalling")
    hall.omits(1, "24", code="signalling")
    with pytest.raises(refuse.MatchIsWon):
        hall.out(2, UP1)
    assert hall.close().result.points == (1, 0)


def test_a_price_by_how_often_takes_no_cards() -> None:
    with pytest.raises(refuse.PenaltyInvalid, match="cards"):
        paired().outs(UP1).penalty(1, "13", "not_announced", cards=2)


def test_a_corrected_hand_changes_the_level_and_so_the_winner() -> None:
    hall = paired().outs(UP1, DOWN1)
    event = hall.put_right(2, DOWN3)[-1]
    assert isinstance(event, FinishCorrected)
    assert (event.before.finish, event.after.finish) == (DOWN1, DOWN3)
    hall.call_time()
    assert hall.close().result.levels == ("3", "5")
    with pytest.raises(refuse.MatchIsClosed):
        hall.put_right(1, UP2)


@pytest.mark.parametrize(
    ("minutes", "late"),
    [(14, False), (15, True), (16, True)],
    ids=["fewer than fifteen minutes", "exactly fifteen", "more"],
)
def test_a_pair_that_comes_fifteen_minutes_late_or_more_has_forfeited(minutes: int, late: bool) -> None:
    hall = paired()
    team = hall.table().teams[1]
    if late:
        event = hall.forfeit(team, late={team: minutes})
        assert (event.article, event.result.points, event.late) == ("四.1", (1, 0), {team: minutes})
    else:
        with pytest.raises(refuse.NotLateEnough) as caught:
            hall.forfeit(team, late={team: minutes})
        assert caught.value.article == "四.1"
        assert "15 minutes or more forfeit" in caught.value.say("en")
        assert "15 分钟以上（含 15 分钟）" in caught.value.say("zh")


def test_when_both_are_late_nobody_goes_on_and_the_next_opponent_advances() -> None:
    """Nine pairs in each group: the winner of the first match would meet one that has a bye."""
    hall = paired()
    table = hall.table()
    assert hall.forfeit(*table.teams).result.points == (0, 0)
    hall.won()
    paired_next = hall.pair()
    assert not set(table.teams) & {team for one in paired_next.matches for team in one.teams}
    assert len(paired_next.byes) == 1, "who would have met the winner goes on without a match"


def test_hands_are_entered_as_the_game_has_them() -> None:
    with pytest.raises(refuse.OtherGame, match="finishes"):
        paired().hand(1)
    with pytest.raises(refuse.OtherGame, match="finishes"):
        paired().outs(UP1).correct(1)
    points = Hall().drawn()
    points.pair()
    with pytest.raises(refuse.OtherGame, match="hands"):
        Pairs.out(points, 1, UP1)  # type: ignore[arg-type]


def test_hands_come_in_order_and_once() -> None:
    hall = paired().outs(UP1)
    assert hall.out(1, UP1) == [], "the same again is nothing new"
    with pytest.raises(refuse.HandAlreadyEntered):
        hall.out(1, UP2)
    with pytest.raises(refuse.HandNumberSkips):
        hall.out(3, UP1)
    with pytest.raises(refuse.NoSuchHand):
        hall.put_right(2, UP1)
    with pytest.raises(refuse.NothingCorrected):
        hall.put_right(1, UP1)
    with pytest.raises(refuse.HandIsImpossible):
        hall.out(2, (1, 2))  # two seats only when partners went out first


def test_the_groups_are_awarded_eight_places_each() -> None:
    """Four pairs: a final in each group, so that each has a first and a second."""
    hall = final().won()
    places = hall.propose().places
    assert sorted((place.part, place.rank, place.award) for place in places) == [
        ("A", 1, 1),
        ("A", 2, 2),
        ("B", 1, 1),
        ("B", 2, 2),
    ]
    assert hall.declare(recorded=False).places == places, "no appeals, so no window to wait for"
