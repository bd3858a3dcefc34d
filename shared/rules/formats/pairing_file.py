"""The pairing of a round with all that it rests on, the values of the file `pailu-pairing/1`, and its repetition.

```json
{"format": "pailu-pairing/1", "regulation": "jimei-2018/1", "changes": {},
 "competition": {"format": "pailu-competition/1", "regulation": "jimei-2018", …},
 "draws": {"swiss": {"": ["T02", "T01"]}},
 "paired": {"round": 3, "matches": [{"table": 1, "teams": ["T01", "T02"], …}], "inputs": "sha256, hex", …}}
```

`competition` is as it was when the round was paired, `draws` are the stages drawn by then (by zone or group, null a
bye), `paired` is the event `RoundPaired`. Its `inputs` is the sha256 of the rest of the file: of `regulation`,
`changes`, `competition` and `draws`, as JSON with sorted keys and no white space (RFC 8785: it holds no fractions).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from shared.rules.basis import Text
from shared.rules.errors import BadCompetition, BadFile, PairingRefused
from shared.rules.formats import competition as competitions
from shared.rules.formats.arrange import Seats
from shared.rules.formats.competition import Competition, TeamId
from shared.rules.formats.course import CourseMatch, CourseRound, next_round
from shared.rules.formats.course.tables import of_swiss
from shared.rules.formats.drawing import StageDraw
from shared.rules.formats.reading import fields_of
from shared.rules.formats.stages import CARDS, stages_of
from shared.rules.formats.swiss import HandPairing, pair_by_hand
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset

FORMAT = "pailu-pairing/1"


class BadPairingFile(BadFile):
    """A pairing file that is not one."""

    code = "bad_pairing_file"


class Inputs(Struct, frozen=True, kw_only=True):
    """What a pairing is a function of, beside the regulation: the competition in which every match is over, the stages
    drawn, and where the round was paired by hand, how."""

    competition: Competition
    draws: Mapping[str, StageDraw]
    by_hand: HandPairing | None = None


def paired(preset: AnyPreset, inputs: Inputs) -> CourseRound:
    """The next round. Raises what `course.next_round` and `swiss.pair_by_hand` raise, and PairingRefused `bad_pairing`
    for one by hand that is of no Swiss: a bracket follows from its draw, a round robin from its table."""
    competition = inputs.competition
    found = next_round(preset, competition, inputs.draws)
    if inputs.by_hand is None:
        return found
    stages = stages_of(preset, len(competition.teams), competition.event)
    stage = next(terms for terms in stages if terms.code == found.stage)
    if stage.format != "swiss" or not isinstance(preset, Preset):
        raise PairingRefused("bad_pairing", "only a Swiss round is paired by hand", "只有瑞士制可手工编排")
    made = pair_by_hand(preset, competition, bytes.fromhex(competition.seed), inputs.by_hand)
    return of_swiss(preset, found.stage, made, len(competition.teams))


def at_tables(preset: AnyPreset, event: str, matches: Sequence[CourseMatch]) -> Iterator[tuple[CourseMatch, int]]:
    """Every match at its table; where the hands are counted (shandong-2023 八.13) at each of its tables, numbered from
    1."""
    counted = isinstance(preset, Preset) and preset.match.ends.value == "hands" and event == CARDS
    for match in matches:
        if counted and match.game and isinstance(preset, Preset):
            yield from ((match, board) for board in range(1, preset.match.tables.value + 1))
        else:
            yield match, 0


class Seated(Struct, frozen=True, kw_only=True):
    """A match of a paired round, as `RoundPaired` has it."""

    table: int
    teams: tuple[TeamId, TeamId]
    part: str = ""
    game: str = ""
    minutes: int | None = None
    level_stage: str | None = None
    board: int = 0


class Paired(Struct, frozen=True, kw_only=True):
    """A round as it was paired; `by_hand` says why it was by hand, empty where it was not; `inputs`: the digest of what
    it rests on, empty in events from before that was said."""

    round: int
    matches: tuple[Seated, ...]
    bye: TeamId | None = None
    byes: tuple[TeamId, ...] = ()
    gave_up: tuple[str, ...] = ()
    why: tuple[Text, ...] = ()
    stage: str = ""
    by_hand: str = ""
    inputs: str = ""


class PairingFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A pairing, and what it rests on: `regulation` as events name it (name/version), `changes` are the organiser's."""

    regulation: str
    changes: dict[str, Any]
    competition: dict[str, Any]
    draws: dict[str, dict[str, tuple[TeamId | None, ...]]]
    paired: Paired


