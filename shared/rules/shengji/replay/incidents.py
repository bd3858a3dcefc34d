"""What the referee entered beside what the engine found."""

from __future__ import annotations

from typing import Any

from shared.rules.basis import Ruled
from shared.rules.cards import write_cards
from shared.rules.errors import RuleError, refused
from shared.rules.regulations.preset import Preset
from shared.rules.shengji.irregularities import Breach, pace, priced
from shared.rules.shengji.record import Incident, cards_at
from shared.rules.shengji.replay.table import Table


def with_incidents(table: Table, tricks: int) -> list[Breach]:
    """The breaches found and those entered; tricks: how many the record has.

    An entry of a breach that was found too is that breach, with the referee's price; the choice to play on after a
    miscount of the kitty stands in its place. Two entries are two breaches, however alike: each time costs (jimei
    十一.8⑧ 每次, shandong 八.14 每发生一次). Raises RuleError for an entry that cannot be priced.
    """
    found, entered = list(table.breaches), list[Breach]()
    for index, incident in enumerate(table.record.incidents):
        same = next((at for at, breach in enumerate(found) if _is_same(incident, breach)), None)
        entered.append(_entered(table, index, incident, found.pop(same) if same is not None else None, tricks))
    return found + entered


def _entered(table: Table, index: int, incident: Incident, found: Breach | None, tricks: int) -> Breach:
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
    try:
        priced(table.preset, breach, table.record.side(breach.seat))
    except RuleError as error:
        place = f"incidents[{index}]" + (f".{error.field}" if error.field else "")
        raise refused(place, error.detail, error.said.zh) from error
    return breach


def _rule(preset: Preset, incident: Incident, found: Breach | None) -> Ruled[Any]:
    """What an entry is about that no row prices."""
    if incident.claimed_late or incident.code == "late_claim":
        return preset.claims.until
    return pace(preset) if found is None else found.rule


def _is_same(incident: Incident, breach: Breach) -> bool:
    """Whether the referee entered what the engine found: the same kind of breach of the same seat, not later."""
    kinds = {breach.code, *breach.rows}
    played_on = incident.code == "kitty_size_played_on" and breach.code == "kitty_size"
    known = incident.code in kinds or played_on
    return known and incident.seat == breach.seat and breach.trick <= max(incident.after_trick, 1)
