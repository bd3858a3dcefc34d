"""A reader finds the room of any rule: each package of the rules says in its docstring what is where."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import shared.rules

ROOT = Path(shared.rules.__file__).parent
MAPPED = (
    "",
    "regulations",
    "regulations/preset",
    "shengji",
    "shengji/replay",
    "guandan",
    "board",
    "formats",
    "entries",
)


@pytest.mark.parametrize("package", MAPPED)
def test_a_package_maps_its_rooms(package: str) -> None:
    folder = ROOT / package
    tree = ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))
    lines = [line for line in (ast.get_docstring(tree) or "").splitlines() if line.startswith("|")]
    named = set(re.findall(r"`(\w+(?:\.py|/))`", "\n".join(lines)))
    files = {path.name for path in folder.glob("*.py")} - {"__init__.py"}
    rooms = {f"{path.parent.name}/" for path in folder.glob("*/__init__.py")}
    listed = {name for name in named if name.endswith("/") or (folder / name).exists()}
    assert named - listed - inner(folder) == set(), "what is named is there"
    assert files | rooms == listed, f"the map in {package}/__init__.py names what is there"


def inner(folder: Path) -> set[str]:
    """Modules one package below, which a map may point to."""
    return {path.name for path in folder.glob("*/*.py")}
