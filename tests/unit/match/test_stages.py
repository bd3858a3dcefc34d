"""A competition by the stages of its regulation (zhongshan-2013 七（一）1: zones until three are left, then six for
their places); orders about pairs, pairings by hand and undone (jimei-2018)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from services.match import refusals as refuse
from services.match.model import penalties, rounds
from services.match.model.penalties import Claim
from shared.contracts.match import DrawMade, Pairing, RoundPaired, StageDrawn
from shared.rules.regulations import load
from shared.rules.regulations.reference import reference
from tests.unit.match.hall import Hall, ranks

ZHONGSHAN = reference(load("zhongshan-2013"))


def zones(teams: int = 12) -> Hall:
    """Pairs A B, C D, … of one unit each, drawn."""
    return Hall(teams, regulation=ZHONGSHAN, each=2).drawn()


def play(hall: Hall) -> RoundPaired:
    """Pair the next round; at every table the first team gains three levels with one hand (七（一）3, 大光)."""
    paired: RoundPaired = hall.pair()
    finish(hall, paired, paired.matches)
    return paired


def finish(hall: Hall, paired: RoundPaired, matches: Sequence[Pairing]) -> None:
    for match in matches:
        hall.hand(1, 1, 0, name=match.match)
    hall.call_time(paired.round)
    for match in matches:
        hall.close(match.match)
    hall.close_round(paired.round)


def in_zones() -> Hall:
    """The zones are played, and nothing more is drawn."""
    hall = zones()
    play(hall)
    return hall


def second_round() -> Hall:
    hall = Hall().drawn().play(">", ">")
    hall.pair()
    return hall


def badly_drawn() -> object:
    hall = Hall(4, regulation=ZHONGSHAN, each=2)
    hall.commit()
    return hall.draw(lots=rounds.Lots(parts={"A": ("B", "C"), "B": ("D", "D")}, witness="工会主席"))


def nothing_played() -> Hall:
    """Time is called, and at the second table no hand was played to its end."""
    hall = zones()
    hall.pair()
    hall.call_time()
    hall.penalty(1, "13", "out_of_turn", name="r1t2", during=1)
    return hall


def another_winner() -> Hall:
    """The first match of round 1 is put right so that the other side wins, when round 2 is paired already."""
    hall = zones(24)
    name = play(hall).matches[0].match
    hall.pair()
    hall.reopen(name)
    hall.correct(1, 1, 200, name=name)
    hall.close(name)
    return hall


def test_the_two_pairs_of_a_unit_are_drawn_into_different_zones() -> None:
    hall = Hall(12, regulation=ZHONGSHAN, each=2)
    hall.commit()
    made: DrawMade = hall.draw()[0]
    assert (made.stage, sorted(made.parts), made.method) == ("zones", ["A", "B"], "seed")
    units = {drawn.team.id: drawn.team.unit for drawn in made.teams}
    for seats in made.parts.values():
        here = [units[team] for team in seats if team is not None]
        assert len(set(here)) == len(here) == 6


def test_zones_until_three_are_left_then_a_draw_then_six_for_their_places() -> None:
    hall = zones()
    first = play(hall)
    assert (first.stage, len(first.matches), first.byes) == ("zones", 6, ())
    assert {match.part for match in first.matches} == {"A", "B"}
    assert {match.minutes for match in first.matches} == {45}
    with pytest.raises(refuse.StageNotDrawn):
        hall.pair()
    drawn: StageDrawn = hall.draw()[0]
    assert drawn.stage == "placement"
    winners = {match.teams[0] for match in first.matches}
    assert {team for seats in drawn.parts.values() for team in seats if team} == winners
    assert [len(play(hall).matches) for _ in range(3)] == [2, 2, 3]
    assert hall.state.planned == 4
    with pytest.raises(refuse.AllRoundsPaired):
        hall.pair()
    places = hall.propose().places
    assert sorted(ranks(places).values()) == [1, 2, 3, 4, 5, 6, 7, 7, 7, 7, 7, 7]
    assert [place.award for place in places][:7] == [1, 2, 3, 4, 5, 6, None]
    assert hall.declare().places == places


def test_the_stages_are_drawn_once_each() -> None:
    hall = zones()
    with pytest.raises(refuse.AlreadyDrawn):
        hall.draw()
    hall.pair()
    with pytest.raises(refuse.RoundIsOpen):
        hall.draw()


def test_lots_drawn_in_the_hall_are_taken_with_their_witness() -> None:
    hall = Hall(4, regulation=ZHONGSHAN, each=2)
    hall.commit()
    lots = rounds.Lots(parts={"A": ("B", "C"), "B": ("D", "A")}, witness="工会主席")
    made = hall.draw(lots=lots)[0]
    assert (made.parts, made.method, made.witness) == ({"A": ("B", "C"), "B": ("D", "A")}, "hand", "工会主席")


def test_what_is_no_draw_is_refused() -> None:
    with pytest.raises(refuse.DrawImpossible, match="D was drawn 2 times"):
        badly_drawn()
    hall = Hall(4, regulation=ZHONGSHAN, each=2)
    hall.commit()
    with pytest.raises(refuse.NoSuchTeam):
        hall.draw(lots=rounds.Lots(seeded=("Z",)))


def test_where_no_hand_was_played_nothing_decides_and_the_match_stays_open() -> None:
    with pytest.raises(refuse.WinnerNeeded) as refused:
        nothing_played().close("r1t2")
    assert refused.value.article == "七（一）2"
    for way in ("unfinished-hands", "time-calls/liftings", "phase: playing"):
        assert way in refused.value.say("zh")
        assert way in refused.value.say("en")


def test_time_before_a_hand_leaves_the_referee_the_ways_that_the_refusal_names() -> None:
    """七（一）2: 如在洗牌或摸牌期间比赛立即停止, so that nobody has won; 九: 以当场裁判长的裁决为准."""
    hall = nothing_played()
    hall.unfinished(1, "drawing", name="r1t2")
    hall.unfinished(1, "playing", name="r1t2", reason="裁判长裁定打完一副")
    hall.hand(1, 1, 0, name="r1t2")
    assert hall.close("r1t2").result.points == (1, 0)
    lifted = nothing_played()
    lifted.lift_time_call()
    lifted.hand(1, 1, 0, name="r1t2")
    lifted.call_time()
    assert lifted.close("r1t2").result.points == (1, 0)


def test_at_equal_levels_the_side_that_is_to_deal_next_wins() -> None:  # 七（一）2, read
    hall = zones()
    hall.pair()
    hall.hand(1, 1, 80)  # the attackers take the deal, and nobody gains
    hall.call_time()
    assert hall.close().result.points == (0, 1)


def test_after_a_double_forfeit_the_next_opponent_goes_on() -> None:
    hall = zones()
    first = hall.pair()
    absent = first.matches[0]
    hall.forfeit(*absent.teams, name=absent.match)
    finish(hall, first, first.matches[1:])
    drawn = hall.draw()[0]
    assert len([team for seats in drawn.parts.values() for team in seats if team]) == 5


def test_a_team_that_left_is_not_paired_and_its_opponent_goes_on() -> None:
    hall = zones()
    play(hall)
    drawn = hall.draw()[0]
    seats = drawn.parts[""]
    one, two = next((a, b) for a, b in zip(seats[::2], seats[1::2], strict=True) if a and b)
    hall.withdraw(one)
    second: RoundPaired = play(hall)
    assert one not in {team for match in second.matches for team in match.teams}
    assert two in second.byes


def test_a_winner_who_plays_on_is_not_changed_behind_the_later_round() -> None:
    hall = another_winner()
    winner = hall.table(round=1).teams[1]
    with pytest.raises(refuse.LaterRoundsRest):
        hall.close_round()
    hall.unpair(2)
    hall.close_round()
    again = hall.pair()
    assert again.matches[0].match == "r2x2t1"
    assert winner in {team for match in again.matches for team in match.teams}


def test_a_decision_that_lets_later_rounds_stand_leaves_the_bracket_as_it_was_played() -> None:
    hall = zones(24)
    first = play(hall)
    match = first.matches[0]
    play(hall)
    hall.rule("award_match", match.match, team=match.teams[1], let_stand=True)
    assert hall.result().points == (0, 1), "the result is as decided"
    drawn = hall.draw()[0]
    assert match.teams[1] not in {team for seats in drawn.parts.values() for team in seats}


# shandong-2023 八.13: twelve hands at each of two tables, points added

SHANDONG = reference(load("shandong-2023"))
NOTHING, ONE = 100, 60
"""Points of the attackers at which nobody gains (d = 100), and at which the dealer side gains one (d = 140)."""


def two_tables(teams: int = 2) -> Hall:
    """Drawn and paired; a match is at two tables."""
    return Hall(teams, regulation=SHANDONG).paired()


def twelve_hands(hall: Hall, name: str = "r1t1", gained: int = 0, dealer: int = 1) -> Hall:
    """Twelve hands, in the first of which the dealer's side gains one level each."""
    return hall.hands(*[(dealer, ONE)] * gained, *[(1, NOTHING)] * (12 - gained), name=name)


