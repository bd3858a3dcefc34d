"""docs/guarantees.md names a test for each promise: they all exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMED = re.findall(r"`((?:K|tests)/[\w/]+\.py)(?:::(\w+))?`", (ROOT / "docs/guarantees.md").read_text("utf-8"))


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_a_named_test_exists(file: str, name: str) -> None:
    text = (ROOT / file.replace("K/", "tests/unit/kernel/", 1)).read_text("utf-8")
    assert re.search(rf"\b(?:def|class) {name or 'test_'}|^{name} = ", text, re.MULTILINE)


def test_every_row_names_one() -> None:
    rows = re.findall(r"^\| .+\. \| (.*) \|$", (ROOT / "docs/guarantees.md").read_text("utf-8"), re.MULTILINE)
    assert len(rows) >= 25
    assert all(row.startswith("`") for row in rows)
