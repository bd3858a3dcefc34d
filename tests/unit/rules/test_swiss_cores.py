"""A large field is paired from the cores of its groups, and no pairing of the whole field keeps the rules better."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.rules.formats.swiss import matching
from shared.rules.formats.swiss.costs import measure
from shared.rules.formats.swiss.sheet import Sheet


@st.composite
def crowds(draw: st.DrawFn) -> Sheet:
    """Many teams on few points, with small groups at the ends, where teams have met and had byes."""
    groups = draw(st.lists(st.sampled_from([1, 2, 3, 5, 9, 24, 31, 40]), min_size=2, max_size=5))
    points = [2 * place for place, size in enumerate(groups) for _ in range(size)]
    number, most = len(points), draw(st.integers(0, 3))
    met: list[dict[int, int]] = [{} for _ in points]
    banned: list[set[int]] = [set() for _ in points]
    teams = st.integers(0, number - 1)
    for one, two, hard in draw(st.lists(st.tuples(teams, teams, st.booleans()), max_size=3 * number)):
        close = one != two and abs(points[one] - points[two]) <= 2
        if close and all(len(met[team]) + len(banned[team]) < most for team in (one, two)):
            if hard and draw(st.integers(0, 4)) == 0:
                banned[one].add(two)
                banned[two].add(one)
            elif two not in banned[one]:
                met[one][two] = met[two][one] = 1
    had_bye = draw(st.sets(teams, max_size=number))
    return Sheet(
        teams=tuple(f"T{n}" for n in range(number)),
        points=tuple(points),
        met=tuple(met),
        byes=tuple(int(team in had_bye) for team in range(number)),
        banned=tuple(map(frozenset, banned)),
        halves=False,
        seed=bytes(16),
        label="pairs",
    )


@given(crowds())
@settings(max_examples=120, deadline=None)
def test_the_cores_give_the_least_costs_of_the_whole_field(sheet: Sheet) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "WHOLE", 10**6)
        whole = matching.cheapest(sheet)
        patch.setattr(matching, "WHOLE", 0)
        cored = matching.cheapest(sheet)
    assert measure(sheet, cored) == measure(sheet, whole)
    seated = Counter(team for pair in cored for team in pair)
    assert seated == Counter(range(len(sheet.teams) + len(sheet.teams) % 2))


def test_a_core_is_taken_of_large_groups_only() -> None:
    """With nobody blocked, d = 0: of 40 on equal points 6 are shown (5, and one for an even rest); of 6, all."""
    blank = Sheet(
        teams=tuple(f"T{n}" for n in range(46)),
        points=(0,) * 40 + (2,) * 6,
        met=({},) * 46,
        byes=(0,) * 46,
        banned=(frozenset(),) * 46,
        halves=False,
        seed=bytes(16),
        label="pairs",
    )
    core, blocks = matching.cores(blank)
    assert sorted(blank.points[team] for team in core) == [0] * 6 + [2] * 6
    assert sum(map(len, blocks)) == 34
