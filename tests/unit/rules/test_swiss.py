"""Swiss pairing (jimei-2018 十.1: 本次比赛采用瑞士制电脑积分编排法).

Where the text is silent: same points first, nobody twice, one bye a team to the lowest group that can.
"""

from __future__ import annotations

from itertools import combinations

import pytest

from shared.rules.errors import PairingRefused
from shared.rules.formats.competition import Competition
from shared.rules.formats.draws import shuffle
from shared.rules.formats.rounds import rounds_for
from shared.rules.formats.swiss import Pairing, pair
from shared.rules.regulations import Preset
from tests.unit.rules.tables import competition, round_of

SEED = bytes(range(16))


def tables(pairing: Pairing) -> set[frozenset[str]]:
    return {frozenset(match.teams) for match in pairing.matches}


def sets(*pairs: str) -> set[frozenset[str]]:
    return {frozenset(each.split("-")) for each in pairs}


def test_in_round_one_neighbouring_lots_meet_and_the_lower_lot_is_named_first(jimei: Preset) -> None:
    lots = shuffle(SEED, "round 1", list("ABCDEF"))
    pairing = pair(jimei, competition("A B C D E F"), SEED)
    assert [match.teams for match in pairing.matches] == [(lots[0], lots[1]), (lots[2], lots[3]), (lots[4], lots[5])]
    assert [match.table for match in pairing.matches] == [1, 2, 3]
    assert (pairing.round, pairing.bye, pairing.gave_up) == (1, None, ())


def test_in_round_one_of_an_odd_field_the_last_lot_has_the_bye(jimei: Preset) -> None:
    assert pair(jimei, competition("A B C D E"), SEED).bye == shuffle(SEED, "round 1", list("ABCDE"))[-1]


def test_when_lots_one_and_two_may_not_meet_the_nearest_lots_do(jimei: Preset) -> None:
    for seed in (bytes([n]) * 16 for n in range(8)):
        one, two, three, four = shuffle(seed, "round 1", list("ABCD"))
        pairing = pair(jimei, competition("A B C D", forbidden=((one, two),)), seed)
        assert tables(pairing) == {frozenset({one, three}), frozenset({two, four})}  # 4 + 4 against 9 + 1


def test_the_pairing_is_a_function_of_its_inputs(jimei: Preset) -> None:
    table = competition("A B C D E F", round_of(1, "A-B 2:0, C-D 1:1, E-F 0:2"))
    assert pair(jimei, table, SEED) == pair(jimei, table, SEED)
    turned = competition("F E D C B A", round_of(1, "E-F 0:2, C-D 1:1, A-B 2:0"))
    assert pair(jimei, turned, SEED) == pair(jimei, table, SEED)


def test_another_seed_draws_another_first_round(jimei: Preset) -> None:
    table = competition("A B C D E F G H")
    assert len({pair(jimei, table, bytes([n]) * 16).matches for n in range(20)}) > 10


def test_the_same_points_meet(jimei: Preset) -> None:
    pairing = pair(jimei, competition("A B C D", round_of(1, "A-B 2:0, C-D 2:0")), SEED)
    assert tables(pairing) == sets("A-C", "B-D")


def test_the_first_table_has_the_most_points(jimei: Preset) -> None:
    pairing = pair(jimei, competition("A B C D", round_of(1, "A-B 2:0, C-D 2:0")), SEED)
    assert set(pairing.matches[0].teams) == {"A", "C"}


def test_nobody_meets_twice(jimei: Preset) -> None:
    # points A 4, C 2, B 2, D 0; A-B and A-C, C-D and B-D have been, so A-D and B-C are left
    table = competition("A B C D", round_of(1, "A-B 2:0, C-D 2:0"), round_of(2, "A-C 2:0, B-D 2:0"))
    assert tables(pair(jimei, table, SEED)) == sets("A-D", "B-C")


