"""What all acts share: the client, the screen, the rules, and who is who."""

from __future__ import annotations

from dataclasses import dataclass, field

from deploy.demo.client import Client
from deploy.demo.failure import Failed
from deploy.demo.kills import Kills
from deploy.demo.people import Unit
from deploy.demo.plan import Script
from deploy.demo.show import Show
from shared.rules.regulations.preset import Preset
from shared.web.identity import Identity

REGULATION = "jimei-2018"


@dataclass
class Stage:
    """The competition as far as it has come; `script` is there once the lots are drawn."""

    client: Client
    show: Show
    preset: Preset
    seed: str
    kills: Kills = field(default_factory=Kills)
    competition: str = ""
    units: dict[str, Unit] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    played: Script | None = None

    @property
    def script(self) -> Script:
        if self.played is None:
            raise Failed("the script", "made after the draw", None)
        return self.played

    def at(self, service: str, rest: str = "") -> str:
        """The path of this competition in a service."""
        return f"/{service}/competitions/{self.competition}{rest}"

    def name(self, team: str) -> str:
        """A team as tables show it."""
        return self.units[team].shown

    def leader(self, team: str) -> Identity:
        """A team's leader."""
        return Identity(sub=self.units[team].leader, role="leader", team=team, competitions=(self.competition,))
