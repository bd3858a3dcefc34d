"""The bodies of commands."""

from __future__ import annotations

import marshmallow as ma

from shared.web.words import lines, words

Name = words(100)
Reason = lines(500)
LEVELS = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A")
KINDS = (
    "correct_hand",
    "annul_hand",
    "impose_penalty",
    "lift_penalty",
    "award_match",
    "replay_match",
    "disqualify_team",
    "none",
)
FEN = 100_000_000


class LevelsSchema(ma.Schema):
    """Levels by pair."""

    north = ma.fields.String(data_key="13", required=True, validate=ma.validate.OneOf(LEVELS))
    east = ma.fields.String(data_key="24", required=True, validate=ma.validate.OneOf(LEVELS))


class HandFactsSchema(ma.Schema):
    """A hand as it should have been entered."""

    dealer = ma.fields.Integer(required=True, strict=True, validate=ma.validate.Range(1, 4))
    points = ma.fields.Integer(required=True, strict=True, validate=ma.validate.Range(0, 100_000))
    trump = ma.fields.String(allow_none=True, load_default=None, validate=ma.validate.OneOf("SHCDN"))
    levels = ma.fields.Nested(LevelsSchema, allow_none=True, load_default=None)


class RemedySchema(ma.Schema):
    """What shall be done to the match: correct_hand (hand, facts), annul_hand (hand), impose_penalty (hand, pair,
    code, cards), lift_penalty (penalty), award_match (team), replay_match, disqualify_team (team), none."""

    kind = ma.fields.String(required=True, validate=ma.validate.OneOf(KINDS))
    hand = ma.fields.Integer(strict=True, validate=ma.validate.Range(1, 1000))
    facts = ma.fields.Nested(HandFactsSchema)
    penalty = ma.fields.String(validate=Name)
    pair = ma.fields.String(validate=ma.validate.OneOf(["13", "24"]))
    code = ma.fields.String(validate=Name)
    cards = ma.fields.Integer(strict=True, validate=ma.validate.Range(1, 108))
    team = ma.fields.String(validate=Name)


class SaidSchema(ma.Schema):
    """For what the desk enters from paper: when it was handed over (without a zone: local), to whom (`officer`; left
    out: who enters it), and why the desk does."""

    received_at = ma.fields.DateTime(format="iso")
    officer = ma.fields.String(validate=Name)
    reason = ma.fields.String(load_default="", validate=lines(500, 0))


class DraftSchema(SaidSchema):
    """An appeal begun. `team` is for the desk; a leader's is the token's. `appellant` is in what capacity the person
    appeals: its coach or a player only for a team that entered no leader; left out, as who may."""

    match = ma.fields.String(required=True, validate=Name)
    grounds = ma.fields.String(required=True, validate=lines(5000))
    asks_for = ma.fields.Nested(RemedySchema, required=True)
    team = ma.fields.String(validate=Name)
    appellant = ma.fields.String(validate=ma.validate.OneOf(["leader", "coach", "player"]))


class ReportSchema(SaidSchema):
    """The written report: how it is filed, and whether it bears the unit's seal."""

    reference = ma.fields.String(required=True, validate=Name)
    bears_seal = ma.fields.Boolean(required=True)


class DepositSchema(SaidSchema):
    """Money over the counter, in fen. `received_at` only with a reason; else now."""

    amount_fen = ma.fields.Integer(required=True, strict=True, validate=ma.validate.Range(1, FEN))


class ReasonSchema(ma.Schema):
    """Why."""

    reason = ma.fields.String(required=True, validate=Reason)


class WithdrawalSchema(ReasonSchema):
    """Why a team takes its appeal back. `reference` names its paper, and is for the desk."""

    reference = ma.fields.String(load_default="", validate=lines(100, 0))


class MemberSchema(ma.Schema):
    """A member of the committee who sat."""

    account = ma.fields.String(required=True, validate=Name)
    unit = ma.fields.String(required=True, validate=Name)


class SittingSchema(ma.Schema):
    """Who sat."""

    members = ma.fields.List(ma.fields.Nested(MemberSchema), required=True, validate=ma.validate.Length(1, 30))


class CommitteeSchema(SittingSchema):
    """Who shall decide. `quorum`: how many must sit, left out more than half; `decide_by` (without a zone: local); a
    `reason` where a committee was named before, such as substitutes for a conflict of interest."""

    quorum = ma.fields.Integer(strict=True, load_default=None, validate=ma.validate.Range(1, 30))
    decide_by = ma.fields.DateTime(format="iso", load_default=None)
    reason = ma.fields.String(load_default="", validate=lines(500, 0))


class HearingSchema(SittingSchema):
    """Who sat, and which other appeals over the match were heard together with it."""

    together_with = ma.fields.List(
        ma.fields.String(validate=Name), load_default=list, validate=ma.validate.Length(0, 20)
    )


class LaterSchema(ma.Schema):
    """What becomes of later rounds that rest on the match."""

    choice = ma.fields.String(required=True, validate=ma.validate.OneOf(["let_stand", "replay_from"]))
    round = ma.fields.Integer(strict=True, validate=ma.validate.Range(1, 999))


class DecisionSchema(SittingSchema):
    """A decision. `remedy` where it upholds, `later` where paired rounds rest on the match; `article` where it rests
    on one."""

    outcome = ma.fields.String(required=True, validate=ma.validate.OneOf(["upheld", "partly_upheld", "dismissed"]))
    remedy = ma.fields.Nested(RemedySchema)
    later = ma.fields.Nested(LaterSchema)
    reason = ma.fields.String(required=True, validate=lines(5000))
    article = ma.fields.String(load_default="", validate=lines(100, 0))


class WaiverSchema(ma.Schema):
    """Appeals over rounds up to one are given up in writing. `team` and `reference` are for the desk; a leader's team
    is the token's."""

    team = ma.fields.String(validate=Name)
    through_round = ma.fields.Integer(required=True, strict=True, validate=ma.validate.Range(1, 999))
    reference = ma.fields.String(load_default="", validate=lines(100, 0))
