"""升级 and 拖拉机: play, levels, penalties, a match summed, and the replay of a hand.

| rule                                      | room |
|-------------------------------------------|------------------------------------------------------------|
| the order of cards, tractors' steps, 隔拖 | `order.py` |
| cards with points                         | `points.py` |
| singles, pairs, tractors; what was led    | `components.py`, `led.py`, `hand.py` |
| 跟牌: suit, pairs, tractors due           | `follow.py`; what was kept back: `withheld.py` |
| 甩牌                                      | `throws.py` |
| who wins a trick, 将吃, 毙                | `trick.py`; who made each play: `turns.py` |
| 抠底, 保底                                | `kitty.py` |
| 升级, 封顶, 必打 A                        | `levels.py`; when a penalty moves the deal: `moved_deal.py` |
| 亮主, 加固, 反主, the kitty's trump       | `trumps.py`; as a record has them: `showings.py` |
| who deals, 轮庄, 抢庄                     | `deal.py` |
| 罚分                                      | `penalties.py`; by the referee: `referee.py`; as claimed: `claims.py` |
| a match summed, its result                | `facts.py`, `sheet.py`, `match.py`, `results.py`, `gained.py` |
| after a decision                          | `remedies.py` |
| a hand record read                        | `record.py`, `dealt.py` |
| a hand record replayed, its breaches      | `replay/`; their price: `irregularities.py`; the sum: `verdict.py` |
| `pailu ask` and its fields                | `ask.py`, `fields.py`, `told.py` |
| hands drawn from a seed                   | `random_hands.py` |

Each module names its articles. Seats are 1 to 4 in order of play; everything a regulation decides is read from its
preset.
"""
