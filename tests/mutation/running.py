"""A change, and whether the tests notice: each in a process of its own that has imported nothing of the rules yet."""

from __future__ import annotations

import ast
import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import resource
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import CodeType, ModuleType
from typing import Literal, TypeVar

import click  # noqa: F401  with what follows imported once, before the fork
import msgspec  # noqa: F401
import pytest
import yaml  # noqa: F401
from hypothesis import HealthCheck, Phase, settings

T = TypeVar("T")

SECONDS = 20
"""Of the processor, ten times what the tests take; a change that runs on for ever is noticed too."""

UNNOTICED, NOTICED, NONE = 0, 1, 86
"""How a child ends; NONE: the change makes no regulation, so that it can never be read."""

Found = Literal["noticed", "unnoticed", "none"]


def judged(
    changes: Iterable[T], do: Callable[[T], tuple[Callable[[], None], Sequence[str]]], jobs: int
) -> Iterator[tuple[T, Found]]:
    """Each change and what became of it, so many at a time, in no order. do: how it is made, and its tests."""
    running: dict[int, T] = {}
    for change in changes:
        if len(running) >= jobs:
            yield _ended(running)
        make, tests = do(change)
        child = os.fork()
        if child == 0:
            code = NOTICED
            with contextlib.suppress(BaseException):
                code = _run(make, tests)
            os._exit(code)
        running[child] = change
    while running:
        yield _ended(running)


def _ended(running: dict[int, T]) -> tuple[T, Found]:
    child, status = os.wait()
    change = running.pop(child)
    code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else NOTICED
    return change, "unnoticed" if code == UNNOTICED else "none" if code == NONE else "noticed"


def _run(make: Callable[[], None], tests: Sequence[str]) -> int:
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    make()
    settings.register_profile(
        "mutation",
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.explicit, Phase.generate),  # that one example fails is enough
    )
    settings.load_profile("mutation")
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    options = ("-x", "-q", "--confcutdir=tests/unit/rules", "-p", "no:cacheprovider", "-p", "_hypothesis_pytestplugin")
    for kind in ("not hypothesis", "hypothesis"):  # most changes are noticed by the quick ones
        code = int(pytest.main([*options, "-m", kind, *tests]))
        if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            return NOTICED
    return UNNOTICED


def replace_module(name: str, file: str, tree: ast.Module) -> None:
    """Let the import of this module give the changed code."""
    sys.meta_path.insert(0, _Finder(name, file, compile(tree, file, "exec")))


def replace_regulation(name: str, changed: str) -> None:
    """Let this regulation be read from the changed text; ends the process where that is no regulation."""
    from shared.rules.errors import BadRegulation
    from shared.rules.regulations import AnyPreset, loader

    read = loader.parse
    try:
        read(changed, name)
    except BadRegulation:
        os._exit(NONE)

    def parse(text: str, file: str) -> AnyPreset:
        return read(changed if file == name else text, file)

    loader.parse = parse


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, name: str, file: str, code: CodeType) -> None:
        self.name, self.file, self.code = name, file, code

    def find_spec(self, fullname: str, *_: object) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        return importlib.util.spec_from_file_location(fullname, self.file, loader=self)

    def create_module(self, _spec: object) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        exec(self.code, module.__dict__)
