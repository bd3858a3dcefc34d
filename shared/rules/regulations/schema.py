"""From a plain tree to a checked `Preset`, with errors that name key, problem and what is allowed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, get_args, get_type_hints
from zoneinfo import ZoneInfo

import msgspec
from msgspec import inspect

from shared.rules.errors import BadRegulation
from shared.rules.regulations.guandan import GuandanPreset
from shared.rules.regulations.guandan_fit import guandan_misfits
from shared.rules.regulations.misfits import misfits, stage_misfits
from shared.rules.regulations.preset import Preset

AnyPreset: TypeAlias = Preset | GuandanPreset
"""A regulation of any game."""

GAMES: dict[str, type[AnyPreset]] = {"shengji": Preset, "guandan": GuandanPreset}
"""The shape of a regulation by its game."""

LineOf = Callable[[str], int | None]
"""The line of a dotted key, None where unknown."""

_AT = re.compile(r" - at `(?P<path>.*)`$")
_RULED = re.compile(r"\.value(?=[.\[]|$)")
"""The step into a ruled value, which organisers leave out of their keys."""
_FIELD = re.compile(r"[Oo]bject (?:contains unknown|missing required) field `(?P<name>.*)`")


def build(tree: object, file: str, line_of: LineOf = lambda _: None) -> AnyPreset:
    """The preset that the tree describes, of the game that it names.

    file and line_of only serve the error. Raises BadRegulation for unknown, missing or ill-typed values and for values
    that do not fit each other; nothing is guessed and nothing has a silent default.
    """
    kind = _game(tree, file, line_of)
    _check_penalties(tree, kind, file, line_of)
    preset: AnyPreset = _convert(tree, kind, "", file, line_of)
    for key, problem, allowed in _misfits(preset):
        raise BadRegulation(file, line_of(key), key, problem, allowed)
    return preset


def _game(tree: object, file: str, line_of: LineOf) -> type[AnyPreset]:
    if not isinstance(tree, dict):
        raise BadRegulation(file, line_of(""), "", f"expected `object`, got `{type(tree).__name__}`", "an object")
    if "game" not in tree:
        raise BadRegulation(file, line_of(""), "game", "is missing", ", ".join(GAMES))
    game = tree["game"]
    if not isinstance(game, str) or game not in GAMES:
        raise BadRegulation(file, line_of("game"), "game", f"invalid enum value {game!r}", ", ".join(GAMES))
    return GAMES[game]


def told(key: str) -> str:
    """A dotted key as organisers write it, without the step into a ruled value."""
    return _RULED.sub("", key)


def unknown_key(file: str, key: str, allowed: Iterable[str]) -> BadRegulation:
    """The error for a key that the schema does not have."""
    return BadRegulation(file, None, key, "no such key", ", ".join(allowed))


def _convert(tree: object, kind: Any, prefix: str, file: str, line_of: LineOf) -> Any:
    try:
        return msgspec.convert(tree, kind)
    except msgspec.ValidationError as error:
        problem, key = _place(str(error), prefix)
        allowed = _allowed(kind, key[len(prefix) :].lstrip("."))
        raise BadRegulation(file, line_of(key), told(key), problem, allowed) from error


def _check_penalties(tree: object, kind: type[AnyPreset], file: str, line_of: LineOf) -> None:
    """Each penalty by itself, so that an error can name its code."""
    row_kind = get_args(get_type_hints(kind)["penalties"])[1]
    table = tree.get("penalties") if isinstance(tree, dict) else None
    for code, row in table.items() if isinstance(table, dict) else ():
        _convert(row, row_kind, f"penalties.{code}", file, line_of)


def _place(message: str, prefix: str) -> tuple[str, str]:
    """The problem and the dotted key of a conversion error."""
    found = _AT.search(message)
    path = found["path"] if found else ""
    problem = _AT.sub("", message)
    key = prefix + path.removeprefix("$")
    named = _FIELD.search(problem)
    if named:
        key = f"{key}.{named['name']}"
    return problem[0].lower() + problem[1:], key.lstrip(".")


def _allowed(kind: Any, key: str) -> str:
    """What the schema allows at the key, in words; empty when it cannot say."""
    here: inspect.Type = inspect.type_info(kind)
    for name in [part for part in key.split(".") if part]:
        below = _below(here, name.split("[")[0], indexed="[" in name)
        if below is None:
            return _words(here)
        here = below
    return _words(here)


def _below(kind: inspect.Type, name: str, indexed: bool) -> inspect.Type | None:
    if isinstance(kind, inspect.DictType):
        return kind.value_type
    if not isinstance(kind, inspect.StructType):
        return None
    found = next((field.type for field in kind.fields if field.encode_name == name), None)
    if found is not None and indexed and isinstance(found, inspect.VarTupleType):
        return found.item_type
    return found


def _words(kind: inspect.Type) -> str:
    if isinstance(kind, inspect.LiteralType):
        return ", ".join(str(value) for value in kind.values)
    if isinstance(kind, inspect.StructType):
        return "an object with " + ", ".join(field.encode_name for field in kind.fields)
    if isinstance(kind, inspect.UnionType):
        return " or ".join(_words(part) for part in kind.types)
    if isinstance(kind, inspect.VarTupleType):
        return f"a list, each {_words(kind.item_type)}"
    if isinstance(kind, inspect.IntType):
        return "an integer" if kind.ge is None else f"an integer from {kind.ge} on"
    return _NAMES.get(type(kind), "")


_NAMES: dict[type, str] = {
    inspect.BoolType: "true or false",
    inspect.StrType: "a text",
    inspect.NoneType: "null",
    inspect.DateType: "a date YYYY-MM-DD",
    inspect.DateTimeType: "a local time YYYY-MM-DDTHH:MM:SS",
    inspect.DictType: "an object",
}


def _misfits(preset: AnyPreset) -> Iterable[tuple[str, str, str]]:
    """Values that are well typed and do not fit each other: key, problem, what is allowed."""
    if preset.dates.play_to.value < preset.dates.play_from.value:
        yield "dates.play_to", "is before play_from", "the same day or later"
    if not preset.penalties:
        yield "penalties", "is empty", "at least one penalty"
    if not _known_zone(preset.zone.value):
        yield "zone", f"{preset.zone.value!r} is no time zone", "a name of the IANA database, such as Asia/Shanghai"
    yield from stage_misfits("stages", preset.stages)
    yield from misfits(preset) if isinstance(preset, Preset) else guandan_misfits(preset)


def _known_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        return False
    return True
