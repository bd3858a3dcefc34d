"""Lines of JSON in and out."""

from __future__ import annotations

import msgspec

from shared.rules.ask.answer import answer, refusal

_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode


def answer_line(line: bytes) -> tuple[bytes, bool]:
    """The reply to one line, ended by a newline, and whether it could be answered. line: one JSON object in UTF-8."""
    try:
        question = _decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        reply = refusal(None, "bad_json", f"not JSON: {error}")
    else:
        reply = answer(question)
    return _encode(reply) + b"\n", bool(reply["ok"])


def refused_line(line: bytes, detail: str) -> bytes:
    """The reply to a line of JSON that cannot be answered though it is one: `bad_value` with the question's id."""
    question = _decode(line)
    return _encode(refusal(question.get("id"), "bad_value", detail)) + b"\n"
