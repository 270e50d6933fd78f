"""Error estimates of the reduction are bounds: random meshes, supports, loads, frequencies."""

import numpy as np
import scipy.linalg as la
from hypothesis import given, settings
from hypothesis import strategies as st
from skfem import Basis, BilinearForm, ElementTetP1, ElementVector, MeshTet
from skfem.helpers import dot
from skfem.models.elasticity import lame_parameters, linear_elasticity

from fecontact.fem.matrices import MatrixModel
from fecontact.reduction import METHODS, PolynomialLoads, reduce_model
from fecontact.reduction.loads import load_vectors

ROUND_OFF = 1e-6
"""A difference of compliances is known to 1e-12 or so; its root to 1e-6."""


@BilinearForm
def _mass(u, v, w):
    return 7800.0 * dot(u, v)


def random_body(seed, supported):
    """Tetrahedra of a block with random sides and randomly moved inner nodes."""
    rng = np.random.default_rng(seed)
    axes = [np.linspace(0, rng.uniform(0.02, 0.2), n + 1) for n in rng.integers(2, 4, 3)]
    mesh = MeshTet.init_tensor(*axes)
    points = mesh.p.copy()
    inner = np.setdiff1d(np.arange(points.shape[1]), mesh.boundary_nodes())
    steps = np.array([axis[1] for axis in axes])[:, None]
    points[:, inner] += 0.2 * steps * rng.uniform(-1, 1, (3, len(inner)))
    mesh = MeshTet(points, mesh.t)
    basis = Basis(mesh, ElementVector(ElementTetP1()), intorder=2)
    K = linear_elasticity(*lame_parameters(210e9, 0.3)).assemble(basis)
    n = points.shape[1]
    unknowns = np.column_stack([np.repeat(np.arange(n), 3), np.tile(np.arange(3), n)])
    top = mesh.facets_satisfying(lambda x: np.isclose(x[2], axes[2][-1]), boundaries_only=True)
    facets = upward(points, mesh.facets[:, top].T)
    held = np.flatnonzero(np.isclose(points[2], 0.0)) if supported else np.zeros(0, int)
    supports = (3 * held[:, None] + np.arange(3)).ravel()
    return MatrixModel(K, _mass.assemble(basis), points.T, unknowns, {"top": facets}, supports)


def upward(points, facets):
    a, b, c = (points[:, facets[:, i]].T for i in range(3))
    down = np.cross(b - a, c - a)[:, 2] < 0
    facets = facets.copy()
    facets[down] = facets[down][:, [0, 2, 1]]
    return facets


def full_modes(model):
    """All elastic modes of the supported body, dense."""
    f = model.free
    squares, X = la.eigh(*(A[f][:, f].toarray() for A in (model.stiffness, model.mass)))
    elastic = squares > 1e-8 * squares[-1]
    Phi = np.zeros((model.mass.shape[0], np.count_nonzero(elastic)))
    Phi[f] = X[:, elastic]
    return squares[elastic], Phi


cases = given(
    seed=st.integers(0, 2**32 - 1),
    supported=st.booleans(),
    modes=st.integers(0, 12),
    degree=st.integers(0, 2),
    method=st.sampled_from([m for m in METHODS if m not in ("fixed", "quasi-static")]),
)
few = settings(max_examples=25, deadline=None, derandomize=True)


@few
@cases
def test_static_error_never_exceeds_its_bound(seed, supported, modes, degree, method):
    model = random_body(seed, supported)
    family = PolynomialLoads(degree)
    options = {"method": method, "modes": modes, "loads": {"top": family}, "tolerance": 0.1}
    reduced = reduce_model(model, "top", **options)
    squares, X = full_modes(model)
    s = model.surface("top")
    Phi = reduced.basis[:, reduced.rigid :]
    roots = np.repeat(np.sqrt(s.weights), 3)
    rng = np.random.default_rng(seed)
    estimate = reduced.contact["top"]
    for loads, bound in ((family, estimate.nominal), (family.finer(), estimate.finer)):
        tractions = loads.tractions(s)
        amplitudes = rng.standard_normal(len(tractions))
        f = load_vectors(s, tractions) @ amplitudes
        u = X @ ((X.T @ f) / squares)
        error = u - Phi @ ((Phi.T @ f) / reduced.frequencies[reduced.rigid :] ** 2)
        energy = np.sqrt((error @ (model.stiffness @ error)) / (u @ (model.stiffness @ u)))
        surface, whole = (la.norm(roots * (s.shape @ v)) for v in (error, u))
        traction = la.norm(
            roots * (np.column_stack([t.ravel() for t in tractions.values()]) @ amplitudes)
        )
        assert energy <= bound.energy_error * (1 + ROUND_OFF) + ROUND_OFF
        assert surface <= (bound.surface_error * (1 + ROUND_OFF) + ROUND_OFF) * whole
        assert surface <= bound.missing * traction * (1 + ROUND_OFF) + ROUND_OFF * whole
        assert whole <= bound.largest * traction * (1 + ROUND_OFF)
    if method == "rubin":
        assert estimate.nominal.energy_error <= 0.1 * (1 + ROUND_OFF)


@few
@cases
def test_a_true_frequency_lies_within_the_bound(seed, supported, modes, degree, method):
    model = random_body(seed, supported)
    loads = {"top": PolynomialLoads(degree)}
    reduced = reduce_model(model, "top", method=method, modes=modes, loads=loads)
    squares, _ = full_modes(model)
    found = reduced.frequencies[reduced.rigid :] ** 2
    nearest = np.min(np.abs(found[:, None] / squares - 1.0), axis=1, initial=np.inf)
    assert np.all(nearest <= reduced.frequency_error[reduced.rigid :] + 1e-8)


@few
@given(
    seed=st.integers(0, 2**32 - 1),
    supported=st.booleans(),
    modes=st.integers(0, 12),
    tolerance=st.sampled_from([0.02, 0.05, 0.2]),
    part=st.floats(0.05, 1.0),
)
def test_harmonic_response_is_valid_up_to_the_validity_frequency(
    seed, supported, modes, tolerance, part
):
    """Error of the elastic response at a frequency below it, against the static response."""
    model = random_body(seed, supported)
    family = PolynomialLoads(1)
    reduced = reduce_model(model, "top", modes=modes, loads={"top": family})
    omega = part * reduced.validity_frequency(tolerance)
    assert 0.0 < omega < reduced.next_frequency
    squares, X = full_modes(model)
    s = model.surface("top")
    tractions = family.tractions(s)
    f = load_vectors(s, tractions) @ np.random.default_rng(seed).standard_normal(len(tractions))
    Phi, theta = reduced.basis[:, reduced.rigid :], reduced.frequencies[reduced.rigid :]
    # no kept resonance at this very frequency: the kept modes are exact, their part cancels
    if np.min(np.abs(theta / omega - 1.0), initial=1.0) < 1e-3:
        return
    u = X @ ((X.T @ f) / (squares - omega**2))
    error = u - Phi @ ((Phi.T @ f) / (theta**2 - omega**2))
    static = X @ ((X.T @ f) / squares)
    size, reference = (np.sqrt(v @ (model.stiffness @ v)) for v in (error, static))
    assert size <= tolerance * reference * (1 + 1e-4)
