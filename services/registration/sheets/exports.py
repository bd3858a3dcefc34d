"""What was entered, as the rows of a sheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from services.registration.forms import MemberForm
from services.registration.projections import EntryRow
from services.registration.sheets.columns import CONSENTED, Column
from shared.sheets.writing import Value

STATES = {"entered": "已报名", "withdrawn": "已撤回", "refused": "不予受理"}


def heads(columns: Sequence[Column]) -> list[str]:
    """The headings of the list of entries: those of the form, who came in by consent, and what became of the entry."""
    return [*(column.heading.zh for column in columns), CONSENTED.heading.zh, "状态", "报名时间（UTC）", "队伍编号"]


def lines(
    columns: Sequence[Column], row: EntryRow, members: Sequence[MemberForm | None], rehearsal: bool = False
) -> Iterable[list[Value]]:
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
            "是" if known["person"] in row.consented else None,
            STATES.get(row.status, row.status) + ("（演练）" if rehearsal else ""),
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
