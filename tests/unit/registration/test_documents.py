"""Papers at the desk: what is due, what came, what is missing at any moment."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from services.registration import refusals
from services.registration.documents import Document, Named
from services.registration.forms import team_id
from shared.contracts.registration import DocumentReceived
from tests.unit.registration.desk import MICROSECOND, NOON, OCTOBER, UNIT, Desk, player

JPEG = b"\xff\xd8\xff\xe0 an identity card"
TEAM = team_id(UNIT)
FORM, COPY, PHOTO = Named(document="form"), Named(document="identity_copy", member=0), Named(document="photo", member=1)
RESIDENTS = (player("陈一", resident=True), player("林二", resident=True))


@pytest.fixture
def desk() -> Desk:
    """A desk with an entry of two who have their household in the district."""
    desk = Desk().open()
    desk.submit(members=RESIDENTS)
    return desk


def papers(desk: Desk, as_of: datetime | None = None) -> dict[tuple[str, int | None], Document]:
    return {(d.due.document, d.member): d for d in desk.all.documents.of(desk.id, TEAM, as_of)}


def missing(desk: Desk, as_of: datetime | None = None) -> dict[tuple[str, int | None], str]:
    return {named: d.missing for named, d in papers(desk, as_of).items() if d.missing}


def receive(desk: Desk, named: Named, **more: object) -> None:
    desk.all.documents.receive(desk.command(), desk.id, TEAM, named, **more)  # type: ignore[arg-type]


def send(desk: Desk, named: Named, content: bytes = JPEG, media: str = "image/jpeg") -> DocumentReceived:
    outcome = desk.all.documents.send(desk.command(), desk.id, TEAM, named, media, content, False)
    return outcome.events[0] if outcome.events else None  # type: ignore[return-value]


def test_at_first_everything_is_missing(desk: Desk) -> None:
    """十二（报名）."""
    assert missing(desk) == dict.fromkeys(
        [("form", None), ("identity_copy", 0), ("identity_copy", 1), ("photo", 0), ("photo", 1)], "not_received"
    )


def test_a_form_without_the_seal_is_not_there_yet(desk: Desk) -> None:
    """十二（报名）: 盖章有效."""
    receive(desk, FORM)
    assert missing(desk)["form", None] == "no_seal"
    receive(desk, FORM, seal=True)
    assert ("form", None) not in missing(desk)


def test_what_was_missing_is_known_of_every_moment(desk: Desk) -> None:
    receive(desk, COPY)
    at = desk.clock.now()
    desk.clock.advance(MICROSECOND)
    receive(desk, FORM, seal=True)
    assert set(missing(desk, at)) - set(missing(desk)) == {("form", None)}
    with pytest.raises(refusals.NoSuchEntry):
        papers(desk, OCTOBER - MICROSECOND)


def test_a_paper_sent_back_is_due_again_until_another_comes(desk: Desk) -> None:
    send(desk, COPY)
    desk.all.documents.reject(desk.command(), desk.id, TEAM, COPY, "看不清")
    assert missing(desk)["identity_copy", 0] == "rejected"
    send(desk, COPY)
    assert ("identity_copy", 0) not in missing(desk)


def test_a_paper_entered_for_an_earlier_hour_has_that_hour_and_a_reason(desk: Desk) -> None:
    desk.clock.set(NOON + timedelta(hours=2))
    receive(desk, FORM, seal=True, received_at=NOON, reason="截止前已交到柜台")
    assert not papers(desk)["form", None].late
    receive(desk, COPY)
    assert papers(desk)["identity_copy", 0].late
    with pytest.raises(refusals.EarlierReceiptNeedsReason):
        receive(desk, COPY, received_at=NOON)
    with pytest.raises(refusals.ReceivedLater):
        receive(desk, COPY, received_at=desk.clock.now() + MICROSECOND, reason="预交")


def test_the_same_person_keeps_the_papers_when_the_entry_changes(desk: Desk) -> None:
    receive(desk, COPY)
    desk.change(members=(player("王三", resident=True), RESIDENTS[0]))
    assert {("identity_copy", 0), ("photo", 0)} <= set(missing(desk))
    assert ("identity_copy", 1) not in missing(desk)


def test_a_file_is_sealed_and_comes_back_as_it_was(desk: Desk) -> None:
    event = send(desk, COPY)
    assert (event.how, event.media, event.size) == ("file", "image/jpeg", len(JPEG))
    assert desk.all.documents.file(desk.id, TEAM, COPY)[1] == JPEG
    (kept,) = desk.secrets.files._files.values()
    assert JPEG not in kept


def test_the_log_knows_the_bytes_as_they_are_kept_and_not_the_picture(desk: Desk) -> None:
    import hashlib

    event = send(desk, COPY)
    (name, kept), *_ = desk.secrets.files._files.items()
    assert event.sha256 == name == hashlib.sha256(kept).hexdigest()
    assert event.sha256 != hashlib.sha256(JPEG).hexdigest()


def test_the_same_file_sent_again_is_one_file(desk: Desk) -> None:
    assert send(desk, COPY)
    assert send(desk, COPY) is None
    assert len(desk.secrets.files._files) == 1
    send(desk, Named(document="identity_copy", member=1))
    assert len(desk.secrets.files._files) == 2, "of another person it is another secret"


@pytest.mark.parametrize(
    ("named", "content", "media"),
    [
        (COPY, b"MZ\x90 a program", "image/jpeg"),
        (COPY, JPEG, "image/png"),
        (COPY, b"<html>", "application/pdf"),
        (PHOTO, b"%PDF-1.7", "application/pdf"),  # 2寸电子版照片
    ],
)
def test_what_a_file_is_said_to_be_it_must_be(desk: Desk, named: Named, content: bytes, media: str) -> None:
    with pytest.raises(refusals.NotThatKindOfFile):
        send(desk, named, content, media)
    assert desk.secrets.files._files == {}


@pytest.mark.parametrize(
    "named", [Named(document="contract", member=0), Named(document="photo"), Named(document="form", member=0)]
)
def test_what_is_not_asked_for_is_not_taken(desk: Desk, named: Named) -> None:
    with pytest.raises(refusals.NoSuchDocument):
        receive(desk, named)


def test_of_an_erased_person_nothing_is_due_and_no_file_opens(desk: Desk) -> None:
    send(desk, COPY)
    desk.secrets.erase(f"person/{desk.entry().members[0].person}")
    assert {member for _, member in papers(desk)} == {None, 1}
    with pytest.raises(refusals.NoSuchDocument):
        desk.all.documents.file(desk.id, TEAM, COPY)


def test_a_paper_of_which_there_is_no_file_cannot_be_shown(desk: Desk) -> None:
    receive(desk, COPY)
    with pytest.raises(refusals.NoSuchFile):
        desk.all.documents.file(desk.id, TEAM, COPY)
