"""One good question of each kind about 升级."""

from __future__ import annotations

from typing import Any

LEVEL_CHANGE: dict[str, Any] = {
    "ask": "level_change",
    "regulation": "jimei-2018",
    "attacker_points": 100,
    "dealer_level": "5",
    "attacker_level": "7",
}
TABLE: dict[str, Any] = {"regulation": "jimei-2018", "trump": "H", "level": "2"}
LEAD: dict[str, Any] = {
    "ask": "lead",
    **TABLE,
    "hand": "SA SQ SQ D3",
    "play": "SA SQ SQ",
    "others": ["SK SK D4 D5", "S3 S4 S5 D6", "D7 D8 D9 DT"],
}
FOLLOW: dict[str, Any] = {"ask": "follow", **TABLE, "led": "S5 S5", "hand": "S7 S7 S9 D3", "play": "S7 S7"}
TRICK: dict[str, Any] = {"ask": "trick", **TABLE, "leader": 1, "plays": ["S5", "SQ", "SA", "SK"]}
KITTY: dict[str, Any] = {
    "ask": "kitty",
    **TABLE,
    "kitty": "C5 CK D3 D4 C6 C7 DT D6",
    "led": "SA SA",
    "won_with": "HA HA",
    "won_by": "attackers",
}


def asked(question: dict[str, Any], **changes: object) -> dict[str, Any]:
    """The question with some fields changed."""
    kitty = {"kitty": "C5 CK D3 DT"} if changes.get("regulation") == "shandong-2023" and "kitty" in question else {}
    return {**question, **kitty, **changes}
