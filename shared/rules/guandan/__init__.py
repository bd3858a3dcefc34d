"""掼蛋: plays with wild cards, levels, and the replay of a hand.

| room              | what is in it                                                                        |
|-------------------|--------------------------------------------------------------------------------------|
| `cards.py`        | cards in the notation of RECORDS, their encoding as one integer, their order         |
| `patterns.py`     | every play made of natural cards: kind, deciding rank, ranks                         |
| `readings.py`     | what cards can be read as under a level; strengths as integers; beating              |
| `plays.py`        | classify, compare, beats: questions about plays                                      |
| `levels.py`       | levels from the order of going out, A, the final's failures                          |
| `record.py`       | a hand record as typed data, and where it is wrong                                   |
| `turns.py`        | whose turn it is, rounds of play, 接风                                                |
| `replay.py`       | a record replayed: breaches, order of going out, levels                              |
| `verdict.py`      | what a replayed hand comes to with its penalties                                     |
| `penalties.py`    | what a breach costs by how often it happened                                         |
| `charges.py`      | the penalties of a match as levels to the opponents, or the match                    |
| `deal.py`         | who turns a card, draws and leads the next hand                                      |
| `sheet.py`        | a hand as it is entered at the table                                                 |
| `matches.py`      | hands summed to a match, and its result by stage and time                            |
| `results.py`      | what a match came to: played out, on time, forfeited, awarded                        |
| `moves.py`        | the plays that a hand can make                                                       |
| `random_hands.py` | complete hands drawn from a seed, legal or with one breach                           |
| `ask.py`          | the questions of `pailu ask`                                                         |

Seats are 1 to 4 in order of play; the pairs are "13" and "24". Everything a regulation decides is read from its preset.
"""
