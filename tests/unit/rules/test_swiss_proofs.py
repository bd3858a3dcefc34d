"""A rule is given up with a proof that anyone can check by counting (Tutte, Berge)."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings

from shared.rules.formats.competition import Competition
from shared.rules.formats.history import field_of
from shared.rules.formats.swiss import Barrier, pair
from shared.rules.formats.swiss import sheet as sheets
from shared.rules.regulations import Preset, load
from tests.unit.rules.competitions import competitions
from tests.unit.rules.tables import competition, round_of

SEED = bytes(range(16))
JIMEI = load("jimei-2018")


def holds(proof: Barrier, competition: Competition, rematches: bool) -> bool:
    """Counted from the file: odd groups, more than the teams left out, and nobody of two groups may meet."""
    field = field_of(JIMEI, competition)
    forbidden = {frozenset(pair) for pair in competition.forbidden}
    named = [*proof.without, *(team for group in proof.groups for team in group)]

    def may_meet(one: str | None, two: str | None) -> bool:
        if one is None or two is None:
            team = one or two
            return team is not None and not sheets.byes(field, team)
        return frozenset({one, two}) not in forbidden and (rematches or two not in sheets.meetings(field, one))

    apart = [not may_meet(one, two) for left, right in combinations(proof.groups, 2) for one in left for two in right]
    return (
        len(set(named)) == len(named)
        and all(len(group) % 2 for group in proof.groups)
        and len(proof.groups) > len(proof.without)
        and all(apart)
    )


def test_four_of_whom_three_have_all_met_two_of_whom_must_meet_again(jimei: Preset) -> None:
    """A met B, C and D: it has nobody left, so that A alone is one group more than none left out."""
    table = competition(
        "A B C D", round_of(1, "A-B 2:0, C-D cancelled"), round_of(2, "A-C 2:0"), round_of(3, "A-D 2:0")
    )
    pairing = pair(jimei, table, SEED)
    assert pairing.gave_up == ("no_rematch",)
    proof = pairing.proofs[0]
    assert proof is not None
    assert holds(proof, table, rematches=False)
    assert "组奇数队互不能相遇" in pairing.why[0].zh


def test_when_all_had_a_bye_the_missing_opponent_is_a_group_of_its_own(jimei: Preset) -> None:
    one = round_of(1, "A-B 2:0", bye="C"), round_of(2, "B-C 2:0", bye="A"), round_of(3, "A-C 2:0", bye="B")
    pairing = pair(jimei, competition("A B C", *one), SEED)
    proof = dict(zip(pairing.gave_up, pairing.proofs, strict=True))["one_bye"]
    assert proof is not None
    assert (None,) in proof.groups


@given(competitions(sizes=(2, 9), most_rounds=6))
@settings(max_examples=400, deadline=None)
def test_every_rule_given_up_has_a_proof_that_holds(played: Competition) -> None:
    pairing = pair(JIMEI, played, SEED)
    for rule, proof in zip(pairing.gave_up, pairing.proofs, strict=True):
        if rule == "no_rematch":
            assert proof is not None
            assert holds(proof, played, rematches=False)
            assert all(None not in group for group in proof.groups), "anybody may have the bye"
        elif proof is not None:
            assert holds(proof, played, rematches=False) or holds(proof, played, rematches=True)
