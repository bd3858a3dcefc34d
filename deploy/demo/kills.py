"""What happens to the demo's processes on the way: `kill -9`, and a start as any supervisor would make it."""

from __future__ import annotations

from deploy.fleet import Fleet
from shared.cli.language import say


class Kills:
    """None, where one process serves everything."""

    def strike(self, _round: int, _entries: int) -> str:
        """Called before each hand is entered, with how many of the round were; what happened, for the screen."""
        return ""


class FleetKills(Kills):
    """In round 2 the worker that projects the standings, in round 3 the HTTP process that takes the hands."""

    def __init__(self, fleet: Fleet) -> None:
        self._fleet = fleet
        self.killed = 0

    def strike(self, round: int, entries: int) -> str:
        if (round, entries) == (2, 3):
            return self._kill("work-ranking")
        if (round, entries) == (3, 5):
            return self._kill("serve-match")
        return ""

    def _kill(self, name: str) -> str:
        process = next(process for process in self._fleet.processes if process.name == name)
        process.kill()
        self._fleet.restart(process)
        self.killed += 1
        command = name.replace("-", " ")
        return say(
            f"kill -9: the process `pailu {command}`; it is started again, nothing is lost",
            f"kill -9：进程 pailu {command}；重新启动，未丢失任何内容",
        )
