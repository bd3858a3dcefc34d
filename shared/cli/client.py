"""HTTP to the Pailu that runs on this machine, as an operator."""

from __future__ import annotations

import contextlib
import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from shared.cli.language import Trouble, language
from shared.cli.settings import UP, Settings, token_secret
from shared.eventsourcing.clock import SystemClock
from shared.web.identity import Identity, Role, mint

SECONDS = 30.0


class Client:
    """Asks the running server; answers are JSON, problems become Trouble in the server's own words."""

    def __init__(self, settings: Settings, role: Role = "operator", name: str = "operator") -> None:
        self._settings = settings
        who = Identity(sub=name, role=role)
        self._token = mint(who, token_secret(settings), SystemClock().now(), timedelta(minutes=10))

    def get(self, path: str) -> Any:
        return self._send("GET", path)

    def post(self, path: str) -> Any:
        return self._send("POST", path)

    def send(self, path: str, media: str, content: bytes, key: str) -> Any:
        """POST a file under an Idempotency-Key."""
        return self._send("POST", path, content, {"Content-Type": media, "Idempotency-Key": key})

    def _send(self, method: str, path: str, content: bytes = b"{}", more: Mapping[str, str] | None = None) -> Any:
        headers = {"Authorization": f"Bearer {self._token}", "Accept-Language": language()}
        data = content if method == "POST" else None
        if data is not None:
            headers |= more or {"Content-Type": "application/json"}
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
        if len(errors := problem.get("errors", ())) > 1:
            words = "\n  ".join([words, *(each["detail"] for each in errors)])
    except (OSError, ValueError, KeyError):
        words = f"{error.code} {error.reason}"
    return Trouble(words, words)
