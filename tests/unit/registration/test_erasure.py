"""Erasing a person: by two people, from every entry that ever named it, and nothing else."""

from __future__ import annotations

import pytest

from services.registration import refusals
from services.registration.documents import Named
from services.registration.forms import team_id
from services.registration.persons import Persons
from shared.contracts.registration import PersonErased
from shared.eventsourcing.handling import Outcome
from tests.unit.registration.desk import UNIT, Desk, player
from tests.unit.registration.test_claims import another

NUMBER, WRONG = "11010519491231002X", "110105194912310021"
ANN, DAN = player("甲", identity_number=NUMBER), player("丁")
JPEG = b"\xff\xd8\xff a card"


def ask(desk: Desk, person: str, by: str = "first") -> Outcome:
    return desk._settled(desk.all.erasures.request(desk.command(by=by), desk.id, person, "本人申请"))


def confirm(desk: Desk, person: str, by: str = "second", key: str = "") -> Outcome:
    return desk._settled(desk.all.erasures.confirm(desk.command(key, by=by), desk.id, person))


def erase(desk: Desk, person: str) -> PersonErased:
    ask(desk, person)
    event = confirm(desk, person).events[0]
    assert isinstance(event, PersonErased)
    return event


def readable(desk: Desk) -> list[str | None]:
    return [form.name if form else None for form in desk.all.persons.read(desk.entry().members)]


@pytest.fixture
def desk() -> Desk:
    """A desk with an entry of two."""
    desk = Desk().open()
    desk.submit(members=(ANN, DAN))
    return desk


def person(desk: Desk, n: int = 0) -> str:
    return desk.entry().members[n].person


def test_it_takes_two_people(desk: Desk) -> None:
    ask(desk, person(desk))
    with pytest.raises(refusals.SecondPersonNeeded):
        confirm(desk, person(desk), by="first")
    assert readable(desk) == ["甲", "丁"]
    event = confirm(desk, person(desk)).events[0]
    assert (event.requested_by, event.by, event.reason) == ("first", "second", "本人申请")
    assert readable(desk) == [None, "丁"]


def test_nobody_confirms_what_nobody_asked_for_nor_asks_twice(desk: Desk) -> None:
    with pytest.raises(refusals.ErasureNotRequested):
        confirm(desk, person(desk))
    ask(desk, person(desk))
    with pytest.raises(refusals.ErasureRequestedAlready):
        ask(desk, person(desk), by="third")
    with pytest.raises(refusals.NoSuchPerson):
        ask(desk, "p-0")


def test_once_erased_a_person_stays_erased(desk: Desk) -> None:
    erase(desk, person(desk))
    with pytest.raises(refusals.PersonIsErased):
        ask(desk, person(desk))
    with pytest.raises(refusals.PersonIsErased):
        confirm(desk, person(desk), by="third")


def test_every_version_of_the_entry_and_every_competition_loses_the_person(desk: Desk) -> None:
    desk.change(members=(ANN, player("戊")))
    first = desk.id
    another(desk)
    desk.submit(members=(ANN, player("己")))
    erase(desk, person(desk))
    for competition in (first, desk.id):
        desk.id = competition
        assert readable(desk)[0] is None
        streams = desk.commits.stream(f"entry/{competition}/{team_id(UNIT)}")
        for commit in streams:
            for event in desk.service.engine.commands._events(commit):
                assert desk.all.persons.read(event.members)[0] is None


def test_an_entry_that_was_put_right_has_sealed_no_second_self(desk: Desk) -> None:
    """Typed wrong in one entry, right in another: two ids, until the same entry has both."""
    other = another(desk)
    desk.submit(members=(player("甲", identity_number=WRONG), DAN))
    wrong = person(desk)
    desk.change(members=(ANN, DAN))  # the number is known from the first competition: it is that person
    right = person(desk)
    assert wrong != right
    event = erase(desk, right)
    assert set(event.persons) == {right, wrong}
    commits = desk.commits.stream(f"entry/{other}/{team_id(UNIT)}")
    events = [event for commit in commits for event in desk.service.engine.commands._events(commit)]
    assert [desk.all.persons.read(event.members)[0] for event in events] == [None, None]


def test_nothing_of_the_person_is_left_among_the_secrets_and_files(desk: Desk) -> None:
    def send(named: Named) -> None:
        desk.all.documents.send(desk.command(), desk.id, team_id(UNIT), named, "image/jpeg", JPEG, False)

    send(Named(document="identity_copy", member=0))
    send(Named(document="identity_copy", member=1))
    send(Named(document="form"))  # it names all of them
    id = person(desk)
    erase(desk, id)
    assert [name for name in desk.secrets._values if name.startswith("index/")] == []
    assert f"person/{id}" not in desk.secrets._values
    assert f"person/{person(desk, 1)}" in desk.secrets._values
    assert len(desk.secrets.files._files) == 1


def test_another_process_reads_nothing_either_though_it_has_read_before(desk: Desk) -> None:
    other = Persons(desk.secrets)
    members = desk.entry().members
    assert [form.name if form else None for form in other.read(members)] == ["甲", "丁"]
    erase(desk, person(desk))
    assert [form.name if form else None for form in other.read(members)] == [None, "丁"]


def test_hashes_and_the_log_stay_as_they_were(desk: Desk) -> None:
    before = desk.commits.stream(f"entry/{desk.id}/{team_id(UNIT)}")
    erase(desk, person(desk))
    assert desk.commits.stream(f"entry/{desk.id}/{team_id(UNIT)}") == before
    assert desk.entry().team is not None


def test_the_person_may_enter_again_as_somebody_new(desk: Desk) -> None:
    """Decision 0016: the price of a true erasure."""
    old = person(desk)
    erase(desk, old)
    event = desk.submit("杏林街道", (ANN, player("己"))).events[0]
    assert event.members[0].person != old


def test_an_old_command_sent_again_keeps_nothing_anew(desk: Desk) -> None:
    desk.submit("杏林街道", (player("庚", identity_number="440524188001010014"), DAN), key="old")
    id = desk.entry("杏林街道").members[0].person
    erase(desk, id)
    assert desk.submit("杏林街道", (player("庚", identity_number="440524188001010014"), DAN), key="old").replayed
    assert f"person/{id}" not in desk.secrets._values
    assert len([name for name in desk.secrets._values if name.startswith("index/")]) == 1


def test_whoever_dies_halfway_may_confirm_again(desk: Desk) -> None:
    id = person(desk)
    ask(desk, id)
    append = desk.commits.append

    def die(_commit: object) -> None:
        raise ConnectionError

    desk.commits.append = die  # type: ignore[method-assign]
    with pytest.raises(ConnectionError):
        desk.all.erasures.confirm(desk.command("k", by="second"), desk.id, id)
    desk.commits.append = append  # type: ignore[method-assign]
    assert confirm(desk, id, key="k").events
    assert readable(desk)[0] is None
