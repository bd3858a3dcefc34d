"""What only a real Apache Kafka shows of projectors, policies and rebuilds: several partitions, rebalances, repeated
messages, polls that give little, topics that were lost.

The suites that are marked `over("memory", "kafka")` run again over it besides, as they stand."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec
import pytest
from kafka import KafkaAdminClient

from shared.eventsourcing.clock import ManualClock
from shared.eventsourcing.committed import CommittedLog
from shared.eventsourcing.errors import GapInLog
from shared.eventsourcing.generations import ProjectionRunner
from shared.eventsourcing.kafka.log import KafkaLog
from shared.eventsourcing.kafka.restoring import restore
from shared.eventsourcing.memory import MemoryDocuments
from shared.eventsourcing.ports import EventLog
from shared.eventsourcing.projector import Projection
from shared.eventsourcing.records import Envelope
from tests.simulation.test_kernel import next_order
from tests.support.at_rest import check_rows, check_world, folded, rows
from tests.support.events import interleaved
from tests.support.kafka import Logs, logs_of
from tests.support.kernel import START, World
from tests.support.season import Director, Season
from tests.support.simulation import Simulation
from tests.support.toys import CODEC, command, enter, envelope, leave, play, projection, world
from tests.support.waiting import asked_again, wait_for

BOARD = projection()


@pytest.fixture
def logs(kafka_url: str, kafka_prefix: str) -> Iterator[Logs]:
    with logs_of(kafka_url, kafka_prefix) as made:
        yield made


def history(seed: int, competitions: int = 8, events: int = 60) -> dict[str, list[Envelope]]:
    """Three services' logs of some competitions, whose events take turns at random."""
    numbers = random.Random(seed)
    kinds = {"entry": ("Entered", {"fee": 5}), "table": ("Played", {"points": 10}), "purse": ("Paid", {"amount": 3})}
    logs: dict[str, list[Envelope]] = {}
    for service, (kind, fields) in kinds.items():
        last: Counter[str] = Counter()
        versions: Counter[str] = Counter()
        for position in range(1, events + 1):
            name = f"c{numbers.randrange(competitions)}"
            versions[name] += 1
            data = {"team": f"t{numbers.randrange(3)}", **fields}
            at = envelope(position, last[name], service=service, competition=name, stream=f"{service}-{name}")
            at = msgspec.structs.replace(at, type=kind, data=msgspec.json.encode(data, order="sorted"))
            logs.setdefault(service, []).append(msgspec.structs.replace(at, version=versions[name]))
            last[name] = position
    return logs


def published(log: EventLog, entries: Sequence[Envelope]) -> None:
    """As a relay publishes: again until it is acknowledged."""
    asked_again(lambda: log.publish(entries))


def follow(log: EventLog, *, times: int = 1, board: Projection = BOARD) -> tuple[MemoryDocuments, ProjectionRunner]:
    """A projection that has caught up, its reader begun anew `times` times on the way."""
    documents = MemoryDocuments()
    runner = ProjectionRunner(board, documents, log, CODEC, ManualClock(START))
    for left in reversed(range(times)):
        seen: list[int] = []

        def enough(left: int = left, seen: list[int] = seen) -> bool:
            seen.append(runner.step())
            return (left > 0 and sum(seen) > 20) or (runner.pointer().live > 0 and runner.lag() == 0)

        wait_for(enough)
        runner.close()
    return documents, runner


def test_any_order_between_topics_and_any_repetition_gives_the_rows_of_a_plain_fold(logs: Logs) -> None:
    """ "Any interleaving of the three topics gives the same read models", published as relays would: in order within
    each topic, parts of it again and again."""
    given = history(1)
    log = logs("reader")
    numbers = random.Random(2)
    for event in interleaved(list(given.values()), [numbers.randrange(3) for _ in range(200)]):
        again = given[event.service][max(0, event.position - numbers.randrange(1, 5)) : event.position]
        published(log, again if numbers.random() < 0.3 else [event])
    documents, runner = follow(log, times=3)
    check_rows(rows(BOARD, runner.pointer().live, documents), folded(BOARD, CODEC, list(given.values())))


def test_a_rebuild_beside_the_live_one_gives_the_same_bytes(logs: Logs) -> None:
    log = logs("reader")
    for entries in history(3).values():
        published(log, entries)
    _, runner = follow(log)
    before = runner.digest(runner.pointer().live)
    assert runner.rebuild() == 2
    wait_for(lambda: runner.step() >= 0 and runner.pointer().live == 2)
    assert runner.digest(2) == before
    runner.close()


def test_two_projectors_of_one_group_leave_what_one_would(logs: Logs) -> None:
    """Two processes on one set of documents: partitions are shared out, taken away, read twice."""
    given = history(4, competitions=12, events=90)
    documents, clock = MemoryDocuments(), ManualClock(START)
    runners = [ProjectionRunner(BOARD, documents, logs("reader"), CODEC, clock) for _ in range(2)]
    done = Counter[int]()

    numbers = random.Random(5)
    at = dict.fromkeys(given, 0)

    def caught_up() -> bool:
        for service, entries in given.items():
            part = entries[at[service] : at[service] + numbers.randrange(12)]
            published(runners[0]._log, part)
            at[service] += len(part)
        number = numbers.randrange(2)
        done[number] += runners[number].step()
        left = any(at[service] < len(entries) for service, entries in given.items())
        return not left and runners[0].pointer().live > 0 and runners[0].lag() == 0

    wait_for(caught_up)
    check_rows(rows(BOARD, 1, documents), folded(BOARD, CODEC, list(given.values())))
    assert min(done[0], done[1]) > 0, f"one did everything: {done}"
    for runner in runners:
        runner.close()


