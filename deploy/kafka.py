"""An Apache Kafka of one's own on this machine: one KRaft node, loopback only, its data in one folder.

For trying the deployment of many processes, and for the tests. A season runs on a cluster of at least three."""

from __future__ import annotations

import base64
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import uuid
from pathlib import Path
from types import TracebackType

import click
from kafka import KafkaAdminClient

from shared.cli.language import Trouble, say
from shared.cli.settings import load
from shared.eventsourcing.errors import NotNow
from shared.eventsourcing.kafka.address import Address
from shared.eventsourcing.kafka.cluster import asking, client

HOST = "127.0.0.1"
PORT = 9092
LIBS = Path(__file__).resolve().parents[1] / ".kafka" / "libs"
LOG = "broker.log"
START = 60.0
STOP = 20.0
"""Seconds that the broker may take to answer, and to stop in order."""
TRIES = 5
"""How many pairs of free ports are tried when another process takes the ones just found."""

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


class KafkaError(Exception):
    """The local Kafka is not there. `log` holds the last lines it wrote."""

    def __init__(self, message: str, log: str = "") -> None:
        super().__init__(message)
        self.log = log


class KafkaMissing(KafkaError):
    """Java, or Kafka itself, is not on this machine."""


class PortInUse(KafkaError):
    """Another program listens on the port."""


class LocalKafka:
    """Starts and stops a broker on one data folder. It does not outlive the process `watched` (this one)."""

    def __init__(self, folder: Path, port: int = 0, watched: int | None = None) -> None:
        """`port` 0: any free one, kept for every later start."""
        self.folder = folder
        self.port = port
        self._controller = 0
        self._chosen = port != 0
        self._watched = watched or os.getpid()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"kafka://{HOST}:{self.port}"

    @property
    def pid(self) -> int | None:
        """The process (and its group) that is the broker, while it runs."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def running(self) -> bool:
        return self.pid is not None

    def start(self) -> None:
        """Start and wait until it answers. Raises KafkaMissing, PortInUse or KafkaError; nothing runs then."""
        for left in reversed(range(TRIES)):
            if not self._chosen:
                self.port = free_port()
            self._controller = free_port()
            try:
                self._start()
            except PortInUse:
                if self._chosen or not left:
                    raise
            else:
                self._chosen = True
                return

    def stop(self) -> None:
        """End it in order, and by force when that takes too long. Does nothing when it is not running."""
        process = self._process
        if process is None:
            return
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(STOP)
            except subprocess.TimeoutExpired:
                self.kill()
        self._process = None

    def kill(self) -> None:
        """End it as a power cut would."""
        process, self._process = self._process, None
        if process is not None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            while _listening(self.port):  # the broker is no child of ours, so its end cannot be waited for
                time.sleep(0.01)

    def __enter__(self) -> LocalKafka:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _start(self) -> None:
        java = _java()
        if self.running():
            raise KafkaError(f"the broker on {self.folder} runs already")
        if _listening(self.port):
            raise PortInUse(f"port {self.port} is in use by another program")
        data, settings = self.folder / "data", self.folder / "server.properties"
        self.folder.mkdir(parents=True, exist_ok=True)
        settings.write_text(
            SETTINGS.format(host=HOST, port=self.port, controller=self._controller, data=data.resolve()),
            encoding="utf-8",
        )
        if not (data / "meta.properties").exists():
            self._format(java, settings)
        with (self.folder / LOG).open("ab") as log:
            begin = log.tell()
            watch = [sys.executable, "-m", "deploy.kafka_process", str(self._watched)]
            self._process = subprocess.Popen(  # noqa: S603
                [*watch, *java, "kafka.Kafka", str(settings)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=_environment(),
                start_new_session=True,  # the terminal's Ctrl-C is for the parent; and a group can be killed as one
            )
        try:
            self._await_answer(begin)
        except BaseException:
            self.kill()
            raise

    def _format(self, java: list[str], settings: Path) -> None:
        """Write the cluster's id into the empty folder."""
        name = base64.urlsafe_b64encode(uuid.uuid4().bytes).rstrip(b"=").decode()
        command = [*java, "kafka.tools.StorageTool", "format", "--cluster-id", name, "--config", str(settings)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode:
            raise KafkaError(f"{self.folder} cannot be made a Kafka's folder", done.stdout + done.stderr)

    def _await_answer(self, begin: int) -> None:
        process = self._process
        assert process is not None
        deadline = time.monotonic() + START
        while not _answers(self.port):
            if process.poll() is not None:
                last = self._last_lines(begin)
                if "Address already in use" in last:
                    raise PortInUse(f"port {self.port} is in use by another program", last)
                raise KafkaError(f"the broker ended; its last lines are in {self.folder / LOG}", last)
            if time.monotonic() > deadline:
                raise KafkaError(f"the broker did not answer within {START:.0f} s", self._last_lines(begin))
            time.sleep(0.05)

    def _last_lines(self, begin: int) -> str:
        with (self.folder / LOG).open("rb") as log:
            log.seek(begin)
            return "\n".join(log.read().decode(errors="replace").strip().splitlines()[-20:])


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
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        with broker:
            click.echo(say(f"Kafka is ready; data in {folder}.", f"Kafka 已就绪，数据在 {folder}。"))
            click.echo(f"  PAILU_EVENT_LOG={broker.url}")
            click.echo(say("Ctrl-C stops it.", "按 Ctrl-C 停止。"))
            while broker.running():
                time.sleep(0.2)
        raise Trouble(f"Kafka has ended by itself; see {folder / LOG}", f"Kafka 意外退出，见 {folder / LOG}")
    except KafkaError as error:
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


def _answers(port: int) -> bool:
    """Whether a broker answers there, and knows itself."""
    try:
        admin = client(KafkaAdminClient, Address((f"{HOST}:{port}",)), patience_ms=200)
        try:
            with asking():
                return bool(admin.describe_cluster()["brokers"])
        finally:
            admin.close()
    except NotNow:
        return False


def free_port() -> int:
    """A port that nobody uses at this moment."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _listening(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.2)
        return probe.connect_ex((HOST, port)) == 0


def _environment() -> dict[str, str]:
    """The child imports this package from wherever the parent has it."""
    root = str(Path(__file__).resolve().parents[1])
    path = os.environ.get("PYTHONPATH")
    return os.environ | {"PYTHONPATH": root if not path else root + os.pathsep + path}


def _interrupt(_signal: int, _frame: object) -> None:
    """Every signal to end is one Ctrl-C."""
    raise KeyboardInterrupt
