"""What the services of a story run on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from pymongo import MongoClient

from tests.support.prompt import PromptLogs
from tests.support.world import Means, Stored


@pytest.fixture(params=["store", "kafka"])
def means(request: pytest.FixtureRequest, mongo: MongoClient[Any], database_prefix: str) -> Iterator[Means]:
    """The embedded store, and the store with Apache Kafka as its event log."""
    if request.param == "store":
        yield Stored(mongo, database_prefix)
        return
    with closing(PromptLogs(request.getfixturevalue("kafka_url"))) as logs:
        yield Stored(mongo, database_prefix, logs)
