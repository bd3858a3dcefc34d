"""Who is drawn where (RULINGS, Draws: byes by seed, else by lot, spread evenly; units apart as numbers allow)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.rules.formats.arrange import Entrant, Seats, closeness, not_kept, parts_of, seats_of

SEED = bytes(range(16))
SEEDS = st.binary(min_size=16, max_size=16)


@st.composite
def fields(draw: st.DrawFn, most: int, seeded: bool = False) -> list[Entrant]:
    """Entrants of a few units, the first of them seeded."""
    units = draw(st.lists(st.sampled_from("UVWX"), min_size=2, max_size=most))
    seeds = draw(st.integers(0, min(4, len(units)))) if seeded else 0
    return [Entrant(f"T{n}", unit, n + 1 if n < seeds else None) for n, unit in enumerate(units)]


def units_of(entrants: list[Entrant]) -> dict[str, str]:
    return {one.team: one.unit for one in entrants}


def meeting(seats: Seats, one: str, two: str) -> int:
    """The round in which two teams can meet first, counted along the bracket."""
    left, right, number = seats.index(one), seats.index(two), 0
    while left != right:
        left, right, number = left // 2, right // 2, number + 1
    return number


@given(fields(33), SEEDS, st.booleans())
@settings(deadline=None)
def test_everybody_has_one_seat_in_the_least_power_of_two(entrants: list[Entrant], seed: bytes, apart: bool) -> None:
    seats = seats_of(entrants, seed, "draw", apart)
    assert sorted(team for team in seats if team) == sorted(one.team for one in entrants)
    assert len(seats) // 2 < len(entrants) <= len(seats)
    assert len(seats) & (len(seats) - 1) == 0


@given(fields(33), SEEDS, st.booleans())
@settings(deadline=None)
def test_byes_are_spread_evenly_over_the_halves_the_quarters_and_so_on(
    entrants: list[Entrant], seed: bytes, apart: bool
) -> None:
    seats, size = seats_of(entrants, seed, "draw", apart), 2
    while size <= len(seats):
        byes = [seats[start : start + size].count(None) for start in range(0, len(seats), size)]
        assert max(byes) - min(byes) <= 1
        size *= 2


def test_the_seeds_have_the_byes_and_meet_late() -> None:
    """Five teams, three byes: the first three seeds rest, 1 and 2 stand in different halves."""
    entrants = [Entrant(f"T{n}", seed=n if n < 4 else None) for n in range(1, 6)]
    seats = seats_of(entrants, SEED, "draw", apart=False)
    resting = {one or two for one, two in zip(seats[::2], seats[1::2], strict=True) if not (one and two)}
    assert resting == {"T1", "T2", "T3"}
    assert meeting(seats, "T1", "T2") == 3


@given(fields(8), SEEDS)
@settings(max_examples=60, deadline=None)
def test_no_way_to_fill_the_same_seats_keeps_units_better_apart(entrants: list[Entrant], seed: bytes) -> None:
    """Every way is tried."""
    seats = seats_of(entrants, seed, "draw", apart=True)
    assert kept(entrants, seats) <= best(entrants, seats, [one.team for one in entrants])


@given(fields(7, seeded=True), SEEDS)
@settings(max_examples=60, deadline=None)
def test_with_the_seeds_in_their_seats_no_way_keeps_units_better_apart_in_the_halves(
    entrants: list[Entrant], seed: bytes
) -> None:
    """Every block is halved as well as it goes, from the largest on."""
    seats = seats_of(entrants, seed, "draw", apart=True)
    assert kept(entrants, seats)[:1] <= best(entrants, seats, [one.team for one in entrants if one.seed is None])[:1]


def kept(entrants: list[Entrant], seats: Seats) -> tuple[int, ...]:
    return closeness(seats, units_of(entrants))


def best(entrants: list[Entrant], seats: Seats, movable: list[str]) -> tuple[int, ...]:
    """The least closeness of all ways to fill these seats, the teams that are not movable staying."""
    units = units_of(entrants)
    free = [place for place, team in enumerate(seats) if team in movable]
    found = [closeness(seats, units)]
    for order in {tuple(units[team] for team in order): order for order in permutations(movable)}.values():
        other = list(seats)
        for place, team in zip(free, order, strict=True):
            other[place] = team
        found.append(closeness(tuple(other), units))
    return min(found)


@given(st.integers(1, 4), st.integers(1, 4), SEEDS)
@settings(deadline=None)
def test_the_teams_of_a_unit_meet_as_late_as_their_number_lets_them(units: int, each: int, seed: bytes) -> None:
    """Of m teams in a full bracket of S seats, some two must share S / 2^j seats exactly when m > 2^j."""
    entrants = [Entrant(f"{unit}{n}", str(unit)) for unit in range(units) for n in range(each)]
    size = 1 << (len(entrants) - 1).bit_length()
    entrants += [Entrant(f"x{n}") for n in range(size - len(entrants))]
    seats = seats_of(entrants, seed, "draw", apart=True)
    depth = (size - 1).bit_length()
    latest = depth - (each - 1).bit_length() + 1
    for unit in range(units):
        same = [one.team for one in entrants if one.unit == str(unit)]
        assert all(meeting(seats, one, two) >= latest for one, two in combinations(same, 2))


def test_what_could_not_be_kept_is_told() -> None:
    """Three of one unit among four: two of them meet at once. Two of another, in different halves, do not."""
    units = {"A": "U", "B": "U", "C": "U", "D": "V"}
    (told,) = not_kept(("A", "B", "C", "D"), "", units)
    assert (told.unit, set(told.teams), told.block) == ("U", {"A", "B"}, 2)
    assert not_kept(("A", "D", "B", None), "", {"A": "U", "B": "U", "D": "V"}) == []


def test_teams_without_a_unit_are_of_no_unit() -> None:
    assert not_kept(("A", "B"), "", {"A": "", "B": ""}) == []


@given(fields(30), st.integers(2, 4), SEEDS)
@settings(deadline=None)
def test_zones_are_even_and_so_is_each_unit_in_them(entrants: list[Entrant], zones: int, seed: bytes) -> None:
    parts = parts_of(entrants, [f"Z{n}" for n in range(zones)], seed, "draw", apart=True)
    assert sorted(one.team for part in parts.values() for one in part) == sorted(one.team for one in entrants)
    sizes = [len(part) for part in parts.values()]
    assert max(sizes) - min(sizes) <= 1
    for unit in {one.unit for one in entrants}:
        each = [Counter(one.unit for one in part)[unit] for part in parts.values()]
        assert max(each) - min(each) <= 1


def test_the_two_pairs_of_a_team_are_drawn_into_different_zones() -> None:  # zhongshan-2013 七（一）1
    entrants = [Entrant(f"{unit}-{pair}", unit) for unit in ("内科", "外科", "药学部") for pair in (1, 2)]
    parts = parts_of(entrants, ["A", "B"], SEED, "draw", apart=True)
    assert all(sorted(one.unit for one in part) == sorted(["内科", "外科", "药学部"]) for part in parts.values())


@pytest.mark.parametrize("apart", [True, False])
def test_the_order_in_which_teams_are_given_does_not_matter(apart: bool) -> None:
    entrants = [Entrant(f"T{n}", f"U{n % 3}") for n in range(11)]
    assert seats_of(entrants, SEED, "draw", apart) == seats_of(entrants[::-1], SEED, "draw", apart)
    parts = parts_of(entrants, ["A", "B"], SEED, "draw", apart)
    assert parts == parts_of(entrants[::-1], ["A", "B"], SEED, "draw", apart)


def test_every_seat_has_the_same_chance() -> None:
    """2,000 draws of four teams: each sits first 500 times, give or take five standard deviations (20 each)."""
    entrants = [Entrant(name) for name in "ABCD"]
    firsts = Counter(seats_of(entrants, n.to_bytes(16, "big"), "draw", apart=False)[0] for n in range(2000))
    assert all(abs(times - 500) < 100 for times in firsts.values())
