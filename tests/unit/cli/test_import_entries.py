"""`pailu import entries`, against a server of the test's own."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.serving import make_server

from shared.cli.main import pailu
from tests.support.world import SECRET, World

SHEET = "单位,角色,姓名,出生日期\n" + "".join(
    f"单位{n},运动员,选手{n}{half},1985-03-01\n" for n in range(3) for half in "甲乙"
)


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def competition(world: World) -> str:
    """A competition whose entries are open."""
    answer = world.post("/registration/competitions", {"regulation": "jimei-2018"}).get_json()
    id = str(answer["stream"].partition("/")[2])
    world.post(f"/registration/competitions/{id}/entry-openings")
    return id


@pytest.fixture
def served(world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Registration under its name, at the address that the settings give."""
    mounts = DispatcherMiddleware(lambda *_: [], {"/registration": world.apps["registration"]})
    server = make_server("127.0.0.1", 0, mounts, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    monkeypatch.setenv("PAILU_BIND", f"127.0.0.1:{server.server_port}")
    monkeypatch.setenv("PAILU_TOKEN_SECRET", SECRET)
    monkeypatch.setenv("PAILU_DATA", str(tmp_path))
    yield
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "entries.csv"
    path.write_text(SHEET, "utf-8")
    return path


def run(*arguments: object, answer: str = "") -> Result:
    return CliRunner().invoke(pailu, ["--lang", "en", "import", "entries", *map(str, arguments)], input=answer)


def entered(world: World, competition: str) -> int:
    world.settle()
    return len(world.get(f"/registration/competitions/{competition}/entries").get_json()["items"])


@pytest.mark.usefixtures("served")
def test_the_count_is_shown_first_and_nothing_is_entered_without_a_yes(
    world: World, competition: str, sheet: Path
) -> None:
    asked = run(competition, sheet, answer="n\n")
    assert "3 entries, 6 persons; nothing is wrong." in asked.output
    assert entered(world, competition) == 0
    assert run(competition, sheet, "--check").exit_code == 0
    assert entered(world, competition) == 0


@pytest.mark.usefixtures("served")
def test_all_is_entered_and_the_way_back_is_told(world: World, competition: str, sheet: Path) -> None:
    done = run(competition, sheet, "--yes", "--name", "chen")
    assert done.exit_code == 0, done.output
    assert f"POST /registration/competitions/{competition}/entry-imports/i-" in done.output
    assert entered(world, competition) == 3


@pytest.mark.usefixtures("served")
def test_every_fault_is_told_and_the_status_says_so(world: World, competition: str, sheet: Path) -> None:
    sheet.write_text(SHEET.replace("1985-03-01", "三月", 2), "utf-8")
    refused = run(competition, sheet, "--yes")
    assert refused.exit_code == 1
    assert "row 2, column D (Born)" in refused.output
    assert "row 3, column D (Born)" in refused.output
    assert entered(world, competition) == 0


def test_what_is_no_sheet_by_its_name_is_told(tmp_path: Path) -> None:
    refused = run("c", tmp_path / "entries.docx")
    assert (refused.exit_code, "a sheet ends in .xlsx or .csv" in refused.output) == (1, True)
