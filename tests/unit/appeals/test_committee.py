"""Who decides: a committee that the organiser names, with a quorum, substitutes and a date; appeals heard together or
apart (RULINGS, Appeals 3, 7 and 8)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from services.appeals import model
from services.appeals import refusals as refuse
from services.appeals.committee import Committee, name
from services.appeals.model import Appeal, Events
from services.appeals.records import decide_by
from shared.contracts.appeals import AppealHeard, CommitteeMember, CommitteeNamed
from tests.unit.appeals import desk
from tests.unit.appeals.desk import ACCEPTED, CHAIR, EARLY, HEARD, JIMEI, LODGED, MICROSECOND, UPHELD, after, only
from tests.unit.appeals.service import CUP, Desk

BUREAU = "集美区体育局"
LI, WU, HE = (CommitteeMember(account=account, unit=BUREAU) for account in ("li", "wu", "he"))


def named(*members: CommitteeMember, **more: Any) -> desk.Act:
    return lambda state: name(state, desk.case(), Committee(members=members, **more), EARLY, "bureau")


def test_more_than_half_must_sit_where_nobody_says_otherwise() -> None:
    for count, quorum in ((1, 1), (2, 2), (3, 2), (4, 3), (5, 3)):
        members = tuple(CommitteeMember(account=f"m{n}", unit=BUREAU) for n in range(count))
        assert only(named(*members)(after(*LODGED)), CommitteeNamed).quorum == quorum


def test_only_the_named_members_sit_and_enough_of_them() -> None:
    state = after(*LODGED, named(LI, WU, HE), desk.accept())
    only(desk.hear(LI, WU)(state), AppealHeard)
    with pytest.raises(refuse.NoQuorum) as few:
        desk.hear(LI)(state)
    assert few.value.params == {"quorum": 2, "present": 1}
    with pytest.raises(refuse.NotOfTheCommittee):
        desk.hear(LI, CHAIR)(state)
    with pytest.raises(refuse.NotOfTheCommittee):
        desk.hear(LI, CommitteeMember(account="wu", unit="别的单位"))(state)


def test_the_decision_too_needs_the_quorum() -> None:
    state = after(*LODGED, named(LI, WU, HE), desk.accept(), desk.hear(LI, WU))
    with pytest.raises(refuse.NoQuorum):
        desk.decide(members=(LI,))(state)
    assert desk.decide(members=(LI, HE))(state)


def test_nobody_sits_twice() -> None:
    with pytest.raises(refuse.SitsTwice):
        named(LI, LI)(after(*LODGED))
    with pytest.raises(refuse.SitsTwice):
        desk.hear(LI, LI)(after(*ACCEPTED))


def test_who_has_a_conflict_is_not_named() -> None:
    teams_unit = next(iter(desk.case().teams.values()))
    with pytest.raises(refuse.MemberOfATeamsUnit):
        named(CommitteeMember(account="li", unit=teams_unit))(after(*LODGED))
    referee = desk.case().penalties["p1"].account
    with pytest.raises(refuse.RefereeOfTheRuling):
        named(CommitteeMember(account=referee, unit=BUREAU))(after(*LODGED))


def test_substitutes_take_the_place_of_members_with_a_reason() -> None:
    state = after(*LODGED, named(LI, WU))
    with pytest.raises(refuse.ReasonNeeded):
        named(LI, HE)(state)
    state = after(*LODGED, named(LI, WU), named(LI, HE, reason="吴回避"), desk.accept())
    assert desk.hear(LI, HE)(state)
    with pytest.raises(refuse.NotOfTheCommittee):
        desk.hear(LI, WU)(state)


def test_a_quorum_that_cannot_be_and_a_date_that_is_past_are_refused() -> None:
    with pytest.raises(refuse.QuorumImpossible):
        named(LI, quorum=2)(after(*LODGED))
    with pytest.raises(refuse.DateIsPast):
        named(LI, decide_by=EARLY)(after(*LODGED))
    assert named(LI, decide_by=EARLY + MICROSECOND)(after(*LODGED))


def test_of_a_decided_appeal_nobody_is_named() -> None:
    with pytest.raises(refuse.AlreadyDecided):
        named(LI)(after(*UPHELD))


def _other(state: Appeal, **fields: Any) -> Appeal:
    return msgspec.structs.replace(state, id="a-2", **fields)


def _together(state: Appeal, other: Appeal) -> Events:
    return model.hear(state, desk.case(), (CHAIR,), "committee", [other])


@pytest.mark.parametrize("past", [ACCEPTED, HEARD])
def test_two_accepted_appeals_over_one_match_are_heard_together(past: tuple[desk.Act, ...]) -> None:
    state = after(*ACCEPTED)
    assert only(_together(state, _other(after(*past))), AppealHeard).together_with == ("a-2",)


def test_appeals_over_different_matches_are_heard_apart() -> None:
    state = after(*ACCEPTED)
    for other in (_other(state, match="m9"), _other(after(*LODGED)), _other(after(*UPHELD)), state):
        with pytest.raises(refuse.NotTogether):
            _together(state, other)


def test_the_date_that_the_organiser_sets_is_the_one_that_is_flagged() -> None:
    at = Desk()
    appeal = at.lodged()
    due = at.clock.now() + timedelta(hours=5)
    committee = Committee(members=(LI,), decide_by=due)
    at.use.name_committee(at.by("bureau"), CUP, appeal, committee)
    at.settle()
    assert decide_by(at.row(appeal), JIMEI) == due
    at.clock.set(due)
    at.settle()
    assert not at.row(appeal).overdue
    at.clock.advance(MICROSECOND)
    at.settle()
    assert at.row(appeal).overdue
