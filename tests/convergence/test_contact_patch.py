"""Patch test: uniform pressure between two blocks whose meshes do not match.

The upper block is pressed down by a uniform traction. On the slave's side the pressure of the
Gauss points is integrated exactly; on the master's side the kinks of its shape functions lie
between these points, so its nodal loads have an integration error, and the pressure is uniform up
to that. It shrinks with the number of points per facet; resultants are exact in any case.
"""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body import ElasticBody
from fecontact.contact import ContactPair, PenaltyNormal
from fecontact.contact.coefficient import Coulomb
from fecontact.contact.elastic_face import ElasticFace
from fecontact.contact.elasto_plastic import ElastoPlastic
from fecontact.contact.stepping import ContactHistory, StepStart
from fecontact.contact.surface import elastic_surface
from fecontact.fem import ElasticSolid, Material
from fecontact.mesh import block
from fecontact.reduction import reduce_model

LOAD = 1e4  # Pa
SIDE, HEIGHT, YOUNG, PENALTY = 0.1, 0.05, 1e8, 1e11
CORK = Material(YOUNG, 0.0, 200.0)


def full_body(name, cells, z, cell="hex", supports=None):
    """A block with all static shapes of its two faces: nothing is lost for loads on them."""
    element = {"hex": "hex1", "tet": "tet1"}[cell]
    mesh = block(SIDE, SIDE, HEIGHT, cells=(*cells, 2), cell=cell)
    solid = ElasticSolid(mesh, CORK, element=element, supports=supports or {})
    faces = ["z_max"] if supports else ["z_min", "z_max"]
    model = reduce_model(solid, contact=faces, method="craig-bampton", modes=0)
    return ElasticBody(name, model, (0.0, 0.0, z), "fixed" if supports else "free")


@pytest.fixture(scope="module", params=["hex on hex", "tet on hex"])
def blocks(request):
    lower = full_body("lower", (3, 3), 0.0, supports={"z_min": "xyz"})
    upper = full_body("upper", (4, 2), HEIGHT, cell=request.param[:3])
    return lower, upper


def pressed(lower, upper, parts):
    """Newton's iteration for the state under load; returns the pair's last step."""
    surface, face = elastic_surface(upper, "z_min", parts=parts), ElasticFace(lower, "z_max")
    friction = ElastoPlastic(Coulomb(0.5), PENALTY)
    pair = ContactPair(upper, surface, face, PenaltyNormal(PENALTY, 0.0), friction)
    n = len(upper.freedoms)
    q_up, q_low = upper.reference(), lower.reference()
    q_up[2] = -LOAD / PENALTY
    v = np.zeros(n + len(q_low))
    weights = upper.model.surface("z_max").weights
    fresh = ContactHistory.fresh(len(pair.surface.points))
    start = StepStart.of(pair, np.concatenate([q_up, q_low]), v, fresh)
    for _ in range(20):
        step = start.at(np.concatenate([q_up, q_low]), v, 1.0)
        top = upper.motion(q_up, v[:n], "z_max")
        residual = step.force.copy()
        residual[:n] += top.pull(np.outer(-LOAD * weights, [0.0, 0.0, 1.0]))
        residual[6:n] -= upper.model.frequencies[6:] ** 2 * q_up[7:]
        residual[n:] -= lower.model.frequencies**2 * q_low
        if np.linalg.norm(residual) < 1e-9 * np.linalg.norm(step.force):
            return step
        K = step.tangents()[0]
        K[np.arange(6, n), np.arange(6, n)] -= upper.model.frequencies[6:] ** 2
        K[np.arange(n, len(v)), np.arange(n, len(v))] -= lower.model.frequencies**2
        move = np.linalg.lstsq(-K, residual, rcond=1e-13)[0]
        q_up, q_low = upper.move(q_up, move[:n]), lower.move(q_low, move[n:])
    raise AssertionError("no equilibrium")


def deviation(step):
    """Largest deviation of the pressure, relative to the load; the resultant must be right."""
    assert step.point_force[:, 2].sum() == pytest.approx(LOAD * SIDE**2, rel=1e-8)
    return np.abs(step.pressure[0] / LOAD - 1.0).max()


def test_pressure_is_uniform_and_the_error_shrinks(blocks):
    """Second order in the distance of the points: 16 times smaller from 2 to 8 parts."""
    lower, upper = blocks
    few, more, many = (deviation(pressed(lower, upper, parts)) for parts in (1, 2, 8))
    assert few < 0.15
    assert more < 0.03
    assert many < 2e-3
    assert many < more / 8.0


def test_pressure_is_exact_on_matching_meshes():
    lower = full_body("lower", (3, 3), 0.0, supports={"z_min": "xyz"})
    upper = full_body("upper", (3, 3), HEIGHT)
    assert deviation(pressed(lower, upper, 1)) < 1e-6
