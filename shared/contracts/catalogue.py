"""All contracts together: which service publishes which event, and how older versions are lifted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from shared.contracts import appeals, match, registration
from shared.contracts.fact import Fact

TOPICS: dict[str, tuple[type[Fact], ...]] = {
    "registration": registration.EVENTS,
    "match": match.EVENTS,
    "appeals": appeals.EVENTS,
}
"""Topic (the publishing service's name) to the events on it."""

EVENTS: tuple[type[Fact], ...] = tuple(event for events in TOPICS.values() for event in events)

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]


def gained(fields: dict[str, Any]) -> dict[str, Any]:
    """To a version that only gained optional fields: what was recorded without them reads as it is."""
    return fields


UPCASTERS: Mapping[str, tuple[Upcaster, ...]] = {
    "CompetitionAnnounced": (gained,),
    "AppealDrafted": (gained,),
    "ReportReceived": (gained,),
    "AppealWithdrawn": (gained,),
    "AppealHeard": (gained,),
    "DepositReceived": (gained,),
    "EntrySubmitted": (gained,),
    "EntryWithdrawn": (gained,),
    "CredentialIssued": (gained,),
    "HandPlayed": (gained, gained),
    "HandCorrected": (gained, gained),
    "PenaltyIssued": (gained, gained),
    "PenaltyLifted": (gained,),
    "GamePlayed": (gained,),
    "GameCorrected": (gained,),
    "SeedCommitted": (gained,),
    "DrawMade": (gained,),
    "RoundPaired": (gained, gained, gained),
    "PlacesProposed": (gained,),
    "PlacesDeclared": (gained,),
    "MatchOpened": (gained,),
    "MatchClosed": (gained,),
    "MatchForfeited": (gained, gained),
    "RoundClosed": (gained,),
    "TimeCalled": (gained,),
    "UnfinishedHandNoted": (gained,),
}
"""Event to its upcasters, from version 1 on; an event's version is one more than it has upcasters."""
