"""Papers of entries over HTTP: what is due, what came, what is missing, and the files."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
import msgspec

from services.registration import refusals as refuse
from services.registration.api.base import blueprint, check_speaks_for, note_access, use
from services.registration.api.fields import Flag, Name, Reason
from services.registration.documents import LARGEST, MEDIA, Document, Named
from services.registration.projections import EntryRow, competitions, entries
from shared.contracts.refusal import Refusal
from shared.eventsourcing.handling import Command, Outcome
from shared.rules.basis import Text
from shared.web.commands import command
from shared.web.context import service
from shared.web.files import File, Sent, download, upload
from shared.web.problems import language
from shared.web.reads import Found, PageQuery, QuerySchema, after, page, paged, read
from shared.web.words import in_calendar, lines

_ENTRY = "/competitions/<competition>/entries/<team>"


class NamedSchema(ma.Schema):
    """A paper. member: the number of the member in the entry whom it is about, from 0 on, left out for the team's."""

    document = ma.fields.String(required=True, validate=Name, metadata={"example": "identity_copy"})
    member = ma.fields.Integer(load_default=None, allow_none=True, validate=ma.validate.Range(0, 99))


class ReceiptSchema(NamedSchema):
    """A paper that was handed over. received_at: where it was before now, which needs a reason."""

    seal = Flag(load_default=False, metadata={"description": "it bears the unit's seal"})
    received_at = ma.fields.AwareDateTime(format="iso", load_default=None, validate=in_calendar)
    reason = ma.fields.String(load_default="", validate=lines(500, 0))


class FileSchema(NamedSchema, QuerySchema):
    """What a file is of."""

    seal = ma.fields.Boolean(load_default=False, metadata={"description": "it shows the unit's seal"})


class OneFileSchema(QuerySchema):
    """Whose file."""

    member = ma.fields.Integer(load_default=None, validate=ma.validate.Range(0, 99))


class RejectionSchema(NamedSchema):
    """A paper that does not do, and why."""

    reason = ma.fields.String(required=True, validate=Reason)


class MomentQuery(QuerySchema):
    """As of which moment; left out, now."""

    as_of = ma.fields.AwareDateTime(format="iso", validate=in_calendar)


class DocumentSchema(ma.Schema):
    """A paper that an entry needs."""

    document = ma.fields.String(required=True)
    name = ma.fields.String(required=True, metadata={"description": "in the language that was asked for"})
    member = ma.fields.Integer(required=True, allow_none=True)
    article = ma.fields.String(required=True)
    mark = ma.fields.String(required=True)
    due_at = ma.fields.String(required=True)
    missing = ma.fields.String(
        required=True, metadata={"description": "not_received, rejected or no_seal; empty where it is there"}
    )
    late = ma.fields.Boolean(required=True, metadata={"description": "it came after it was due"})
    how = ma.fields.String(required=True, allow_none=True, metadata={"description": "paper or file"})
    received_at = ma.fields.String(required=True, allow_none=True)
    sha256 = ma.fields.String(required=True, allow_none=True)
    rejected = ma.fields.String(required=True, allow_none=True)


class DocumentsSchema(ma.Schema):
    """The papers of an entry, and how many are missing."""

    items = ma.fields.List(ma.fields.Nested(DocumentSchema), required=True)
    missing = ma.fields.Integer(required=True)


class ReminderSchema(ma.Schema):
    """A team of which something is still wanted. said: a message to its leader, without any person's name."""

    team = ma.fields.String(required=True)
    name = ma.fields.String(required=True)
    unit = ma.fields.String(required=True)
    documents = ma.fields.List(ma.fields.Nested(DocumentSchema), required=True)
    open = ma.fields.Integer(required=True, metadata={"description": "checks that a person must still look at"})
    broken = ma.fields.Integer(required=True)
    due_at = ma.fields.String(required=True, allow_none=True, metadata={"description": "of the first paper"})
    said = ma.fields.String(required=True)


@read(blueprint, f"{_ENTRY}/documents", DocumentsSchema, MomentQuery, roles=("organiser", "leader", "auditor"))
def show_documents(query: dict[str, Any], competition: str, team: str) -> Found:
    """The papers of an entry: which are due and when, which came, which are missing; now or as of a moment."""
    check_speaks_for(competition, team)
    found = use().documents.of(competition, team, query.get("as_of"))
    return Found({"items": [_shown(each) for each in found], "missing": sum(bool(each.missing) for each in found)})


@command(blueprint, f"{_ENTRY}/documents", ReceiptSchema, roles=("organiser",))
def receive(command: Command, body: dict[str, Any], competition: str, team: str) -> Outcome:
    """Enter that a paper was handed over."""
    named = Named(document=body.pop("document"), member=body.pop("member"))
    return use().documents.receive(command, competition, team, named, **body)


