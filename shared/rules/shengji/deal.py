"""Who deals the next hand (jimei-2018 十一.3, 轮庄法)."""

from __future__ import annotations

from shared.rules.regulations.preset import Preset
from shared.rules.shengji.levels import Side


def next_dealer(preset: Preset, dealer_seat: int, deal: Side) -> int:
    """The seat that deals next, after a hand dealt from dealer_seat in which `deal` won the deal.

    The deal kept goes to the partner (or stays, as the preset says), the deal lost to the next seat in order of play.
    """
    if deal == "attackers":
        return dealer_seat % 4 + 1
    return (dealer_seat + 1) % 4 + 1 if preset.deal.kept.value == "partner" else dealer_seat
