"""HTTP to the Pailu that runs on this machine, as an operator."""

from __future__ import annotations

import contextlib
import json
import urllib.error
import urllib.request
from datetime import timedelta
from typing import Any

from shared.cli.language import Trouble, language
from shared.cli.settings import UP, Settings, token_secret
from shared.eventsourcing.clock import SystemClock
from shared.web.identity import Identity, mint

SECONDS = 30.0


class Client:
    """Asks the running server; answers are JSON, problems become Trouble in the server's own words."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        who = Identity(sub="operator", role="operator")
        self._token = mint(who, token_secret(settings), SystemClock().now(), timedelta(minutes=10))

    def get(self, path: str) -> Any:
        return self._send("GET", path)

    def post(self, path: str) -> Any:
        return self._send("POST", path)

    def _send(self, method: str, path: str) -> Any:
        headers = {"Authorization": f"Bearer {self._token}", "Accept-Language": language()}
        data = b"{}" if method == "POST" else None
        if data:
            headers["Content-Type"] = "application/json"
        url = _url(self._settings, path.split("/")[1])
        request = urllib.request.Request(url + path, data, headers, method=method)  # noqa: S310  our own http URL
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as response:  # noqa: S310
                body = response.read()
        except urllib.error.HTTPError as error:
            raise _refused(error) from error
        except OSError as error:
            raise Trouble(
                f"Pailu does not answer at {url}: start it with `make run`, or name its address in PAILU_BIND",
                f"{url} 没有应答：请先启动（make run），或用 PAILU_BIND 指明地址",
            ) from error
        return json.loads(body) if body else None


def _url(settings: Settings, service: str) -> str:
    """Where `pailu serve` of the service or `pailu up` says it runs, else where the settings would have it."""
    for file in (settings.running_file(service), settings.running_file()):
        with contextlib.suppress(OSError, ValueError, KeyError):
            return str(json.loads(file.read_text(encoding="utf-8"))["url"])
    return f"http://{settings.bind or UP}"


def _refused(error: urllib.error.HTTPError) -> Trouble:
    try:
        problem = json.loads(error.read())
        words = f"{problem['title']}: {problem['detail']}"
    except (OSError, ValueError, KeyError):
        words = f"{error.code} {error.reason}"
    return Trouble(words, words)
