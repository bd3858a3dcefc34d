"""What was entered, as sheets: every text is written as text, and none of them can become a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

import xlsxwriter

from services.registration.forms import MemberForm
from services.registration.projections import EntryRow
from services.registration.sheets.cells import neutral
from services.registration.sheets.columns import Column
from services.registration.sheets.template import OPTIONS

Value = str | int | None
STATES = {"entered": "已报名", "withdrawn": "已撤回", "refused": "不予受理"}


def heads(columns: Sequence[Column]) -> list[str]:
    """The headings of the list of entries: those of the form, and what became of the entry."""
    return [*(column.heading.zh for column in columns), "状态", "报名时间（UTC）", "队伍编号"]


def lines(columns: Sequence[Column], row: EntryRow, members: Sequence[MemberForm | None]) -> Iterable[list[Value]]:
    """An entry as rows of the list: one for each member; of a person who was erased the public part alone."""
    of_team: dict[str, Any] = {
        "unit": row.unit,
        "number": row.number,
        "team": row.name,
        "unit_kind": row.unit_kind or None,
        "retirees": row.retirees,
    }
    for member, known in zip(members, row.members, strict=True):
        said = (
            of_team | known if member is None else of_team | {n: getattr(member, n) for n in member.__struct_fields__}
        )
        said |= {"name": "（已删除）"} if member is None else {}
        yield [
            *(_shown(column, said.get(column.key)) for column in columns),
            STATES.get(row.status, row.status),
            row.submitted_at,
            row.team,
        ]


def _shown(column: Column, value: Any) -> Value:
    if value is None or value == "":
        return None
    if column.kind == "flag":
        return "是" if value else "否"
    if column.kind == "choice":
        return next((word for word, each in column.choices.items() if each == value), str(value))
    return value.isoformat() if isinstance(value, date) else value if isinstance(value, int) else str(value)


def workbook(sheets: Mapping[str, tuple[Sequence[str], Iterable[Sequence[Value]]]]) -> bytes:
    """A workbook with a sheet for each name: its headings and rows."""
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, OPTIONS)
    bold = book.add_format({"bold": True, "bg_color": "#DDEBF7", "border": 1})
    text = book.add_format({"num_format": "@"})
    for name, (headings, rows) in sheets.items():
        sheet = book.add_worksheet(name)
        sheet.set_column(0, max(len(headings) - 1, 0), 16, text)
        for place, heading in enumerate(headings):
            sheet.write_string(0, place, neutral(heading), bold)
        for number, row in enumerate(rows, 1):
            for place, value in enumerate(row):
                if isinstance(value, int):
                    sheet.write_number(number, place, value)
                elif value is not None:
                    sheet.write_string(number, place, neutral(value))
        sheet.freeze_panes(1, 0)
    book.close()
    return buffer.getvalue()


def comma_separated(headings: Sequence[str], rows: Iterable[Sequence[Value]]) -> bytes:
    """The same as CSV, with the mark by which Excel knows UTF-8."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    for row in (headings, *rows):
        writer.writerow(["" if value is None else neutral(str(value)) for value in row])
    return buffer.getvalue().encode("utf-8-sig")
