"""Phones on a bad network: whatever is lost, repeated and reordered, and however often the app is killed, every entry
is in the log once. 1,000 entries here, 10,000 in `make chaos`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.phone_hall import Round, enter_all
from tests.support.phones import Answer, Figures, Item, Stuck
from tests.support.world import World

HANDS = 14
"""At each of six tables, with a penalty in every fourth and two confirmations: 114 entries a round."""
LOSSES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.9)


def test_a_thousand_entries_are_there_once_at_any_loss(tmp_path: Path) -> None:
    world, total = World(), Figures()
    for seed, loss in enumerate(LOSSES):
        round_ = Round(world, HANDS)
        total.add(enter_all(round_, tmp_path, seed, loss))
        round_.check()
    assert total.entries >= 1_000
    assert min(total.lost, total.duplicates, total.reordered, total.kills, total.refused_for_now) > 0, (
        "it was a bad network"
    )


def test_what_a_phone_forgets_unanswered_is_missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check is worth something: it finds what such a phone loses."""
    round_ = Round(World(), 4)
    post, taken = round_.post, list[str]()

    def forgetting(items: Sequence[Item]) -> Sequence[Answer]:
        """The first entries go nowhere, and the phone thinks otherwise."""
        taken.extend([] if taken else [item["key"] for item in items])
        rest = [item for item in items if item["key"] not in taken]
        return [{"key": key, "status": 201} for key in taken] + list(post(rest) if rest else [])

    monkeypatch.setattr(round_, "post", forgetting)
    with pytest.raises((AssertionError, Stuck)):
        complete(round_, tmp_path)


def complete(round_: Round, folder: Path) -> None:
    enter_all(round_, folder, 0, 0.0, most=30)
    round_.check()
