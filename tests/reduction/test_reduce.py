import numpy as np
import pytest
import scipy.linalg as la
from numpy.testing import assert_allclose

from fecontact.errors import InputError
from fecontact.fem.matrices import MatrixModel, NodeSurface
from fecontact.reduction import METHODS, PatchLoads, PolynomialLoads, reduce_model
from fecontact.reduction.basis import check_orthonormal
from fecontact.reduction.craig_bampton import (
    characteristic_modes,
    constraint_modes,
    fixed_interface,
    interface_unknowns,
)
from fecontact.reduction.loads import load_vectors

FREE_METHODS = tuple(m for m in METHODS if m != "fixed")


def full_frequencies(model):
    """All frequencies of the supported body, dense: the reference."""
    f = model.free
    K, M = (A[f][:, f].toarray() for A in (model.stiffness, model.mass))
    return np.sqrt(np.maximum(la.eigh(K, M, eigvals_only=True), 0.0))


def full_static(model, forces):
    """Displacement of a supported body, dense: the reference."""
    u, f = np.zeros_like(forces), model.free
    u[f] = la.solve(model.stiffness[f][:, f].toarray(), forces[f], assume_a="pos")
    return u


def full_elastic(model, forces):
    """Elastic displacement from all elastic modes, dense: the reference of free bodies too."""
    u, f = np.zeros_like(forces), model.free
    squares, X = la.eigh(*(A[f][:, f].toarray() for A in (model.stiffness, model.mass)))
    elastic = squares > 1e-6 * squares[-1]
    u[f] = X[:, elastic] @ ((X[:, elastic].T @ forces[f]) / squares[elastic, None])
    return u


def reduced_static(reduced, forces):
    Phi = reduced.basis[:, reduced.rigid :]
    return Phi @ ((Phi.T @ forces) / reduced.frequencies[reduced.rigid :, None] ** 2)


def random_loads(model, surface, family, count=4, seed=0):
    s = model.surface(surface)
    P = load_vectors(s, family.tractions(s))
    return P @ np.random.default_rng(seed).standard_normal((P.shape[1], count))


@pytest.mark.parametrize("method", FREE_METHODS)
def test_basis_is_orthonormal_and_rigid_motions_are_exact(free_block, method):
    reduced = reduce_model(free_block, "top", method=method, modes=8)
    check_orthonormal(free_block.mass, reduced.basis)
    assert reduced.rigid == 6
    assert np.all(reduced.frequencies[:6] == 0.0)
    assert np.all(reduced.frequencies[6:] > 0.0)
    assert_allclose(reduced.mass, np.eye(reduced.size))
    K = reduced.basis.T @ (free_block.stiffness @ reduced.basis)
    assert_allclose(K, reduced.stiffness, atol=1e-9 * np.max(K))
    motions = free_block.rigid_body_modes()
    held = reduced.basis @ (reduced.basis.T @ (free_block.mass @ motions))
    assert_allclose(held, motions, atol=1e-12)  # every rigid motion is in the basis


@pytest.mark.parametrize("method", ["free", "rubin", "quasi-static"])
def test_all_modes_kept_is_the_full_model(free_block, method):
    count = free_block.mass.shape[0] - 6
    reduced = reduce_model(free_block, "top", method=method, modes=count)
    assert reduced.size == count + 6
    assert reduced.next_frequency == np.inf == reduced.validity_frequency()
    assert_allclose(reduced.frequencies[6:], full_frequencies(free_block)[6:], rtol=1e-7)
    assert reduced.contact["top"].finer.surface_error < 1e-6


def test_craig_bampton_with_all_modes_is_the_full_model(clamped_block):
    interior = len(clamped_block.free) - 3 * 12
    reduced = reduce_model(clamped_block, "right", method="craig-bampton", modes=interior)
    assert reduced.size == len(clamped_block.free)
    assert_allclose(reduced.frequencies, full_frequencies(clamped_block), rtol=1e-8)


@pytest.mark.parametrize("body", ["free_block", "clamped_block"])
def test_craig_bampton_frequencies(body, request):
    """Never below the true ones (Rayleigh); nested bases approach them; the bounds hold."""
    model = request.getfixturevalue(body)
    true = full_frequencies(model)
    errors = []
    for modes in (5, 20, 80):
        reduced = reduce_model(model, "top", method="craig-bampton", modes=modes)
        elastic = slice(reduced.rigid, reduced.rigid + 8)
        ratio = reduced.frequencies[elastic] / true[elastic]
        assert np.all(ratio >= 1.0 - 1e-9)
        distance = np.abs(
            reduced.frequencies[elastic, None] ** 2 / true[reduced.rigid :] ** 2 - 1.0
        )
        assert np.all(np.min(distance, axis=1) <= reduced.frequency_error[elastic] + 1e-12)
        errors.append(np.max(ratio) - 1.0)
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 1e-3


