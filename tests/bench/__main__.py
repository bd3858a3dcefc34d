"""`make bench`, or `python -m tests.bench [ROW …]`: measures, prints a table, writes build/bench.json.

Every row is a ratio to something measured in the same run, except those that say `(absolute)`: they are figures of this
machine, on this day. docs/performance.md says what each row means and where the time goes."""

from __future__ import annotations

import os
import platform
import sys
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.bench.bench import Bench, Row
from tests.bench.measuring import Line
from tests.bench.rows import (
    append,
    ask,
    default,
    effect,
    entries,
    fold,
    guandan,
    hands,
    longer,
    pairing,
    rebuild,
    replay,
    tiebreaks,
)

ROWS = {
    row.name: row
    for row in (
        append.ROW,
        fold.ROW,
        rebuild.ROW,
        hands.ROW,
        entries.ROW,
        default.ROW,
        longer.ROW,
        effect.ROW,
        replay.ROW,
        guandan.ROW,
        ask.ROW,
        tiebreaks.ROW,
        pairing.ROW,
    )
}
"""A row of Kafka's, publishing and projecting beside bare kafka-python, has its place after `rebuild`."""
OUTPUT = Path("build/bench.json")


@click.command(help="Measure all rows, or those named.")
@click.argument("names", nargs=-1, metavar="[ROW]...")
@click.option("--list", "listed", is_flag=True, help="List the rows.")
@click.option("--strict", is_flag=True, help="Exit with status 1 when a row is not reached.")
def main(names: tuple[str, ...], listed: bool, strict: bool) -> None:
    """Run the rows one after the other, each in a store of its own."""
    if unknown := set(names) - ROWS.keys():
        raise click.UsageError(f"no such row: {', '.join(sorted(unknown))}. Rows: {', '.join(ROWS)}")
    if listed:
        for row in ROWS.values():
            click.echo(f"{row.name:10}{row.what}")
        return
    report = run([ROWS[name] for name in names or ROWS])
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n")
    Console().print(table(report["lines"]))
    missed = sorted({line.row for line in report["lines"] if line.reached is False})
    click.echo(f"Written to {OUTPUT}." + (f" Not reached: {', '.join(missed)}." if missed else ""))
    sys.exit(1 if strict and missed else 0)


def run(rows: list[Row]) -> dict[str, Any]:
    """What was measured, and on what."""
    lines: list[Line] = []
    loads: dict[str, float] = {}
    columns = (TextColumn("{task.description:12}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        for row in rows:
            task = progress.add_task(row.name, total=row.ticks)
            loads[row.name] = os.getloadavg()[0]
            with ExitStack() as held:
                lines += row.measure(Bench(held), lambda task=task: progress.advance(task))  # type: ignore[misc]
            progress.update(task, completed=row.ticks)
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {"cores": os.cpu_count(), "system": platform.system(), "python": platform.python_version()},
        "load_before": loads,
        "lines": lines,
    }


def table(lines: list[Line]) -> Table:
    """The lines for a terminal."""
    shown = Table("row", "what", "beside", *(("value", "reach", "")), highlight=False)
    for column in shown.columns[3:5]:
        column.justify = "right"
        column.no_wrap = True
    for line in lines:
        verdict = {True: "[green]✓", False: "[red]✗", None: ""}[line.reached]
        sign = "≥" if line.better == "higher" else "≤"
        reach = "" if line.reach is None else f"{sign} {number(line.reach)} {line.unit}"
        what = line.what + (f" — {line.note}" if line.note else "")
        shown.add_row(line.row, what, line.beside, f"{number(line.value)} {line.unit}", reach, verdict)
    return shown


def number(value: float) -> str:
    """Three figures, and whole thousands as they are read."""
    return f"{value:,.0f}" if value >= 1_000 else f"{value:.3g}"


if __name__ == "__main__":
    main()
