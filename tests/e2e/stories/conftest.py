"""What the services of a story run on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import pytest
from pymongo import MongoClient

from tests.support.kafka import logs_of
from tests.support.world import Means, Stored


@pytest.fixture(params=["store", "kafka"])
def means(
    request: pytest.FixtureRequest, mongo: MongoClient[Any], database_prefix: str, kafka_prefix: str
) -> Iterator[Means]:
    """The embedded store, and the store with Apache Kafka as its event log."""
    over_kafka = request.param == "kafka"
    url = request.getfixturevalue("kafka_url") if over_kafka else ""
    with logs_of(url, kafka_prefix) if over_kafka else nullcontext() as logs:
        yield Stored(mongo, database_prefix, logs)
