"""Who may use an endpoint. Rights are declared where the endpoint is, checked before anything else of it runs, and read
from the app for the table of roles (docs/roles.md)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, cast

import flask
import msgspec

from shared.web.context import Seat, identity, service
from shared.web.identity import ChiefRefereeOnly, OneTableOnly, Role

DECLARED = "__pailu_rights__"
"""The attribute of a view that holds its rights; what wraps a view (functools.wraps) takes it along."""


class Rights(msgspec.Struct, frozen=True, kw_only=True):
    """Who may. `roles` with a token for the competition in the path, for all competitions where none is; None:
    everyone, without a token. `chief`: of the referees the chief alone. `leader`: what a leader gets of another team:
    `own`, a refusal; `narrowed`, an answer that leaves it out; `any`, the same as of the own team. `table`: what a
    credential for one table gets of the others, likewise. `parts`: every part of the request is judged by its own
    endpoint, and so is a credential for one table."""

    roles: tuple[Role, ...] | None = None
    chief: bool = False
    leader: Literal["own", "narrowed", "any"] = "own"
    table: Literal["own", "narrowed"] = "own"
    parts: bool = False

    def check(self, path: Mapping[str, Any]) -> None:
        """Whether the request's token may do this where the path says: in a `competition`, or in all of them, and of a
        credential for one table in a `match` at that table. Whether a leader's team is concerned only the endpoint can
        tell: it asks `Identity.speaks_for`. Raises TokenNeeded, TokenRevoked, RoleNotAllowed, ChiefRefereeOnly,
        OtherCompetition, SomeCompetitionsOnly, OneTableOnly."""
        if self.roles is None:
            return
        who = identity()
        who.allow(self.roles, path.get("competition"))
        if self.chief and who.role == "referee" and not who.chief:
            raise ChiefRefereeOnly
        anywhere = self.parts or self.table == "narrowed"
        if who.table is not None and not anywhere and who.table != _seat(path):
            raise OneTableOnly(round=who.table[0], table=who.table[1])


def _seat(path: Mapping[str, Any]) -> Seat | None:
    """Where the match of a path is played; None where the path names none."""
    return service().seat(path["competition"], path["match"]) if "match" in path else None


PUBLIC = Rights()

View = Callable[..., Any]


def declared(rights: Rights, view: View) -> View:
    """The view, with its rights written on it for those who list endpoints; who calls this checks them."""
    setattr(view, DECLARED, rights)
    return view


def guarded(rights: Rights) -> Callable[[View], View]:
    """A view that checks its rights first."""

    def guard(view: View) -> View:
        @functools.wraps(view)
        def checked(**path: Any) -> Any:
            rights.check(path)
            return view(**path)

        return declared(rights, checked)

    return guard


def rights_of(view: View) -> Rights | None:
    """The rights that a view declares; None where nobody has declared them."""
    return cast("Rights | None", getattr(view, DECLARED, None))


class Endpoint(msgspec.Struct, frozen=True):
    """One method of one address of an app; `rights` is None where nobody has declared them."""

    method: str
    path: str
    name: str
    rights: Rights | None


def endpoints(app: flask.Flask) -> Iterator[Endpoint]:
    """Everything an app answers, as its url map has it."""
    for rule in app.url_map.iter_rules():
        rights = rights_of(cast(View, app.view_functions[rule.endpoint]))
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            yield Endpoint(method, rule.rule, rule.endpoint, rights)


def declare_public(app: flask.Flask, names: Callable[[str], bool]) -> None:
    """Declare endpoints that a library has added as everyone's, by their names."""
    for name in filter(names, list(app.view_functions)):
        app.view_functions[name] = guarded(PUBLIC)(cast(View, app.view_functions[name]))
