"""A 升级 hand record `pailu-hand/1` as typed data, and where it is wrong (RECORDS).

Beyond what RECORDS shows plays and incidents may hold these fields and no others, all optional; what else the record
says of itself at its top is not read:

| where       | field                  | meaning                                                              |
|-------------|------------------------|----------------------------------------------------------------------|
| a play      | `seconds`              | whole seconds the play took; not given: the record does not show it  |
| a play      | `cards` empty          | a seat that has no card left, after a play of too many               |
| an incident | `cards`                | the cards concerned or their number, for a price per card; else one   |
| an incident | `occasions`            | how often it happened; 1 where not given                             |
| an incident | `lost`, `compensation` | match points the referee gave, integers or fractions ("1/2"); a       |
|             |                        | `lost` of 0 is a warning, none at all is not decided yet              |
| an incident | `claimed_late`         | it was claimed after the deadline, so that it costs nothing          |
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from shared.rules.cards import CODES, COPIES, SUITS, check_copies, read_cards
from shared.rules.errors import RuleError, refused
from shared.rules.records import Count, Seat, check_after, check_format, check_incidents, convert, read_dealt
from shared.rules.regulations.preset import Level, Preset
from shared.rules.shengji.facts import NO_TRUMP
from shared.rules.shengji.levels import Side, read_level


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


class Incident(Struct, frozen=True, forbid_unknown_fields=True):
    """What a referee entered. after_trick: the last trick finished before it, 0 before the first lead."""

    code: str
    seat: Seat
    after_trick: Count = 0
    cards: str | Annotated[int, Meta(ge=1)] = ""
    occasions: Annotated[int, Meta(ge=1)] = 1
    lost: int | str | UnsetType = UNSET
    compensation: int | str = 0
    claimed_late: bool = False


class Declaration(Struct, frozen=True, forbid_unknown_fields=True):
    """One showing of trumps."""

    seat: Seat
    cards: str


class Given(Struct, frozen=True):
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

    def side(self, seat: int) -> Side:
        """The side that a seat is on."""
        return "attackers" if (seat - self.dealer) % 2 else "dealers"


def read_record(preset: Preset, tree: object) -> Record:
    """The record that a JSON object holds.

    Raises RuleError `missing_field`, `bad_value`, `bad_card` or `duplicate_card`, each naming the place as in
    `tricks[4].plays[2]`.
    """
    given = convert(tree, Given)
    check_format(given.format)
    _check_trump(preset, given.trump)
    check_incidents((incident.code for incident in given.incidents), preset.penalties, ALWAYS)
    for index, incident in enumerate(given.incidents):
        if isinstance(incident.cards, str) and incident.cards:
            cards_at(incident.cards, f"incidents[{index}].cards")
        check_after(index, incident.after_trick, len(given.tricks))
    dealt = None if given.dealt is None else read_dealt(given.dealt, _cards_or_none)
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
