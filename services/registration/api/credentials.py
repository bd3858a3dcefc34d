"""Credentials over HTTP: issued, shown as a QR code, listed and revoked."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import flask
import marshmallow as ma
import segno

from services.registration import refusals as refuse
from services.registration.api.base import blueprint, use
from services.registration.api.fields import Flag, Name, Reason, ReasonSchema
from services.registration.credential_rows import CredentialRow, account_list, credentials, open_list
from services.registration.projections import competitions
from shared.eventsourcing.handling import Command, Outcome
from shared.rules.formats.stages import CARDS
from shared.web.commands import command
from shared.web.context import identity, service
from shared.web.problems import BOTH
from shared.web.reads import Found, PageQuery, QuerySchema, after, page, paged, plain, read

BASE = "/competitions/<competition>/credentials"
ROLES = ("organiser", "leader", "referee", "committee", "auditor")
AT_ONCE = 200
DAYS = 366


class TableSchema(ma.Schema):
    """One table of one round; `event`: of the cards, or of one of the boards."""

    round = ma.fields.Integer(required=True, strict=True, validate=ma.validate.Range(1, 999))
    table = ma.fields.Integer(required=True, strict=True, validate=ma.validate.Range(1, 9_999))
    event = ma.fields.String(load_default=CARDS, validate=Name, metadata={"example": "xiangqi"})


class HolderSchema(ma.Schema):
    """For whom: an account with a role; a leader's is for a `team`, by id or unit, a referee's may be for one `table`
    of one round, or the chief referee's."""

    account = ma.fields.String(required=True, validate=Name)
    role = ma.fields.String(required=True, validate=ma.validate.OneOf(ROLES))
    team = ma.fields.String(validate=Name)
    table = ma.fields.Nested(TableSchema)
    chief = Flag(load_default=False)

    @ma.validates_schema
    def _fits(self, given: dict[str, Any], **_: Any) -> None:
        role = given["role"]
        if ("team" in given) != (role == "leader"):
            raise ma.ValidationError(f"领队须有队伍，其他身份没有。{BOTH}A leader has a team, nobody else.", "team")
        if "table" in given and (role != "referee" or given["chief"]):
            raise ma.ValidationError(f"桌号仅用于裁判。{BOTH}A table is a referee's, not the chief's.", "table")
        if given["chief"] and role != "referee":
            raise ma.ValidationError(f"仅裁判可为裁判长。{BOTH}Only a referee is the chief referee.", "chief")


class IssueSchema(ma.Schema):
    """Whom to give a credential, and for how many hours."""

    holders = ma.fields.List(ma.fields.Nested(HolderSchema), required=True, validate=ma.validate.Length(1, AT_ONCE))
    hours = ma.fields.Integer(strict=True, load_default=24, validate=ma.validate.Range(1, 24 * DAYS))


class RevokeAllSchema(ma.Schema):
    """Whose credentials hold no more, and why. `count` is how many there are; without it, or with another number, the
    answer says how many."""

    account = ma.fields.String(required=True, validate=Name)
    count = ma.fields.Integer(strict=True, load_default=None, validate=ma.validate.Range(1))
    reason = ma.fields.String(required=True, validate=Reason)


class ListQuery(PageQuery):
    """Which: an account's, those that were not revoked, or all."""

    account = ma.fields.String(validate=Name, metadata={"description": "this account's that were not revoked"})
    all = ma.fields.Boolean(load_default=False, metadata={"description": "revoked ones too"})


class LinkQuery(QuerySchema):
    """Where phones find Pailu."""

    at = ma.fields.String(
        validate=ma.validate.URL(schemes={"http", "https"}, require_tld=False),
        metadata={"description": "the address that phones use; left out: the one this was asked at"},
    )


