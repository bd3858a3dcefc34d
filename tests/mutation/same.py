"""Changes that change nothing, each with its reason: no test could notice them."""

from __future__ import annotations

_LOOP = "for left in reversed(range(gain if gain < 2 * round_ else round_ + gain % round_)):"
_CLIMB = f"shengji/levels.py climb: {_LOOP} → "
_PER = "gain = min(max(points, 0) // per.points, per.most)"
_FAST = "if led.size == 1 and len(play) == 1:"
_KIND = "return self.components[0].kind if len(self.components) == 1 else 'throw'"
_PAIR = "if len(cards) == 2 and card == cards[1]:"
_OTHERS = "for index in range(1, len(plays)):"
_TOPS = "return [rank_of[run[-1]] for run in runs(rank_of) if len(run) >= length]"
_BY_PLACE = "return tuple(sorted(found, key=lambda part: (-part.pairs, order.place[part.cards[0]])))"
_BEATEN = "beaten.sort(key=lambda part: (part.pairs, part.rank, order.place[part.cards[0]]))"
_BEST = "best, at = (power[plays[0][0]], 0)"
_CARD = "card = play[0] if len(play) == 1 else None"
_TWO = "if led.size == 2 and led.pairs and (play[0] != play[1]):"
_ASIDE = "return -2 * len(CARDS) - abs(step)"
_LONGEST = "longest = max((len(run) for run in runs(held)), default=0)"
_ONE = "return _one_card(led, hand, play[0])"
_WHOLE = "if held <= led.size or not led.pairs:"

ROUNDS_ARE_ALIKE = (
    "past the top a round more or less ends at the same level, and a level at which a climb stops ends it"
)
SLOW_WAY = "the way for any number of cards gives the same for one"
ALL_OF_THE_SUIT = "a hand that gave all it has of the suit has given its pairs and tractors; the shortcut saves time"

FAR_AWAY = "below every step there is, and apart from the others that stand aside"
ONE_OF_ONE = "the first of one is the last"
NOT_ITSELF = "the led play is not higher than itself"
BAND_AND_CAP = "the band of 升五级 and 升级以5级封顶 say the same, each without the other"
ANY_STEP = "tractors of one length are ordered alike by any of their steps"
APART = "components of one kind lie apart, so that their lowest cards are ordered as their highest are"
NO_TRACTOR = "no pairs, or one alone: neither is a tractor"

CHANGES_NOTHING: dict[str, str] = {
    _CLIMB + _LOOP.replace("gain < 2", "gain <= 2"): ROUNDS_ARE_ALIKE,
    _CLIMB + _LOOP.replace("2 * round_", "2 + round_"): ROUNDS_ARE_ALIKE,
    _CLIMB + _LOOP.replace("2 * round_", "1 * round_"): ROUNDS_ARE_ALIKE,
    _CLIMB + _LOOP.replace("2 * round_", "3 * round_"): ROUNDS_ARE_ALIKE,
    f"shengji/moved_deal.py _with_levels: {_PER} → {_PER.replace('(points, 0)', '(points, 1)')}": (
        "neither 0 nor 1 point is a step"
    ),
    f"shengji/follow.py follow: {_FAST} → {_FAST.replace('led.size == 1', 'led.size == 0')}": SLOW_WAY,
    f"shengji/follow.py follow: {_FAST} → {_FAST.replace('len(play) == 1', 'len(play) == 0')}": SLOW_WAY,
    f"shengji/follow.py follow: {_ONE} → {_ONE.replace('[0]', '[-1]')}": ONE_OF_ONE,
    f"shengji/led.py Led.kind: {_KIND} → {_KIND.replace('[0]', '[-1]')}": ONE_OF_ONE,
    "shengji/led.py lead: if len(cards) == 1: → if len(cards) == 0:": SLOW_WAY,
    f"shengji/led.py lead: {_PAIR} → {_PAIR.replace('== 2', '== 1')}": SLOW_WAY,
    "shengji/trick.py winner: if led.size == 1: → if led.size == 0:": SLOW_WAY,
    f"shengji/trick.py winner: {_OTHERS} → {_OTHERS.replace('1', '0')}": NOT_ITSELF,
    f"shengji/trick.py _highest_card: {_OTHERS} → {_OTHERS.replace('1', '0')}": NOT_ITSELF,
    f"shengji/trick.py _highest_card: {_BEST} → {_BEST.replace('[0][0]', '[0][-1]')}": ONE_OF_ONE,
    f"shengji/trick.py _highest_card: {_CARD} → {_CARD.replace('[0]', '[-1]')}": ONE_OF_ONE,
    f"shengji/trick.py worth: {_TWO} → {_TWO.replace('== 2', '== 1')}": SLOW_WAY,
    f"shengji/trick.py worth: {_TWO} → {_TWO.replace('[0]', '[1]')}": SLOW_WAY,
    f"shengji/trick.py worth: {_TWO} → {_TWO.replace('[0]', '[-1]')}": SLOW_WAY,
    f"shengji/trick.py worth: {_TWO} → {_TWO.replace('[1]', '[0]')}": SLOW_WAY,
    "shengji/trick.py _tops: yield tractor[-1] → yield tractor[1]": ANY_STEP,
    "shengji/trick.py _tops: yield tractor[-1] → yield tractor[-2]": ANY_STEP,
    "shengji/trick.py _tops: yield tractor[-1] → yield tractor[-0]": ANY_STEP,
    "jimei-2018: levels.dealer_bands.value.0.gain 5 → 6": BAND_AND_CAP,
    "jimei-2018: levels.dealer_cap.value 5 → 6": BAND_AND_CAP,
    "zhongshan-2013: levels.dealer_cap.value None → 5": "no band gives a dealer more than three levels",
    "shandong-2023: levels.dealer_cap.value None → 5": "no band gives a dealer more than three levels",
    "shandong-2023: levels.attackers_at_must_play.value 'table' → 'none'": "no level must be played there",
    "shandong-2023: levels.points_from.value 0 → -1": "points are multiples of 5",
    "shandong-2023: claims.moved_deal.value 'nobody_gains' → 'points_decide'": "no penalty there moves the deal",
    "shandong-2023: throws.counted.value 'beaten' → 'taken_back'": "throws are forbidden, and none has a price",
    f"shengji/throws.py _tops: {_TOPS} → {_TOPS.replace('-1', '1')}": (
        "all of a run but its lowest step lies above a component of which the deck holds no third copy, or all below"
    ),
    f"shengji/components.py decompose: {_BY_PLACE} → {_BY_PLACE.replace('[0]', '[-1]')}": APART,
    f"shengji/throws.py check_throw: {_BEATEN} → {_BEATEN.replace('[0]', '[-1]')}": APART,
    f"shengji/follow.py _aside: {_ASIDE} → {_ASIDE.replace('2', '3')}": FAR_AWAY,
    f"shengji/follow.py _aside: {_ASIDE} → {_ASIDE.replace('2', '1')}": FAR_AWAY,
    f"shengji/follow.py _answered: {_LONGEST} → {_LONGEST.replace('default=0', 'default=1')}": NO_TRACTOR,
    f"shengji/follow.py _answered: {_LONGEST} → {_LONGEST.replace('default=0', 'default=-1')}": NO_TRACTOR,
    f"shengji/follow.py follow: {_WHOLE} → if held <= led.size and (not led.pairs):": ALL_OF_THE_SUIT,
    f"shengji/follow.py follow: {_WHOLE} → {_WHOLE.replace('<=', '<')}": ALL_OF_THE_SUIT,
}
"""The name of a change, and why nothing changes."""
