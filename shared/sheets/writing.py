"""Workbooks and CSV: every text is written as text, and none of them can become a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

import xlsxwriter

from shared.sheets.cells import neutral

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
CSV = "text/csv"
OPTIONS = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
"""What keeps xlsxwriter from taking a text for anything else."""

Value = str | int | Decimal | None


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
                if isinstance(value, int | Decimal):
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
