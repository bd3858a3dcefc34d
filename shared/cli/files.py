"""JSON files that a command is given; what is no such file ends it with exit status 2."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from shared.cli.language import Trouble
from shared.rules.errors import BadRegulation, RuleError, UnknownRegulation
from shared.rules.regulations import AnyPreset, load_any
from shared.rules.regulations.loader import load
from shared.rules.regulations.preset import Preset


class Malformed(Trouble):
    """A file that is not what the command takes; the message names the place."""

    exit_code = 2


def read_bytes(path: str) -> bytes:
    """What is in a file, in the standard input for `-`. Raises Malformed."""
    try:
        return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise Malformed(f"{path}: cannot be read: {error.strerror}", f"{path}：无法读取：{error.strerror}") from error


def read_json(path: str) -> Any:
    """The value in a JSON file. Raises Malformed, also for a key that an object has twice, of which JSON itself lets
    the second win unseen, and for half a character (a lone surrogate), which no output can say again."""
    try:
        text = read_bytes(path).decode("utf-8-sig")
        data = json.loads(text, object_pairs_hook=_once)
        if "\\u" in text:
            json.dumps(data, ensure_ascii=False).encode()
        return data
    except (ValueError, RecursionError) as error:
        raise Malformed(f"{path}: is not JSON: {error}", f"{path}：不是 JSON：{error}") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"key {next(name for name in names if names.count(name) > 1)!r} is given twice")
    return found


def regulation_of(path: str, data: object) -> AnyPreset:
    """The regulation that a file names. Raises Malformed."""
    if not isinstance(data, dict):
        raise Malformed(f"{path}: is no JSON object", f"{path}：不是 JSON 对象")
    name = data.get("regulation")
    if not isinstance(name, str):
        raise Malformed(f"{path}: regulation: is missing", f"{path}：regulation：缺失")
    try:
        return load_any(name)
    except (UnknownRegulation, BadRegulation) as error:
        raise malformed(path, error) from error


def shengji_of(path: str, name: str) -> Preset:
    """The 升级 regulation of a competition. Raises Malformed."""
    try:
        return load(name)
    except (UnknownRegulation, BadRegulation) as error:
        raise malformed(path, error) from error


def malformed(path: str, error: RuleError) -> Malformed:
    """A refusal of the rules as the end of a command; the rules' sentence names the place."""
    return Malformed(f"{path}: {error.said.en}", f"{path}：{error.said.zh}")
