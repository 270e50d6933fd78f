"""Stacks of equal plates: one model, one factorisation, memory of one; their statics and modes."""

from __future__ import annotations

import gc
import tracemalloc
from itertools import pairwise

import numpy as np
import pytest
import scipy.linalg as la

from fecontact.analysis import StaticSystem, complex_modes, linearise, load_path
from fecontact.body import ElasticBody, FEBody, fe_body
from fecontact.body.shared import _KEPT, shared
from fecontact.contact import (
    ContactPair,
    ElasticFace,
    ElastoPlastic,
    FEFace,
    PenaltyNormal,
    elastic_surface,
    fe_surface,
)
from fecontact.fem import STEEL, ElasticSolid, Material
from fecontact.joint import Force, Line, Prismatic, RigidJoint, SpringDamper, SurfaceLoad
from fecontact.mesh import block, solid_annulus
from fecontact.reduction import reduce_model
from fecontact.system import System

PLATES, HEIGHT = 8, 0.004


@pytest.fixture(scope="module")
def lamella():
    """Plate held at its inner edge."""
    mesh = solid_annulus(0.06, 0.11, 0.0, HEIGHT, 2, 24)
    solid = ElasticSolid(mesh, STEEL, supports={"inner": "clamped"})
    return reduce_model(solid, "top", modes=8, joints=["outer", "bottom"])


def pack(model, count=PLATES):
    return [
        ElasticBody(f"plate {k}", model, (0.0, 0.0, k * HEIGHT), frame="fixed")
        for k in range(count)
    ]


def test_kept_with_the_model_as_long_as_it_lives():
    class Model:
        pass

    first, second = Model(), Model()
    made = shared(first, "a", list)
    assert shared(first, "a", list) is made
    assert shared(first, "b", list) is not made
    assert shared(second, "a", list) is not made
    number = id(first)
    assert number in _KEPT
    del first
    gc.collect()
    assert number not in _KEPT


def test_memory_of_a_pack_is_that_of_one_plate(lamella):
    """Shapes of nodes and contact points, drawings and inertia of 8 bodies: those of the first."""
    gc.collect()
    tracemalloc.start()
    sizes = []
    bodies = []
    for body in pack(lamella):
        bodies.append(body)
        _ = body.attachments.node_shapes, body.attachments.shapes("top")
        _ = body.geometry(), body.marker("outer"), body.marker((0.11, 0.0, 0.0))
        sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert (sizes[-1] - sizes[0]) / (PLATES - 1) < 0.02 * sizes[0]
    first, last = bodies[0], bodies[-1]
    assert first.attachments.node_shapes is last.attachments.node_shapes
    assert first.attachments.shapes("top") is last.attachments.shapes("top")


def test_one_factorisation_and_springs_in_series(monkeypatch):
    """8 blocks pressed on each other: F (8 L/(E A) + 7/(c A)); equal ones are condensed once."""
    edge, length, young, penalty, force = 0.02, 0.01, 2e9, 1e12, 50.0
    mesh, plastic = block(edge, edge, length, (2, 2, 1)), Material(young, 0.0, 1000.0)
    foot = ElasticSolid(mesh, plastic, supports={"z_min": "clamped"})
    middle = ElasticSolid(mesh, plastic, supports={"x_min": "x", "y_min": "y"})
    calls = []
    original = fe_body.eliminate
    monkeypatch.setattr(
        fe_body, "eliminate", lambda model, kept: calls.append(model) or original(model, kept)
    )
    bodies = [FEBody("plate 0", foot)]
    bodies += [FEBody(f"plate {k}", middle, (0.0, 0.0, k * length)) for k in range(1, PLATES)]
    pairs = [
        ContactPair(above, fe_surface(above, "z_min"), FEFace(below, "z_max"),
                    PenaltyNormal(penalty), ElastoPlastic(0.0, 1e9), name=f"pair {k}")
        for k, (below, above) in enumerate(pairwise(bodies))
    ]  # fmt: skip
    push = SurfaceLoad(bodies[-1], "z_max", (0.0, 0.0, -force), factor=Line(gradient=1.0))
    problem = StaticSystem(System(bodies, [*pairs, push]))
    last = load_path(problem, [0.5, 1.0]).increments[-1]
    u = problem.displacement(last, bodies[-1]).reshape(-1, 3)
    top = np.abs(middle.nodes[:, 2] - length) < 1e-9
    sunk = -(u[top, 2] - (PLATES - 1) * length)
    area = edge**2
    expected = force * (PLATES * length / (young * area) + (PLATES - 1) / (penalty * area))
    np.testing.assert_allclose(sunk, expected, rtol=1e-6)
    assert calls.count(middle) <= 2  # those between two others; the last one
    assert len(calls) <= 3


