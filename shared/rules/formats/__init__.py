"""How a competition is drawn, paired, ranked and awarded.

| rule                               | room |
|------------------------------------|------------------------------------------------------------|
| files, and what they hold          | `competition.py`, `union.py`, `reading.py`, `exact.py`, `trf/` |
| rounds as they went                | `history.py`, `counts.py`, `row.py` |
| draws and lots                     | `draws.py`, `drawing.py`, `arrange.py`, `draw_file.py`, `lots.py` |
| 瑞士制, how many rounds            | `swiss/`, `rounds.py` |
| 淘汰赛, 循环赛, matches for places | `bracket.py`, `knockout.py`, `elimination.py`, `berger.py` |
| stage after stage                  | `stages.py`, `course/` |
| the articles that decisions name   | `articles.py` |
| a pairing repeated                 | `pairing_file.py` |
| a match at several tables          | `table_match.py`, `boards.py` |
| 名次                               | `standings.py`, `bracket_standings.py`, `crosstable.py` |
| 总得分, and what parts equal teams | `total.py`, `tiebreaks.py`, `opponents.py` |
| 团体总分                           | `totals.py`, `union_facts.py` |
| 奖励                               | `awards.py`, `prizes.py` |
| which articles an act rests on     | `articles.py` |
| whole competitions at random       | `simulation/` |
"""
