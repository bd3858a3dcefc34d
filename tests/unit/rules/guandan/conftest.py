"""What the tests of 掼蛋 share: the regulation, and cards as they are written."""

from __future__ import annotations

import pytest

from shared.rules.regulations import GuandanPreset, load_any


@pytest.fixture(scope="session")
def ahut() -> GuandanPreset:
    preset = load_any("ahut-2018")
    assert isinstance(preset, GuandanPreset)
    return preset
