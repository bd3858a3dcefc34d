"""The shapes of answers."""

from __future__ import annotations

import marshmallow as ma


class EndSchema(ma.Schema):
    """How it ended: refused, withdrawn or decided."""

    at = ma.fields.String(required=True)
    by = ma.fields.String(required=True)
    reason = ma.fields.String(required=True)
    article = ma.fields.String(required=True, allow_none=True)
    remedy = ma.fields.Dict(required=True, allow_none=True)
    later = ma.fields.Dict(required=True, allow_none=True)
    members = ma.fields.List(ma.fields.Dict(), required=True, allow_none=True)


class SetAsideSchema(ma.Schema):
    """Match cannot apply what was decided: which rule refuses it, and who set it aside (`confirmed_by` null: only
    proposed)."""

    refusal = ma.fields.String(required=True)
    refused = ma.fields.List(ma.fields.String(), required=True, metadata={"description": "in Chinese and English"})
    reason = ma.fields.String(required=True)
    proposed_by = ma.fields.String(required=True)
    confirmed_by = ma.fields.String(required=True, allow_none=True)
    at = ma.fields.String(required=True)


class AppealSchema(ma.Schema):
    """A lodged appeal as everyone may see it."""

    appeal = ma.fields.String(required=True)
    match = ma.fields.String(required=True)
    round = ma.fields.Integer(required=True)
    team = ma.fields.String(required=True)
    status = ma.fields.String(required=True)
    begun_at = ma.fields.String(required=True)
    filed = ma.fields.Dict(required=True, allow_none=True)
    overdue = ma.fields.Boolean(required=True, metadata={"description": "it was not decided by its date"})
    ended = ma.fields.Nested(EndSchema, required=True, allow_none=True)
    set_aside = ma.fields.Nested(SetAsideSchema, required=True, allow_none=True)


class WindowSchema(ma.Schema):
    """A window: not_running, open, closed or waived; the instant it closes is still in time."""

    state = ma.fields.String(required=True)
    opens = ma.fields.String(required=True, allow_none=True)
    closes = ma.fields.String(required=True, allow_none=True)


class StepSchema(ma.Schema):
    """What comes next, and whose turn it is."""

    code = ma.fields.String(required=True)
    who = ma.fields.String(required=True)
    zh = ma.fields.String(required=True)
    en = ma.fields.String(required=True)


class FollowedSchema(AppealSchema):
    """An appeal as those concerned follow it."""

    window = ma.fields.Nested(WindowSchema, required=True)
    missing = ma.fields.List(
        ma.fields.String(), required=True, metadata={"description": "report, seal, deposit, confirmation"}
    )
    next_step = ma.fields.Nested(StepSchema, required=True)
    decide_by = ma.fields.String(required=True, allow_none=True, metadata={"description": "its date, in time until it"})
    deposit = ma.fields.Dict(required=True, allow_none=True)


class DisputedMatchSchema(ma.Schema):
    """The match in dispute: hands and penalties, at a board games, results and rulings; `disputed` marks what the
    appeal asks to change."""

    match = ma.fields.String(required=True)
    round = ma.fields.Integer(required=True)
    table = ma.fields.Integer(required=True)
    teams = ma.fields.List(ma.fields.String(), required=True)
    hands = ma.fields.List(ma.fields.Dict(), required=True)
    penalties = ma.fields.List(ma.fields.Dict(), required=True)
    games = ma.fields.List(ma.fields.Dict(), required=True)
    closings = ma.fields.List(ma.fields.Dict(), required=True)
    rulings = ma.fields.List(ma.fields.Dict(), required=True)
    later = ma.fields.Dict(required=True, metadata={"description": "later paired rounds, and their matches"})


class AppealDetailSchema(FollowedSchema):
    """An appeal with its grounds, papers and the match in dispute. `version` goes into If-Match; `officer` took the
    paper, where it was begun on paper."""

    version = ma.fields.Integer(required=True)
    grounds = ma.fields.String(required=True)
    asks_for = ma.fields.Dict(required=True)
    begun_by = ma.fields.String(required=True)
    appellant = ma.fields.String(required=True, allow_none=True, metadata={"description": "leader, coach or player"})
    officer = ma.fields.String(required=True)
    reports = ma.fields.List(ma.fields.Dict(), required=True)
    accepted = ma.fields.Dict(required=True, allow_none=True)
    committee = ma.fields.Dict(required=True, allow_none=True, metadata={"description": "who shall decide"})
    evidence = ma.fields.List(
        ma.fields.Dict(),
        required=True,
        metadata={"description": "`struck`: why it is not considered, or null"},
    )
    hearings = ma.fields.List(ma.fields.Dict(), required=True)
    disputed = ma.fields.Nested(DisputedMatchSchema, required=True)


class MatchResultSchema(ma.Schema):
    """What a match comes to; points and levels stand as `teams` do."""

    match = ma.fields.String(required=True)
    table = ma.fields.Integer(required=True)
    teams = ma.fields.List(ma.fields.String(), required=True)
    points = ma.fields.List(ma.fields.Integer(), required=True)
    levels = ma.fields.List(ma.fields.String(), required=True, allow_none=True)
    how = ma.fields.String(required=True)
    status = ma.fields.String(required=True)


