"""The course of a competition through its stages: what was drawn, what is to be played next, and who ended where.

What a stage takes from the one before it is what the regulation says (`stages.StageTerms.source`).
"""

from shared.rules.formats.course.places import Placed, places
from shared.rules.formats.course.planned import planned_rounds
from shared.rules.formats.course.run import course, entrants_of, next_round
from shared.rules.formats.course.values import Course, CourseMatch, CourseRound, Played

__all__ = [
    "Course",
    "CourseMatch",
    "CourseRound",
    "Placed",
    "Played",
    "course",
    "entrants_of",
    "next_round",
    "places",
    "planned_rounds",
]
