"""Ranking over the document store that is shipped: the rows that memory gives, and the same answers."""

from __future__ import annotations

from typing import Any

from pymongo import MongoClient

from shared.eventsourcing.mongo import MongoDocuments
from tests.support.ranking_events import Hall, Story, hand


def season() -> Story:
    """A changed regulation, a hand, a round, a lot."""
    changes = {"match.start_level": "5", "penalties.revoke.points": 60}
    story = Story().announced(**changes).drawn("A B C D").paired(1, "A-B, C-D", planned=1)
    name = story.opened(1, 1, "A-B", **changes)
    story.hand(name, 1, hand(65))
    story.penalty(name, "p1", 1, "24", "signalling", 20)
    story.closed(1, "A-B 2:0, C-D 1:1", last=True)
    story.lot("D C B A")
    return story


def test_the_store_holds_the_rows_that_memory_holds(mongo: MongoClient[dict[str, Any]], database_prefix: str) -> None:
    story = season()
    stored = Hall(story.clock, MongoDocuments(mongo[f"{database_prefix}ranking"]))
    stored.hear(story.log)
    remembered = Hall.of(story)
    assert stored.service.engine.projection.digest(1) == remembered.service.engine.projection.digest(1)
    paired = next(f"{event.service}:{event.position}" for event in story.log if event.type == "HandPlayed")
    queries: tuple[dict[str, Any], ...] = ({}, {"round": 1}, {"as_of": paired})
    for query in queries:
        for what in ("standings", "crosstable"):
            assert stored.get(what, **query) == remembered.get(what, **query)
    assert stored.client.get("/competitions").get_json() == remembered.client.get("/competitions").get_json()
