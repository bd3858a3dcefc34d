"""Where in a sheet a check of an entry speaks: which rows of it, and which column; and which cells it rests on."""

from __future__ import annotations

from collections.abc import Sequence, Set

from services.registration.forms import MemberForm, member_of
from shared.rules.entries import Check, terms
from shared.rules.entries.team import PAIRS
from shared.rules.regulations import AnyPreset

Cell = tuple[int, str]
"""A row, and the key of a column."""

BONDS = {"household": "resident", "work_place": "works_here", "employee": "standing", "retired": "standing"}
IDENTITY = {"identity_number", "name", "born"}
"""What tells who somebody is."""
WHOLE = {"unit", "number", "part"}
"""What says which rows are of a team, and what they are in it."""

RESTS_ON: dict[str, Set[str]] = {
    "players": WHOLE | {"substitute"},
    "substitutes": WHOLE | {"substitute"},
    "roster": {"substitute"},
    "leaders": WHOLE,
    "coaches": WHOLE,
    "persons": WHOLE | IDENTITY,
    "one_unit": {"unit", *IDENTITY},
    "events": {"unit", *IDENTITY},
    "teams_per_unit": {"unit", "number"},
    "large_unit": {"unit", "number", "retirees"},
    "age": {"sex", "identity_number"},
    "bond": {*BONDS.values()},
    "insured": {"resident", "works_here", "unit_kind"},
    "contract": {"resident", "works_here", "unit_kind"},
    "school": {"unit_kind"},
    "athlete": {"resident"},
    "double_leadership": {"unit", *IDENTITY},
}
"""What a rule reads besides the column that it is told at."""
ROSTER = WHOLE | {"event", "pair", "substitute"}


def cells(check: Check, members: Sequence[MemberForm], rows: Sequence[int], row: int, preset: AnyPreset) -> list[Cell]:
    """The cells that a check speaks of, at least one. rows: of the members; row: the entry's first."""
    member = member_of(check, members)
    if check.rule.startswith("roster."):
        return _of_roster(check, members, rows, row)
    if member is not None:
        return [(rows[member], _column(check, members[member], preset))]
    if check.rule == "teams_per_unit":
        return [(row, "unit" if check.code == "unit_missing" else "number")]
    if check.rule == "large_unit":
        return [(row, "retirees")]
    return [_of_count(check, members, rows, row)]


def rests_on(check: Check, told: Sequence[Cell]) -> set[str]:
    """The columns without which a check cannot be judged; told: the cells that it speaks of."""
    read = ROSTER if check.rule.startswith("roster.") else RESTS_ON.get(check.rule, set())
    return {*read, *(column for _, column in told)}


def _column(check: Check, member: MemberForm, preset: AnyPreset) -> str:
    if check.rule == "bond":
        bonds = terms(preset).eligibility.bonds
        return BONDS[bonds.value[0]] if bonds is not None else ""
    if "." in check.field:
        return check.field.rpartition(".")[2]
    return "identity_number" if member.identity_number else "name"


def _of_roster(check: Check, members: Sequence[MemberForm], rows: Sequence[int], row: int) -> list[Cell]:
    """Of pairs that are none each of their players; of too many the last; of too few the entry."""
    event = check.rule.partition(".")[2]
    of = [n for n, each in enumerate(members) if each.part == "player" and not each.substitute and each.event == event]
    if check.code == "pair_incomplete" and event.endswith(PAIRS):
        pairs = [members[n].pair for n in of]
        return [(rows[n], "pair") for n in of if pairs.count(members[n].pair) != 2]
    return [(rows[of[-1]] if of and check.code == "too_many_in_event" else row, "event")]


def _of_count(check: Check, members: Sequence[MemberForm], rows: Sequence[int], row: int) -> Cell:
    """Of too many the last of them; of too few the entry."""
    counted = {
        "too_many_players": [n for n, each in enumerate(members) if each.part == "player" and not each.substitute],
        "too_many_substitutes": [n for n, each in enumerate(members) if each.part == "player" and each.substitute],
        "too_many_leaders": [n for n, each in enumerate(members) if each.part == "leader"],
        "too_many_coaches": [n for n, each in enumerate(members) if each.part == "coach"],
    }.get(check.code, [])
    return rows[counted[-1]] if counted else row, "substitute" if check.rule == "substitutes" else "part"
