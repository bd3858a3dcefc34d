"""Calls made from the services' own OpenAPI documents, and what their answers are held against."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error, response_schema_conformance, status_code_conformance
from schemathesis.specs.openapi.checks import content_type_conformance, response_headers_conformance

from tests.support.world import World

Operation = Any
"""An operation of a schemathesis schema: its own type has parameters of no use here."""

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
ROLES = ("organiser", "referee", "leader", "committee", "operator", "auditor")
BODY = {"regulation": "jimei-2018", "code": "revoke", "changes": {"match.minutes": 45}, "pair": "13", "hand": 2}
"""Values that the services know, by the name of the field."""


class Asker:
    """Somebody who may do everything in a world, as one role after the other. names: what stands for the parts of a
    path there; unit: of whose leader the token is."""

    def __init__(self, world: World, unit: str, names: Mapping[str, Any]) -> None:
        self.world = world
        self.unit = unit
        self.names = dict(names)
        self._keys = itertools.count(1)

    def operations(self) -> Iterator[tuple[str, Operation]]:
        """Every operation of every service, with the service's name."""
        for name in self.world.apps:
            for result in self._schema(name).get_all_operations():
                yield name, result.ok()

    def operation(self, service: str, endpoint: str) -> Operation | None:
        """The operation of an endpoint (`GET /path`); None for what stands in no document: pages and streams."""
        method, _, path = endpoint.partition(" ")
        schema = self._schema(service)
        known = schema.raw_schema["paths"].get(path, {})
        return schema[path][method] if method.lower() in known else None

    def _schema(self, service: str) -> Any:
        return schemathesis.openapi.from_wsgi("/openapi.json", self.world.apps[service])

    def answer(self, case: Case) -> Any:
        """What the first role answers that may do this. Three calls of four come without the optional headers, and two
        of four name what there is, so that not every one ends at the first check."""
        number = next(self._keys)
        ours = {"authorization", *([] if number % 4 == 0 else ["idempotency-key", "if-match", "pailu-position"])}
        case.headers = {name: value for name, value in case.headers.items() if name.lower() not in ours}
        if number % 4 > 1 and isinstance(case.body, dict):
            case.body = {name: BODY.get(name, value) for name, value in case.body.items()}
        for role in ROLES:
            claims: dict[str, Any] = {"team": self.unit} if role == "leader" else {"chief": role == "referee"}
            headers = {"Authorization": f"Bearer {self.world.token(role, sub=f'{role}-1', **claims)}"}
            if number % 4:
                headers["Idempotency-Key"] = f"contract-{number}"
            response = case.call(headers=headers)
            if response.status_code != 403:
                break
        return response

    def ask(
        self,
        operation: Operation,
        mode: GenerationMode,
        examples: int,
        names: Mapping[str, Any],
        number: int | None = None,
    ) -> Counter[int]:
        """Call an operation with what its schema allows, or with what it does not, naming what there is by `names`; how
        often it answered what. With a number the calls are others than without. Raises FailureGroup for an answer that
        its document does not have."""
        seen: Counter[int] = Counter()
        known = {parameter.name for parameter in operation.path_parameters}
        given_names = {name: value for name, value in names.items() if name in known} or None

        @settings(
            max_examples=examples,
            deadline=None,
            derandomize=number is None,
            database=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode, path_parameters=given_names))
        def call(case: Case) -> None:
            response = self.answer(case)
            seen[response.status_code] += 1
            case.validate_response(response, checks=CHECKS)

        (call if number is None else seed(number)(call))()
        self.world.settle()
        return seen
