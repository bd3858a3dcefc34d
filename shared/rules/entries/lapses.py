"""Whether a unit is still in, by its form and the leaders' meeting."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shared.rules.basis import Mark
from shared.rules.entries.terms import terms
from shared.rules.regulations.schema import AnyPreset

UnitStanding = Literal["entered", "may_enter", "lapsed", "unknown"]
"""unknown: it sent no form, and nobody has said whether it was at the meeting."""


class Standing(Struct, frozen=True, kw_only=True):
    """How a unit stands, and the article that says so."""

    standing: UnitStanding
    article: str
    mark: Mark


def standing(preset: AnyPreset, *, entered: bool, attended: bool | None, in_time: bool) -> Standing:
    """entered: its form stands; attended: at the leaders' meeting, None while nobody said; in_time: entries are open.

    jimei-2018 十二（报名）: 逾期按不参加论处. zhongshan-2013 六（二）: 不到会者又未见报名表的视为放弃报名参赛, so that
    who was at the meeting may still hand in a form.
    """
    rule = terms(preset).lapses_when
    found: UnitStanding
    if entered:
        found = "entered"
    elif in_time:
        found = "may_enter"
    elif rule.value == "late":
        found = "lapsed"
    else:
        found = {True: "may_enter", False: "lapsed", None: "unknown"}[attended]  # type: ignore[assignment]
    return Standing(standing=found, article=rule.article, mark=rule.mark)
