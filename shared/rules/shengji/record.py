"""A 升级 hand record `pailu-hand/1` as typed data, and where it is wrong (RECORDS).

Beyond what RECORDS shows a record may hold, all optional:

| where       | field                  | meaning                                                              |
|-------------|------------------------|----------------------------------------------------------------------|
| a play      | `seconds`              | whole seconds the play took; not given: the record does not show it  |
| a play      | `cards` empty          | a seat that has no card left, after a play of too many               |
| an incident | `cards`                | the cards concerned or their number, for a price per card; else one   |
| an incident | `occasions`            | how often it happened; 1 where not given                             |
| an incident | `lost`, `compensation` | match points the referee gave, integers or fractions ("1/2")         |
| an incident | `claimed_late`         | it was claimed after the deadline, so that it costs nothing          |
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from shared.rules.cards import CODES, COPIES, SUITS, check_copies, read_cards
from shared.rules.errors import RuleError
from shared.rules.regulations.preset import Level, Preset
from shared.rules.shengji.facts import NO_TRUMP
from shared.rules.shengji.levels import read_level

FORMAT = "pailu-hand/1"
SEATS = (1, 2, 3, 4)

Seat = Literal[1, 2, 3, 4]
Count = Annotated[int, Meta(ge=0)]


class Play(Struct, frozen=True, forbid_unknown_fields=True):
    """A play with more to say than its cards.

    cards: what stood; attempted: the throw that failed; seat: who made it out of turn; corrected: what was taken back.
    """

    cards: str
    attempted: str | None = None
    seat: Seat | None = None
    corrected: str | None = None
    seconds: Count | None = None


class Trick(Struct, frozen=True, forbid_unknown_fields=True):
    """A trick; plays in the order in which they were made."""

    leader: Seat
    plays: list[str | Play]


class Incident(Struct, frozen=True):
    """What a referee entered. after_trick: the last trick finished before it, 0 before the first lead."""

    code: str
    seat: Seat
    after_trick: Count = 0
    cards: str | Annotated[int, Meta(ge=1)] = ""
    occasions: Annotated[int, Meta(ge=1)] = 1
    lost: int | str = 0
    compensation: int | str = 0
    claimed_late: bool = False


class Declaration(Struct, frozen=True):
    """One showing of trumps."""

    seat: Seat
    cards: str


class _Given(Struct, frozen=True):
    """The record as written."""

    format: str
    regulation: str
    dealer: Seat
    levels: dict[str, object]
    trump: str
    tricks: list[Trick]
    dealt: dict[str, str] | None = None
    kitty_dealt: str | None = None
    kitty: str | None = None
    declarations: list[Declaration] = []
    incidents: list[Incident] = []


class Record(Struct, frozen=True, kw_only=True):
    """A record that can be replayed. Cards are codes; dealt: by seat; None for what the record does not give."""

    dealer: int
    levels: dict[str, Level]
    trump: str
    tricks: list[Trick]
    dealt: dict[int, list[int]] | None
    kitty_dealt: list[int] | None
    kitty: list[int] | None
    declarations: list[Declaration]
    incidents: list[Incident]

    @property
    def dealer_level(self) -> Level:
        """The level that is played: the dealer side's."""
        return self.levels["13" if self.dealer % 2 else "24"]

    @property
    def attacker_level(self) -> Level:
        """The other side's level."""
        return self.levels["24" if self.dealer % 2 else "13"]


def read_record(preset: Preset, tree: object) -> Record:
    """The record that a JSON object holds.

    Raises RuleError `missing_field`, `bad_value`, `bad_card` or `duplicate_card`, each naming the place as in
    `tricks[4].plays[2]`.
    """
    given = _convert(tree)
    if given.format != FORMAT:
        raise refused("format", f"is {given.format!r}, not {FORMAT!r}", f"为 {given.format}，应为 {FORMAT}")
    _check_trump(preset, given.trump)
    for index, incident in enumerate(given.incidents):
        if incident.code not in preset.penalties and incident.code not in ALWAYS:
            known = ", ".join(preset.penalties)
            problem = f"is {incident.code!r}; known are {known}"
            raise refused(f"incidents[{index}].code", problem, f"为 {incident.code}；现有：{known}")
        if isinstance(incident.cards, str) and incident.cards:
            cards_at(incident.cards, f"incidents[{index}].cards")
    dealt = None if given.dealt is None else _read_dealt(given.dealt)
    kitty_dealt = None if given.kitty_dealt is None else _cards_or_none(given.kitty_dealt, "kitty_dealt")
    kitty = None if given.kitty is None else _cards_or_none(given.kitty, "kitty")
    if dealt is not None:
        _check_pack(dealt, kitty_dealt)
    return Record(
        dealer=given.dealer,
        levels=_read_levels(given.levels),
        trump=given.trump,
        tricks=given.tricks,
        dealt=dealt,
        kitty_dealt=kitty_dealt,
        kitty=kitty,
        declarations=given.declarations,
        incidents=given.incidents,
    )


