"""One unit and at most three events a person over the bureau's competitions (jimei-2018 七.5), whoever asks at once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from services.registration import refusals
from services.registration.claims import UNFINISHED
from services.registration.forms import MemberForm, team_id
from shared.contracts.registration import ClaimLapsed
from shared.eventsourcing.errors import StoreUnavailable
from tests.unit.registration.desk import MICROSECOND, OCTOBER, Desk, player

NUMBERS = ("11010519491231002X", "440524188001010014", "350205198107230017")
ANN, BEN, CAI = (player(name, identity_number=number) for name, number in zip("甲乙丙", NUMBERS, strict=True))
DAN, EVE = player("丁"), player("戊")
HERE, THERE = "杏林街道", "灌口镇"


def another(desk: Desk, **details: Any) -> str:
    """One more competition of the same bureau, its entries open; the desk goes on with it."""
    desk.id = desk.announce(**details)
    desk.open()
    return desk.id


def on(day: date) -> dict[str, Any]:
    """The dates of a competition played on a day."""
    return {"entries_close": datetime(day.year, day.month, 1, tzinfo=UTC), "plays_from": day, "plays_to": day}


def refused(act: Callable[[], object]) -> tuple[str | None, list[str]]:
    """The article and the fields of a form that is not in order."""
    with pytest.raises(refusals.EntryNotInOrder) as caught:
        act()
    return caught.value.article, [pointer for pointer, _ in caught.value.wrong]


def enters(desk: Desk, unit: str, *members: MemberForm) -> bool:
    """Whether an entry is taken; one that is not has been told so."""
    try:
        desk.submit(unit, members)
    except refusals.EntryNotInOrder:
        return False
    return True


def has(desk: Desk, unit: str, competition: str = "") -> bool:
    """Whether a unit has the first of its players, as its entry's stream tells it."""
    desk.id = competition or desk.id
    entry = desk.entry(unit)
    return entry.team is not None and entry.has(entry.members[0].person)


# One unit


def test_a_person_entered_by_one_unit_is_not_entered_by_another() -> None:
    """七.5: 一名运动员只能代表一个单位参赛."""
    desk = Desk().open()
    desk.submit(HERE, (ANN, BEN))
    assert refused(lambda: desk.submit(THERE, (DAN, ANN))) == ("七.5", ["/members/1"])


def test_nor_in_another_competition_of_the_bureau() -> None:
    desk = Desk().open()
    desk.submit(HERE, (ANN, BEN))
    another(desk)
    assert refused(lambda: desk.submit(THERE, (ANN, CAI))) == ("七.5", ["/members/0"])
    desk.submit(HERE, (ANN, CAI))


def test_the_number_tells_who_it_is_and_not_the_name_or_how_it_is_typed() -> None:
    desk = Desk().open()
    desk.submit(HERE, (ANN, BEN))
    same = player("另一个名字", identity_number=" １１０１０５１９４９１２３１００２x")
    assert not enters(desk, THERE, same, CAI)
    assert enters(desk, THERE, player("甲", identity_number=NUMBERS[2]), DAN)


def test_whether_a_person_without_a_number_is_the_same_nobody_can_tell() -> None:
    desk = Desk().open()
    desk.submit(HERE, (DAN, EVE))
    assert enters(desk, THERE, DAN, EVE)


def test_what_a_regulation_counts_by_itself_another_does_not_see() -> None:
    """ahut-2018 says nothing of other competitions (assumed)."""
    desk = Desk().open()
    desk.submit(HERE, (ANN, BEN))
    desk.regulation = "ahut-2018"
    another(desk, **on(date(2018, 11, 2)))
    assert enters(desk, THERE, ANN, BEN)
    assert not enters(desk, HERE, ANN, CAI)


# Three events


def test_three_events_and_not_a_fourth() -> None:
    """七.5: 每名运动员最多只能参加3个项目的比赛."""
    desk = Desk().open()
    for _ in range(3):
        desk.submit(HERE, (ANN, DAN))
        another(desk)
    assert refused(lambda: desk.submit(HERE, (ANN, DAN))) == ("七.5", ["/members/0"])
    assert enters(desk, HERE, BEN, DAN)


