"""Changes that change nothing, each with its reason: no test could notice them."""

from __future__ import annotations

_LOOP = "for left in reversed(range(gain if gain < 2 * round_ else round_ + gain % round_)):"
_CLIMB = f"shengji/levels.py climb: {_LOOP} → "
_PER = "gain = min(max(points, 0) // per.points, per.most)"
_FAST = "if led.size == 1 and len(play) == 1:"
_ASIDE = "return -2 * len(CARDS) - abs(step)"
_LONGEST = "longest = max((len(run) for run in runs(held)), default=0)"
_WHOLE = "if held <= led.size or not led.pairs:"

ROUNDS_ARE_ALIKE = (
    "past the top a round more or less ends at the same level, and a level at which a climb stops ends it"
)
SLOW_WAY = "the way for any number of cards gives the same for one"
ALL_OF_THE_SUIT = "a hand that gave all it has of the suit has given its pairs and tractors; the shortcut saves time"

FAR_AWAY = "below every step there is, and apart from the others that stand aside"
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
    "shengji/follow.py follow: return _one_card(led, hand, play[0]) → return _one_card(led, hand, play[-1])": (
        "the first of one card is the last"
    ),
    f"shengji/follow.py _aside: {_ASIDE} → {_ASIDE.replace('2', '3')}": FAR_AWAY,
    f"shengji/follow.py _aside: {_ASIDE} → {_ASIDE.replace('2', '1')}": FAR_AWAY,
    f"shengji/follow.py _answered: {_LONGEST} → {_LONGEST.replace('default=0', 'default=1')}": NO_TRACTOR,
    f"shengji/follow.py _answered: {_LONGEST} → {_LONGEST.replace('default=0', 'default=-1')}": NO_TRACTOR,
    f"shengji/follow.py follow: {_WHOLE} → if held <= led.size and (not led.pairs):": ALL_OF_THE_SUIT,
    f"shengji/follow.py follow: {_WHOLE} → {_WHOLE.replace('<=', '<')}": ALL_OF_THE_SUIT,
}
"""The name of a change, and why nothing changes."""
