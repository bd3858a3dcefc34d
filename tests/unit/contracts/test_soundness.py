"""Whether an entry holds, as registration tells it (zhongshan-2013 四: 请外单位人员)."""

from __future__ import annotations

import pytest

from shared.contracts.registration import EligibilityConfirmed, EntryWithdrawn
from shared.contracts.soundness import Finding, Soundness, after

ENTRY = Soundness(persons=("p1", "p2"))


def confirmed(holds: bool, person: str | None = "p1", rule: str = "bond") -> EligibilityConfirmed:
    return EligibilityConfirmed(
        regulation="zhongshan-2013/1",
        by="desk",
        competition="C",
        team="T",
        person=person,
        rule=rule,
        code="",
        holds=holds,
        reason="查实",
        article="四",
    )


def taken_back(article: str) -> EntryWithdrawn:
    return EntryWithdrawn(
        regulation="zhongshan-2013/1", by="desk", competition="C", team="T", reason="", refused_by_article=article
    )


@pytest.mark.parametrize(("person", "broken"), [("p1", True), (None, True), ("p9", False)])
def test_a_rule_that_does_not_hold_of_the_team_or_of_who_is_in_it_breaks_it(person: str | None, broken: bool) -> None:
    assert after(ENTRY, confirmed(False, person)).broken is broken


def test_what_was_found_by_mistake_breaks_it_no_longer_and_nothing_else_is_forgotten() -> None:
    both = after(after(ENTRY, confirmed(False)), confirmed(False, rule="age"))
    assert after(both, confirmed(True)).failed == (Finding("p1", "age", ""),)
    assert not after(after(both, confirmed(True)), confirmed(True, rule="age")).broken


@pytest.mark.parametrize(("article", "broken"), [("四", True), ("", False)])
def test_a_refusal_breaks_it_and_a_withdrawal_does_not(article: str, broken: bool) -> None:
    assert after(ENTRY, taken_back(article)).broken is broken
