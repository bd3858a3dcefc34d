"""A bar on anything that takes long: on the terminal, beside the output, and nowhere else."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

TEAMS = [{"id": f"T{n}", "unit": f"单位{n}"} for n in range(1, 5)]
ROUND = {
    "number": 1,
    "matches": [
        {"table": 1, "teams": ["T1", "T2"], "points": [2, 0], "status": "played"},
        {"table": 2, "teams": ["T3", "T4"], "points": [2, 0], "status": "played"},
    ],
}
SEED = "00" * 16
CUP = {"format": "pailu-competition/1", "regulation": "jimei-2018", "seed": SEED, "teams": TEAMS, "rounds": [ROUND]}
DRAW = {"format": "pailu-draw/1", "regulation": "shandong-2023", "seed": SEED, "teams": TEAMS}
UNION = {
    "format": "pailu-union/1",
    "regulation": "zhongshan-2013",
    "teams": [{"id": "U1", "entered_in_full": True, "played_everything": True}],
    "placings": {"tractor": [["U1"]]},
}
COMMANDS = [
    (["pair", "FILE", "--json"], CUP),
    (["standings", "FILE", "--json"], CUP),
    (["draw", "FILE", "--json"], DRAW),
    (["totals", "FILE", "--json"], UNION),
    (["awards", "FILE", "--json"], UNION),
    (["export", "trf", "FILE"], CUP),
    (["simulate", "jimei-2018", "--teams", "4", "--seed", "1", "--json"], {}),
]


def run(folder: Path, command: list[str], file: Any, *, terminal: bool) -> tuple[bytes, bytes]:
    """What the command writes to its output, which a program reads, and to the error output."""
    path = folder / "file.json"
    path.write_text(json.dumps(file), encoding="utf-8")
    words = [str(path) if word == "FILE" else word for word in command]
    ours, theirs = pty.openpty() if terminal else os.pipe()
    told = subprocess.run(
        [sys.executable, "-m", "shared.cli.main", "--lang", "en", *words],
        stdout=subprocess.PIPE,
        stderr=theirs,
        check=False,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "80"},
    )
    os.close(theirs)
    beside = b""
    try:
        while part := os.read(ours, 65_536):
            beside += part
    except OSError:
        pass  # a terminal whose other side is closed ends so
    os.close(ours)
    assert told.returncode in (0, 1), beside
    return told.stdout, beside


@pytest.mark.parametrize(("command", "file"), COMMANDS, ids=[" ".join(words[:2]) for words, _ in COMMANDS])
def test_a_bar_moves_beside_the_output_on_a_terminal_alone(tmp_path: Path, command: list[str], file: Any) -> None:
    output, bar = run(tmp_path, command, file, terminal=True)
    piped, nothing = run(tmp_path, command, file, terminal=False)
    assert "━".encode() in bar
    assert output == piped, "a program reads the same"
    assert "━".encode() not in nothing
    if "--json" in command:
        json.loads(output)
