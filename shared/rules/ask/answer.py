"""One question, one answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from shared.rules.basis import Basis
from shared.rules.errors import BadRegulation, RuleError
from shared.rules.guandan.ask import HANDLERS as GUANDAN
from shared.rules.regulations import AnyPreset, load_any, values_told
from shared.rules.shengji.ask import HANDLERS as SHENGJI

Question = Mapping[str, Any]

HANDLERS: dict[str, Mapping[str, Callable[[Any, Question], tuple[dict[str, Any], tuple[Basis, ...]]]]] = {
    "shengji": SHENGJI,
    "guandan": GUANDAN,
}
"""Handlers by game and ask. Each takes the game's preset and the question, and raises RuleError."""

ASKS: tuple[str, ...] = tuple(dict.fromkeys(name for asks in HANDLERS.values() for name in asks))
"""The name of every ask."""

CODES = frozenset(
    {"bad_json", "unknown_ask", "unknown_regulation", "bad_card", "duplicate_card", "bad_value", "missing_field"}
)
"""The stable error codes."""


def answer(question: object) -> dict[str, Any]:
    """The reply to a question: `id`, `ok`, then `answer` and `basis`, or `error` with a stable `code` and a `detail`.

    Where the question names a file, `regulation` says which values were in it. question: the JSON object of RECORDS.
    Never raises for what a question says.
    """
    if not isinstance(question, dict):
        return refusal(None, "bad_json", "a question is one JSON object")
    asked = question.get("id")
    try:
        preset, found, bases = _answer(question)
    except RuleError as error:
        return refusal(asked, error.code if error.code in CODES else "bad_value", error.detail)
    reply = {"id": asked, "ok": True, "answer": found, "basis": [_basis(basis) for basis in bases]}
    return reply if question["regulation"] == preset.name else reply | {"regulation": _values(preset)}


def refusal(asked: object, code: str, detail: str) -> dict[str, Any]:
    """The reply to what cannot be answered; asked: the question's id, None where it has none."""
    return {"id": asked, "ok": False, "error": {"code": code, "detail": detail}}


def _answer(question: Question) -> tuple[AnyPreset, dict[str, Any], tuple[Basis, ...]]:
    ask, name = _given(question, "ask"), None
    if not isinstance(ask, str) or ask not in ASKS:
        known = ", ".join(ASKS)
        raise RuleError(f"ask is {ask!r}; known are {known}", f"没有 {ask} 这种提问", code="unknown_ask", field="ask")
    name = _given(question, "regulation")
    if not isinstance(name, str):
        detail = f"regulation is {name!r}, not a name or a path"
        raise RuleError(detail, "regulation 应为名称或路径", code="unknown_regulation", field="regulation")
    preset = _preset(name)
    handler = HANDLERS[preset.game].get(ask)
    if handler is None:
        known = ", ".join(HANDLERS[preset.game])
        detail = f"{preset.name} answers no {ask!r}; it answers {known}"
        raise RuleError(detail, f"{preset.name} 不回答 {ask}", code="unknown_ask", field="ask")
    return preset, *handler(preset, question)


def _given(question: Question, name: str) -> object:
    if name not in question:
        raise RuleError(f"{name} is missing", f"缺少 {name}", code="missing_field", field=name)
    return question[name]


@lru_cache(maxsize=64)
def _preset(name: str) -> AnyPreset:
    """The regulation of a name or path; a file is read once. Raises UnknownRegulation, RuleError `bad_value`."""
    try:
        return load_any(name)
    except BadRegulation as error:
        raise RuleError(error.detail, error.said.zh, field="regulation") from error


_VALUES: dict[int, tuple[AnyPreset, dict[str, Any]]] = {}
"""By the identity of the preset, which each keeps alive: a regulation is long to hash."""


def _values(preset: AnyPreset) -> dict[str, Any]:
    """Which values a regulation has, worked out once."""
    found = _VALUES.get(id(preset))
    if found is None:
        if len(_VALUES) >= 64:
            _VALUES.clear()
        found = _VALUES[id(preset)] = preset, values_told(preset)
    return found[1]


def _basis(basis: Basis) -> dict[str, Any]:
    shown: dict[str, Any] = {"article": basis.article, "mark": basis.mark}
    return shown | {"changed": True} if basis.changed else shown
