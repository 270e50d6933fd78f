"""Error estimates of the reduction are bounds: random meshes, supports, loads, frequencies.

Every load shape is tried alone, and one random mixture of them.
"""

import numpy as np
import pytest
import scipy.linalg as la
from hypothesis import example, given, settings
from hypothesis import strategies as st
from skfem import Basis, BilinearForm, ElementTetP1, ElementVector, MeshTet
from skfem.helpers import dot
from skfem.models.elasticity import lame_parameters, linear_elasticity

from fecontact.fem import STEEL, ElasticSolid
from fecontact.fem.matrices import MatrixModel
from fecontact.mesh import block
from fecontact.reduction import METHODS, PolynomialLoads, reduce_model
from fecontact.reduction.craig_bampton import interface_unknowns
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
    top, bottom = (
        mesh.facets_satisfying(lambda x, z=z: np.isclose(x[2], z), boundaries_only=True)
        for z in (axes[2][-1], 0.0)
    )
    top, bottom = (upward(points, mesh.facets[:, facets].T) for facets in (top, bottom))
    surfaces = {"top": top, "bottom": bottom[:, ::-1]}
    held = np.flatnonzero(np.isclose(points[2], 0.0)) if supported else np.zeros(0, int)
    supports = (3 * held[:, None] + np.arange(3)).ravel()
    return MatrixModel(K, _mass.assemble(basis), points.T, unknowns, surfaces, supports)


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


def reduced_answer(reduced, P, amplitudes):
    """Static displacement of the reduced body under P times the amplitudes, with its residual."""
    Phi, theta = reduced.basis[:, reduced.rigid :], reduced.frequencies[reduced.rigid :]
    u = Phi @ ((Phi.T @ (P @ amplitudes)) / theta[:, None] ** 2)
    return u if reduced.residual is None else u + reduced.residual.shapes @ amplitudes


def each_and_a_mixture(count, seed):
    """Amplitudes of every single load, and of a random combination of all."""
    mixture = np.random.default_rng(seed).standard_normal(count)
    return np.column_stack([np.eye(count), mixture])


def assert_bounded(model, surface, bound, tractions, amplitudes, u, error, round_off):
    """True errors of the answers u, per column, against the estimate."""
    roots = np.repeat(np.sqrt(surface.weights), 3)[:, None]
    energy, reference = (np.einsum("ij,ij->j", v, model.stiffness @ v) for v in (error, u))
    missed, whole = (la.norm(roots * (surface.shape @ v), axis=0) for v in (error, u))
    fields = np.column_stack([t.ravel() for t in tractions.values()])
    traction = la.norm(roots * (fields @ amplitudes), axis=0)
    reference = reference + bound.layer * traction**2
    through = la.norm(roots * (surface.shape @ u + bound.layer * (fields @ amplitudes)), axis=0)
    assert np.all(np.sqrt(energy / reference) <= bound.energy_error * (1 + round_off) + round_off)
    assert np.all(missed <= (bound.surface_error * (1 + round_off) + round_off) * through)
    assert np.all(missed <= bound.missing * traction * (1 + round_off) + round_off * whole)
    assert np.all(whole <= bound.largest * traction * (1 + round_off))


cases = given(
    seed=st.integers(0, 2**32 - 1),
    supported=st.booleans(),
    modes=st.integers(0, 12),
    degree=st.integers(0, 2),
    method=st.sampled_from(METHODS),
    layer=st.sampled_from([0.0, 1e-13, 1e-11]),
)
few = settings(max_examples=25, deadline=None, derandomize=True)


def coarse(method):
    """Tolerance of the methods that have one."""
    return {"tolerance": 0.1} if method in ("rubin", "craig-bampton") else {}


def reduced_and_full(seed, supported, method, **options):
    """Reduced random body, and the full body it stands for: "fixed" holds the bottom."""
    held = method == "fixed" and not supported
    interface = "bottom" if held else ()
    body = random_body(seed, supported)
    reduced = reduce_model(body, "top", method=method, interface=interface, **options)
    return reduced, random_body(seed, supported or held)


@few
@cases
def test_static_error_never_exceeds_its_bound(seed, supported, modes, degree, method, layer):
    family = PolynomialLoads(degree)
    options = {"modes": modes, "loads": {"top": family}, "layer": layer} | coarse(method)
    reduced, model = reduced_and_full(seed, supported, method, **options)
    squares, X = full_modes(model)
    s = model.surface("top")
    estimate = reduced.contact["top"]
    pairs = [(family, estimate.nominal), (family.finer(), estimate.finer)]
    for loads, bound in pairs if reduced.residual is None else pairs[:1]:
        tractions = loads.tractions(s)
        amplitudes = each_and_a_mixture(len(tractions), seed)
        P = load_vectors(s, tractions)
        u = X @ ((X.T @ (P @ amplitudes)) / squares[:, None])
        error = u - reduced_answer(reduced, P, amplitudes)
        assert_bounded(model, s, bound, tractions, amplitudes, u, error, ROUND_OFF)
    if method == "rubin":
        assert estimate.nominal.energy_error <= 0.1 * (1 + ROUND_OFF)


