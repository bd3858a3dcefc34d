"""Entry forms as sheets over HTTP: templates, imports, exports, the programme book."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import marshmallow as ma
import msgspec

from services.registration import refusals as refuse
from services.registration.api.base import blueprint, note_access, use
from services.registration.api.entries import EntrySchema
from services.registration.api.fields import ReasonSchema
from services.registration.forms import MemberForm, TeamForm
from services.registration.imports import Given, SheetEntry
from services.registration.programme import programme
from services.registration.projections import CompetitionRow, competitions, imports
from services.registration.sheets import exports
from services.registration.sheets.columns import CONSENTED, Column, columns
from services.registration.sheets.places import Cell
from services.registration.sheets.reading import LARGEST, MEDIA
from services.registration.sheets.reading import read as read_sheet
from services.registration.sheets.rows import Raw, Wrong, entries_of
from services.registration.sheets.template import template
from shared.eventsourcing.handling import Command, Outcome
from shared.rules.regulations import AnyPreset
from shared.rules.regulations.reference import resolve_any
from shared.sheets import writing
from shared.sheets.writing import CSV, XLSX, Value
from shared.web.commands import command, command_for
from shared.web.context import identity, service
from shared.web.files import File, Sent, download, examine, upload
from shared.web.problems import both
from shared.web.reads import Found, PageQuery, after, page, paged, plain, read

_IMPORTS = "/competitions/<competition>/entry-imports"


class SketchSchema(ma.Schema):
    """What an import of the sheet would enter."""

    entries = ma.fields.Integer(required=True)
    persons = ma.fields.Integer(required=True)


class ImportSchema(ma.Schema):
    """An import as it was made. kept: the teams that its reversal left, since their entries were changed."""

    id = ma.fields.String(required=True)
    entries = ma.fields.Integer(required=True)
    persons = ma.fields.Integer(required=True)
    by = ma.fields.String(required=True)
    imported_at = ma.fields.String(required=True)
    reversed = ma.fields.Boolean(required=True)
    kept = ma.fields.List(ma.fields.String(), required=True)


class ProgressSchema(ma.Schema):
    """How far an import is."""

    phase = ma.fields.String(required=True, metadata={"description": "check, enter or done"})
    done = ma.fields.Integer(required=True)
    total = ma.fields.Integer(required=True)


class SessionSchema(ma.Schema):
    """A session of play, at the local time that the regulation names."""

    zh = ma.fields.String(required=True)
    en = ma.fields.String(required=True)
    begins = ma.fields.String(required=True)


class PlayerSchema(ma.Schema):
    """A player of the programme; the name is null once the person was erased."""

    name = ma.fields.String(required=True, allow_none=True)
    event = ma.fields.String(required=True)
    pair = ma.fields.Integer(required=True, allow_none=True)
    substitute = ma.fields.Boolean(required=True)


class ProgrammeTeamSchema(ma.Schema):
    """A team of the programme, in the order of units."""

    order = ma.fields.Integer(required=True)
    team = ma.fields.String(required=True)
    unit = ma.fields.String(required=True)
    name = ma.fields.String(required=True)
    leaders = ma.fields.List(ma.fields.String(allow_none=True), required=True)
    coaches = ma.fields.List(ma.fields.String(allow_none=True), required=True)
    players = ma.fields.List(ma.fields.Nested(PlayerSchema), required=True)


class ProgrammeSchema(ma.Schema):
    """What a programme book (秩序册) prints."""

    name = ma.fields.String(required=True)
    regulation = ma.fields.String(required=True)
    place = ma.fields.String(required=True)
    plays_from = ma.fields.String(required=True)
    plays_to = ma.fields.String(required=True)
    sessions = ma.fields.List(ma.fields.Nested(SessionSchema), required=True)
    units = ma.fields.Integer(required=True)
    persons = ma.fields.Integer(required=True)
    teams = ma.fields.List(ma.fields.Nested(ProgrammeTeamSchema), required=True)


# Templates


@download(blueprint, "/regulations/<regulation>/entry-form", (XLSX,))
def regulation_form(_query: dict[str, Any], regulation: str) -> File:
    """An empty entry form for a regulation, as an Excel workbook with drop-downs and notes."""
    preset = use().commands.preset(regulation, {})
    return File(f"{preset.name}-报名表.xlsx", XLSX, template(preset))


@download(blueprint, "/competitions/<competition>/entry-form", (XLSX,))
def competition_form(_query: dict[str, Any], competition: str) -> File:
    """An empty entry form for a competition, as the organiser has set its regulation."""
    row, preset = _known(competition)
    return File(f"{row.name}-报名表.xlsx", XLSX, template(preset))


# Imports


@examine(blueprint, f"{_IMPORTS}/checks", MEDIA, LARGEST, SketchSchema, roles=("organiser",))
def check_import(sent: Sent, competition: str) -> dict[str, Any]:
    """How many entries a sheet would enter, or everything wrong with it by row and column. Changes nothing."""
    count, persons = use().imports.check(command_for({}, "check"), competition, _given(sent, competition))
    return {"entries": count, "persons": persons}


@upload(blueprint, _IMPORTS, MEDIA, LARGEST, roles=("organiser",))
def import_entries(command: Command, _query: dict[str, Any], sent: Sent, competition: str) -> Outcome:
    """Enter everything that a sheet has (.xlsx or CSV, as the template), or nothing at all."""
    return use().imports.run(command, competition, _given(sent, competition))


@read(blueprint, _IMPORTS, paged(ImportSchema), PageQuery, roles=("organiser",))
def list_imports(query: dict[str, Any], competition: str) -> Found:
    """The imports that were made."""
    reader = service().engine.reader
    if reader.get(competitions, competition) is None:
        raise refuse.NoSuchCompetition(competition=competition)
    rows = reader.find(imports, {"competition": competition}, "_id", after(query), query["limit"] + 1)
    return Found(page([plain(row) for row in rows], query, lambda row: str(row["id"])))


@read(blueprint, f"{_IMPORTS}/<key>/progress", ProgressSchema, roles=("organiser",))
def import_progress(_query: dict[str, Any], competition: str, key: str) -> Found:
    """How far one's own import under an Idempotency-Key is, where this process makes it."""
    found = use().imports.progress(identity().sub, key)
    if found is None:
        raise refuse.NoSuchImport(competition=competition, id=key)
    return Found(msgspec.to_builtins(found))


