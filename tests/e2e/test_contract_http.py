"""What the OpenAPI of each service promises is what it answers: no 5xx, no status, media type or shape that is not
written down, for bodies that fit the schemas and for bodies that do not.

Every operation is called with names that there are and with names that there are not, by whoever may call it."""

from __future__ import annotations

from typing import cast

import pytest
import schemathesis
from schemathesis import GenerationMode
from schemathesis.core.failures import FailureGroup

from shared.web.problems import ProblemSchema
from tests.e2e.test_match_http import Hall
from tests.support.openapi import CHECKS, Asker, Operation
from tests.support.world import World

FITTING, UNFITTING = 14, 8
"""Calls of each operation with what its schema allows, and with what it does not."""


def _asker() -> Asker:
    """All services, with a competition in its first round, hands entered, and an appeal begun."""
    hall = Hall()
    hall.draw()
    hall.pair()
    hall.hand(1)
    team, unit = next(iter(hall.units.items()))
    leader = hall.get("/matches/r1t1")["teams"][0]["unit"]
    path = f"/appeals/competitions/{hall.id}/appeals"
    body = {"match": "r1t1", "grounds": "误判", "asks_for": {"kind": "none"}}
    drafted = hall.world.post(path, body, role="leader", team=leader, sub=f"leader-{leader}")
    appeal = drafted.get_json()["stream"].rpartition("/")[2] if drafted.status_code == 201 else "a"
    names = {
        "competition": hall.id,
        "match": "r1t1",
        "team": team,
        "number": 1,
        "hand": 1,
        "penalty": "p1",
        "regulation": "jimei-2018",
        "appeal": appeal,
        "document": "identity_copy",
        "evidence": "e1",
    }
    return Asker(hall.world, unit, names)


SITE = _asker()
OPERATIONS = [pytest.param(op, id=f"{service} {op.label}") for service, op in SITE.operations()]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_operation_answers_as_its_document_says(operation: Operation) -> None:
    fitting = SITE.ask(operation, GenerationMode.POSITIVE, FITTING, SITE.names)
    assert set(fitting) - {403}, "nobody may do this"
    if any(parameter.name in SITE.names for parameter in operation.path_parameters):
        SITE.ask(operation, GenerationMode.POSITIVE, 3, {})


@pytest.mark.parametrize("operation", [param for param in OPERATIONS if cast(Operation, param.values[0]).body])
def test_an_operation_answers_what_does_not_fit_as_its_document_says(operation: Operation) -> None:
    SITE.ask(operation, GenerationMode.NEGATIVE, UNFITTING, SITE.names)


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
