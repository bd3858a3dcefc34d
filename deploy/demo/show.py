"""The screen: headings, steps, refusals, tables and one progress bar, within 80 columns, in English or Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich import box
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from deploy.demo.client import Answer
from shared.cli.language import say

WIDTH = 80
REQUESTS = 300
"""About how many requests the whole takes, for the bar before the script is known."""


class Show:
    """Prints on a console. `act` is the title of the act under way, for messages."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._acts = 0
        self._bar: Progress | None = None
        self._task = TaskID(0)
        self.act = say("the server starts", "服务启动")

    @contextmanager
    def progress(self) -> Iterator[None]:
        """A bar at the foot of the screen while this lasts; none where the output is no terminal."""
        columns = (
            TextColumn("[cyan]{task.description}"),
            BarColumn(None),
            TaskProgressColumn(),
            TimeElapsedColumn(),
        )
        bar = Progress(*columns, console=self._console, transient=True, disable=not self._console.is_terminal)
        with bar:
            self._task, self._bar = bar.add_task(self.act, total=REQUESTS), bar
            yield
            self._bar = None

    def tick(self) -> None:
        """One more request is answered."""
        if self._bar is not None:
            self._bar.advance(self._task)

    def expect(self, requests: int) -> None:
        """How many requests there will be in all."""
        if self._bar is not None:
            self._bar.update(self._task, total=requests)

    def title(self, text: str, more: str) -> None:
        self._console.print(Text(text, style="bold"))
        self.line(more)

    def begin(self, title: str) -> None:
        """A new act."""
        self._acts += 1
        self.act = title
        if self._bar is not None:
            self._bar.update(self._task, description=title)
        self._console.print()
        self._print(Rule(Text(f"{self._acts}  {title}", style="bold"), align="left", style="cyan"))

    def did(self, text: str, who: str = "") -> None:
        """A step that gave what it should."""
        self._point("✓", "green", text, who)

    def proved(self, text: str) -> None:
        """A claim that was checked."""
        self._point("=", "cyan", text, "")

    def refused(self, what: str, answer: Answer) -> None:
        """A step that had to be refused, and was: with status, article and the server's words."""
        self._point("✗", "yellow", what, "")
        article = answer.body.get("article")
        reference = " · ".join(str(part) for part in (answer.status, answer.slug, article) if part)
        self._indented(f"{reference}\n{answer.body['detail']}", "yellow")

    def line(self, text: str = "", style: str = "") -> None:
        """Text from the first column on."""
        self._print(Text(wrapped(text, self._console.width), style=style))

    def paragraph(self, text: str) -> None:
        """What has to be known."""
        self._print(_indent(Text(wrapped(text, self._console.width - 2))))

    def quote(self, text: str) -> None:
        """What somebody wrote."""
        self._indented(text, "italic")

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[str | Text]], right: Sequence[int] = ()) -> None:
        """A table; columns named in `right` are numbers."""
        grid = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False, collapse_padding=True, header_style="dim")
        for index, column in enumerate(columns):
            last = index == len(columns) - 1
            grid.add_column(column, justify="right" if index in right else "left", no_wrap=not last, overflow="fold")
        for row in rows:
            grid.add_row(*row)
        self._print(grid)

    def columns(self, cells: Sequence[str], across: int) -> None:
        """Short texts side by side, reading down."""
        grid = Table.grid(padding=(0, 3))
        down = -(-len(cells) // across)
        for row in range(down):
            grid.add_row(*(cells[row + down * column] for column in range(across) if row + down * column < len(cells)))
        self._print(_indent(grid))

    def _point(self, mark: str, style: str, text: str, who: str) -> None:
        grid = Table.grid(padding=(0, 1))
        grid.add_column(width=1)
        grid.add_column()
        said = Text(wrapped(f"{who}  {text}" if who else text, self._console.width - 4))
        said.stylize("magenta", 0, len(who))
        grid.add_row(Text(mark, style=style), said)
        self._print(_indent(grid))

    def _print(self, what: RenderableType) -> None:
        """Without the blanks that would fill each line."""
        for line in self._console.render_lines(what, pad=False):
            text = Text.assemble(*((segment.text, segment.style or "") for segment in line))
            text.rstrip()
            self._console.print(text, no_wrap=True, overflow="ignore", crop=False)

    def _indented(self, text: str, style: str) -> None:
        grid = Table.grid()
        grid.add_column(width=4)
        grid.add_column()
        grid.add_row("", Text(wrapped(text, self._console.width - 4), style=style))
        self._print(grid)


def _indent(what: RenderableType) -> Table:
    grid = Table.grid()
    grid.add_column(width=2)
    grid.add_column()
    grid.add_row("", what)
    return grid


_PIECE = re.compile(r" *(?:[^\s\u2e80-\uffef]+|[\u2e80-\uffef])[，。；：、！？）」』”]*|\n")
"""What stays on one line: a word, or a Chinese character, with the punctuation behind it."""


def wrapped(text: str, width: int) -> str:
    """The text in lines of this many columns, broken between words and between Chinese characters."""
    lines = [""]
    for piece in _PIECE.findall(text):
        if piece == "\n":
            lines.append("")
        elif cell_len(lines[-1] + piece) > width:
            lines.append(piece.lstrip())
        else:
            lines[-1] += piece
    return "\n".join(lines)
