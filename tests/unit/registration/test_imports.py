"""Many entries from one sheet: all or none, whatever comes in between, and back again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

import pytest

from services.registration import refusals
from services.registration.forms import TeamForm, team_id
from services.registration.imports import Given, SheetEntry
from services.registration.sheets.rows import Wrong
from shared.contracts.registration import EntriesImported, ImportReversed
from shared.eventsourcing.errors import StoreUnavailable
from shared.eventsourcing.handling import Outcome
from shared.rules.basis import Text
from tests.unit.registration.desk import MICROSECOND, NOON, Desk, player

NUMBERS = ("11010519491231002X", "440524188001010014", "350205198107230017")


def team(unit: str, row: int, *numbers: str, born: date = date(1985, 3, 1)) -> SheetEntry:
    names = (*numbers, "", "")[:2]
    members = tuple(player(f"{unit}{n}", born, identity_number=number or None) for n, number in enumerate(names))
    return SheetEntry(unit=unit, number=1, form=TeamForm(name=unit, members=members), row=row, rows=(row, row + 1))


def given(*entries: SheetEntry, wrong: Sequence[Wrong] = ()) -> Given:
    return Given(entries=list(entries), wrong=list(wrong), said=lambda w: (f"/rows/{w.row}/{w.column}", w.said))


THREE = (team("甲街道", 2), team("乙街道", 4), team("丙街道", 6))


def run(desk: Desk, *entries: SheetEntry, key: str = "import") -> Outcome:
    outcome = desk.all.imports.run(desk.command(key), desk.id, given(*entries))
    return desk._settled(outcome)


def faults(act: Callable[[], object]) -> list[tuple[str, str]]:
    with pytest.raises(refusals.SheetHasFaults) as caught:
        act()
    return [(pointer, said.en) for pointer, said in caught.value.wrong]


def entered(desk: Desk) -> set[str]:
    return {unit for unit in ("甲街道", "乙街道", "丙街道", "丁街道") if _stands(desk, unit)}


def _stands(desk: Desk, unit: str) -> bool:
    entry = desk.entry(unit)
    return entry.team is not None and not entry.withdrawn


@pytest.fixture
def desk() -> Desk:
    """A desk with entries open."""
    return Desk().open()


def test_every_entry_of_the_sheet_is_made_in_a_stream_of_its_own(desk: Desk) -> None:
    event = run(desk, *THREE).events[0]
    assert isinstance(event, EntriesImported)
    assert event.teams == tuple(team_id(each.unit) for each in THREE)
    assert (event.persons, event.article) == (6, "十二（报名）")
    assert entered(desk) == {"甲街道", "乙街道", "丙街道"}
    assert desk.entry_row("乙街道").status == "entered"


def test_an_imported_entry_may_be_changed_like_any_other(desk: Desk) -> None:
    run(desk, *THREE)
    desk.change("乙街道", name="新队")
    assert desk.entry("乙街道").changes == 1


def test_with_one_fault_nothing_is_entered_and_all_faults_are_told(desk: Desk) -> None:
    desk.submit("丙街道")
    old = team("乙街道", 4, born=date(1950, 1, 1))
    found = faults(lambda: run(desk, THREE[0], old, THREE[2]))
    assert found == [
        ("/rows/4/born", "players must be born on or after 1958-01-01"),
        ("/rows/5/born", "players must be born on or after 1958-01-01"),
        ("/rows/6/unit", "this team is entered already; change that entry"),
    ]
    assert entered(desk) == {"丙街道"}


def test_what_was_wrong_with_rows_counts_too(desk: Desk) -> None:
    wrong = [Wrong(9, "born", Text("不是日期", "is no date"))]
    command = desk.command()
    with pytest.raises(refusals.SheetHasFaults) as caught:
        desk.all.imports.run(command, desk.id, given(*THREE, wrong=wrong))
    assert [pointer for pointer, _ in caught.value.wrong] == ["/rows/9/born"]
    assert entered(desk) == set()


def test_a_person_claimed_elsewhere_or_twice_in_the_sheet_is_told(desk: Desk) -> None:
    desk.submit("丁街道", (player("某人", identity_number=NUMBERS[0]), player("另一人")))
    taken, twice = team("甲街道", 2, NUMBERS[0]), team("乙街道", 4, NUMBERS[1])
    again = team("丙街道", 6, "", NUMBERS[1])
    assert faults(lambda: run(desk, taken, twice, again)) == [
        ("/rows/2/identity_number", "is entered for 丁街道 already"),
        ("/rows/7/identity_number", "is entered for 乙街道 already"),
    ]
    assert entered(desk) == {"丁街道"}


def test_a_refused_sheet_claims_nobody(desk: Desk) -> None:
    faults(lambda: run(desk, team("甲街道", 2, NUMBERS[0]), team("乙街道", 4, born=date(1950, 1, 1))))
    desk.submit("丁街道", (player("某人", identity_number=NUMBERS[0]), player("另一人")))


def test_a_check_tells_how_many_and_enters_none(desk: Desk) -> None:
    assert desk.all.imports.check(desk.command(), desk.id, given(*THREE)) == (3, 6)
    assert entered(desk) == set()
    with pytest.raises(refusals.SheetIsEmpty):
        desk.all.imports.check(desk.command(), desk.id, given())


def test_the_same_import_again_is_answered_as_the_first_time(desk: Desk) -> None:
    first = run(desk, *THREE)
    again = run(desk, *THREE)
    assert (again.events, again.replayed) == (first.events, True)


def test_a_sheet_at_noon_is_in_time_and_a_microsecond_later_it_is_not(desk: Desk) -> None:
    """十二（报名）: 中午12：00前."""
    desk.clock.set(NOON + MICROSECOND)
    with pytest.raises(refusals.EntriesClosedAlready):
        run(desk, *THREE)
    desk.clock.set(NOON)
    run(desk, *THREE)


def test_a_unit_that_withdrew_may_be_in_a_sheet(desk: Desk) -> None:
    desk.submit("乙街道")
    desk.withdraw("乙街道")
    run(desk, *THREE)
    assert entered(desk) == {"甲街道", "乙街道", "丙街道"}


def _before_append(desk: Desk, act: Callable[[], None]) -> None:
    """Something happens between looking and writing."""
    append_all = desk.commits.append_all
    acted: list[bool] = []

    def interrupted(commits: Any) -> None:
        if not acted:
            acted.append(True)
            act()
        append_all(commits)

    desk.commits.append_all = interrupted  # type: ignore[method-assign]


def test_an_entry_that_comes_in_between_stops_the_whole_sheet(desk: Desk) -> None:
    def leader() -> None:
        desk.use.submit(desk.command(), desk.id, "乙街道", "领队自报", THREE[1].form.members)

    sheet = (team("甲街道", 2, NUMBERS[0]), *THREE[1:])
    _before_append(desk, leader)
    with pytest.raises(refusals.ImportOvertaken):
        run(desk, *sheet)
    assert entered(desk) == {"乙街道"}
    desk.submit("丁街道", (player("某人", identity_number=NUMBERS[0]), player("另一人")))  # the claim was given back


def test_a_store_without_transactions_is_put_back(desk: Desk) -> None:
    """It keeps what comes before the one that lost its race."""

    def one_by_one(commits: Any) -> None:
        for commit in commits:
            desk.commits.append(commit)

    append_all = desk.commits.append_all
    desk.commits.append = lambda commit: append_all([commit])  # type: ignore[method-assign]
    desk.commits.append_all = one_by_one  # type: ignore[method-assign]

    def leader() -> None:
        desk.use.submit(desk.command(), desk.id, "丙街道", "领队自报", THREE[2].form.members)

    _before_append(desk, leader)
    with pytest.raises(refusals.ImportOvertaken):
        run(desk, *THREE)
    assert entered(desk) == {"丙街道"}


def test_after_an_answer_that_was_lost_the_same_key_completes_or_finds_it_done(desk: Desk) -> None:
    append_all = desk.commits.append_all

    def lost(commits: Any) -> None:
        append_all(commits)
        desk.commits.append_all = append_all  # type: ignore[method-assign]
        raise StoreUnavailable("no answer")

    desk.commits.append_all = lost  # type: ignore[method-assign]
    with pytest.raises(StoreUnavailable):
        run(desk, *THREE)
    assert run(desk, *THREE).replayed
    assert entered(desk) == {"甲街道", "乙街道", "丙街道"}


# And back


def reversal(desk: Desk, id: str, key: str = "") -> Outcome:
    return desk._settled(desk.all.imports.reverse(desk.command(key), desk.id, id, "表格有误"))


def test_an_import_is_taken_back_but_for_what_was_changed_since(desk: Desk) -> None:
    id = run(desk, *THREE).events[0].id
    desk.change("乙街道", name="已更正")
    event = reversal(desk, id).events[0]
    assert isinstance(event, ImportReversed)
    assert event.kept == (team_id("乙街道"),)
    assert entered(desk) == {"乙街道"}


def test_it_is_taken_back_once(desk: Desk) -> None:
    id = run(desk, *THREE).events[0].id
    first = reversal(desk, id, key="back")
    assert reversal(desk, id, key="back").events == first.events
    with pytest.raises(refusals.ImportReversedAlready):
        reversal(desk, id)
    with pytest.raises(refusals.NoSuchImport):
        reversal(desk, "i-0")


def test_after_the_close_nothing_is_taken_back(desk: Desk) -> None:
    id = run(desk, *THREE).events[0].id
    desk.clock.set(NOON + MICROSECOND)
    with pytest.raises(refusals.EntriesClosedAlready):
        reversal(desk, id)


def test_progress_is_told_to_who_imports(desk: Desk) -> None:
    run(desk, *THREE)
    found = desk.all.imports.progress("bureau", "import")
    assert found is not None
    assert (found.phase, found.done, found.total) == ("done", 3, 3)
    assert desk.all.imports.progress("another", "import") is None
