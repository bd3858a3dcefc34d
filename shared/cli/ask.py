"""`pailu ask`: one JSON question a line in, one JSON answer a line out."""

from __future__ import annotations

import os
import select
import sys

import click

from shared.cli.language import say
from shared.rules.ask import answer_line

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
    rest, replies, size, failed = b"", [], 0, False
    while block := os.read(source, _BLOCK):
        *lines, rest = (rest + block).split(b"\n")
        for line in lines:
            reply, answered = answer_line(line)
            failed |= not answered
            replies.append(reply)
            size += len(reply)
        if size > _BLOCK or not _waiting(source):
            _write(sink, b"".join(replies))
            replies, size = [], 0
    if rest.strip():
        reply, answered = answer_line(rest)
        failed |= not answered
        replies.append(reply)
    _write(sink, b"".join(replies))
    return failed


def _waiting(source: int) -> bool:
    """Whether reading would not wait: there are more bytes, or the end."""
    try:
        return bool(select.select([source], [], [], 0)[0])
    except (OSError, ValueError):
        return False


def _write(sink: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(sink, view) :]
