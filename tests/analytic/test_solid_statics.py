"""Static closed forms: bending, torsion, rotating disc, orthotropic and curved bodies."""

import numpy as np
import pytest
from skfem import MeshHex

from fecontact.errors import InputError
from fecontact.fem import (
    STEEL,
    CartesianAxes,
    CylindricalAxes,
    ElasticSolid,
    Material,
    Orthotropic,
    RotatingBody,
    static_displacement,
)
from fecontact.mesh import solid_ring_sector

FACING = {
    "young": (9e9, 14e9, 3e9),
    "poisson": (0.12, 0.25, 0.3),
    "shear": (4e9, 1.5e9, 1.2e9),
    "density": 1900.0,
}


def bar(lengths, cells):
    grids = (np.linspace(0.0, length, n + 1) for length, n in zip(lengths, cells, strict=True))
    return MeshHex.init_tensor(*grids).with_boundaries(
        {"wall": lambda x: x[0] < 1e-9, "end": lambda x: x[0] > lengths[0] - 1e-9},
        boundaries_only=True,
    )


def traction(solid, surface, vector):
    face = solid.surface(surface)
    return face.shape.T @ (face.weights[:, None] * vector).ravel()


@pytest.mark.parametrize("name", ["hexS2", "hex2"])
def test_cantilever_deflects_as_timoshenko_says(name):
    """w = F L^3/(3 E I) + F L/(kappa G A); nu = 0 and kappa = 5/6 (parabolic shear)."""
    L, b, h = 1.0, 0.1, 0.1
    plain = Material(210e9, 0.0, 7800.0)
    solid = ElasticSolid(bar((L, b, h), (12, 1, 3)), plain, name, {"wall": "clamped"})
    u = static_displacement(solid, traction(solid, "end", np.array([0.0, 0.0, 1e6])))
    end = solid.surface("end")
    tip = (end.weights @ (end.shape @ u).reshape(-1, 3))[2] / (b * h)
    force, inertia = 1e6 * b * h, b * h**3 / 12.0
    expected = force * L**3 / (3 * 210e9 * inertia) + force * L / (5 / 6 * 105e9 * b * h)
    assert tip == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("angle", [0.0, 30.0, 90.0])
def test_orthotropic_bar_stretches_by_its_off_axis_modulus(angle):
    """Free to shear and contract, the bar strains by eps = S_x sigma; a uniform state."""
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    facing = Orthotropic(**FACING, axes=CartesianAxes((c, s, 0.0), (-s, c, 0.0)))
    solid = ElasticSolid(bar((1.0, 0.2, 0.1), (3, 2, 1)), facing)
    load = traction(solid, "end", np.array([1e6, 0.0, 0.0]))
    load += traction(solid, "wall", np.array([-1e6, 0.0, 0.0]))
    u = static_displacement(solid, load).reshape(-1, 3)
    near, far = solid.nodes[:, 0] == 0.0, solid.nodes[:, 0] == 1.0
    stretch = u[far, 0].mean() - u[near, 0].mean()
    expected = c**4 / 9e9 + s**4 / 14e9 + (1 / 4e9 - 2 * 0.12 / 9e9) * (c * s) ** 2
    assert stretch == pytest.approx(1e6 * expected, rel=1e-8)


def test_rotating_disc_grows_as_timoshenko_and_goodier_say():
    """Free annulus, plane stress: u(r) from sigma_r = 0 at both edges (Theory of Elasticity,
    rotating disks), with the top and bottom free."""
    a, b, nu, E, rho = 0.06, 0.11, STEEL.poisson, STEEL.young, STEEL.density
    supports = {"start": "y", "end": "x", "bottom": "z"}
    solid = ElasticSolid(
        solid_ring_sector(a, b, 0.5 * np.pi, 0.0, 0.002, 4, 6, order=2), STEEL, supports=supports
    )
    u = static_displacement(solid, RotatingBody(solid).centrifugal_load).reshape(-1, 3)

    def hoop_growth(r):
        k = rho * (3 + nu) / 8.0
        radial = k * (a**2 + b**2 - (a * b / r) ** 2 - r**2)
        hoop = k * (a**2 + b**2 + (a * b / r) ** 2 - (1 + 3 * nu) / (3 + nu) * r**2)
        return r * (hoop - nu * radial) / E

    for r in (a, b):
        at = np.abs(solid.nodes - [r, 0.0, 0.0]).sum(axis=1) < 1e-9
        assert u[at, 0] == pytest.approx(hoop_growth(r), rel=1e-3)


def test_wound_tube_under_pressure():
    """Cylindrically orthotropic tube in plane strain (u_z = 0), inner pressure p:
    u = A r^k + B r^-k with k^2 = C_22/C_11 (Lekhnitskii 1963)."""
    a, b, p = 0.06, 0.11, 1e6
    facing = Orthotropic(**FACING, axes=CylindricalAxes())
    supports = {"start": "y", "end": "x", "bottom": "z", "top": "z"}
    solid = ElasticSolid(
        solid_ring_sector(a, b, 0.5 * np.pi, 0.0, 0.01, 6, 6, order=2), facing, supports=supports
    )
    face = solid.surface("inner")
    load = face.shape.T @ (face.weights[:, None] * -p * face.normals).ravel()
    u = static_displacement(solid, load).reshape(-1, 3)
    C = Orthotropic(**FACING).elasticity(np.zeros(3))
    k = np.sqrt(C[1, 1] / C[0, 0])

    def stress(r, sign):
        return (sign * k * C[0, 0] + C[0, 1]) * r ** (sign * k - 1)

    A, B = np.linalg.solve([[stress(r, 1), stress(r, -1)] for r in (a, b)], [-p, 0.0])
    for r in (a, b):
        at = np.abs(solid.nodes - [r, 0.0, 0.0]).sum(axis=1) < 1e-9
        assert u[at, 0] == pytest.approx(A * r**k + B * r**-k, rel=1e-3)


def test_a_free_body_must_be_loaded_in_equilibrium():
    solid = ElasticSolid(bar((1.0, 0.2, 0.1), (3, 2, 1)), STEEL)
    with pytest.raises(InputError, match="not in equilibrium"):
        static_displacement(solid, traction(solid, "end", np.array([1e6, 0.0, 0.0])))
