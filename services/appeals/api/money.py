"""The deposit ledger, as JSON and as a statement to be printed."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import marshmallow as ma

from services.appeals import refusals as refuse
from services.appeals.api.answers import LedgerSchema
from services.appeals.api.base import BASE, blueprint, desk
from services.appeals.projections import CompetitionRow
from services.appeals.statement import Books, books_at, statement
from shared.sheets.writing import XLSX, workbook
from shared.web.context import service
from shared.web.files import File, download
from shared.web.identity import Role
from shared.web.reads import Found, QuerySchema, read
from shared.web.words import in_calendar


class LedgerQuery(QuerySchema):
    """As of which moment; left out, now."""

    as_of = ma.fields.AwareDateTime(format="iso", validate=in_calendar)


READERS: tuple[Role, ...] = ("organiser", "committee", "auditor")


@read(blueprint, BASE + "/ledger", LedgerSchema, LedgerQuery, roles=READERS)
def show_ledger(query: dict[str, Any], competition: str) -> Found:
    """The deposit ledger: every entry, every account's balance, now or at the end of an instant. Its ETag is the
    stream's version."""
    known, version, books = _books(query, competition)
    accounts = [{"account": name, "fen": fen} for name, fen in sorted(books.accounts.items())]
    body = {
        "rehearsal": known.rehearsal,
        "entries": books.entries,
        "accounts": accounts,
        "moved": books.moved,
        "sum": books.sum,
    }
    return Found(body, version, conditional="as_of" not in query)


@download(blueprint, BASE + "/exports/ledger.xlsx", (XLSX,), LedgerQuery, roles=READERS)
def export_ledger(query: dict[str, Any], competition: str) -> File:
    """The statement of account of the deposits, as an Excel workbook: entries and balances."""
    known, _, books = _books(query, competition)
    zone = desk().records.any_preset(competition).zone.value
    return File(f"{known.name}-申诉费台账.xlsx", XLSX, workbook(statement(books, known.name, zone)))


def _books(query: dict[str, Any], competition: str) -> tuple[CompetitionRow, int, Books]:
    """The competition, its ledger's version, and the books as of the moment asked for. Raises MomentInFuture."""
    records = desk().records
    known = records.competition(competition)
    moment: datetime | None = query.get("as_of")
    if moment is not None and moment > service().clock.now():
        raise refuse.MomentInFuture("/query/as_of", at=moment, now=service().clock.now())
    row = records.ledger(competition)
    return known, row.version, books_at(row, moment)
