"""Bases of normal laws, friction laws and friction coefficients.

A law that gives the functions of one point (`contact.laws.point`) has all its forms from here:
arrays, and the addresses by which compiled contacts call it. A law may instead be written in Python
with arrays, by the methods below; contacts with such a law run in the reference backend.
"""

from fecontact.contact.laws.base.friction import (
    FrictionLaw,
    FrictionRate,
    FrictionStep,
    FrictionTangent,
    SlidingLaw,
)
from fecontact.contact.laws.base.history import (
    history_states,
    history_width,
    stateful,
)
from fecontact.contact.laws.base.limit import (
    UNLIMITED,
    Coefficient,
    Values,
    friction_limit,
)
from fecontact.contact.laws.base.normal import (
    NormalLaw,
    NormalRate,
    NormalStep,
    Pressure,
    friction_pressure,
)

__all__ = [
    "UNLIMITED",
    "Coefficient",
    "FrictionLaw",
    "FrictionRate",
    "FrictionStep",
    "FrictionTangent",
    "NormalLaw",
    "NormalRate",
    "NormalStep",
    "Pressure",
    "SlidingLaw",
    "Values",
    "friction_limit",
    "friction_pressure",
    "history_states",
    "history_width",
    "stateful",
]
