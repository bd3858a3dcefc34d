"""What listeners to a competition are told, event by event and field by field. Whatever is not named here is told to
nobody: drafts of appeals, money, persons, and words that might be about a person."""

from __future__ import annotations

from collections.abc import Mapping

from shared.contracts import appeals, match, registration

SHOWN: Mapping[type, tuple[str, ...]] = {
    registration.CompetitionAnnounced: ("name", "place", "plays_from", "plays_to", "entries_close", "rehearsal"),
    registration.CompetitionAmended: ("after", "reason"),
    registration.CompetitionCancelled: ("reason",),
    registration.EntriesOpened: ("closes_at",),
    registration.EntrySubmitted: ("team", "change"),
    registration.EntryWithdrawn: ("team",),
    registration.EntriesClosed: ("closed_at",),
    match.SeedCommitted: ("commitment",),
    match.DrawMade: ("seed",),
    match.StageDrawn: ("stage",),
    match.RoundPaired: ("round", "attempt", "stage", "byes", "absent", "rounds_planned"),
    match.RoundUnpaired: ("round", "attempt"),
    match.TeamAbsent: ("team", "round"),
    match.AbsenceLifted: ("team", "round"),
    match.TeamWithdrawn: ("team", "from_round"),
    match.TimeCalled: ("round", "called_at"),
    match.RoundClosed: ("round", "closing", "closed_at", "last"),
    match.ResultsPosted: ("round", "closing", "posted_at"),
    match.ExtraHandOrdered: ("round", "matches", "hand"),
    match.RoundReopened: ("round", "matches"),
    match.LotDrawn: ("order", "method"),
    match.RulingApplied: ("round", "match", "appeal"),
    match.RulingSetAside: ("match", "appeal"),
    match.PlacesProposed: ("after_round",),
    match.PlacesDeclared: (),
    match.MatchOpened: ("match", "round", "table"),
    match.HandPlayed: ("match", "round", "table", "hand", "facts"),
    match.HandRecordKept: ("match", "hand"),
    match.HandVersionKept: ("match", "round", "table", "hand", "version"),
    match.HandVersionChosen: ("match", "round", "hand", "version"),
    match.HandCorrected: ("match", "hand", "after"),
    match.HandFinished: ("match", "round", "table", "hand", "facts"),
    match.FinishCorrected: ("match", "hand", "after"),
    match.GamePlayed: ("match", "round", "table", "game", "facts"),
    match.GameCorrected: ("match", "game", "after"),
    match.PenaltyIssued: ("match", "round", "hand", "penalty", "pair", "team", "code", "points"),
    match.PenaltyLifted: ("match", "penalty"),
    match.MatchForfeited: ("match", "opening", "absent", "result"),
    match.MatchClosed: ("match", "opening", "ended", "result"),
    match.MatchReopened: ("match", "opening", "replay"),
    appeals.AppealFiled: ("appeal", "match", "round", "team"),
    appeals.AppealAccepted: ("appeal",),
    appeals.AppealRefused: ("appeal",),
    appeals.AppealWithdrawn: ("appeal",),
    appeals.AppealHeard: ("appeal",),
    appeals.AppealUpheld: ("appeal", "match", "round", "team"),
    appeals.AppealPartlyUpheld: ("appeal", "match", "round", "team"),
    appeals.AppealDismissed: ("appeal", "match", "round", "team"),
    appeals.WaiverReceived: ("team", "through_round"),
    appeals.DecisionOverdue: ("appeal", "due_at"),
    appeals.AppealWindowClosed: ("round", "closing", "closes", "waived"),
}
"""Event to the fields that everyone may see."""

NOT_SHOWN: tuple[type, ...] = (
    registration.EligibilityConfirmed,
    registration.ClaimLapsed,
    registration.GraceGranted,
    registration.MeetingAttended,
    registration.PlayerConsented,
    registration.DocumentReceived,
    registration.DocumentRejected,
    registration.EntriesImported,
    registration.ImportReversed,
    registration.CredentialIssued,
    registration.CredentialRevoked,
    registration.NamesPublished,
    registration.PersonalDataRead,
    registration.ErasureRequested,
    registration.PersonErased,
    match.PairOrdered,
    match.PairOrderLifted,
    match.SetAsideProposed,
    appeals.AppealDrafted,
    appeals.CommitteeNamed,
    appeals.EvidenceFiled,
    appeals.EvidenceStruck,
    appeals.EvidenceRead,
    appeals.ReportReceived,
    appeals.DepositReceived,
    appeals.DepositConfirmed,
    appeals.DepositRefunded,
    appeals.DepositForfeited,
)
"""What is the desk's alone. An event that stands in neither has not been thought about, and a test says so."""

ONLY_WHEN_LODGED = ("AppealRefused", "AppealWithdrawn")
"""These may end a draft of which nobody was told: then nobody is told of its end."""
