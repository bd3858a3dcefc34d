"""From the decoded JSON of a file to its values; what does not fit is refused with its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import msgspec

from shared.rules.errors import BadFile

T = TypeVar("T")


def fields_of(data: object, format_: str, required: Iterable[str], kind: type[T], refusal: type[BadFile]) -> T:
    """The object in a file as a `kind`, which has no field for `format`.

    required: what a file must have though `kind` has a default for it. Raises `refusal` naming the place.
    """
    if not isinstance(data, dict):
        raise refusal("file", "is no object")
    if data.get("format") != format_:
        raise refusal("format", f"is {data.get('format')!r}, not {format_!r}")
    for name in required:
        if name not in data:
            raise refusal(name, "is missing")
    fields = {key: data[key] for key in data if key != "format"}
    try:
        return msgspec.convert(fields, kind)
    except msgspec.ValidationError as error:
        problem, steps = _parts(str(error))
        raise refusal(_place(fields, kind, steps), problem) from error


_FREE = "[...]"
"""A step into an object with free keys, which the message of a conversion does not name."""


def _parts(message: str) -> tuple[str, list[str]]:
    """The problem in the message of a conversion, and the steps to its place, such as `.rounds`, `[1]`, `[...]`."""
    found = re.fullmatch(r"(?P<problem>.*?)(?: - at (?:`key` in )?`\$(?P<path>.*)`)?", message, re.DOTALL)
    assert found is not None, "every part may be empty"
    return found["problem"], re.findall(r"\.\w+|\[[^\]]*\]", found["path"] or "")


def _place(fields: dict[str, Any], kind: type[object], steps: list[str]) -> str:
    """The place as people read it; a free key is the first whose value alone does not fit."""
    if _FREE not in steps:
        return "".join(steps).lstrip(".") or "file"
    way = steps[: steps.index(_FREE)]
    free: Any = fields
    for step in way:
        free = free[_key(step)]
    for key, value in free.items():
        try:
            msgspec.convert(_with(fields, way, {key: value}), kind)
        except msgspec.ValidationError as error:
            return _place(fields, kind, [*way, f".{key}", *_parts(str(error))[1][len(way) + 1 :]])
    return _place(fields, kind, way)


def _key(step: str) -> Any:
    return step[1:] if step.startswith(".") else int(step.strip("[]"))


def _with(node: Any, steps: Sequence[str], value: object) -> Any:
    """A copy of the tree with another value at the end of the steps."""
    if not steps:
        return value
    copy = node.copy()
    copy[_key(steps[0])] = _with(node[_key(steps[0])], steps[1:], value)
    return copy
