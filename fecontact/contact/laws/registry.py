"""All laws of points that the package has, with an example of each.

A new law is its file plus one line here: the tests then check its invariants and tangents, compare
it with an independent form, and look for its row in docs/laws.md. A law from outside of the package
needs no line.
"""

from __future__ import annotations

import numpy as np

from fecontact.contact.laws.adhesion import JKRContact
from fecontact.contact.laws.base import Coefficient, FrictionLaw, NormalLaw, SlidingLaw
from fecontact.contact.laws.bristles import dahl, dupont, lugre
from fecontact.contact.laws.coefficient import Coulomb, FrictionTable, Stribeck
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.laws.kelvin_layer import KelvinLayer
from fecontact.contact.laws.mindlin import MindlinFriction
from fecontact.contact.laws.penalty import PenaltyNormal
from fecontact.contact.laws.power import PowerNormal
from fecontact.contact.laws.regularised import RegularisedCoulomb
from fecontact.contact.laws.sliding import CoulombSliding
from fecontact.contact.laws.solid_layer import SolidLayer
from fecontact.contact.laws.table import TableNormal
from fecontact.contact.patch.hertz import ContactModuli, HertzPoint

__all__ = ["COEFFICIENT", "FRICTION", "NORMAL", "SLIDING"]

_MODULI = ContactModuli(1e4, 0.3)

NORMAL: dict[str, NormalLaw] = {
    "PenaltyNormal": PenaltyNormal(1000.0, 2.0),
    "PowerNormal": PowerNormal(3e4, 1.5, hunt_crossley=0.2, root_damping=0.05),
    "TableNormal": TableNormal(np.array([0.0, 1e-3, 4e-3]), np.array([0.0, 0.7, 5.0]), 1.5),
    "SolidLayer": SolidLayer(800.0, 1500.0, relaxation_time=0.03),
    "KelvinLayer": KelvinLayer(1000.0, 20.0),
    "JKRNormal": JKRContact(_MODULI, 0.5, 0.02).law(bond_time=0.01),
}
"""Normal laws."""

COEFFICIENT: dict[str, Coefficient] = {
    "Coulomb": Coulomb(0.4, static=0.55),
    "Stribeck": Stribeck(0.3, 0.5, speed=0.2, exponent=1.5, viscous=0.05),
    "FrictionTable": FrictionTable(
        np.array([0.0, 0.3, 1.0]),
        np.array([[0.5, 0.45], [0.4, 0.38], [0.35, 0.3]]),
        np.array([0.5, 4.0]),
        static=0.6,
    ),
}
"""Friction coefficients."""

FRICTION: dict[str, FrictionLaw] = {
    "ElastoPlastic": ElastoPlastic(COEFFICIENT["Coulomb"], 500.0, 3.0),
    "dahl": dahl(0.4, 500.0),
    "lugre": lugre(COEFFICIENT["Stribeck"], 500.0, 2.0, 0.1),
    "dupont": dupont(0.4, 500.0, 2.0, 0.1, onset=0.6, decay=0.9),
    "RegularisedCoulomb": RegularisedCoulomb(0.4, 0.05),
    "MindlinFriction": MindlinFriction(
        HertzPoint(_MODULI, 0.5), COEFFICIENT["Coulomb"], load=1.0, root_damping=0.3
    ),
}
"""Friction laws in time."""

SLIDING: dict[str, SlidingLaw] = {"CoulombSliding": CoulombSliding(0.4)}
"""Friction laws of points that slide, without a form in time."""
