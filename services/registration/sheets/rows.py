"""From rows to entries: every fault is told with its row and column."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from msgspec import Struct

from services.registration import refusals as refuse
from services.registration.forms import tidy
from services.registration.sheets.columns import Column
from services.registration.sheets.reading import HEADS, Cell, Row
from shared.rules.basis import Text
from shared.sheets.cells import original

_DATE = re.compile(
    r"(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?(?:\s+00:00(?::00)?)?|(\d{4})(\d\d)(\d\d)"
)
_YES = {"是": True, "有": True, "yes": True, "y": True, "true": True, "1": True}
_NO = {"否": False, "无": False, "no": False, "n": False, "false": False, "0": False}


class Wrong(Struct, frozen=True):
    """What is wrong in a row, at the column with this key (empty: in the row as a whole)."""

    row: int
    column: str
    said: Text


class Raw(Struct, kw_only=True):
    """An entry as its rows have it: the body of a request, and the row of each member."""

    row: int
    body: dict[str, Any]
    rows: list[int]


class Sheet(Struct, frozen=True, kw_only=True):
    """The entries of a sheet, what is wrong so far, and where each column stands."""

    entries: list[Raw]
    wrong: list[Wrong]
    places: Mapping[str, int]
    headings: Mapping[str, Text]

    def said(self, wrong: Wrong) -> tuple[str, Text]:
        """A fault with its place: as a pointer, and in words."""
        if wrong.column not in self.places:
            pointer = f"/rows/{wrong.row}"
            return pointer, Text(f"第 {wrong.row} 行：{wrong.said.zh}", f"row {wrong.row}: {wrong.said.en}")
        letter = column_letter(self.places[wrong.column])
        heading = self.headings[wrong.column]
        zh = f"第 {wrong.row} 行 {letter} 列（{heading.zh}）：{wrong.said.zh}"
        en = f"row {wrong.row}, column {letter} ({heading.en}): {wrong.said.en}"
        return f"/rows/{wrong.row}/{letter}", Text(zh, en)


def entries_of(rows: Sequence[Row], columns: Sequence[Column]) -> Sheet:
    """The entries that rows make: those of one unit and team number are one. Raises HeadingsMissing."""
    head, places = _headings(rows, columns)
    by_key = {column.key: column for column in columns if column.key in places}
    found: dict[tuple[str, int], Raw] = {}
    wrong: list[Wrong] = []
    for row in rows[head + 1 :]:
        values, faults = _values(row, by_key, places)
        if values.pop("consented", False):  # nobody of a form, and who lets them in elsewhere is the referee there
            continue
        wrong += faults
        wrong += _into(found, row.number, values, by_key)
    headings = {key: column.heading for key, column in by_key.items()}
    return Sheet(entries=list(found.values()), wrong=wrong, places=places, headings=headings)


def _headings(rows: Sequence[Row], columns: Sequence[Column]) -> tuple[int, dict[str, int]]:
    """Which row has the headings, and at what place each column is; the order is free."""
    known = {_plain(name): c.key for c in columns for name in (c.heading.zh, c.heading.en)}
    for index, row in enumerate(rows[:HEADS]):
        places: dict[str, int] = {}
        for place, cell in enumerate(row.cells):
            key = known.get(_plain(cell)) if isinstance(cell, str) else None
            if key is not None:
                places.setdefault(key, place)
        missing = [c.heading for c in columns if c.needed and c.key not in places]
        if not missing:
            return index, places
        if len(places) > 1:
            listed = Text("、".join(h.zh for h in missing), ", ".join(h.en for h in missing))
            raise refuse.HeadingsMissing("/rows/1", missing=listed)
    needed = [c.heading for c in columns if c.needed]
    raise refuse.HeadingsMissing(
        "/rows/1", missing=Text("、".join(h.zh for h in needed), ", ".join(h.en for h in needed))
    )


def _plain(cell: str) -> str:
    return "".join(tidy(cell).casefold().rstrip("*").split())


def _values(row: Row, columns: Mapping[str, Column], places: Mapping[str, int]) -> tuple[dict[str, Any], list[Wrong]]:
    values: dict[str, Any] = {}
    wrong = []
    for key, column in columns.items():
        cell = row.cells[places[key]] if places[key] < len(row.cells) else None
        cell = original(cell).strip() if isinstance(cell, str) else cell
        if cell in (None, ""):
            if column.needed:
                wrong.append(Wrong(row.number, key, Text("未填", "is empty")))
            continue
        value, fault = _value(cell, column)
        if fault is not None:
            wrong.append(Wrong(row.number, key, fault))
        else:
            values[key] = value
    return values, wrong


def _value(cell: Cell, column: Column) -> tuple[Any, Text | None]:
    match column.kind:
        case "date":
            return _date(cell)
        case "flag":
            return _flag(cell)
        case "number":
            return _number(cell)
        case "choice":
            return _choice(cell, column.choices)
    if isinstance(cell, str):
        return cell, None
    if isinstance(cell, int) and not isinstance(cell, bool) and abs(cell) < 10**15:
        return str(cell), None
    return None, Text("须为文本格式（数字会丢失末几位）", "must be text: a number loses its last digits")


def _date(cell: Cell) -> tuple[str | None, Text | None]:
    if isinstance(cell, date):
        return cell.isoformat(), None
    found = _DATE.fullmatch(unicodedata.normalize("NFKC", str(cell)).strip())
    try:
        year, month, day = (int(part) for part in found.groups() if part) if found else (0, 0, 0)
        return date(year, month, day).isoformat(), None
    except ValueError:
        return None, Text(
            f"“{_short(cell)}”不是日期，应如 1985-03-01", f"{_short(cell)!r} is no date such as 1985-03-01"
        )


def _flag(cell: Cell) -> tuple[bool | None, Text | None]:
    said = tidy(str(cell)).casefold()
    if said in _YES or said in _NO:
        return (said in _YES), None
    return None, Text(f"“{_short(cell)}”应为“是”或“否”", f"{_short(cell)!r} is neither 是 nor 否")


def _number(cell: Cell) -> tuple[int | None, Text | None]:
    said = tidy(str(cell)).removesuffix(".0")
    if said.isascii() and said.isdigit() and len(said) < 10:
        return int(said), None
    return None, Text(f"“{_short(cell)}”不是整数", f"{_short(cell)!r} is no whole number")


def _choice(cell: Cell, choices: Mapping[str, str]) -> tuple[str | None, Text | None]:
    said = tidy(str(cell))
    value = choices.get(said) or (said if said in choices.values() else None)
    if value is not None:
        return value, None
    zh = f"“{_short(cell)}”应为其中之一：{'、'.join(choices)}"
    return None, Text(zh, f"{_short(cell)!r} must be one of {', '.join(choices)}")


def _short(cell: Cell) -> str:
    text = "".join(c if c.isprintable() else "?" for c in str(cell))
    return text if len(text) <= 20 else f"{text[:20]}…"


def _into(
    found: dict[tuple[str, int], Raw], row: int, values: dict[str, Any], columns: Mapping[str, Column]
) -> list[Wrong]:
    """Add a row to its entry; what it says of the team must not differ from what the rows before said."""
    of_team = {key: values.pop(key) for key in list(values) if columns[key].of == "team"}
    unit, number = of_team.pop("unit", ""), of_team.pop("number", 1)
    if not unit:
        return []
    name = of_team.pop("team", None)
    key = ("".join(tidy(unit).casefold().split()), number)
    entry = found.setdefault(
        key, Raw(row=row, rows=[], body={"unit": unit, "number": number, "name": name or unit, "members": []})
    )
    if name and not entry.rows:
        entry.body["name"] = name
    said = of_team | ({"name": name} if name else {})
    wrong = [
        Wrong(row, "team" if each == "name" else each, _differs(entry.row))
        for each, value in said.items()
        if entry.rows and each in entry.body and entry.body[each] != value
    ]
    entry.body |= {each: value for each, value in of_team.items() if each not in entry.body}
    entry.body["members"].append(values)
    entry.rows.append(row)
    return wrong


def _differs(row: int) -> Text:
    return Text(f"与同队的第 {row} 行不一致", f"is not what row {row} of the same team says")


def column_letter(place: int) -> str:
    """A column's name in a spreadsheet: A for 0, AA for 26."""
    letters = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