def test_a_new_year_counts_anew() -> None:
    desk = Desk().open()
    for _ in range(3):
        desk.submit(HERE, (ANN, DAN))
        another(desk)
    another(desk, **on(date(2019, 1, 5)))
    assert enters(desk, THERE, ANN, DAN)


def test_a_cancelled_competition_counts_for_nobody() -> None:
    desk = Desk().open()
    desk.submit(HERE, (ANN, BEN))
    desk.cancel()
    another(desk)
    assert enters(desk, THERE, ANN, BEN)


# Given back


def test_a_withdrawn_entry_gives_its_persons_free() -> None:
    desk = Desk().open()
    desk.submit(HERE, (ANN, BEN))
    desk.withdraw(HERE)
    assert enters(desk, THERE, ANN, BEN)


def test_so_does_one_that_was_refused() -> None:
    desk = Desk().open()
    desk.submit(members=(ANN, BEN))
    desk.confirm("health", 0, holds=False)
    desk.refuse("health")
    assert enters(desk, THERE, ANN, CAI)


def test_and_a_change_gives_free_who_is_left_out() -> None:
    desk = Desk().open()
    desk.submit(HERE, (ANN, BEN))
    desk.change(HERE, (ANN, CAI))
    assert enters(desk, THERE, BEN, DAN)
    assert not enters(desk, "侨英街道", CAI, EVE)


def test_a_refused_form_claims_nobody() -> None:
    desk = Desk().open()
    desk.submit(HERE, (ANN, DAN))
    assert not enters(desk, THERE, BEN, ANN)
    assert enters(desk, "侨英街道", BEN, EVE)


def test_a_change_sent_again_after_a_later_one_claims_nobody_back() -> None:
    desk = Desk().open()
    desk.submit(HERE, (ANN, DAN))
    desk.change(HERE, (BEN, DAN), key="first")
    desk.change(HERE, (CAI, DAN))
    assert desk.change(HERE, (BEN, DAN), key="first").replayed
    assert enters(desk, THERE, BEN, EVE)


# At once


class Interrupted(Exception):
    """Where a process dies."""


class Calls:
    """Does something before the nth call that anything makes to the desk's ports."""

    def __init__(self, desk: Desk, at: int, act: Callable[[], None]) -> None:
        self.made = 0
        self._at, self._act = at, act
        for port in (desk.documents, desk.commits, desk.secrets):
            for name in ("get", "put", "append", "stream", "command", "keep", "keep_many", "get_many"):
                if hasattr(port, name):
                    setattr(port, name, self._counting(getattr(port, name)))

    def _counting(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **more: Any) -> Any:
            self.made += 1
            if self.made == self._at:
                self._act()
            return call(*args, **more)

        return counted


def calls_of_an_entry() -> int:
    desk = Desk().open()
    calls = Calls(desk, 0, lambda: None)
    desk.use.submit(desk.command(), desk.id, HERE, "队", (ANN, BEN))
    return calls.made


EVERY_CALL = range(1, calls_of_an_entry() + 1)


@pytest.mark.parametrize("at", EVERY_CALL)
def test_of_two_desks_at_once_one_wins_wherever_the_other_comes_in(at: int) -> None:
    desk = Desk().open()
    won: list[str] = []

    def try_for(unit: str) -> None:
        try:
            desk.use.submit(desk.command(), desk.id, unit, "队", (ANN, BEN))
            won.append(unit)
        except refusals.EntryNotInOrder:
            pass

    Calls(desk, at, lambda: try_for(THERE))
    try_for(HERE)
    assert len(won) == 1
    assert [unit for unit in (HERE, THERE) if has(desk, unit)] == won


