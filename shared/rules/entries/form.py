"""An entry as it was sent, and what a check of it says."""

from __future__ import annotations

import datetime as dt
from typing import Any, Literal

from msgspec import Struct

from shared.rules.basis import Mark, Ruled
from shared.rules.regulations.eligibility import UnitKind

Sex = Literal["male", "female"]

Standing = Literal["employee", "school_staff", "student", "soldier", "athlete", "retired", "other"]
"""在职职工, 在校教职员工, 学生, 现役军人, 现役专业运动员, 离退休人员, 其他."""

CheckStatus = Literal["met", "not_met", "warning", "to_confirm"]
"""warning: the entry stands and a person should look; to_confirm: what was sent does not tell, a person must say so."""


class Person(Struct, frozen=True, kw_only=True):
    """A person of an entry, every fact as the form states it, None where it states none.

    key: what tells persons apart (identity number, or a digest of it); resident: household in the regulation's
    district; works_here: work place there; insured_since, contract_since: first day of the insurance there and of the
    present work contract; personnel_unit: under double leadership the unit that has the person's file (人事隶属单位);
    event: the event of the team (拖拉机, 象棋, …) that the person plays in, and pair: in which of its pairs there;
    consented: not on the form, but let in by the chief referee, and counted in no number.
    """

    key: str
    name: str = ""
    born: dt.date | None = None
    sex: Sex | None = None
    identity_number: str | None = None
    resident: bool | None = None
    works_here: bool | None = None
    insured_since: dt.date | None = None
    contract_since: dt.date | None = None
    standing: Standing | None = None
    union_member: bool | None = None
    healthy: bool | None = None
    personnel_unit: str | None = None
    event: str = ""
    pair: int | None = None
    substitute: bool = False
    consented: bool = False


class TeamEntry(Struct, frozen=True, kw_only=True):
    """A team's entry as sent. id: tells this entry from the others of the competition; number: which of its unit's
    teams it is; unit_kind, retirees: of the unit, where the regulation asks; players include substitutes."""

    id: str
    unit: str
    players: tuple[Person, ...]
    leaders: tuple[Person, ...] = ()
    coaches: tuple[Person, ...] = ()
    number: int = 1
    unit_kind: UnitKind | None = None
    retirees: int | None = None


class Claimed(Struct, frozen=True, kw_only=True):
    """What other entries say of a person: units, the units they stand for; events, how many they play in."""

    units: tuple[str, ...] = ()
    events: int = 0


class Check(Struct, frozen=True, kw_only=True):
    """One rule applied to a team or to one of its persons.

    rule: which one; field: dotted path into the entry (`players[1].born`), by itself for the whole team; code: what is
    wrong or open, empty where the rule is met; zh, en: for the screen of who sent the entry.
    """

    rule: str
    field: str
    status: CheckStatus
    article: str
    mark: Mark
    zh: str
    en: str
    code: str = ""


class Rule(Struct, frozen=True):
    """A rule at the place it is applied to; makes its checks."""

    name: str
    ruled: Ruled[Any]
    field: str

    def met(self, zh: str, en: str) -> Check:
        return self._check("met", "", zh, en)

    def broken(self, code: str, zh: str, en: str) -> Check:
        return self._check("not_met", code, zh, en)

    def warns(self, code: str, zh: str, en: str) -> Check:
        return self._check("warning", code, zh, en)

    def asks(self, code: str, zh: str, en: str) -> Check:
        return self._check("to_confirm", code, zh, en)

    def _check(self, status: CheckStatus, code: str, zh: str, en: str) -> Check:
        article, mark = self.ruled.article, self.ruled.mark
        return Check(
            rule=self.name, field=self.field, status=status, article=article, mark=mark, zh=zh, en=en, code=code
        )
