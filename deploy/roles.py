"""`pailu roles`: the table of every endpoint against every role, as the endpoints declare their rights."""

from __future__ import annotations

import re
from collections.abc import Mapping

import click
import flask

from deploy import front
from deploy.names import NAMES
from deploy.wiring import PARTS
from shared.cli.language import say
from shared.eventsourcing.clock import SystemClock
from shared.eventsourcing.memory import MemoryCommits, MemoryDocuments, MemoryJournal, MemoryLog
from shared.eventsourcing.ports import EventLog, Ports
from shared.eventsourcing.workers import poll_until
from shared.privacy.secrets import MemorySecrets
from shared.web.context import Service
from shared.web.identity import ROLES
from shared.web.rights import Endpoint, Rights, endpoints

CHIEF = "chief referee"
CALLERS: Mapping[str, str] = {
    "organiser": ROLES["organiser"],
    "leader": ROLES["leader"],
    "referee": ROLES["referee"],
    CHIEF: "裁判长",
    "committee": ROLES["committee"],
    "auditor": ROLES["auditor"],
    "operator": ROLES["operator"],
    "no token": "无令牌",
    "expired": "令牌过期",
    "other competition": "他赛令牌",
    "other team": "他队领队",
}
"""The table's columns, in English and Chinese: roles, the leader of the team concerned; then what a token may lack."""
YES, OWN, NARROWED, NEEDED, REFUSED, NOBODY = "✓", "own", "own part", "401", "403", "·"

HEAD = """\
# Who may do what

Written by `pailu roles > docs/roles.md` from the rights that the endpoints declare; `tests/e2e/test_roles.py` asks the
services every cell. Addresses are under the service's name.

| cell | means |
|---|---|
| ✓ | answered |
| own | a leader is answered for the own team, and refused (403) for any other |
| own part | a leader is answered with what concerns the own team, and nothing else |
| 401, 403 | refused: no token that holds; not this role's, this competition's, or this team's |
| · | there is no such case |

A token for one competition is refused in every other, and where all competitions are concerned. A rule may still refuse
whom a role would allow: two people for deposits and places, no judge in one's own cause.
"""


@click.command(help=say("Print who may use which endpoint, as a table.", "输出各接口与各角色的权限表。"))
def roles() -> None:
    """Print the table."""
    click.echo(page(), nl=False)


def page() -> str:
    """The table of all services, in Markdown."""
    services = _services()
    parts = [HEAD]
    for name, service in services.items():
        parts.append(f"\n## {NAMES[name][0]} {name}\n\n{table(PARTS[name].app(service))}")
    parts.append(f"\n## 入口 the address of all\n\n{table(front.front(services, 'pailu'))}")
    return "".join(parts)


def table(app: flask.Flask) -> str:
    """One app's table."""
    rows = [["", *(f"{name}<br>{zh}" for name, zh in CALLERS.items())], ["---", *("---" for _ in CALLERS)]]
    for endpoint in sorted(endpoints(app), key=lambda e: (e.path, e.method)):
        rows.append([f"`{endpoint.method} {shown(endpoint)}`", *(cell(endpoint.rights, caller) for caller in CALLERS)])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def shown(endpoint: Endpoint) -> str:
    """The address as OpenAPI writes it."""
    return re.sub(r"<(?:[^:<>]+:)?(\w+)>", r"{\1}", endpoint.path)


def cell(rights: Rights | None, caller: str) -> str:
    """What a caller is answered. Raises ValueError for rights that nobody has declared."""
    if rights is None:
        raise ValueError("an endpoint without declared rights")
    if rights.roles is None:
        return YES
    if caller in ("no token", "expired"):
        return NEEDED
    if caller == "other competition":
        return REFUSED
    if caller == "other team":
        return {"own": REFUSED, "narrowed": NARROWED, "any": YES}[rights.leader] if "leader" in rights.roles else NOBODY
    if caller == "leader" and "leader" in rights.roles:
        return {"own": OWN, "narrowed": NARROWED, "any": YES}[rights.leader]
    role = "referee" if caller == CHIEF else caller
    allowed = role in rights.roles and not (caller == "referee" and rights.chief)
    return YES if allowed else REFUSED


def _services() -> dict[str, Service]:
    """The services on ports of their own in memory: nothing is asked of them but what they answer to."""
    log, secrets = MemoryLog(), MemorySecrets()
    return {name: PARTS[name].service(_ports(log), secrets, "nobody signs with it, thirty-two bytes") for name in NAMES}


def _ports(log: EventLog) -> Ports:
    return Ports(
        clock=SystemClock(),
        commits=MemoryCommits(),
        journal=MemoryJournal(),
        log=log,
        documents=MemoryDocuments(),
        wait_until=poll_until,
        holder="roles",
    )
