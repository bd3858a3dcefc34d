"""A text that people enter reads on every screen, print-out and log as it is written."""

from __future__ import annotations

import marshmallow as ma
import pytest

from shared.web.words import lines, words
from tests.support.world import World


class Said(ma.Schema):
    """One of each kind."""

    name = ma.fields.String(validate=words(10))
    reason = ma.fields.String(validate=lines(10))
    note = ma.fields.String(validate=lines(10, 0))


FORGING = {
    "NUL": "a\0b",
    "an escape": "\x1b[31m",
    "a bell": "a\x07",
    "backspace": "a\x08b",
    "delete": "a\x7f",
    "C1": "a\x9b31m",
    "right to left": "a\u202eb",
    "an isolate": "a\u2066b",
    "a line separator": "a\u2028b",
}


@pytest.mark.parametrize("text", FORGING.values(), ids=FORGING)
def test_no_text_holds_a_control_character(text: str) -> None:
    assert set(Said().validate({"name": text, "reason": text, "note": text})) == {"name", "reason", "note"}


@pytest.mark.parametrize("text", ["a\nb", "a\r\nb", "a\tb"])
def test_a_reason_may_have_lines_and_a_name_may_not(text: str) -> None:
    assert set(Said().validate({"name": text, "reason": text, "note": text})) == {"name"}


@pytest.mark.parametrize("text", ["", " ", "　", "\n", "\u200b", "\u200b \u2060"])
def test_a_text_that_nobody_sees_is_none(text: str) -> None:
    assert set(Said().validate({"name": text, "reason": text, "note": text})) == {"name", "reason"}


@pytest.mark.parametrize("text", ["集美队", "O'Neil <b>", "👨‍👩‍👧", "Ünï", "١٢٣", "$where", "{0}", "a.b"])
def test_what_people_are_called_is_taken_as_it_is(text: str) -> None:
    assert Said().validate({"name": text, "reason": text, "note": text}) == {}


@pytest.mark.parametrize("field", ["name", "place"])
def test_a_competition_cannot_be_called_what_would_colour_a_terminal(field: str) -> None:
    response = World().post("/registration/competitions", {"regulation": "jimei-2018", field: "\x1b[2Jx"})
    assert response.status_code == 422
    assert response.get_json()["errors"] == [{"pointer": f"/{field}", "detail": "Holds a control character."}]
