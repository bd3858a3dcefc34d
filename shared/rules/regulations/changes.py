"""An organiser's own values on top of a regulation, and the digest that tells two presets apart."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, TypeVar, cast

import msgspec

from shared.rules.regulations.describe import describe, plain
from shared.rules.regulations.schema import AnyPreset, build, unknown_key

P = TypeVar("P", bound=AnyPreset)


def changed(preset: P, overrides: Mapping[str, object]) -> P:
    """A new preset with each dotted key set to its value: `{"match.minutes": 45, "penalties.revoke.points": 60}`.

    Values are plain JSON (dates in ISO 8601). Article and mark stay, as what the change departs from, and the value is
    flagged `changed`, which every basis and `describe` then show. The title may be changed too: `title.zh`, `title.en`.
    Raises BadRegulation for an unknown key, a value of the wrong type, or values that do not fit each other.
    """
    tree: dict[str, Any] = plain(preset)
    for key, value in overrides.items():
        _set(tree, key, value, preset.name)
    return cast(P, build(tree, file=preset.name))


def _set(tree: dict[str, Any], key: str, value: object, file: str) -> None:
    node: Any = tree
    ruled: dict[str, Any] | None = None
    names = key.split(".")
    if names[0] in {"name", "version", "game"}:
        raise unknown_key(file, key, list(_openable(tree)))
    for done, name in enumerate(names[:-1]):
        ruled = node if _is_ruled(node) else ruled
        node = _step(node, name, ".".join(names[: done + 1]), file)
    last = names[-1]
    target = _step(node, last, key, file)
    if _is_ruled(target):
        _put(target, target, "value", value)
    elif _is_ruled(node):
        _put(node, node["value"], last, value)
    elif isinstance(target, dict):
        raise unknown_key(file, key, [f"{key}.{name}" for name in target])
    elif ruled is not None:
        _put(ruled, node, last, value)
    else:
        node[last] = value


def _put(ruled: dict[str, Any], inside: dict[str, Any], name: str, value: object) -> None:
    """Set the value and flag it; the value that stood there already is no change."""
    if type(inside[name]) is not type(value) or inside[name] != value:
        inside[name], ruled["changed"] = value, True


def _step(node: Any, name: str, key: str, file: str) -> Any:
    inside = node["value"] if _is_ruled(node) else node
    if not isinstance(inside, dict) or name not in inside:
        raise unknown_key(file, key, list(inside) if isinstance(inside, dict) else [])
    return inside[name]


def _is_ruled(node: object) -> bool:
    return isinstance(node, dict) and "value" in node and "article" in node


def _openable(tree: dict[str, Any]) -> list[str]:
    return [name for name in tree if name not in {"name", "version", "game"}]


def overrides(preset: AnyPreset) -> dict[str, object]:
    """What the organiser changed, dotted key to the value now, in the preset's order; the title apart.

    `changed` with this mapping makes the same preset of the same regulation again.
    """
    return {row.key: row.value for row in describe(preset) if row.changed}


def values_told(preset: AnyPreset) -> dict[str, object]:
    """Which values these are, for an answer that rests on them: name, version, digest, and the keys that an organiser
    changed, where any were."""
    told: dict[str, object] = {"name": preset.name, "version": preset.version, "sha256": digest(preset)}
    own = list(overrides(preset))
    return told | {"changed": own} if own else told


def digest(preset: AnyPreset) -> str:
    """sha256, in hex, of the preset's canonical JSON: equal exactly when every value, article, mark and text is."""
    return hashlib.sha256(msgspec.json.encode(plain(preset), order="sorted")).hexdigest()
