"""How an event's envelope stands in a message's headers: CloudEvents 1.0 in binary mode.

The event log writes and reads messages by this table, and the published contract of the topics is made from it. It
imports nothing of ours, so that both may use it."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

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