def full_static(model, P, held):
    """Elastic answer by one dense system with the inertia-relief conditions, refined."""
    free = np.setdiff1d(np.arange(len(P)), held)
    K = model.stiffness[free][:, free].toarray() / np.max(model.stiffness)
    R = model.rigid_body_modes() if not len(held) else np.zeros((len(P), 0))
    C = (model.mass @ (R / la.norm(R, axis=0)))[free]
    C = C / np.max(np.abs(C), initial=np.finfo(float).tiny)
    A = np.block([[K, C], [C.T, np.zeros((C.shape[1], C.shape[1]))]])
    b = np.vstack([P[free] / np.max(model.stiffness), np.zeros((C.shape[1], P.shape[1]))])
    factors = la.lu_factor(A)
    x = la.lu_solve(factors, b)
    for _ in range(3):
        defect = b - A.astype(np.longdouble) @ x.astype(np.longdouble)
        x = x + la.lu_solve(factors, defect.astype(float))
    u = np.zeros_like(P)
    u[free] = x[: len(free)]
    return u


@settings(max_examples=6, deadline=None, derandomize=True)
@given(
    thinness=st.floats(-2.5, -1.0),
    width=st.floats(0.5, 1.0),
    modes=st.integers(0, 10),
    seed=st.integers(0, 2**32 - 1),
)
@example(thinness=-2.5, width=0.6, modes=5, seed=0)
@pytest.mark.parametrize("method", METHODS)
def test_bounds_hold_on_thin_plates(method, thinness, width, modes, seed):
    """A pressure that squeezes a free plate moves it (h/L)^4 times as far as one that bends it.

    The condition of the stiffness grows with (L/h)^4, and the round-off of a static answer so.
    """
    length, ratio = 0.1, 10.0**thinness
    mesh = block(length, width * length, ratio * length, cells=(5, 4, 1))
    model = ElasticSolid(mesh, STEEL)
    family, s = PolynomialLoads(2), model.surface("z_max")
    ends = ("x_min", "x_max") if method == "fixed" else ()
    held = interface_unknowns(model, ends)
    reduced = reduce_model(
        model,
        "z_max",
        method=method,
        modes=modes,
        interface=ends,
        loads={"z_max": family},
        layer=0.0,
        floating_frame=False,
        **coarse(method),
    )
    tractions = family.tractions(s)
    amplitudes = each_and_a_mixture(len(tractions), seed)
    P = load_vectors(s, tractions)
    u = full_static(model, P @ amplitudes, held)
    error = u - reduced_answer(reduced, P, amplitudes)
    round_off = ROUND_OFF + 10.0 * np.finfo(float).eps / ratio**4
    bound = reduced.contact["z_max"].nominal
    assert_bounded(model, s, bound, tractions, amplitudes, u, error, round_off)
    if method in ("rubin", "quasi-static", "craig-bampton"):
        assert bound.energy_error <= 0.1 * (1 + round_off)


@few
@cases
def test_a_true_frequency_lies_within_the_bound(seed, supported, modes, degree, method, layer):
    options = {"loads": {"top": PolynomialLoads(degree)}, "layer": layer}
    reduced, model = reduced_and_full(seed, supported, method, modes=modes, **options)
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
    layer=st.sampled_from([0.0, 1e-13, 1e-11]),
)
def test_harmonic_response_is_valid_up_to_the_validity_frequency(
    seed, supported, modes, tolerance, part, layer
):
    """Error of the elastic response at a frequency below it, against the static response."""
    model = random_body(seed, supported)
    family = PolynomialLoads(1)
    options = {"loads": {"top": family}, "layer": layer, "tolerance": 0.01}
    reduced = reduce_model(model, "top", modes=modes, **options)
    omega = part * reduced.validity_frequency(tolerance)
    assert 0.0 < omega < reduced.next_frequency
    squares, X = full_modes(model)
    s = model.surface("top")
    tractions = family.tractions(s)
    amplitudes = np.random.default_rng(seed).standard_normal(len(tractions))
    f = load_vectors(s, tractions) @ amplitudes
    traction = np.tensordot(amplitudes, np.stack(list(tractions.values())), 1)
    in_layer = reduced.contact["top"].nominal.layer * (s.weights @ np.sum(traction**2, axis=1))
    Phi, theta = reduced.basis[:, reduced.rigid :], reduced.frequencies[reduced.rigid :]
    # no kept resonance at this very frequency: the kept modes are exact, their part cancels
    if np.min(np.abs(theta / omega - 1.0), initial=1.0) < 1e-3:
        return
    u = X @ ((X.T @ f) / (squares - omega**2))
    error = u - Phi @ ((Phi.T @ f) / (theta**2 - omega**2))
    static = X @ ((X.T @ f) / squares)
    square, reference = (v @ (model.stiffness @ v) for v in (error, static))
    assert np.sqrt(square) <= tolerance * np.sqrt(reference + in_layer) * (1 + 1e-4)
