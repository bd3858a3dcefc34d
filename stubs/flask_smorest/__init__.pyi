"""The part of flask-smorest that Pailu uses; the package ships no types."""

from collections.abc import Callable
from typing import Any, TypeVar

import flask
from marshmallow import Schema
from werkzeug.exceptions import HTTPException

F = TypeVar("F", bound=Callable[..., Any])

class _Spec:
    components: Any
    def to_dict(self) -> dict[str, Any]: ...
    def tag(self, tag: dict[str, Any]) -> None: ...

class Api:
    ERROR_SCHEMA: type[Schema]
    DEFAULT_ERROR_RESPONSE_NAME: str | None
    spec: _Spec
    ma_plugin: Any
    def __init__(self, app: flask.Flask | None = ..., *, spec_kwargs: dict[str, Any] | None = ...) -> None: ...
    def register_blueprint(self, blp: Blueprint, **options: Any) -> None: ...
    def handle_http_exception(self, error: HTTPException) -> Any: ...
    def _register_responses(self) -> None: ...
    def _openapi_json(self) -> flask.Response: ...

class Blueprint(flask.Blueprint):
    description: str
    def __init__(self, name: str, import_name: str, *, description: str = ..., **options: Any) -> None: ...
    def arguments(
        self, schema: type[Schema] | Schema, *, location: str = ..., required: bool = ..., **kwargs: Any
    ) -> Callable[[F], F]: ...
    def response(
        self,
        status_code: int,
        schema: type[Schema] | Schema | dict[str, Any] | None = ...,
        *,
        description: str | None = ...,
        content_type: str | None = ...,
        headers: dict[str, Any] | None = ...,
    ) -> Callable[[F], F]: ...
    def alt_response(
        self,
        status_code: int,
        response: str | None = ...,
        *,
        schema: type[Schema] | Schema | None = ...,
        description: str | None = ...,
        headers: dict[str, Any] | None = ...,
        content_type: str | None = ...,
        success: bool = ...,
    ) -> Callable[[F], F]: ...
    def doc(self, **kwargs: Any) -> Callable[[F], F]: ...
    def register_views_in_doc(
        self, api: Api, app: flask.Flask, spec: _Spec, *, name: str, parameters: list[dict[str, Any]] | None
    ) -> None: ...