def test_a_missing_event_stops_the_reader(logs: Logs) -> None:
    log = logs("reader")
    published(log, [envelope(1), envelope(3, 2)])
    runner = ProjectionRunner(BOARD, MemoryDocuments(), log, CODEC, ManualClock(START))
    with pytest.raises(GapInLog):
        wait_for(lambda: runner.step() < 0)
    runner.close()


def some_life(made: World) -> None:
    entry, table = made.engines["entry"].commands, made.engines["table"].commands
    for number in range(12):
        competition, team = f"c{number % 4}", f"t{number // 4}"
        enter(entry, command(f"e{number}"), competition, team)
        play(table, command(f"p{number}"), competition, team, [5, 10])
    leave(entry, command("l"), "c1", "t1")


def test_policies_take_effect_once_however_often_they_are_begun_anew(logs: Logs) -> None:
    made = world(logs=logs)
    some_life(made)
    for number in range(30):
        for step in made.steps().values():
            World._step(step)
        if number % 7 == 0:
            made.start_all()
    made.settle()
    effects = Counter(e.causation for name in made.services for e in made.entries(name) if e.role == "policy")
    causes = [f"entry:{e.id}" for e in made.entries("entry") if e.type == "Entered"]
    causes += [f"table:{e.id}" for e in made.entries("table") if e.type == "Played"]
    assert effects == Counter(causes)
    check_world(made)


def test_kafka_alone_and_the_commits_alone_give_the_bytes_that_are_live(logs: Logs) -> None:
    made = Season(logs=logs)
    simulation = Simulation(8, lambda _faults: made, lambda s: Director(s).order(), rate=0.0)
    simulation.run(80)
    committed = CommittedLog(lambda name: made.services[name].journal, lambda name: made.services[name].commits)
    for name, service in made.services.items():
        live = made.engines[name].projection
        expected = live.digest(live.pointer().live)
        for log in (logs("elsewhere"), committed):
            documents = MemoryDocuments()
            runner = ProjectionRunner(service.projection, documents, log, made.codec, made.clock)
            wait_for(lambda runner=runner: runner.step() >= 0 and runner.pointer().live == 1)  # type: ignore[misc]
            assert runner.digest(1) == expected, f"{name} from {type(log).__name__}"
            runner.close()
            if isinstance(log, KafkaLog):
                log.forget(f"{service.projection.name}.1")
    made.stop()


def test_a_life_with_faults_and_crashes_over_a_real_kafka(logs: Logs) -> None:
    simulation = Simulation(11, lambda faults: world(faults, logs), next_order, rate=0.02)
    simulation.run(40)
    assert simulation.faults.struck
    simulation.world.stop()


def test_topics_made_anew_with_more_partitions_are_filled_again_and_nobody_notices(
    kafka_url: str, kafka_prefix: str
) -> None:
    """What an operator does to add partitions, and what happens when the brokers are replaced."""
    made: World
    with logs_of(kafka_url, kafka_prefix, partitions=1) as few:
        made = world(logs=few)
        some_life(made)
        made.settle()
        before = {name: e.projection.digest(e.projection.pointer().live) for name, e in made.engines.items()}
        made.stop()
    admin = KafkaAdminClient(bootstrap_servers=kafka_url.removeprefix("kafka://"))
    admin.delete_topics([f"{kafka_prefix}{name}" for name in made.services])
    wait_for(lambda: not any(topic.startswith(kafka_prefix) for topic in admin.list_topics()))
    admin.close()
    with logs_of(kafka_url, kafka_prefix, partitions=5) as more:
        made.logs = more
        made.start_all()
        for name, engine in made.engines.items():
            topics, journal = more(name), made.services[name].journal
            engine.relay.on_begin = lambda t=topics, n=name, j=journal: restore(t, n, j)  # type: ignore[misc]
        enter(made.engines["entry"].commands, command("after"), "c9", "t9")
        made.settle(5_000)
        assert {name: more(name).count(name) for name in made.services} == {
            name: len(made.entries(name)) for name in made.services
        }
        assert restore(more("entry"), "entry", made.services["entry"].journal) == 0
        changed = {name: e.projection.digest(e.projection.pointer().live) for name, e in made.engines.items()}
        assert all(changed[name] != before[name] for name in before), "what came after is in every read model"
        check_world(made)
        made.stop()


def test_a_rebuild_from_topics_that_have_lost_something_is_not_swapped_in(logs: Logs, kafka_prefix: str) -> None:
    log = logs("reader")
    given = history(6)
    for entries in given.values():
        published(log, entries)
    documents, runner = follow(log)
    with_less = logs("elsewhere")
    missing = f"less-{kafka_prefix}"
    with logs_of("kafka://" + ",".join(with_less._address.servers), missing) as fewer:
        short = fewer("reader")
        for entries in given.values():
            published(short, [e for e in entries if e.competition != "c1"])
        other = ProjectionRunner(BOARD, documents, short, CODEC, ManualClock(START))
        assert other.rebuild() == 2
        wait_for(lambda: other.step() >= 0 and other.consumer(2).lag() == 0)
        for _ in range(5):
            asked_again(other.step)
        assert (other.pointer().live, other.pointer().building) == (1, 2)
        other.close()
    runner.close()
