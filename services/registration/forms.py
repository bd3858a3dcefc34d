"""Entry forms: as they are sent, as the rules read them, and where in the form a check speaks."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Collection, Sequence
from datetime import date
from typing import Literal

import msgspec

from shared.rules.basis import Text
from shared.rules.entries import Check, Person, Standing, TeamEntry
from shared.rules.regulations.eligibility import UnitKind

Part = Literal["player", "leader", "coach"]


class MemberForm(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A person as the entry form has them, in the clear. Never stored so: all but PUBLIC is personal."""

    part: Part
    name: str
    born: date | None = None
    identity_number: str | None = None
    phone: str | None = None
    sex: Literal["male", "female"] | None = None
    resident: bool | None = None
    works_here: bool | None = None
    insured_since: date | None = None
    contract_since: date | None = None
    standing: Standing | None = None
    union_member: bool | None = None
    healthy: bool | None = None
    personnel_unit: str | None = None
    event: str = ""
    pair: int | None = None
    substitute: bool = False


PUBLIC = ("part", "event", "pair", "substitute")
"""What an event says of a member in the clear."""
PERSONAL = tuple(name for name in MemberForm.__struct_fields__ if name not in PUBLIC)


class TeamForm(msgspec.Struct, frozen=True, kw_only=True):
    """An entry form as it was sent. number: which of its unit's teams it is."""

    name: str
    members: tuple[MemberForm, ...]
    unit_kind: UnitKind | None = None
    retirees: int | None = None


def team_id(unit: str, number: int = 1) -> str:
    """A team's id follows from its unit and number, so that two entries of one team meet in one stream and only one
    can win. Width, case, spacing and invisible characters make no other unit."""
    plain = unit_key(unit)
    return f"t-{digest(plain)}" if number == 1 else f"t-{digest(plain, str(number))}"


def unit_key(unit: str) -> str:
    """A unit's name as it is compared."""
    return "".join(tidy(unit).casefold().split())


def tidy(text: str) -> str:
    """A name as it is shown: full-width forms made plain, invisible characters left out, spaces single."""
    plain = unicodedata.normalize("NFKC", text)
    return " ".join("".join(c for c in plain if unicodedata.category(c) != "Cf").split())


def digest(*parts: str) -> str:
    """A short name that follows from its parts."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:10]


def identity_number(member: MemberForm) -> str | None:
    """The identity number as it is compared: plain characters, no spaces, a capital X."""
    return tidy(member.identity_number).replace(" ", "").upper() if member.identity_number else None


def team_entry(id: str, unit: str, number: int, form: TeamForm, consented: Collection[int] = ()) -> TeamEntry:
    """The form as the rules read it. consented: which members joined by the chief referee's consent."""
    members = list(enumerate(form.members))
    by_part: dict[str, tuple[Person, ...]] = {
        part: tuple(_person(m, n in consented) for n, m in members if m.part == part) for part in _PARTS
    }
    return TeamEntry(
        id=id,
        unit=unit,
        number=number,
        unit_kind=form.unit_kind,
        retirees=form.retirees,
        players=by_part["player"],
        leaders=by_part["leader"],
        coaches=by_part["coach"],
    )


def _person(member: MemberForm, consented: bool) -> Person:
    number = identity_number(member)
    said = {name: getattr(member, name) for name in _READ}
    said["personnel_unit"] = tidy(member.personnel_unit) if member.personnel_unit else None
    key = number or tidy(f"{member.name}/{member.born}").upper()
    return Person(key=key, identity_number=number, consented=consented, **said)


_READ = tuple(n for n in Person.__struct_fields__ if n in MemberForm.__struct_fields__ and n != "identity_number")
_PARTS = {"player": "players", "leader": "leaders", "coach": "coaches"}
"""A part as the form names it, and as the rules' checks do."""


def member_of(check: Check, members: Sequence[MemberForm]) -> int | None:
    """Which member of the form a check speaks of, None for the team: `players[1].born` counts players, the form
    counts members."""
    head, opened, rest = check.field.partition("[")
    if not opened:
        return None
    return [n for n, member in enumerate(members) if _PARTS[member.part] == head][int(rest.partition("]")[0])]


def pointer(check: Check, members: Sequence[MemberForm]) -> str:
    """The place in the form that a check speaks of, as a JSON pointer."""
    member = member_of(check, members)
    if member is None:
        return f"/{check.field}" if check.field in ("unit", "retirees") else "/members"
    return f"/members/{member}" + check.field.partition("]")[2].replace(".", "/")


def said(check: Check, members: Sequence[MemberForm]) -> Text:
    """What a check says, with the number of the member it speaks of, as the form counts them."""
    member = member_of(check, members)
    if member is None:
        return Text(check.zh, check.en)
    return Text(f"第 {member + 1} 人：{check.zh}", f"member {member + 1}: {check.en}")
