"""The shape of a regulation: every value that the engines read, each with its article and mark.

A preset is data. Engines take it as their first argument and ask it, and never ask its name. Amounts: points are
integers, money is fen (分), durations are minutes or hours as the field says, dates and times are local to `zone`.

| section                                                   | room           |
|-----------------------------------------------------------|----------------|
| types of values                                           | `values.py`    |
| `dates`, `entry`                                          | `entry.py`     |
| `match`                                                   | `match.py`     |
| `cards`, `tractors`, `follow`, `throws`, `ruffs`, `kitty` | `play.py`      |
| `conduct`                                                 | `conduct.py`   |
| `levels`                                                  | `levels.py`    |
| `trump`, `deal`                                           | `dealing.py`   |
| `claims`, `penalties`                                     | `penalties.py` |
| `standings`, `awards`, `union`                            | `places.py`    |
| `appeals`                                                 | `appeals.py`   |
| `draws`, `stages`, `knockout`                             | `stages.py`    |
| `boards`                                                  | `boards.py`    |
| all of them: `Preset`                                     | `shengji.py`   |
"""

from shared.rules.regulations.preset.appeals import Appeals, DepositOutcome, Refunds
from shared.rules.regulations.preset.boards import BoardPoints, Boards, Way, terms_of_event
from shared.rules.regulations.preset.conduct import Conduct
from shared.rules.regulations.preset.dealing import Deal, Showing, Trump, Until
from shared.rules.regulations.preset.entry import Ages, Dates, Entry, LargeUnits, Session
from shared.rules.regulations.preset.levels import AttackerBand, Beyond, DealerBand, LevelTable
from shared.rules.regulations.preset.match import Match, MatchPoints, RoundsBand
from shared.rules.regulations.preset.penalties import Charge, Claims, Effect, Halves, LevelsPer
from shared.rules.regulations.preset.places import Awards, Prize, Standings, TotalScore, Union
from shared.rules.regulations.preset.play import Cards, Follow, Kitty, Multipliers, Ruffs, Throws, Tractors
from shared.rules.regulations.preset.shengji import Preset
from shared.rules.regulations.preset.stages import Draws, FirstRound, Knockout, Stage, Takes
from shared.rules.regulations.preset.values import Count, Level, LocalTime, Positive, Span

__all__ = [
    "Ages",
    "Appeals",
    "AttackerBand",
    "Awards",
    "Beyond",
    "BoardPoints",
    "Boards",
    "Cards",
    "Charge",
    "Claims",
    "Conduct",
    "Count",
    "Dates",
    "Deal",
    "DealerBand",
    "DepositOutcome",
    "Draws",
    "Effect",
    "Entry",
    "FirstRound",
    "Follow",
    "Halves",
    "Kitty",
    "Knockout",
    "LargeUnits",
    "Level",
    "LevelTable",
    "LevelsPer",
    "LocalTime",
    "Match",
    "MatchPoints",
    "Multipliers",
    "Positive",
    "Preset",
    "Prize",
    "Refunds",
    "RoundsBand",
    "Ruffs",
    "Session",
    "Showing",
    "Span",
    "Stage",
    "Standings",
    "Takes",
    "Throws",
    "TotalScore",
    "Tractors",
    "Trump",
    "Union",
    "Until",
    "Way",
    "terms_of_event",
]
