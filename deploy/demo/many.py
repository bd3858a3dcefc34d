"""The demo's own Pailu as many processes over Kafka, in a temporary folder, gone when the demo is."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from types import TracebackType

from deploy.child import ChildError
from deploy.demo.kills import FleetKills
from deploy.endings import undisturbed
from deploy.fleet import Fleet, FleetError
from shared.cli.language import Trouble

PATIENCE = 120.0
"""Seconds that a killed process may take to answer again."""


class ManyServers:
    """Starts on entering, stops on leaving, as Server does."""

    patience = PATIENCE

    def __init__(self, draw_seed: bytes) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="pailu-demo-"))
        self._fleet = Fleet(self._folder, seed=draw_seed)
        self.token_secret = self._fleet.token_secret
        self.urls = self._fleet.urls
        self.kills = FleetKills(self._fleet)

    def __enter__(self) -> ManyServers:
        try:
            self._fleet.start()
        except BaseException as error:
            self.stop()
            if isinstance(error, FleetError):
                raise Trouble(f"{error}: {error.output}", f"未能启动：{error.output}") from error
            if isinstance(error, ChildError):
                raise Trouble(f"{error}\n{error.log}".strip(), f"未能启动：{error}\n{error.log}".strip()) from error
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop everything and remove the folder. A second Ctrl-C meanwhile changes nothing."""
        with undisturbed():
            self._fleet.stop()
            shutil.rmtree(self._folder, ignore_errors=True)

    def errors(self) -> list[str]:
        """What the processes have logged as errors, to be read before they stop."""
        return list(self._fleet.errors())
