"""What every test may use: a document store, a Kafka, and a name of its own in each."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from pymongo import MongoClient

from deploy.store import EmbeddedStore
from shared.eventsourcing.mongo import connect
from tests.support.brokers import end_shared_broker, shared_broker
from tests.support.logs import Chosen, Kafka, Memory

settings.register_profile(
    "suite", deadline=None, derandomize=True, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("suite")


@pytest.fixture(scope="session")
def mongo_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A document store: the one that PAILU_MONGO_URL names, else an embedded one for this test process."""
    if url := os.environ.get("PAILU_MONGO_URL"):
        yield url
    else:
        with EmbeddedStore(tmp_path_factory.mktemp("store")) as store:
            yield store.url


@pytest.fixture(scope="session")
def mongo(mongo_url: str) -> Iterator[MongoClient[dict[str, object]]]:
    """One client for the session, with the concerns that the services use."""
    client = connect(mongo_url)
    yield client
    client.close()


@pytest.fixture
def database_prefix(request: pytest.FixtureRequest) -> Iterator[str]:
    """Begins the names of this test's databases, so that no test sees another's. Where the store is not thrown away
    with the session, what was written there is removed."""
    prefix = f"t{uuid.uuid4().hex[:10]}_"
    yield prefix
    if os.environ.get("PAILU_MONGO_URL"):
        client = request.getfixturevalue("mongo")
        for name in client.list_database_names():
            if name.startswith(prefix):
                client.drop_database(name)


@pytest.fixture
def store_folder(tmp_path: Path) -> Path:
    """A folder for a store that a test starts and kills by itself."""
    return tmp_path / "store"


@pytest.fixture(scope="session")
def kafka_url(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Kafka: the one that PAILU_KAFKA_URL names, else a local one that all processes of this run share."""
    if url := os.environ.get("PAILU_KAFKA_URL"):
        return url
    alone = "PYTEST_XDIST_WORKER" not in os.environ
    base = tmp_path_factory.getbasetemp()
    return shared_broker(base if alone else base.parent, os.getpid() if alone else os.getppid())


@pytest.fixture
def kafka_prefix() -> str:
    """Begins the names of this test's topics and groups, so that no test sees another's."""
    return f"t{uuid.uuid4().hex[:10]}-"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """What is marked so is run over each event log; a test's mark counts before its module's."""
    if mark := metafunc.definition.get_closest_marker("over"):
        metafunc.parametrize("event_log", mark.args, indirect=True, scope="module")


@pytest.fixture(scope="module", autouse=True)
def event_log(request: pytest.FixtureRequest) -> Iterator[None]:
    """Which event log the worlds of a module get. A fixture of the module that makes one asks for this."""
    if getattr(request, "param", "memory") == "memory":
        yield
        return
    kafka = Kafka(request.getfixturevalue("kafka_url"))
    Chosen.make = kafka
    yield
    Chosen.make = Memory
    kafka.close()


def pytest_unconfigure(config: pytest.Config) -> None:
    """The broker ends with the run, not with the first of its processes that is done."""
    factory = getattr(config, "_tmp_path_factory", None)
    if not hasattr(config, "workerinput") and factory is not None and factory._basetemp is not None:
        end_shared_broker(factory.getbasetemp())