@pytest.mark.parametrize("body", ["free_block", "clamped_block"])
def test_craig_bampton_is_exact_for_loads_on_its_interface(body, request):
    """Static condensation; on the free body with the inertia forces of its acceleration."""
    model = request.getfixturevalue(body)
    forces = random_loads(model, "top", PatchLoads(((0.05, 0.03, 0.03),), 0.03))
    reduced = reduce_model(model, "top", method="craig-bampton", modes=0)
    expected = full_elastic(model, forces)
    found = reduced_static(reduced, forces)
    assert_allclose(found, expected, atol=1e-9 * np.max(np.abs(expected)))


@pytest.fixture(scope="module")
def finer_block(solid, block):
    """Clamped block whose top has far more unknowns (144) than modes of interest."""
    return solid(block(cells=(8, 5, 2)), fix=("left",))


def test_second_reduction_approaches_craig_bampton_from_above(clamped_block):
    options = {"method": "craig-bampton", "modes": 10, "interface": "top"}
    full = reduce_model(clamped_block, **options)
    sizes, errors = (6, 20, 60), []
    for count in sizes:
        reduced = reduce_model(clamped_block, **options, interface_modes=count)
        assert reduced.size == 10 + count
        ratio = reduced.frequencies[:5] / full.frequencies[:5]
        assert np.all(ratio > 1.0 - 1e-9)
        errors.append(np.max(ratio - 1.0))
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 1e-2


def test_second_reduction_keeps_the_low_frequencies_of_the_body(finer_block):
    """30 coordinates instead of 154, against the full model; wrong interface modes miss them."""
    true = full_frequencies(finer_block)[:6]
    options = {"method": "craig-bampton", "modes": 10, "interface": "top", "interface_modes": 20}
    reduced = reduce_model(finer_block, **options)
    assert reduced.size == 30
    ratio = reduced.frequencies[:6] / true
    assert np.all(ratio > 1.0 - 1e-9)
    assert np.all(ratio < 1.01)


def test_characteristic_modes_are_the_softest_of_the_interface(finer_block):
    """The trace theorem: no other shapes of the interface have a lower sum of omega^2."""
    interface = interface_unknowns(finer_block, ("top",))
    Psi = constraint_modes(finer_block, fixed_interface(finer_block, interface), interface)
    squares = [
        la.eigvalsh(X.T @ (finer_block.stiffness @ X), X.T @ (finer_block.mass @ X))
        for X in (characteristic_modes(finer_block, Psi, 8), Psi)
    ]
    assert_allclose(squares[0], squares[1][:8], rtol=1e-8)


@pytest.mark.parametrize("count", [6, 20, 60])
@pytest.mark.parametrize("tolerance", [1e-2, 1e-4])
def test_second_reduction_is_right_under_its_contact_loads(finer_block, count, tolerance):
    """Static answer to each load shape, against the full model; the modes alone miss it."""
    options = {"method": "craig-bampton", "modes": 10, "interface_modes": count, "layer": 0.0}
    reduced = reduce_model(finer_block, "top", tolerance=tolerance, **options)
    assert 10 + count < reduced.size <= 10 + count + len(reduced.contact["top"].nominal.labels)
    s = finer_block.surface("top")
    forces = load_vectors(s, PolynomialLoads().tractions(s))
    u = full_static(finer_block, forces)
    error = u - reduced_static(reduced, forces)
    energies = (np.einsum("ij,ij->j", v, finer_block.stiffness @ v) for v in (error, u))
    assert np.sqrt(np.max(np.divide(*energies))) < tolerance
    assert reduced.contact["top"].nominal.energy_error < tolerance
    assert reduced.validity_frequency() > full_frequencies(finer_block)[2]


