"""`pailu draw` and `pailu draw verify`: anyone can repeat a draw from what was published."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from shared.cli.main import pailu

SEED = "3526b1dfdb93d9875eb0535984c3e3ae"
COMMITTED = hashlib.sha256(bytes.fromhex(SEED)).hexdigest()
PAIRS = [
    {"id": f"{unit}{n}", "name": f"{unit}{n}队", "unit": unit} for unit in ("内科", "外科", "药学") for n in (1, 2)
]
ZONES: dict[str, Any] = {
    "format": "pailu-draw/1",
    "regulation": "zhongshan-2013",
    "seed": SEED,
    "commitment": COMMITTED,
    "teams": PAIRS,
}


def run(folder: Path, data: object, *words: str) -> Result:
    path = folder / "draw.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return CliRunner().invoke(pailu, ["draw", *words, str(path)])


def drawn(folder: Path, data: object = ZONES) -> dict[str, Any]:
    result = run(folder, data, "--json")
    assert result.exit_code == 0, result.output
    answer: dict[str, Any] = json.loads(result.output)
    return answer


def test_the_two_pairs_of_a_team_are_drawn_into_different_zones(tmp_path: Path) -> None:  # 七（一）1
    parts = drawn(tmp_path)["parts"]
    assert sorted(parts) == ["A", "B"]
    for seats in parts.values():
        assert sorted(team[:-1] for team in seats if team) == sorted(["内科", "外科", "药学"])


def test_what_is_published_can_be_verified(tmp_path: Path) -> None:
    published = drawn(tmp_path)
    assert published["commitment"] == COMMITTED
    result = run(tmp_path, published, "verify", "--json")
    assert result.exit_code == 0
    assert json.loads(result.output) == {"verified": True, "findings": [], "differs": {}}


def test_two_teams_exchanged_are_found(tmp_path: Path) -> None:
    published = drawn(tmp_path)
    seats = published["parts"]["A"]
    first, second = [place for place, team in enumerate(seats) if team][:2]
    seats[first], seats[second] = seats[second], seats[first]
    result = run(tmp_path, published, "verify", "--json")
    assert result.exit_code == 1
    answer = json.loads(result.output)
    assert answer["findings"] == ["another_draw"]
    assert answer["differs"] == {"A": sorted([first + 1, second + 1])}


def test_another_seed_than_the_committed_one_is_found_and_draws_nothing(tmp_path: Path) -> None:
    other = {"seed": SEED[::-1]}
    assert json.loads(run(tmp_path, drawn(tmp_path) | other, "verify", "--json").output)["findings"] == [
        "not_committed",
        "another_draw",
    ]
    result = run(tmp_path, ZONES | other)
    assert result.exit_code == 1
    assert "not the one whose commitment" in result.output


def test_without_a_commitment_nothing_is_proved(tmp_path: Path) -> None:
    result = run(tmp_path, drawn(tmp_path) | {"commitment": ""}, "verify")
    assert result.exit_code == 1
    assert "no commitment was published" in result.output


def test_the_order_of_the_teams_in_the_file_does_not_matter(tmp_path: Path) -> None:
    assert drawn(tmp_path, ZONES | {"teams": PAIRS[::-1]})["parts"] == drawn(tmp_path)["parts"]


def test_what_could_not_be_kept_apart_is_told(tmp_path: Path) -> None:
    """Three of one unit in two zones: two of them share one."""
    teams = [*PAIRS, {"id": "内科3", "name": "", "unit": "内科"}]
    told = drawn(tmp_path, ZONES | {"teams": teams})["not_kept"]
    assert (told[0]["unit"], told[0]["block"]) == ("内科", 0)
    assert "not kept apart" in run(tmp_path, ZONES | {"teams": teams}).output


def test_lots_of_the_hall_need_a_witness_and_rest_on_it(tmp_path: Path) -> None:
    hall = {
        "seed": "",
        "commitment": "",
        "witness": "工会主席",
        "parts": {"A": ["内科1", "外科1"], "B": ["内科2", "外科2"]},
    }
    answer = drawn(tmp_path, ZONES | hall | {"teams": PAIRS[:4]})
    assert answer["parts"] == hall["parts"]
    result = run(tmp_path, answer, "verify", "--json")
    assert json.loads(result.output)["findings"] == ["by_hand"]


def test_a_table_for_people(tmp_path: Path) -> None:
    output = run(tmp_path, ZONES).output
    assert "内科1队" in output
    assert COMMITTED in output.replace("\n", "")


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"format": "x"}, "format"),
        ({"regulation": "nowhere"}, "nowhere"),
        ({"seed": "xyz"}, "seed"),
        ({"seed": ""}, "seed"),
        ({"seed": "00ff"}, "seed"),
        ({"stage": "finals"}, "stage"),
        ({"event": "bridge"}, "event"),
        ({"teams": [{"id": "A"}, {"id": "A"}]}, "teams[1].id"),
        ({"teams": [{"id": ""}]}, "teams[0].id"),
        ({"witness": "x"}, "parts"),
    ],
)
@pytest.mark.parametrize("words", [(), ("verify",)])
def test_a_malformed_file_ends_with_2_and_names_the_place(
    tmp_path: Path, change: dict[str, Any], place: str, words: tuple[str, ...]
) -> None:
    result = run(tmp_path, (ZONES if "witness" in change else ZONES | {"parts": {"A": [], "B": []}}) | change, *words)
    assert result.exit_code == 2, result.output
    assert place in result.output
