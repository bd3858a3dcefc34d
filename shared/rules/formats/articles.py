"""Which articles the acts of a competition rest on, whatever its game."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from shared.rules.formats.stages import CARDS
from shared.rules.regulations.preset import Preset, terms_of_event
from shared.rules.regulations.schema import AnyPreset


class Articles(Struct, frozen=True, kw_only=True):
    """pairing: how a round is paired; forfeit: what becomes of a match to which a team does not come; clock: how long a
    round is played; ending: when a match is over; confirming: when both have to confirm it, None where nobody waits for
    it; equal: what becomes of an equal one; lots: what parts a tie that nothing else parts; places: who is awarded;
    fraud: what disqualifies a team; players: who plays for it."""

    pairing: str
    forfeit: str
    clock: str
    ending: str
    confirming: str | None
    equal: str
    lots: str
    places: str
    fraud: str
    players: str


def articles(preset: AnyPreset, event: str = CARDS) -> Articles:
    """The articles of a regulation, of the cards or of one of its boards: there the rules of the board and its clocks
    stand in the place of what is said of hands (zhongshan-2013 七（二）, 七（三）)."""
    cards = _of_cards(preset)
    if event == CARDS or not isinstance(preset, Preset) or preset.boards is None:
        return cards
    terms = terms_of_event(preset.boards, event)
    return replace(
        cards,
        pairing=terms.format.article,
        clock=terms.clocks.article,
        ending=terms.rules.article,
        confirming=cards.confirming and terms.rules.article,
        equal=terms.format.article,
        lots=terms.format.article,
    )


def _of_cards(preset: AnyPreset) -> Articles:
    confirm = preset.match.confirm_minutes
    if isinstance(preset, Preset):
        return Articles(
            pairing=preset.draws.format.article,
            forfeit=preset.match.forfeit.article,
            clock=preset.match.minutes.article,
            ending=preset.match.minutes.article,
            confirming=confirm.article if confirm else None,
            equal=preset.match.equal.article,
            lots=preset.standings.tie_breaks.article,
            places=preset.awards.places.article,
            fraud=preset.entry.fraud.article,
            players=preset.entry.substitutes.article,
        )
    return Articles(
        pairing=preset.draws.format.article,
        forfeit=preset.match.late_minutes.article,
        clock=preset.draws.rounds.article,
        ending=preset.draws.rounds.article,
        confirming=confirm.article if confirm else None,
        equal=preset.match.timed_order.article,
        lots=preset.draws.drawn_by.article,
        places=preset.awards.places_per_group.article,
        fraud=preset.penalties["cheating"].article,
        players=preset.entry.players.article,
    )
