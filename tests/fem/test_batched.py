"""Batched cell integrals against scikit-fem's own forms."""

import numpy as np
import pytest
from skfem import Basis, BilinearForm, ElementVector, MeshHex1, MeshHex2, MeshTet1, MeshTet2
from skfem.helpers import dot
from skfem.models.elasticity import lame_parameters, linear_elasticity

from fecontact.errors import InputError
from fecontact.fem import ElasticSolid, Material
from fecontact.fem.solid.body import ELEMENTS

RUBBER = Material(young=2e6, poisson=0.4, density=1100.0)
CURVED = {"tet2": MeshTet2, "hex2": MeshHex2}


def distorted(name, refinements=1, size=0.06):
    mesh = (MeshTet1() if name.startswith("tet") else MeshHex1()).refined(refinements)
    move = size * np.random.default_rng(1).uniform(-1.0, 1.0, mesh.p.shape)
    return type(mesh)(mesh.p + move, mesh.t)


def bent(name):
    """Second-order mesh of a cube whose faces are bent by a smooth map."""
    mesh = CURVED[name].from_mesh(distorted(name, size=0.0))
    x, y, z = mesh.doflocs
    return type(mesh)(np.vstack([x + 0.1 * y * z, y - 0.1 * x**2, z + 0.08 * x * y]), mesh.t)


def forms(solid):
    element = ElementVector(solid.kind.element())
    elastic = linear_elasticity(*lame_parameters(RUBBER.young, RUBBER.poisson))
    inertia = BilinearForm(lambda u, v, w: RUBBER.density * dot(u, v))
    return (
        elastic.assemble(Basis(solid.mesh, element, intorder=solid.stiffness_order)),
        inertia.assemble(Basis(solid.mesh, element, intorder=solid.kind.mass)),
    )


@pytest.mark.parametrize(
    ("name", "mesh"),
    [(name, distorted(name)) for name in ELEMENTS] + [(name, bent(name)) for name in CURVED],
    ids=[*ELEMENTS, "curved tet2", "curved hex2"],
)
def test_matrices_agree_with_scikit_fem(name, mesh):
    solid = ElasticSolid(mesh, RUBBER, name)
    K, M = forms(solid)
    assert abs(solid.stiffness - K).max() < 1e-14 * abs(K).max()
    assert abs(solid.mass - M).max() < 1e-14 * abs(M).max()


@pytest.mark.parametrize("name", ELEMENTS)
def test_stiffness_is_symmetric_to_the_last_bit_with_small_indices(name):
    K = ElasticSolid(distorted(name), RUBBER, name).stiffness
    assert abs(K - K.T).max() == 0.0
    assert K.indices.dtype == np.int32


def test_result_does_not_depend_on_the_chunk(monkeypatch):
    mesh = distorted("hexS2", refinements=2, size=0.02)
    whole = ElasticSolid(mesh, RUBBER, "hexS2").stiffness
    monkeypatch.setattr("fecontact.fem.solid._batched.CHUNK_BYTES", 1)  # one cell at a time
    cell_by_cell = ElasticSolid(mesh, RUBBER, "hexS2").stiffness
    assert abs(whole - cell_by_cell).max() < 1e-15 * abs(whole).max()


@pytest.mark.parametrize("name", ["hex1", "hexS2", "hex2"])
def test_an_inverted_hexahedron_is_named(name):
    mesh = MeshHex1().refined(1)
    p = mesh.p.copy()
    middle = int(np.argmin(np.abs(p - 0.5).sum(axis=0)))
    p[:, middle] = [1.4, 1.4, 1.4]  # through the opposite corner of one cell
    with pytest.raises(InputError, match=r"cell \d+ at.* is inverted or degenerate"):
        _ = ElasticSolid(MeshHex1(p, mesh.t), RUBBER, name).stiffness


@pytest.mark.parametrize("height", [0.0, 1e-12])
def test_a_flat_tetrahedron_is_named(height):
    mesh = MeshTet1()
    p = mesh.p.copy()
    p[2] *= height
    p[0] += p[2]  # no edge along z
    p[:2] += np.random.default_rng(2).uniform(0.0, 0.1, p[:2].shape)
    with pytest.raises(InputError, match="inverted or degenerate"):
        _ = ElasticSolid(MeshTet1(p, mesh.t), RUBBER, "tet2").mass