class TotalSchema(ma.Schema):
    """总得分 as people read it."""

    fraction = ma.fields.String(required=True, metadata={"example": "25/3"})
    shown = ma.fields.String(required=True, metadata={"example": "8.333"})
    working = ma.fields.String(required=True, metadata={"example": "8 + 38÷(12/2) − 6 = 25/3 = 8.333"})


class StandingSchema(ma.Schema):
    """A team's line of the standings. `rank` is null for a disqualified team."""

    rank = ma.fields.Integer(required=True, allow_none=True)
    points = ma.fields.Integer(required=True)
    total = ma.fields.Nested(TotalSchema, required=True)
    direct_win = ma.fields.Integer(required=True)
    cumulative = ma.fields.Integer(required=True)
    decided_by = ma.fields.String(required=True, allow_none=True)


class SideBySideSchema(ma.Schema):
    """A team before and after."""

    team = ma.fields.String(required=True)
    name = ma.fields.String(required=True)
    unit = ma.fields.String(required=True)
    changed = ma.fields.Boolean(required=True)
    before = ma.fields.Nested(StandingSchema, required=True)
    after = ma.fields.Nested(StandingSchema, required=True)


class EffectSchema(ma.Schema):
    """What a decision does or would do, in the order of the standings after it. `concerned` are the later matches that
    rest on the one in dispute, `position` is how far match's topic counts here. A result is null while its match is
    open."""

    appeal = ma.fields.String(required=True)
    status = ma.fields.String(
        required=True, metadata={"description": "preview, decided, applied, unchanged or set_aside"}
    )
    match = ma.fields.String(required=True)
    round = ma.fields.Integer(required=True)
    remedy = ma.fields.Dict(required=True)
    later = ma.fields.Dict(required=True, allow_none=True)
    result_before = ma.fields.Nested(MatchResultSchema, required=True, allow_none=True)
    result_after = ma.fields.Nested(MatchResultSchema, required=True, allow_none=True)
    concerned = ma.fields.List(ma.fields.String(), required=True)
    provisional = ma.fields.Boolean(
        required=True, metadata={"description": "a match that the standings after it wait for is open"}
    )
    rows = ma.fields.List(ma.fields.Nested(SideBySideSchema), required=True)
    position = ma.fields.Integer(required=True)


class PostingSchema(ma.Schema):
    """An amount in fen added to an account."""

    account = ma.fields.String(required=True)
    fen = ma.fields.Integer(required=True)


class EntrySchema(ma.Schema):
    """An entry of the books; its postings are zero together."""

    number = ma.fields.Integer(required=True)
    at = ma.fields.String(required=True)
    kind = ma.fields.String(required=True, metadata={"description": "received, confirmed, refunded or forfeited"})
    appeal = ma.fields.String(required=True)
    amount_fen = ma.fields.Integer(required=True)
    by = ma.fields.String(required=True)
    received_at = ma.fields.String(required=True, allow_none=True)
    officer = ma.fields.String(required=True, allow_none=True)
    reason = ma.fields.String(required=True, allow_none=True)
    article = ma.fields.String(required=True, allow_none=True)
    postings = ma.fields.List(ma.fields.Nested(PostingSchema), required=True)


class LedgerSchema(ma.Schema):
    """A competition's deposit ledger. `sum` is of all accounts, and always zero; of a `rehearsal` it counts nowhere."""

    rehearsal = ma.fields.Boolean(required=True)

    entries = ma.fields.List(ma.fields.Nested(EntrySchema), required=True)
    accounts = ma.fields.List(ma.fields.Nested(PostingSchema), required=True)
    moved = ma.fields.Dict(required=True, metadata={"description": "fen received, confirmed, refunded, forfeited"})
    sum = ma.fields.Integer(required=True)


class RoundDeadlineSchema(WindowSchema):
    """A round's window, when its close was recorded, who has waived it, who can still appeal, and which lodged appeals
    are undecided."""

    round = ma.fields.Integer(required=True)
    closing = ma.fields.Integer(required=True)
    recorded_at = ma.fields.String(required=True, allow_none=True)
    waived_by = ma.fields.List(ma.fields.String(), required=True)
    can_appeal = ma.fields.List(ma.fields.String(), required=True)
    undecided = ma.fields.List(ma.fields.String(), required=True)


class DeadlinesSchema(ma.Schema):
    """Until when what can be appealed, and by which article; without windows where the regulation has no appeals."""

    rehearsal = ma.fields.Boolean(required=True, metadata={"description": "for practice: it never counts 演练"})
    allowed = ma.fields.Boolean(required=True)
    article = ma.fields.String(required=True)
    window_from = ma.fields.String(required=True, allow_none=True)
    mark = ma.fields.String(required=True)
    window_hours = ma.fields.Integer(required=True, allow_none=True)
    deposit_fen = ma.fields.Integer(required=True)
    rounds = ma.fields.List(ma.fields.Nested(RoundDeadlineSchema), required=True)
