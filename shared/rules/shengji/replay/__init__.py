"""A hand record replayed: who won what, which breaches there were and what they cost, and what the hand changes.

| room           | what is in it                                                          |
|----------------|------------------------------------------------------------------------|
| `table.py`     | the hands as they are played out, and the breaches taken down          |
| `acts.py`      | what can be wrong with any play: turn, time, cards that were not held  |
| `leads.py`     | what is wrong with a lead                                              |
| `follows.py`   | what is wrong with an answer                                           |
| `incidents.py` | what the referee entered                                               |
| `run.py`       | trick after trick, and the sum                                         |
"""

from shared.rules.shengji.replay.run import PlayedTrick, Replayed, replay, replay_record

__all__ = ["PlayedTrick", "Replayed", "replay", "replay_record"]
