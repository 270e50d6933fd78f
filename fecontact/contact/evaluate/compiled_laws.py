"""Numbers of shapes and laws for the compiled contact kernels (`contact.kernels.laws`)."""

from __future__ import annotations

import numpy as np

from fecontact.contact.kernels.block_laws import Laws
from fecontact.contact.kernels.families import BRISTLES, MINDLIN, REGULARISED, YIELDING
from fecontact.contact.kernels.laws import (
    CONE,
    COULOMB,
    CYLINDER,
    FRICTION_TABLE,
    PENALTY,
    PLANE,
    POWER,
    RING,
    SPHERE,
    STRIBECK,
    TABLE,
    TORUS,
)
from fecontact.contact.kernels.layers import ADHESIVE, KELVIN, SOLID
from fecontact.contact.laws.adhesion import JKRNormal
from fecontact.contact.laws.bristles import Bristles
from fecontact.contact.laws.coefficient import Coefficient, Coulomb, FrictionTable, Stribeck
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.laws.layer import KelvinLayer, SolidLayer
from fecontact.contact.laws.mindlin import MindlinFriction
from fecontact.contact.laws.normal import PenaltyNormal, PowerNormal, TableNormal
from fecontact.contact.laws.regularised import RegularisedCoulomb
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.master.shape import Cone, Cylinder, Plane, Ring, Shape, Sphere, Torus
from fecontact.typing import Floats

__all__ = ["packed_laws", "point_laws"]

Code = tuple[int, Floats]
NONE = np.zeros(1)


def packed_laws(master: object, normal: object, friction: object) -> Laws | None:
    """Surface and laws as numbers; None if one is not of a known family."""
    surface = _shape(master.shape) if isinstance(master, RigidFace) else None
    if type(master) is not RigidFace or surface is None:
        return None
    return _packed(normal, friction, surface)


def point_laws(normal: object, friction: object) -> Laws | None:
    """Laws as numbers, for kernels that find normals and gaps by themselves."""
    return _packed(normal, friction, (PLANE, NONE))


def _packed(normal: object, friction: object, surface: Code) -> Laws | None:
    pressed, family = _normal(normal), _family(friction)
    slides = None if family is None else _coefficient(friction.coefficient)  # type: ignore[attr-defined]
    if pressed is None or slides is None or family is None:
        return None
    return Laws._make((*surface, *pressed, *slides, *family))


def _family(law: object) -> tuple[float, float, int, Floats] | None:
    """Stiffness, damping, family and its parameters."""
    if type(law) is ElastoPlastic:
        return float(law.stiffness), float(law.damping), YIELDING, NONE
    if type(law) is MindlinFriction:
        unit = float(law.bristle(np.ones(1))[0][0])
        return law.stiffness, law.damping, MINDLIN, np.array([unit, law.root_damping])
    if type(law) is RegularisedCoulomb:
        return 0.0, 0.0, REGULARISED, np.array([law.speed, float(law.form == "tanh")])
    if type(law) is Bristles:
        par = np.array([law.viscous, law.onset, law.decay], dtype=float)
        return float(law.stiffness), float(law.damping), BRISTLES, par
    return None


def _shape(shape: Shape) -> Code | None:
    kind = type(shape)
    if isinstance(shape, Plane) and kind is Plane:
        n = np.asarray(shape.normal, dtype=float)
        n = n / np.linalg.norm(n)
        return PLANE, np.array([*n, n @ np.asarray(shape.point, dtype=float)])
    if isinstance(shape, Ring) and kind is Ring:
        return RING, np.array([shape.inner, shape.outer, shape.height], dtype=float)
    if isinstance(shape, Sphere) and kind is Sphere:
        return SPHERE, np.array([*shape.centre, shape.radius, _sign(shape.hollow)], dtype=float)
    if isinstance(shape, Cylinder) and kind is Cylinder:
        return CYLINDER, np.array([shape.radius, _sign(shape.hollow)])
    if isinstance(shape, Cone) and kind is Cone:
        angle = shape.half_angle
        return CONE, np.array([np.cos(angle), np.sin(angle), _sign(shape.hollow)])
    if isinstance(shape, Torus) and kind is Torus:
        return TORUS, np.array([shape.radius, shape.section])
    return None


def _normal(law: object) -> tuple[int, Floats, Floats, Floats] | None:
    cubics = np.zeros((4, 1))
    if type(law) is PenaltyNormal:
        return PENALTY, np.array([law.stiffness, law.damping], dtype=float), NONE, cubics
    if type(law) is PowerNormal:
        root = np.sqrt(law.stiffness) * law.root_damping
        return POWER, np.array([law.stiffness, law.exponent, law.hunt_crossley, root]), NONE, cubics
    if type(law) is TableNormal:
        curve = law._curve
        return TABLE, np.array([law.damping], dtype=float), _c(curve.x), _c(curve.c)
    if type(law) is SolidLayer:
        par = [law.stiffness, law.fast_stiffness, law.relaxation_time]
        return SOLID, np.array(par, dtype=float), NONE, cubics
    if type(law) is KelvinLayer:
        return KELVIN, np.array([law.stiffness, law.damping], dtype=float), NONE, cubics
    if type(law) is JKRNormal:
        par = [*law._scales, float(law._hertz.force(1.0)), law.bond_time]
        return ADHESIVE, np.array(par), NONE, cubics
    return None


def _coefficient(law: Coefficient) -> tuple[int, Floats, Floats, Floats, Floats] | None:
    table = np.zeros((1, 1))
    if type(law) is Coulomb:
        static = law.mu if law.static is None else law.static
        return COULOMB, np.array([law.mu, static], dtype=float), NONE, NONE, table
    if type(law) is Stribeck:
        par = np.array([law.mu, law.static, law.speed, law.exponent, law.viscous], dtype=float)
        return STRIBECK, par, NONE, NONE, table
    if type(law) is FrictionTable:
        static = np.nan if law.static is None else law.static
        speeds = _c(law.speeds)
        par = np.array([static], dtype=float)
        return FRICTION_TABLE, par, speeds, _c(law._pressures), _c(law._table)
    return None


def _c(values: Floats) -> Floats:
    return np.ascontiguousarray(values, dtype=float)


def _sign(hollow: bool) -> float:
    return -1.0 if hollow else 1.0
