"""The TLS set-ups that docs/operating.md names agree with what Pailu serves, and take no client at its word."""

from __future__ import annotations

import re
import socket
from pathlib import Path

import pytest

from deploy.fanout import HEARTBEAT
from deploy.single import UP, listening
from services.appeals.evidence import LARGEST as EVIDENCE
from services.registration.documents import LARGEST as DOCUMENT
from services.registration.sheets.reading import LARGEST as SHEET
from shared.web.application import LARGEST_BODY

ROOT = Path(__file__).parents[3]
CADDY = (ROOT / "deploy/tls/Caddyfile").read_text("utf-8")
NGINX = (ROOT / "deploy/tls/nginx.conf").read_text("utf-8")
LARGEST = max(EVIDENCE, DOCUMENT, SHEET, LARGEST_BODY)
MIB = 1 << 20


def _nginx(directive: str) -> str:
    found = re.search(rf"^\s*{directive}\s+(.+);$", NGINX, re.MULTILINE)
    assert found is not None, directive
    return found[1].strip()


@pytest.mark.parametrize("config", [CADDY, NGINX])
def test_they_stand_in_front_of_where_pailu_serves_by_itself(config: str) -> None:
    assert UP == "127.0.0.1:8080"
    assert re.search(rf"(reverse_proxy|http://)\s*{re.escape(UP)}", config.replace("http://", "http:// "))


@pytest.mark.parametrize("config", [CADDY, NGINX])
def test_every_brace_is_closed(config: str) -> None:
    depth = 0
    for line in config.splitlines():
        code = line.partition("#")[0].replace("{$", "").replace("{remote_host}", "").replace("http { }", "")
        depth += code.count("{") - code.count("}") + line.partition("#")[0].count("{$")
        assert depth >= 0, line
    assert depth == 0


def test_a_client_cannot_say_where_it_is_from() -> None:
    # $proxy_add_x_forwarded_for would keep what the client sent
    assert re.search(r"proxy_set_header\s+X-Forwarded-For \$remote_addr;", NGINX)
    assert "header_up X-Forwarded-For {remote_host}" in CADDY
    for config in (CADDY, NGINX):
        assert "PAILU_TRUSTED_PROXY=127.0.0.1" in config


def test_the_largest_file_passes() -> None:
    assert int(_nginx("client_max_body_size").removesuffix("m")) * MIB > LARGEST
    size = re.search(r"max_size (\d+)MB", CADDY)
    assert size is not None
    assert int(size[1]) * 1_000_000 > LARGEST


def test_live_events_are_sent_on_as_they_come_and_a_quiet_stream_lives() -> None:
    assert _nginx("proxy_buffering") == "off"
    assert _nginx("proxy_read_timeout") == "1h"
    assert HEARTBEAT < 3600
    assert "flush_interval -1" in CADDY


def test_old_protocols_are_not_spoken() -> None:
    assert set(_nginx("ssl_protocols").split()) == {"TLSv1.2", "TLSv1.3"}


def test_bound_to_all_addresses_it_is_reached_by_each() -> None:
    listener = listening("0.0.0.0", 0, "up --bind 0.0.0.0:8091")
    try:
        for host in {"127.0.0.1", socket.gethostbyname(socket.gethostname())}:
            socket.create_connection((host, listener.getsockname()[1]), timeout=5).close()
    finally:
        listener.close()
