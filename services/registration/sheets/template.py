"""An empty entry form as a workbook: Chinese headings, drop-downs, notes, and the articles behind them."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import xlsxwriter

from services.registration.sheets.columns import Column, columns
from shared.rules.regulations import AnyPreset, describe
from shared.sheets.cells import neutral
from shared.sheets.writing import OPTIONS

LINES = 2_000
"""Rows that have drop-downs and formats."""
WIDTH = 14
_ENTRY = ("entry.", "dates.entries_close")


def template(preset: AnyPreset) -> bytes:
    """The workbook: a sheet to fill in, and one that says how."""
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, OPTIONS)
    _form(book, columns(preset))
    _guide(book, preset, columns(preset))
    book.close()
    return buffer.getvalue()


def _form(book: Any, asked: Sequence[Column]) -> None:
    sheet = book.add_worksheet("报名表")
    head = book.add_format({"bold": True, "bg_color": "#DDEBF7", "border": 1, "align": "center", "text_wrap": True})
    needed = book.add_format({"bold": True, "bg_color": "#FCE4D6", "border": 1, "align": "center", "text_wrap": True})
    text, day = book.add_format({"num_format": "@"}), book.add_format({"num_format": "yyyy-mm-dd"})
    for place, column in enumerate(asked):
        sheet.set_column(place, place, WIDTH, day if column.kind == "date" else text)
        sheet.write_string(0, place, column.heading.zh, needed if column.needed else head)
        note = f"{column.note.zh}\n{column.heading.en}: {column.note.en}"
        sheet.write_comment(0, place, note, {"x_scale": 1.6})
        if column.choices:
            sheet.data_validation(1, place, LINES, place, _choice(column))
    sheet.freeze_panes(1, 0)


def _choice(column: Column) -> dict[str, Any]:
    return {
        "validate": "list",
        "source": list(column.choices),
        "error_title": column.heading.zh,
        "error_message": "请从下拉列表中选择",
    }


def _guide(book: Any, preset: AnyPreset, asked: Sequence[Column]) -> None:
    sheet = book.add_worksheet("填表说明")
    bold, wrap = book.add_format({"bold": True}), book.add_format({"text_wrap": True, "valign": "top"})
    sheet.set_column(0, 0, 24, wrap)
    sheet.set_column(1, 1, 70, wrap)
    sheet.set_column(2, 2, 16, wrap)
    rows: list[tuple[str, str, str]] = [
        (preset.title.zh, preset.title.en, ""),
        ("填表", "每人一行；同一单位同一队的各行为一份报名。橙色栏必填。", ""),
        ("提交", "有任何一处错误，整份表都不会收录，并逐行逐列说明。", ""),
    ]
    rows += [(column.heading.zh, f"{column.note.zh} {column.note.en}", "") for column in asked]
    rows += [(each.zh, _value(each.value), each.article) for each in describe(preset) if each.key.startswith(_ENTRY)]
    for row, cells in enumerate(rows):
        for place, cell in enumerate(cells):
            sheet.write_string(row, place, neutral(cell), bold if row == 0 else wrap)


def _value(value: object) -> str:
    """A ruled value in words as far as they go."""
    if isinstance(value, bool):
        return "是" if value else "否"
    if isinstance(value, list):
        return "；".join(_value(each) for each in value)
    if isinstance(value, dict):
        return "；".join(f"{key}={_value(each)}" for key, each in value.items())
    return "" if value is None else str(value)
