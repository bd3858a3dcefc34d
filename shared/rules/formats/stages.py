"""The stages of a competition as its regulation lists them, in the words that every format reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from shared.rules.basis import Basis, Ruled, Text
from shared.rules.errors import RuleError
from shared.rules.regulations.preset import Preset, Stage, Takes, terms_of_event
from shared.rules.regulations.schema import AnyPreset

Format = Literal["swiss", "knockout", "ladder", "placement", "round_robin"]

CARDS = "cards"
"""The event that is played with cards; others are those of `boards.events`."""


class StageTerms(Struct, frozen=True, kw_only=True):
    """A stage to be played. parts: its zones or groups, one without a name where there is no such; source: the stage
    whose survivors play in it, None for the entries; survivors: how many each part leaves, None where it ends in
    places; apart: whether teams of one unit are kept apart."""

    code: str
    name: Text
    format: Format
    parts: tuple[str, ...]
    source: str | None
    survivors: int | None
    third_place: bool
    apart: bool
    basis: Basis


class RoundTerms(Struct, frozen=True, kw_only=True):
    """The timing of a round. minutes: None, untimed; stage: what the level rules of 掼蛋 ask, None in other games."""

    minutes: int | None
    stage: str | None
    basis: Basis


def stages_of(preset: AnyPreset, teams: int, event: str = CARDS) -> tuple[StageTerms, ...]:
    """The stages, in the order played, of an event that so many teams or players entered.

    Raises RuleError `bad_value` for an event that the regulation has not.
    """
    if event == CARDS:
        stages: Mapping[str, Ruled[Stage]] = preset.stages or _of_format(preset)
        return tuple(_terms(preset, code, stage) for code, stage in stages.items())
    boards = preset.boards if isinstance(preset, Preset) else None
    if boards is None or event not in boards.events.value:
        raise RuleError(f"the regulation has no event {event!r}", f"规程没有 {event} 项目", field="event")
    boards = terms_of_event(boards, event)
    limit = boards.round_robin_up_to
    if teams <= limit.value:
        named = Ruled(
            value=_stage("round_robin"), article=limit.article, mark=limit.mark, zh="循环赛", en="round robin"
        )
        return (_terms(preset, "round_robin", named, limit.value),)
    playing = boards.stages or {"placement": _like(boards.format, "placement", "淘汰赛", "knock-out")}
    return tuple(_terms(preset, code, stage, limit.value) for code, stage in playing.items())


def pairs_by_results(preset: AnyPreset, teams: int, event: str, stage: str) -> bool:
    """Whether who meets whom in a stage rests on the results before: not where everybody meets everybody. stage: its
    code, empty where a round does not say of which it is."""
    return not any(one.code == stage and one.format == "round_robin" for one in stages_of(preset, teams, event))


def round_terms(preset: AnyPreset, left: int, event: str = CARDS) -> RoundTerms:
    """The timing of the round in which so many teams of a part are left; at a board each game has clocks of its own."""
    if isinstance(preset, Preset) and preset.boards is not None and event != CARDS:
        return RoundTerms(minutes=None, stage=None, basis=terms_of_event(preset.boards, event).clocks.basis)
    if isinstance(preset, Preset):
        minutes = preset.match.minutes
        return RoundTerms(minutes=minutes.value, stage=None, basis=minutes.basis)
    rounds = preset.draws.rounds
    found = min((one for one in rounds.value if one.teams >= left), key=lambda one: one.teams, default=rounds.value[0])
    return RoundTerms(minutes=found.minutes, stage=found.stage, basis=rounds.basis)


def _terms(preset: AnyPreset, code: str, stage: Ruled[Stage], board_survivors: int | None = None) -> StageTerms:
    knockout = preset.knockout if isinstance(preset, Preset) else None
    parts: tuple[str, ...] = ()
    third, apart, survivors = False, False, None
    if knockout is not None:
        third, apart = knockout.third_place.value, knockout.keep_units_apart.value
        parts, survivors = knockout.zones.value, knockout.zone_survivors.value
    elif not isinstance(preset, Preset):
        parts, apart = preset.draws.groups.value, preset.draws.keep_units_apart.value
    split = stage.value.format in ("knockout", "ladder") and board_survivors is None
    return StageTerms(
        code=code,
        name=Text(stage.zh, stage.en),
        format=stage.value.format,
        parts=(parts or ("",)) if split else ("",),
        source=None if stage.value.takes.stage == "entries" else stage.value.takes.stage,
        survivors=(board_survivors or survivors) if stage.value.format == "ladder" else None,
        third_place=third,
        apart=apart,
        basis=stage.basis,
    )


def _of_format(preset: AnyPreset) -> dict[str, Ruled[Stage]]:
    """The stages where the regulation lists none: what its format says."""
    rule: Ruled[Any] = preset.draws.format
    if rule.value == "swiss":
        return {"swiss": _like(rule, "swiss", "瑞士制", "Swiss")}
    if rule.value == "knockout":
        return {"knockout": _like(rule, "knockout", "淘汰赛", "knock-out")}
    return {
        "zones": _like(rule, "ladder", "分区淘汰", "zones"),
        "placement": _like(rule, "placement", "名次赛", "placement", "zones"),
    }


def _like(rule: Ruled[Any], format_: Format, zh: str, en: str, source: str = "entries") -> Ruled[Stage]:
    return Ruled(value=_stage(format_, source), article=rule.article, mark=rule.mark, zh=zh, en=en)


def _stage(format_: Format, source: str = "entries") -> Stage:
    return Stage(format=format_, takes=Takes(stage=source, who="all" if source == "entries" else "survivors"))
