"""`pailu demo` as a person runs it: a process of its own, its output, and what is left of it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.demo import hands, plan
from shared.rules.formats.competition import Team
from shared.rules.regulations import load
from tests.support import readme
from tests.support.waiting import wait_for

DEADLINE = 300


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Where the demo's temporary files go. Nothing may be left in it, and no process that names it."""
    yield tmp_path
    wait_for(lambda: not _processes(tmp_path))
    wait_for(lambda: not list(tmp_path.iterdir()))


def _processes(folder: Path) -> list[str]:
    listed = subprocess.run(["ps", "-eo", "pid,args"], check=True, capture_output=True, text=True).stdout
    return [line for line in listed.splitlines() if str(folder) in line]


def _demo(folder: Path, *options: str, before: str = "") -> subprocess.Popen[str]:
    """The demo under way, with what is to be executed in its process before it."""
    program = f"{before}\nfrom deploy.demo import demo\ndemo()"
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LC_ALL", "LANG")}
    return subprocess.Popen(
        [sys.executable, "-c", program, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=kept | {"TMPDIR": str(folder), "PYTHONUTF8": "1"},
    )


def test_the_whole_competition_comes_out_as_it_should(folder: Path) -> None:
    demo = _demo(folder, "--lang", "en")
    out, err = demo.communicate(timeout=DEADLINE)
    assert (demo.returncode, err) == (0, ""), out + err
    for line in (
        "409 · entry-closed · 十二（报名）",
        "= its sha256 is what was committed before entries closed",
        "422 · hand-is-impossible · 十一.5",
        "counted once",
        "did not come and forfeits",
        "withdraws: a player has fallen ill",
        "= recomputed here: equal. The champion has changed.",
        "✓ Pailu  the deposit goes back to the team (十四.2)",
        "= every entry sums to zero, all accounts together 0.00 yuan",
        "409 · two-people-needed",
        "= the standings are final",
        "All as it should be",
    ):
        assert line in out
    assert len(re.findall(r"(\w{16})…  2: \1…  equal", out)) == 4, "four read models equal after their rebuild"
    assert max(len(line) for line in out.splitlines()) <= 80
    assert readme.missing(readme.fenced("README.md", "demo"), out) == []


def test_in_chinese_it_is_the_same_competition(folder: Path) -> None:
    demo = _demo(folder, "--lang", "zh")
    out, err = demo.communicate(timeout=DEADLINE)
    assert (demo.returncode, err) == (0, ""), out + err
    assert "冠军易主" in out
    assert "一切符合预期" in out
    assert readme.missing(readme.fenced("README.zh-CN.md", "demo"), out) == []


def test_a_step_that_gives_something_else_is_named_and_ends_it_with_status_1(folder: Path) -> None:
    options = ("--lang", "en", "--seed", "another")
    demo = _demo(folder, *options, before="from deploy.demo import rounds; rounds.WRONG_POINTS = 75")
    out, err = demo.communicate(timeout=DEADLINE)
    assert demo.returncode == 1
    assert "Not as it should be, in “Round 1”." in err
    assert re.search(r"step      POST /match/competitions/jimei-2018-\w+/matches/r1t1/hands\n", err)
    assert "expected  422" in err
    assert "came      (201, " in err
    assert "All as it should be" not in out


def _wait_for_the_server(folder: Path) -> None:
    wait_for(lambda: any(folder.glob("*/ready.json")))


def test_ctrl_c_leaves_nothing_behind(folder: Path) -> None:
    demo = _demo(folder, "--lang", "en")
    _wait_for_the_server(folder)
    demo.send_signal(signal.SIGINT)
    _, err = demo.communicate(timeout=DEADLINE)
    assert demo.returncode == 130
    assert "nothing is left behind" in err


def test_a_killed_demo_takes_its_server_along(folder: Path) -> None:
    demo = _demo(folder, "--lang", "en")
    _wait_for_the_server(folder)
    demo.kill()
    demo.communicate(timeout=DEADLINE)


# The script


@pytest.mark.parametrize("name", ["2018", "a", "b", "c", "d"])
def test_every_seed_makes_a_legal_competition_in_which_the_appeal_changes_the_champion(name: str) -> None:
    preset, seed = load("jimei-2018"), plan.draw_seed(name)
    teams = [Team(f"t{number:02}") for number in range(1, 13)]
    script = plan.script(preset, teams, seed, name)
    assert script.before[0].team != script.after[0].team
    assert [made.bye is None for made in script.rounds] == [True, True, False, False]
    for fixture in (fixture for made in script.rounds for fixture in made.fixtures if fixture.played):
        assert fixture.played is not None
        played = fixture.played.hands
        assert len(played) >= 5
        for hand, row in zip(played, fixture.played.summary.rows, strict=True):
            assert hand.points % 5 == 0
            assert hand.levels == row.levels_before
            assert row.due_dealer in (None, hand.dealer)
            assert row.counted


def test_the_same_seed_makes_the_same_competition() -> None:
    preset, seed = load("jimei-2018"), plan.draw_seed("x")
    teams = [Team(f"t{number:02}") for number in range(1, 13)]
    assert plan.script(preset, teams, seed, "x") == plan.script(preset, teams, seed, "x")


def test_what_was_taken_for_a_revoke_was_the_level_card_and_a_trump() -> None:
    _, disputed = plan.script(
        load("jimei-2018"), [Team(f"t{number:02}") for number in range(1, 13)], plan.draw_seed("x"), "x"
    ).disputed
    level = disputed.hand.levels[disputed.wrong.pair]
    assert disputed.card == disputed.suit + hands.shown(level)
    assert disputed.suit != hands.MARKS[disputed.hand.trump]


def test_over_eight_processes_and_a_kafka_two_are_killed_and_it_comes_out_as_it_should(folder: Path) -> None:
    demo = _demo(folder, "--lang", "en", "--event-log", "kafka")
    out, err = demo.communicate(timeout=DEADLINE)
    assert (demo.returncode, err) == (0, ""), out + err
    assert out.count("✓ kill -9: the process `pailu ") == 2
    assert "All as it should be" in out
    assert len(re.findall(r"(\w{16})…  2: \1…  equal", out)) == 4, "four read models equal after their rebuild"
    assert max(len(line) for line in out.splitlines()) <= 80
