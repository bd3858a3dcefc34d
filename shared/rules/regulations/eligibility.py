"""Who may play, beyond numbers and dates of birth: each rule by itself, null where the regulation has no such rule."""

from __future__ import annotations

import datetime as dt
from typing import Literal

from msgspec import Struct

from shared.rules.basis import Ruled

Bond = Literal["household", "work_place", "employee", "retired"]
"""What makes a person one of those who are called: 户籍 or 工作单位 in the district, 在职职工, 离退休人员."""

UnitKind = Literal["office", "institution", "enterprise", "school", "street", "other"]
"""机关, 事业单位, 企业, 学校, 街镇, 其他."""


class Eligibility(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules of who may play.

    bonds: one of them is enough; membership: what a player must be a member of; health `certified`: a medical finding
    is shown, `declared`: the player says so; contract_before: the day before which a work contract must have begun,
    where insurance is asked for; papers_of: kinds of units whose players show contract and insurance whatever their
    household; schools: who may play for a school; students, soldiers, athletes: what they may; double_leadership: who
    has the first claim to a person under two units; identity: the kind of number that is looked at; counted: whether
    units and events of a person are counted over the bureau's competitions of a season, or in this one alone; season:
    what lies in one.
    """

    bonds: Ruled[tuple[Bond, ...]] | None = None
    membership: Ruled[Literal["union_member"]] | None = None
    health: Ruled[Literal["certified", "declared"]] | None = None
    contract_before: Ruled[dt.date] | None = None
    papers_of: Ruled[tuple[UnitKind, ...]] | None = None
    schools: Ruled[Literal["staff_only"]] | None = None
    students: Ruled[Literal["barred"]] | None = None
    soldiers: Ruled[Literal["barred"]] | None = None
    athletes: Ruled[Literal["household_only"]] | None = None
    double_leadership: Ruled[Literal["personnel_unit_first"]] | None = None
    identity: Ruled[Literal["resident_card"]] | None = None
    counted: Ruled[Literal["bureau", "competition"]] | None = None
    season: Ruled[Literal["calendar_year"]] | None = None
