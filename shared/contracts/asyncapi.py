"""The AsyncAPI 3.0 document of the topics, made from the contracts: nothing in it is written by hand twice.

A message is one event: its canonical JSON is the value, the competition's id the key, and the envelope stands in
headers as CloudEvents 1.0 has it for Kafka's binary mode."""

from __future__ import annotations

import inspect
from importlib import metadata
from typing import Any

import msgspec

from shared.contracts.catalogue import EVENTS, TOPICS, UPCASTERS

Schema = dict[str, Any]

_REF = "#/components/schemas/{name}"
_TEXT: Schema = {"type": "string"}
_TIME: Schema = {"type": "string", "format": "date-time"}
_NUMBER: Schema = {"type": "string", "pattern": "^[0-9]+$"}

HEADERS: dict[str, tuple[str, Schema, str]] = {
    "content-type": ("", {"const": "application/json"}, "CloudEvents datacontenttype"),
    "ce_specversion": ("", {"const": "1.0"}, "CloudEvents version"),
    "ce_id": ("id", _TEXT, "`<stream>@<version>`: unique in its source, the same at every delivery"),
    "ce_source": ("service", _TEXT, "the service that recorded the event"),
    "ce_type": ("type", _TEXT, "the event's contract"),
    "ce_typeversion": ("type_version", _NUMBER, "the version of the contract that the value was written in"),
    "ce_subject": ("stream", _TEXT, "the stream that the event belongs to"),
    "ce_streamversion": ("version", _NUMBER, "the event's place in its stream, from 1"),
    "ce_time": ("recorded_at", _TIME, "when it was recorded; never goes back as positions go on"),
    "ce_receivedat": ("received_at", _TIME, "when the command was received; deadlines count by it"),
    "ce_partitionkey": ("competition", _TEXT, "the competition's id, which is the key too"),
    "ce_position": ("position", _NUMBER, "the event's place among all of its source, from 1 without a gap"),
    "ce_previous": ("previous", _NUMBER, "the position before it of the same competition; 0 for the first"),
    "ce_actor": ("actor", _TEXT, "who did it, as the token names them"),
    "ce_role": ("role", _TEXT, "in which role"),
    "ce_command": ("command", _TEXT, "the command that led to it (its idempotency key)"),
    "ce_causation": ("causation", _TEXT, "what led to the command; empty where a person did"),
    "ce_correlation": ("correlation", _TEXT, "ties together all that one request led to"),
}
"""Header to the envelope's field that it carries (none for a constant), its schema, and its meaning."""


def document() -> dict[str, Any]:
    """The whole document, the same for the same contracts."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Pailu 牌录",
            "version": metadata.version("pailu"),
            "description": "Every event of Pailu's services. A topic may repeat a message, identical; within a key, "
            "`ce_previous` shows whether one is missing. Order between topics is not assumed.",
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": "application/json",
        "channels": {topic: _channel(topic, [e.__name__ for e in events]) for topic, events in TOPICS.items()},
        "operations": {f"publish_{topic}": _operation(topic) for topic in TOPICS},
        "components": {
            "messages": {e.__name__: _message(topic, e) for topic, events in TOPICS.items() for e in events},
            "messageTraits": {"envelope": {"headers": _envelope()}},
            "schemas": _schemas(),
        },
    }


def _channel(topic: str, events: list[str]) -> dict[str, Any]:
    return {
        "address": topic,
        "title": f"Events of {topic}",
        "messages": {event: {"$ref": f"#/components/messages/{event}"} for event in events},
        "bindings": {"kafka": {"topic": topic, "topicConfiguration": {"retention.ms": -1}, "bindingVersion": "0.5.0"}},
    }


def _operation(topic: str) -> dict[str, Any]:
    return {
        "action": "send",
        "channel": {"$ref": f"#/channels/{topic}"},
        "summary": f"The service {topic} publishes what it recorded, in order.",
    }


def _message(topic: str, event: type[msgspec.Struct]) -> dict[str, Any]:
    name = event.__name__
    version = len(UPCASTERS.get(name, ())) + 1
    versions = [str(n + 1) for n in range(version)]  # what was written in an older one stays as it was
    is_this = {"ce_source": {"const": topic}, "ce_type": {"const": name}, "ce_typeversion": {"enum": versions}}
    return {
        "name": name,
        "title": f"{name}, version {version}",
        "summary": inspect.getdoc(event) or "",
        "contentType": "application/json",
        "traits": [{"$ref": "#/components/messageTraits/envelope"}],
        "headers": {"type": "object", "properties": is_this},
        "payload": {"$ref": _REF.format(name=name)},
        "bindings": {"kafka": {"key": {"type": "string", "description": "competition"}, "bindingVersion": "0.5.0"}},
    }


def _envelope() -> Schema:
    properties = {name: {**schema, "description": meaning} for name, (_, schema, meaning) in HEADERS.items()}
    return {
        "type": "object",
        "description": "CloudEvents attributes of every message; header values are UTF-8 text",
        "properties": properties,
        "required": list(HEADERS),
    }


def _schemas() -> dict[str, Schema]:
    _, components = msgspec.json.schema_components(EVENTS, ref_template=_REF)
    return {name: _draft_07(components[name]) for name in sorted(components)}


def _draft_07(schema: Any) -> Any:
    """JSON Schema 2020-12 as msgspec writes it, in draft 07, which AsyncAPI's own schemas are: they differ in how
    a tuple is written. Plain JSON throughout, defaults too."""
    if isinstance(schema, list | tuple):
        return [_draft_07(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {key: _draft_07(value) for key, value in schema.items()}
    if "prefixItems" in plain:
        plain["additionalItems"] = plain.get("items", True)
        plain["items"] = plain.pop("prefixItems")
    return plain
