"""Where the brokers are and how topics are made, written as one URL."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

SCHEME = "kafka"
PARTITIONS = 6
SESSION_MS = 10_000

_NAME = re.compile(r"[A-Za-z0-9._-]*")
_SERVER = re.compile(r"(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\]):[0-9]{1,5}")


class AddressWrong(ValueError):
    """The URL is no address of a Kafka."""

    def __init__(self, url: str, why: str) -> None:
        super().__init__(f"{url!r} is no address of a Kafka: {why}; write kafka://HOST:PORT[,HOST:PORT][/PREFIX]")
        self.url = url


@dataclass(frozen=True)
class Address:
    """`prefix` begins the names of topics and groups. `partitions` and `replicas` (-1: as the brokers have it) are for
    topics that are not there yet. A member of a group that is silent for `session_ms` has lost its partitions."""

    servers: tuple[str, ...]
    prefix: str = ""
    partitions: int = PARTITIONS
    replicas: int = -1
    session_ms: int = SESSION_MS

    @classmethod
    def parse(cls, url: str) -> Address:
        """`kafka://HOST:PORT[,HOST:PORT][/PREFIX][?partitions=6&replicas=3&session_ms=10000]`. Raises AddressWrong."""
        parts = urlsplit(url)
        servers = tuple(parts.netloc.split(","))
        prefix = parts.path.lstrip("/")
        if parts.scheme != SCHEME:
            raise AddressWrong(url, f"it does not begin with {SCHEME}://")
        for server in servers:
            if not _SERVER.fullmatch(server) or int(server.rpartition(":")[2]) > 65535:
                raise AddressWrong(url, f"{server!r} is not HOST:PORT")
        if not _NAME.fullmatch(prefix):
            raise AddressWrong(url, f"{prefix!r} cannot begin a topic's name")
        numbers: dict[str, int] = {}
        for name, value in parse_qsl(parts.query, keep_blank_values=True):
            if name not in ("partitions", "replicas", "session_ms") or not value.isascii() or not value.isdigit():
                raise AddressWrong(url, f"{name}={value} is none of its settings")
            numbers[name] = int(value)
        return cls(servers, prefix, **numbers)

    def topic(self, service: str) -> str:
        """The topic of a service."""
        return self.prefix + service