def to_file(regulation: str, changes: Mapping[str, Any], inputs: Inputs, event: Mapping[str, Any]) -> dict[str, Any]:
    """The file of a pairing; event: the fields of `RoundPaired`."""
    return {"format": FORMAT, **_rest(regulation, changes, inputs), "paired": dict(event)}


def digest(regulation: str, changes: Mapping[str, Any], inputs: Inputs) -> str:
    """What `RoundPaired` says of what it rests on."""
    return _sha256(_rest(regulation, changes, inputs))


def _rest(regulation: str, changes: Mapping[str, Any], inputs: Inputs) -> dict[str, Any]:
    named = msgspec.structs.replace(inputs.competition, regulation=regulation.rpartition("/")[0])
    draws = {stage: {part: list(seats) for part, seats in draw.parts.items()} for stage, draw in inputs.draws.items()}
    return {
        "regulation": regulation,
        "changes": dict(changes),
        "competition": competitions.to_file(named),
        "draws": draws,
    }


def _sha256(rest: Mapping[str, Any]) -> str:
    return hashlib.sha256(msgspec.json.encode(rest, order="sorted")).hexdigest()


def from_file(data: object) -> tuple[PairingFile, Competition]:
    """The pairing in a decoded file, and the competition that it is of. Raises BadPairingFile naming the place."""
    found = fields_of(data, FORMAT, (), PairingFile, BadPairingFile)
    try:
        return found, competitions.from_file(found.competition)
    except BadCompetition as error:
        raise BadPairingFile(f"competition.{error.place}", error.said.en.partition(": ")[2]) from error


class Repeated(Struct, frozen=True, kw_only=True):
    """What came of pairing a round again. differs: the fields of the event that come out otherwise; inputs: whether the
    file holds what the event says it was paired from, or the event does not say."""

    differs: tuple[str, ...]
    inputs: Literal["same", "other", "not_said"]

    @property
    def holds(self) -> bool:
        """Whether these inputs lead to this pairing, and are not others than it was made from."""
        return not self.differs and self.inputs != "other"


def repeated(preset: AnyPreset, file: PairingFile, competition: Competition) -> Repeated:
    """The round paired again from what the file says it rests on. Raises what `paired` raises."""
    draws = {stage: StageDraw(stage=stage, parts=_parts(parts)) for stage, parts in file.draws.items()}
    hand = _hand(file.paired) if file.paired.by_hand else None
    made = paired(preset, Inputs(competition=competition, draws=draws, by_hand=hand))
    again = msgspec.structs.asdict(as_paired(preset, competition.event, made))
    told = msgspec.structs.asdict(file.paired)
    rest = {name: getattr(file, name) for name in ("regulation", "changes", "competition", "draws")}
    sealed: Literal["same", "other"] = "same" if file.paired.inputs == _sha256(rest) else "other"
    return Repeated(
        differs=tuple(name for name in again if name not in ("by_hand", "inputs") and again[name] != told[name]),
        inputs=sealed if file.paired.inputs else "not_said",
    )


def as_paired(preset: AnyPreset, event: str, made: CourseRound) -> Paired:
    """A round to be played as the event says it; event: the cards, or one of the boards."""
    return Paired(
        round=made.number,
        matches=tuple(
            Seated(
                table=table,
                teams=match.teams,
                part=match.part,
                game=match.game,
                minutes=match.terms.minutes,
                level_stage=match.terms.stage,
                board=board,
            )
            for table, (match, board) in enumerate(at_tables(preset, event, made.matches), 1)
        ),
        bye=made.byes[0] if made.byes and not any(match.game for match in made.matches) else None,
        byes=made.byes,
        gave_up=made.gave_up,
        why=made.why,
        stage=made.stage,
    )


def _parts(parts: Mapping[str, Seats]) -> dict[str, Seats]:
    return {part: tuple(seats) for part, seats in parts.items()}


def _hand(made: Paired) -> HandPairing:
    return HandPairing(pairs=tuple(match.teams for match in made.matches), bye=made.bye)
