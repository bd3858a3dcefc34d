"""Events of registration. Streams: `competition/<id>`, `entry/<competition>/<team>`,
`import/<competition>/<id>`, `credentials/<competition>`, `person/<id>`, `access/<competition>/<who>`."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

import msgspec

from shared.contracts.fact import Changes, Fact, Team
from shared.rules.formats.stages import CARDS


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """A person of a team: an id without meaning, the part they play, and their personal fields (name, birth date,
    phone …) encrypted with a key of their own. Erase the key and the person is gone; every hash still holds.

    Where a team enters several events, `event` is the one a player is in, and `pair` in which of the team's pairs
    there; a substitute plays for either of them."""

    person: str
    part: Literal["player", "leader", "coach"]
    sealed: str
    event: str = ""
    pair: int | None = None
    substitute: bool = False


class CompetitionAnnounced(Fact, frozen=True, kw_only=True):
    """A competition is announced from a regulation. `changes` are the regulation's values that the organiser set
    otherwise; all else is as the preset with this digest has it. Dates are this competition's own. A `rehearsal` is for
    practice: it never counts, and its id and name say so wherever they stand."""

    competition: str
    name: str
    regulation_digest: str
    changes: Changes
    place: str
    plays_from: date
    plays_to: date
    entries_close: datetime
    zone: str
    rehearsal: bool = False


class CompetitionAmended(Fact, frozen=True, kw_only=True):
    """Name, place or dates were changed: the fields before and after, and why."""

    competition: str
    before: dict[str, str]
    after: dict[str, str]
    reason: str


class CompetitionCancelled(Fact, frozen=True, kw_only=True):
    """The competition will not be held, or not be finished."""

    competition: str
    reason: str


class EntriesOpened(Fact, frozen=True, kw_only=True):
    """Units may enter until `closes_at`, that instant included."""

    competition: str
    closes_at: datetime
    article: str


class EntrySubmitted(Fact, frozen=True, kw_only=True):
    """A unit enters a team, or changes its entry (`change` counts from 0). `number` says which of its teams it is;
    kind and number of retirees are the unit's, where the regulation asks."""

    competition: str
    team: Team
    members: tuple[Member, ...]
    change: int
    article: str
    number: int = 1
    unit_kind: str = ""
    retirees: int | None = None


class EntryWithdrawn(Fact, frozen=True, kw_only=True):
    """A unit takes its entry back before entries close, or with `refused_by_article` the organiser refuses it under
    that article, at any time."""

    competition: str
    team: str
    reason: str
    refused_by_article: str = ""


class GraceGranted(Fact, frozen=True, kw_only=True):
    """By a decision with a reason, a unit may still enter until `until`, that instant included, though it is late."""

    competition: str
    unit: str
    until: datetime
    reason: str
    article: str


class MeetingAttended(Fact, frozen=True, kw_only=True):
    """A unit was at the leaders' meeting, or was not."""

    competition: str
    unit: str
    attended: bool
    article: str


class PlayerConsented(Fact, frozen=True, kw_only=True):
    """The chief referee lets a person play who is not on the team's form."""

    competition: str
    team: str
    member: Member
    reason: str
    article: str


class PersonalDataRead(Fact, frozen=True, kw_only=True):
    """`by` was shown personal fields: an `entry`, its `checks`, a `file` of the document named, a `list` of all
    entries or the `programme`; of so many persons, of the team where it is one."""

    competition: str
    team: str | None
    what: Literal["entry", "checks", "file", "list", "programme"]
    document: str
    persons: int


class NamesPublished(Fact, frozen=True, kw_only=True):
    """What public pages show of players' names from now on: nothing, the first character, or all."""

    competition: str
    names: Literal["none", "masked", "full"]


class ErasureRequested(Fact, frozen=True, kw_only=True):
    """A person is to be erased; another must confirm it."""

    competition: str
    person: str
    reason: str


