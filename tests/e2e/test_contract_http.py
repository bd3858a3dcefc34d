"""What the OpenAPI of each service promises is what it answers: no 5xx, no status, media type or shape that is not
written down, for bodies that fit the schemas and for bodies that do not.

Every operation is called with names that there are and with names that there are not, by whoever may call it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, cast

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error, response_schema_conformance, status_code_conformance
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import content_type_conformance, response_headers_conformance

from shared.web.problems import ProblemSchema
from tests.e2e.test_match_http import Hall
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
FITTING, UNFITTING = 14, 8
"""Calls of each operation with what its schema allows, and with what it does not."""


class Site:
    """All services, with a competition in its first round, hands entered, and an appeal begun."""

    def __init__(self) -> None:
        hall = Hall()
        hall.draw()
        hall.pair()
        hall.hand(1)
        self.world = hall.world
        self.team, self.unit = next(iter(hall.units.items()))
        leader = hall.get("/matches/r1t1")["teams"][0]["unit"]
        path = f"/appeals/competitions/{hall.id}/appeals"
        body = {"match": "r1t1", "grounds": "误判", "asks_for": {"kind": "none"}}
        drafted = self.world.post(path, body, role="leader", team=leader, sub=f"leader-{leader}")
        appeal = drafted.get_json()["stream"].rpartition("/")[2] if drafted.status_code == 201 else "a"
        self.names: dict[str, Any] = {
            "competition": hall.id,
            "match": "r1t1",
            "team": self.team,
            "number": 1,
            "hand": 1,
            "penalty": "p1",
            "regulation": "jimei-2018",
            "appeal": appeal,
            "document": "identity_copy",
        }
        self._keys = itertools.count(1)

    def operations(self) -> Iterator[tuple[str, Operation]]:
        for name, app in self.world.apps.items():
            schema = schemathesis.openapi.from_wsgi("/openapi.json", app)
            for result in schema.get_all_operations():
                yield name, result.ok()

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


BODY = {"regulation": "jimei-2018", "code": "revoke", "changes": {"match.minutes": 45}, "pair": "13", "hand": 2}
"""Values that the services know, by the name of the field."""
SITE = Site()
OPERATIONS = [pytest.param(op, id=f"{service} {op.label}") for service, op in SITE.operations()]


def _check(operation: Operation, mode: GenerationMode, examples: int, names: dict[str, Any]) -> set[int]:
    """Call the operation; the statuses it answered."""
    seen: set[int] = set()
    known = {parameter.name for parameter in operation.path_parameters}
    given_names = {name: value for name, value in names.items() if name in known} or None

    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode, path_parameters=given_names))
    def call(case: Case) -> None:
        response = SITE.answer(case)
        seen.add(response.status_code)
        case.validate_response(response, checks=CHECKS)

    call()
    SITE.world.settle()
    return seen


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_operation_answers_as_its_document_says(operation: Operation) -> None:
    fitting = _check(operation, GenerationMode.POSITIVE, FITTING, SITE.names)
    assert fitting - {403}, "nobody may do this"
    if any(parameter.name in SITE.names for parameter in operation.path_parameters):
        _check(operation, GenerationMode.POSITIVE, 3, {})


@pytest.mark.parametrize("operation", [param for param in OPERATIONS if cast(Operation, param.values[0]).body])
def test_an_operation_answers_what_does_not_fit_as_its_document_says(operation: Operation) -> None:
    _check(operation, GenerationMode.NEGATIVE, UNFITTING, SITE.names)


@pytest.mark.parametrize("service", SITE.world.apps)
def test_every_answer_is_written_down_and_no_other_is_left_open(service: str) -> None:
    document = SITE.world.client(service).get("/openapi.json").get_json()
    assert set(document["components"]["schemas"]["Problem"]["required"]) == {
        name for name, field in ProblemSchema().fields.items() if field.required
    }
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            if method == "parameters":
                continue
            assert "default" not in operation["responses"], f"{method} {path} may answer anything"
            if method == "post":
                assert {"401", "403"} <= set(operation["responses"]), f"{method} {path}"


def test_the_page_of_each_service_works_without_the_internet() -> None:
    for service in SITE.world.apps:
        page = SITE.world.get(f"/{service}/docs").get_data(as_text=True)
        assert "http://" not in page.replace("http://www.w3.org", "")
        assert "https://" not in page


def test_an_answer_that_is_not_written_down_is_found() -> None:
    app = World().apps["registration"]
    app.before_request_funcs.setdefault(None, []).append(lambda: ("a teapot", 418))
    schema = schemathesis.openapi.from_wsgi("/openapi.json", SITE.world.apps["registration"])
    operation = schema["/regulations"]["GET"]
    case = operation.Case()
    with pytest.raises(FailureGroup):
        case.validate_response(app.test_client().get("/regulations"), checks=CHECKS)
