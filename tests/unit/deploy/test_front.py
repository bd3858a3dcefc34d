"""Only a proxy that was named says for whom it asks."""

from __future__ import annotations

from typing import Any

import pytest

from deploy.front import behind


def address(forwarded: str | None, remote: str = "127.0.0.1", proxies: tuple[str, ...] = ("127.0.0.1",)) -> str:
    """Who asks, as the application is told."""
    environ = {"REMOTE_ADDR": remote} | ({"HTTP_X_FORWARDED_FOR": forwarded} if forwarded is not None else {})

    def app(environ: dict[str, Any], _start: Any) -> str:
        return str(environ["REMOTE_ADDR"])

    return str(behind(proxies, app)(environ, None))


@pytest.mark.parametrize(
    ("forwarded", "client"),
    [
        ("10.0.0.7", "10.0.0.7"),
        ("1.2.3.4, 10.0.0.7", "10.0.0.7"),  # what the client itself sent stands before what the proxy saw
        ("2001:db8::7", "2001:db8::7"),
        (None, "127.0.0.1"),
        ("", "127.0.0.1"),
    ],
)
def test_a_trusted_proxys_last_word_is_taken(forwarded: str | None, client: str) -> None:
    assert address(forwarded) == client


def test_nobody_else_is_believed() -> None:
    assert address("10.0.0.7", remote="10.0.0.9") == "10.0.0.9"
    assert address("10.0.0.7", proxies=()) == "127.0.0.1"
