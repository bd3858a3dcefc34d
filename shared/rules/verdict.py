"""What a refereed hand comes to once every breach in it is priced, in any game, and how its levels add up.

The answer of `replay` tells facts and prices (RECORDS); a verdict puts them together, as the match does with what was
claimed in time. A hand that is void changes nothing, and a pair that loses the match by a penalty has lost it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from shared.rules.basis import Basis, Mark
from shared.rules.regulations.preset import Level

Pair = Literal["13", "24"]

Why = Literal["table", "cap", "must_play", "penalty", "stop", "failures"]
"""Where a term comes from: the points or the order of going out; a cap; attackers at a level that gives them nothing; a
penalty; a climb that stops at a level to be played; failures there, after which a pair goes back."""


class Term(Struct, frozen=True, kw_only=True):
    """One term in the sum of levels. who: the side or the pair; levels: added, below zero for those taken away;
    penalty: its code, of a term that comes from one."""

    who: str
    levels: int
    why: Why
    basis: Basis
    penalty: str | None = None


class Void(Struct, frozen=True, kw_only=True):
    """Why a hand is void and dealt again: the penalty, and where it stands."""

    penalty: str
    article: str
    mark: Mark


class Verdict(Struct, frozen=True, kw_only=True):
    """What a hand comes to.

    void: None for a hand that counts; levels: by pair after it, None while the record does not tell; won_by: the pair
    that wins the match by it; lost_by: the penalty by which the other one lost, None where the top was passed; terms:
    of the sum of levels, each of a pair.
    """

    void: Void | None = None
    levels: Mapping[Pair, Level] | None = None
    won_by: Pair | None = None
    lost_by: str | None = None
    terms: tuple[Term, ...] = ()


def verdict_told(verdict: Verdict) -> dict[str, Any]:
    """A verdict as a JSON object."""
    void = verdict.void
    return {
        "void": None if void is None else {"penalty": void.penalty, "article": void.article, "mark": void.mark},
        "levels": None if verdict.levels is None else dict(verdict.levels),
        "won_by": verdict.won_by,
        "lost_by": verdict.lost_by,
        "sum": [_term(term) for term in verdict.terms],
    }


def _term(term: Term) -> dict[str, Any]:
    told: dict[str, Any] = {
        "pair": term.who,
        "levels": term.levels,
        "why": term.why,
        "article": term.basis.article,
        "mark": term.basis.mark,
    }
    if term.basis.changed:
        told["changed"] = True
    return told | ({"penalty": term.penalty} if term.penalty is not None else {})
