"""What the committee considers, pure: files and events of the log, who may bring them, and what is struck again."""

from __future__ import annotations

import re

import msgspec

from services.appeals import refusals as refuse
from services.appeals.model import Appeal, Events, check_undecided
from shared.contracts.appeals import EvidenceFiled, EvidenceSide, EvidenceStruck
from shared.rules.entries import looks_like

MEDIA = ("image/jpeg", "image/png", "application/pdf")
LARGEST = 4 << 20
"""Bytes of a file, at most: a photograph of a score sheet, or a short scan."""
MOST = 50
"""Pieces of evidence of one appeal, struck ones among them."""
_EVENT = re.compile(r"((match|rounds)/([^/@]+)(?:/[^/@]+)?)@([1-9][0-9]{0,8})")


class Brought(msgspec.Struct, frozen=True, kw_only=True):
    """Who brings evidence, for which side, and what it is."""

    side: EvidenceSide
    title: str
    by: str


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """A file as it is kept: its type, its size as it was sent, and the SHA-256 of its sealed bytes."""

    media: str
    size: int
    sha256: str


class Named(msgspec.Struct, frozen=True, kw_only=True):
    """An event of match's log by its stream and version."""

    stream: str
    version: int


def event_named(competition: str, event: str) -> Named:
    """The event of a competition's matches or rounds that an id names. Raises NoSuchEvent."""
    found = _EVENT.fullmatch(event)
    if found is None or found[3] != competition:
        raise refuse.NoSuchEvent("/event", event=event)
    return Named(stream=found[1], version=int(found[4]))


def check_kind(media: str, content: bytes) -> None:
    """That a file is what its sender says it is. Raises NotThatKindOfFile."""
    found = looks_like(content)
    if found != media or media not in MEDIA:
        raise refuse.NotThatKindOfFile("", allowed=", ".join(MEDIA), found=found or "-")


def file(state: Appeal, brought: Brought, what: Kept | str) -> Events:
    """Evidence is filed: a file, or the id of an event. The same again changes nothing. Raises NotLodgedYet for the
    other team while it is a draft, TooMuchEvidence, and what `check_undecided` does."""
    check_undecided(state)
    if brought.side == "opponent" and not state.lodged:
        raise refuse.NotLodgedYet(appeal=state.id)
    filed = EvidenceFiled(
        regulation=state.regulation,
        by=brought.by,
        competition=state.competition,
        appeal=state.id,
        evidence=f"e{len(state.evidence) + 1}",
        side=brought.side,
        title=brought.title,
        event=what if isinstance(what, str) else "",
        media="" if isinstance(what, str) else what.media,
        size=0 if isinstance(what, str) else what.size,
        sha256="" if isinstance(what, str) else what.sha256,
    )
    if any(_same(filed, one) for one in standing(state)):
        return []
    if len(state.evidence) >= MOST:
        raise refuse.TooMuchEvidence(appeal=state.id, most=MOST)
    return [filed]


def strike(state: Appeal, evidence: str, reason: str, by: str, side: EvidenceSide) -> Events:
    """What was filed by mistake is not considered any more: by the team that filed it until the decision, or by the
    desk, also afterwards, where a file shows what nobody may keep. Raises NoSuchEvidence, NotYourEvidence, and what
    `check_undecided` does."""
    if side != "desk":
        check_undecided(state)
    filed = found(state, evidence)
    if side not in (filed.side, "desk"):
        raise refuse.NotYourEvidence(evidence=evidence, by=filed.by)
    return [
        EvidenceStruck(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            appeal=state.id,
            evidence=evidence,
            reason=reason,
        )
    ]


def found(state: Appeal, evidence: str) -> EvidenceFiled:
    """A piece of evidence that stands. Raises NoSuchEvidence."""
    for one in standing(state):
        if one.evidence == evidence:
            return one
    raise refuse.NoSuchEvidence(appeal=state.id, evidence=evidence)


def standing(state: Appeal) -> list[EvidenceFiled]:
    """What was filed and not struck."""
    return [one for one in state.evidence if one.evidence not in state.struck]


def _same(one: EvidenceFiled, other: EvidenceFiled) -> bool:
    return (one.side, one.event, one.sha256) == (other.side, other.event, other.sha256)
