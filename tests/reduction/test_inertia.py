import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from skfem import Basis, ElementHex1, ElementVector, MeshHex

from fecontact.fem.matrices import MatrixModel
from fecontact.reduction import reduce_model
from fecontact.reduction.geometric import UNIT_LOADS, unit_inertia_loads
from fecontact.reduction.inertia import inertia_integrals

DENSITY, SIZE, ORIGIN = 7800.0, np.array([0.10, 0.06, 0.03]), np.array([0.2, -0.1, 0.05])


@pytest.fixture(scope="module")
def body(solid, block):
    return solid(block(size=SIZE, origin=ORIGIN))


@pytest.fixture(scope="module")
def shapes(body):
    return 1e-2 * np.random.default_rng(0).standard_normal((body.mass.shape[0], 4))


def test_rigid_block(body, shapes):
    """Mass, centre and inertia tensor of a box: closed form with the parallel-axis theorem."""
    found = inertia_integrals(body, shapes)
    mass, centre = DENSITY * np.prod(SIZE), ORIGIN + SIZE / 2
    inertia = mass / 12 * np.diag(np.sum(SIZE**2) - SIZE**2)
    inertia += mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
    assert found.mass == pytest.approx(mass, rel=1e-12)
    assert_allclose(found.first_moment, mass * centre, rtol=1e-12)
    assert_allclose(found.inertia, inertia, rtol=1e-12)


def quadrature(body, shapes, integrand):
    """Integral of rho g(x, Phi) over the block by Gauss points, from the mesh: brute force."""
    mesh = MeshHex(body.nodes.T, body.cells["hexahedron"].T)
    basis = Basis(mesh, ElementVector(ElementHex1()), intorder=6)
    x = np.asarray(basis.global_coordinates()).reshape(3, -1)
    fields = [np.asarray(basis.interpolate(shape)).reshape(3, -1) for shape in shapes.T]
    return DENSITY * np.sum(integrand(x, np.array(fields)) * basis.dx.ravel(), axis=-1)


def test_mass_matrix_against_quadrature(body, shapes):
    """Kinetic energy of random motions of the deformed body, v = v0 + w x (x + u) + u'."""
    integrals = inertia_integrals(body, shapes)
    rng = np.random.default_rng(1)
    gram = shapes.T @ (body.mass @ shapes)
    for _ in range(5):
        v0, w = rng.standard_normal((2, 3))
        q, rate = rng.standard_normal((2, shapes.shape[1]))

        def twice_energy(x, fields, v0=v0, w=w, q=q, rate=rate):
            place = x + np.einsum("mcp,m->cp", fields, q)
            velocity = v0[:, None] + np.cross(w, place.T).T
            return np.sum((velocity + np.einsum("mcp,m->cp", fields, rate)) ** 2, axis=0)

        M = integrals.mass_matrix(q)
        M[6:, 6:] = gram  # these shapes are not mass-orthonormal
        speed = np.concatenate([v0, w, rate])
        assert speed @ M @ speed == pytest.approx(quadrature(body, shapes, twice_energy), rel=1e-11)
        assert_allclose(M, M.T, atol=1e-14 * np.max(np.abs(M)))


def test_single_integrals_against_quadrature(body, shapes):
    found = inertia_integrals(body, shapes)
    i, j = 1, 3
    cases = {
        "translation": (found.translation[:, i], lambda x, f: f[i]),
        "rotation": (found.rotation[:, i], lambda x, f: np.cross(x.T, f[i].T).T),
        "coupling": (found.coupling[:, i, j], lambda x, f: np.cross(f[i].T, f[j].T).T),
        "first": (
            found.inertia_first[0, 1, i],
            lambda x, f: -x[0] * f[i][1] - x[1] * f[i][0],
        ),
        "second, mixed": (
            found.inertia_second[0, 1, i, j],
            lambda x, f: -0.5 * (f[i][0] * f[j][1] + f[i][1] * f[j][0]),
        ),
        "second": (
            found.inertia_second[2, 2, i, j],
            lambda x, f: f[i][0] * f[j][0] + f[i][1] * f[j][1],
        ),
    }
    for name, (value, integrand) in cases.items():
        assert_allclose(value, quadrature(body, shapes, integrand), rtol=1e-10, err_msg=name)
    assert_allclose(found.coupling, -found.coupling.swapaxes(1, 2), atol=1e-18)


def test_elastic_modes_carry_no_momentum(free_block):
    """Free modes are orthogonal to the rigid-body modes: no linear and no angular momentum."""
    reduced = reduce_model(free_block, "top", modes=6)
    elastic = slice(6, None)
    scale = np.sqrt(reduced.inertia.mass)
    assert_allclose(reduced.inertia.translation[:, elastic], 0.0, atol=1e-9 * scale)
    assert_allclose(reduced.inertia.rotation[:, elastic], 0.0, atol=1e-9 * scale * 0.1)


def test_bodies_with_rotations_have_none():
    unknowns = np.column_stack([np.zeros(6, int), np.arange(6)])
    beam = MatrixModel(sp.eye_array(6), sp.eye_array(6), np.zeros((1, 3)), unknowns)
    assert inertia_integrals(beam, np.eye(6)) is None


def test_coupled_mass_has_none(free_block):
    mass = free_block.mass + sp.diags_array(np.where(free_block.unknowns[:, 1] == 0, 1.0, 0.0))
    odd = MatrixModel(free_block.stiffness, mass, free_block.nodes, free_block.unknowns)
    assert inertia_integrals(odd, np.eye(odd.mass.shape[0])[:, :2]) is None


def test_unit_inertia_loads_add_up(body):
    """Loads of a moving frame: total force and moment about the origin of -rho (a + ...)."""
    loads = unit_inertia_loads(body)
    a, alpha, w = np.random.default_rng(2).standard_normal((3, 3))
    factors = [*a, *alpha, *w**2, w[0] * w[1], w[1] * w[2], w[2] * w[0]]
    assert len(factors) == len(UNIT_LOADS)
    force = loads @ factors
    x = body.nodes
    acceleration = a + np.cross(alpha, x) + np.cross(w, np.cross(w, x))
    assert_allclose(force, -(body.mass @ acceleration.ravel()), rtol=1e-12, atol=1e-12)


class WithGeometricStiffness:
    """A model whose geometric stiffness is linear in the displacement: f(u) = (c . u) G."""

    def __init__(self, model):
        self._model = model
        rng = np.random.default_rng(4)
        self.direction = rng.standard_normal(model.mass.shape[0])
        self.G = sp.csr_array(model.mass)

    def __getattr__(self, name):
        return getattr(self._model, name)

    def geometric_stiffness(self, displacement, strain):
        return (self.direction @ displacement) * self.G


def test_reference_geometric_stiffness(clamped_block):
    """Superposition: the stiffness of a combined load from one full static solution."""
    model = WithGeometricStiffness(clamped_block)
    reduced = reduce_model(model, "top", modes=5)
    assert reduced.geometric.shape == (12, reduced.size, reduced.size)
    assert reduced.provenance.notes == ()
    factors = np.random.default_rng(3).standard_normal(12)
    force = (unit_inertia_loads(clamped_block) @ factors)[clamped_block.free]
    f = clamped_block.free
    u = np.zeros(clamped_block.mass.shape[0])
    u[f] = np.linalg.solve(clamped_block.stiffness[f][:, f].toarray(), force)
    expected = (model.direction @ u) * np.eye(reduced.size)  # Phi^T M Phi = 1
    found = np.einsum("a,aij->ij", factors, reduced.geometric)
    assert_allclose(found, expected, atol=1e-8 * np.max(np.abs(expected)))
