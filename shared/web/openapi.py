"""Pieces of the OpenAPI document that several kinds of endpoint use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask_smorest import Blueprint

from shared.web.problems import ProblemSchema


def problem_response(blueprint: Blueprint, status: int) -> Callable[[Any], Any]:
    """Document that an endpoint may answer this status with a problem."""
    return blueprint.alt_response(status, schema=ProblemSchema, content_type="application/problem+json")


def header(name: str, required: bool, description: str, schema: dict[str, Any] | None = None) -> dict[str, Any]:
    """A header parameter; `schema` is a string's where none is given."""
    schema = schema or {"type": "string"}
    return {"in": "header", "name": name, "required": required, "description": description, "schema": schema}
