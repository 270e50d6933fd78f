"""Array aliases and the protocols that bodies, joints, loads and contacts share.

`Item`, `Body` and `Constraint` are what a system is made of, with the answers that each must give.
`Answers` are those that an item may give in addition; without one it adds nothing to that sum.
"""

from fecontact.typing.answers import Answers, supporting, supports
from fecontact.typing.arrays import Chosen, Complexes, Floats, Integers, Level, Tangents
from fecontact.typing.items import Body, Constraint, Item, Rows

__all__ = [
    "Answers",
    "Body",
    "Chosen",
    "Complexes",
    "Constraint",
    "Floats",
    "Integers",
    "Item",
    "Level",
    "Rows",
    "Tangents",
    "supporting",
    "supports",
]
