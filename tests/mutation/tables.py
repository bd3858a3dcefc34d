"""Small changes of the level tables as the presets have them: every number, cap and rule of `levels` and the like."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import msgspec
import yaml

LEVELS = "23456789TJQKA"
OTHER = {
    "none": "table",
    "table": "none",
    "win": "wrap",
    "wrap": "win",
    "led_or_longest": "none",
    "as_many_as_led": "none",
    "beaten": "taken_back",
    "taken_back": "beaten",
    "nobody_gains": "points_decide",
    "points_decide": "nobody_gains",
}
"""What a rule may say instead."""


class TableMutant(msgspec.Struct, frozen=True):
    """One value of a preset changed. text: the whole YAML with it."""

    regulation: str
    key: str
    before: Any
    after: Any
    text: str

    @property
    def name(self) -> str:
        """By which a change that changes nothing is listed."""
        return f"{self.regulation}: {self.key} {self.before!r} → {self.after!r}"


def table_mutants(regulation: str, text: str, keys: tuple[str, ...]) -> Iterator[TableMutant]:
    """Every change of the values under these dotted keys, also such as make no regulation."""
    tree = yaml.safe_load(text)
    for key in keys:
        for path, value in _values(_at(tree, key.split(".")), tuple(key.split("."))):
            for other in _others(path, value):
                changed = copy.deepcopy(tree)
                _at(changed, path[:-1])[path[-1]] = other
                written = yaml.safe_dump(changed, allow_unicode=True, sort_keys=False)
                yield TableMutant(regulation, ".".join(map(str, path)), value, other, written)


def _values(node: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The values, without articles, marks and words."""
    if isinstance(node, dict) and "value" in node and "article" in node:
        yield from _values(node["value"], (*path, "value"))
    elif isinstance(node, dict):
        for name, child in node.items():
            yield from _values(child, (*path, name))
    elif isinstance(node, list):
        for index, child in enumerate(node):
            yield from _values(child, (*path, index))
    else:
        yield path, node


def _others(path: tuple[Any, ...], value: Any) -> tuple[Any, ...]:
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        step = 5 if path[-1] in ("up_to", "points", "above", "step") else 1
        return (value + step, value - step)
    if value is None:
        return (1, 5)
    if isinstance(value, str) and len(value) == 1 and value in LEVELS:
        return (LEVELS[LEVELS.index(value) - 1],)
    return (OTHER[value],) if value in OTHER else ()


def _at(tree: Any, path: Any) -> Any:
    for name in path:
        tree = tree[name]
    return tree
