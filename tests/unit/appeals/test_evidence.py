"""Evidence of an appeal: files that are what they are said to be, and events of the log; who brings it, and what is
struck again (RULINGS, Appeals)."""

from __future__ import annotations

from typing import Any

import pytest

from services.appeals import evidence
from services.appeals import refusals as refuse
from services.appeals.evidence import LARGEST, MOST, Brought, Kept, check_kind, event_named, file, strike
from services.appeals.model import Appeal, evolve
from shared.contracts.appeals import EvidenceFiled, EvidenceSide, EvidenceStruck
from tests.unit.appeals.desk import DRAFTED, LODGED, UPHELD, accept, after, decide, hear, only
from tests.unit.appeals.service import CUP, Desk

PNG = b"\x89PNG\r\n\x1a\n a score sheet"
PHOTO = Kept(media="image/png", size=20, sha256="ab")
EVENT = "match/cup/m1.1@1"


def brought(side: EvidenceSide = "appellant", by: str = "leader") -> Brought:
    return Brought(side=side, title="记分表", by=by)


def filed(state: Appeal, what: Any = PHOTO, **who: Any) -> Appeal:
    for event in file(state, brought(**who), what):
        state = evolve(state, event)
    return state


def test_the_team_files_from_its_draft_on_and_the_other_once_it_is_lodged() -> None:
    assert only(file(after(*DRAFTED), brought(), PHOTO), EvidenceFiled).side == "appellant"
    with pytest.raises(refuse.NotLodgedYet):
        file(after(*DRAFTED), brought("opponent"), PHOTO)
    assert only(file(after(*LODGED), brought("opponent"), PHOTO), EvidenceFiled).side == "opponent"


def test_after_the_decision_nothing_is_filed_or_struck() -> None:
    with pytest.raises(refuse.AlreadyDecided):
        file(after(*UPHELD), brought(), PHOTO)
    with pytest.raises(refuse.AlreadyDecided):
        strike(after(*UPHELD), "e1", "误传", "leader", "appellant")


def test_the_desk_strikes_after_the_decision_too_what_nobody_may_keep() -> None:
    state = after(*LODGED, lambda s: file(s, brought(), PHOTO), accept(), hear(), decide())
    assert only(strike(state, "e1", "拍到身份证", "bureau", "desk"), EvidenceStruck).evidence == "e1"


def test_the_same_of_the_same_side_is_there_once() -> None:
    state = filed(after(*LODGED))
    assert file(state, brought(), PHOTO) == []
    assert only(file(state, brought("opponent"), PHOTO), EvidenceFiled).evidence == "e2"
    assert only(file(state, brought(), EVENT), EvidenceFiled).event == EVENT


def test_there_is_an_end_to_what_is_read() -> None:
    state = after(*LODGED)
    for number in range(MOST):
        state = filed(state, Kept(media="image/png", size=1, sha256=f"{number}"))
    with pytest.raises(refuse.TooMuchEvidence):
        file(state, brought(), EVENT)


def test_its_team_strikes_it_or_the_desk_and_nobody_else() -> None:
    state = filed(after(*LODGED))
    assert strike(state, "e1", "误传", "coach", "appellant")
    assert only(strike(state, "e1", "误传", "leader", "appellant"), EvidenceStruck).reason == "误传"
    assert strike(state, "e1", "误传", "bureau", "desk")
    with pytest.raises(refuse.NotYourEvidence):
        strike(state, "e1", "误传", "rival", "opponent")
    with pytest.raises(refuse.NoSuchEvidence):
        strike(state, "e2", "误传", "leader", "appellant")


@pytest.mark.parametrize(
    ("media", "content"),
    [("image/png", b"\xff\xd8\xff"), ("application/pdf", PNG), ("text/html", b"<html>"), ("image/png", b"MZ\x90")],
)
def test_a_file_is_what_it_is_said_to_be(media: str, content: bytes) -> None:
    with pytest.raises(refuse.NotThatKindOfFile):
        check_kind(media, content)
    check_kind("image/png", PNG)
    assert LARGEST == 4 * 1024 * 1024


@pytest.mark.parametrize("event", ["match/other/m1@1", "entry/cup/red@1", "match/cup/m1", "match/cup/m1@0", "x@1", ""])
def test_a_reference_names_an_event_of_the_competitions_matches_or_rounds(event: str) -> None:
    with pytest.raises(refuse.NoSuchEvent):
        event_named(CUP, event)
    assert event_named(CUP, "rounds/cup@3") == evidence.Named(stream="rounds/cup", version=3)


def _lodged() -> tuple[Desk, str]:
    at = Desk()
    return at, at.lodged()


def test_a_file_comes_back_as_it_was_sent_and_is_nowhere_in_the_log() -> None:
    at, appeal = _lodged()
    at.exhibits.send(at.by("leader", "leader"), CUP, appeal, brought(), "image/png", PNG)
    at.settle()
    told, content = at.exhibits.given(at.by("chair", "committee"), CUP, appeal, "e1")
    assert (content, told.size) == (PNG, len(PNG))
    assert not any(b"score sheet" in event.data for event in at.published())
    assert at.secrets.files.get(told.sha256) not in (None, PNG)
    assert [one["evidence"] for one in at.row(appeal).evidence] == ["e1"]


def test_who_was_given_it_is_recorded_first() -> None:
    at, appeal = _lodged()
    at.exhibits.send(at.by("leader", "leader"), CUP, appeal, brought(), "image/png", PNG)
    at.exhibits.given(at.by("chair", "committee"), CUP, appeal, "e1")
    at.settle()
    assert [event.type for event in at.published()][-1] == "EvidenceRead"


def test_a_struck_file_is_gone_and_its_hash_stays() -> None:
    at, appeal = _lodged()
    at.exhibits.send(at.by("leader", "leader"), CUP, appeal, brought(), "image/png", PNG)
    sha256 = at.use.load_appeal(CUP, appeal).evidence[0].sha256
    at.exhibits.strike(at.by("leader", "leader"), CUP, appeal, "e1", "误传", "appellant")
    at.settle()
    assert at.secrets.files.get(sha256) is None
    with pytest.raises(refuse.NoSuchEvidence):
        at.exhibits.given(at.by("chair", "committee"), CUP, appeal, "e1")
    (row,) = at.row(appeal).evidence
    assert (row["struck"], row["sha256"]) == ("误传", sha256)


def test_a_reference_leads_to_an_event_that_is_there() -> None:
    at, appeal = _lodged()
    stream = f"match/{CUP}/m1.1"
    at.exhibits.refer(at.by("leader", "leader"), CUP, appeal, brought(), f"{stream}@1")
    with pytest.raises(refuse.NoSuchEvent):
        at.exhibits.refer(at.by("leader", "leader"), CUP, appeal, brought(), f"{stream}@99")
    with pytest.raises(refuse.NoSuchEvent):
        at.exhibits.refer(at.by("leader", "leader"), CUP, appeal, brought(), "match/cup/m7@1")


def test_what_names_an_event_has_no_file() -> None:
    at, appeal = _lodged()
    stream = f"match/{CUP}/m1.1"
    at.exhibits.refer(at.by("leader", "leader"), CUP, appeal, brought(), f"{stream}@1")
    with pytest.raises(refuse.NoSuchFile):
        at.exhibits.given(at.by("chair", "committee"), CUP, appeal, "e1")
