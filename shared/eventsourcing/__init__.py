"""The event-sourcing kernel. Read in this order:

``clock`` → ``records`` (commit, envelope, canonical bytes) → ``ports`` (what a store and a log must do) →
``handling`` (load, decide, append) → ``portion`` (several commands in one go) → ``relay`` (commits become positions) →
``consumer`` (a log is followed, poison is held) → ``projector`` and ``policy`` (the two things that follow a log) →
``timers`` (what follows the clock) → ``generations`` (blue/green rebuild) → ``engine`` (one service's parts, wired).
``memory``, ``mongo`` and ``kafka`` are the adapters; ``committed`` reads the commits as a log.

Every moving part is a step function: one bounded piece of work a call, with clock, store and log injected, that
returns how much it did. Threads and processes only call steps (``workers``).
"""
