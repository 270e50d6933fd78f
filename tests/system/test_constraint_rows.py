"""Compiled constraint rows: equal to those of the constraints themselves."""

from __future__ import annotations

import numpy as np
import pytest

import fecontact as fc
from fecontact.kernels.lowered import FORCE, TANGENTS
from fecontact.system.program.constraint_rows import not_lowered, row_table, rows_at

INERTIA = np.array([[0.3, 0.02, -0.01], [0.02, 0.25, 0.03], [-0.01, 0.03, 0.2]])
SOFT = fc.Material(young=5e6, poisson=0.4, density=1200.0)
AXIS, POINT, OTHER = (1.0, 2.0, -1.5), (0.3, -0.2, 0.1), (-0.4, 0.5, 0.3)
LAW = fc.Speed(fc.Sine(0.4, 7.0, 0.5, 0.3), start=0.2)
PAIRS = {
    "6+6": (fc.DOFS, fc.DOFS),
    "ground+6": (None, fc.DOFS),
    "6+ground": (fc.DOFS, None),
    "axis+axis": (("uz", "rz"), ("rz",)),
    "axis+other axis": (("ux", "ry"), ("ux", "uy", "rz")),
    "6+axis": (fc.DOFS, ("uy", "rx")),
    "rotations+translations": (("rx", "ry", "rz"), ("ux", "uy", "uz")),
    "6+elastic": (fc.DOFS, "free"),
    "elastic+6": ("free", fc.DOFS),
    "ground+elastic in a fixed frame": (None, "fixed"),
}


def body(name, dofs, position):
    if isinstance(dofs, str):
        solid = fc.ElasticSolid(fc.block(0.3, 0.1, 0.05, cells=(3, 1, 1)), SOFT)
        model = fc.reduce_model(solid, "x_max", method="free", modes=4)
        return fc.ElasticBody(name, model, position, dofs)
    inertia = (0.2, 0.2, 0.25) if dofs and "spin" in dofs else INERTIA
    return dofs and fc.RigidBody(name, 2.0, dofs, inertia=inertia, position=position)


def points(a, b, apart=False):
    if isinstance(a, fc.ElasticBody):
        place = a.marker("x_max").home - np.asarray(b.position)
        return {"point_b": tuple(place + apart * np.array(OTHER)), "point_a": "x_max"}
    point = "x_max" if isinstance(b, fc.ElasticBody) else POINT
    return {"point_b": point, "point_a": OTHER if apart else None}


def hinge(a, b, kind=fc.Revolute):
    return kind(a, b, **points(a, b), axis=AXIS, name="hinge")


KINDS = {
    "rigid": lambda a, b: fc.RigidJoint(a, b, **points(a, b)),
    "revolute": hinge,
    "prismatic": lambda a, b: hinge(a, b, fc.Prismatic),
    "cylindrical": lambda a, b: hinge(a, b, fc.Cylindrical),
    "spherical": lambda a, b: fc.Spherical(a, b, **points(a, b)),
    "universal": lambda a, b: fc.Universal(
        a, b, **points(a, b), axis_a=(1.0, 1.0, 0.0), axis_b=(1.0, -1.0, 3.0)
    ),
    "planar": lambda a, b: hinge(a, b, fc.Planar),
    "distance": lambda a, b: fc.Distance(a, b, **points(a, b, True)),
    "angle": lambda a, b: fc.PrescribedMotion(hinge(a, b).angle, LAW),
    "speed": lambda a, b: fc.PrescribedMotion(hinge(a, b).angle, LAW, level="velocity"),
    "stroke": lambda a, b: fc.PrescribedMotion(hinge(a, b, fc.Prismatic).stroke, LAW),
    "length": lambda a, b: fc.PrescribedMotion(fc.Distance(a, b, **points(a, b, True)).length, LAW),
    "dof": lambda a, b: fc.PrescribedMotion(
        fc.DofCoordinate(a or b, (a or b).dofs[-1]), LAW, level="velocity"
    ),
    "place": lambda a, b: fc.PrescribedMotion(fc.DofCoordinate(a or b, (a or b).dofs[0]), LAW),
}  # fmt: skip

