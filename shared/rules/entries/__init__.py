"""Entries: may this team play, article by article, and why.

`checks` says of every rule whether it is met, not met, met with a warning, or needs a person's confirmation;
`findings` are those that are not met, empty for an entry that may stand. The rules are the preset's: `terms` reads
them from a regulation of any game. `due` lists the papers of an entry; whether it came in time is `deadlines.in_time`.

| rule                      | room                        |
|---------------------------|-----------------------------|
| who may play, 参赛资格    | `persons.py`, `identity.py` |
| numbers, units, rosters   | `team.py`                   |
| an entry as it was sent   | `form.py`                   |
| the terms of a regulation | `terms.py`                  |
| all checks                | `checks.py`                 |
| papers                    | `documents.py`              |
| who lapses                | `lapses.py`                 |
"""

from shared.rules.entries.checks import checks, findings, honesty
from shared.rules.entries.documents import Due, due, looks_like
from shared.rules.entries.form import Check, CheckStatus, Claimed, Person, Standing, TeamEntry
from shared.rules.entries.lapses import UnitStanding, standing
from shared.rules.entries.terms import Terms, terms

__all__ = [
    "Check",
    "CheckStatus",
    "Claimed",
    "Due",
    "Person",
    "Standing",
    "TeamEntry",
    "Terms",
    "UnitStanding",
    "checks",
    "due",
    "findings",
    "honesty",
    "looks_like",
    "standing",
    "terms",
]
