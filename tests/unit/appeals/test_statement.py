"""The books as of a moment, and the statement that is printed of them: double entry in fen, zero together at every
moment (jimei-2018 十四.2; RULINGS, Appeals 4)."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import openpyxl
from hypothesis import given
from hypothesis import strategies as st

from services.appeals.projections import LedgerRow, ledgers
from services.appeals.statement import books_at, statement, yuan
from shared.contracts.appeals import DepositConfirmed, DepositForfeited, DepositReceived, DepositRefunded
from shared.eventsourcing.clock import ManualClock
from shared.eventsourcing.memory import MemoryLog
from shared.sheets.writing import workbook
from tests.support.events import Topics

NOON = datetime(2018, 11, 24, 4, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)
SAID: Any = {"regulation": "jimei-2018/1", "competition": "cup"}


def _received(appeal: str, fen: int, by: str = "zhang", reason: str = "") -> DepositReceived:
    return DepositReceived(
        **SAID, by=by, appeal=appeal, amount_fen=fen, received_at=NOON, reason=reason, article="十四.2"
    )


def _confirmed(appeal: str, fen: int) -> DepositConfirmed:
    return DepositConfirmed(**SAID, by="li", appeal=appeal, amount_fen=fen, received_at=NOON)


def _refunded(appeal: str, fen: int) -> DepositRefunded:
    return DepositRefunded(
        **SAID, by="policy", appeal=appeal, amount_fen=fen, source="held", reason="upheld", article="十四.2"
    )


def _forfeited(appeal: str, fen: int) -> DepositForfeited:
    return DepositForfeited(**SAID, by="policy", appeal=appeal, amount_fen=fen, reason="dismissed", article="十四.2")


def _row(*events: Any) -> LedgerRow:
    """A ledger to which one event is entered each second, the first at noon."""
    row, clock = LedgerRow(id="cup"), ManualClock(NOON)
    topics = Topics(MemoryLog(), clock)
    for event in events:
        (at,) = topics.say("appeals", "ledger/cup", event)
        ledgers.fold(row, event, at)
        clock.advance(SECOND)
    return row


def test_the_balance_at_a_moment_is_that_of_what_was_entered_until_then() -> None:
    row = _row(_received("a1", 50_000), _confirmed("a1", 50_000), _received("a2", 50_000), _forfeited("a1", 50_000))
    assert books_at(row, NOON - SECOND).accounts == {}
    assert books_at(row, NOON).accounts == {"cash": 50_000, "received:a1": -50_000}
    after_two = books_at(row, NOON + SECOND).accounts
    assert after_two == {"cash": 50_000, "received:a1": 0, "held:a1": -50_000}
    assert books_at(row, None).accounts["forfeited"] == -50_000
    assert books_at(row, None).moved == {"received": 100_000, "confirmed": 50_000, "forfeited": 50_000}


@given(st.lists(st.tuples(st.sampled_from(["received", "confirmed", "refunded", "forfeited"]), st.integers(1, 10**9))))
def test_at_every_moment_all_accounts_are_zero_together(moves: list[tuple[str, int]]) -> None:
    made = {"received": _received, "confirmed": _confirmed, "refunded": _refunded, "forfeited": _forfeited}
    row = _row(*(made[kind](f"a{n}", fen) for n, (kind, fen) in enumerate(moves)))
    for number in range(len(moves) + 1):
        books = books_at(row, NOON + (number - 1) * SECOND)
        assert books.sum == 0
        assert len(books.entries) == number


def test_the_moment_after_the_last_entry_is_now() -> None:
    row = _row(_received("a1", 50_000), _confirmed("a1", 50_000), _refunded("a1", 50_000))
    assert books_at(row, NOON + 2 * SECOND) == books_at(row, None)


def test_an_amount_is_written_exactly() -> None:
    assert [yuan(fen) for fen in (50_000, 1, -50_050)] == [Decimal("500.00"), Decimal("0.01"), Decimal("-500.50")]


def test_the_statement_names_the_account_given_and_the_one_taken_from_in_local_time() -> None:
    row = _row(_received("a1", 50_000, reason="纸质"), _confirmed("a1", 50_000))
    sheets = statement(books_at(row, None), "秋季赛", "Asia/Shanghai")
    first, second = sheets["流水"][1]
    assert first[1] == "2018-11-24 12:00:00"  # noon in Xiamen is 4:00 UTC
    assert first[3:9] == ["收到申诉费", "a1", "cash", "received:a1", Decimal("500.00"), ""]
    assert second[3:8] == ["确认收款", "a1", "received:a1", "held:a1", Decimal("500.00")]
    *_, total, competition = sheets["余额"][1]
    assert total[2:] == [Decimal("0.00"), 0]
    assert competition == ["赛事", "秋季赛"]


def test_what_somebody_wrote_is_no_formula_in_the_workbook() -> None:
    row = _row(_received("a1", 50_000, by="@SUM(1)", reason="=cmd|' /C calc'!A0"))
    book = openpyxl.load_workbook(io.BytesIO(workbook(statement(books_at(row, None), "秋季赛", "Asia/Shanghai"))))
    cells = [cell for line in book["流水"].iter_rows(min_row=2) for cell in line]
    assert all(cell.data_type != "f" for cell in cells)
    assert "'=cmd|' /C calc'!A0" in [cell.value for cell in cells]
    assert "'@SUM(1)" in [cell.value for cell in cells]
    assert 500 in [cell.value for cell in cells]
