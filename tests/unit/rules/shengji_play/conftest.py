"""The two regulations beside jimei-2018."""

from __future__ import annotations

import pytest

from shared.rules.regulations import Preset, load


@pytest.fixture(scope="session")
def zhongshan() -> Preset:
    return load("zhongshan-2013")


@pytest.fixture(scope="session")
def shandong() -> Preset:
    return load("shandong-2023")
