"""What the referee entered beside what the engine found."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from shared.rules.basis import Ruled
from shared.rules.cards import write_cards
from shared.rules.errors import RuleError, refused
from shared.rules.regulations.preset import Preset
from shared.rules.shengji.irregularities import Breach, pace, priced
from shared.rules.shengji.penalties import of_dealers
from shared.rules.shengji.record import Incident, cards_at
from shared.rules.shengji.referee import check_no_match_points, check_once
from shared.rules.shengji.replay.table import Table


def with_incidents(table: Table, tricks: int) -> list[Breach]:
    """The breaches found and those entered; tricks: how many the record has.

    An entry of a breach that was found too is that breach, with the referee's price; the choice to play on after a
    miscount of the kitty stands in its place. Two entries are two breaches, however alike: each time costs (jimei
    十一.8⑧ 每次, shandong 八.14 每发生一次). Raises RuleError for an entry that cannot be priced.
    """
    found, entered = list(table.breaches), list[Breach]()
    for index, incident in enumerate(table.record.incidents):
        same = next((at for at, breach in enumerate(found) if _is_same(table, incident, breach)), None)
        entered.append(_entered(table, index, incident, found.pop(same) if same is not None else None, tricks))
    return found + entered


def _entered(table: Table, index: int, incident: Incident, found: Breach | None, tricks: int) -> Breach:
    with _at(index):
        _check(table, incident)
    trick = found.trick if found else max(min(incident.after_trick + 1, tricks), 1)
    given = incident.cards
    cards = cards_at(given, f"incidents[{index}].cards") if isinstance(given, str) and given else []
    number = given if isinstance(given, int) else max(len(cards), 1)
    code = "late_claim" if incident.claimed_late else incident.code
    breach = Breach(
        code=code if found is None or incident.claimed_late else found.code,
        seat=incident.seat,
        trick=trick,
        discovered_at=found.discovered_at if found else trick,
        cards=found.cards if found else write_cards(table.order.sorted(cards)),
        rule=_rule(table.preset, incident, found),
        rows=() if incident.claimed_late else (incident.code, *(found.rows if found else ())),
        counted=found.counted if found else (number, number),
        occasions=incident.occasions,
        withheld=found.withheld if found else None,
        lost=incident.lost,
        compensation=incident.compensation,
        claimed=incident.code if incident.claimed_late else None,
    )
    with _at(index):
        priced(table.preset, breach, table.record.side(breach.seat))
    return breach


@contextmanager
def _at(index: int) -> Iterator[None]:
    """What is wrong with an entry names its place."""
    try:
        yield
    except RuleError as error:
        place = f"incidents[{index}]" + (f".{error.field}" if error.field else "")
        raise refused(place, error.detail, error.said.zh) from error


def _check(table: Table, incident: Incident) -> None:
    """Refuse what this seat cannot have done, and a price that the penalty does not take. Raises RuleError."""
    row = table.preset.penalties.get(incident.code)
    if row is None:
        return
    if of_dealers(row.value) and table.record.side(incident.seat) == "attackers":
        detail = f"is {incident.seat}, of the attackers; {incident.code} is of the dealer side"
        raise RuleError(detail, f"为 {incident.seat}，属防家；“{row.zh}”只能判庄家方", field="seat")
    if row.value.formula == "referee":
        check_once(table.preset, incident.code, incident.occasions)
    else:
        check_no_match_points(table.preset, incident.code, incident.lost, incident.compensation)


def _rule(preset: Preset, incident: Incident, found: Breach | None) -> Ruled[Any]:
    """What an entry is about that no row prices."""
    if incident.claimed_late or incident.code == "late_claim":
        return preset.claims.until
    return pace(preset) if found is None else found.rule


_KINDS: tuple[frozenset[str], ...] = (
    frozenset({"kitty_size", "kitty_size_before_lead", "kitty_size_played_on", "kitty_count"}),
    frozenset({"hand_size", "hand_size_partners", "hand_size_opponents"}),
    frozenset({"revoke", "revoke_ruff", "revoke_tractor", "wrong_follow", "pair_not_followed"}),
    frozenset({"out_of_turn", "lead_out_of_turn"}),
    frozenset({"failed_throw", "failed_throw_late"}),
    frozenset({"wrong_card", "wrong_card_late", "illegal_lead", "card_not_held"}),
)
"""Names of one breach, which differ by when it was seen, by whom or by what was chosen."""


def _is_same(table: Table, incident: Incident, breach: Breach) -> bool:
    """Whether the referee entered what the engine found: the same kind of breach of the same seat, not later. The kitty
    is the dealer side's."""
    names = {breach.code, *breach.rows}
    kinds = names.union(*(kind for kind in _KINDS if breach.code in kind))
    row = table.preset.penalties.get(incident.code)
    whole_side = row is not None and of_dealers(row.value)
    seats = {breach.seat, (breach.seat + 1) % 4 + 1} if whole_side else {breach.seat}
    return incident.code in kinds and incident.seat in seats and breach.trick <= max(incident.after_trick, 1)
