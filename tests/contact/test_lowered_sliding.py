"""Contact pairs of sliding points as compiled functions: equal to their sliding in Python."""

from __future__ import annotations

import numpy as np
import pytest

import fecontact as fc
from fecontact.body.rigid import DOFS
from fecontact.errors import SolverError
from fecontact.kernels.calls import call_block
from fecontact.kernels.lowered import FORCE, RECORD, TANGENTS, record_size
from fecontact.mesh import block
from fecontact.reduction import reduce_model

NORMALS = {
    "penalty": fc.PenaltyNormal(1e7, 1e3),
    "layer": fc.KelvinLayer(1e7, 1e3),
    "Hertz": fc.PowerNormal(1e10, 1.5),
}
FRICTIONS = {
    "Coulomb": fc.CoulombSliding(0.3),
    "Stribeck": fc.CoulombSliding(fc.Stribeck(0.3, 0.5, 0.1)),
    "elasto-plastic": fc.ElastoPlastic(fc.Coulomb(0.3, static=0.5), 1e7, 100.0),
    "regularised": fc.RegularisedCoulomb(0.3, 0.1),
}
RING = fc.ring(radius=0.1, points=12, height=-1e-3)
MANY = fc.ring(radius=0.1, points=150, height=-1e-3)


def free(name):
    return fc.RigidBody(name, 2.0, DOFS, inertia=(0.15, 0.2, 0.3))


def spun(name):
    dofs, inertia = ("uz", "rx", "ry"), (0.15, 0.15, 0.3)
    return fc.RigidBody(name, 2.0, dofs, inertia=inertia, spin=20.0)


def wheel():
    return fc.RigidBody("wheel", 1.0, ("uz", "rz"), inertia=(0.1, 0.1, 0.1))


MASTERS = {
    "ground": lambda: fc.RigidFace(None, fc.Plane()),
    "moving plane": lambda: fc.RigidFace(free("master"), fc.Plane((0.1, 0.0, 1.0))),
    "hollow cylinder": lambda: fc.RigidFace(free("master"), fc.Cylinder(0.1005, hollow=True)),
    "sphere": lambda: fc.RigidFace(free("master"), fc.Sphere(0.1005, hollow=True)),
    "one axis": lambda: fc.RigidFace(wheel(), fc.Plane()),
    "spun": lambda: fc.RigidFace(spun("master"), fc.Plane()),
}


def flexible():
    """Points with shapes in a frame at rest."""
    rng, ring = np.random.default_rng(2), fc.ring(radius=0.1, points=9, height=-1e-4)
    body = fc.ModalBody("plate", np.array([100.0, 230.0, 310.0]))
    shapes = 0.1 * rng.standard_normal((9, 3, 3))
    return body, fc.Surface(ring.points, ring.weights, shapes=shapes)


@pytest.fixture(scope="module")
def slab():
    """A reduced block with shapes on its lower face."""
    return reduce_model(
        fc.ElasticSolid(block(0.1, 0.1, 0.02, (3, 3, 1)), fc.STEEL),
        contact="z_min", modes=13,
    )  # fmt: skip


def _pairs():
    for name, master in MASTERS.items():
        for law, friction in FRICTIONS.items():
            pair = fc.ContactPair(free("slave"), RING, master(), NORMALS["penalty"], friction)
            yield pytest.param(pair, id=f"{name}, {law}")
    for law, normal in NORMALS.items():
        for name in ("moving plane", "sphere"):
            pair = fc.ContactPair(
                free("slave"), MANY, MASTERS[name](), normal, FRICTIONS["Coulomb"]
            )
            yield pytest.param(pair, id=f"{law} on {name}, two blocks")
    body, surface = flexible()
    for name in ("ground", "one axis", "spun"):
        laws = NORMALS["penalty"], FRICTIONS["Coulomb"]
        yield pytest.param(
            fc.ContactPair(body, surface, MASTERS[name](), *laws), id=f"elastic on {name}"
        )
    for name in ("ground", "moving plane"):
        pair = fc.EulerianPair(spun("slave"), RING, MASTERS[name](), *laws)
        yield pytest.param(pair, id=f"spinning slave on {name}")
    point = fc.Surface(np.zeros((1, 3)), np.ones(1))
    mass = fc.RigidBody("mass", 1.0, ("ux", "uz"))
    yield pytest.param(fc.ContactPair(mass, point, MASTERS["ground"](), *laws), id="one point")


