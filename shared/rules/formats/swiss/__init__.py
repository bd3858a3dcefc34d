"""Swiss pairing (jimei-2018 十.1, 瑞士制电脑积分编排法).

Forbidden pairs are never made, fixed pairs first. Of all ways to pair the other teams that play, the one with the least
`costs` is taken; one maximum-weight `matching` over exact integers finds it, so a rule that the answer gives up is one
that no pairing keeps, and `proof` shows it.
"""

from shared.rules.formats.swiss.by_hand import HandPairing, pair_by_hand
from shared.rules.formats.swiss.engine import floats, pair
from shared.rules.formats.swiss.paired import Barrier, PairedMatch, Pairing, Rule

__all__ = ["Barrier", "HandPairing", "PairedMatch", "Pairing", "Rule", "floats", "pair", "pair_by_hand"]
