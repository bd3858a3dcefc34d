"""Guarantee: "what was recorded stays readable": the stored form of every event is fixed byte for byte, and every form
that was ever fixed can be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from shared.contracts.catalogue import UPCASTERS
from shared.eventsourcing.codec import Codec, UnknownEvent
from shared.eventsourcing.records import Recorded
from tests.unit.contracts.approve import APPROVED, CODEC, file_of, stored
from tests.unit.contracts.samples import EVENTS, TOPIC, sample


@pytest.mark.parametrize("name", EVENTS)
def test_the_stored_form_is_the_approved_one(name: str) -> None:
    version, lines = stored(EVENTS[name])
    file = file_of(name, version)
    assert file.exists(), f"{name} is new: python -m tests.unit.contracts.approve"
    assert lines.decode() == file.read_text(encoding="utf-8"), "another form is a new version with an upcaster"


@pytest.mark.parametrize("file", sorted(APPROVED.glob("*.jsonl")), ids=lambda file: file.stem)
def test_every_form_ever_approved_can_be_read(file: Path) -> None:
    topic, name, version = file.stem.split(".")
    assert TOPIC[name] == topic, "an event stays on its topic"
    for line in file.read_bytes().splitlines():
        assert type(CODEC.decode(name, int(version), line)) is EVENTS[name]


@pytest.mark.parametrize("complete", [True, False], ids=["complete", "required only"])
@pytest.mark.parametrize("name", EVENTS)
def test_an_event_comes_back_as_it_was_stored(name: str, complete: bool) -> None:
    event = sample(EVENTS[name], complete=complete)
    recorded = CODEC.encode(event)
    assert CODEC.decode(recorded.type, recorded.version, recorded.data) == event


@pytest.mark.parametrize("name", EVENTS)
def test_every_event_says_under_which_regulation_and_who(name: str) -> None:
    required = msgspec.structs.fields(EVENTS[name])
    assert {"regulation", "by", "competition"} <= {field.name for field in required if field.required}
    assert EVENTS[name].__doc__, "the contract says what it means"


def test_an_unknown_event_is_refused() -> None:
    with pytest.raises(UnknownEvent, match="HandShuffled version 1"):
        CODEC.decode("HandShuffled", 1, b"{}")


@pytest.mark.parametrize("version", [0, 99])
def test_a_version_that_this_code_does_not_know_is_refused(version: int) -> None:
    with pytest.raises(UnknownEvent, match=f"HandPlayed version {version}"):
        CODEC.decode("HandPlayed", version, b"{}")


def test_what_is_no_contract_cannot_be_stored() -> None:
    class HandPlayed(msgspec.Struct):
        """Only the name is right."""

    class Unheard(msgspec.Struct):
        """Not even that."""

    for stranger in (HandPlayed(), Unheard()):
        with pytest.raises(KeyError):
            CODEC.encode(stranger)


def test_an_event_without_what_is_required_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="regulation"):
        CODEC.decode("CompetitionCancelled", 1, b'{"by":"wang","competition":"c","reason":"r"}')


def test_upcasters_are_for_known_events() -> None:
    assert UPCASTERS.keys() <= EVENTS.keys()
    with pytest.raises(ValueError, match="Nothing"):
        Codec([], {"Nothing": ()})


class TableMoved(msgspec.Struct, frozen=True):
    """Version 3: the hall has a name, and tables have numbers."""

    match: str
    table: int
    hall: str


def _table_is_a_number(fields: dict[str, Any]) -> dict[str, Any]:
    """1 → 2: the table was a text such as `No. 12`."""
    return {**fields, "table": int(fields["table"].removeprefix("No. "))}


def _hall_has_a_name(fields: dict[str, Any]) -> dict[str, Any]:
    """2 → 3: there was one hall."""
    return {**fields, "hall": "main"}


def test_an_old_version_is_lifted_step_by_step_when_it_is_read() -> None:
    codec = Codec([TableMoved], {"TableMoved": (_table_is_a_number, _hall_has_a_name)})
    today = TableMoved(match="r1t1", table=12, hall="main")
    assert codec.decode("TableMoved", 1, b'{"match":"r1t1","table":"No. 12"}') == today
    assert codec.decode("TableMoved", 2, b'{"match":"r1t1","table":12}') == today
    assert codec.decode("TableMoved", 3, b'{"hall":"east","match":"r1t1","table":12}').hall == "east"
    assert codec.encode(today) == Recorded("TableMoved", 3, b'{"hall":"main","match":"r1t1","table":12}')


def test_what_an_upcaster_gives_is_checked_as_what_is_stored_is() -> None:
    codec = Codec([TableMoved], {"TableMoved": (_table_is_a_number, lambda fields: fields)})
    with pytest.raises(msgspec.ValidationError, match="hall"):
        codec.decode("TableMoved", 1, b'{"match":"r1t1","table":"No. 12"}')
