"""Change the level tables, the follow duty and the leads in small ways, and see that the tests notice each time.

`make mutants`, or `python -m tests.mutation [levels follow leads] [--jobs N]`, prints every change that no test noticed
and the figure, and ends with 1 when there is one. It takes minutes, so that `make test` leaves it out.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import click
import msgspec

from tests.mutation.code import mutants
from tests.mutation.running import judged, replace_module, replace_regulation
from tests.mutation.same import CHANGES_NOTHING
from tests.mutation.tables import table_mutants

TRACTOR = ("jimei-2018", "zhongshan-2013", "shandong-2023")


class Target(msgspec.Struct, frozen=True):
    """What is changed, and which tests must notice. tables: dotted keys by regulation."""

    files: tuple[str, ...]
    tables: dict[str, tuple[str, ...]]
    tests: tuple[str, ...]


TARGETS = {
    "levels": Target(
        files=(
            "shared/rules/shengji/levels.py",
            "shared/rules/shengji/moved_deal.py",
            "shared/rules/guandan/levels.py",
        ),
        tables={
            **dict.fromkeys(TRACTOR, ("levels", "claims.moved_deal")),
            "ahut-2018": ("levels.gains", "levels.must_play", "levels.pass_with", "levels.failures"),
        },
        tests=(
            "tests/unit/rules/shengji_play/test_level_tables.py",
            "tests/unit/rules/test_levels.py",
            "tests/unit/rules/shengji_play/test_moved_deal.py",
            "tests/unit/rules/guandan/test_levels.py",
            "tests/unit/ask/test_answers.py",
        ),
    ),
    "follow": Target(
        files=("shared/rules/shengji/follow.py", "shared/rules/shengji/withheld.py"),
        tables=dict.fromkeys(TRACTOR, ("follow",)),
        tests=(
            "tests/unit/rules/shengji_play/test_follow.py",
            "tests/unit/rules/shengji_play/test_withheld.py",
            "tests/unit/rules/replay/test_prices.py",
        ),
    ),
    "leads": Target(
        files=(
            "shared/rules/shengji/led.py",
            "shared/rules/shengji/components.py",
            "shared/rules/shengji/throws.py",
            "shared/rules/shengji/trick.py",
        ),
        tables=dict.fromkeys(TRACTOR, ("throws", "tractors", "kitty.single", "kitty.pair", "kitty.tractors")),
        tests=(
            "tests/unit/rules/cards/test_components.py",
            "tests/unit/rules/shengji_play/test_follow.py",
            "tests/unit/rules/shengji_play/test_throws.py",
            "tests/unit/rules/shengji_play/test_trick.py",
            "tests/unit/rules/shengji_play/test_kitty.py",
        ),
    ),
}


class Change(msgspec.Struct, frozen=True):
    """A change: its name, where it is, how it is made, and the tests that must notice."""

    name: str
    where: str
    make: Callable[[], None]
    tests: tuple[str, ...]


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(list(TARGETS)))
@click.option("--jobs", type=click.IntRange(min=1), default=2)
def main(names: tuple[str, ...], jobs: int) -> None:
    """Change something in each place, and run its tests."""
    _check_unchanged(names or tuple(TARGETS), jobs)
    changes = [change for name in names or TARGETS for change in _changes(TARGETS[name])]
    found: Counter[str] = Counter(nothing=sum(change.name in CHANGES_NOTHING for change in changes))
    to_notice = [change for change in changes if change.name not in CHANGES_NOTHING]
    for change, what in judged(to_notice, lambda change: (change.make, change.tests), jobs):
        found[what] += 1
        if what == "unnoticed":
            click.echo(f"unnoticed  {change.where}  {change.name}")
    noticed, of = found["noticed"], found["noticed"] + found["unnoticed"]
    click.echo(
        f"{noticed} of {of} changes noticed; {found['nothing']} change nothing, {found['none']} make no regulation"
    )
    sys.exit(1 if found["unnoticed"] else 0)


def _check_unchanged(names: Iterable[str], jobs: int) -> None:
    """Tests that fail without any change would notice every one."""
    for name, what in judged(names, lambda name: (lambda: None, TARGETS[name].tests), jobs):
        if what != "unnoticed":
            raise click.ClickException(
                f"the tests of {name} fail as the code is; see `pytest {TARGETS[name].tests[0]}`"
            )


def _changes(target: Target) -> Iterator[Change]:
    for file in target.files:
        module = file.removesuffix(".py").replace("/", ".")
        for mutant in mutants(file):
            make = partial(replace_module, module, mutant.file, mutant.tree)
            yield Change(mutant.name, f"{mutant.file}:{mutant.line}", make, target.tests)
    for regulation, keys in target.tables.items():
        file = f"shared/rules/regulations/{regulation}.yaml"
        for table in table_mutants(regulation, Path(file).read_text(encoding="utf-8"), keys):
            yield Change(table.name, file, partial(replace_regulation, regulation, table.text), target.tests)


if __name__ == "__main__":
    main()
