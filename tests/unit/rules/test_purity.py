"""The rules are pure: no clock, no chance, no files but the presets, no inexact numbers."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import shared.rules

ROOT = Path(shared.rules.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))
IMPURE = {"random", "secrets", "time", "uuid", "os", "sys", "socket", "subprocess", "threading", "asyncio", "logging"}
FILES = {"pathlib", "importlib", "yaml"}
CLOCKS = {"now", "utcnow", "today", "fromtimestamp"}


def imported(tree: ast.AST) -> set[str]:
    """The top names of what a module imports."""
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return {name.split(".")[0] for name in names}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_is_pure(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    allowed = FILES if path.name == "loader.py" else set()
    assert not imported(tree) & ((IMPURE | FILES) - allowed)
    assert not {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)} & CLOCKS
    assert not [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Constant) and type(node.value) is float]
    assert not [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in ("float", "open")]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_asks_for_a_regulation_by_name(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    compared = [node for node in ast.walk(tree) if isinstance(node, ast.Compare)]
    words = {part.value for node in compared for part in ast.walk(node) if isinstance(part, ast.Constant)}
    assert not [word for word in words if isinstance(word, str) and word.endswith(("-2018", "-2013", "-2023"))]