ALWAYS = ("slow_play", "late_claim")
"""Incidents that every regulation knows; where none prices them they cost nothing."""


def refused(field: str, problem: str, zh: str, code: str = "bad_value") -> RuleError:
    """The error of a place in the record: its name, then what is wrong with it."""
    return RuleError(f"{field} {problem}", f"{field} {zh}", code=code, field=field)


def cards_at(text: str, place: str) -> list[int]:
    """The codes of cards; the place is worked out only when it is needed. Raises RuleError."""
    try:
        cards = [CODES[name] for name in text.split(" ")]
    except KeyError:
        return read_cards(text, place)
    if len(cards) > COPIES:
        check_copies(cards, place)
    return cards


def cards_of(play: str | Play) -> str:
    """What stood of a play, as text."""
    return play if isinstance(play, str) else play.cards


def _cards_or_none(text: str, place: str) -> list[int]:
    return cards_at(text, place) if text else []


def _read_levels(given: dict[str, object]) -> dict[str, Level]:
    for pair in ("13", "24"):
        if pair not in given:
            raise refused(f"levels.{pair}", "is missing", "缺失", "missing_field")
    if len(given) != 2:
        raise refused("levels", "names other pairs than 13 and 24", "只能有 13 与 24 两对")
    return {pair: read_level(level, f"levels.{pair}") for pair, level in given.items()}


def _check_trump(preset: Preset, trump: str) -> None:
    if trump not in (*SUITS, NO_TRUMP):
        known = " ".join((*SUITS, NO_TRUMP))
        raise refused("trump", f"is {trump!r}; trumps are {known}", f"为 {trump}；可取：{known}")
    rule = preset.deal.no_trump
    if trump == NO_TRUMP and not rule.value:
        detail = "trump is 'N'; under this regulation a hand is always played with trumps"
        raise RuleError(detail, "trump 为 N；本规程不打无将", article=rule.article, field="trump")


def _read_dealt(dealt: dict[str, str]) -> dict[int, list[int]]:
    hands: dict[int, list[int]] = {}
    for seat in SEATS:
        place = f"dealt.{seat}"
        if str(seat) not in dealt:
            raise refused(place, "is missing", "缺失", "missing_field")
        hands[seat] = _cards_or_none(dealt[str(seat)], place)
    if len(dealt) != len(SEATS):
        raise refused("dealt", "has other seats than 1, 2, 3 and 4", "只能有座位 1 至 4")
    return hands


def _check_pack(dealt: dict[int, list[int]], kitty: Sequence[int] | None) -> None:
    """No card more often than the pack has it. Raises RuleError `duplicate_card` naming the hand that has it."""
    counts = [0] * len(CODES)
    for hand in (*dealt.values(), kitty or ()):
        for card in hand:
            counts[card] += 1
    if max(counts) <= COPIES:
        return
    cards: list[int] = []
    for place, hand in (*((f"dealt.{seat}", hand) for seat, hand in dealt.items()), ("kitty_dealt", kitty or ())):
        cards += hand
        check_copies(cards, place)


_AT = re.compile(r" - at `\$\.?(?P<path>.*)`$")
_MISSING = re.compile(r"Object missing required field `(?P<name>.*)`")


def _convert(tree: object) -> _Given:
    try:
        return msgspec.convert(tree, _Given)
    except msgspec.ValidationError as error:
        raise _refusal(str(error)) from error


def _refusal(message: str) -> RuleError:
    at = _AT.search(message)
    place = at["path"] if at else ""
    problem = _AT.sub("", message)
    missing = _MISSING.match(problem)
    if missing:
        where = f"{place}.{missing['name']}".lstrip(".")
        return refused(where, "is missing", "缺失", "missing_field")
    return refused(place or "record", f"does not fit: {problem[:1].lower()}{problem[1:]}", "不符合牌谱格式")
