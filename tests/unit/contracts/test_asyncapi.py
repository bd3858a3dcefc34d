"""Guarantee: "the AsyncAPI document is made from the contracts": nothing is missing from it, and all in it resolves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest

from shared.contracts.asyncapi import HEADERS, document
from shared.contracts.catalogue import TOPICS
from shared.eventsourcing.records import Envelope
from tests.unit.contracts.approve import CODEC
from tests.unit.contracts.samples import EVENTS, TOPIC, sample

DOCUMENT = document()


def refs(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if "$ref" in node:
            yield node["$ref"]
        for child in node.values():
            yield from refs(child)
    elif isinstance(node, list):
        for child in node:
            yield from refs(child)


def resolve(ref: str) -> Any:
    node: Any = DOCUMENT
    for step in ref.removeprefix("#/").split("/"):
        node = node[step]
    return node


def test_every_reference_resolves() -> None:
    found = set(refs(DOCUMENT))
    assert found
    for ref in found:
        assert ref.startswith("#/")
        assert resolve(ref)


def test_every_event_is_on_the_channel_of_its_topic_and_no_other() -> None:
    for topic, events in TOPICS.items():
        assert list(DOCUMENT["channels"][topic]["messages"]) == [event.__name__ for event in events]
    assert DOCUMENT["components"]["messages"].keys() == EVENTS.keys()
    assert {operation["channel"]["$ref"] for operation in DOCUMENT["operations"].values()} == {
        f"#/channels/{topic}" for topic in TOPICS
    }


@pytest.mark.parametrize("name", EVENTS)
def test_a_message_has_the_events_schema_words_and_version(name: str) -> None:
    message = DOCUMENT["components"]["messages"][name]
    assert message["payload"] == {"$ref": f"#/components/schemas/{name}"}
    assert message["summary"]
    assert message["title"] == f"{name}, version {CODEC.version(name)}"
    assert message["headers"]["properties"]["ce_source"] == {"const": TOPIC[name]}
    schema = DOCUMENT["components"]["schemas"][name]
    assert set(schema["required"]) >= {"regulation", "by", "competition"}


@pytest.mark.parametrize("complete", [True, False], ids=["complete", "required only"])
@pytest.mark.parametrize("name", EVENTS)
def test_what_is_stored_fits_the_published_schema(name: str, complete: bool) -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$ref": f"#/components/schemas/{name}",
        "components": DOCUMENT["components"],
    }
    stored = json.loads(CODEC.encode(sample(EVENTS[name], complete=complete)).data)
    validator = jsonschema_rs.validator_for(schema)
    assert [str(error) for error in validator.iter_errors(stored)] == []
    del stored["regulation"]
    assert not validator.is_valid(stored), "the schema refuses what is incomplete"


def test_the_headers_carry_the_whole_envelope_once() -> None:
    carried = [field for field, _, _ in HEADERS.values() if field]
    assert sorted(carried) == sorted({*Envelope.__struct_fields__, "id"} - {"data"})


def test_the_document_is_the_same_in_every_process() -> None:
    program = "import json; from shared.contracts.asyncapi import document; print(json.dumps(document()))"
    printed = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    ]
    assert printed == [json.dumps(DOCUMENT)] * 2
