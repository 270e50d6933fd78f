"""Steady states of elastic bodies whose inertia and elastic forces balance within the body."""

from __future__ import annotations

import pytest

from fecontact.analysis import steady_state
from fecontact.body import ElasticBody, TurningFrame
from fecontact.fem import ElasticSolid, Material
from fecontact.mesh import block
from fecontact.reduction import PolynomialLoads, reduce_model
from fecontact.system import System

LENGTH, SIDE = 1.0, 0.05


@pytest.mark.parametrize("speed", [0.5, 50.0])
def test_extension_of_a_rotating_rod(speed):
    """u(L) = rho Omega^2 L^3 / (3 E); the next term, Omega^2 rho L^2/E of it, is below 1e-4."""
    material = Material(young=1e11, poisson=0.0, density=2000.0)
    mesh = block(LENGTH, SIDE, SIDE, cells=(8, 1, 1)).translated((0.0, -SIDE / 2, -SIDE / 2))
    solid = ElasticSolid(mesh, material, supports={"x_min": "clamped"})
    model = reduce_model(solid, "x_max", modes=12, loads={"x_max": PolynomialLoads(0)}, layer=0.0)
    rod = ElasticBody("rod", model, frame=TurningFrame((0.0, 0.0, 1.0), speed))
    state = steady_state(System([rod])).state
    tip = rod.marker("x_max").at(state.q, state.v).position
    expected = material.density * speed**2 * LENGTH**3 / (3.0 * material.young)
    assert tip[0] - LENGTH == pytest.approx(expected, rel=1e-3)
