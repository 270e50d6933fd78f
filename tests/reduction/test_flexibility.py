import numpy as np
import pytest
import scipy.linalg as la
import scipy.sparse as sp
from numpy.testing import assert_allclose

from fecontact.errors import InputError, SolverError
from fecontact.fem import STEEL, ElasticSolid, SurfaceSpring, static_displacement
from fecontact.fem.matrices import MatrixModel
from fecontact.fem.rigid import free_rigid_body_modes
from fecontact.mesh import block, solid_annulus
from fecontact.reduction import reduce_model
from fecontact.reduction.basis import check_orthonormal
from fecontact.reduction.flexibility import Flexibility
from fecontact.solvers import eigen


def dense_pseudo_inverse(model):
    """K+ in the mass product, from all eigenvectors: an independent route."""
    squares, X = la.eigh(model.stiffness.toarray(), model.mass.toarray())
    elastic = squares > 1e-6 * squares[-1]
    return X[:, elastic] @ (X[:, elastic].T / squares[elastic, None]), np.sqrt(squares[elastic])


def test_rigid_modes_are_exact_and_orthonormal(free_block):
    R = free_rigid_body_modes(free_block)
    assert R.shape[1] == 6
    assert_allclose(R.T @ (free_block.mass @ R), np.eye(6), atol=1e-12)
    scale = np.max(abs(free_block.stiffness) @ np.abs(R))
    assert np.max(np.abs(free_block.stiffness @ R)) < 1e-14 * scale * 10


# held on the plane z = 0; turning about x or y moves that plane along z only
@pytest.mark.parametrize(
    ("components", "left"), [((0,), 4), ((2,), 3), ((0, 1), 3), ((0, 2), 1), ((0, 1, 2), 0)]
)
def test_supports_leave_the_right_number_of_rigid_motions(free_block, components, left):
    bottom = np.flatnonzero(free_block.nodes[:, 2] == 0.0)
    model = with_supports(free_block, free_block.at(bottom, components))
    R = free_rigid_body_modes(model)
    assert R.shape[1] == left
    assert not np.any(R[np.asarray(model.supports)])


def test_a_soft_ground_spring_removes_a_rigid_motion(free_block):
    # 1e3 N/m at every z unknown; entries of K are of the order 1e10 N/m
    spring = sp.diags_array(np.where(free_block.unknowns[:, 1] == 2, 1e3, 0.0))
    model = with_matrices(free_block, free_block.stiffness + spring, free_block.mass)
    assert free_rigid_body_modes(model).shape[1] == 3
    omega, _ = Flexibility(model).modes(1)
    total = free_block.mass.sum() / 3.0  # the heave mode of a rigid block on springs
    assert omega[0] == pytest.approx(np.sqrt(1e3 * len(free_block.nodes) / total), rel=1e-3)


def test_static_response_is_the_pseudo_inverse(free_block):
    loads = np.random.default_rng(0).standard_normal((free_block.mass.shape[0], 3))
    expected = dense_pseudo_inverse(free_block)[0] @ loads
    found = Flexibility(free_block).static(loads)
    assert_allclose(found, expected, atol=1e-9 * np.max(np.abs(expected)))


def test_inertia_relief_balances_the_load(free_block):
    f = np.random.default_rng(1).standard_normal((free_block.mass.shape[0], 1))
    u = Flexibility(free_block).static(f)
    R = free_rigid_body_modes(free_block)
    residual = free_block.stiffness @ u - (f - free_block.mass @ R @ (R.T @ f))
    assert np.max(np.abs(residual)) < 1e-9 * np.max(np.abs(f))
    assert np.max(np.abs(R.T @ (free_block.mass @ u))) < 1e-12 * np.linalg.norm(u)


@pytest.mark.parametrize("limit", [0, 10_000])
def test_both_eigensolvers_give_the_elastic_modes(free_block, monkeypatch, limit):
    monkeypatch.setattr(eigen, "DENSE_LIMIT", limit)
    omega, X = Flexibility(free_block).modes(12)
    assert_allclose(omega, dense_pseudo_inverse(free_block)[1][:12], rtol=1e-9)
    both = np.hstack([free_rigid_body_modes(free_block), X])
    assert_allclose(both.T @ (free_block.mass @ both), np.eye(18), atol=1e-9)


def test_modes_are_reproducible(free_block):
    first, second = (Flexibility(free_block).modes(5)[1] for _ in range(2))
    assert np.array_equal(first, second)


def test_one_factorisation_serves_modes_and_static_response(ring):
    stages = []
    flexibility = Flexibility(ring, progress=stages.append)
    flexibility.modes(4)
    flexibility.static(np.ones((ring.mass.shape[0], 2)))
    assert [s.split(",")[0] for s in stages].count("factorisation") == 1


def test_more_modes_than_unknowns(free_block):
    count = free_block.mass.shape[0] - 6
    with pytest.raises(InputError, match=f"modes = {count + 1}.* {count} elastic modes"):
        Flexibility(free_block).modes(count + 1)


def test_everything_held(free_block):
    with pytest.raises(InputError, match="supports hold all unknowns"):
        Flexibility(with_supports(free_block, np.arange(free_block.mass.shape[0])))


