"""Reading a preset from its YAML: the one place of the rules that touches files."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

import yaml
from yaml.constructor import SafeConstructor

from shared.rules.errors import BadRegulation, UnknownRegulation
from shared.rules.regulations.departures import flagged
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset, LineOf, build, told

_PACKAGE = "shared.rules.regulations"
_SUFFIX = (".yaml", ".yml")
LARGEST = 1 << 20
"""Bytes that a preset may have: thirty times what the largest has."""
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The same language seven times as fast, where PyYAML was built with libyaml."""


@lru_cache(maxsize=1)
def all_names() -> tuple[str, ...]:
    """The names of the regulations that come with Pailu, of any game, sorted."""
    files = resources.files(_PACKAGE).iterdir()
    return tuple(sorted(file.name.removesuffix(".yaml") for file in files if file.name.endswith(".yaml")))


@lru_cache(maxsize=1)
def names() -> tuple[str, ...]:
    """The names that `load` takes: the regulations of 升级 and 拖拉机."""
    return tuple(name for name in all_names() if isinstance(_known(name), Preset))


def load(name_or_path: str) -> Preset:
    """The preset of a 升级 or 拖拉机 regulation; see `load_any`.

    Raises UnknownRegulation for a name or path that is not there, BadRegulation for a file that is no preset or one of
    another game.
    """
    preset = load_any(name_or_path)
    if not isinstance(preset, Preset):
        raise BadRegulation(name_or_path, None, "game", f"invalid enum value {preset.game!r}", "shengji")
    return preset


def load_any(name_or_path: str) -> AnyPreset:
    """The preset of a known name, or of a YAML file when the argument has a folder or ends in .yaml or .yml.

    What a file changed in a copy of a known regulation is flagged `changed`, see `departures`.
    Raises UnknownRegulation for a name or path that is not there, BadRegulation for a file that is no preset.
    """
    if name_or_path.endswith(_SUFFIX) or "/" in name_or_path or "\\" in name_or_path:
        return _from_path(name_or_path)
    return _known(name_or_path)


@lru_cache(maxsize=32)
def _known(name: str) -> AnyPreset:
    if name not in all_names():
        raise UnknownRegulation(name, all_names())
    return parse(resources.files(_PACKAGE).joinpath(f"{name}.yaml").read_text(encoding="utf-8"), name)


def _from_path(path: str) -> AnyPreset:
    """A device or a pipe, which may have no end, is no regulation."""
    try:
        file = Path(path)
        text = file.read_text(encoding="utf-8") if file.is_file() and file.stat().st_size <= LARGEST else None
    except UnicodeDecodeError as error:
        raise BadRegulation(path, None, "", "is not UTF-8 text") from error
    except (OSError, ValueError) as error:
        raise UnknownRegulation(path, all_names()) from error
    if text is None:
        raise UnknownRegulation(path, all_names())
    preset = parse(text, path)
    return flagged(preset, (one for one in map(_known, all_names()) if one.game == preset.game))


def parse(text: str, file: str) -> AnyPreset:
    """The preset in a YAML text; `file` names it in errors. Raises BadRegulation with the line at fault."""
    try:
        node = yaml.compose(text, Loader=_LOADER)
        _check(node, "", file)
        tree = None if node is None else SafeConstructor().construct_document(node)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise BadRegulation(file, line, "", f"is not YAML: {error.problem}") from error
    except yaml.YAMLError as error:
        raise BadRegulation(file, None, "", f"is not YAML: {error}") from error
    except RecursionError as error:
        raise BadRegulation(file, None, "", "is nested too deep") from error
    return build(tree, file, _lines(node))


def _check(node: yaml.Node | None, key: str, file: str, above: tuple[yaml.Node, ...] = ()) -> None:
    """What YAML lets pass or has no line for: a key given twice, of which the second would win unseen, a key that is no
    text, a value that holds itself, and a scalar that has the form of a date or a number and is none."""
    if node is None:
        return
    line, inside = node.start_mark.line + 1, (*above, node)
    if node in above:
        raise BadRegulation(file, line, told(key), "holds itself", "a value of its own")
    if isinstance(node, yaml.ScalarNode):
        _check_scalar(node, key, file)
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            _check(item, f"{key}[{index}]", file, inside)
    elif isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for name, child in node.value:
            line = name.start_mark.line + 1
            if not isinstance(name, yaml.ScalarNode):
                raise BadRegulation(file, line, told(key), "has a key that is no text", "a text")
            here = f"{key}.{name.value}".lstrip(".")
            if name.value in seen:
                raise BadRegulation(file, line, told(here), "is given twice", "each key once")
            seen.add(name.value)
            _check(child, here, file, inside)


def _check_scalar(node: yaml.ScalarNode, key: str, file: str) -> None:
    try:
        SafeConstructor().construct_object(node)
    except (ValueError, OverflowError) as error:
        line = node.start_mark.line + 1
        raise BadRegulation(
            file, line, told(key), f"invalid value {node.value!r}", "a date or a number that exists"
        ) from error


def _lines(root: yaml.Node | None) -> LineOf:
    """The line of a dotted key: its own, or that of the deepest part of it which the file has. Keys may leave out the
    step into a ruled value."""

    def line_of(key: str) -> int | None:
        node: Any = root
        line = None if node is None else node.start_mark.line + 1
        for name in key.replace("[", ".[").split("."):
            ruled = _child(node, "value")
            found = _child(node, name) or (None if ruled is None else _child(ruled[1], name))
            if found is None:
                break
            line, node = found
        return line

    return line_of


def _child(node: Any, name: str) -> tuple[int, Any] | None:
    if isinstance(node, yaml.SequenceNode) and name.startswith("["):
        index = name.strip("[]")
        if index.isdigit() and int(index) < len(node.value):
            return node.value[int(index)].start_mark.line + 1, node.value[int(index)]
    if isinstance(node, yaml.MappingNode):
        for child, value in node.value:
            if child.value == name:
                return child.start_mark.line + 1, value
    return None
