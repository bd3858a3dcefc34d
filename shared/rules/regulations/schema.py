"""From a plain tree to a checked `Preset`, with errors that name key, problem and what is allowed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec import inspect

from shared.rules.basis import Ruled
from shared.rules.errors import BadRegulation
from shared.rules.regulations.preset import Charge, Preset

LineOf = Callable[[str], int | None]
"""The line of a dotted key, None where unknown."""

_AT = re.compile(r" - at `(?P<path>.*)`$")
_RULED = re.compile(r"\.value(?=[.\[]|$)")
"""The step into a ruled value, which organisers leave out of their keys."""
_FIELD = re.compile(r"[Oo]bject (?:contains unknown|missing required) field `(?P<name>.*)`")


def build(tree: object, file: str, line_of: LineOf = lambda _: None) -> Preset:
    """The preset that the tree describes.

    file and line_of only serve the error. Raises BadRegulation for unknown, missing or ill-typed values and for values
    that do not fit each other; nothing is guessed and nothing has a silent default.
    """
    _check_penalties(tree, file, line_of)
    preset: Preset = _convert(tree, Preset, "", file, line_of)
    for key, problem, allowed in _misfits(preset):
        raise BadRegulation(file, line_of(key), key, problem, allowed)
    return preset


def unknown_key(file: str, key: str, allowed: Iterable[str]) -> BadRegulation:
    """The error for a key that the schema does not have."""
    return BadRegulation(file, None, key, "no such key", ", ".join(allowed))


def _convert(tree: object, kind: Any, prefix: str, file: str, line_of: LineOf) -> Any:
    try:
        return msgspec.convert(tree, kind)
    except msgspec.ValidationError as error:
        problem, key = _place(str(error), prefix)
        allowed = _allowed(kind, key[len(prefix) :].lstrip("."))
        raise BadRegulation(file, line_of(key), _RULED.sub("", key), problem, allowed) from error


def _check_penalties(tree: object, file: str, line_of: LineOf) -> None:
    """Each penalty by itself, so that an error can name its code."""
    table = tree.get("penalties") if isinstance(tree, dict) else None
    for code, row in table.items() if isinstance(table, dict) else ():
        _convert(row, Ruled[Charge], f"penalties.{code}", file, line_of)


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


def _misfits(preset: Preset) -> Iterable[tuple[str, str, str]]:
    """Values that are well typed and do not fit each other: key, problem, what is allowed."""
    dates, entry = preset.dates, preset.entry
    if dates.play_to.value < dates.play_from.value:
        yield "dates.play_to", "is before play_from", "the same day or later"
    if entry.players_max.value < entry.players_min.value:
        yield "entry.players_max", "is less than players_min", "the same number or more"
    if entry.born_to.value < entry.born_from.value:
        yield "entry.born_to", "is before born_from", "the same day or later"
    yield from _band_misfits(preset)
    if not preset.penalties:
        yield "penalties", "is empty", "at least one penalty"
    if len(set(preset.standings.tie_breaks.value)) != len(preset.standings.tie_breaks.value):
        yield "standings.tie_breaks", "names a tie-break twice", "each once"
    if not _known_zone(preset.zone.value):
        yield "zone", f"{preset.zone.value!r} is no time zone", "a name of the IANA database, such as Asia/Shanghai"


def _band_misfits(preset: Preset) -> Iterable[tuple[str, str, str]]:
    levels = preset.levels
    dealer = [band.up_to for band in levels.dealer_bands.value]
    attackers = [band.points for band in levels.attacker_bands.value]
    step = levels.point_step.value
    if not dealer or dealer != sorted(set(dealer)):
        yield "levels.dealer_bands", "are not in rising order", "at least one band, up_to rising"
    elif not attackers or attackers != sorted(set(attackers)):
        yield "levels.attacker_bands", "are not in rising order", "at least one band, points rising"
    elif attackers[0] != dealer[-1] + step:
        problem = f"begin at {attackers[0]} while the dealer's end at {dealer[-1]}"
        yield "levels.attacker_bands", problem, f"beginning at {dealer[-1] + step}"
    beyond = levels.beyond.value
    if beyond is not None and attackers and beyond.above < attackers[-1]:
        yield "levels.beyond", f"counts above {beyond.above}, inside the bands", f"{attackers[-1]} or more"
    ends = [band.up_to for band in preset.match.rounds.value]
    limits = [end for end in ends[:-1] if end is not None]
    if not ends or ends[-1] is not None or len(limits) != len(ends) - 1 or limits != sorted(set(limits)):
        yield "match.rounds", "do not cover every number of teams once", "up_to rising, the last null"


def _known_zone(name: str) -> bool:
    from zoneinfo import ZoneInfo

    try:
        ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        return False
    return True