@command(blueprint, f"{_ENTRY}/document-rejections", RejectionSchema, roles=("organiser",))
def reject(command: Command, body: dict[str, Any], competition: str, team: str) -> Outcome:
    """Send a paper back that does not do; it is due again."""
    named = Named(document=body["document"], member=body["member"])
    return use().documents.reject(command, competition, team, named, body["reason"])


@upload(blueprint, f"{_ENTRY}/files", MEDIA, LARGEST, FileSchema, roles=("organiser", "leader"))
def send(command: Command, query: dict[str, Any], sent: Sent, competition: str, team: str) -> Outcome:
    """Send a paper as a file (JPEG, PNG or PDF, 4 MiB at most). Kept sealed, outside the log."""
    check_speaks_for(competition, team)
    named = Named(document=query["document"], member=query["member"])
    return use().documents.send(command, competition, team, named, sent.media, sent.content, query["seal"])


@download(blueprint, f"{_ENTRY}/files/<document>", MEDIA, OneFileSchema, roles=("organiser", "leader", "auditor"))
def show_file(query: dict[str, Any], competition: str, team: str, document: str) -> File:
    """The file of a paper."""
    check_speaks_for(competition, team)
    received, content = use().documents.file(competition, team, Named(document=document, member=query["member"]))
    note_access(competition, "file", 1, team=team, document=document)
    return File(f"{team}-{document}.{received.media.rpartition('/')[2]}", received.media, content)


@read(blueprint, "/competitions/<competition>/reminders", paged(ReminderSchema), PageQuery, roles=("organiser",))
def reminders(query: dict[str, Any], competition: str) -> Found:
    """The teams of which something is still wanted, with a message to send to each."""
    reader = service().engine.reader
    if reader.get(competitions, competition) is None:
        raise refuse.NoSuchCompetition(competition=competition)
    rows = reader.find(entries, {"competition": competition}, "team", after(query), query["limit"] + 1)
    answer = page(rows, query, lambda row: str(row.team))
    wanted = (_reminder(row) for row in answer["items"] if row.status == "entered")
    return Found({**answer, "items": [each for each in wanted if each]})


def _reminder(row: EntryRow) -> dict[str, Any] | None:
    try:
        documents = [each for each in use().documents.of(row.competition, row.team) if each.missing]
        checks = use().eligibility.checks(row.competition, row.team)
    except Refusal:  # it was taken back since the row was written
        return None
    open_checks, broken = sum(each.open for each in checks), sum(each.wrong for each in checks)
    if not (documents or open_checks or broken):
        return None
    first = min((each.due_at for each in documents), default=None)
    return {
        "team": row.team,
        "name": row.name,
        "unit": row.unit,
        "documents": [_shown(each) for each in documents],
        "open": open_checks,
        "broken": broken,
        "due_at": msgspec.to_builtins(first) if first else None,
        "said": _spoken(_message(row, documents, open_checks + broken)),
    }


def _message(row: EntryRow, documents: list[Document], checks: int) -> Text:
    """What is told to a leader: papers by member number, since a message may go astray."""
    zh = [f"{each.due.name.zh}{_whose(each).zh}" for each in documents]
    en = [f"{each.due.name.en}{_whose(each).en}" for each in documents]
    said, said_en = f"{row.unit}（{row.name}）：", f"{row.unit} ({row.name}): "
    if documents:
        said += f"尚缺 {'、'.join(zh)}。"
        said_en += f"still missing: {', '.join(en)}. "
    if checks:
        said += f"另有 {checks} 项资格待核实。"
        said_en += f"{checks} checks of eligibility are open."
    return Text(said, said_en.strip())


def _whose(document: Document) -> Text:
    if document.member is None:
        return Text("", "")
    return Text(f"（第 {document.member + 1} 人）", f" (member {document.member + 1})")


def _shown(each: Document) -> dict[str, Any]:
    received = each.paper.received if each.paper else None
    return {
        "document": each.due.document,
        "name": _spoken(each.due.name),
        "member": each.member,
        "article": each.due.article,
        "mark": each.due.mark,
        "due_at": msgspec.to_builtins(each.due_at),
        "missing": each.missing,
        "late": each.late,
        "how": received.how if received else None,
        "received_at": msgspec.to_builtins(received.received_at) if received else None,
        "sha256": (received.sha256 or None) if received else None,
        "rejected": each.paper.rejected if each.paper else None,
    }


def _spoken(text: Text) -> str:
    return text.zh if language() == "zh" else text.en
