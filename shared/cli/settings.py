"""Settings from the environment.

| variable | default | meaning |
|---|---|---|
| PAILU_DATA | var | folder for the embedded store, the token secret and the logs |
| PAILU_MONGO_URL | none | a MongoDB to use in place of the embedded store |
| PAILU_EVENT_LOG | mongo | the event log: in the document store, or kafka://HOST:PORT |
| PAILU_BIND | 127.0.0.1:8080 | address and port to serve on |
| PAILU_TRUSTED_PROXY | none | addresses of proxies whose X-Forwarded-For names the client, by commas |
| PAILU_TOKEN_SECRET | none | what signs tokens, 32 bytes or more; else made in PAILU_DATA/token-secret |
| PAILU_TOKEN_SECRET_FILE | none | a file that holds it |
| PAILU_LOG_LEVEL | INFO | DEBUG, INFO, WARNING or ERROR |
"""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from environs import EnvError, FileAwareEnv

from shared.cli.language import Trouble
from shared.eventsourcing.kafka.address import Address, AddressWrong

SECRET_BYTES = 32
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
IN_THE_STORE = "mongo"
UP = "127.0.0.1:8080"
"""Where `pailu up` serves unless told otherwise."""


@dataclass(frozen=True)
class Settings:
    """What the environment says; `given_secret` is None where the data folder's own is used, `kafka` where the event
    log is in the document store. `proxies` are addresses whose word for a client's address is taken."""

    data: Path
    mongo_url: str | None
    kafka: Address | None
    bind: str | None
    given_secret: str | None
    log_level: str
    proxies: frozenset[str] = frozenset()

    @property
    def secret_file(self) -> Path:
        return self.data / "token-secret"

    def running_file(self, service: str = "") -> Path:
        """Where `pailu up`, or `pailu serve` of a service, says that it runs, and where."""
        return self.data / (f"running-{service}.json" if service else "running.json")


def _proxies(given: list[str]) -> frozenset[str]:
    try:
        return frozenset(str(ip_address(address.strip())) for address in given)
    except ValueError as error:
        raise Trouble(
            f"PAILU_TRUSTED_PROXY takes IP addresses: {error}", f"PAILU_TRUSTED_PROXY 应为 IP 地址：{','.join(given)}"
        ) from error


def _kafka(event_log: str) -> Address | None:
    return None if event_log in ("", IN_THE_STORE) else Address.parse(event_log)


def load() -> Settings:
    """The settings of this run. Raises Trouble for a value that cannot be right."""
    env = FileAwareEnv()
    try:
        with env.prefixed("PAILU_"):
            settings = Settings(
                data=env.path("DATA", Path("var")),
                mongo_url=env.str("MONGO_URL", "") or None,
                kafka=_kafka(env.str("EVENT_LOG", IN_THE_STORE)),
                bind=env.str("BIND", "") or None,
                given_secret=env.str("TOKEN_SECRET", "").strip() or None,
                log_level=env.str("LOG_LEVEL", "INFO").upper(),
                proxies=_proxies(env.list("TRUSTED_PROXY", [])),
            )
    except AddressWrong as wrong:
        raise Trouble(
            f"PAILU_EVENT_LOG cannot be used: {wrong}", f"PAILU_EVENT_LOG 有误：{wrong.url}；应为 kafka://主机:端口"
        ) from wrong
    except (EnvError, OSError, ValueError) as error:
        raise Trouble(f"a setting cannot be used: {error}", f"设置有误：{error}") from error
    if settings.log_level not in LEVELS:
        allowed = ", ".join(LEVELS)
        raise Trouble(
            f"PAILU_LOG_LEVEL is {settings.log_level!r}; it takes {allowed}",
            f"PAILU_LOG_LEVEL 为 {settings.log_level!r}；可用：{allowed}",
        )
    if settings.given_secret is not None and len(settings.given_secret.encode()) < SECRET_BYTES:
        raise Trouble(
            f"PAILU_TOKEN_SECRET is too short: give at least {SECRET_BYTES} bytes",
            f"PAILU_TOKEN_SECRET 太短：至少 {SECRET_BYTES} 字节",
        )
    return settings


def token_secret(settings: Settings) -> str:
    """The secret that tokens are signed with. Raises Trouble where there is none yet."""
    if settings.given_secret is not None:
        return settings.given_secret
    try:
        secret = settings.secret_file.read_text(encoding="ascii").strip()
    except FileNotFoundError as error:
        raise Trouble(
            f"there is no {settings.secret_file} yet: start Pailu first (make run), or name its folder in PAILU_DATA",
            f"没有 {settings.secret_file}：请先启动（make run），或用 PAILU_DATA 指明数据目录",
        ) from error
    except (OSError, ValueError) as error:
        raise Trouble(
            f"{settings.secret_file} cannot be read: {error}", f"无法读取 {settings.secret_file}：{error}"
        ) from error
    if len(secret) < SECRET_BYTES:
        raise Trouble(
            f"{settings.secret_file} is damaged: remove it, and start Pailu to make a new one (old tokens end)",
            f"{settings.secret_file} 已损坏：请删除后重新启动，将生成新的（旧令牌失效）",
        )
    return secret


def make_token_secret(settings: Settings) -> str:
    """The secret, made once and readable by its owner alone where none is given."""
    if settings.given_secret is None and not settings.secret_file.exists():
        fresh = settings.data / f".token-secret.{os.getpid()}"
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(SECRET_BYTES) + "\n")
        try:
            os.link(fresh, settings.secret_file)  # whole or not at all, and the first of two starts wins
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
    return token_secret(settings)
