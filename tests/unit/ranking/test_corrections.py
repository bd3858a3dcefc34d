"""A log in which results were corrected ends in the standings of one that was right from the start.

Any results of any rounds are first entered otherwise, then put right: by reopening the round and closing it again, or
by a ruling on the match; before or after the rounds that follow.
"""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.ranking_events import Hall, Story

TEAMS = "ABCDEF"
ROUNDS = (
    ("A-B", "C-D", "E-F"),
    ("A-C", "B-E", "D-F"),
    ("A-D", "B-F", "C-E"),
)
RESULT = st.sampled_from(["2:0", "1:1", "0:2", "2:0 forfeit", "0:0 forfeit"])


def sheet(pairs: tuple[str, ...], results: list[str]) -> str:
    return ", ".join(f"{pair} {result}" for pair, result in zip(pairs, results, strict=True))


def told(rounds: list[list[str]]) -> Story:
    """The story of these results, round by round."""
    story = Story().announced().drawn(" ".join(TEAMS))
    for number, (pairs, results) in enumerate(zip(ROUNDS, rounds, strict=True), 1):
        story.round(number, sheet(pairs, results), planned=len(ROUNDS))
    return story


def shown(story: Story) -> tuple[Any, Any]:
    """The standings with everything but how provisional they are, and the crosstable."""
    hall = Hall.of(story)
    return hall.get("standings")["rows"], hall.get("crosstable")["rows"]


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_corrected_results_give_the_standings_of_results_that_were_right(data: st.DataObject) -> None:
    right = [[data.draw(RESULT) for _ in pairs] for pairs in ROUNDS]
    first = [[data.draw(RESULT) if data.draw(st.booleans()) else result for result in results] for results in right]
    story = Story().announced().drawn(" ".join(TEAMS))
    wrong: list[int] = []
    for number, pairs in enumerate(ROUNDS, 1):
        story.round(number, sheet(pairs, first[number - 1]), planned=len(ROUNDS))
        wrong.append(number)
        while wrong and data.draw(st.booleans()):
            _put_right(story, wrong.pop(data.draw(st.integers(0, len(wrong) - 1))), first, right, data)
    for number in wrong:
        _put_right(story, number, first, right, data)
    assert shown(story) == shown(told(right))


def _put_right(story: Story, number: int, first: list[list[str]], right: list[list[str]], data: st.DataObject) -> None:
    """Correct what differs in a round."""
    pairs = ROUNDS[number - 1]
    results = zip(first[number - 1], right[number - 1], strict=True)
    tables = [table for table, (one, two) in enumerate(results, 1) if one != two]
    if not tables:
        return
    if data.draw(st.booleans()):
        story.reopened(number, *tables)
        story.closed(number, sheet(pairs, right[number - 1]), last=number == len(ROUNDS))
        return
    for table in tables:
        story.ruling(number, table, f"{pairs[table - 1]} {right[number - 1][table - 1]}", appeal=f"a{number}-{table}")