def equal_at_both_tables() -> Hall:
    """Each side has gained one level, at one of the tables."""
    hall = twelve_hands(twelve_hands(two_tables(), gained=1), name="r1t2", gained=1, dealer=2)
    hall.close("r1t1")
    hall.close("r1t2")
    return hall


def test_a_match_is_played_at_two_tables_and_its_points_are_added() -> None:
    hall = Hall(2, regulation=SHANDONG).drawn()
    paired: RoundPaired = hall.pair()
    assert [(match.table, match.board) for match in paired.matches] == [(1, 1), (2, 2)]
    assert len({match.game for match in paired.matches}) == 1
    twelve_hands(hall, gained=1)
    twelve_hands(hall, name="r1t2", gained=3, dealer=2)
    assert hall.close("r1t1").result.points == (2, 0), "half points"
    assert hall.close("r1t2").result.points == (0, 6)
    hall.close_round()
    places = hall.propose().places
    assert [place.team for place in places] == [paired.matches[0].teams[1], paired.matches[0].teams[0]]


def test_a_table_is_closed_after_its_last_hand_and_takes_no_more() -> None:
    hall = two_tables().hands((1, ONE))
    with pytest.raises(refuse.HandsRemain):
        hall.close()
    hall.hands(*[(1, NOTHING)] * 11)
    with pytest.raises(refuse.HandNotDue):
        hall.hand(13)


