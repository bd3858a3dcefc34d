"""A round's pairing is one event with its inputs, so an auditor can run it again and get the same: the file
`pailu-pairing/1` of a competition's rounds stream, and `pailu pair --from-event`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from services.match import refusals
from services.match import refusals as refuse
from services.match.model import rounds
from shared.cli.main import pailu
from shared.rules.regulations import load
from shared.rules.regulations.loader import load_any
from shared.rules.regulations.reference import reference
from tests.unit.match.hall import CUP, Hall
from tests.unit.match.test_stages import in_zones, play


def paired(hall: Hall, number: int, attempt: int | None = None) -> dict[str, Any]:
    """The pairing of a round as a server answers it."""
    file: dict[str, Any] = json.loads(json.dumps(rounds.pairing_file(CUP, hall.told, number, attempt)))
    return file


def repeat(folder: Path, file: object, *options: str) -> Result:
    path = folder / "round.json"
    path.write_text(json.dumps(file), encoding="utf-8")
    return CliRunner().invoke(pailu, ["--lang", "en", "pair", "--from-event", str(path), *options])


def swiss() -> Hall:
    hall = Hall(8).drawn().play(">", "<", "=", ">")
    hall.order("forbidden", *hall.table(1).teams)
    hall.absent("C")
    hall.withdraw("H")
    hall.pair()
    return hall


def by_hand() -> Hall:
    hall = Hall(4).drawn().play(">", ">")
    met = hall.table(1).teams, hall.table(2).teams
    hall.pair_by_hand(*("".join(pair) for pair in met))  # both pairs meet again: a rule is given up
    return hall


def corrected() -> Hall:
    """Round 2 was undone and is paired again on the result as it was put right."""
    hall = Hall(4).drawn().play(">", ">")
    hall.pair()
    hall.unpair(2)
    hall.reopen("r1t1")
    hall.correct(1, 1, 100)
    hall.finish()
    hall.pair()
    return hall


def placement() -> Hall:
    hall = in_zones()
    hall.draw()
    play(hall)
    return hall


def at_two_tables() -> Hall:
    hall = Hall(6, regulation=reference(load("shandong-2023"))).drawn()
    hall.pair()
    return hall


def in_groups() -> Hall:
    hall = Hall(10, regulation=reference(load_any("ahut-2018"))).drawn()
    hall.pair()
    return hall


@pytest.mark.parametrize(
    ("told", "number"),
    [(swiss, 1), (swiss, 2), (by_hand, 2), (corrected, 2), (placement, 2), (at_two_tables, 1), (in_groups, 1)],
)
def test_who_has_the_file_pairs_the_round_again_and_gets_the_same(
    tmp_path: Path, told: Callable[[], Hall], number: int
) -> None:
    result = repeat(tmp_path, paired(told(), number), "--json")
    assert (result.exit_code, json.loads(result.output)) == (
        0,
        {"repeated": True, "round": number, "differs": [], "inputs": "same"},
    )


def test_a_pairing_that_was_undone_is_repeated_as_it_was_made(tmp_path: Path) -> None:
    """The first was made when table 1 had not been corrected, the second afterwards."""
    hall = corrected()
    files = [paired(hall, 2, attempt) for attempt in (1, 2)]
    assert [file["paired"]["attempt"] for file in files] == [1, 2]
    results = [file["competition"]["rounds"][0]["matches"][0]["points"] for file in files]
    assert results[0] != results[1]
    assert [repeat(tmp_path, file).exit_code for file in files] == [0, 0]
    assert paired(hall, 2) == files[1], "the last, where none is asked for"
    told = rounds.attempts(CUP, hall.told, 2)
    assert [one.undone is None for one in told] == [False, True]


def test_a_round_undone_and_not_paired_again_can_be_repeated_too(tmp_path: Path) -> None:
    hall = Hall(4).drawn().play(">", ">")
    hall.pair()
    hall.unpair(2)
    assert repeat(tmp_path, paired(hall, 2)).exit_code == 0


def test_there_are_as_many_attempts_as_were_made() -> None:
    with pytest.raises(refusals.NoSuchAttempt, match="paired 2 times"):
        paired(corrected(), 2, 3)
    with pytest.raises(refusals.NoSuchRound):
        rounds.attempts(CUP, corrected().told, 3)


def test_the_organisers_changes_are_among_the_inputs(tmp_path: Path) -> None:
    file = paired(Hall(4, match__points__win=3).paired(), 1)
    assert file["changes"] == {"match.points.win": 3}
    assert repeat(tmp_path, file).exit_code == 0


def test_the_file_holds_the_competition_before_the_round(tmp_path: Path) -> None:
    file = paired(swiss(), 2)
    assert [round_["number"] for round_ in file["competition"]["rounds"]] == [1]
    path = tmp_path / "cup.json"
    path.write_text(json.dumps(file["competition"]), encoding="utf-8")
    again = json.loads(CliRunner().invoke(pailu, ["pair", str(path), "--json"]).output)
    assert [match["teams"] for match in again["matches"]] == [match["teams"] for match in file["paired"]["matches"]]


def test_another_pairing_than_the_inputs_give_is_found(tmp_path: Path) -> None:
    file = paired(swiss(), 2)
    one, two = file["paired"]["matches"][:2]
    one["teams"], two["teams"] = [one["teams"][0], two["teams"][1]], [two["teams"][0], one["teams"][1]]
    result = repeat(tmp_path, file, "--json")
    assert (result.exit_code, json.loads(result.output)["differs"]) == (1, ["matches"])


def test_other_inputs_than_the_event_names_are_found(tmp_path: Path) -> None:
    """A name changes no pairing: only the digest tells."""
    file = paired(swiss(), 1)
    file["competition"]["teams"][0]["name"] = "另一队"
    result = repeat(tmp_path, file, "--json")
    assert (result.exit_code, json.loads(result.output)) == (
        1,
        {"repeated": False, "round": 1, "differs": [], "inputs": "other"},
    )


def test_an_event_from_before_inputs_were_named_is_repeated_all_the_same(tmp_path: Path) -> None:
    file = paired(swiss(), 2)
    file["paired"]["inputs"] = ""
    result = repeat(tmp_path, file)
    assert result.exit_code == 0
    assert result.output.splitlines() == [
        "the event does not say which inputs it had",
        "repeated: round 2 is paired the same",
    ]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"format": "pailu-competition/1"}, "format"),
        ({"paired": {"round": 1}}, "paired"),
        ({"competition": {"format": "pailu-competition/1", "regulation": "x", "teams": 3, "rounds": []}}, "teams"),
        ({"regulation": "jimei-1918/1"}, "jimei-1918"),
    ],
)
def test_what_is_no_such_file_ends_with_2_and_names_the_place(
    tmp_path: Path, change: dict[str, Any], place: str
) -> None:
    result = repeat(tmp_path, paired(swiss(), 1) | change)
    assert result.exit_code == 2
    assert place in result.output


def test_a_round_that_was_never_paired_has_no_such_file() -> None:
    with pytest.raises(refuse.NoSuchRound):
        paired(swiss(), 3)
