"""The data of the programme book (秩序册): the competition, its sessions, its teams and who is in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from services.registration.forms import MemberForm
from services.registration.persons import Persons
from services.registration.projections import CompetitionRow, EntryRow, entries
from shared.contracts.registration import Member
from shared.eventsourcing.generations import Reader
from shared.rules.regulations import AnyPreset
from shared.rules.regulations.preset import Preset


class Lists:
    """All entries of a competition with their persons, for exports."""

    def __init__(self, reader: Reader, persons: Persons) -> None:
        self._reader = reader
        self._persons = persons

    def all(self, competition: str) -> list[tuple[EntryRow, list[MemberForm | None]]]:
        """Every entry, also one that was taken back, by unit and number, its members None where they were erased."""
        rows = self._reader.find(entries, {"competition": competition}, "team", None, 0)
        members = [msgspec.convert(member, Member) for row in rows for member in row.members]
        read = iter(self._persons.read(members))
        found = [(row, [next(read) for _ in row.members]) for row in rows]
        return sorted(found, key=lambda each: (each[0].unit, each[0].number))


def programme(
    row: CompetitionRow, preset: AnyPreset, entered: Sequence[tuple[EntryRow, list[MemberForm | None]]]
) -> dict[str, Any]:
    """The programme book's data; entries that were taken back are not in it."""
    teams = [_team(*each) for each in entered if each[0].status == "entered"]
    return {
        "name": row.name,
        "regulation": row.regulation,
        "place": row.place,
        "plays_from": row.plays_from,
        "plays_to": row.plays_to,
        "sessions": _sessions(preset),
        "units": len({team["unit"] for team in teams}),
        "persons": sum(len(team["players"]) for team in teams),
        "teams": [{"order": order, **team} for order, team in enumerate(teams, 1)],
    }


def _team(row: EntryRow, members: Sequence[MemberForm | None]) -> dict[str, Any]:
    both = list(zip(row.members, members, strict=True))
    return {
        "team": row.team,
        "unit": row.unit,
        "name": row.name,
        "leaders": [_name(form) for member, form in both if member["part"] == "leader"],
        "coaches": [_name(form) for member, form in both if member["part"] == "coach"],
        "players": [
            {"name": _name(form), **{key: member.get(key) for key in ("event", "pair", "substitute")}}
            for member, form in both
            if member["part"] == "player"
        ],
    }


def _name(form: MemberForm | None) -> str | None:
    return None if form is None else form.name


def _sessions(preset: AnyPreset) -> list[dict[str, str]]:
    """As the regulation has them; the competition's own days may be others."""
    if isinstance(preset, Preset):
        return [
            {"zh": session.name.zh, "en": session.name.en, "begins": session.begins.isoformat()}
            for session in preset.dates.sessions.value
        ]
    begins = preset.dates.play_begins
    return [{"zh": begins.zh, "en": begins.en, "begins": begins.value.isoformat()}]
