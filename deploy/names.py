"""The services as a person reads of them: name to Chinese name and what it is for, in Chinese and English."""

from __future__ import annotations

from collections.abc import Mapping

NAMES: Mapping[str, tuple[str, str, str]] = {
    "registration": ("报名", "竞赛规程、赛事公告、报名", "regulations, announcements, entries"),
    "match": ("比赛", "抽签、编排、记分、判罚、名次", "draws, pairing, hands, penalties, places"),
    "ranking": ("排名", "积分与名次、小分的计算过程", "standings with their working"),
    "appeals": ("申诉", "申诉、保证金、裁决", "appeals, deposits, decisions"),
}