@command(blueprint, f"{_IMPORTS}/<id>/reversals", ReasonSchema, roles=("organiser",))
def reverse_import(command: Command, body: dict[str, Any], competition: str, id: str) -> Outcome:
    """Take an import back while entries are open: all its entries but those that were changed since."""
    return use().imports.reverse(command, competition, id, body["reason"])


# Exports


@download(blueprint, "/competitions/<competition>/exports/entries.xlsx", (XLSX,), roles=("organiser",))
def entries_as_workbook(_query: dict[str, Any], competition: str) -> File:
    """All entries with their persons, in the columns of the entry form."""
    row, preset = _known(competition)
    asked = columns(preset)
    lines = _lines(competition, asked, row.rehearsal)
    return File(f"{row.name}-报名名单.xlsx", XLSX, writing.workbook({"报名名单": (exports.heads(asked), lines)}))


@download(blueprint, "/competitions/<competition>/exports/entries.csv", (CSV,), roles=("organiser",))
def entries_as_csv(_query: dict[str, Any], competition: str) -> File:
    """All entries with their persons, as CSV."""
    row, preset = _known(competition)
    asked = columns(preset)
    lines = _lines(competition, asked, row.rehearsal)
    return File(f"{row.name}-报名名单.csv", CSV, writing.comma_separated(exports.heads(asked), lines))


@read(blueprint, "/competitions/<competition>/programme", ProgrammeSchema, roles=("organiser",))
def show_programme(_query: dict[str, Any], competition: str) -> Found:
    """The data of the programme book (秩序册)."""
    return Found(_programme(competition))


@download(blueprint, "/competitions/<competition>/exports/programme.xlsx", (XLSX,), roles=("organiser",))
def programme_as_workbook(_query: dict[str, Any], competition: str) -> File:
    """The data of the programme book (秩序册) as a workbook."""
    book = _programme(competition)
    facts = [[name, str(book[key])] for name, key in _FACTS]
    facts += [[session["zh"], session["begins"]] for session in book["sessions"]]
    heads = ["序号", "单位", "队名", "领队", "教练员", "运动员"]
    lines = [
        [
            team["order"],
            team["unit"],
            team["name"],
            "、".join(filter(None, team["leaders"])),
            "、".join(filter(None, team["coaches"])),
            "、".join(player["name"] for player in team["players"] if player["name"]),
        ]
        for team in book["teams"]
    ]
    content = writing.workbook({"赛事": (["项目", "内容"], facts), "各代表队": (heads, lines)})
    return File(f"{book['name']}-秩序册.xlsx", XLSX, content)


