"""The least that could take a hand over HTTP: a Flask route that inserts one document durably, in the same gunicorn
with the same settings, over a store of the same kind with the same indexes. `python -m tests.bench.bare MONGO_URL`"""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import click
import flask
from gunicorn.app.base import BaseApplication

from deploy.connections import reading_bodies
from deploy.server import HTTP
from shared.eventsourcing.mongo import READ_CONCERN, WRITE_CONCERN, MongoCommits, commit_document, connect
from tests.bench import toy


def app(mongo_url: str) -> flask.Flask:
    """One route, one insert."""
    database = connect(mongo_url)["bare"]
    MongoCommits(database)  # makes the same indexes
    hands = database.get_collection("commits", write_concern=WRITE_CONCERN, read_concern=READ_CONCERN)
    sample = commit_document(toy.commit("sample", 1, [toy.played(1)]))
    numbers = itertools.count(1)
    made = flask.Flask("bare")

    @made.post("/hands")
    def hand() -> Any:
        body, number = flask.request.get_json(), next(numbers)
        own = {"_id": f"s@{number}", "stream": "s", "first": number, "command": f"k{number}", "stamp": number}
        hands.insert_one(sample | own | {"hand": body["hand"]})
        return {"hand": body["hand"]}, 201

    return made


class Server(BaseApplication):
    """gunicorn as `pailu up` runs it."""

    def __init__(self, mongo_url: str, ready_file: Path) -> None:
        self._mongo_url = mongo_url
        self._ready_file = ready_file
        super().__init__()

    def load_config(self) -> None:
        settings = {**HTTP, "workers": 1, "bind": "127.0.0.1:0", "post_worker_init": self._ready, "loglevel": "warning"}
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        return reading_bodies(app(self._mongo_url))

    def _ready(self, worker: Any) -> None:
        port = worker.sockets[0].sock.getsockname()[1]
        self._ready_file.write_text(json.dumps({"url": f"http://127.0.0.1:{port}"}), encoding="utf-8")


@click.command()
@click.argument("mongo_url")
@click.option("--ready-file", type=click.Path(path_type=Path), required=True)
def main(mongo_url: str, ready_file: Path) -> None:
    Server(mongo_url, ready_file).run()


if __name__ == "__main__":
    main()
