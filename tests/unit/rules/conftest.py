"""What the rules' tests share: the regulation they read."""

from __future__ import annotations

import pytest

from shared.rules.regulations import Preset, load


@pytest.fixture(scope="session")
def jimei() -> Preset:
    return load("jimei-2018")
