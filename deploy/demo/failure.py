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
    """Raises Failed unless both are equal."""
    if came != expected:
        raise Failed(what, expected, came)
