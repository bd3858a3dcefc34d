"""Field by field, what each role sees of each service: `seen.txt` is the list that somebody looked at and approved.

A new field stands in no answer unseen. `python -m tests.e2e.test_seen` writes the list anew, to be read before it is
committed: birth date, identity number and phone stand beside the organiser, the auditor and the own leader alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.support.site import CALLS, Call, Site
from tests.support.world import World

SEEN = Path(__file__).with_name("seen.txt")
CALLERS: dict[str, dict[str, Any]] = {
    "organiser": {"role": "organiser"},
    "own leader": {"role": "leader"},
    "other leader": {"role": "leader", "team": "杏滨街道"},
    "referee": {"role": "referee"},
    "chief referee": {"role": "referee", "chief": True},
    "committee": {"role": "committee"},
    "auditor": {"role": "auditor"},
    "operator": {"role": "operator"},
    "nobody": {},
}
OPEN = ("/docs", "/livez", "/readyz", "/metrics", "/openapi.json", "/held", "/projection")
PERSONAL = ("born", "identity_number", "phone")


def listed() -> str:
    """The list: each address, and below it who sees which fields."""
    return "".join(
        f"{service} {endpoint}\n"
        + "".join(f"  {_named(who)}: {what}\n" for what, who in _seen(service, endpoint, call).items())
        + "\n"
        for (service, endpoint), call in CALLS.items()
        if endpoint.startswith("GET") and not endpoint[4:].startswith(OPEN)
    )


def _named(who: list[str]) -> str:
    return "everyone" if len(who) == len(CALLERS) else ", ".join(who)


def _seen(service: str, endpoint: str, call: Call) -> dict[str, list[str]]:
    site = call.stage(Site(World()))
    path = f"/{service}{endpoint[4:].format(**site.names())}{call.query}"
    found: dict[str, list[str]] = {}
    for caller, who in CALLERS.items():
        own = {"team": site.unit} if caller == "own leader" else {}
        response = site.world.get(path, **who, **own)
        found.setdefault(_what(response), []).append(caller)
    return found


def _what(response: Any) -> str:
    if response.status_code != 200:
        return f"{response.status_code} {response.get_json()['type'].rpartition('/')[2]}"
    if response.mimetype == "text/event-stream":
        response.close()
        return "a stream of events"
    if response.mimetype != "application/json":
        return f"a file, {response.mimetype}"
    return " ".join(sorted(set(_fields(response.get_json(), ""))))


def _fields(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _fields(each, f"{path}.{key}".lstrip("."))
    elif isinstance(value, list) and value:
        for each in value:
            yield from _fields(each, f"{path}[]")
    else:
        yield path


def test_each_role_sees_what_the_list_says_and_nothing_else() -> None:
    assert listed() == SEEN.read_text("utf-8")


def test_birth_identity_number_and_phone_are_for_the_desk_the_auditor_and_the_own_leader() -> None:
    for line in SEEN.read_text("utf-8").splitlines():
        who, _, fields = line.strip().partition(": ")
        if line.startswith("  ") and {field.rpartition(".")[2] for field in fields.split()} & set(PERSONAL):
            assert set(who.split(", ")) <= {"organiser", "auditor", "own leader"}, line


if __name__ == "__main__":
    SEEN.write_text(listed(), "utf-8")
