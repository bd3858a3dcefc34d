"""Lines of JSON through `pailu ask`: in order, none lost, flushed when nothing waits."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.cli.ask import serve
from shared.rules.ask import answer_line
from tests.support.waiting import PATIENCE
from tests.unit.ask.questions import LEVEL_CHANGE

PROGRAM = [sys.executable, "-m", "shared.cli.main", "ask"]
GOOD = json.dumps({**LEVEL_CHANGE, "id": 7})


def run(text: bytes, *options: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*PROGRAM, *options], input=text, capture_output=True, check=False)


def codes(output: bytes) -> list[str | None]:
    """The error code of each line, None where it was answered."""
    return [json.loads(line).get("error", {}).get("code") for line in output.splitlines()]


@pytest.mark.parametrize(
    "line",
    [b"{not json", b"", b"   ", b"\xff\xfe", b'{"id": 1', b"[" * 100_000, b'{"a": "\\ud800"}', b"NaN", b"5", b"null"],
)
def test_a_bad_line_is_answered_as_bad_json(line: bytes) -> None:
    reply, answered = answer_line(line)
    assert (json.loads(reply)["error"]["code"], json.loads(reply)["id"], answered) == ("bad_json", None, False)


def test_the_line_after_a_bad_one_is_still_answered_and_the_exit_status_is_0() -> None:
    done = run(f"{GOOD}\n{{bad\n\n{GOOD}\r\n{GOOD}".encode())
    assert codes(done.stdout) == [None, "bad_json", "bad_json", None, None]
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_fault_of_the_program_ends_nothing(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def faulty(line: bytes) -> tuple[bytes, bool]:
        if b'"id": 8' in line:
            raise KeyError("ZZ")
        return answer_line(line)

    monkeypatch.setattr("shared.cli.ask.answer_line", faulty)
    source, asking = os.pipe()
    os.write(asking, f"{GOOD}\n{json.dumps({**LEVEL_CHANGE, 'id': 8})}\n{GOOD}\n".encode())
    os.close(asking)
    answers, sink = os.pipe()
    assert serve(source, sink), "one could not be answered"
    replies = [json.loads(line) for line in os.read(answers, 1 << 16).splitlines()]
    for end in (source, answers, sink):
        os.close(end)
    assert [(reply["id"], reply["ok"]) for reply in replies] == [(7, True), (8, False), (7, True)]
    assert replies[1]["error"]["code"] == "bad_value"
    assert "KeyError" in capfd.readouterr().err


def test_strict_ends_with_1_when_a_line_failed() -> None:
    assert run(f"{GOOD}\n".encode(), "--strict").returncode == 0
    assert run(f"{GOOD}\nbad\n".encode(), "--strict").returncode == 1
    assert run(b"", "--strict").returncode == 0


def test_a_mark_at_the_beginning_of_the_file_is_no_fault() -> None:
    assert codes(run(b"\xef\xbb\xbf" + GOOD.encode()).stdout) == [None]


def test_an_answer_comes_while_the_questioner_waits() -> None:
    with subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        for number in range(3):
            program.stdin.write(json.dumps({**LEVEL_CHANGE, "id": number}).encode() + b"\n{half")
            program.stdin.flush()
            ready, _, _ = select.select([program.stdout], [], [], 20)
            assert ready, "no answer while no question waits"
            reply = json.loads(program.stdout.readline())
            assert reply["id"] == number or reply["error"]["code"] == "bad_json"
            program.stdin.write(b"\n")
            program.stdin.flush()
            assert json.loads(program.stdout.readline())["error"]["code"] == "bad_json"
        program.stdin.close()
        assert program.wait(timeout=PATIENCE) == 0


def test_a_reader_that_goes_away_ends_it_quietly(tmp_path: Path) -> None:
    asked = tmp_path / "questions"
    asked.write_text(f"{GOOD}\n" * 20_000, encoding="utf-8")
    with (
        asked.open("rb") as source,
        subprocess.Popen(PROGRAM, stdin=source, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program,
    ):
        assert program.stdout is not None
        assert program.stderr is not None
        assert json.loads(program.stdout.readline())["ok"]
        program.stdout.close()
        assert program.stderr.read() == b""
        assert program.wait(timeout=PATIENCE) == 0


def test_fifty_thousand_questions_are_answered_in_order(tmp_path: Path) -> None:
    """More than any pipe holds, in one write, from a file and to a file."""
    asked = tmp_path / "questions"
    asked.write_text("".join(json.dumps({**LEVEL_CHANGE, "id": n}) + "\n" for n in range(50_000)), encoding="utf-8")
    with asked.open("rb") as source, (tmp_path / "answers").open("wb") as sink:
        assert serve(source.fileno(), sink.fileno()) is False
    lines = (tmp_path / "answers").read_bytes().splitlines()
    assert [json.loads(line)["id"] for line in lines] == list(range(50_000))


@given(st.lists(st.sampled_from([GOOD.encode(), b"bad", b"", b'{"ask": 1}']), max_size=20), st.data())
def test_however_the_bytes_arrive_each_line_has_one_answer(lines: list[bytes], data: st.DataObject) -> None:
    text = b"".join(line + b"\n" for line in lines)
    source, questions = os.pipe()
    answers, sink = os.pipe()
    cut = data.draw(st.integers(0, len(text)))
    os.write(questions, text[:cut])
    os.write(questions, text[cut:])
    os.close(questions)
    failed = serve(source, sink)
    os.close(source)
    os.close(sink)
    with os.fdopen(answers, "rb") as output:
        replies = output.read()
    assert len(replies.splitlines()) == len(lines)
    assert failed == any(line != GOOD.encode() for line in lines)
