"""Constraint rows on random states, also such that violate them: derivatives and balance."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fecontact.body import DOFS, ElasticBody, RigidBody
from fecontact.fem import ElasticSolid, Material
from fecontact.joint import (
    Angle,
    Cylindrical,
    Distance,
    DofCoordinate,
    Length,
    MotionFunction,
    Planar,
    PrescribedMotion,
    Prismatic,
    Revolute,
    RigidJoint,
    Spherical,
    Stroke,
    Universal,
)
from fecontact.joint.marker import MarkerPair, axis_vector, frame_about
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.typing import Constraint

seeds = st.integers(0, 2**32 - 1)
TENSOR = np.array([[0.3, 0.02, -0.01], [0.02, 0.25, 0.03], [-0.01, 0.03, 0.2]])
POINT, OTHER = (0.3, -0.2, 0.1), (-0.4, 0.5, 0.3)
FACE = "x_max"
SOFT = Material(young=5e6, poisson=0.4, density=1200.0)
AXIS = (1.0, 2.0, -1.5)
LAW = MotionFunction(
    lambda t: np.sin(3.0 * t), lambda t: 3.0 * np.cos(3.0 * t), lambda t: -9.0 * np.sin(3.0 * t)
)
T = 1.3


def points(a, b, apart=False):
    """Points of b and a: faces of elastic bodies, the same place in the reference position."""
    if isinstance(a, ElasticBody):
        place = a.position + a.marker(FACE).home - a.position
        return {
            "point_b": tuple(place - b.position + apart * np.array(OTHER)),
            "point_a": FACE,
        }
    point_b = FACE if isinstance(b, ElasticBody) else POINT
    return {"point_b": point_b, "point_a": OTHER if apart else None}


def pair_of(a, b):
    frame = frame_about(axis_vector("axis", AXIS))
    return MarkerPair("m", a, b, **points(a, b), axes=frame)


def dof_of(body, place):
    dof = DofCoordinate(body, body.dofs[place])
    return PrescribedMotion(dof, LAW, "position" if dof.holonomic else "velocity")


JOINTS = {
    "rigid": lambda a, b: RigidJoint(a, b, **points(a, b)),
    "revolute": lambda a, b: Revolute(a, b, **points(a, b), axis=AXIS),
    "prismatic": lambda a, b: Prismatic(a, b, **points(a, b), axis=AXIS),
    "cylindrical": lambda a, b: Cylindrical(a, b, **points(a, b), axis=AXIS),
    "spherical": lambda a, b: Spherical(a, b, **points(a, b)),
    "universal": lambda a, b: Universal(
        a, b, **points(a, b), axis_a=(1.0, 1.0, 0.0), axis_b=(1.0, -1.0, 3.0)
    ),
    "planar": lambda a, b: Planar(a, b, **points(a, b), axis=AXIS),
    "distance": lambda a, b: Distance(a, b, **points(a, b, apart=True)),
}  # fmt: skip
MOTIONS = {
    "angle": lambda a, b: PrescribedMotion(Angle(pair_of(a, b)), LAW),
    "speed": lambda a, b: PrescribedMotion(Angle(pair_of(a, b)), LAW, level="velocity"),
    "stroke": lambda a, b: PrescribedMotion(Stroke(pair_of(a, b)), LAW),
    "length": lambda a, b: PrescribedMotion(
        Length(MarkerPair("m", a, b, **points(a, b, apart=True))), LAW
    ),
}
BETWEEN = JOINTS | MOTIONS
DOF = {
    "dof": lambda a, b: dof_of(b or a, 0),
    "last dof": lambda a, b: dof_of(b or a, -1),
}
ALL = BETWEEN | DOF
PAIRS = {
    "6+6": (DOFS, DOFS),
    "ground+6": (None, DOFS),
    "6+ground": (DOFS, None),
    "axis+axis": (("uz", "rz"), ("rz",)),
    "axis+other axis": (("ux", "ry"), ("ux", "uy", "rz")),
    "6+axis": (DOFS, ("uy", "rx")),
    "rotations+translations": (("rx", "ry", "rz"), ("ux", "uy", "uz")),
    "ground+elastic": (None, "free"),
    "6+elastic": (DOFS, "free"),
    "elastic+6": ("free", DOFS),
    "6+elastic in a fixed frame": (DOFS, "fixed"),
}


@cache
def soft_bar():
    """Reduced model of a bar with 4 elastic modes."""
    solid = ElasticSolid(block(0.3, 0.1, 0.05, cells=(3, 1, 1)), SOFT)
    return reduce_model(solid, FACE, method="free", modes=4)


def body_of(name, dofs, position):
    if isinstance(dofs, str):
        return ElasticBody(name, soft_bar(), position, dofs)
    return dofs and RigidBody(name, 2.0, dofs, inertia=TENSOR, position=position)


def constraint_of(kind, pair) -> Constraint:
    a = body_of("a", PAIRS[pair][0], (0.1, -0.2, 0.3))
    b = body_of("b", PAIRS[pair][1], (1.5, 2.0, -0.7))
    return ALL[kind](a, b)


def scale_of(bodies):
    """Rotations and displacements of order one; elastic coordinates that turn a face by 0.1."""
    return np.array([5e-3 if f.startswith("e") else 1.0 for b in bodies for f in b.dofs])


def random_state(moved, bodies, seed):
    """Coordinates and velocities; any two bodies are less than pi apart."""
    rng, scale = np.random.default_rng(seed), scale_of(bodies)
    q = np.concatenate([b.reference() for b in bodies])
    q = moved(bodies, q, scale * rng.uniform(-0.7, 0.7, len(scale)))
    return q, scale * rng.uniform(-2.0, 2.0, len(scale))


def blocks_of(bodies):
    ends = np.cumsum([0, *(len(b.dofs) for b in bodies)])
    return [slice(i, j) for i, j in pairwise(ends)]


def assert_close(found, expected, round_off):
    assert found.shape == expected.shape
    error = np.linalg.norm(found - expected)
    assert error <= 1e-7 * np.linalg.norm(expected) + round_off


@settings(max_examples=2)
@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("kind", ALL)
@given(seed=seeds)
def test_derivatives(moved, difference, kind, pair, seed):
    """A by q and by v, d_rate, d_load and bias, to 1e-7 of the block norm."""
    item = constraint_of(kind, pair)
    q, v = random_state(moved, item.bodies, seed)
    n, m = len(v), len(item.rows)
    load = np.random.default_rng(seed + 1).uniform(-2.0, 2.0, m)
    rows = item.at(T, q, v)

    def after(step):
        """Value, rate and load, from one evaluation."""
        now = item.at(T, moved(item.bodies, q, step), v)
        return np.concatenate([now.value, now.rate, now.jacobian.T @ load])

    steps = 1e-2 * scale_of(item.bodies)
    still = item.at(T, q, np.zeros(n)).rate
    by_v = np.array([item.at(T, q, unit).rate - still for unit in np.eye(n)]).T
    by_step, d_rate, d_load = np.split(difference(after, np.zeros(n), steps), [m, 2 * m])
    found_d_rate, found_d_load = rows.d_rate(), rows.d_load(load)
    round_off = 1e-14 * np.linalg.norm(after(np.zeros(n))) / steps.min()
    for i in blocks_of(item.bodies):
        assert_close(rows.jacobian[:, i], by_v[:, i], 1e-13)
        if item.level == "position":
            assert_close(rows.jacobian[:, i], by_step[:, i], round_off)
        assert_close(found_d_rate[:, i], d_rate[:, i], round_off)
        for j in blocks_of(item.bodies):
            assert_close(found_d_load[i, j], d_load[i, j], round_off)

    def rate(s):
        return item.at(T + s[0], moved(item.bodies, q, s[0] * v), v).rate

    h = 3e-3
    bias = difference(rate, np.zeros(1), np.array([h]))[:, 0]
    assert_close(item.bias(T, q, v), bias, 1e-14 * np.linalg.norm(rows.rate) / h + 1e-12)


@pytest.mark.parametrize("kind", ALL)
def test_answers_of_a_constraint(kind):
    constraint = constraint_of(kind, "6+6")
    for name in vars(Constraint):
        assert name.startswith("_") or hasattr(constraint, name)
    assert constraint.level in ("position", "velocity")


def rigid_velocity(bodies, q, drift, spin):
    """Velocities of all bodies in a common rigid motion, without change of deformation."""
    parts = []
    for body in bodies:
        own, q = np.split(q, [len(body.reference())])
        centre = body.position + own[:3]
        still = np.zeros(len(body.dofs) - 6)
        parts += [drift + np.cross(spin, centre), body.rotation(own).T @ spin, still]
    return np.concatenate(parts)


@settings(max_examples=5)
@pytest.mark.parametrize("pair", ["6+6", "6+elastic", "elastic+6"])
@pytest.mark.parametrize("kind", BETWEEN)
@given(seed=seeds)
def test_action_is_reaction(moved, kind, pair, seed):
    """A common rigid motion of both bodies changes no row: A^T lam has no resultant."""
    item = constraint_of(kind, pair)
    q, v = random_state(moved, item.bodies, seed)
    A = item.at(T, q, v).jacobian
    drift, spin = np.random.default_rng(seed + 1).uniform(-2.0, 2.0, (2, 3))
    common = rigid_velocity(item.bodies, q, drift, spin)
    assert np.abs(A @ common).max() <= 1e-13 * np.linalg.norm(A) * np.linalg.norm(common)
    assert np.linalg.norm(A[:, :6]) > 0.1


@settings(max_examples=5)
@pytest.mark.parametrize("components", ["space", "a", "b"])
@pytest.mark.parametrize("kind", JOINTS)
@given(seed=seeds)
def test_reaction_is_the_constraint_force(moved, kind, components, seed):
    """Force and moment at the point of b give A^T lam on b and, turned around, on a."""
    item = constraint_of(kind, "6+6")
    a, b = item.bodies
    q, v = random_state(moved, item.bodies, seed)
    lam = np.random.default_rng(seed + 1).uniform(-2.0, 2.0, len(item.rows))
    expected = item.at(T, q, v).jacobian.T @ lam
    turn = {"space": np.eye(3), "a": a.rotation(q[:7]), "b": b.rotation(q[7:])}[components]
    force, moment = (turn @ part for part in item.reaction(q, lam, components))
    place = b.point_motion(q[7:], v[6:], np.array([POINT])).position[0]
    found = []
    for sign, body, own in ((-1.0, a, q[:7]), (1.0, b, q[7:])):
        lever = place - (body.position + own[:3])
        about_centre = moment + np.cross(lever, force)
        found += [sign * force, sign * body.rotation(own).T @ about_centre]
    np.testing.assert_allclose(np.concatenate(found), expected, atol=1e-12)
