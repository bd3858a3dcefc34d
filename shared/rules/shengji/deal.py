"""Who deals (jimei-2018 十一.2 and 十一.3, zhongshan-2013 七（一）4 and 6, shandong-2023 八.7 and 八.8)."""

from __future__ import annotations

from collections.abc import Sequence

from shared.rules.cards import LITTLE_JOKER, RANK_OF, RANKS
from shared.rules.regulations.preset import Preset
from shared.rules.shengji.levels import Side


def next_dealer(preset: Preset, dealer_seat: int, deal: Side) -> int:
    """The seat that deals next, after a hand dealt from dealer_seat in which `deal` won the deal.

    The deal kept goes to the partner (or stays, as the preset says), the deal lost to the next seat in order of play.
    """
    if deal == "attackers":
        return dealer_seat % 4 + 1
    return (dealer_seat + 1) % 4 + 1 if preset.deal.kept.value == "partner" else dealer_seat


def first_dealer(preset: Preset, shown: Sequence[tuple[int, Sequence[int]]]) -> int | None:
    """The seat that deals the first hand, None when nobody took the deal and it is dealt again.

    shown: seat and cards of each showing in order. Where trumps are shown (抢庄) the first one takes the deal, and an
    overturned trump does not move it; where aces are shown the first ace takes it, two identical ones overturn it once.
    """
    if preset.deal.first.value == "first_to_show_ace":
        return _by_aces(preset, shown)
    if not shown:
        return None
    return shown[-1][0] if preset.deal.overturn_moves_deal.value else shown[0][0]


def must_redeal(preset: Preset, previous_dealer: int, dealer: int) -> bool:
    """Whether a hand is dealt again, sides unchanged, because the same person dealt twice running (jimei 十一.3)."""
    return preset.deal.twice_running.value == "redeal" and previous_dealer == dealer


def _by_aces(preset: Preset, shown: Sequence[tuple[int, Sequence[int]]]) -> int | None:
    aces = [(seat, cards) for seat, cards in shown if cards and all(_is_ace(card) for card in cards)]
    if not aces:
        return None
    seat, cards = aces[0]
    if preset.deal.first_overturn.value == "two_identical_aces" and len(cards) == 1:
        over = [other for other, pair in aces[1:] if len(pair) == 2 and pair[0] == pair[1] and other != seat]
        return over[0] if over else seat
    return seat


def _is_ace(card: int) -> bool:
    return card < LITTLE_JOKER and RANKS[RANK_OF[card]] == "A"
