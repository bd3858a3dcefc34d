"""Procfile and compose file start every service's two processes with commands and settings that exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from honcho.environ import parse_procfile

from deploy.names import NAMES
from deploy.processes import PORTS
from shared.cli import settings
from shared.cli.main import pailu
from shared.eventsourcing.kafka.address import Address

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = set(re.findall(r"^\| (PAILU_[A-Z_]+) ", settings.__doc__ or "", re.MULTILINE))


def procfile() -> dict[str, list[str]]:
    """Name to words, as honcho reads it."""
    processes = parse_procfile((ROOT / "Procfile").read_text(encoding="utf-8")).processes
    return {name: shlex.split(command) for name, command in processes.items()}


def parsed(words: list[str]) -> click.Context:
    """What click makes of a command's words. Raises click.UsageError."""
    command = pailu.get_command(click.Context(pailu), words[0])
    assert command is not None, words
    return command.make_context(words[0], words[1:], resilient_parsing=False)


def check(kind: str, words: list[str], port: str) -> tuple[str, str]:
    context = parsed(words)
    if kind == "serve":
        assert context.params["bind"].endswith(f":{PORTS[context.params['name']]}")
        assert port == "" or port == f"127.0.0.1:{PORTS[context.params['name']]}:{PORTS[context.params['name']]}"
    return kind, context.params["name"]


EVERYTHING = {(kind, name) for kind in ("serve", "work") for name in NAMES}


def test_the_procfile_starts_a_store_a_kafka_and_both_processes_of_every_service() -> None:
    processes = procfile()
    found = set()
    for words in processes.values():
        if words[0] != "env":
            assert words[0] == "pailu"
            parsed(words[1:])
            continue
        at = words.index("pailu")
        given = dict(word.split("=", 1) for word in words[1:at])
        assert given.keys() <= SETTINGS
        assert Address.parse(given["PAILU_EVENT_LOG"]).servers == ("127.0.0.1:9092",)
        assert given["PAILU_MONGO_URL"].startswith("mongodb://127.0.0.1:27017/")
        found.add(check(words[at + 1], words[at + 1 :], ""))
    assert found == EVERYTHING
    assert {"store", "kafka"} < processes.keys()


@pytest.fixture
def compose() -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text(encoding="utf-8"))
    return content


def test_the_compose_file_starts_both_processes_of_every_service(compose: dict[str, Any]) -> None:
    ours = {name: made for name, made in compose["services"].items() if made.get("image") == "pailu"}
    found = {check(made["command"][0], made["command"], *made.get("ports", [""])) for made in ours.values()}
    assert found == EVERYTHING
    for made in ours.values():
        environment = made["environment"]
        assert environment.keys() <= SETTINGS
        host = Address.parse(environment["PAILU_EVENT_LOG"]).servers[0].partition(":")[0]
        assert host in compose["services"]
        assert re.match(r"mongodb://(\w+):", environment["PAILU_MONGO_URL"])[1] in compose["services"]  # type: ignore[index]
        assert set(made["depends_on"]) <= compose["services"].keys()
        assert (ROOT / "deploy" / made["build"]["context"] / made["build"]["dockerfile"]).exists()
    volumes = {volume.partition(":")[0] for made in compose["services"].values() for volume in made.get("volumes", ())}
    assert volumes == compose["volumes"].keys()


def test_the_image_has_what_is_installed_from() -> None:
    lines = (ROOT / "deploy/Dockerfile").read_text(encoding="utf-8").splitlines()
    copied = [word for line in lines if line.startswith("COPY") for word in line.split()[1:-1]]
    assert copied
    assert all((ROOT / name).exists() for name in copied)
