"""What the committee is to consider: who brings it, who is given it."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from services.appeals.api.base import APPEAL, blueprint, desk, exhibits
from services.appeals.api.bodies import ReasonSchema
from services.appeals.evidence import LARGEST, MEDIA, Brought
from shared.eventsourcing.handling import Command, Outcome
from shared.web.commands import command, command_for
from shared.web.context import identity
from shared.web.files import File, Sent, download, upload
from shared.web.identity import Role
from shared.web.reads import QuerySchema
from shared.web.words import words

BRING: tuple[Role, ...] = ("leader", "organiser", "referee", "committee")
_ONE = APPEAL + "/evidence/<evidence>"
TITLE = {"description": "what it shows; no person's name 说明，不写个人姓名"}


class TitleQuery(QuerySchema):
    """What a file shows."""

    title = ma.fields.String(required=True, validate=words(200), metadata=TITLE)


class ReferenceSchema(ma.Schema):
    """An event of the log of a match or of the rounds, by its id there (`/match/…/matches/MATCH/events`)."""

    title = ma.fields.String(required=True, validate=words(200), metadata=TITLE)
    event = ma.fields.String(required=True, validate=words(300), metadata={"example": "match/ID/r1t1@3"})


@upload(blueprint, APPEAL + "/evidence", MEDIA, LARGEST, TitleQuery, roles=BRING)
def send_evidence(command: Command, query: dict[str, Any], sent: Sent, competition: str, appeal: str) -> Outcome:
    """File a picture or a scan (JPEG, PNG or PDF, 4 MiB at most), as the team that appeals, as the other team of the
    match once it is lodged, or as one who runs it. Kept sealed, outside the log."""
    brought = _brought(competition, appeal, query["title"])
    return exhibits().send(command, competition, appeal, brought, sent.media, sent.content)


@command(blueprint, APPEAL + "/evidence/references", ReferenceSchema, roles=BRING)
def refer_to_event(command: Command, body: dict[str, Any], competition: str, appeal: str) -> Outcome:
    """File an event of the log as evidence."""
    brought = _brought(competition, appeal, body["title"])
    return exhibits().refer(command, competition, appeal, brought, body["event"])


@command(blueprint, _ONE + "/strikings", ReasonSchema, roles=("leader", "organiser"))
def strike_evidence(command: Command, body: dict[str, Any], competition: str, appeal: str, evidence: str) -> Outcome:
    """Strike what was filed by mistake: by the team that filed it, or by the desk. Its file is gone, its hash stays."""
    check_concerned(competition, appeal)
    side = exhibits().side(competition, appeal, identity().role, identity().team)
    return exhibits().strike(command, competition, appeal, evidence, body["reason"], side)


@download(blueprint, _ONE + "/file", MEDIA, roles=("leader", "organiser", "referee", "committee", "auditor"))
def show_evidence(_query: dict[str, Any], competition: str, appeal: str, evidence: str) -> File:
    """The file of a piece of evidence, for those who may read the appeal. Each reading is recorded."""
    check_concerned(competition, appeal)
    read = command_for({}, exhibits().read_key())
    filed, content = exhibits().given(read, competition, appeal, evidence)
    return File(f"{appeal}-{evidence}.{filed.media.rpartition('/')[2]}", filed.media, content)


def check_concerned(competition: str, appeal: str) -> None:
    """A leader is of a team of the match; of a draft only its own. Raises OtherTeam, NoSuchAppeal."""
    names = [*desk().names_of(competition, appeal)]
    state = desk().load_appeal(competition, appeal)
    if state.lodged:
        case = desk().records.case(competition, state.match)
        names += [name for team in case.teams for name in sorted(case.names(team))]
    identity().speaks_for(*names)


def _brought(competition: str, appeal: str, title: str) -> Brought:
    check_concerned(competition, appeal)
    who = identity()
    return Brought(side=exhibits().side(competition, appeal, who.role, who.team), title=title, by=who.sub)
