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
