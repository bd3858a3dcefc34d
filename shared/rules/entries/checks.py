"""All checks of an entry, and what is wrong with it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence

from shared.rules.entries import persons, team
from shared.rules.entries.form import Check, Claimed, TeamEntry
from shared.rules.entries.terms import Terms, terms
from shared.rules.regulations.schema import AnyPreset


def findings(preset: AnyPreset, entry: TeamEntry, others: Sequence[TeamEntry] = ()) -> list[Check]:
    """Everything wrong with the entry: the checks that are not met, in the order of `checks`."""
    return [check for check in checks(preset, entry, others) if check.status == "not_met"]


def checks(
    preset: AnyPreset,
    entry: TeamEntry,
    others: Sequence[TeamEntry] = (),
    claims: Mapping[str, Claimed] | None = None,
    first_day: dt.date | None = None,
) -> list[Check]:
    """Every rule of entry that applies, first those of the team, then those of its players, each rule together.

    others: the standing entries of other teams; the entry's own id among them is passed over. claims: what is known
    of a person by key beyond them, in this competition and others; without it, what `others` say. first_day: the
    competition's own first day of play.
    """
    rest = [other for other in others if other.id != entry.id]
    return list(_checks(terms(preset, first_day), entry, rest, claims_of(rest) if claims is None else claims))


def honesty(preset: AnyPreset, entry: TeamEntry) -> list[Check]:
    """Of each player, that nothing is known of fraud: a form never tells, so it is none of `checks`, and met until a
    person finds otherwise (jimei-2018 七.7: 弄虚作假、冒名顶替)."""
    rule = terms(preset).fraud
    return [check for n in range(len(entry.players)) for check in persons.honesty(rule, f"players[{n}]")]


def claims_of(entries: Sequence[TeamEntry]) -> dict[str, Claimed]:
    """What entries of one competition say of their players, by key."""
    units: dict[str, dict[str, None]] = {}
    for entry in entries:
        for player in entry.players:
            units.setdefault(player.key, {})[entry.unit] = None
    return {key: Claimed(units=tuple(sorted(names))) for key, names in units.items()}


def _checks(
    terms: Terms, entry: TeamEntry, others: Sequence[TeamEntry], claims: Mapping[str, Claimed]
) -> Iterator[Check]:
    players = [
        (player, f"players[{n}]", claims.get(player.key, persons.NOBODY)) for n, player in enumerate(entry.players)
    ]
    yield from team.unit(terms, entry, others)
    yield from team.numbers(terms, entry)
    yield from team.roster(terms, entry)
    for player, at, _ in players:
        yield from persons.birth(terms, player, at)
        yield from persons.age(terms, player, at)
    yield from team.repeated(terms, entry)
    for _, at, claimed in players:
        yield from persons.elsewhere(terms, entry, claimed, at)
    for player, at, claimed in players:
        yield from persons.bond(terms, player, at)
        yield from persons.papers(terms, entry, player, at)
        yield from persons.standing(terms, entry, player, at)
        yield from persons.leadership(terms, entry, player, claimed, at)
        yield from persons.membership(terms, player, at)
        yield from persons.health(terms, player, at)
        yield from persons.identity(terms, player, at)
