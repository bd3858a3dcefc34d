"""What a competition has come to, in one form that two runs of it share: standings, places, awards, ledger, appeals.
Whatever is left out is named here, with the reason for which two runs differ in it."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from typing import Any

from deploy.demo.people import AUDITOR
from shared.eventsourcing.records import canonical
from tests.chaos.seasons.course import Course
from tests.chaos.seasons.desks import Desk

CLOCK = "an instant of the run's own clock"
LEFT_OUT: Mapping[str, str] = {
    "rests_on": "positions, which tell in what order the commits of all competitions came",
    "order": "made of the instant at which the appeal was begun",
    "at": CLOCK,
    "begun_at": CLOCK,
    "received_at": CLOCK,
    "entered_at": CLOCK,
    "issued_at": CLOCK,
    "closed_at": CLOCK,
    "opens": CLOCK,
    "closes": CLOCK,
    "decide_by": CLOCK,
    "until": CLOCK,
    "deadline": CLOCK,
    "lodged_at": CLOCK,
    "report_received_at": CLOCK,
    "deposit_received_at": CLOCK,
    "text": "words that name such an instant; `code` says the same",
}
"""Field to why it is not compared."""


def outcome(desk: Desk, course: Course) -> dict[str, Any]:
    """By address, what anybody may see of it and what the auditor may."""
    seen: dict[str, Any] = {}
    for event in course.events:
        for page in ("standings", "crosstable", "bracket", "places", "awards"):
            seen[f"ranking {event} {page}"] = desk.see(f"/ranking/competitions/{event}/{page}")
    if course.boards:
        seen[f"ranking {course.id} totals"] = desk.see(f"/ranking/{course.base}/totals")
    at = f"/appeals/{course.base}"
    seen[f"appeals {course.id} ledger"] = desk.see(f"{at}/ledger", AUDITOR)
    appeals = desk.see(f"{at}/appeals?limit=500", AUDITOR)["items"]
    seen[f"appeals {course.id}"] = appeals
    for appeal in appeals:
        name = appeal["appeal"]
        seen[f"appeals {course.id} {name}"] = desk.see(f"{at}/appeals/{name}", AUDITOR)
    return {address: kept(answer) for address, answer in seen.items()}


def kept(value: Any) -> Any:
    """A value without the fields that are left out."""
    if isinstance(value, dict):
        return {name: kept(one) for name, one in value.items() if name not in LEFT_OUT}
    return [kept(one) for one in value] if isinstance(value, list) else value


def differences(undisturbed: Mapping[str, Any], disturbed: Mapping[str, Any]) -> list[str]:
    """What differs byte for byte, as lines that say where and how; empty where nothing does."""
    found: list[str] = []
    for address in sorted({*undisturbed, *disturbed}):
        one, two = undisturbed.get(address), disturbed.get(address)
        if canonical(one) != canonical(two):
            lines = [json.dumps(each, ensure_ascii=False, indent=1, sort_keys=True).splitlines() for each in (one, two)]
            found += difflib.unified_diff(*lines, f"{address}, undisturbed", f"{address}, disturbed", n=2, lineterm="")
    return found
