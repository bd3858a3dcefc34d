"""`make bench`, or `python -m tests.bench [ROW …]`: measures, prints a table, writes build/bench.json.

Every row is a ratio to something measured in the same run, except those that say `(absolute)`: they are figures of this
machine, on this day. docs/performance.md says what each row means and where the time goes."""

from __future__ import annotations

import os
import platform
import sys
import traceback
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
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
    batch,
    default,
    effect,
    entries,
    field,
    fold,
    guandan,
    hands,
    kafka,
    longer,
    pairing,
    rebuild,
    replay,
    tiebreaks,
    visible,
)

ROWS = {
    row.name: row
    for row in (
        append.ROW,
        fold.ROW,
        rebuild.ROW,
        kafka.ROW,
        hands.ROW,
        visible.ROW,
        batch.ROW,
        entries.ROW,
        default.ROW,
        longer.ROW,
        field.ROW,
        effect.ROW,
        replay.ROW,
        guandan.ROW,
        ask.ROW,
        tiebreaks.ROW,
        pairing.ROW,
    )
}
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
    Console().print(table(report.lines))
    missed = sorted({line.row for line in report.lines if line.reached is False})
    click.echo(f"Written to {OUTPUT}." + (f" Not reached: {', '.join(missed)}." if missed else ""))
    for name, error in report.failed.items():
        click.echo(f"Not measured: {name}\n{error}", err=True)
    sys.exit(1 if report.failed or (strict and missed) else 0)


class Report(msgspec.Struct):
    """What was measured, when and on what; of a row that could not be, why. `load_before` is the load average."""

    at: str
    machine: dict[str, Any]
    load_before: dict[str, float] = {}
    lines: list[Line] = []
    failed: dict[str, str] = {}

    def write(self) -> None:
        """Replace the file of the run before."""
        OUTPUT.parent.mkdir(exist_ok=True)
        OUTPUT.write_bytes(msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n")


def run(rows: list[Row]) -> Report:
    """Measure, and write down what there is after each row: a row that fails, or Ctrl-C, takes no other with it."""
    machine = {"cores": os.cpu_count(), "system": platform.system(), "python": platform.python_version()}
    report = Report(datetime.now(UTC).isoformat(timespec="seconds"), machine)
    columns = (TextColumn("{task.description:12}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        for row in rows:
            task = progress.add_task(row.name, total=row.ticks)
            report.load_before[row.name] = os.getloadavg()[0]
            try:
                with ExitStack() as held:
                    for line in row.measure(Bench(held), partial(progress.advance, task)):
                        report.lines.append(line)
            except Exception:
                report.failed[row.name] = traceback.format_exc()
            progress.update(task, completed=row.ticks)
            report.write()
    return report


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
