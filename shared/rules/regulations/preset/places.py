"""How places are found, and what they bring."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shared.rules.basis import Ruled, Text
from shared.rules.regulations.preset.values import Count, Positive
from shared.rules.regulations.tie_break_terms import Missing, TieBreakCode, TieBreakTerms


class TotalScore(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The parameters of 总得分 = P + S / (M/2) - R.

    role: primary key; a tie-break, where the list names `total` or else right after the points; or not compared.
    max_points M: attainable in the rounds played, or the most that a team has; bye_opponent_points: what the opponent
    missing in a bye counts in S.
    """

    role: Ruled[Literal["primary", "tie_break", "unused"]]
    max_points: Ruled[Literal["attainable", "actual"]]
    bye_opponent_points: Ruled[Missing]


class Standings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How places are found.

    total `bracket`: by the rounds of a knock-out, and total_score says nothing; tie_breaks: by their codes, or with
    terms of their own; regroup: whether a part still tied is compared again from the start of the list.
    """

    total: Ruled[Literal["opponents_centred", "bracket"]]
    total_score: TotalScore
    tie_breaks: Ruled[tuple[TieBreakCode | TieBreakTerms, ...]]
    regroup: Ruled[Literal["restart", "continue"]]
    forfeits: Ruled[Literal["as_played"]]


class Prize(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A prize for the places from `place_from` to `place_to`."""

    name: Text
    place_from: Positive
    place_to: Positive


class Awards(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first `places` are awarded; with fewer than `full_from` teams, `fewer_by` less than the number of teams."""

    places: Ruled[Positive]
    full_from: Ruled[Positive]
    fewer_by: Ruled[Count]
    prizes: Ruled[tuple[Prize, ...]]


class Union(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Several events summed to a place for each union team (团体总分).

    points: by event and place, for each pair or player; money_fen: by the team's place; participation_fen: to every
    other team that entered in full and played everything; ties: what parts equal totals, then what shares; pointless
    `no_money_place`: a team without points takes no place with money; cancelled: the places below move up; cups_to: the
    last place of a team with a cup. The prizes of each event are those of `awards`.
    """

    points: Ruled[dict[str, tuple[Positive, ...]]]
    money_fen: Ruled[tuple[Positive, ...]]
    participation_fen: Ruled[Count]
    ties: Ruled[tuple[Literal["more_better_places", "shared"], ...]]
    shared_money: Ruled[Literal["equal_part_or_participation"]]
    pointless: Ruled[Literal["no_money_place", "takes_place"]]
    cancelled: Ruled[Literal["lower_places_move_up"]]
    cups_to: Ruled[Count]