@pytest.mark.parametrize("body", ["free_block", "clamped_block"])
def test_second_reduction_stays_a_ritz_basis(body, request):
    """With the load shapes too: orthonormal, diagonal stiffness, ascending frequencies."""
    model = request.getfixturevalue(body)
    options = {"method": "craig-bampton", "modes": 4, "interface_modes": 10}
    reduced = reduce_model(model, "top", **options)
    check_orthonormal(model.mass, reduced.basis)
    K = reduced.basis.T @ (model.stiffness @ reduced.basis)
    assert_allclose(K, reduced.stiffness, atol=1e-9 * np.max(K))
    assert np.all(np.diff(reduced.frequencies[reduced.rigid :]) >= 0.0)


def test_contact_beside_the_interface_is_right_too(clamped_block):
    """The constraint modes of the right end know nothing of loads on the top."""
    options = {"method": "craig-bampton", "modes": 5, "interface": "right"}
    options |= {"layer": 0.0, "tolerance": 0.01}
    reduced = reduce_model(clamped_block, ("top", "right"), **options)
    forces = random_loads(clamped_block, "top", PolynomialLoads())
    u = full_static(clamped_block, forces)
    error = u - reduced_static(reduced, forces)
    energies = (np.einsum("ij,ij->j", v, clamped_block.stiffness @ v) for v in (error, u))
    assert np.sqrt(np.max(np.divide(*energies))) < 1e-2


@pytest.mark.parametrize("body", ["free_block", "clamped_block"])
def test_rubin_is_exact_for_loads_in_the_span(body, request):
    """Static compliance at any number of modes; the reference solves the full model densely."""
    model = request.getfixturevalue(body)
    family = PolynomialLoads(2)
    forces = random_loads(model, "top", family)
    expected = full_elastic(model, forces)
    for modes in (0, 3, 12):
        reduced = reduce_model(model, "top", modes=modes, loads={"top": family}, tolerance=1e-6)
        found = reduced_static(reduced, forces)
        assert_allclose(found, expected, atol=1e-6 * np.max(np.abs(expected)))


def test_rubin_keeps_the_modes_and_its_tolerance(clamped_block):
    true = full_frequencies(clamped_block)
    sizes = []
    for tolerance in (0.5, 1e-2, 1e-6):
        reduced = reduce_model(clamped_block, "top", modes=6, tolerance=tolerance)
        assert_allclose(reduced.frequencies[:6], true[:6], rtol=1e-9)
        assert reduced.next_frequency == pytest.approx(true[6], rel=1e-9)
        assert np.all(reduced.frequencies[6:] >= true[6] * (1.0 - 1e-9))
        assert reduced.contact["top"].nominal.energy_error <= tolerance * (1.0 + 1e-6)
        sizes.append(reduced.size)
    assert sizes[0] < sizes[1] <= sizes[2]


def test_quasi_static_deflection_is_exact_at_any_number_of_modes(clamped_block):
    """Waltersberger 5.64-5.67: kept modes dynamic, the others at once through C lambda."""
    family = PolynomialLoads(1)
    for modes in (0, 2, 5):
        reduced = reduce_model(
            clamped_block, "top", method="quasi-static", modes=modes, loads={"top": family}
        )
        assert reduced.size == modes
        residual = reduced.residual
        amplitudes = np.random.default_rng(5).standard_normal(len(residual.labels))
        s = clamped_block.surface("top")
        force = load_vectors(s, family.tractions(s)) @ amplitudes
        q = (residual.participation @ amplitudes) / reduced.frequencies**2
        expected = full_static(clamped_block, force[:, None])[:, 0].reshape(-1, 3)
        found = reduced.reconstruct(q, amplitudes)
        assert_allclose(found, expected, atol=1e-9 * np.max(np.abs(expected)))
        work = amplitudes @ residual.compliance @ amplitudes
        assert work == pytest.approx(force @ (residual.shapes @ amplitudes), rel=1e-9, abs=0.0)
        assert np.min(la.eigvalsh(residual.compliance)) > -1e-9 * np.max(residual.compliance)


def test_fixed_modes_hold_the_interface(free_block, clamped_block):
    reduced = reduce_model(free_block, method="fixed", modes=5, interface="top")
    top = free_block.surface("top").shape
    assert reduced.rigid == 0
    assert np.max(np.abs(top @ reduced.basis)) == 0.0
    supported = reduce_model(clamped_block, method="fixed", modes=5)
    assert_allclose(supported.frequencies, full_frequencies(clamped_block)[:5], rtol=1e-9)