def asked(pair, task, t, q, v):
    """Force and tangents by the compiled function; whatever its record had must not matter."""
    low, n_q, n = pair.lowered(), len(q), len(v)
    w = np.full(record_size(n_q, n) + low.memory, 7e77)
    w[0], w[RECORD : RECORD + n_q], w[RECORD + n_q : RECORD + n_q + n] = t, q, v
    assert call_block(low.address, w, low.parameters, float(task)) == 0.0
    at = RECORD + n_q + n
    return w[at : at + n], *w[at + n : at + n + 2 * n * n].reshape(2, n, n)


def compare(pair, count=4):
    """Random states near to contact, some points open; returns how many points touched."""
    rng, touched = np.random.default_rng(1), 0
    system = fc.System(pair.bodies, [pair])
    size = 5e-4 if system.size > 3 else 5e-5
    for _ in range(count):
        q = system.move(system.rest().q, size * rng.standard_normal(system.size))
        v = 0.2 * rng.standard_normal(system.size)
        now = pair.sliding(q, v, 0.1)
        touched += np.count_nonzero(now.pressure[0])
        force, (by_q, by_v) = pair.force(0.1, q, v), pair.tangents(0.1, q, v)
        # a gap is a difference of positions: 1e-17 m of 0.1 m, times the stiffness
        sizes = [1e-12 * max(np.abs(x).max(), 1.0) for x in (force, by_q, by_v)]
        for found, expected, size_of in zip(
            asked(pair, TANGENTS, 0.1, q, v), (force, by_q, by_v), sizes, strict=True
        ):
            np.testing.assert_allclose(found, expected, rtol=0, atol=size_of)
        np.testing.assert_allclose(asked(pair, FORCE, 0.1, q, v)[0], force, rtol=0, atol=sizes[0])
    return touched


@pytest.mark.parametrize("pair", list(_pairs()))
def test_equal_to_the_form_in_python(pair):
    """Force and both tangents to 1e-12 of the largest."""
    assert compare(pair, 8) > 0


@pytest.mark.parametrize("frame", ["free", "fixed"])
def test_reduced_bodies(slab, frame):
    """Shapes of a finite element model on a moving surface."""
    body = fc.ElasticBody("slab", slab, frame=frame)
    surface = fc.elastic_surface(body, "z_min").with_gap(-1e-4)
    pair = fc.ContactPair(body, surface, MASTERS["moving plane"](), *_laws())
    assert compare(pair) > 0


def test_system_evaluates_it_compiled():
    """No item of the program goes back to Python, and a plain sum of the items says the same."""
    pair = fc.ContactPair(free("slave"), RING, MASTERS["moving plane"](), *_laws())
    system = fc.System(pair.bodies, [pair, fc.Gravity(pair.bodies)])
    state = system.state(q={"slave.uz": -1e-3}, v={"slave.ux": 0.1})
    assert system.program.in_python == ()
    force = sum(system._forces.force(i, 0.0, *system.local(i, state)).sum() for i in system.items)
    assert system.force(state).sum() == pytest.approx(force, rel=1e-12)


def _laws():
    return NORMALS["penalty"], FRICTIONS["Coulomb"]


def test_a_point_without_slip_is_refused():
    """By name and with the cure, as in Python."""
    pair = fc.ContactPair(free("slave"), RING, MASTERS["ground"](), *_laws(), name="foot")
    system = fc.System(pair.bodies, [pair])
    with pytest.raises(SolverError, match="foot: no sliding state: a contact point has no slip"):
        system.force(system.state(q={"slave.uz": -1e-4}))


def test_gaps_that_turn_stay_in_python():
    uneven = RING.with_gap(1e-5 * np.arange(12))
    pair = fc.EulerianPair(spun("slave"), uneven, MASTERS["ground"](), *_laws())
    assert pair.lowered() is None
