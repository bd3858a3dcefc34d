"""An Apache Kafka of one's own on this machine: one KRaft node, loopback only, its data in one folder.

For trying the deployment of many processes, and for the tests. A season runs on a cluster of at least three."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import sys
import time
import uuid
from pathlib import Path

import click
from kafka import KafkaAdminClient

from deploy.child import HOST, Child, ChildError, free_port
from deploy.endings import as_ctrl_c
from shared.cli.language import Trouble, say
from shared.cli.settings import load
from shared.eventsourcing.errors import NotNow
from shared.eventsourcing.kafka.address import Address
from shared.eventsourcing.kafka.cluster import asking, client

PORT = 9092
LIBS = Path(__file__).resolve().parents[1] / ".kafka" / "libs"
START = 60.0
STOP = 20.0
"""Seconds that the broker may take to answer, and to stop in order."""

SETTINGS = """\
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@{host}:{controller}
listeners=PLAINTEXT://{host}:{port},CONTROLLER://{host}:{controller}
advertised.listeners=PLAINTEXT://{host}:{port}
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
log.dirs={data}
auto.create.topics.enable=false
log.retention.ms=-1
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=500
broker.heartbeat.interval.ms=300
broker.session.timeout.ms=1500
num.network.threads=2
num.io.threads=4
background.threads=4
log.cleaner.dedupe.buffer.size=8388608
"""
JAVA = ("-Xms128m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")


class KafkaFailed(ChildError):
    """The local Kafka is not there."""


class KafkaMissing(KafkaFailed):
    """Java, or Kafka itself, is not on this machine."""


class LocalKafka(Child):
    """Starts and stops a broker on one data folder. It does not outlive the process `watched` (this one). Besides what
    every child raises, `start` raises KafkaMissing or KafkaFailed."""

    name = "the broker"
    log = "broker.log"
    start_seconds = START
    stop_seconds = STOP

    def __init__(self, folder: Path, port: int = 0, watched: int | None = None) -> None:
        super().__init__(folder, port)
        self._watched = watched or os.getpid()

    @property
    def url(self) -> str:
        return f"kafka://{HOST}:{self.port}"

    @property
    def _settings(self) -> Path:
        return self.folder.resolve() / "server.properties"

    def _prepare(self) -> None:
        java = _java()
        if self.running():
            raise KafkaFailed(f"the broker on {self.folder} runs already")
        data = self.folder.resolve() / "data"
        data.mkdir(parents=True, exist_ok=True)
        settings = SETTINGS.format(host=HOST, port=self.port, controller=free_port(), data=data)
        self._settings.write_text(settings, encoding="utf-8")
        if not (data / "meta.properties").exists():
            self._format(java)

    def _format(self, java: list[str]) -> None:
        """Write the cluster's id into the empty folder."""
        name = base64.urlsafe_b64encode(uuid.uuid4().bytes).rstrip(b"=").decode()
        command = [*java, "kafka.tools.StorageTool", "format", "--cluster-id", name, "--config", str(self._settings)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode:
            raise KafkaFailed(f"{self.folder} cannot be made a Kafka's folder", done.stdout + done.stderr)

    def _command(self) -> list[str]:
        watch = [sys.executable, "-m", "deploy.kafka_process", str(self._watched)]
        return [*watch, *_java(), "kafka.Kafka", str(self._settings)]

    def _answers(self) -> bool:
        """A broker that knows itself."""
        try:
            admin = client(KafkaAdminClient, Address((f"{HOST}:{self.port}",)), patience_ms=200)
            try:
                with asking():
                    return bool(admin.describe_cluster()["brokers"])
            finally:
                admin.close()
        except NotNow:
            return False

    def _failure(self, what: str, last: str) -> ChildError:
        return KafkaFailed(what, last)


@click.command(
    help=say(
        "Start an Apache Kafka of one node on this machine, for trying Pailu over it. Ctrl-C stops it.",
        "在本机启动单节点 Apache Kafka，供试用。按 Ctrl-C 停止。",
    )
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=PORT,
    show_default=True,
    metavar="PORT",
    help=say("Where it listens, on 127.0.0.1; 0 takes a free one.", "监听端口（127.0.0.1）；0 表示任选。"),
)
def kafka(port: int) -> None:
    """Start, say where, wait, stop."""
    folder = load().data / "kafka"
    broker = LocalKafka(folder, port)
    as_ctrl_c()
    try:
        with broker:
            click.echo(say(f"Kafka is ready; data in {folder}.", f"Kafka 已就绪，数据在 {folder}。"))
            click.echo(f"  PAILU_EVENT_LOG={broker.url}")
            click.echo(say("Ctrl-C stops it.", "按 Ctrl-C 停止。"))
            while broker.running():
                time.sleep(0.2)
        raise Trouble(
            f"Kafka has ended by itself; see {folder / broker.log}", f"Kafka 意外退出，见 {folder / broker.log}"
        )
    except ChildError as error:
        raise Trouble(f"{error}\n{error.log}".strip(), f"Kafka 未能启动：{error}\n{error.log}".strip()) from error
    except KeyboardInterrupt:
        click.echo(say(f"Stopped. The data is in {folder}.", f"已停止。数据在 {folder}。"))


def _java() -> list[str]:
    """How Java is called with Kafka's code. Raises KafkaMissing."""
    java = shutil.which("java")
    if java is None:
        raise KafkaMissing("there is no Java: install openjdk-17-jre-headless, or run `make kafka`, which says how")
    if not any(LIBS.glob("kafka_*.jar")):
        raise KafkaMissing(f"there is no Kafka in {LIBS}: `sh deploy/kafka.sh` fetches it")
    return [java, *JAVA, "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", "-cp", f"{LIBS}/*"]
