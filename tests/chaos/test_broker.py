"""Guarantees: "With Kafka down commands go on; health says so; back up, all arrives in order." "A broker bounced hard
while events are published and read: every acknowledged one is read, in order by key." The broker is a process of its
own here and is really killed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.kafka import LocalKafka
from shared.eventsourcing.errors import NotNow
from shared.web import health
from shared.web.context import Service
from tests.chaos.bounces import bounce
from tests.support.at_rest import check_world
from tests.support.kafka import logs_of
from tests.support.kernel import World
from tests.support.toys import command, enter, play, world


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[LocalKafka]:
    with LocalKafka(tmp_path / "kafka") as started:
        yield started


def some_commands(made: World, name: str) -> int:
    """Six entries and six hands, of which policies make six seats and twelve payments."""
    for number in range(6):
        enter(made.engines["entry"].commands, command(f"e{name}{number}"), f"c{number % 2}", f"t{name}{number}")
        play(made.engines["table"].commands, command(f"p{name}{number}"), f"c{number % 2}", f"t{name}{number}", [5, 10])
    return 12


def test_with_kafka_down_commands_go_on_health_says_so_and_later_all_arrives_in_order(broker: LocalKafka) -> None:
    with logs_of(broker.url, "", partitions=2) as logs:
        made = world(logs=logs)
        some_commands(made, "before")
        made.settle()
        broker.kill()
        done = some_commands(made, "down")
        published = {name: service.journal.published() for name, service in made.services.items()}
        for engine in made.engines.values():
            for step in engine.steps().values():
                World._step(step)
        with pytest.raises(NotNow):
            made.engines["entry"].relay.step()
        states = [health.state(Service(engine, None, "")) for engine in made.engines.values()]
        assert all(state["ready"] and state["store"] == "up" for state in states)
        assert all(state["log"].startswith("Kafka") for state in states)
        assert sum(state["lag"]["relay"] for state in states) >= done
        assert {name: service.journal.published() for name, service in made.services.items()} == published
        broker.start()
        made.settle(5_000)
        assert all(health.state(Service(engine, None, ""))["log"] == "up" for engine in made.engines.values())
        check_world(made)
        made.stop()


def test_a_broker_bounced_five_times_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    seen = bounce(tmp_path, 5)
    assert seen.bounces == 5
    assert seen.read == seen.acknowledged > 0