def test_equal_points_are_played_on_by_one_hand_at_each_table_until_decided() -> None:
    hall = equal_at_both_tables()
    with pytest.raises(refuse.ExtraHandDue):
        hall.close_round()
    (ordered,) = hall.extra_hands()
    assert (ordered.matches, ordered.hand) == (("r1t1", "r1t2"), 13)
    with pytest.raises(refuse.OpenMatches):
        hall.close_round()
    hall.hand(13, 1, ONE, name="r1t1")
    hall.hand(13, 1, NOTHING, name="r1t2")
    hall.close("r1t1")
    hall.close("r1t2")
    with pytest.raises(refuse.NoExtraHand):
        hall.extra_hands()
    hall.close_round()
    assert hall.propose().places[0].team == hall.table().teams[0]


def test_half_points_lost_by_a_foul_decide() -> None:  # 八.14: 0.5—4 分
    hall = twelve_hands(twelve_hands(two_tables(), gained=1), name="r1t2", gained=1, dealer=2)
    claim = Claim(
        hand=12,
        claimed_during=12,
        pair="13",
        code="peeking",
        cards=None,
        occasions=1,
        reason="偷看",
        lost="0.5",
        compensation="0.5",
    )
    hall._on_match("r1t1", lambda m, s: penalties.issue_penalty(m, hall.preset, s, claim, "ref"), "ref")
    assert hall.close("r1t1").result.points == (1, 1)
    hall.close("r1t2")
    hall.close_round()
    assert hall.propose().places[0].team == hall.table().teams[1]


