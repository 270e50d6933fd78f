"""Bristles on the slave, compiled: as the reference on every surface; what is not compiled."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import fecontact as fc
from fecontact.contact import Ring, Torus
from fecontact.contact.evaluate.compiled.step import CompiledRate, CompiledStep
from fecontact.contact.history import ContactHistory

pytestmark = pytest.mark.filterwarnings(
    "ignore:.*times the thickness of the body", "ignore:.*without sufficient supports"
)
H, T = 2e-3, 0.05
INERTIA = (0.1, 0.1, 0.2)
TILTS = ("ux", "uy", "uz", "rx", "ry")
TURNS = fc.TurningFrame((0.1, -0.2, 1.0), 0.4, point=(0.3, 0.1, 0.0))
FACING = fc.annulus_surface(0.2, 0.3, (2, 8), height=0.05)
NORMAL, FRICTION = fc.PenaltyNormal(1e5, 100.0), fc.ElastoPlastic(0.3, 1e5, 50.0)


@cache
def plate():
    supports = {"outer": "simply_supported"}
    whole = fc.HarmonicPlate(0.05, 1.0, 0.1, fc.Material(1e9, 0.3, 1000.0), supports)
    return fc.ritz_harmonic(whole, harmonics=2)


@cache
def block():
    mesh = fc.block(1.0, 1.0, 0.2, cells=(2, 2, 1), cell="tet")
    solid = fc.ElasticSolid(mesh, fc.Material(1e7, 0.3, 1000.0), element="tet1")
    return fc.reduce_model(solid, contact=["z_min", "z_max"], modes=2, method="free")


def elastic(name, height, frame):
    at = (-0.5, -0.5, height)
    return fc.ElasticBody(name, block(), at, frame, geometric_stiffness=False)


SLAVES = {
    "rotor": lambda: fc.RigidBody("slave", 1.0, TILTS, INERTIA, spin=3.0),
    "free rotor": lambda: fc.RigidBody("slave", 1.0, (*TILTS, "spin"), INERTIA),
    "pad": lambda: fc.RigidBody("slave", 1.0, fc.DOFS, INERTIA),
    "disc": lambda: fc.SpinningDisc("slave", plate(), 3.0),
    "disc on a hub": lambda: fc.SpinningDisc("slave", plate(), 3.0, hub=fc.Hub(0.5, 0.1)),
    "free disc": lambda: fc.SpinningDisc("slave", plate(), hub=fc.Hub(0.5, 0.1), spin="free"),
    "elastic": lambda: elastic("slave", 0.0, "free"),
    "elastic fixed": lambda: elastic("slave", 0.0, "fixed"),
    "elastic prescribed": lambda: elastic("slave", 0.0, TURNS),
    "modal": lambda: fc.ModalBody("slave", np.array([30.0, 50.0]), 1.0),
}
TABLE = {"spin": -2.5, "dofs": ("ux", "uy", "uz"), "inertia": INERTIA, "mass": 1.0}
SHAPES = {
    "plane": fc.Plane(),
    "ring": Ring(0.0, 2.0),
    "sphere": fc.Sphere(2.0, (0.0, 0.0, -2.0)),
    "cylinder": fc.Cylinder(0.1),
    "cone": fc.Cone(1.2),
    "torus": Torus(0.25, 0.2),
}
MASTERS = {
    **{
        name: lambda shape=shape: fc.RigidFace(fc.RigidBody("master", **TABLE), shape)
        for name, shape in SHAPES.items()
    },
    "ground": lambda: fc.RigidFace(None, fc.Plane()),
    "moving": lambda: fc.RigidFace(fc.RigidBody("master", 1.0, fc.DOFS, INERTIA), fc.Plane()),
    "spinning freely": lambda: fc.RigidFace(
        fc.RigidBody("master", 1.0, (*TILTS, "spin"), INERTIA), fc.Plane()
    ),
    "facets": lambda: fc.ElasticFace(elastic("master", -0.2, "free"), "z_max"),
    "prescribed facets": lambda: fc.ElasticFace(elastic("master", -0.2, TURNS), "z_max"),
    "plate": lambda: fc.PlateFace(fc.SpinningDisc("master", plate(), -2.5)),
}


def surface_of(kind, body):
    if kind.startswith("elastic"):
        return fc.elastic_surface(body, "z_min", parts=2)
    if kind == "modal":
        shapes = np.random.default_rng(2).standard_normal((len(FACING.points), 3, 2))
        return replace(FACING, shapes=shapes, normals=None)
    return FACING


def made(pair, slave, master, **given):
    body = SLAVES[slave]()
    return pair(body, surface_of(slave, body), MASTERS[master](), NORMAL, FRICTION, **given)


COMBINATIONS = [(slave, master) for slave in SLAVES for master in MASTERS]


@pytest.mark.parametrize(("slave", "master"), COMBINATIONS)
def test_eulerian_pairs_are_compiled(slave, master):
    """Every body of the package that touches, on every surface."""
    assert made(fc.EulerianPair, slave, master).backend == "compiled"


ON_MATERIAL = ("ground", "moving", "facets", "prescribed facets")


@pytest.mark.parametrize(("slave", "master"), COMBINATIONS)
def test_pairs_are_compiled(slave, master):
    """Slaves that spin belong to an `EulerianPair`; all others are compiled in a `ContactPair`."""
    if slave.endswith(("rotor", "disc", "hub")):
        with pytest.raises(fc.InputError, match="use EulerianPair"):
            _ = made(fc.ContactPair, slave, master).backend
        return
    assert made(fc.ContactPair, slave, master).backend == "compiled"


@pytest.mark.parametrize("master", MASTERS)
def test_disc_at_rest(master):
    """A disc without speed is compiled where material passes it, or in an `EulerianPair`."""
    disc, face = fc.SpinningDisc("slave", plate()), MASTERS[master]()
    pair = fc.ContactPair(disc, FACING, face, NORMAL, FRICTION)
    why = f"reference: SpinningDisc on {type(face).__name__}"
    assert pair.backend == (why if master in ON_MATERIAL else "compiled")
    assert fc.EulerianPair(disc, FACING, face, NORMAL, FRICTION).backend == "compiled"


def state(pair, rng):
    """Coordinates at the start and the end of a step, and velocities; most points closed."""
    q0, q1, v0, v1 = [], [], [], []
    for body in pair.bodies:
        n = len(body.dofs)
        size = np.full(n, 5e-3)
        m = body.elastic_shapes if isinstance(body, fc.ElasticBody) else None
        if m:
            size[n - m :] = 1e-3 / np.abs(body.attachments.node_shapes).max()
        q0.append(body.move(body.reference(), size * rng.uniform(-1.0, 1.0, n)))
        q1.append(body.move(q0[-1], 0.3 * size * rng.uniform(-1.0, 1.0, n)))
        v0.append(40.0 * size * rng.uniform(-1.0, 1.0, n))
        v1.append(40.0 * size * rng.uniform(-1.0, 1.0, n))
    return [np.concatenate(parts) for parts in (q0, q1, v0, v1)]


def same(found, expected, what, least=0.0):
    size = np.abs(expected).max(initial=least)
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-12 * size, err_msg=what)


def same_reports(fast, slow, speed):
    for name in ("gap", "pressure", "normal", "traction", "slip", "position", "energy"):
        same(getattr(fast, name), getattr(slow, name), name)
    np.testing.assert_array_equal(fast.status, slow.status)
    power = np.abs(slow.bristles.friction).max() * max(speed, np.abs(slow.slip).max())
    power += np.abs(slow.pressure).max() * FACING.measure * 0.2
    for name in ("point_slip_power", "damping_power", "supplied_power"):
        same(getattr(fast, name), getattr(slow, name), name, power)


def pressed(slave, master, **given):
    """A pair of which some points are open, its states, and a history of all statuses."""
    pair, rng = made(fc.EulerianPair, slave, master, **given), np.random.default_rng(4)
    states = state(pair, rng)
    gap = pair.kinematics(states[1], states[3], T + H).gap
    pair = replace(
        pair,
        surface=replace(pair.surface, gap=float(-np.quantile(gap, 0.7)), normals=None),
    )
    z = 2e-3 * rng.uniform(size=(pair.points, 1)) ** 3 * rng.standard_normal((pair.points, 3))
    totals = rng.uniform(0.0, 1.0, (pair.points, 2))
    return pair, states, ContactHistory(z, rng.integers(0, 3, pair.points), totals)


WAVY = {"master_gap": fc.waviness(1e-3, 2)}
COMPARED = [
    *((slave, "facets", {}) for slave in SLAVES),
    *(("elastic prescribed", master, {}) for master in ("plate", "sphere", "prescribed facets")),
    *((slave, "cone", {}) for slave in ("rotor", "free disc", "pad")),
    *(("modal", master, {}) for master in ("plate", "ground")),
    *((slave, "sphere", WAVY) for slave in ("rotor", "disc on a hub")),
    *((slave, "plate", WAVY) for slave in ("rotor", "disc")),
]


@pytest.mark.parametrize(("slave", "master", "given"), COMPARED)
def test_same_as_the_reference(slave, master, given):
    """Force, history, report and tangents of a step, force, rates and report of the rate form."""
    pair, (q0, q1, v0, v1), old = pressed(slave, master, **given)
    z = old.z
    fast = pair.begin(T, q0, v0, old).at(T + H, q1, v1, H)
    slow = fast.reference
    assert isinstance(fast, CompiledStep)
    assert len(set(slow.history.status.tolist())) > 1
    same(fast.force, slow.force, "force")
    same(fast.history.z, slow.history.z, "elastic slip")
    same(fast.history.slip_totals, slow.history.slip_totals, "slip totals")
    same_reports(fast.report(), slow.report(), np.abs(z).max() / H)
    for one, two in ((fast, slow), (fast.no_slip(), slow.no_slip())):
        for found, expected in zip(one.tangents(), two.tangents(), strict=True):
            same(found, expected, "tangents")
    rates = pair.rate(T + H, q1, v1, old)
    assert isinstance(rates, CompiledRate)
    same(rates.force, rates.reference.force, "force")
    same(rates.z_rate, rates.reference.z_rate, "rates")
    same_reports(rates.report(), rates.reference.report(), 0.0)
    np.testing.assert_array_equal(rates.resulting_status, rates.reference.resulting_status)


@pytest.mark.parametrize(
    ("slave", "master"),
    [
        ("elastic prescribed", "sphere"),
        ("elastic prescribed", "plate"),
        ("rotor", "prescribed facets"),
        ("pad", "prescribed facets"),
    ],
)
def test_prescribed_frames_load_the_springs(slave, master):
    """f . v = -d(energy)/dt - damping - slip + supplied; a frame that moves works on springs."""
    pair, (_, q, _, v), old = pressed(slave, master)
    rates = pair.rate(T, q, v, old)

    def energy(dt):
        moved, at, by = [], 0, 0
        for body in pair.bodies:
            n, n_q = len(body.dofs), len(body.reference())
            moved.append(body.move(q[at : at + n_q], dt * v[by : by + n]))
            at, by = at + n_q, by + n
        kept = replace(old, z=old.z + dt * rates.z_rate)
        return pair.rate(T + dt, np.concatenate(moved), v, kept).report().energy

    rate = (energy(1e-6) - energy(-1e-6)) / 2e-6
    for report in (rates.report(), rates.reference.report()):
        lost = report.damping_power + report.slip_power
        size = abs(rate) + lost + abs(report.supplied_power)
        expected = -rate - lost + report.supplied_power
        assert rates.force @ v == pytest.approx(expected, abs=2e-4 * size)


class Slope:
    """A plane written with arrays."""

    def distance(self, y):
        return fc.Plane().distance(y)


class PythonCoefficient(fc.Coefficient):
    """Coulomb's coefficient written with arrays."""

    def values(self, speed, pressure, status):
        return np.full_like(speed, 0.3), np.zeros_like(speed), np.zeros_like(speed)


def test_what_is_not_compiled():
    """What else stays in the reference backend, with the reasons that users see."""
    pad, rotor = SLAVES["pad"](), SLAVES["rotor"]()
    own = fc.RigidFace(None, Slope())
    pair = fc.ContactPair(pad, FACING, own, NORMAL, FRICTION)
    assert pair.backend == "reference: RigidBody on RigidFace"
    assert fc.EulerianPair(rotor, FACING, own, NORMAL, FRICTION).backend == "compiled"
    law = fc.ElastoPlastic(PythonCoefficient(), 1e5, 50.0)
    for master in ("plate", "ground", "facets", "plane"):
        pair = fc.EulerianPair(rotor, FACING, MASTERS[master](), NORMAL, law)
        assert pair.backend == "reference: coefficient PythonCoefficient is written in Python"
    mesh = fc.block(1.0, 1.0, 0.2, cells=(2, 2, 1))
    solid = fc.FEBody("solid", fc.ElasticSolid(mesh, fc.STEEL))
    pair = fc.ContactPair(
        solid, fc.fe_surface(solid, "z_min"), MASTERS["ground"](), NORMAL, FRICTION
    )
    assert pair.backend == "reference: FEBody on RigidFace"
