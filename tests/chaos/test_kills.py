"""Guarantees: "kill -9 of store, HTTP process, relay worker and projector worker under six writers: nothing that was
acknowledged is lost or doubled, chain and rebuild equal." "Each service down in turn while the others work." """

from __future__ import annotations

from pathlib import Path

from tests.chaos.kills import rampage

KILLS = 30


def test_thirty_kills_and_each_service_down_in_turn_lose_and_double_nothing(tmp_path: Path) -> None:
    seen = rampage(tmp_path, KILLS)
    assert seen.kills.total() == KILLS
    assert len(seen.kills) == 4, seen.kills
    assert seen.sent_again > 0, "no writer noticed"
