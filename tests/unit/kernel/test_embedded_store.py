"""Guarantee: "Ctrl-C stops all cleanly; a second start finds its data; a port in use, a locked or damaged data
folder get a clear message", and nothing is left behind when the process that started the store dies."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from pymongo.errors import OperationFailure

from deploy.child import PortInUse
from deploy.store import EmbeddedStore, StoreDamaged, StoreDied, StoreLocked
from shared.eventsourcing.mongo import connect
from tests.support.waiting import wait_for


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"


def write(store: EmbeddedStore, name: str) -> None:
    with connect(store.url) as client:
        client["kept"]["things"].insert_one({"_id": name})


def names(store: EmbeddedStore) -> set[str]:
    with connect(store.url) as client:
        return {str(d["_id"]) for d in client["kept"]["things"].find()}


def test_a_second_start_finds_what_was_acknowledged_before_a_stop_and_before_a_kill(store_folder: Path) -> None:
    store = EmbeddedStore(store_folder)
    store.start()
    url = store.url
    write(store, "before stop")
    store.stop()
    assert not store.running()
    store.start()
    write(store, "before kill")
    store.kill()
    with store:
        assert store.url == url
        assert names(store) == {"before stop", "before kill"}


def test_a_folder_in_use_and_a_port_in_use_are_named(store_folder: Path, tmp_path: Path) -> None:
    with EmbeddedStore(store_folder) as first:
        with pytest.raises(StoreLocked, match="another process works on the data folder") as locked:
            EmbeddedStore(store_folder).start()
        assert "busy" in locked.value.log
        with pytest.raises(PortInUse, match=str(first.port)):
            EmbeddedStore(tmp_path / "other", first.port).start()
        write(first, "still there")
        assert names(first) == {"still there"}


@pytest.mark.parametrize("file", ["WiredTiger.turtle", "secantus_collections.wt", "secantus_documents_*.wt"])
def test_a_damaged_folder_is_named(store_folder: Path, file: str) -> None:
    with EmbeddedStore(store_folder) as store:
        write(store, "lost")
    (damaged_file,) = store_folder.glob(file)
    damaged_file.write_bytes(b"\xab" * damaged_file.stat().st_size)
    with pytest.raises(StoreDamaged, match="damaged") as damaged:
        EmbeddedStore(store_folder).start()
    assert damaged.value.log


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(StoreDied, match="cannot be used"):
        EmbeddedStore(tmp_path / "file").start()


def test_a_store_that_ends_by_itself_says_so(store_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EmbeddedStore, "_command", lambda self: [sys.executable, "-c", "raise SystemExit('no luck')"])
    with pytest.raises(StoreDied, match="status 1") as died:
        EmbeddedStore(store_folder).start()
    assert "no luck" in died.value.log


PARENT = """
import sys, time
from pathlib import Path
from deploy.store import EmbeddedStore
store = EmbeddedStore(Path(sys.argv[1]))
store.start()
print(store.pid, store.url, flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_the_store_does_not_outlive_the_process_that_started_it(store_folder: Path, end: signal.Signals) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(store_folder)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert parent.stdout is not None
    pid = int(parent.stdout.readline().split()[0])
    assert alive(pid)
    assert os.getsid(pid) == pid, "the terminal's Ctrl-C must reach the parent alone"
    parent.send_signal(end)
    parent.wait()
    parent.stdout.close()
    wait_for(lambda: not alive(pid))


WRITER = """
import sys, threading
from shared.eventsourcing.mongo import connect
client = connect(sys.argv[1])
with client.start_session() as session, session.start_transaction():
    client.kept.things.replace_one({"_id": "row"}, {"_id": "row", "by": "killed"}, session=session)
    print("written", flush=True)
    threading.Event().wait()
"""


def test_what_a_killed_process_had_half_written_is_undone_and_others_write_on(store_folder: Path) -> None:
    with EmbeddedStore(store_folder) as store, connect(store.url) as client:
        things = client["kept"]["things"]
        things.insert_one({"_id": "row", "by": "nobody"})
        writer = subprocess.Popen([sys.executable, "-c", WRITER, store.url], stdout=subprocess.PIPE)
        assert writer.stdout is not None
        writer.stdout.readline()
        writer.kill()
        writer.communicate()

        def written() -> bool:
            with contextlib.suppress(OperationFailure), client.start_session() as session, session.start_transaction():
                return (
                    things.replace_one({"_id": "row", "by": "nobody"}, {"by": "us"}, session=session).matched_count > 0
                )
            return False

        wait_for(written, 30.0)  # the store itself would let it stand for a minute
