"""Who asks: a JWT names actor, role, and the competitions or team it holds for."""

from __future__ import annotations

import hmac
from collections import OrderedDict
from datetime import datetime, timedelta
from threading import Lock
from typing import Literal

import flask
import jwt
import msgspec

from shared.contracts.programme import parted
from shared.contracts.refusal import NotAllowed
from shared.rules.basis import Text

Role = Literal["organiser", "leader", "referee", "committee", "auditor", "operator"]
ROLES: dict[Role, str] = {
    "organiser": "主办方",
    "leader": "领队",
    "referee": "裁判",
    "committee": "申诉委员",
    "auditor": "审计",
    "operator": "运维",
}
ALGORITHM = "HS256"
EVERYWHERE = "*"
REMEMBERED = 2_000
"""How many tokens a process knows the signature of: checking one costs a tenth of a command."""


class TokenNeeded(Exception):
    """No token, or one that is expired, forged or unreadable (401)."""


class TokenRevoked(Exception):
    """A token of a credential that was revoked (401)."""


class RoleNotAllowed(
    NotAllowed,
    zh=("角色无权", "此操作限于：{roles}；令牌的角色是 {role}。"),
    en=("Role not allowed", "This is for {roles}; the token's role is {role}."),
):
    """The token's role may not do this."""


class OtherCompetition(
    NotAllowed,
    zh=("令牌不属于本赛事", "此令牌不适用于赛事 {competition}。"),
    en=("Token of another competition", "This token does not hold for competition {competition}."),
):
    """The token is for other competitions."""


class SomeCompetitionsOnly(
    NotAllowed,
    zh=("令牌限于个别赛事", "此操作涉及所有赛事；此令牌只适用于：{competitions}。"),
    en=("Token of some competitions", "This concerns all competitions; the token holds for {competitions} only."),
):
    """What concerns every competition, asked with a token for some."""


class OneTableOnly(
    NotAllowed,
    zh=("令牌限于一桌", "此令牌只用于第 {round} 轮第 {table} 桌。"),
    en=("Token of one table", "This token is for table {table} of round {round} alone."),
):
    """A credential for one table of one round, used for anything else."""


class OtherTeam(
    NotAllowed,
    zh=("令牌不属于本队", "此令牌只适用于队伍 {own}，不适用于 {team}。"),
    en=("Token of another team", "This token holds for team {own}, not for {team}."),
):
    """A leader's token is for one team (or unit)."""


class ChiefRefereeOnly(
    NotAllowed,
    zh=("须由裁判长进行", "此操作须由裁判长进行。"),
    en=("Chief referee only", "This is for the chief referee."),
):
    """A referee's token that is not the chief referee's."""


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """The claims of a token. `competitions` are ids, each with the events at boards beside it, or `*` for all; `team`
    is a leader's team id or unit; `chief` marks the chief referee; `table` is the round and the table that a referee's
    is for alone, of that very id. A credential has an id, `jti`, and an issuer, `iss`; what `pailu token` prints has
    neither."""

    sub: str
    role: Role
    competitions: tuple[str, ...] = (EVERYWHERE,)
    team: str | None = None
    chief: bool = False
    table: tuple[int, int] | None = None
    jti: str | None = None
    iss: str | None = None

    def allow(self, roles: tuple[Role, ...], competition: str | None) -> None:
        """Whether the role may do what concerns a competition, or with None all of them or one that is not there yet.
        Raises RoleNotAllowed, OtherCompetition, SomeCompetitionsOnly."""
        if self.role not in roles:
            raise RoleNotAllowed(roles=_named(roles), role=_named((self.role,)))
        if EVERYWHERE in self.competitions or competition in self.competitions:
            return
        if competition is not None and self.table is None and parted(competition)[0] in self.competitions:
            return
        if competition is None:
            raise SomeCompetitionsOnly(competitions=", ".join(self.competitions) or "-")
        raise OtherCompetition(competition=competition)

    def speaks_for(self, *names: str) -> None:
        """A leader's token must be for this team, by id or unit; other roles speak for every team. Raises OtherTeam."""
        if self.role == "leader" and self.team not in names:
            raise OtherTeam(own=self.team or "-", team=names[0])


def _named(roles: tuple[Role, ...]) -> Text:
    """Roles as tokens have them, in Chinese with what they are."""
    return Text("、".join(f"{ROLES[role]} {role}" for role in roles), ", ".join(roles))


def mint(identity: Identity, secret: str, now: datetime, lifetime: timedelta) -> str:
    """A signed token."""
    claims = {name: value for name, value in msgspec.to_builtins(identity).items() if value is not None}
    claims |= {"iat": int(now.timestamp()), "exp": int((now + lifetime).timestamp())}
    return jwt.encode(claims, secret, algorithm=ALGORITHM)


class Signed:
    """Tokens whose signature was checked, the least used forgotten first: whom each names, and until when. They are
    known by a digest, so that no token lies about."""

    def __init__(self, capacity: int = REMEMBERED) -> None:
        self._capacity = capacity
        self._lock = Lock()
        self._known: OrderedDict[bytes, tuple[Identity, float]] = OrderedDict()

    def read(self, token: str, secret: str) -> tuple[Identity, float]:
        """Whom a token names, and until when. Raises TokenNeeded."""
        digest = hmac.digest(secret.encode(), token.encode(), "sha256")
        with self._lock:
            if digest in self._known:
                self._known.move_to_end(digest)
                return self._known[digest]
        found = _checked(token, secret)
        with self._lock:
            self._known[digest] = found
            if len(self._known) > self._capacity:
                self._known.popitem(last=False)
        return found


def _checked(token: str, secret: str) -> tuple[Identity, float]:
    try:
        # expiry is checked against the injected clock by who reads
        claims = jwt.decode(token, secret, algorithms=[ALGORITHM], options={"verify_exp": False, "verify_iat": False})
        until = claims["exp"]
        if not isinstance(until, int | float):
            raise TypeError(f"expires at {until!r}")
        who = msgspec.convert({"competitions": []} | claims, Identity, strict=True)  # none named, none held for
    except (jwt.InvalidTokenError, msgspec.ValidationError, KeyError, TypeError) as error:
        raise TokenNeeded(str(error)) from error
    if not who.sub or not who.sub.isprintable():
        raise TokenNeeded("names no actor that can be written down")
    return who, until


_SIGNED = Signed()


def read(token: str, secret: str, now: datetime) -> Identity:
    """The identity a token names at this moment. Raises TokenNeeded."""
    who, until = _SIGNED.read(token, secret)
    if not now.timestamp() < until:  # so that NaN, which is in no order, has expired
        raise TokenNeeded("expired")
    return who


def of_request(secret: str, now: datetime) -> Identity:
    """The identity of the current request. Raises TokenNeeded."""
    scheme, _, token = flask.request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise TokenNeeded("no bearer token")
    return read(token.strip(), secret, now)