def test_two_short_floats_are_better_than_a_long_one(jimei: Preset) -> None:
    # points A 2, B 1, C 1, D 0 (a forfeit of nobody): A-B with C-D differs by 1 + 1, A-D with B-C by 2 + 0
    table = competition("A B C D E F", round_of(1, "A-D 2:0, B-E 1:1, C-F 1:1"), withdrawn=("E", "F"))
    assert tables(pair(jimei, table, SEED)) in (sets("A-B", "C-D"), sets("A-C", "B-D"))


def test_a_small_sum_of_floats_is_better_than_short_ones(jimei: Preset) -> None:
    # points A 8, B C 6, D E 4, F G 2, H 0. Only two pairings are left open: A-H, B-C, D-E, F-G floats 8 in all,
    # A-D, B-E, C-F, G-H 4 + 2 + 4 + 2 = 12, though its squares sum to 40 only and not to 64
    wins = dict(zip("ABCDEFGH", (4, 3, 3, 2, 2, 1, 1, 0), strict=True))
    rounds = [
        round_of(n, ", ".join(f"{team}-{team.lower()} 2:0" for team in wins if wins[team] >= n)) for n in range(1, 5)
    ]
    least, longer = sets("A-H", "B-C", "D-E", "F-G"), sets("A-D", "B-E", "C-F", "G-H")
    others = [pair for pair in combinations("ABCDEFGH", 2) if frozenset(pair) not in least | longer]
    table = competition("A B C D E F G H a b c d e f g", *rounds, withdrawn=tuple("abcdefg"), forbidden=tuple(others))
    assert tables(pair(jimei, table, SEED)) == least


def test_the_bye_goes_to_the_lowest_group(jimei: Preset) -> None:
    table = competition("A B C D E", round_of(1, "A-B 2:0, C-D 1:1", bye="E"))
    assert pair(jimei, table, SEED).bye == "B"  # the only one without points


def test_the_bye_goes_to_the_lowest_group_that_can_take_it(jimei: Preset) -> None:
    table = competition(
        "A B C D E",
        round_of(1, "A-B 2:0, C-D 2:0", bye="E"),
        round_of(2, "A-E 2:0, B-C 2:0", bye="D"),
        round_of(3, "B-D 2:0, C-E 2:0", bye="A"),
    )
    # points A 6, B 4, C 4, D 2, E 2; D and E had a bye, so it goes to the group of B and C
    assert pair(jimei, table, SEED).bye in ("B", "C")


def test_a_bye_comes_before_the_floats(jimei: Preset) -> None:
    # points A 2, B 2, C 1, D 1, E 0: E has the bye although C or D would let A-B meet and nobody else float
    table = competition("A B C D E F", round_of(1, "A-E 2:0, B-F 2:0, C-D 1:1"), withdrawn=("F",))
    assert pair(jimei, table, SEED).bye == "E"


def test_a_second_bye_is_given_only_when_every_pairing_needs_one_and_says_so(jimei: Preset) -> None:
    one = round_of(1, "A-B 2:0", bye="C"), round_of(2, "B-C 2:0", bye="A"), round_of(3, "A-C 2:0", bye="B")
    pairing = pair(jimei, competition("A B C", *one), SEED)
    assert pairing.gave_up == ("no_rematch", "one_bye")
    assert [bool(why.zh and why.en) for why in pairing.why] == [True, True]


def test_a_rematch_is_made_only_when_every_pairing_needs_one_and_says_so(jimei: Preset) -> None:
    pairing = pair(jimei, competition("A B", round_of(1, "A-B 2:0")), SEED)
    assert tables(pairing) == sets("A-B")
    assert pairing.gave_up == ("no_rematch",)
    assert "meet again" in pairing.why[0].en


def test_a_third_meeting_is_avoided_before_a_second(jimei: Preset) -> None:
    met = round_of(1, "A-B 2:0, C-D 2:0"), round_of(2, "A-C 2:0, B-D 2:0"), round_of(3, "A-D 2:0, B-C 2:0")
    again = round_of(4, "A-B 2:0, C-D 2:0")
    pairing = pair(jimei, competition("A B C D", *met, again), SEED)
    assert tables(pairing) in (sets("A-C", "B-D"), sets("A-D", "B-C"))


