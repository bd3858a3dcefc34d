"""Pieces of the OpenAPI document that several kinds of endpoint use."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

from flask_smorest import Blueprint

from shared.web.problems import ProblemSchema
from shared.web.rights import Rights


def problem_response(blueprint: Blueprint, status: int) -> Callable[[Any], Any]:
    """Document that an endpoint may answer this status with a problem."""
    return blueprint.alt_response(status, schema=ProblemSchema, content_type="application/problem+json")


def described(view: Any, case: Any, parameters: Sequence[dict[str, Any]], rights: Rights) -> Any:
    """Document an endpoint's own words, who may call it, and parameters beside those of its schema.

    The parameters join those that `Blueprint.arguments` has noted: `Blueprint.doc` would put them in their place."""
    view._apidoc = copy.deepcopy(view._apidoc)
    view._apidoc["arguments"]["parameters"].extend(copy.deepcopy(list(parameters)))
    said = " ".join((case.__doc__ or "").split())
    view._apidoc.setdefault("manual_doc", {}).update(
        summary=said.partition(". ")[0].removesuffix(".") + ".",
        description="\n\n".join(filter(None, [said.partition(". ")[2], who(rights)])),
        security=[] if rights.roles is None else [{"bearer": []}],
    )
    return view


def who(rights: Rights) -> str:
    """Who may call an endpoint."""
    if rights.roles is None:
        return "Public; no token is needed. 公开，无需令牌。"
    said = f"A token with the role 令牌的角色须为: {', '.join(rights.roles)}."
    return said + (" Of the referees the chief alone 裁判中仅限裁判长." if rights.chief else "")


def header(name: str, required: bool, description: str, schema: dict[str, Any] | None = None) -> dict[str, Any]:
    """A header parameter; `schema` is a string's where none is given."""
    schema = schema or {"type": "string"}
    return {"in": "header", "name": name, "required": required, "description": description, "schema": schema}
