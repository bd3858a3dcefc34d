"""Everything that registration refuses, each class once, whole in both languages."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta

import pytest

from services.registration import refusals
from services.registration.forms import MemberForm
from shared.contracts.refusal import Refusal
from tests.unit.registration.desk import MICROSECOND, NOON, OCTOBER, PAIR, Desk, player

HAN = re.compile(r"[一-鿿]")


def _at(desk: Desk, when: datetime) -> Desk:
    desk.clock.set(when)
    return desk


def _entered() -> Desk:
    desk = Desk().open()
    desk.submit()
    return desk


def _closed() -> Desk:
    desk = _at(_entered(), NOON + MICROSECOND)
    desk.close()
    return desk


def _cancelled() -> Desk:
    desk = _entered()
    desk.cancel()
    return desk


def _withdrawn() -> Desk:
    desk = _entered()
    desk.withdraw()
    return desk


def _unknown() -> Desk:
    desk = Desk()
    desk.id = "nowhere"
    return desk


CASES: list[tuple[type[Refusal], str, Callable[[], object]]] = [
    (refusals.NoSuchCompetition, "an entry for one never announced", lambda: _unknown().submit()),
    (refusals.NoSuchCompetition, "opening it", lambda: _unknown().open()),
    (refusals.NoSuchCompetition, "amending it", lambda: _unknown().amend(name="新名")),
    (refusals.NoSuchRegulation, "announcing from none", lambda: Desk().use.preset("nowhere-1999", {})),
    (
        refusals.FormatNotPlayed,
        "announcing from a regulation of knock-outs",
        lambda: Desk("shandong-2023", formats=("shengji/swiss",)),
    ),
    (refusals.NoSuchEntry, "changing what was not entered", lambda: Desk().open().change()),
    (refusals.NoSuchEntry, "withdrawing it", lambda: Desk().open().withdraw()),
    (refusals.NoSuchEntry, "asking for its unit", lambda: Desk().use.unit_of("cup", "t-1")),
    (refusals.RegulationChangeInvalid, "an unknown value", lambda: Desk(changes={"match.minute": 45})),
    (refusals.RegulationChangeInvalid, "a value of no use", lambda: Desk(changes={"match.minutes": "long"})),
    (
        refusals.RegulationChangeInvalid,
        "a close before the calendar",
        lambda: Desk(changes={"dates.entries_close": "0001-01-01T00:00:00"}),
    ),
    (refusals.DatesInvalid, "play ends before it begins", lambda: Desk(plays_to=date(2018, 11, 1))),
    (refusals.DatesInvalid, "entries close after play begins", lambda: Desk(plays_from=date(2018, 11, 11))),
    (refusals.DatesInvalid, "amended so", lambda: Desk().amend(plays_from=date(2018, 12, 1))),
    (refusals.DeadlineIsPast, "closing in the past", lambda: Desk().open().amend(entries_close=OCTOBER - MICROSECOND)),
    (refusals.CompetitionIsCancelled, "an entry", lambda: _cancelled().submit("杏林街道")),
    (refusals.CompetitionIsCancelled, "cancelled again", lambda: _cancelled().cancel()),
    (refusals.CompetitionIsCancelled, "amended", lambda: _cancelled().amend(name="新名")),
    (refusals.NothingToAmend, "the same name", lambda: _same_name(Desk())),
    (refusals.NothingToAmend, "nothing at all", lambda: Desk().amend()),
    (refusals.EntriesNotOpen, "an entry before the opening", lambda: Desk().submit()),
    (refusals.EntriesNotOpen, "a closing before it", lambda: Desk().close()),
    (refusals.EntriesAlreadyOpen, "opened again", lambda: Desk().open().open()),
    (refusals.EntriesClosedAlready, "a microsecond late", lambda: _at(Desk().open(), NOON + MICROSECOND).submit()),
    (refusals.EntriesClosedAlready, "changed late", lambda: _at(_entered(), NOON + MICROSECOND).change()),
    (refusals.EntriesClosedAlready, "withdrawn late", lambda: _at(_entered(), NOON + MICROSECOND).withdraw()),
    (refusals.EntriesClosedAlready, "opened late", lambda: _at(Desk(), NOON + MICROSECOND).open()),
    (refusals.EntriesClosedAlready, "closed again", lambda: _closed().close()),
    (refusals.EntriesClosedAlready, "the close moved after it", lambda: _closed().amend(entries_close=_later())),
    (
        refusals.EntriesClosedAlready,
        "the close moved when it had come",
        lambda: _at(_entered(), NOON + MICROSECOND).amend(entries_close=_later()),
    ),
    (refusals.EarlyClosingNeedsReason, "closed at noon itself", lambda: _at(_entered(), NOON).close()),
    (refusals.UnitAlreadyEntered, "a second team (九)", lambda: _entered().submit(name="二队")),
    (refusals.EntryIsWithdrawn, "changed afterwards", lambda: _withdrawn().change()),
    (refusals.EntryIsWithdrawn, "withdrawn again", lambda: _withdrawn().withdraw()),
    (refusals.EntryNotInOrder, "one player (九: 运动员2人)", lambda: Desk().open().submit(members=PAIR[:1])),
    (refusals.EntryNotInOrder, "too old (八)", lambda: Desk().open().submit(members=(PAIR[0], _born(1957, 12, 31)))),
    (refusals.EntryNotInOrder, "too young (八)", lambda: Desk().open().submit(members=(PAIR[0], _born(2000, 1, 1)))),
    (refusals.NothingToConfirm, "an age that is met", lambda: _entered().confirm("birth", 0)),
    (refusals.NothingToConfirm, "a rule that there is not", lambda: _entered().confirm("colour")),
    (refusals.DocumentNotReceived, "sent back before it came", lambda: _entered().reject("form")),
    (refusals.RuleIsMet, "refused for it", lambda: _entered().refuse("birth")),
    (refusals.EntryNotInOrder, "no unit", lambda: Desk().open().submit(unit="\u200b ")),
]


def _later() -> datetime:
    return NOON + timedelta(days=2)


def _born(*day: int) -> MemberForm:
    return player("林二", date(*day))


def _same_name(desk: Desk) -> object:
    return desk.amend(name=desk.state.name)


@pytest.mark.parametrize(("kind", "act"), [pytest.param(k, a, id=f"{k.__name__}: {said}") for k, said, a in CASES])
def test_it_is_refused_in_both_languages(kind: type[Refusal], act: Callable[[], object]) -> None:
    with pytest.raises(Refusal) as caught:
        act()
    refusal = caught.value
    assert type(refusal) is kind
    assert HAN.search(refusal.say("zh"))
    assert "{" not in refusal.say("zh") + refusal.say("en")


CREDENTIALS = "tests/e2e/test_credentials.py"
ELSEWHERE: dict[type[Refusal], str] = {
    **dict.fromkeys(
        (
            refusals.NotASheet,
            refusals.UnpacksTooLarge,
            refusals.SheetTooLarge,
            refusals.HeadingsMissing,
        ),
        "test_sheets.py",
    ),
    **dict.fromkeys(
        (
            refusals.SheetHasFaults,
            refusals.SheetIsEmpty,
            refusals.NoSuchImport,
            refusals.ImportReversedAlready,
            refusals.ImportOvertaken,
        ),
        "test_imports.py",
    ),
    **dict.fromkeys(
        (refusals.NoChangesAfterClose, refusals.GraceInvalid, refusals.OutsidersRefused), "test_lateness.py"
    ),
    **dict.fromkeys(
        (
            refusals.NoSuchPerson,
            refusals.ErasureRequestedAlready,
            refusals.ErasureNotRequested,
            refusals.PersonIsErased,
            refusals.SecondPersonNeeded,
        ),
        "test_erasure.py",
    ),
    refusals.NoSuchEvent: "tests/e2e/test_board_disputes.py",
    refusals.NoSuchDocument: "test_documents.py",
    refusals.NoSuchFile: "test_documents.py",
    refusals.ReceivedLater: "test_documents.py",
    refusals.EarlierReceiptNeedsReason: "test_documents.py",
    refusals.NotThatKindOfFile: "test_documents.py",
    refusals.AlreadyAnnounced: "test_competitions.py: ids follow from command ids",
    refusals.NoSuchCredential: CREDENTIALS,
    refusals.CredentialHoldsNoMore: CREDENTIALS,
    refusals.NotTheIssuer: CREDENTIALS,
    refusals.NoLiveCredential: CREDENTIALS,
    refusals.CountDiffers: CREDENTIALS,
    refusals.NoSuchEvent: "tests/e2e/test_board_disputes.py",
}


def test_every_refusal_has_a_case() -> None:
    classes = {
        value
        for value in vars(refusals).values()
        if isinstance(value, type) and issubclass(value, Refusal) and value.__module__ == refusals.__name__
    }
    assert {kind for kind, _, _ in CASES} | set(ELSEWHERE) == classes


@pytest.mark.parametrize(
    ("said", "article"),
    [("a microsecond late", "十二（报名）"), ("too old (八)", "八"), ("a second team (九)", "九")],
)
def test_an_article_is_named_where_one_refuses(said: str, article: str) -> None:
    act = next(act for _, case, act in CASES if case == said)
    with pytest.raises(Refusal) as caught:
        act()
    assert caught.value.article == article


def test_a_late_entry_is_told_the_hour_of_the_competitions_zone() -> None:
    with pytest.raises(refusals.EntriesClosedAlready) as caught:
        _at(Desk().open(), NOON + MICROSECOND).submit()
    assert "2018-11-12 12:00:00 (Asia/Shanghai)" in caught.value.say("zh")
    assert caught.value.slug == "entry-closed"
