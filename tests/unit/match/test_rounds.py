"""The draw, pairings, absences and withdrawals (RULINGS, Draws, pairing, byes)."""

from __future__ import annotations

import hashlib

import pytest

from services.match import refusals
from services.match.model.rounds import as_competition
from shared.rules.formats.draws import shuffle
from tests.unit.match.hall import NOON, SEED, Hall


def test_the_commitment_is_the_hash_of_the_seed_and_hides_it() -> None:
    (event,) = Hall().commit()
    assert event.commitment == hashlib.sha256(SEED).hexdigest()
    assert SEED.hex() not in str(event)


def test_a_seed_is_in_time_at_the_instant_that_entries_close() -> None:
    assert Hall().commit(at=NOON)


def test_the_draw_reveals_the_seed_and_anyone_can_repeat_it() -> None:
    hall = Hall(8)
    hall.commit()
    (event,) = hall.draw()
    order = [drawn.team.id for drawn in sorted(event.teams, key=lambda drawn: drawn.number)]
    assert hashlib.sha256(bytes.fromhex(event.seed)).hexdigest() == event.commitment
    assert tuple(order) == shuffle(bytes.fromhex(event.seed), "round 1", "HGFEDCBA")


@pytest.mark.parametrize(("teams", "planned"), [(2, 4), (16, 4)])
def test_up_to_sixteen_teams_play_four_rounds(teams: int, planned: int) -> None:
    assert Hall(teams).drawn().pair().rounds_planned == planned


def test_numbers_one_and_two_meet_in_the_first_round() -> None:
    hall = Hall(6).drawn()
    numbers = {drawn.number: drawn.team.id for drawn in hall.state.teams}
    meetings = {frozenset(match.teams) for match in hall.pair().matches}
    assert meetings == {frozenset((numbers[n], numbers[n + 1])) for n in (1, 3, 5)}


def test_the_odd_team_has_a_bye_and_nobody_has_two() -> None:
    hall = Hall(5).drawn()
    for _ in range(4):
        hall.play(">", ">")
    byes = [current.bye for current in hall.state.rounds]
    assert None not in byes
    assert len(set(byes)) == 4


def test_an_absent_team_misses_one_round_and_gets_nothing() -> None:
    hall = Hall(5).drawn()
    hall.absent("A")
    event = hall.pair()
    assert event.absent == ("A",)
    assert event.bye is None
    assert "A" not in {team for match in event.matches for team in match.teams}
    hall.call_time()
    hall.finish()
    assert "A" in {*sum((match.teams for match in hall.pair().matches), ()), hall.state.rounds[1].bye}


def test_saying_twice_that_a_team_is_absent_changes_nothing() -> None:
    hall = Hall(5).drawn()
    assert len(hall.absent("A")) == 1
    assert hall.absent("A") == []


def test_a_withdrawn_team_is_not_paired_again_and_keeps_its_open_match() -> None:
    hall = Hall().paired()
    gone = hall.seated().teams[0]
    (event,) = hall.withdraw(gone)
    assert event.from_round == 2
    assert hall.forfeit(gone).result.points == (0, 2)
    hall.call_time()
    hall.finish()
    assert gone not in {team for match in hall.pair().matches for team in match.teams}
    assert hall.state.rounds[1].bye is not None


def test_a_withdrawn_team_that_was_absent_is_named_once() -> None:
    hall = Hall(5).drawn()
    hall.absent("A")
    hall.withdraw("A")
    event = hall.pair()
    assert (event.absent, event.withdrawn) == ((), ("A",))


def test_a_disqualified_team_is_left_out_and_the_pairing_says_so() -> None:
    hall = Hall().drawn().play(">", ">")
    out = hall.table().teams[0]
    hall.rule("disqualify_team", team=out)
    hall.rule("disqualify_team", name="r1t1", team=out, appeal="a2")
    event = hall.pair()
    assert event.disqualified == (out,)
    assert out not in {team for match in event.matches for team in match.teams}


def test_a_rule_that_must_be_given_up_is_named_with_the_reason_in_both_languages() -> None:
    hall = Hall(2).drawn().play("=")
    event = hall.pair()
    assert event.gave_up == ("no_rematch",)
    (why,) = event.why
    assert why.zh.endswith("至少有 1 场重复")
    assert "repeats at least 1" in why.en


def test_a_team_alone_has_the_bye_and_the_round_closes_at_once() -> None:
    hall = Hall(2).drawn()
    hall.withdraw("A")
    assert hall.pair().bye == "B"
    assert hall.close_round().bye_points == 2  # 十二（名次）.1: 轮空选手计得2分


def test_time_is_called_for_the_open_round_alone() -> None:
    hall = Hall().drawn().play(">", ">")
    hall.pair()
    with pytest.raises(refusals.RoundIsClosed):
        hall.call_time(1)
    (event,) = hall.call_time(2)
    assert (event.round, event.unfinished_hand) == (2, "discard")


def test_the_organisers_own_values_are_those_that_decide() -> None:
    hall = Hall(match__rounds=[{"up_to": None, "rounds": 1}], match__points__win=3).drawn().play(">", "=")
    assert hall.result().points in ((3, 0), (1, 1))
    with pytest.raises(refusals.AllRoundsPaired):
        hall.pair()


def test_an_absence_entered_by_mistake_is_taken_back() -> None:
    hall = Hall().drawn()
    hall.absent("A")
    assert hall.lift_absence("A")[0].round == 1
    assert hall.pair().absent == ()


def test_only_an_absence_that_was_entered_from_a_round_that_is_not_paired_is_taken_back() -> None:
    hall = Hall().drawn()
    with pytest.raises(refusals.NotAbsent):
        hall.lift_absence("A")
    hall.absent("A")
    assert hall.pair().absent == ("A",)
    with pytest.raises(refusals.NotAbsent):
        hall.lift_absence("A")


def test_a_swiss_goes_on_with_the_points_as_ruled_although_the_round_that_rested_on_them_stands() -> None:
    """RULINGS, Appeals 6: rounds already paired stand; the next one is paired by what then is so."""
    hall = Hall(4).drawn().play(">", ">")
    hall.pair()
    won, lost = hall.table(1, round=1).teams
    hall.rule("award_match", "r1t1", team=lost, let_stand=True)
    (first, _) = as_competition(hall.state, in_bracket=True).rounds
    assert (first.matches[0].teams, first.matches[0].points) == ((won, lost), (0, 2))
