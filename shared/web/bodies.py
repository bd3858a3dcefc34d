"""What a body may be: JSON that means one thing only, of bounded size and depth."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import flask
from werkzeug.exceptions import BadRequest, RequestEntityTooLarge, UnsupportedMediaType

from shared.contracts.refusal import Invalid

DEPTH = 32
"""Brackets inside one another that a body may have."""
ITEMS = 5_000
"""Commas that a body may have outside its texts: each stands for a value to be judged, and told about if wrong."""
STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
"""A text in JSON."""
_BRACKET = re.compile(rb"[\[\]{}]")


class TooManyItems(
    Invalid,
    zh=("项目过多", "内容不得超过 {most} 项。"),
    en=("Too many items", "The content may have {most} items at most."),
):
    """A body of so many values that judging them would take the time of everyone else."""


class NamedTwice(Invalid, zh=("字段重复", "字段 {name} 出现了两次。"), en=("Named twice", "{name} is given twice.")):
    """A JSON object with one name twice: readers would differ on which of the values was sent."""


def check_body(items: int = ITEMS) -> None:
    """That the body is JSON which can be judged, of so many items at most. Raises UnsupportedMediaType, BadRequest,
    RequestEntityTooLarge, TooManyItems, NamedTwice."""
    _check_is_json()
    check_size(whole_body(), items)
    _check_is_plain()


def _check_is_json() -> None:
    """A body of another kind would be taken for an empty one. Raises UnsupportedMediaType."""
    request = flask.request
    if not request.is_json and (request.content_length or "Transfer-Encoding" in request.headers):
        raise UnsupportedMediaType


def check_size(body: bytes, items: int = ITEMS) -> None:
    """No body is deep or has many items. A very deep one would exhaust the stack of whoever reads it, one of
    300,000 empty members would be judged for 20 s. Raises BadRequest, TooManyItems."""
    if body.count(b"[") + body.count(b"{") <= DEPTH and body.count(b",") <= items:
        return
    structure = STRING.sub(b"", body)
    if structure.count(b",") > items:
        raise TooManyItems("", most=items)
    depth = 0
    for bracket in _BRACKET.findall(structure):
        depth += 1 if bracket in b"[{" else -1
        if depth > DEPTH:
            raise BadRequest


def whole_body() -> bytes:
    """The request's body. Raises RequestEntityTooLarge."""
    body = flask.request.get_data()
    if len(body) == flask.request.max_content_length and flask.request.content_length is None:
        raise RequestEntityTooLarge  # it may have been cut there: nobody said how long it is
    return body


def _check_is_plain() -> None:
    """JSON as RFC 8259 has it: no NaN, no number beyond all bounds, no name twice. Raises BadRequest, NamedTwice."""
    body = flask.request.get_data()
    if not body:
        return
    try:
        json.loads(body.decode(), object_pairs_hook=_named_once, parse_constant=_finite, parse_float=_finite)
    except json.JSONDecodeError:
        return  # what is no JSON at all is told with the rest of the body's faults
    except ValueError as error:
        raise BadRequest from error


def _named_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise NamedTwice("", name=name[:100])
        found[name] = value
    return found


def _finite(number: str) -> float:
    value = float(number)
    if not math.isfinite(value):
        raise ValueError(number)
    return value