class PersonErased(Fact, frozen=True, kw_only=True):
    """The keys of a person are gone, under this and every other id that was found to be the same person's; nobody can
    read what was sealed any more. Entries, hashes, results and places stay."""

    competition: str
    person: str
    persons: tuple[str, ...]
    requested_by: str
    reason: str


class EligibilityConfirmed(Fact, frozen=True, kw_only=True):
    """Somebody looked at what a form alone does not tell, or at what it warns of: `rule` (and `code`, what was open)
    holds for the person, or for the whole team where there is none, or it does not. `code` is empty where a rule that
    is met by the form was found not to hold. `by` is who says so."""

    competition: str
    team: str
    person: str | None
    rule: str
    code: str
    holds: bool
    reason: str
    article: str


class DocumentReceived(Fact, frozen=True, kw_only=True):
    """A paper of an entry reached the desk at `received_at`: handed over (`paper`; `reason` says why, where it is
    entered later), or sent as a file. Of a file there are media type, size and the SHA-256 of the bytes as they are
    kept, sealed outside the log. `person` is whom it is about, None for the team's own; `seal`: it bears the unit's."""

    competition: str
    team: str
    person: str | None
    document: str
    how: Literal["paper", "file"]
    seal: bool
    media: str
    size: int
    sha256: str
    received_at: datetime
    reason: str
    article: str


class DocumentRejected(Fact, frozen=True, kw_only=True):
    """A paper that was received does not do (not legible, another's, without the seal), and is due again."""

    competition: str
    team: str
    person: str | None
    document: str
    reason: str
    article: str


class EntriesImported(Fact, frozen=True, kw_only=True):
    """Many entries were read from one sheet, all of them or none: an EntrySubmitted each in its own stream, stored
    together with this. `persons` is how many members they have."""

    competition: str
    id: str
    teams: tuple[str, ...]
    persons: int
    article: str


class ImportReversed(Fact, frozen=True, kw_only=True):
    """An import was taken back: its entries are withdrawn but for those in `kept`, which were changed since."""

    competition: str
    id: str
    teams: tuple[str, ...]
    kept: tuple[str, ...]
    reason: str


class ClaimLapsed(Fact, frozen=True, kw_only=True):
    """An entry that had claimed a person was never finished, or was taken back by a process that died before it gave
    the person free: others may now enter the person."""

    competition: str
    team: str
    person: str


class EntriesClosed(Fact, frozen=True, kw_only=True):
    """No entry is taken or changed from here on. `reason` says why, where that was before the deadline."""

    competition: str
    closed_at: datetime
    reason: str
    article: str


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """One table of one round, of the cards or of an event at a board."""

    round: int
    table: int
    event: str = CARDS


class CredentialIssued(Fact, frozen=True, kw_only=True):
    """A credential lets an account act in one competition until `expires_at`: as a person, for a `team` (a leader's),
    or at one table of one round. The token itself stands nowhere; it can be made from this and the secret alone."""

    competition: str
    credential: str
    account: str
    role: str
    team: str | None
    table: Table | None
    chief: bool
    issued_at: datetime
    expires_at: datetime


class CredentialRevoked(Fact, frozen=True, kw_only=True):
    """A credential holds no more, whoever has it."""

    competition: str
    credential: str
    account: str
    reason: str


EVENTS: tuple[type[Fact], ...] = (
    CompetitionAnnounced,
    CompetitionAmended,
    CompetitionCancelled,
    EntriesOpened,
    EntrySubmitted,
    EntryWithdrawn,
    EntriesClosed,
    EligibilityConfirmed,
    ClaimLapsed,
    DocumentReceived,
    DocumentRejected,
    EntriesImported,
    ImportReversed,
    GraceGranted,
    MeetingAttended,
    PlayerConsented,
    CredentialIssued,
    CredentialRevoked,
    PersonalDataRead,
    NamesPublished,
    ErasureRequested,
    PersonErased,
)
