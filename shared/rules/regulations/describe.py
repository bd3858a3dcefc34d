"""A regulation in plain values, and as a flat list for people: each value with its key, article, mark and name."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from shared.rules.basis import Mark
from shared.rules.regulations.schema import AnyPreset


class Described(Struct, frozen=True, kw_only=True):
    """One value. key: dotted, as `changed` takes it; value: plain JSON; zh, en: its name; quote: the article's own."""

    key: str
    value: object
    article: str
    mark: Mark
    zh: str
    en: str
    quote: str
    changed: bool


def plain(preset: AnyPreset) -> dict[str, object]:
    """The preset as plain dictionaries, lists, strings, integers and booleans; dates in ISO 8601."""
    built: dict[str, object] = msgspec.json.decode(msgspec.json.encode(preset))
    return built


def describe(preset: AnyPreset) -> list[Described]:
    """Every ruled value of the preset in the preset's order."""
    return list(_described(plain(preset), ""))


def _described(node: object, key: str) -> Iterator[Described]:
    if not isinstance(node, dict):
        return
    if "article" in node and "value" in node:
        yield Described(
            key=key,
            value=node["value"],
            article=node["article"],
            mark=node["mark"],
            zh=node.get("zh", ""),
            en=node.get("en", ""),
            quote=node.get("quote", ""),
            changed=node.get("changed", False),
        )
        return
    for name, child in node.items():
        yield from _described(child, f"{key}.{name}" if key else name)
