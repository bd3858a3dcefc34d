"""What the referee entered beside what the engine found."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from msgspec import UnsetType

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

    An entry of a breach that was found too is that breach, with the referee's match points; what it is, and so its row,
    the cards have shown. The choice to play on after a miscount of the kitty stands in its place. An expired claim
    entered again stays expired (RULINGS, jimei-2018 4). Else two entries are two breaches, however alike: each time
    costs (jimei 十一.8⑧ 每次, shandong 八.14 每发生一次). Raises RuleError for an entry that cannot be priced.
    """
    breaches = list(table.breaches)
    unclaimed, expired = set(range(len(breaches))), list[tuple[Incident, Breach | None]]()
    buried: int | None = None
    for index, incident in enumerate(table.record.incidents):
        at = next((at for at in sorted(unclaimed) if _is_same(table, incident, breaches[at])), None)
        found = None if at is None else breaches[at]
        again = at is None and any(_is_again(table, incident, late, of) for late, of in expired)
        if at is None and not again and incident.code in _BURIED and buried is not None:
            at, found = buried, breaches[buried]
        entered = _entered(table, index, incident, found, tricks)
        if again:
            continue
        if at is None:
            at = len(breaches)
            breaches.append(entered)
        else:
            breaches[at] = entered
        unclaimed.discard(at)
        if incident.claimed_late:
            expired.append((incident, found))
        elif incident.code in _BURIED:
            buried = at
    return breaches


def _entered(table: Table, index: int, incident: Incident, found: Breach | None, tricks: int) -> Breach:
    with _at(index):
        _check(table, incident)
    trick = found.trick if found else max(min(incident.after_trick + 1, tricks), 1)
    given = incident.cards
    cards = cards_at(given, f"incidents[{index}].cards") if isinstance(given, str) and given else []
    number = given if isinstance(given, int) else max(len(cards), 1)
    code = "late_claim" if incident.claimed_late else incident.code
    lost, compensation = incident.lost, incident.compensation
    breach = Breach(
        code=code if found is None or incident.claimed_late else found.code,
        seat=incident.seat,
        trick=trick,
        discovered_at=found.discovered_at if found else trick,
        cards=found.cards if found else write_cards(table.order.sorted(cards)),
        rule=_rule(table.preset, incident, found),
        rows=() if incident.claimed_late else _rows(incident, found),
        counted=found.counted if found else (number, number),
        occasions=incident.occasions,
        free=found.free if found else False,
        withheld=found.withheld if found else None,
        lost=None if isinstance(lost, UnsetType) else lost,
        compensation=compensation,
        claimed=incident.code if incident.claimed_late else None,
    )
    with _at(index):
        priced(table.preset, breach, table.record.side(breach.seat))
    return breach


def _rows(incident: Incident, found: Breach | None) -> tuple[str, ...]:
    """What prices an entry. Of a breach that was found the cards have shown when it was seen and whose it was, and only
    what somebody chose afterwards goes before that: corrected before the next lead it is one case, later the other,
    never both (RULINGS, jimei-2018 3)."""
    if found is None:
        return (incident.code,)
    return (incident.code, *found.rows) if incident.code in _CHOSEN else found.rows


@contextmanager
def _at(index: int) -> Iterator[None]:
    """What is wrong with an entry names its place."""
    try:
        yield
    except RuleError as error:
        place = f"incidents[{index}]" + (f".{error.field}" if error.field else "")
        detail, zh = (said.removeprefix(f"{error.field} ") for said in (error.detail, error.said.zh))
        raise refused(place, detail, zh) from error


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
        lost = 0 if isinstance(incident.lost, UnsetType) else incident.lost
        check_no_match_points(table.preset, incident.code, lost, incident.compensation)


def _rule(preset: Preset, incident: Incident, found: Breach | None) -> Ruled[Any]:
    """What an entry is about that no row prices."""
    if incident.claimed_late or incident.code == "late_claim":
        return preset.claims.until
    return pace(preset) if found is None else found.rule


_KINDS: tuple[frozenset[str], ...] = (
    frozenset({"kitty_size", "kitty_size_before_lead", "kitty_size_played_on", "kitty_count"}),
    frozenset({"hand_size", "hand_size_short", "hand_size_partners", "hand_size_opponents"}),
    frozenset({"revoke", "revoke_ruff", "revoke_tractor", "wrong_follow", "pair_not_followed"}),
    frozenset({"out_of_turn", "lead_out_of_turn"}),
    frozenset({"failed_throw", "failed_throw_late"}),
    frozenset({"wrong_card", "wrong_card_late", "illegal_lead", "card_not_held"}),
)
"""Names of one breach, which differ by when it was seen, by whom or by what was chosen."""

_CHOSEN = frozenset({"kitty_size_played_on"})
"""What somebody chose once a breach was seen (jimei-2018 十一.8④ 如防守方坚决要打)."""

_BURIED = frozenset({"kitty_size", "kitty_size_before_lead", *_CHOSEN})
"""Names of the miscount in burying, of which a hand has one at most."""


def _is_same(table: Table, incident: Incident, breach: Breach) -> bool:
    """Whether the referee entered what the engine found: the same kind of breach of the same seat, not later. The kitty
    is the dealer side's."""
    row = table.preset.penalties.get(incident.code)
    whole_side = row is not None and of_dealers(row.value)
    seats = {breach.seat, (breach.seat + 1) % 4 + 1} if whole_side else {breach.seat}
    kinds = {breach.code, *breach.rows, *_of_a_kind(breach.code)}
    return incident.code in kinds and incident.seat in seats and breach.trick <= max(incident.after_trick, 1)


def _is_again(table: Table, incident: Incident, late: Incident, found: Breach | None) -> bool:
    """Whether an entry claims again what was claimed too late; found: the breach that the cards show of it."""
    if found is not None:
        return _is_same(table, incident, found)
    where = (late.seat, late.after_trick)
    return incident.code in _of_a_kind(late.code) and (incident.seat, incident.after_trick) == where


def _of_a_kind(code: str) -> frozenset[str]:
    """The names of one breach that a code is among."""
    return frozenset().union(*(kind for kind in _KINDS if code in kind))