def test_a_team_that_did_not_come_to_a_table_has_forfeited_the_match() -> None:
    hall = two_tables()
    absent, other = hall.table().teams
    twelve_hands(hall, gained=4)
    hall.close("r1t1")
    hall.forfeit(absent, name="r1t2")
    hall.close_round()
    assert hall.propose().places[0].team == other


def test_from_eight_to_the_match_for_third() -> None:  # 九（一）: 1, 2, 5
    hall = Hall(8, regulation=SHANDONG).drawn()
    for matches in (8, 4, 4):
        paired = hall.pair()
        assert len(paired.matches) == matches
        for match in paired.matches:
            twelve_hands(hall, name=match.match, gained=1)
            hall.close(match.match)
        hall.close_round(paired.round)
    hall.now += timedelta(hours=25)
    places = hall.propose().places
    assert sorted(ranks(places).values()) == [1, 2, 3, 4, 5, 5, 5, 5]
    assert [place.award for place in places] == [1, 2, 3, 4, 5, 5, 5, 5]


# jimei-2018: orders, by hand, undone


def test_an_order_fixes_a_pair_for_the_next_round_alone() -> None:
    hall = Hall().drawn()
    hall.order("fixed", "A", "B")
    assert {"A", "B"} in [set(match.teams) for match in hall.pair().matches]
    hall.unpair()
    hall.lift_order("B", "A")
    assert hall.state.orders == ()
    with pytest.raises(refuse.NoSuchOrder):
        hall.lift_order("A", "B")


def test_an_order_forbids_a_pair_and_the_round_says_so() -> None:
    hall = Hall().drawn()
    seated = hall.pair().matches[0].teams
    hall.unpair()
    hall.order("forbidden", *seated)
    again = hall.pair()
    assert set(seated) not in [set(match.teams) for match in again.matches]
    assert again.forbidden == (seated,)
    assert again.attempt == 2


def test_a_team_cannot_be_ordered_to_meet_itself() -> None:
    with pytest.raises(refuse.PairingImpossible):
        Hall().drawn().order("fixed", "A", "A")


def test_a_round_by_hand_is_checked_and_says_what_it_gives_up() -> None:
    hall = Hall().drawn().play(">", ">")
    winners = [hall.table(number).teams[0] for number in (1, 2)]
    losers = [hall.table(number).teams[1] for number in (1, 2)]
    paired = hall.pair_by_hand(winners[0] + losers[1], winners[1] + losers[0])
    assert paired.gave_up == ("least_floats",)
    assert paired.by_hand == "场地所限"
    with pytest.raises(refuse.RoundIsOpen):
        hall.pair_by_hand("AB", "CD")


def test_what_is_no_round_is_refused_by_hand() -> None:
    with pytest.raises(refuse.PairingImpossible):
        Hall().drawn().pair_by_hand("AB", "CA")
    with pytest.raises(refuse.PairingImpossible):
        zones().pair_by_hand("AB", "CD")


def test_only_the_last_round_and_only_before_it_begins_is_undone() -> None:
    hall = Hall().drawn().play(">", ">")
    hall.pair()
    with pytest.raises(refuse.NotTheLastRound):
        hall.unpair(1)
    hall.hand(1, 1, 0, name="r2t1")
    with pytest.raises(refuse.RoundHasBegun):
        hall.unpair(2)


def test_a_round_paired_anew_has_matches_of_its_own() -> None:
    hall = Hall().paired()
    hall.unpair()
    assert hall.pair().matches[0].match == "r1x2t1"