class CredentialSchema(ma.Schema):
    """A credential, without its token. `state`: live, expired or revoked."""

    credential = ma.fields.String(required=True)
    number = ma.fields.Integer(required=True)
    account = ma.fields.String(required=True)
    role = ma.fields.String(required=True)
    team = ma.fields.String(required=True, allow_none=True)
    table = ma.fields.Nested(TableSchema, required=True, allow_none=True)
    chief = ma.fields.Boolean(required=True)
    issued_by = ma.fields.String(required=True)
    issued_at = ma.fields.String(required=True)
    expires_at = ma.fields.String(required=True)
    revoked_by = ma.fields.String(required=True, allow_none=True)
    revoked_because = ma.fields.String(required=True, allow_none=True)
    state = ma.fields.String(required=True)


class LinkSchema(ma.Schema):
    """A credential to be shown to a phone: whoever has seen it can act by it. The token stands behind the `#`, so that
    no server's log and no proxy sees it."""

    competition = ma.fields.String(
        required=True, metadata={"description": "its name; a rehearsal's begins with 【演练】"}
    )
    rehearsal = ma.fields.Boolean(required=True)
    token = ma.fields.String(required=True)
    link = ma.fields.String(required=True)
    qr = ma.fields.String(required=True, metadata={"description": "the link as a QR code, in SVG"})


@command(blueprint, BASE, IssueSchema, roles=("organiser",))
def issue_credentials(command: Command, body: dict[str, Any], competition: str) -> Outcome:
    """Give persons, teams or tables a credential each."""
    return use().credentials.issue(command, competition, body["holders"], timedelta(hours=body["hours"]))


@command(blueprint, BASE + "/<credential>/revocations", ReasonSchema, roles=("organiser",))
def revoke_credential(command: Command, body: dict[str, Any], competition: str, credential: str) -> Outcome:
    """Revoke a credential: it is refused from the next request on."""
    return use().credentials.revoke(command, competition, credential, body["reason"])


@command(blueprint, BASE + "/revocations", RevokeAllSchema, roles=("organiser",))
def revoke_credentials(command: Command, body: dict[str, Any], competition: str) -> Outcome:
    """Revoke all credentials of an account. What was revoked can be issued anew."""
    return use().credentials.revoke_all(command, competition, body["account"], body["count"], body["reason"])


@read(blueprint, BASE, paged(CredentialSchema), ListQuery, roles=("organiser", "auditor"))
def list_credentials(query: dict[str, Any], competition: str) -> Found:
    """The credentials that were not revoked, an account's, or all, in the order of issue."""
    reader = service().engine.reader
    if reader.get(competitions, competition) is None:
        raise refuse.NoSuchCompetition(competition=competition)
    rows = reader.find(credentials, _equal(query, competition), "number", after(query, int), query["limit"] + 1)
    return Found(page([_shown(row) for row in rows], query, lambda row: int(row["number"])))


@read(blueprint, BASE + "/<credential>/link", LinkSchema, LinkQuery, roles=("organiser",))
def show_link(query: dict[str, Any], competition: str, credential: str) -> Found:
    """The token of a credential as a link and a QR code, for the account that issued it."""
    token = use().credentials.token(competition, credential, identity().sub)
    known = service().engine.reader.get(competitions, competition)
    if known is None:
        raise refuse.NoSuchCompetition(competition=competition)
    link = f"{_base(query.get('at') or flask.request.host_url)}/#token={token}"
    qr = segno.make(link, error="m", micro=False).svg_inline(scale=4, title=known.name)
    body = {"competition": known.name, "rehearsal": known.rehearsal, "token": token, "link": link, "qr": qr}
    return Found(body)


def _equal(query: dict[str, Any], competition: str) -> dict[str, Any]:
    if "account" in query:
        return {"found": account_list(competition, query["account"])}
    return {"competition": competition} if query["all"] else {"listed": open_list(competition)}


def _shown(row: CredentialRow) -> dict[str, Any]:
    return plain(row) | {"state": row.state(service().clock.now())}


def _base(address: str) -> str:
    """Scheme and host of an address."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"