def test_withdrawn_and_disqualified_teams_are_not_paired_again(jimei: Preset) -> None:
    table = competition("A B C D E F", round_of(1, "A-B 2:0, C-D 2:0, E-F 2:0"), withdrawn=("A",), disqualified=("B",))
    seated = {team for match in pair(jimei, table, SEED).matches for team in match.teams}
    assert seated == set("CDEF")


def test_an_absent_team_sits_out_this_round_only(jimei: Preset) -> None:
    first = round_of(1, "A-B 2:0", absent="C")
    assert "C" not in str(pair(jimei, competition("A B C D", absent=("C",)), SEED).matches)
    again = pair(jimei, competition("A B C", first), SEED)
    assert again.bye == "B"
    assert tables(again) == sets("A-C")


def test_a_cancelled_match_is_no_meeting(jimei: Preset) -> None:
    pairing = pair(jimei, competition("A B", round_of(1, "A-B cancelled")), SEED)
    assert pairing.gave_up == ()


def test_a_forfeited_match_is_a_meeting(jimei: Preset) -> None:
    assert pair(jimei, competition("A B", round_of(1, "A-B 2:0 forfeit")), SEED).gave_up == ("no_rematch",)


def test_a_fixed_pair_is_made(jimei: Preset) -> None:
    for seed in (bytes([n]) * 16 for n in range(8)):
        table = competition("A B C D", round_of(1, "A-B 2:0, C-D 2:0"), fixed=(("A", "D"),))
        pairing = pair(jimei, table, seed)
        assert tables(pairing) == sets("A-D", "B-C")
        assert pairing.gave_up == ()


def test_a_fixed_rematch_is_the_organisers_and_says_so(jimei: Preset) -> None:
    table = competition("A B C D", round_of(1, "A-B 2:0, C-D 2:0"), fixed=(("A", "B"),))
    pairing = pair(jimei, table, SEED)
    assert tables(pairing) == sets("A-B", "C-D")
    assert "fixed by the organiser" in pairing.why[0].en


def test_a_forbidden_pair_is_never_made(jimei: Preset) -> None:
    for seed in (bytes([n]) * 16 for n in range(8)):
        pairing = pair(jimei, competition("A B C D", forbidden=(("A", "B"), ("A", "C"))), seed)
        assert tables(pairing) == sets("A-D", "B-C")


def refused(preset: Preset, table: Competition) -> PairingRefused:
    with pytest.raises(PairingRefused) as error:
        pair(preset, table, SEED)
    return error.value


def test_a_round_is_paired_from_finished_matches_only_and_the_open_tables_are_named(jimei: Preset) -> None:
    error = refused(jimei, competition("A B C D", round_of(1, "A-B 2:0, C-D unfinished")))
    assert (error.code, error.tables) == ("open_matches", ("1/2",))


def test_when_every_pairing_is_forbidden_none_is_made(jimei: Preset) -> None:
    assert refused(jimei, competition("A B", forbidden=(("A", "B"),))).code == "pairing_impossible"


@pytest.mark.parametrize(
    "more",
    [
        {"fixed": (("A", "B"),), "absent": ("B",)},
        {"fixed": (("A", "B"), ("B", "C"))},
        {"fixed": (("A", "B"),), "forbidden": (("B", "A"),)},
    ],
)
def test_a_fixed_pair_that_cannot_be_is_refused(jimei: Preset, more: dict[str, object]) -> None:
    assert refused(jimei, competition("A B C D", **more)).code == "bad_fixed"


def test_without_teams_there_is_no_round(jimei: Preset) -> None:
    assert refused(jimei, competition("A", withdrawn=("A",))).code == "no_teams"


def test_a_team_alone_has_the_bye(jimei: Preset) -> None:
    pairing = pair(jimei, competition("A"), SEED)
    assert (pairing.bye, pairing.matches) == ("A", ())


@pytest.mark.parametrize(("teams", "rounds"), [(2, 4), (16, 4), (17, 5), (32, 5), (33, 6), (200, 6)])
def test_the_number_of_rounds_by_entries(jimei: Preset, teams: int, rounds: int) -> None:  # 根据报名人数，4-6轮
    assert rounds_for(jimei, teams) == rounds
