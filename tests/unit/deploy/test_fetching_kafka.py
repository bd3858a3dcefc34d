"""Guarantee: "Where Java or Maven is missing, `make kafka` installs them with apt-get when it can, or says exactly what
to install." deploy/kafka.sh among commands that only note how they were called."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
TOOLS = ("sh", "sed", "head", "grep", "dirname", "rm", "mkdir", "touch", "cp")
"""What the script may call besides: the machine's own."""
JAVA = "echo 'openjdk version \"{}\"' >&2"
MAVEN = 'mkdir -p .kafka/libs; echo "mvn $*" >> calls'


@dataclass
class Machine:
    """A folder with the script, and the only commands that it finds."""

    folder: Path

    def command(self, name: str, does: str) -> None:
        path = self.folder / "bin" / name
        path.write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
        path.chmod(0o755)

    def run(self) -> subprocess.CompletedProcess[str]:
        script = [str(self.folder / "bin/sh"), "deploy/kafka.sh"]
        path = {"PATH": str(self.folder / "bin")}
        return subprocess.run(script, cwd=self.folder, env=path, capture_output=True, text=True, check=False)

    def calls(self) -> list[str]:
        noted = self.folder / "calls"
        return noted.read_text(encoding="utf-8").splitlines() if noted.exists() else []

    def ready(self) -> bool:
        return (self.folder / ".kafka/.ready").exists()


@pytest.fixture
def machine(tmp_path: Path) -> Callable[..., Machine]:
    """One with these versions of Java and Maven, where the person is `user`."""

    def make(java: str | None, maven: bool, user: int, offered: int = 17) -> Machine:
        made = Machine(tmp_path)
        (tmp_path / "bin").mkdir()
        (tmp_path / "deploy").mkdir()
        for name in ("kafka.sh", "kafka.xml"):
            shutil.copy(ROOT / "deploy" / name, tmp_path / "deploy")
        for tool in TOOLS:
            (tmp_path / "bin" / tool).symlink_to(str(shutil.which(tool)))
        made.command("id", f"echo {user}")
        made.command("apt-cache", f'[ "$2" = openjdk-{offered}-jre-headless ]')
        if java:
            made.command("java", JAVA.format(java))
        if maven:
            made.command("mvn", MAVEN)
        return made

    return make


def installs(machine: Machine) -> None:
    """apt-get, as the distribution's: it puts there what it is told to."""
    machine.command("java.deb", JAVA.format("21.0.5"))
    machine.command("mvn.deb", MAVEN)
    unpack = (
        'case "$*" in *openjdk*) cp bin/java.deb bin/java;; esac; case "$*" in *maven*) cp bin/mvn.deb bin/mvn;; esac'
    )
    machine.command("apt-get", f'echo "apt-get $*" >> calls; [ "$1" = update ] || {{ {unpack}; }}')


def test_with_both_it_fetches_and_installs_nothing(machine: Callable[..., Machine]) -> None:
    here = machine("17.0.15", maven=True, user=1000)
    assert here.run().returncode == 0
    [fetched] = here.calls()
    assert fetched.startswith("mvn ")
    assert "deploy/kafka.xml" in fetched
    assert here.ready()


@pytest.mark.parametrize(
    ("java", "maven", "offered", "missing"),
    [
        (None, False, 17, "openjdk-17-jre-headless maven"),
        (None, True, 17, "openjdk-17-jre-headless"),
        ("21.0.5", False, 17, "maven"),
        ("1.8.0_402", True, 17, "openjdk-17-jre-headless"),
        ("11.0.22", True, 21, "openjdk-21-jre-headless"),
    ],
)
def test_a_person_is_told_exactly_what_to_type(
    machine: Callable[..., Machine], java: str | None, maven: bool, offered: int, missing: str
) -> None:
    here = machine(java, maven=maven, user=1000, offered=offered)
    installs(here)
    done = here.run()
    assert done.returncode == 1
    assert done.stderr.rstrip().endswith(f"sudo apt-get install {missing}")
    assert here.calls() == []
    assert not here.ready()


def test_root_has_installed_what_is_missing_and_goes_on(machine: Callable[..., Machine]) -> None:
    here = machine("11.0.22", maven=False, user=0, offered=21)
    installs(here)
    done = here.run()
    assert done.returncode == 0, done.stderr
    update, install, fetched = here.calls()
    assert update.startswith("apt-get update")
    assert install.split()[-2:] == ["openjdk-21-jre-headless", "maven"]
    assert fetched.startswith("mvn ")
    assert here.ready()


def test_root_where_nothing_could_be_installed_is_told_as_well(machine: Callable[..., Machine]) -> None:
    here = machine(None, maven=True, user=0)
    here.command("apt-get", 'echo "apt-get $*" >> calls')
    done = here.run()
    assert done.returncode == 1
    assert done.stderr.rstrip().endswith("sudo apt-get install openjdk-17-jre-headless")
    assert not here.ready()