@pytest.mark.parametrize("at", EVERY_CALL)
def test_a_desk_that_dies_halfway_loses_the_person_after_a_minute_or_has_entered_it(at: int) -> None:
    desk = Desk().open()

    def die() -> None:
        raise Interrupted

    Calls(desk, at, die)
    command = desk.command()
    with pytest.raises(Interrupted):
        desk.use.submit(command, desk.id, HERE, "队", (ANN, BEN))
    desk.clock.advance(UNFINISHED + MICROSECOND)
    got = enters(desk, THERE, ANN, CAI)
    assert got is not has(desk, HERE)
    try:
        desk.use.submit(command, desk.id, HERE, "队", (ANN, BEN))
    except refusals.EntryNotInOrder:
        assert got
    assert has(desk, HERE) is not has(desk, THERE)


def test_within_the_minute_the_person_counts_as_being_entered() -> None:
    desk = Desk().open()
    _claim_and_stop(desk)
    assert not enters(desk, THERE, ANN, EVE)
    desk.clock.advance(UNFINISHED)
    assert not enters(desk, THERE, ANN, EVE)
    desk.clock.advance(MICROSECOND)
    assert enters(desk, THERE, ANN, EVE)


def _claim_and_stop(desk: Desk) -> None:
    """A desk that claims its persons and dies before it appends."""
    append = desk.commits.append

    def dead(_commit: Any) -> None:
        raise StoreUnavailable("gone")

    desk.commits.append = dead  # type: ignore[method-assign]
    with pytest.raises(StoreUnavailable):
        desk.use.submit(desk.command(), desk.id, HERE, "队", (ANN, BEN))
    desk.commits.append = append  # type: ignore[method-assign]


def test_a_desk_that_wakes_after_its_person_was_taken_is_told() -> None:
    """It had claimed the person and was about to append when everything stood still for more than a minute."""
    desk = Desk().open()
    append, slept = desk.commits.append, []

    def asleep(commit: Any) -> None:
        if not slept:
            slept.append(commit)
            desk.clock.advance(UNFINISHED + MICROSECOND)
            assert enters(desk, THERE, ANN, CAI)
        append(commit)

    desk.commits.append = asleep  # type: ignore[method-assign]
    assert not enters(desk, HERE, ANN, BEN)
    assert (has(desk, HERE), has(desk, THERE)) == (False, True)
    stream = desk.commits.stream(f"entry/{desk.id}/{team_id(HERE)}")
    assert [event.type for commit in stream for event in commit.events] == [ClaimLapsed.__name__]
    assert enters(desk, "侨英街道", BEN, EVE), "the other person was given back"


# Who it is


def test_a_person_with_a_number_is_one_person_wherever_entered() -> None:
    desk = Desk().open()
    first = desk.submit(HERE, (ANN, DAN)).events[0]
    another(desk)
    second = desk.submit(HERE, (ANN, DAN)).events[0]
    assert first.members[0].person == second.members[0].person
    assert first.members[1].person != second.members[1].person
    assert first.members[0].sealed != second.members[0].sealed


def test_a_change_keeps_who_a_person_is_also_when_a_number_is_put_right() -> None:
    desk = Desk().open()
    wrong = player("甲", identity_number="110105194912310021")
    first = desk.submit(HERE, (wrong, DAN)).events[0]
    second = desk.change(HERE, (ANN, DAN)).events[0]
    assert [m.person for m in first.members] == [m.person for m in second.members]


def test_no_number_and_nothing_that_follows_from_it_alone_stands_in_the_log() -> None:
    first, second = Desk().open(), Desk(at=OCTOBER + timedelta(seconds=1))
    second.secrets._values["bureau/index-key"] = b"another bureau's key, 32 bytes.."
    second.open()
    persons = [
        desk.submit(HERE, (ANN, DAN), key=f"k{n}").events[0].members[0].person for n, desk in enumerate((first, second))
    ]
    assert persons[0] != persons[1]
    logged = repr([event.data for commits in first.commits._streams.values() for c in commits for event in c.events])
    indexes = [name.removeprefix("index/") for name in first.secrets._values if name.startswith("index/")]
    assert len(indexes) == 1
    assert indexes[0] not in logged
    assert NUMBERS[0] not in logged
