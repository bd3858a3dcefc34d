"""Whole competitions of every regulation, played while everything is killed in turn, and once more undisturbed: at the
end standings, ledger and appeals are the same. In reading order: `desks` (how people reach the services), `course` (a
competition from its announcement to its places), `regulations` (what each does of its own), `phones` (what referees
send from the hall), `faults` (who is killed when), `canonical` (what is compared), `run`."""