_FACTS = (
    ("赛事", "name"),
    ("地点", "place"),
    ("开始", "plays_from"),
    ("结束", "plays_to"),
    ("单位数", "units"),
    ("运动员人数", "persons"),
)


def _lines(competition: str, asked: Sequence[Column], rehearsal: bool) -> list[list[Value]]:
    entered = use().lists.all(competition)
    note_access(competition, "list", sum(len(members) for _, members in entered))
    return [line for entry in entered for line in exports.lines(asked, *entry, rehearsal)]


def _programme(competition: str) -> dict[str, Any]:
    row, preset = _known(competition)
    entered = use().lists.all(competition)
    note_access(competition, "programme", sum(len(members) for _, members in entered))
    return programme(row, preset, entered)


def _known(competition: str) -> tuple[CompetitionRow, AnyPreset]:
    row = service().engine.reader.get(competitions, competition)
    if row is None:
        raise refuse.NoSuchCompetition(competition=competition)
    return row, resolve_any(row.regulation, row.changes)


def _given(sent: Sent, competition: str) -> Given:
    """A sheet's entries, each as the body of a request would have it and judged as that would be."""
    _, preset = _known(competition)
    sheet = entries_of(read_sheet(sent.content, sent.media), [*columns(preset), CONSENTED])
    schema, faulty = EntrySchema(), {(wrong.row, wrong.column) for wrong in sheet.wrong}
    found: list[SheetEntry] = []
    wrong = list(sheet.wrong)
    for raw in sheet.entries:
        try:
            schema.load(raw.body)
            told = []
        except ma.ValidationError as error:
            told = [each for each in _faults(raw, error.messages) if (each.row, each.column) not in faulty]
        wrong += told
        unread = frozenset(faulty | {(each.row, each.column) for each in told})
        if (entry := _entry(schema, raw, unread)) is not None:
            found.append(entry)
    return Given(entries=found, wrong=wrong, said=sheet.said)


def _entry(schema: ma.Schema, raw: Raw, unread: frozenset[Cell]) -> SheetEntry | None:
    """An entry without the cells that are no value; None where they leave none."""
    own = frozenset(cell for cell in unread if cell[0] in raw.rows or cell[1] in ("unit", "number"))
    without = [column for row, column in own if row in raw.rows]
    kept = [
        (row, {key: value for key, value in member.items() if (row, key) not in own})
        for row, member in zip(raw.rows, raw.body["members"], strict=True)
    ]
    kept = [(row, {"name": UNREAD} | member) for row, member in kept if "part" in member]
    said = {key: value for key, value in raw.body.items() if key not in without or key in ("unit", "number")}
    said |= {"members": [member for _, member in kept]} | ({"name": UNREAD} if "team" in without else {})
    try:
        body = schema.load(said)
    except ma.ValidationError:  # of the whole team: its unit, its number, how many it has
        return None
    members = tuple(MemberForm(**member) for member in body["members"])
    form = TeamForm(name=body["name"], members=members, unit_kind=body.get("unit_kind"), retirees=body.get("retirees"))
    rows = tuple(row for row, _ in kept)
    return SheetEntry(unit=body["unit"], number=body["number"], form=form, row=raw.row, rows=rows, unread=own)


UNREAD = "？"
"""Stands for a name in an entry that is only judged."""


def _faults(raw: Raw, messages: Any) -> list[Wrong]:
    """marshmallow's messages at the rows and columns that they speak of."""
    found = []
    for key, said in messages.items():
        if key != "members" or not isinstance(said, dict):
            found += [Wrong(raw.row, "team" if key == "name" else key, both(str(each))) for each in said]
            continue
        for member, fields in said.items():
            found += [Wrong(raw.rows[member], field, both(str(each))) for field, all in fields.items() for each in all]
    return found
