"""The MongoDB adapters over the embedded store (or over the one that PAILU_MONGO_URL names)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from pymongo import MongoClient, monitoring
from pymongo.database import Database
from pymongo.errors import DocumentTooLarge

from shared.eventsourcing.errors import PositionTaken
from shared.eventsourcing.mongo import MongoCommits, MongoDocuments, MongoJournal, MongoLog, connect
from shared.eventsourcing.ports import EventLog
from shared.eventsourcing.records import Envelope, Recorded
from shared.privacy.secrets import MongoSecrets
from tests.contract.commits import CommitStoreSuite
from tests.contract.documents import DocumentsSuite
from tests.contract.journals import JournalSuite
from tests.contract.logs import EventLogSuite, drain, entries
from tests.contract.secrets import SecretsSuite
from tests.contract.sharing import UnsharedSuite
from tests.support.kernel import START
from tests.support.toys import commit, envelope

Client = MongoClient[dict[str, Any]]


@pytest.fixture
def database(mongo: Client, database_prefix: str) -> Database[dict[str, Any]]:
    return mongo[f"{database_prefix}entry"]


class TestMongoCommits(CommitStoreSuite):
    @pytest.fixture
    def store(self, database: Database[dict[str, Any]]) -> MongoCommits:
        return MongoCommits(database)

    def test_a_commit_too_large_for_a_document_is_refused_and_leaves_nothing(self, store: MongoCommits) -> None:
        large = msgspec.structs.replace(commit(command="k"), events=(Recorded("Large", 1, b"x" * (17 << 20)),))
        with pytest.raises(DocumentTooLarge):
            store.append(large)
        assert store.command("leader", "k") is None
        assert store.pending(1) == []


class TestMongoJournal(JournalSuite):
    @pytest.fixture
    def journal(self, database: Database[dict[str, Any]]) -> MongoJournal:
        return MongoJournal(database)

    def test_nothing_is_read_past_a_gap(self, journal: MongoJournal) -> None:
        journal.insert([envelope(1), envelope(2)])
        journal.insert([envelope(4)])
        assert [e.position for e in journal.read(0, 10)] == [1, 2]
        assert journal.read(2, 10) == []

    def test_two_processes_see_one_journal(self, journal: MongoJournal, database: Database[dict[str, Any]]) -> None:
        other = MongoJournal(database)
        journal.insert([envelope(1)])
        assert other.head() == 1
        other.insert([envelope(2)])
        assert journal.head() == 2
        with pytest.raises(PositionTaken):
            journal.insert([envelope(2, stream="x", version=1)])


class Logs(MongoLog):
    """A MongoLog with a journal for each service."""

    def __init__(self, client: Client, prefix: str) -> None:
        self.journals = {name: MongoJournal(client[f"{prefix}{name}"]) for name in ("entry", "table", "purse")}
        super().__init__(self.journals.__getitem__, client[f"{prefix}reader"])


class TestMongoLog(EventLogSuite, UnsharedSuite):
    @pytest.fixture
    def log(self, mongo: Client, database_prefix: str) -> Logs:
        return Logs(mongo, database_prefix)

    def put(self, log: EventLog, entries: Sequence[Envelope]) -> None:
        assert isinstance(log, Logs)
        log.journals[entries[0].service].insert(entries)
        log.publish(entries)


class TestMongoDocuments(DocumentsSuite):
    @pytest.fixture
    def documents(self, database: Database[dict[str, Any]]) -> MongoDocuments:
        return MongoDocuments(database)


class Sent(monitoring.CommandListener):
    """Notes every command as it goes over the wire."""

    def __init__(self) -> None:
        self.commands: list[tuple[str, dict[str, Any]]] = []

    def started(self, event: monitoring.CommandStartedEvent) -> None:
        self.commands.append((event.command_name, dict(event.command)))

    def succeeded(self, event: monitoring.CommandSucceededEvent) -> None: ...

    def failed(self, event: monitoring.CommandFailedEvent) -> None: ...


WRITES = {"insert", "update", "delete", "drop", "createIndexes"}
READS = {"find", "aggregate", "count"}


class TestConcerns:
    """ "Concerns are set in code: writes to a majority with journal, reads of a majority, retryable writes off.\""""

    @pytest.fixture
    def sent(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sent]:
        before = list(monitoring._LISTENERS.command_listeners)
        listener = Sent()
        monitoring.register(listener)
        yield listener
        monitoring._LISTENERS.command_listeners[:] = before

    @pytest.fixture
    def client(self, sent: Sent, mongo_url: str) -> Iterator[Client]:
        """A URL that asks for less changes nothing."""
        separator = "&" if "?" in mongo_url else "/?"
        with connect(f"{mongo_url}{separator}w=1&journal=false&retryWrites=true&readConcernLevel=local") as client:
            yield client

    def test_every_command_carries_them(self, sent: Sent, client: Client, database_prefix: str) -> None:
        database = client[f"{database_prefix}entry"]
        commits, journal, documents = MongoCommits(database), MongoJournal(database), MongoDocuments(database)
        commits.append(commit())
        commits.mark_sequenced(commits.pending(5))
        commits.stream("s"), commits.command("leader", "s@1")
        journal.take_lease("a", START, START + timedelta(seconds=10))
        journal.insert(entries("entry", 3))
        journal.mark_published(journal.head(), after=0)
        journal.stream_version("s"), journal.competition_position("c1"), journal.last_recorded_at()
        log = MongoLog(lambda _service: journal, database)
        subscription = log.subscribe("g", ["entry"])
        drain(subscription, 3)
        subscription.commit(), subscription.lag(), log.forget("g")
        documents.ensure_index("rows", ["n"])
        documents.put("rows", [(0, {"_id": "a", "revision": 1})])
        documents.put("rows", [(1, {"_id": "a", "revision": 2})])
        documents.get("rows", ["a"]), documents.find("rows", {}), documents.count("rows", {})
        documents.delete("rows", ["a"])
        documents.drop("rows")
        assert {name for name, _ in sent.commands} & WRITES == WRITES
        for name, sent_command in sent.commands:
            assert "txnNumber" not in sent_command, f"{name} is sent as a retryable write"
            if name in WRITES:
                assert sent_command.get("writeConcern") == {"w": "majority", "j": True}, (name, sent_command)
            if name in READS:
                assert sent_command.get("readConcern") == {"level": "majority"}, (name, sent_command)
        unknown = {name for name, _ in sent.commands} - WRITES - READS - {"getMore", "endSessions", "killCursors"}
        assert not unknown


class TestMongoSecrets(SecretsSuite):
    @pytest.fixture
    def secrets(self, database: Database[dict[str, Any]]) -> MongoSecrets:
        return MongoSecrets(database)
