"""`pailu ask`: one JSON question a line in, one JSON answer a line out."""

from __future__ import annotations

import codecs
import os
import select
import sys
from collections.abc import Iterator

import click

from shared.cli.language import say
from shared.rules.ask import answer_line, refused_line

_BLOCK = 1 << 18
"""Bytes read at a time, and kept before they are written while more questions wait."""


@click.command(
    help=say(
        "Answer questions about the rules: one JSON object a line in, one a line out.",
        "回答规则提问：每行一个 JSON 对象，逐行作答。",
    )
)
@click.option(
    "--strict",
    is_flag=True,
    help=say("Exit with 1 when any line could not be answered.", "有未能回答的行时以 1 退出。"),
)
def ask(strict: bool) -> None:
    """Answer until the input ends; a bad line is answered with its error and the next one is still read."""
    try:
        failed = serve(sys.stdin.fileno(), sys.stdout.fileno())
    except BrokenPipeError:
        sys.exit(0)
    if strict and failed:
        sys.exit(1)


def serve(source: int, sink: int) -> bool:
    """Answer every line of the file descriptor `source` on `sink`; whether any could not be answered.

    Answers are written whenever no further question is waiting, so that a program can ask, read and ask again; while
    questions wait they are written in blocks.
    """
    replies, rest = _Replies(sink), b""
    for block in _blocks(source):
        *lines, rest = (rest + block).split(b"\n")
        for line in lines:
            replies.add(line)
        if replies.size > _BLOCK or not _waiting(source):
            replies.flush()
    if rest.strip():
        replies.add(rest)
    replies.flush()
    return replies.failed


class _Replies:
    """Answers that were not written yet. size: their bytes; failed: whether any question could not be answered."""

    def __init__(self, sink: int) -> None:
        self.size, self.failed = 0, False
        self._sink = sink
        self._kept: list[bytes] = []

    def add(self, line: bytes) -> None:
        try:
            reply, answered = answer_line(line)
        except Exception as fault:  # a question that finds a fault of ours must not keep the next ones from an answer
            click.echo(f"pailu ask: {type(fault).__name__}: {fault}: {line[:200]!r}", err=True)
            reply, answered = refused_line(line, f"{type(fault).__name__}: {fault}"), False
        self.failed |= not answered
        self.size += len(reply)
        self._kept.append(reply)

    def flush(self) -> None:
        view = memoryview(b"".join(self._kept))
        while view:
            view = view[os.write(self._sink, view) :]
        self.size, self._kept = 0, []


def _blocks(source: int) -> Iterator[bytes]:
    """What is read until the input ends, without the mark that some editors put first."""
    block = os.read(source, _BLOCK).removeprefix(codecs.BOM_UTF8)
    while block:
        yield block
        block = os.read(source, _BLOCK)


def _waiting(source: int) -> bool:
    """Whether reading would not wait: there are more bytes, or the end."""
    try:
        return bool(select.select([source], [], [], 0)[0])
    except (OSError, ValueError):
        return False
