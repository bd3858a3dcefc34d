"""The AsyncAPI 3.0 document of the topics, made from the contracts: nothing in it is written by hand twice.

A message is one event: its canonical JSON is the value, the competition's id the key, and the envelope stands in
headers as CloudEvents 1.0 has it for Kafka's binary mode."""

from __future__ import annotations

import inspect
from importlib import metadata
from typing import Any

import msgspec

from shared.cloudevents import HEADERS as HEADERS
from shared.cloudevents import Schema
from shared.contracts.catalogue import EVENTS, TOPICS, UPCASTERS

_REF = "#/components/schemas/{name}"


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
