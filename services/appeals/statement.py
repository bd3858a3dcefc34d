"""The deposit ledger as it was at a moment, and as a statement of account to be printed (申诉费台账)."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import msgspec

from services.appeals.ledger import CASH, FORFEITED, Posting, book
from services.appeals.projections import LedgerRow
from services.appeals.projections.fields import Fields
from shared.sheets.writing import Value

KINDS = {"received": "收到申诉费", "confirmed": "确认收款", "refunded": "退还", "forfeited": "没收"}
ACCOUNTS = {CASH: "申诉台现金", FORFEITED: "没收归主办方"}
OWED = {"received": "待确认", "held": "已确认代管"}
HEADS = (
    "序号",
    "登记时间",
    "收款时间",
    "事项",
    "申诉",
    "借方科目",
    "贷方科目",
    "金额（元）",
    "经手人",
    "登记人",
    "原因",
    "条款",
)
BALANCE_HEADS = ("科目", "说明", "余额（元）", "余额（分）")
FEN = Decimal(100)


class Books(msgspec.Struct, frozen=True, kw_only=True):
    """Entries up to a moment, and what they come to: every account's balance, and how much was moved by kind."""

    entries: list[Fields]
    accounts: dict[str, int]
    moved: dict[str, int]

    @property
    def sum(self) -> int:
        """Of all accounts: always zero."""
        return sum(self.accounts.values())


def books_at(row: LedgerRow, moment: datetime | None) -> Books:
    """The books as they stood at the end of an instant; now, where it is None."""
    if moment is None:
        return Books(entries=row.entries, accounts=row.accounts, moved=row.moved)
    entries = [entry for entry in row.entries if msgspec.convert(entry["at"], datetime) <= moment]
    accounts: dict[str, int] = {}
    moved: dict[str, int] = {}
    for entry in entries:
        book(accounts, msgspec.convert(entry["postings"], tuple[Posting, ...]))
        moved[entry["kind"]] = moved.get(entry["kind"], 0) + entry["amount_fen"]
    return Books(entries=entries, accounts=accounts, moved=moved)


def statement(books: Books, competition: str, zone: str) -> dict[str, tuple[tuple[str, ...], list[list[Value]]]]:
    """The sheets of a statement: every entry with the account that it is added to (借方) and the one that it is taken
    from (贷方), and every balance, with the competition's name below them. Times are local to the zone."""
    balances: list[list[Value]] = [
        [account, _meaning(account), yuan(fen), fen] for account, fen in sorted(books.accounts.items())
    ]
    balances.append(["合计", "所有科目之和，恒为零", yuan(books.sum), books.sum])
    return {
        "流水": (HEADS, [_line(entry, zone) for entry in books.entries]),
        "余额": (BALANCE_HEADS, [*balances, ["赛事", competition]]),
    }


def _line(entry: Fields, zone: str) -> list[Value]:
    added = next(posting["account"] for posting in entry["postings"] if posting["fen"] > 0)
    taken = next(posting["account"] for posting in entry["postings"] if posting["fen"] < 0)
    return [
        entry["number"],
        _local(entry["at"], zone),
        _local(entry["received_at"], zone),
        KINDS[entry["kind"]],
        entry["appeal"],
        added,
        taken,
        yuan(entry["amount_fen"]),
        entry["officer"],
        entry["by"],
        entry["reason"],
        entry["article"],
    ]


def yuan(fen: int) -> Decimal:
    """An amount as people write it, exactly."""
    return (Decimal(fen) / FEN).quantize(Decimal("0.01"))


def _meaning(account: str) -> str:
    kind, _, appeal = account.partition(":")
    return ACCOUNTS.get(account) or f"申诉 {appeal}：{OWED[kind]}"


def _local(at: str | None, zone: str) -> str | None:
    if at is None:
        return None
    return msgspec.convert(at, datetime).astimezone(ZoneInfo(zone)).replace(tzinfo=None).isoformat(" ", "seconds")
