"""Array aliases and the protocols that bodies, joints, loads and contacts share.

`Item`, `Body` and `Constraint` are what a system is made of, with the answers that each must give.
`Answers` are those that an item may give in addition; without one it adds nothing to that sum.
"""

from fecontact.typing.answers import Answers, supporting, supports
from fecontact.typing.arrays import Chosen, Complexes, Floats, Integers, Level, Tangents
from fecontact.typing.contacts import (
    Bristling,
    Contact,
    ContactReport,
    ContactStatus,
    History,
    Stateful,
    StatefulRate,
    StatefulStart,
    StatefulStep,
    StatefulTangents,
)
from fecontact.typing.items import Body, Constraint, Item, OneSided, Rows

__all__ = [
    "Answers",
    "Body",
    "Bristling",
    "Chosen",
    "Complexes",
    "Constraint",
    "Contact",
    "ContactReport",
    "ContactStatus",
    "Floats",
    "History",
    "Integers",
    "Item",
    "Level",
    "OneSided",
    "Rows",
    "Stateful",
    "StatefulRate",
    "StatefulStart",
    "StatefulStep",
    "StatefulTangents",
    "Tangents",
    "supporting",
    "supports",
]
