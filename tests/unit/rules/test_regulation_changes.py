"""An organiser announces this year's competition from the regulation, with own values where wanted."""

from __future__ import annotations

import pytest

from shared.rules.errors import BadRegulation
from shared.rules.regulations import Preset, changed, describe, digest, load
from shared.rules.regulations.changes import overrides


def test_this_years_dates_replace_the_template(jimei: Preset) -> None:
    this_year = changed(jimei, {"dates.play_from": "2026-11-21", "dates.play_to": "2026-11-22", "dates.place": "二楼"})
    assert this_year.dates.play_from.value.isoformat() == "2026-11-21"
    assert this_year.dates.place.value == "二楼"


def test_what_is_not_named_stays(jimei: Preset) -> None:
    own = changed(jimei, {"match.minutes": 45})
    assert {row.key for row in describe(own) if row.changed} == {"match.minutes"}


def test_the_change_keeps_article_and_mark_and_is_flagged_in_every_basis(jimei: Preset) -> None:
    basis = changed(jimei, {"match.minutes": 45}).match.minutes.basis
    assert (basis.article, basis.mark, basis.changed) == ("十.2", "stated", True)


def test_overrides_lists_what_was_changed(jimei: Preset) -> None:
    assert overrides(jimei) == {}
    assert overrides(changed(jimei, {"match.minutes": 45, "awards.places": 6})) == {
        "match.minutes": 45,
        "awards.places": 6,
    }


def test_the_recorded_changes_make_the_same_preset_again(jimei: Preset) -> None:
    own = changed(
        jimei, {"penalties.revoke.points": 60, "levels.must_play": ["T", "A"], "dates.play_from": "2018-11-20"}
    )
    assert digest(changed(jimei, overrides(own))) == digest(own)


def test_the_value_that_stands_there_already_is_no_change(jimei: Preset) -> None:
    same = {"match.minutes": 60, "standings.tie_breaks": ["direct_win", "cumulative", "lot"]}
    assert digest(changed(jimei, same)) == digest(jimei)


def test_a_changed_value_changes_the_digest_and_changing_it_twice_is_the_same(jimei: Preset) -> None:
    once = changed(jimei, {"match.minutes": 45})
    assert digest(once) != digest(jimei)
    assert digest(changed(once, {"match.minutes": 45})) == digest(once)


def test_one_part_of_a_penalty_can_be_changed(jimei: Preset) -> None:
    own = changed(jimei, {"penalties.revoke.points": 60})
    assert own.penalties["revoke"].value.points == 60
    assert own.penalties["revoke"].changed


def test_what_is_changed_inside_a_value_is_recorded_too() -> None:
    """六（一）: 象棋选手1至2名; an organiser asks for none. What is recorded makes the same preset again."""
    zhongshan = load("zhongshan-2013")
    none_needed = changed(zhongshan, {"entry.roster.xiangqi.least": 0})
    assert none_needed.entry.roster.changed
    assert none_needed.entry.roster.value["xiangqi"].least == 0
    assert overrides(none_needed).keys() == {"entry.roster"}
    assert changed(zhongshan, overrides(none_needed)) == none_needed


def test_the_title_can_be_changed(jimei: Preset) -> None:
    assert changed(jimei, {"title.zh": "2026年集美区升级比赛"}).title.zh == "2026年集美区升级比赛"


@pytest.mark.parametrize(
    ("key", "value", "hint"),
    [
        ("match.minuets", 45, "minutes"),
        ("match.minutes", "45", "an integer"),
        ("match.minutes", 0, "an integer from 1 on"),
        ("match.points", 3, "match.points.win"),
        ("match.minutes.value", 45, ""),
        ("penalties.peeking.points", 10, "revoke"),
        ("name", "own", "match"),
        ("dates.play_to", "2018-11-01", "the same day or later"),
        ("zone", "Mars/Olympus", "IANA"),
        ("standings.tie_breaks", ["lot", "lot"], "each once"),
        ("match.rounds", [{"up_to": 16, "rounds": 4}], "the last null"),
    ],
)
def test_an_unknown_key_or_a_wrong_value_is_refused(jimei: Preset, key: str, value: object, hint: str) -> None:
    with pytest.raises(BadRegulation) as refused:
        changed(jimei, {key: value})
    assert key.startswith(refused.value.key)
    assert hint in refused.value.allowed
