"""What the hand records `pailu-hand/1` of every game have in common (RECORDS): seats, dealt hands, and errors that name
the place. What else a record holds is in each game's `record.py`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta

from shared.rules.errors import RuleError, refused

T = TypeVar("T")

FORMAT = "pailu-hand/1"
SEATS = (1, 2, 3, 4)

Seat = Literal[1, 2, 3, 4]
Count = Annotated[int, Meta(ge=0)]


def convert(tree: object, kind: type[T]) -> T:
    """A JSON object as the record of a game, which may say more of itself than what is read (see `unread`). Raises
    RuleError `missing_field` or `bad_value`, naming the place as in `tricks[4].plays[2]`."""
    try:
        return msgspec.convert(tree, kind)
    except msgspec.ValidationError as error:
        raise _refusal(str(error)) from error


def unread(tree: object, kind: type[msgspec.Struct]) -> tuple[str, ...]:
    """The fields of a record that no rule reads, in order: the names of the players, say, or a field misspelt."""
    return tuple(name for name in tree if name not in kind.__struct_fields__) if isinstance(tree, dict) else ()


def check_format(given: str) -> None:
    """Refuse another format. Raises RuleError `bad_value`."""
    if given != FORMAT:
        raise refused("format", f"is {given!r}, not {FORMAT!r}", f"为 {given}，应为 {FORMAT}")


def check_incidents(codes: Iterable[str], penalties: Iterable[str], always: Iterable[str] = ()) -> None:
    """Refuse an incident that the regulation does not know; always: codes that are known without a price. Raises
    RuleError `bad_value`."""
    known = list(penalties)
    for index, code in enumerate(codes):
        if code not in known and code not in always:
            names = ", ".join(known)
            raise refused(f"incidents[{index}].code", f"is {code!r}; known are {names}", f"为 {code}；现有：{names}")


def check_after(index: int, after_trick: int, tricks: int) -> None:
    """Refuse an incident after a trick that the record does not have. Raises RuleError `bad_value`."""
    if after_trick > tricks:
        problem = f"is {after_trick}; the record has {tricks} tricks"
        raise refused(f"incidents[{index}].after_trick", problem, f"为 {after_trick}；牌谱只有 {tricks} 圈")


def read_dealt(dealt: Mapping[str, str], read: Callable[[str, str], list[T]]) -> dict[int, list[T]]:
    """The four hands by seat; read: a hand's cards from its text and its place. Raises RuleError."""
    hands: dict[int, list[T]] = {}
    for seat in SEATS:
        place = f"dealt.{seat}"
        if str(seat) not in dealt:
            raise refused(place, "is missing", "缺失", "missing_field")
        hands[seat] = read(dealt[str(seat)], place)
    if len(dealt) != len(SEATS):
        raise refused("dealt", "has other seats than 1, 2, 3 and 4", "只能有座位 1 至 4")
    return hands


_AT = re.compile(r" - at `\$\.?(?P<path>.*)`$")
_MISSING = re.compile(r"Object missing required field `(?P<name>.*)`")
_UNKNOWN = re.compile(r"Object contains unknown field `(?P<name>.*)`", re.DOTALL)


def _refusal(message: str) -> RuleError:
    at = _AT.search(message)
    place = at["path"] if at else ""
    problem = _AT.sub("", message)
    missing = _MISSING.match(problem)
    if missing:
        where = f"{place}.{missing['name']}".lstrip(".")
        return refused(where, "is missing", "缺失", "missing_field")
    unknown = _UNKNOWN.match(problem)
    if unknown:
        where = f"{place}.{unknown['name']}".lstrip(".")
        return refused(where, "is no field of a hand record", "不是牌谱中的字段")
    return refused(place or "record", f"does not fit: {problem[:1].lower()}{problem[1:]}", "不符合牌谱格式")