def test_loose_part_is_refused(free_block):
    n = free_block.mass.shape[0]
    twice = MatrixModel(
        sp.block_diag([free_block.stiffness] * 2, format="csr"),
        sp.block_diag([free_block.mass] * 2, format="csr"),
        np.vstack([free_block.nodes, free_block.nodes + 1.0]),
        np.vstack([free_block.unknowns, free_block.unknowns + np.array([n // 3, 0])]),
    )
    with pytest.raises(SolverError, match=r"loose parts: they can make 6 rigid-body modes"):
        Flexibility(twice).static(np.ones((2 * n, 1)))


@pytest.mark.parametrize("supports", [{}, {"x_min": "clamped"}])
def test_needle_cells_are_not_called_a_free_body(supports):
    """Cells of 83 mm by 0.1 mm: bending is softer than the round-off of the shear stiffness."""
    mesh = block(1.0, 1e-4, 1e-4, cells=(12, 1, 1))
    solid = ElasticSolid(mesh, STEEL, "hexS2", supports=supports)
    with pytest.raises(SolverError, match="no part of the body can move freely: look for needle"):
        Flexibility(solid).static(np.ones((solid.mass.shape[0], 1)))


def test_a_loose_part_beside_a_held_one_is_refused():
    mesh = block(0.1, 0.1, 0.1, cells=(2, 2, 2))
    both = mesh + mesh.translated((1.0, 0.0, 0.0))
    both = both.with_boundaries({"left": lambda x: x[0] < 1e-9})
    solid = ElasticSolid(both, STEEL, "hex1", supports={"left": "clamped"})
    with pytest.raises(SolverError, match=r"loose parts: they can make 6 rigid-body modes"):
        Flexibility(solid).modes(2)


@pytest.mark.parametrize("stiffness", [1e4, 1e3, 1e2])
def test_a_thin_ring_on_soft_springs_swings_as_a_rigid_body(stiffness):
    """omega = sqrt(k/m) in heave, for springs 1e8 times softer than the ring."""
    mesh = solid_annulus(0.06, 0.11, 0.0, 0.002, 3, 24)
    springs = (SurfaceSpring("bottom", (stiffness,) * 3),)
    solid = ElasticSolid(mesh, STEEL, springs=springs)
    reduced = reduce_model(solid, "top", modes=8, floating_frame=False)
    assert reduced.rigid == 0
    heave = np.sqrt(stiffness / (solid.mass.sum() / 3.0))
    assert np.min(np.abs(reduced.frequencies / heave - 1.0)) < 1e-4
    # the one test of free rigid-body modes: a static load needs no balance either
    u = static_displacement(solid, solid.mass @ solid.rigid_body_modes()[:, 2])
    assert u.reshape(-1, 3)[:, 2].mean() == pytest.approx(1.0 / heave**2, rel=1e-3)


@pytest.mark.parametrize("distance", [1e2, 1e4, 1e7])
def test_a_body_far_from_the_origin(distance):
    """Node positions keep 1e-9 of the 1 m block at 1e7 m."""
    mesh = block(1.0, 1.0, 1.0, cells=(2, 2, 2))
    near, far = (
        reduce_model(ElasticSolid(m, STEEL, "hexS2"), "z_max", modes=8)
        for m in (mesh, mesh.translated((distance, 0.5 * distance, -distance)))
    )
    assert far.rigid == 6
    assert_allclose(far.frequencies[6:12], near.frequencies[6:12], rtol=1e-6)


def test_indefinite_stiffness_is_refused(clamped_block):
    K = clamped_block.stiffness - 1e9 * clamped_block.mass  # shifts the first mode below zero
    model = with_matrices(clamped_block, K, clamped_block.mass)
    with pytest.raises(SolverError, match="not positive"):
        Flexibility(model).modes(3)


def with_supports(model, supports):
    return MatrixModel(
        model.stiffness, model.mass, model.nodes, model.unknowns, model.surfaces, supports
    )


def with_matrices(model, K, M):
    return MatrixModel(K, M, model.nodes, model.unknowns, model.surfaces, model.supports)


@pytest.mark.parametrize("cells", [(2, 1, 1), (4, 2, 1), (8, 4, 1)])
def test_a_thin_solid_bends_as_its_thickness_or_is_refused(cells):
    """A free plate: f ~ h. A solid of 1/500 is served to 0.2 %, one of 1/3000 is refused."""
    scaled = [
        Flexibility(ElasticSolid(block(0.1, 0.05, 0.1 / ratio, cells), STEEL)).modes(1)[0] * ratio
        for ratio in (200, 500)
    ]
    assert_allclose(*scaled, rtol=2e-3)
    leaf = Flexibility(ElasticSolid(block(0.1, 0.05, 0.1 / 3000, cells), STEEL))
    with pytest.raises(SolverError, match="thinner than 1/500"):
        leaf.static(np.ones((leaf.size, 1)))


def test_modes_of_a_thin_solid_hold_no_rigid_motion():
    """Dense solver: 1e-8 of the rigid-body modes would be left without the second pass."""
    model = ElasticSolid(block(0.1, 0.05, 1e-4, (4, 2, 1)), STEEL)
    flexibility = Flexibility(model)
    _, X = flexibility.modes(4)
    check_orthonormal(model.mass, np.hstack([flexibility.rigid, X]))
