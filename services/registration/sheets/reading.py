"""Sheets that others send: a workbook or CSV, taken apart within bounds, cell by cell."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from itertools import islice

import openpyxl
from msgspec import Struct

from services.registration import refusals as refuse
from shared.sheets.writing import CSV, XLSX

MEDIA = (XLSX, CSV)
LARGEST = 4 << 20
"""Bytes of a sheet as it is sent, at most."""
UNPACKED = 48 << 20
"""Bytes that a workbook may unpack to: twelve times what ten thousand rows need."""
PARTS = 500
ROWS = 10_000
COLUMNS = 60
HEADS = 5
"""Among how many rows the headings are looked for: above them there may be a title."""

Cell = str | int | float | bool | date | None


class Row(Struct, frozen=True):
    """A row with its number, as the spreadsheet counts, and what stands in it."""

    number: int
    cells: tuple[Cell, ...]


def read(content: bytes, media: str) -> list[Row]:
    """The rows of a workbook's first sheet, or of a CSV, empty ones left out. Raises NotASheet, SheetTooLarge."""
    rows = _workbook(content) if media == XLSX else _csv(content)
    found = []
    for number, cells in enumerate(islice(rows, ROWS + 1), 1):
        if number > ROWS:
            raise refuse.SheetTooLarge("", most=ROWS)
        if any(cell not in (None, "") for cell in cells):
            found.append(Row(number, tuple(cells)))
    return found


def _workbook(content: bytes) -> Iterator[Sequence[Cell]]:
    _check_unpacked(content)
    try:
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        sheet = book.worksheets[0]
        sheet.reset_dimensions()  # what a workbook says of its size is not believed
        rows = sheet.iter_rows(max_row=ROWS + 1, max_col=COLUMNS, values_only=True)
        yield from ([_plain(cell) for cell in row] for row in rows)
    except Exception as error:  # a workbook that is none can fail anywhere in the library
        raise refuse.NotASheet("") from error


def _check_unpacked(content: bytes) -> None:
    """A small archive may unpack to gigabytes. What its directory says is not exceeded when it is read."""
    try:
        parts = zipfile.ZipFile(io.BytesIO(content)).infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise refuse.NotASheet("") from error
    if len(parts) > PARTS or sum(part.file_size for part in parts) > UNPACKED:
        raise refuse.UnpacksTooLarge("", most=UNPACKED >> 20)


def _csv(content: bytes) -> Iterator[Sequence[Cell]]:
    """Excel saves CSV in the machine's code page: in China GB 18030."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        try:
            text = content.decode("gb18030")
        except UnicodeDecodeError as error:
            raise refuse.NotASheet("") from error
    first = text.partition("\n")[0]
    delimiter = max(",\t;", key=first.count)
    yield from _rows_of(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))


def _rows_of(reader: Iterable[list[str]]) -> Iterator[Sequence[Cell]]:
    try:
        yield from (row[:COLUMNS] for row in reader)
    except csv.Error as error:
        raise refuse.NotASheet("") from error


def _plain(cell: object) -> Cell:
    if isinstance(cell, datetime):
        return cell.date()
    if cell is None or isinstance(cell, str | bool | int | float | date):
        return cell
    return str(cell)
