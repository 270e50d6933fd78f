"""Array aliases and the protocols that bodies, joints, loads and contacts share.

`Item`, `Body` and `Constraint` are what a system is made of. The protocols `Has...` are answers
that an item may give in addition; an item without them contributes nothing to that sum.
"""

from fecontact.typing.answers import (
    HasDissipation,
    HasElasticForce,
    HasEnergy,
    HasEvaluate,
    HasKineticEnergy,
    HasMass,
    HasMomentum,
    HasRotation,
    HasStrainEnergy,
    HasSupply,
    HasTerms,
    HasValidity,
)
from fecontact.typing.arrays import Chosen, Complexes, Floats, Integers, Level, Tangents
from fecontact.typing.contacts import (
    Bristling,
    Contact,
    ContactReport,
    ContactStatus,
    HasMemory,
    HasSliding,
    History,
    MemoryFlow,
    MemoryStart,
    MemoryStep,
    MemoryTangents,
)
from fecontact.typing.items import Body, Constraint, HasTimeBias, Item, OneSided, Rows

__all__ = [
    "Body",
    "Bristling",
    "Chosen",
    "Complexes",
    "Constraint",
    "Contact",
    "ContactReport",
    "ContactStatus",
    "Floats",
    "HasDissipation",
    "HasElasticForce",
    "HasEnergy",
    "HasEvaluate",
    "HasKineticEnergy",
    "HasMass",
    "HasMemory",
    "HasMomentum",
    "HasRotation",
    "HasSliding",
    "HasStrainEnergy",
    "HasSupply",
    "HasTerms",
    "HasTimeBias",
    "HasValidity",
    "History",
    "Integers",
    "Item",
    "Level",
    "MemoryFlow",
    "MemoryStart",
    "MemoryStep",
    "MemoryTangents",
    "OneSided",
    "Rows",
    "Tangents",
]