ALL = [
    (kind, pair) for kind in KINDS for pair in PAIRS
    if (kind, pair) != ("place", "rotations+translations")  # a speed alone belongs to no position
]  # fmt: skip


def states(system, count=4):
    """Any two bodies are turned by less than pi; faces of elastic bodies by 0.1."""
    rng = np.random.default_rng(3)
    scale = np.array([5e-3 if name.rpartition(".e")[2].isdigit() else 1.0
                      for name in system.coordinates])  # fmt: skip
    for size in np.geomspace(1e-2, 1.0, count):
        q = system.move(system.rest().q, size * scale * rng.uniform(-0.7, 0.7, system.size))
        lam = rng.standard_normal(len(system.rows))
        yield fc.State(0.3 + size, q, scale * rng.standard_normal(system.size), lam)


def assert_same(system):
    rows, _owners = row_table(system, system.constraints)
    assert rows.bound.tolist() == system.position_rows.tolist()
    for state in states(system):
        expected = system.constraint(state)
        rows.lam[:] = state.lam
        for task in (FORCE, TANGENTS):
            assert rows_at(rows, state.t, state.q, state.v, task, task == TANGENTS)
            close(rows.value, expected.value)
            close(rows.rate, expected.rate)
            close(rows.jacobian, expected.jacobian)
        close(rows.slopes, expected.d_rate())
        close(rows.turning, expected.d_load(state.lam))
        close(rows.slopes @ state.v + rows.shift, expected.bias)
        rows.turning[:] = 1.0
        assert rows_at(rows, state.t, state.q, state.v, TANGENTS, False)
        close(rows.slopes, expected.d_rate())
        assert np.all(rows.turning == 1.0)


def close(found, expected):
    scale = 1.0 + np.abs(expected).max()
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-12 * scale)


@pytest.mark.parametrize(("kind", "pair"), ALL)
@pytest.mark.filterwarnings("ignore:b. frame = 'fixed'")
def test_rows_equal_their_plain_form(kind, pair):
    dofs = PAIRS[pair]
    a, b = body("a", dofs[0], (0.1, -0.2, 0.3)), body("b", dofs[1], (1.5, 2.0, -0.7))
    constraint = KINDS[kind](a, b)
    system = fc.System([each for each in (a, b) if each is not None], [constraint])
    assert not_lowered(system.constraints) == ""
    assert_same(system)


@pytest.mark.parametrize("housed", [False, True])
def test_gear_ratio_equals_its_plain_form(housed):
    """Speeds of two shafts relative to a housing, which may move."""
    a = body("a", fc.DOFS, (0.1, -0.2, 0.3))
    b = body("b", ("ux", "rx", "ry", "spin"), (1.5, 2.0, -0.7))
    housing = body("housing", fc.DOFS, (0.0, 0.0, 0.0))
    ratio = fc.GearRatio(a, b, (20, 31), axis=AXIS, axis_b="z", housing=housing if housed else None)
    assert_same(fc.System([b, a, housing], [ratio]))


SHAFT, ROTOR = ("ux", "uy", "uz", "rz"), ("ux", "uy", "uz", "rx", "ry", "spin")


