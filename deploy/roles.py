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
from shared.web.credentials import Revocations
from shared.web.identity import ROLES
from shared.web.rights import Endpoint, endpoints

CHIEF, TABLE = "chief referee", "one table"
CALLERS: Mapping[str, str] = {
    "organiser": ROLES["organiser"],
    "leader": ROLES["leader"],
    "referee": ROLES["referee"],
    CHIEF: "裁判长",
    TABLE: "本桌令牌",
    "committee": ROLES["committee"],
    "auditor": ROLES["auditor"],
    "operator": ROLES["operator"],
    "no token": "无令牌",
    "expired": "令牌过期",
    "revoked": "令牌已收回",
    "other competition": "他赛令牌",
    "other team": "他队领队",
    "other table": "他桌令牌",
}
"""The table's columns, in English and Chinese: roles, the leader of the team concerned, the credential of
the table concerned; then what a token may lack."""
YES, OWN, NARROWED, NEEDED, REFUSED, NOBODY = "✓", "own", "own part", "401", "403", "·"

HEAD = """\
# Who may do what

Written by `pailu roles > docs/roles.md` from the rights that the endpoints declare; `tests/e2e/test_roles.py` asks the
services every cell. Addresses are under the service's name.

| cell | means |
|---|---|
| ✓ | answered |
| own | a leader is answered for the own team, and refused (403) for any other |
| own part | answered with what concerns the own team, or the own table, and nothing else |
| 401, 403 | refused: no token that holds; not this role's, this competition's, this team's or this table's |
| · | there is no such case |

What is sent to `…/batches` is judged item by item, each as if it had come alone.

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
        rows.append([f"`{endpoint.method} {shown(endpoint)}`", *(cell(endpoint, caller) for caller in CALLERS)])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def shown(endpoint: Endpoint) -> str:
    """The address as OpenAPI writes it."""
    return re.sub(r"<(?:[^:<>]+:)?(\w+)>", r"{\1}", endpoint.path)


def cell(endpoint: Endpoint, caller: str) -> str:
    """What a caller is answered. Raises ValueError for rights that nobody has declared."""
    rights = endpoint.rights
    if rights is None:
        raise ValueError(f"{endpoint.path} declares no rights")
    if rights.roles is None:
        return YES
    if caller in ("no token", "expired", "revoked"):
        return NEEDED
    if caller == "other competition":
        return REFUSED
    if caller in ("leader", "other team"):
        own = caller == "leader"
        if "leader" not in rights.roles:
            return REFUSED if own else NOBODY
        return {"own": OWN if own else REFUSED, "narrowed": NARROWED, "any": YES}[rights.leader]
    if caller in (TABLE, "other table"):
        if rights.parts:
            return YES
        if rights.table == "narrowed":
            return NARROWED
        of_a_match = "referee" in rights.roles and not rights.chief and "<match>" in endpoint.path
        return (YES if caller == TABLE else REFUSED) if of_a_match else REFUSED if caller == TABLE else NOBODY
    role = "referee" if caller == CHIEF else caller
    return YES if role in rights.roles and not (caller == "referee" and rights.chief) else REFUSED


def _services() -> dict[str, Service]:
    """The services on ports of their own in memory: nothing is asked of them but what they answer to."""
    log, secrets = MemoryLog(), MemorySecrets()
    unused = "nobody signs with it, thirty-two bytes"
    return {name: PARTS[name].service(_ports(log), secrets, unused, Revocations()) for name in NAMES}


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
