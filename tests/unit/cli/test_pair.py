"""`pailu pair` on a competition file: by the engine, and by hand."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from shared.cli.main import pailu
from tests.unit.cli.test_standings import FILE, PLAYED


def run(folder: Path, data: object, *options: str) -> Result:
    path = folder / "cup.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return CliRunner().invoke(pailu, ["pair", str(path), *options])


def by_hand(folder: Path, hand: object) -> list[str]:
    path = folder / "hand.json"
    path.write_text(json.dumps(hand), encoding="utf-8")
    return ["--by-hand", str(path)]


def test_a_rule_given_up_is_proved_in_json(tmp_path: Path) -> None:
    """A and B are all that play, and they have met: two groups of one, and nobody left out."""
    paired = json.loads(run(tmp_path, FILE | {"absent": ["C", "D"]}, "--json").output)
    assert paired["gave_up"] == ["no_rematch"]
    assert paired["why"][0]["proof"] == {"without": [], "groups": [["A"], ["B"]]} or paired["why"][0]["proof"] == {
        "without": [],
        "groups": [["B"], ["A"]],
    }


def test_a_pairing_by_hand_is_checked(tmp_path: Path) -> None:
    hand = by_hand(tmp_path, {"pairs": [["A", "B"], ["C", "D"]]})
    paired = json.loads(run(tmp_path, FILE, "--json", *hand).output)
    assert paired["matches"][0]["teams"] == ["A", "B"]
    assert paired["gave_up"] == ["no_rematch", "least_floats"]


def test_a_pairing_by_hand_that_is_no_round_ends_with_1_and_a_malformed_one_with_2(tmp_path: Path) -> None:
    assert run(tmp_path, FILE, *by_hand(tmp_path, {"pairs": [["A", "B"]]})).exit_code == 1
    assert run(tmp_path, FILE, *by_hand(tmp_path, {"pairs": "A-B"})).exit_code == 2
    assert run(tmp_path, FILE | {"rounds": [{"number": 1, "matches": [PLAYED | {"table": 0}]}]}).exit_code == 2
