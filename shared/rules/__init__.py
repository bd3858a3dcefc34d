"""The rules: pure functions of a regulation and of facts; no clock, no chance, no files but the presets.

| room                | what is in it                                                                            |
|---------------------|------------------------------------------------------------------------------------------|
| `regulations/`      | one YAML a regulation, every value with article and mark; the typed preset and its errors |
| `cards.py`          | the notation of cards and their codes                                                     |
| `adjudication.py`   | a hand record refereed for those who enter hands; `findings.py`: what they are told         |
| `verdict.py`        | what a refereed hand comes to, and how its levels add up                                  |
| `records.py`        | what the hand records of every game have in common                                        |
| `shengji/`          | 升级 and 拖拉机: order, components, leads, follows, throws, tricks, kitty, trumps, deals,   |
|                     | levels, penalties, facts of a match and their re-summing, match results                   |
| `board/`            | 象棋 and 围棋: a game as it is entered, its match points                                    |
| `guandan/`          | 掼蛋: plays with wild cards, turns, replay, levels, penalties, random hands               |
| `ask/`              | questions about the rules and their answers; each game's own are in its `ask.py`          |
| `formats/`          | competition and union files, draws, pairing, stages, standings, totals, prizes, reports   |
| `entries/`          | who may enter: every check of a team, the papers, who lapses                              |
| `deadlines.py`      | local times as instants, and what is in time                                              |
| `unfinished.py`     | the hand that is in play when time is called                                              |
| `appeals.py`        | the window of an appeal, its lodging, its deposit                                         |
| `dice.py`           | chance from a seed, for hands drawn at random only                                        |
| `basis.py`          | article, mark, and the value that carries them                                            |
| `errors.py`         | every refusal, with its code                                                              |
"""
