"""An event names the regulation it was decided under, and the same preset is found again from it."""

from __future__ import annotations

import pytest

from shared.rules.errors import BadRegulation, UnknownRegulation
from shared.rules.regulations import Preset, changed, digest
from shared.rules.regulations.changes import overrides
from shared.rules.regulations.reference import reference, resolve


def test_a_regulation_is_named_with_its_version(jimei: Preset) -> None:
    assert reference(jimei) == "jimei-2018/1"


def test_the_preset_is_found_again_with_its_changes(jimei: Preset) -> None:
    own = changed(jimei, {"match.minutes": 45, "levels.must_play": ["T", "A"]})
    assert digest(resolve(reference(own), overrides(own))) == digest(own)
    assert digest(resolve(reference(jimei), {})) == digest(jimei)


@pytest.mark.parametrize("name", ["jimei-2018/2", "jimei-2018", "jimei-2019/1", ""])
def test_a_name_or_version_that_this_code_has_not_is_refused(name: str) -> None:
    with pytest.raises(UnknownRegulation):
        resolve(name, {})


def test_changes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(BadRegulation):
        resolve("jimei-2018/1", {"match.minuets": 45})
