"""Patch tests: a constant strain is exact on any mesh, distorted or curved."""

import numpy as np
import pytest
from skfem import MeshHex1, MeshHex2, MeshTet1, MeshTet2

from fecontact.fem import ElasticSolid, Orthotropic
from fecontact.fem.solid.body import ELEMENTS
from fecontact.solvers.linear import factorise

WOOD = Orthotropic((10e9, 8e8, 5e8), (0.4, 0.45, 0.5), (7e8, 6e8, 2e8), 450.0)
GRADIENT = 1e-3 * np.array([[1.0, 0.4, -0.3], [0.2, -0.7, 0.5], [0.6, -0.1, 0.9]])


def irregular(name):
    """Cube with moved inner vertices: no two cells are alike."""
    mesh = (MeshTet1() if name.startswith("tet") else MeshHex1()).refined(2)
    inside = np.setdiff1d(
        np.arange(mesh.p.shape[1]), np.unique(mesh.facets[:, mesh.boundary_facets()])
    )
    p = mesh.p.copy()
    p[:, inside] += np.random.default_rng(5).uniform(-0.05, 0.05, (3, len(inside)))
    return type(mesh)(p, mesh.t)


def curved(name):
    """Cube with bent faces and bent inner edges."""
    kind = MeshTet2 if name.startswith("tet") else MeshHex2
    mesh = kind.from_mesh(irregular(name))
    x, y, z = mesh.doflocs
    bend = np.vstack([np.sin(2 * y + z), np.sin(3 * z - x), np.sin(2 * x * y)])
    return kind(mesh.doflocs + 0.05 * bend, mesh.t)


def patch_error(mesh, name):
    """Error of the inner nodes if the skin follows u = H x, relative to the largest u."""
    solid = ElasticSolid(mesh, WOOD, name)
    exact = (solid.nodes @ GRADIENT.T).ravel()
    skin = solid.numbering.get_facet_dofs(mesh.boundary_facets()).flatten()
    inner = np.setdiff1d(np.arange(len(exact)).reshape(-1, 3), 3 * skin[:, None] + np.arange(3))
    outer = np.setdiff1d(np.arange(len(exact)), inner)
    K = solid.stiffness
    u = factorise(K[inner][:, inner])(-(K[inner][:, outer] @ exact[outer]))
    return np.abs(u - exact[inner]).max() / np.abs(exact).max(), solid, exact


@pytest.mark.parametrize("name", ELEMENTS)
def test_constant_strain_on_an_irregular_mesh(name):
    error, solid, exact = patch_error(irregular(name), name)
    assert error < 1e-11
    strain = 0.5 * (GRADIENT + GRADIENT.T)
    voigt = np.array([*np.diag(strain), *2.0 * strain[[1, 0, 0], [2, 2, 1]]])
    energy = 0.5 * voigt @ WOOD.elasticity(np.zeros(3)) @ voigt  # times the volume 1 m^3
    assert 0.5 * exact @ solid.stiffness @ exact == pytest.approx(energy, rel=1e-12)


@pytest.mark.parametrize("name", ["tet2", "hexS2", "hex2"])
def test_constant_strain_on_a_curved_mesh(name):
    assert patch_error(curved(name), name)[0] < 1e-11
