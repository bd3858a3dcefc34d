"""Who shall decide an appeal, pure: the committee that the organiser names, its quorum and its date (RULINGS, Appeals 7
and 8)."""

from __future__ import annotations

from datetime import datetime

import msgspec

from services.appeals import refusals as refuse
from services.appeals.facts import Case, check_committee
from services.appeals.model import Appeal, Events, check_once, check_undecided
from shared.contracts.appeals import CommitteeMember, CommitteeNamed


class Committee(msgspec.Struct, frozen=True, kw_only=True):
    """Who is named, how many of them must sit (None: more than half), by when they decide, and why them."""

    members: tuple[CommitteeMember, ...]
    quorum: int | None = None
    decide_by: datetime | None = None
    reason: str = ""


def name(state: Appeal, case: Case, committee: Committee, now: datetime, by: str) -> Events:
    """The organiser names the committee, or names it anew with substitutes; nobody in it has a conflict of interest.
    Raises SitsTwice, QuorumImpossible, DateIsPast, ReasonNeeded, and what `check_undecided` and `check_committee`
    do."""
    check_undecided(state)
    article = case.preset.appeals.decided_by.article
    check_once(committee.members, article)
    check_committee(case, committee.members, "", state.asks_for)
    quorum = len(committee.members) // 2 + 1 if committee.quorum is None else committee.quorum
    if quorum > len(committee.members):
        raise refuse.QuorumImpossible("/quorum", article, quorum=quorum, members=len(committee.members))
    if committee.decide_by is not None and committee.decide_by <= now:
        raise refuse.DateIsPast("/decide_by", article, at=committee.decide_by, now=now)
    if state.committee is not None and not committee.reason:
        raise refuse.ReasonNeeded("/reason")
    return [
        CommitteeNamed(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            appeal=state.id,
            members=committee.members,
            quorum=quorum,
            decide_by=committee.decide_by,
            reason=committee.reason,
            article=article,
        )
    ]
