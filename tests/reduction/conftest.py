"""Small solid bodies for the tests of reduction, assembled here and passed as bare matrices."""

import numpy as np
import pytest
import scipy.sparse as sp
from skfem import Basis, ElementHex1, ElementHex2, FacetBasis, LinearForm, MeshHex

from fecontact.fem.matrices import MatrixModel, NodeSurface
from fecontact.mesh import solid_annulus

YOUNG, POISSON, DENSITY = 210e9, 0.3, 7800.0


@LinearForm
def _area(v, w):
    return v


def assemble_solid(mesh, element):
    """Stiffness, mass and node coordinates; unknown 3 node + component."""
    basis = Basis(mesh, element, intorder=4)
    lame = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
    shear = YOUNG / (2 * (1 + POISSON))
    value = np.stack([np.broadcast_to(np.asarray(b[0]), basis.dx.shape) for b in basis.basis])
    slope = np.stack([b[0].grad for b in basis.basis])
    d, n = basis.element_dofs, len(basis.basis)
    outer = np.einsum("iaeq,jbeq,eq->eiajb", slope, slope, basis.dx, optimize=True)
    k = lame * outer + shear * outer.transpose(0, 1, 4, 3, 2)
    trace = np.einsum("eiaja->eij", outer)
    for a in range(3):
        k[:, :, a, :, a] += shear * trace
    m = DENSITY * np.einsum("ieq,jeq,eq->eij", value, value, basis.dx, optimize=True)
    numbers = (3 * d.T[:, :, None] + np.arange(3)).reshape(len(k), 3 * n)
    K = _scatter(k.reshape(len(k), 3 * n, 3 * n), numbers, 3 * basis.N)
    M = sp.kron(_scatter(m, d.T, basis.N), sp.eye_array(3), format="csr")
    return K, M, basis


def _scatter(blocks, numbers, size):
    rows = np.broadcast_to(numbers[:, :, None], blocks.shape).ravel()
    columns = np.broadcast_to(numbers[:, None, :], blocks.shape).ravel()
    return sp.csr_array((blocks.ravel(), (rows, columns)), shape=(size, size))


def build_solid(mesh, fix=(), surfaces=("top",), element=None):
    """Matrix model of a solid; whole surfaces in `fix` are held."""
    element = ElementHex1() if element is None else element
    K, M, basis = assemble_solid(mesh, element)
    nodes = basis.doflocs.T
    unknowns = np.column_stack(
        [np.repeat(np.arange(len(nodes)), 3), np.tile([0, 1, 2], len(nodes))]
    )
    held = [basis.get_dofs(name).all() for name in fix]
    held = np.concatenate([np.empty(0, int), *held])
    named = {name: _surface(mesh, element, name) for name in surfaces}
    cells = {"hexahedron": mesh.t.T}
    supports = (3 * held[:, None] + np.arange(3)).ravel()
    return MatrixModel(K, M, nodes, unknowns, named, supports, cells)


def _surface(mesh, element, name):
    facets = FacetBasis(mesh, element, facets=mesh.boundaries[name], intorder=4)
    weights = _area.assemble(facets)
    nodes = facets.get_dofs(name).all()
    normal = np.asarray(facets.normals).reshape(3, -1).mean(axis=1)
    return NodeSurface(nodes, weights[nodes], np.tile(normal, (len(nodes), 1)))


def block_mesh(cells=(5, 3, 2), size=(0.10, 0.06, 0.03), origin=(0.0, 0.0, 0.0)):
    axes = [o + np.linspace(0, s, c + 1) for o, s, c in zip(origin, size, cells, strict=True)]
    mesh = MeshHex.init_tensor(*axes)
    return mesh.with_boundaries(
        {
            "left": lambda x: np.isclose(x[0], origin[0]),
            "right": lambda x: np.isclose(x[0], origin[0] + size[0]),
            "top": lambda x: np.isclose(x[2], origin[2] + size[2]),
            "bottom": lambda x: np.isclose(x[2], origin[2]),
        }
    )


@pytest.fixture(scope="session")
def solid():
    """Builder of solids."""
    return build_solid


@pytest.fixture(scope="session")
def block():
    """Builder of block meshes."""
    return block_mesh


@pytest.fixture(scope="session")
def free_block():
    return build_solid(block_mesh())


@pytest.fixture(scope="session")
def clamped_block():
    return build_solid(block_mesh(), fix=("left",), surfaces=("top", "right"))


@pytest.fixture(scope="session")
def ring():
    """Free annulus of quadratic hexahedra."""
    mesh = solid_annulus(0.06, 0.11, 0.0, 0.008, radial=3, circumferential=24)
    return build_solid(mesh, element=ElementHex2())
