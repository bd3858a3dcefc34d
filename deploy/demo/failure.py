"""Claims and what contradicts them: a step that did not give what it should ends the demo with status 1."""

from __future__ import annotations

from typing import Any


class Failed(Exception):
    """A step gave something else; `errors` is what the server has logged."""

    def __init__(self, what: str, expected: Any, came: Any) -> None:
        super().__init__(f"{what}: expected {expected!r}, came {came!r}")
        self.what = what
        self.expected = expected
        self.came = came
        self.errors: list[str] = []


def check(what: str, came: Any, expected: Any) -> None:
    """Raises Failed, at the first difference inside them, unless both are equal."""
    if came != expected:
        place, right, wrong = _difference(expected, came, "")
        raise Failed(what + place, right, wrong)


def _difference(expected: Any, came: Any, place: str) -> tuple[str, Any, Any]:
    """The first place in which two values differ, and what stands there in each."""
    if isinstance(expected, dict) and isinstance(came, dict) and expected.keys() == came.keys():
        parts = [(f"{place} {key}", expected[key], came[key]) for key in expected]
    elif isinstance(expected, (list, tuple)) and type(expected) is type(came) and len(expected) == len(came):
        parts = [(f"{place} [{index}]", *pair) for index, pair in enumerate(zip(expected, came, strict=True))]
    else:
        return place, expected, came
    where, right, wrong = next(part for part in parts if part[1] != part[2])
    return _difference(right, wrong, where)
