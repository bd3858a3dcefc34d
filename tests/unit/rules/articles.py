"""The words of an article: the published texts of the regulations (`texts/`, personal details removed), cut where a
citation points to."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

_TEXTS = Path(__file__).parent / "texts"
_WIDE = str.maketrans("（）．，", "()..")
_STEP = re.compile(r"[一二三四五六七八九十]+|\([^)]+\)|\d+|[①-⑨]|[A-C]")
_WHICH_TWELVE = ("(名次)", "(报名)")
"""jimei-2018 has two articles 十二; the second is about entries."""


@lru_cache(maxsize=4)
def text(regulation: str) -> str:
    """The whole text."""
    return (_TEXTS / f"{regulation}.txt").read_text(encoding="utf-8").translate(_WIDE)


def words(regulation: str, article: str) -> str:
    """The words of an article as presets cite it (`十一.8①A`, `七（一）3`, `八.14(6)`), without white space. Raises
    LookupError where the text has no such article."""
    found = text(regulation)
    if article == "前言":
        return bare(text(regulation).partition("一、")[0])
    first, *steps = _STEP.findall(article.translate(_WIDE))
    found = _top(found, first, last="(报名)" in steps)
    for step in steps:
        if step not in _WHICH_TWELVE:
            found = _within(found, step)
    return bare(found)


def bare(words: str) -> str:
    """Words without white space, which the texts scatter."""
    return re.sub(r"\s", "", words.translate(_WIDE))


def _top(found: str, step: str, last: bool) -> str:
    """A part that begins a line; the second of two that have the same number where `last`."""
    starts = list(re.finditer(r"(?m)^\s*([一二三四五六七八九十]+)[、.]", found))
    here = [index for index, start in enumerate(starts) if start[1] == step]
    if not here:
        raise LookupError(step)
    at = here[-1] if last else here[0]
    return found[starts[at].start() : starts[at + 1].start() if at + 1 < len(starts) else None]


def _within(found: str, step: str) -> str:
    """A numbered part inside another: from its number to the next one in order."""
    marks, number = _series(step)
    at = 0
    for mark in marks[: number + 1]:
        start = re.compile(mark).search(found, at)
        if start is None:
            raise LookupError(step)
        at = start.end()
    following = re.compile(marks[number + 1]).search(found, at) if number + 1 < len(marks) else None
    return found[start.start() : following.start() if following else None]


def _series(step: str) -> tuple[list[str], int]:
    """The patterns of the numbers that the step is one of, and its place among them."""
    if step.isdecimal():
        return [rf"(?<![\d.]){n}\s*[、.]" for n in range(1, 20)], int(step) - 1
    if step in "①②③④⑤⑥⑦⑧⑨":
        return list("①②③④⑤⑥⑦⑧⑨"), "①②③④⑤⑥⑦⑧⑨".index(step)
    if step in "ABC":
        return [f"{letter}、" for letter in "ABC"], "ABC".index(step)
    inside = step.strip("()")
    if inside.isdecimal():
        return [rf"\(\s*{n}\s*\)" for n in range(1, 20)], int(inside) - 1
    return [rf"\({n}\)" for n in "一二三四五六七八九"], "一二三四五六七八九".index(inside)
