"""What becomes of the hand in play when time is called, by each regulation."""

from __future__ import annotations

import pytest

from shared.rules.regulations import load_any
from shared.rules.unfinished import PHASES, is_finished, phases


@pytest.mark.parametrize(
    ("regulation", "finished"),
    [
        ("jimei-2018", []),  # 十.2, assumed: it does not count
        ("zhongshan-2013", ["burying", "playing"]),  # 七（一）2: 未完牌局至打完，如在洗牌或摸牌期间比赛立即停止
        ("ahut-2018", ["drawing", "playing"]),  # 二.5: 只要开始摸牌，就要将该牌打完; nothing is buried
        ("shandong-2023", ["drawing", "burying", "playing"]),  # 八.13, assumed
    ],
)
def test_the_regulation_says_from_which_phase_on_a_hand_is_played_to_its_end(
    regulation: str, finished: list[str]
) -> None:
    preset = load_any(regulation)
    assert [phase for phase in phases(preset) if is_finished(preset, phase)] == finished


def test_a_hand_is_shuffled_drawn_buried_and_played_and_in_guandan_nothing_is_buried() -> None:
    assert phases(load_any("zhongshan-2013")) == PHASES == ("shuffling", "drawing", "burying", "playing")
    assert phases(load_any("ahut-2018")) == ("shuffling", "drawing", "playing")
