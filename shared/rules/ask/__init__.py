"""Questions in, answers out, without a server (RECORDS, `pailu ask`): a line in, a line out, or one dictionary each.

`answer` finds the regulation and the game's handler; what a handler does with a question is in the game's own `ask.py`.
"""

from shared.rules.ask.answer import ASKS, answer
from shared.rules.ask.lines import answer_line, refused_line

__all__ = ["ASKS", "answer", "answer_line", "refused_line"]
