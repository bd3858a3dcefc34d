"""What must be so in every world at rest, whatever happened to it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from shared.eventsourcing.generations import ProjectionRunner
from shared.eventsourcing.ports import Codec, Document, Documents
from shared.eventsourcing.projector import Projection, Row
from shared.eventsourcing.records import Commit, Envelope, canonical
from tests.support.kernel import Service, World


def check_log(entries: Sequence[Envelope]) -> None:
    """A log by itself: positions contiguous, no event twice, streams in order, `previous` right, time monotone."""
    assert [e.position for e in entries] == list(range(1, len(entries) + 1)), "positions have a gap or a repeat"
    assert len({e.id for e in entries}) == len(entries), "an event has two positions"
    versions: dict[str, int] = {}
    positions: dict[str, int] = {}
    recorded_at = datetime.min.replace(tzinfo=UTC)
    for e in entries:
        assert e.version == versions.get(e.stream, 0) + 1, f"{e.id} is out of order in its stream"
        assert e.previous == positions.get(e.competition, 0), f"{e.id} names the wrong position before it"
        assert e.recorded_at >= recorded_at, f"{e.id} was recorded before the entry before it"
        versions[e.stream], positions[e.competition], recorded_at = e.version, e.position, e.recorded_at


def check_log_equals_commits(entries: Sequence[Envelope], commits: Sequence[Commit]) -> None:
    """Every event that was committed is in the log once, with the same bytes, and nothing else is."""
    check_log(entries)
    committed = {
        (c.stream, c.first + n): (e.type, e.version, e.data, c.competition, c.command, c.causation)
        for c in commits
        for n, e in enumerate(c.events)
    }
    logged = {
        (e.stream, e.version): (e.type, e.type_version, e.data, e.competition, e.command, e.causation) for e in entries
    }
    assert logged == committed


def check_streams(commits: Sequence[Commit]) -> None:
    """No version lost or doubled, every commit linked to the one before it, no command accepted twice."""
    last: dict[str, Commit] = {}
    for commit in sorted(commits, key=lambda c: (c.stream, c.first)):
        before = last.get(commit.stream)
        assert commit.first == (before.last + 1 if before else 1), f"{commit.id} does not follow"
        assert before is None or commit.previous_hash == before.hash
        last[commit.stream] = commit
    commands = [(c.actor, c.command) for c in commits]
    assert len(set(commands)) == len(commands), "a command was accepted twice"


def rows(projection: Projection, generation: int, documents: Documents) -> list[tuple[str, Document]]:
    """All rows of a generation, by view and id, each with its fields beside what else the document holds."""
    return [
        (name, opened(document))
        for name in sorted(projection.views)
        for document in documents.find(projection.collection(generation, name), {})
    ]


def opened(document: Document) -> Document:
    """A row's document with the row's own fields in it."""
    return document | msgspec.json.decode(document["row"])


def folded(projection: Projection, codec: Codec, logs: Sequence[Sequence[Envelope]]) -> list[tuple[str, Document]]:
    """The rows that the logs should have made: a second, plain fold, topic after topic, without store or batches."""
    made: dict[tuple[str, str], Row] = {}
    for entries in logs:
        for at in entries:
            event = codec.decode(at.type, at.type_version, at.data)
            for name, view in projection.views.items():
                for key, _, _ in view.work([(event, at)]):
                    made.setdefault((name, key), Row(view, key, None)).fold(event, at)
    return [(name, opened(row.change()[1])) for (name, _), row in sorted(made.items()) if row.changed]


def check_rows(found: Sequence[tuple[str, Document]], expected: Sequence[tuple[str, Document]]) -> None:
    """Equal row by row, to the last byte."""
    assert [(name, d["_id"]) for name, d in found] == [(name, d["_id"]) for name, d in expected]
    for (name, left), (_, right) in zip(found, expected, strict=True):
        assert canonical(left) == canonical(right), f"{name} {left['_id']} differs"


def check_read_models(world: World) -> None:
    """Each service's live generation equals a plain fold of the logs it follows, and a rebuild of it too. Time passes
    while the rebuild settles, so that something may fall due and become an event: each is compared with the logs as
    they are then."""
    for name, service in world.services.items():
        runner = world.engines[name].projection

        def check_live(service: Service = service, runner: ProjectionRunner = runner) -> int:
            logs = [world.entries(topic) for topic in service.projection.services]
            live = runner.pointer().live
            found = rows(service.projection, live, service.documents)
            check_rows(found, folded(service.projection, world.codec, logs))
            return live

        live = check_live()
        runner.rebuild()
        world.settle()
        assert check_live() > live, "the rebuild was not swapped in"


def check_world(world: World) -> None:
    """Everything at once."""
    for name in world.services:
        commits = world.commits(name)
        check_streams(commits)
        check_log_equals_commits(world.entries(name), commits)
        assert world.services[name].journal.published() == len(world.entries(name))
        assert world.services[name].commits.pending(1) == []
        assert world.engines[name].held() == []
    check_read_models(world)
