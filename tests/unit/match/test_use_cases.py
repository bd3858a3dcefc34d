"""Match's use cases over a store: repeated commands, seeds, and competitions that never mix."""

from __future__ import annotations

from datetime import timedelta

import pytest

from services.match import refusals
from services.match.commands import match_stream, rounds_stream
from services.match.model.hands import HandEntry
from shared.eventsourcing.errors import CommandReused, VersionMismatch
from tests.unit.match.hall import CUP, MICROSECOND, NOON, facts
from tests.unit.match.service import MatchService


def test_a_competition_that_was_never_announced_is_not_known() -> None:
    service = MatchService()
    for act in ("commit_seed", "draw", "pair_next", "propose_places"):
        with pytest.raises(refusals.NoSuchCompetition):
            service.do(act)
    assert service.commits.pending(10) == []


def test_a_seed_refused_leaves_no_secret() -> None:
    service = MatchService()
    with pytest.raises(refusals.NoSuchCompetition):
        service.do("commit_seed", competition="nowhere")
    assert service.secrets.get("seed/nowhere") is None


def test_the_seed_stands_in_no_commit_and_no_row_before_the_draw() -> None:
    service = MatchService().announce()
    service.do("commit_seed")
    seed = service.secrets.get(f"seed/{CUP}")
    assert seed is not None
    stored = repr(service.commits.stream(rounds_stream(CUP))) + repr(service.documents._collections)
    assert seed.hex() not in stored
    assert repr(seed) not in stored
    service.close_entries()
    service.do("draw")
    assert seed.hex() in repr(service.commits.stream(rounds_stream(CUP)))


def test_a_seed_is_in_time_by_the_deadline_as_it_was_amended() -> None:
    later, earlier = MatchService().announce(), MatchService().announce()
    later.amend_close(NOON + timedelta(hours=1))
    later.clock.set(NOON + timedelta(hours=1))
    later.do("commit_seed")
    earlier.amend_close(NOON - timedelta(hours=1))
    earlier.clock.set(NOON - timedelta(hours=1) + MICROSECOND)
    with pytest.raises(refusals.SeedTooLate):
        earlier.do("commit_seed")


def test_a_team_whose_entry_was_withdrawn_draws_no_number() -> None:
    service = MatchService().announce()
    service.entry_withdrawn("C")
    service.drawn()
    assert {drawn.team.id for drawn in service.rounds().teams} == set("ABD")


def test_the_same_command_again_does_nothing_and_says_what_it_did() -> None:
    service = MatchService().announce().paired()
    entry = HandEntry(hand=1, facts=facts(1, 40))
    first = service.do("record_hand", "r1t1", entry, key="k")
    again = service.do("record_hand", "r1t1", entry, key="k")
    assert (first.replayed, again.replayed) == (False, True)
    assert again.events == first.events
    assert len(service.match().hands) == 1


def test_a_pairing_asked_for_again_after_the_cancellation_is_answered_as_the_first_time() -> None:
    service = MatchService().announce().drawn()
    first = service.do("pair_next", key="k")
    service.cancel()
    assert service.do("pair_next", key="k").events == first.events
    with pytest.raises(refusals.CompetitionIsCancelled):
        service.do("pair_next")


@pytest.mark.parametrize("act", ["pair_next", "propose_places", "declare_places"])
def test_a_cancelled_competition_pairs_and_places_nobody(act: str) -> None:
    service = MatchService().announce().drawn()
    service.cancel()
    with pytest.raises(refusals.CompetitionIsCancelled):
        service.do(act)


def test_a_key_used_for_something_else_is_refused() -> None:
    service = MatchService().announce().paired()
    command = service.command("k")
    service.commands.record_hand(command, CUP, "r1t1", HandEntry(hand=1, facts=facts()))
    other = type(command)(**{name: getattr(command, name) for name in command.__struct_fields__} | {"fingerprint": "x"})
    with pytest.raises(CommandReused):
        service.commands.record_hand(other, CUP, "r1t1", HandEntry(hand=2, facts=facts()))


def test_a_version_that_no_longer_holds_is_told() -> None:
    service = MatchService().announce().paired()
    service.hand(1)
    with pytest.raises(VersionMismatch):
        service.commands.record_hand(service.command(expected=0), CUP, "r1t1", HandEntry(hand=2, facts=facts(3, 0)))
    service.commands.record_hand(service.command(expected=2), CUP, "r1t1", HandEntry(hand=2, facts=facts(3, 0)))


def test_two_competitions_with_the_same_matches_and_teams_never_mix() -> None:
    service = MatchService().announce().announce("bowl", "ABC")
    service.do("commit_seed", competition="bowl")
    service.paired()
    service.close_entries("bowl")
    service.do("draw", competition="bowl")
    service.do("pair_next", competition="bowl")
    service.hand(1, points=40)
    service.hand(1, points=100, competition="bowl")
    assert service.match().hands[0].points == 40
    assert service.match(competition="bowl").hands[0].points == 100
    assert service.rounds().seed != service.rounds("bowl").seed
    with pytest.raises(refusals.NoSuchMatch):
        service.hand(1, name="r1t2", competition="bowl")
    service.uphold("award_match", competition="bowl", team=service.rounds("bowl").rounds[0].pairings[0].teams[0])
    service.settle()
    assert "RulingApplied" not in service.events(rounds_stream(CUP))
    assert "RulingApplied" in service.events(rounds_stream("bowl"))


def test_tables_do_not_contend() -> None:
    service = MatchService().announce().paired()
    service.hand(1, name="r1t1")
    service.hand(1, name="r1t2")
    assert [commit.first for commit in service.commits.stream(match_stream(CUP, "r1t2"))] == [1]
