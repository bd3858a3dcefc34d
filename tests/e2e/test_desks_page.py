"""The calls that docs/desks.md shows a clerk work as they stand there, one after the other."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from tests.support.site import PHOTO, SHEET, Site
from tests.support.world import World

PAGE = Path(__file__).parents[2] / "docs/desks.md"
BASE = "http://127.0.0.1:8080"
FILES = {".csv": SHEET[1], ".png": PHOTO[1]}
HELD = {"CLERK": ("organiser", "clerk"), "SECOND": ("organiser", "second"), "CHAIR": ("committee", "chair")}


def _calls(section: str) -> list[str]:
    """The lines of a section's calls."""
    text = PAGE.read_text("utf-8")
    part = text[text.index(section) :]
    found = re.search(r"^```sh\n(.*?)^```", part, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1].splitlines()


class Terminal:
    """A clerk's terminal: what is set, and curl over a world."""

    def __init__(self, site: Site) -> None:
        self.world = site.world
        self.set = {"C": site.id, "M": site.match if site.tables else "", "T": "", "ID": ""}
        self.set |= {name: self.world.token(role, sub=sub) for name, (role, sub) in HELD.items()}
        self.set["LEADER"] = self.world.token("leader", sub="leader", team=site.unit)

    def run(self, line: str) -> TestResponse | None:
        """Do a line; None where it only sets something."""
        if assigned := re.fullmatch(r"(\w+)=(\S+)", line):
            self.set[assigned[1]] = self._filled(assigned[2])
            return None
        words = shlex.split(self._filled(line))
        assert words[:2] == ["curl", "-s"], line
        return self._asked(iter(words[2:]))

    def _filled(self, text: str) -> str:
        return re.sub(r"\$(\w+)", lambda found: self.set[found[1]], text)

    def _asked(self, words: object) -> TestResponse:
        rest = iter(words)  # type: ignore[call-overload]
        headers: dict[str, str] = {}
        data: bytes | None = None
        url = ""
        for word in rest:
            match word:
                case "-H":
                    name, _, value = next(rest).partition(": ")
                    headers[name] = value
                case "--json":
                    data, headers["Content-Type"] = next(rest).encode(), "application/json"
                case "--data-binary":
                    data = FILES[Path(next(rest).removeprefix("@")).suffix]
                case "-o":
                    next(rest)
                case _:
                    url = word
        service, _, path = url.removeprefix(f"{BASE}/").partition("/")
        method = "GET" if data is None else "POST"
        response = self.world.client(service).open(f"/{path}", method=method, data=data, headers=headers)
        self.world.settle()
        return response


def _worked(terminal: Terminal, line: str) -> TestResponse | None:
    response = terminal.run(line)
    assert response is None or response.status_code in (200, 201), (line, response.get_data(as_text=True))
    return response


def test_the_entry_desks_calls_work() -> None:
    terminal = Terminal(Site(World()).announced())
    for line in _calls("### The calls of one entry"):
        response = _worked(terminal, line)
        if response is not None and line.endswith("$R/entries"):
            terminal.set["T"] = response.get_json()["events"][0]["data"]["team"]["id"]
    assert terminal.set["T"]


def test_the_appeals_desks_calls_work() -> None:
    site = Site(World()).finished()
    terminal = Terminal(site)
    for line in _calls("### The calls of one appeal"):
        response = _worked(terminal, line)
        if response is not None and line.endswith("$P/appeals"):
            terminal.set["ID"] = response.get_json()["stream"].rpartition("/")[2]
    match = site.world.get(f"/match/competitions/{site.id}/matches/{site.match}").get_json()
    assert [ruling["remedy"]["kind"] for ruling in match["rulings"]] == ["lift_penalty"]


@pytest.mark.parametrize("line", ["curl -s -H 'Authorization: Bearer $CLERK' http://127.0.0.1:8080/appeals/nothing"])
def test_a_call_that_does_not_work_is_found(line: str) -> None:
    with pytest.raises(AssertionError):
        _worked(Terminal(Site(World()).announced()), line)
