"""象棋 and 围棋 beside the cards (zhongshan-2013 七（二）, 七（三）): games as entered; no move is known.

| room         | what is in it                                                  |
|--------------|----------------------------------------------------------------|
| `games.py`   | a game as it is entered, and what is wrong with the entry      |
| `results.py` | the match points of a game, which formats and standings take   |
"""