def test_results_do_not_depend_on_the_frame(free_block):
    """Turn and move the body: frequencies, compliance and errors stay."""
    turn = la.qr(np.random.default_rng(7).standard_normal((3, 3)))[0]
    turn *= np.sign(la.det(turn))
    n = len(free_block.nodes)
    Q = np.kron(np.eye(n), turn)
    s = free_block.surfaces["top"]
    moved = MatrixModel(
        Q @ free_block.stiffness.toarray() @ Q.T,
        Q @ free_block.mass.toarray() @ Q.T,
        free_block.nodes @ turn.T + [0.3, -0.2, 0.5],
        free_block.unknowns,
        {"top": NodeSurface(s.nodes, s.weights, s.normals @ turn.T)},
    )
    one, other = (reduce_model(m, "top", modes=8) for m in (free_block, moved))
    assert other.rigid == 6
    assert one.size == other.size
    assert_allclose(other.frequencies, one.frequencies, rtol=1e-7)
    a, b = one.contact["top"].finer, other.contact["top"].finer
    assert_allclose(la.eigvalsh(b.full), la.eigvalsh(a.full), rtol=1e-6, atol=1e-9 * np.max(a.full))
    assert b.missing == pytest.approx(a.missing, rel=1e-6, abs=0.0)
    assert b.largest == pytest.approx(a.largest, rel=1e-6, abs=0.0)


def test_surface_shapes_and_reconstruction_agree(free_block):
    reduced = reduce_model(free_block, "top", modes=4)
    q = np.random.default_rng(0).standard_normal(reduced.size)
    nodes = reduced.reconstruct(q)
    assert_allclose(nodes.ravel(), reduced.basis @ q)
    top = free_block.surfaces["top"].nodes
    assert_allclose((reduced.surface("top").shape @ q).reshape(-1, 3), nodes[top], atol=1e-12)


def test_provenance_says_what_was_done(free_block):
    reduced = reduce_model(free_block, "top", modes=4)
    assert reduced.provenance.method == "rubin"
    assert reduced.provenance.parameters["loads of top"] == "PolynomialLoads(degree=4)"
    assert len(reduced.provenance.geometry) == 64
    assert reduced.provenance.notes == ("no geometric stiffness: the model does not offer it",)


def test_progress_names_the_stages(ring):
    stages = []
    reduce_model(ring, "top", modes=3, progress=stages.append)
    assert [s.split(",")[0] for s in stages] == [
        "static response of 'top'",
        "factorisation",
        "static response of the interfaces",
        "eigensolution",
        "error estimates",
        "inertia integrals and geometric stiffness",
    ]


def test_floating_frame_is_optional(free_block):
    reduced = reduce_model(free_block, "top", modes=2, floating_frame=False)
    assert reduced.inertia is None
    assert reduced.geometric is None


def test_negative_areas_are_refused(free_block):
    s = free_block.surface("top")
    odd = type(s)(
        s.points, np.where(np.arange(len(s.weights)) == 0, -1e-6, s.weights), s.normals, s.shape
    )
    with pytest.raises(InputError, match="negative area weight"):
        load_vectors(odd, PolynomialLoads(0).tractions(odd))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "guyan"}, "method = guyan"),
        ({"modes": -1}, "modes = -1"),
        ({"modes": 10_000}, "modes = 10000.* 210 elastic modes"),
        ({"tolerance": 0.0}, "tolerance = 0.0"),
        ({"contact": "nowhere"}, "unknown surface 'nowhere'; known: top"),
        ({"loads": {"side": PolynomialLoads(1)}}, "surface of loads = side"),
        ({"method": "fixed"}, "needs a fixation: 6 rigid-body modes"),
        ({"method": "craig-bampton", "contact": ()}, "needs an interface"),
        (
            {"method": "craig-bampton", "interface_modes": 500},
            "interface_modes = 500: expected 1 to 72",
        ),
        ({"method": "quasi-static", "contact": ()}, "needs a contact surface"),
    ],
)
def test_bad_input(free_block, options, message):
    with pytest.raises(InputError, match=message):
        reduce_model(free_block, **{"contact": "top", "modes": 3, **options})


def test_bad_coordinates(free_block):
    reduced = reduce_model(free_block, "top", modes=1)
    with pytest.raises(InputError, match=r"invalid q of shape \(3,\)"):
        reduced.reconstruct(np.zeros(3))
    with pytest.raises(
        InputError, match="invalid loads: expected a model of method 'quasi-static'"
    ):
        reduced.reconstruct(np.zeros(reduced.size), np.zeros(3))
    with pytest.raises(InputError, match="unknown surface 'side'; known: top"):
        reduced.surface("side")
