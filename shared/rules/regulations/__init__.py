"""Regulations: one YAML each, every value with its article and mark, read into a typed `Preset`.

| what                          | room                                                                      |
|-------------------------------|---------------------------------------------------------------------------|
| a regulation                  | `jimei-2018.yaml` and its like                                            |
| the values of 升级 and 拖拉机 | `preset/`: `entry.py`, `match.py`, `play.py`, `levels.py`, `dealing.py` … |
| the values of 掼蛋            | `guandan.py`                                                              |
| values of both                | `eligibility.py`, `papers.py`, `tie_break_terms.py`                       |
| what may stand in it          | `schema.py`; what does not fit: `misfits.py`, `guandan_fit.py`            |
| reading it                    | `loader.py`; as events name it: `reference.py`                            |
| an organiser's own values     | `changes.py`; in a copied file: `departures.py`                           |
| showing it                    | `describe.py`; what may surprise: `cautions.py`                           |
"""

from shared.rules.regulations.changes import changed, digest, values_told
from shared.rules.regulations.describe import Described, describe
from shared.rules.regulations.guandan import GuandanPreset
from shared.rules.regulations.loader import all_names, load, load_any, names
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset

__all__ = [
    "AnyPreset",
    "Described",
    "GuandanPreset",
    "Preset",
    "all_names",
    "changed",
    "describe",
    "digest",
    "load",
    "load_any",
    "names",
    "values_told",
]