def test_modes_of_a_clutch_pack(lamella):
    """8 lamellae in one system, springs from rim to rim: the matrices by hand from one model."""
    k = 8e6
    bodies = pack(lamella)
    springs = [
        SpringDamper(a, b, k, point_a="outer", point_b="outer", name=f"rim {number}")
        for number, (a, b) in enumerate(pairwise(bodies))
    ]
    system = System(bodies, springs)
    found = complex_modes(linearise(system, system.state()))
    row, m = lamella.interfaces["outer"].motion[2], lamella.size
    K = la.block_diag(*[np.diag(lamella.frequencies**2)] * PLATES)
    for number in range(PLATES - 1):
        d = np.zeros(PLATES * m)
        d[number * m : (number + 1) * m], d[(number + 1) * m : (number + 2) * m] = -row, row
        K += k * np.outer(d, d)
    expected = np.sqrt(la.eigvalsh(K))
    count = 24
    np.testing.assert_allclose(np.sort(found.eigenvalues.imag)[:count], expected[:count], rtol=1e-6)
    assert expected[0] * 1.001 < expected[1]  # the springs couple them


def test_pack_of_reduced_plates_in_contact():
    """8 reduced blocks on each other, guided at named faces: F (8 L/(E A) + 7/(c A)) as before."""
    edge, length, young, penalty, force = 0.02, 0.01, 2e9, 1e12, 50.0
    solid = ElasticSolid(block(edge, edge, length, (2, 2, 1)), Material(young, 0.0, 1000.0))
    model = reduce_model(solid, ["z_min", "z_max"], modes=2, tolerance=1e-3)
    overlap = 1e-8  # so that they touch before the load comes
    bodies = [
        ElasticBody(f"plate {k}", model, (0.0, 0.0, k * (length - overlap))) for k in range(PLATES)
    ]
    foot = RigidJoint(None, bodies[0], point_b="z_min", name="foot")
    guides = [Prismatic(None, body, point_b="z_min", axis=(0.0, 0.0, 1.0),
                             name=f"guide of {body.name}") for body in bodies[1:]]  # fmt: skip
    pairs = [
        ContactPair(above, elastic_surface(above, "z_min"), ElasticFace(below, "z_max"),
                    PenaltyNormal(penalty), ElastoPlastic(0.0, 1e9), name=f"pair {k}")
        for k, (below, above) in enumerate(pairwise(bodies))
    ]  # fmt: skip
    push = Force(bodies[-1], (0.0, 0.0, -force), point="z_max")
    system = System(bodies, [foot, *guides, *pairs, push])
    problem = StaticSystem(system)
    last = load_path(problem, [0.5, 1.0]).increments[-1]
    top = bodies[-1].marker("z_max")
    x = last.x[problem._model.layout.q[bodies[-1].name]]
    sunk = top.home[2] - top.at(x, np.zeros(len(bodies[-1].dofs))).position[2]
    area = edge**2
    expected = force * (PLATES * length / (young * area) + (PLATES - 1) / (penalty * area))
    np.testing.assert_allclose(sunk + (PLATES - 1) * overlap, expected, rtol=2e-3)