@pytest.mark.parametrize("flank", ["front", "rear"])
@pytest.mark.parametrize(
    "dofs", [(fc.DOFS, fc.DOFS), (fc.DOFS, SHAFT), (ROTOR, ROTOR), (SHAFT, ("rz",)), (None, SHAFT)]
)
def test_flank_equals_its_plain_form(dofs, flank):
    """Helical teeth on bodies that shift a little and turn far."""
    gears = fc.GearPair((25, 50), 0.05, 0.16, 0.4, face_width=0.02, backlash=1e-4)
    a, b = (
        own and fc.RigidBody(name, 2.0, own, inertia=(0.1, 0.1, 0.12), position=(x, 0.0, 0.0))
        for name, own, x in (("a", dofs[0], 0.0), ("b", dofs[1], 0.16))
    )
    mesh = fc.GearMesh(a, b, gears, flank=flank)
    system = fc.System([each for each in (a, b) if each is not None], [mesh])
    rows, _owners = row_table(system, system.constraints)
    rng = np.random.default_rng(7)
    turns = [name.rpartition(".")[2] in ("rz", "spin") for name in system.coordinates]
    for _ in range(4):
        step = np.where(turns, rng.uniform(-3.0, 3.0, system.size), 0.0)
        q = system.move(system.rest().q, step)
        q = system.move(q, rng.uniform(-1e-3, 1e-3, system.size))
        lam, v = rng.standard_normal(1), rng.standard_normal(system.size)
        expected = system.constraint(fc.State(0.3, q, v, lam))
        rows.lam[:] = lam
        assert rows_at(rows, 0.3, q, v, TANGENTS, True)
        close(rows.value, expected.value)
        close(rows.rate, expected.rate)
        close(rows.jacobian, expected.jacobian)
        close(rows.slopes, expected.d_rate())
        close(rows.turning, expected.d_load(lam))
        close(rows.slopes @ v + rows.shift, expected.bias)


def test_teeth_out_of_mesh_fail():
    gears = fc.GearPair((25, 50), 0.05, 0.16)
    a = fc.RigidBody("a", 2.0, SHAFT, inertia=(0.1, 0.1, 0.12))
    b = fc.RigidBody("b", 2.0, SHAFT, inertia=(0.1, 0.1, 0.12), position=(0.16, 0.0, 0.0))
    system = fc.System([a, b], [fc.GearMesh(a, b, gears)])
    rows, _owners = row_table(system, system.constraints)
    q = system.rest().q.copy()
    assert rows_at(rows, 0.0, q, np.zeros(8), FORCE, False)
    q[4] = -0.02
    assert not rows_at(rows, 0.0, q, np.zeros(8), FORCE, False)


def test_rows_of_several_constraints():
    """A loop with redundant rows, a drive and a law of time, in any order of the bodies."""
    crank, rod = body("crank", fc.DOFS, (0.0, 0.0, 0.0)), body("rod", fc.DOFS, (1.0, 0.0, 0.0))
    pin = fc.Revolute(crank, rod, point_b=(-0.5, 0.0, 0.0), name="pin")
    base = fc.Revolute(None, crank, point_b=(-0.5, 0.0, 0.0), name="base")
    guide = fc.Planar(None, rod, name="guide")
    drive = fc.PrescribedMotion(base.angle, LAW, name="drive")
    assert_same(fc.System([rod, crank], [pin, drive, base, guide]))


class Lifted(fc.Spherical):
    """A ball joint whose ends are one metre apart."""

    def held(self, frames):
        """Displacement less the lift."""
        return frames.displacement().shifted(np.array([0.0, 0.0, 0.0]))


def test_what_is_written_in_python_has_no_compiled_form():
    a, b = body("a", fc.DOFS, (0.1, -0.2, 0.3)), body("b", fc.DOFS, (1.5, 2.0, -0.7))
    law = fc.MotionFunction(np.sin)
    for constraint in (
        Lifted(a, b, name="own"),
        fc.PrescribedMotion(hinge(a, b).angle, law, name="own"),
    ):
        assert not_lowered([fc.Spherical(a, b), constraint]) == "constraint 'own'"


def test_ends_of_a_distance_that_coincide_fail():
    a, b = body("a", fc.DOFS, (0.0, 0.0, 0.0)), body("b", fc.DOFS, (1.0, 0.0, 0.0))
    system = fc.System([a, b], [fc.Distance(a, b, point_b=(0, 0, 0), point_a=(0, 0, 0))])
    rows, _owners = row_table(system, system.constraints)
    q = system.rest().q.copy()
    assert rows_at(rows, 0.0, q, np.zeros(12), FORCE, False)
    q[7] = -1.0
    assert not rows_at(rows, 0.0, q, np.zeros(12), FORCE, False)
