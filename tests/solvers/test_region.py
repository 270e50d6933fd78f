"""All eigenvalues in a rectangle: constructed spectra, dense LAPACK, multipliers, contour count."""

import numpy as np
import pytest
import scipy.linalg as la
import scipy.sparse as sp
from scipy.optimize import linear_sum_assignment

from fecontact.errors import InputError, SolverError
from fecontact.solvers.quadratic import quadratic_eigenpairs
from fecontact.solvers.region import quadratic_modes
from fecontact.solvers.region.arnoldi import dominant
from fecontact.solvers.region.contour import missing_in
from fecontact.solvers.region.cover import Box, Disc, Found
from fecontact.solvers.region.shifted import Quadratic, Shifted
from fecontact.solvers.region.two_sided import two_sided

TOP = 42e3


def constructed(n, seed=0, fraction=0.06):
    """Sparse non-symmetric M, D, K with given eigenvalues z (n,) and their conjugates.

    Oscillators z = d + i w, multiplied from both sides by sparse matrices of determinant one.
    Among them are marginal ones, equal ones, and pairs nearer than 1e-6.
    """
    rng = np.random.default_rng(seed)
    k = int(fraction * n)
    w = np.r_[rng.uniform(50.0, 0.999 * TOP, k), rng.uniform(1.01 * TOP, 40.0 * TOP, n - k)]
    decaying = -0.02 * w * rng.random(n) - 12.0
    re = np.where(rng.random(n) < 0.5, rng.uniform(-9.5, 900.0, n) * rng.random(n) ** 3, decaying)
    re[:8] = rng.uniform(-5e-4, 5e-4, 8)
    w[8], re[8] = w[9], re[9]
    w[10], re[10] = w[11] * (1.0 + 1e-7), re[11]
    w[12], re[12] = w[13], re[13] + 1e-3
    z, m = re + 1j * w, rng.uniform(0.5, 2.0, n)

    def mixing(offset, size):
        at = np.arange(n - offset)
        entries = rng.uniform(-size, size, n - offset), (at, at + offset)
        return sp.eye_array(n) + sp.coo_array(entries, shape=(n, n))

    left = mixing(1, 0.6) @ mixing(1, 0.6).T @ mixing(37, 0.4)
    right = mixing(1, 0.6).T @ mixing(1, 0.6) @ mixing(71, 0.4)
    order = sp.eye_array(n).tocsr()[rng.permutation(n)]
    given = (sp.diags_array(d) for d in (m, -2.0 * z.real * m, np.abs(z) ** 2 * m))
    return *(sp.csr_array(order @ (left @ A @ right) @ order.T) for A in given), z


def assert_same(found, expected, rtol, atol=0.0):
    """One to one, whatever the order."""
    assert len(found) == len(expected)
    distance = np.abs(found[:, None] - expected)
    rows, columns = linear_sum_assignment(distance)
    assert np.all(distance[rows, columns] <= atol + rtol * np.abs(expected[columns]))


def within(z, growth, top):
    return z[(z.real > growth[0]) & (z.real < growth[1]) & (z.imag >= 0.0) & (z.imag <= top)]


@pytest.mark.parametrize("seed", range(3))
def test_constructed_spectrum_none_lost_none_doubled(seed):
    M, D, K, z = constructed(1000, seed)
    growth = (-10.0, 1000.0)
    found = quadratic_modes(M, D, K, growth=growth, frequency=(0.0, TOP / (2.0 * np.pi)))
    expected = within(z, growth, TOP)
    assert_same(found.z, expected, 1e-10)
    assert np.count_nonzero(found.marginal) == np.count_nonzero(np.abs(expected.real) < 1e-3) >= 8
    for value, x in zip(found.z, found.right.T, strict=True):
        terms = [value**2 * (M @ x), value * (D @ x), K @ x]
        assert np.linalg.norm(sum(terms)) < 1e-9 * max(np.linalg.norm(term) for term in terms)


def test_same_as_lapack_on_a_wide_region():
    M, D, K, _ = constructed(150, 5)
    n, rate = M.shape[0], 1e6
    A = np.block([[np.zeros((n, n)), np.eye(n)], [-K.toarray() / rate**2, -D.toarray() / rate]])
    B = la.block_diag(np.eye(n), M.toarray())
    dense = rate * la.eig(A, B, right=False)
    growth, top = (-3e4, 900.0), 40.0 * TOP
    found = quadratic_modes(M, D, K, growth=growth, frequency=(0.0, top / (2.0 * np.pi)), steps=60)
    assert_same(found.z, within(dense, growth, top), 0.0, 1e-10 * top)
    assert len(found.shifts) > 3


@pytest.mark.slow
def test_yardstick_of_5000_unknowns():
    M, D, K, z = constructed(5000)
    growth = (-10.0, 1000.0)
    found = quadratic_modes(M, D, K, growth=growth, frequency=(0.0, TOP / (2.0 * np.pi)))
    assert_same(found.z, within(z, growth, TOP), 1e-10)


def test_copies_that_do_not_know_of_each_other():
    """Four equal chains of springs: one start vector sees one of four equal eigenvalues."""
    omega = np.linspace(100.0, 300.0, 6)
    K = sp.csr_array(sp.diags_array(np.tile(omega**2, 4)))
    found = quadratic_modes(
        sp.csr_array(sp.eye_array(24)), sp.csr_array((24, 24)), K,
        growth=(-1.0, 1.0), frequency=(0.0, 60.0), steps=12,
    )  # fmt: skip
    assert_same(found.z, np.repeat(1j * omega, 4), 1e-10)
    assert np.linalg.matrix_rank(found.right) == 24
    assert found.recovered > 0
    assert found.marginal.all()


def test_an_operator_with_copies_is_completed():
    values = np.repeat(np.linspace(1.0, 2.0, 15), 3)
    rng = np.random.default_rng(0)
    turn = la.qr(rng.standard_normal((45, 45)))[0]
    A = (turn * values) @ turn.T
    found = dominant(lambda w: A @ w, 45, 15, seed=0)
    large = np.sort(values[values > found.above])[::-1]
    assert len(large) >= 3
    assert found.recovered > 0
    near = np.sort(found.theta.real)[::-1][: len(large)]
    np.testing.assert_allclose(near, large, rtol=1e-8)


def test_multipliers_and_zero_masses():
    """A chain held at its end by a multiplier is the chain without that mass."""
    n = 60
    off = -1e6 * np.ones(n - 1)
    K = sp.diags_array([off, 2e6 * np.ones(n), off], offsets=[-1, 0, 1])
    A = sp.csr_array(([1.0], ([0], [n - 1])), shape=(1, n))
    M = sp.block_diag([sp.eye_array(n), sp.csr_array((1, 1))])
    held = sp.block_array([[K, -A.T], [A, None]])
    found = quadratic_modes(
        sp.csr_array(M), sp.csr_array((n + 1, n + 1)), sp.csr_array(held),
        growth=(-1.0, 1.0), frequency=(0.0, 200.0), contour=True,
    )  # fmt: skip
    k = np.arange(1, n)
    expected = 2e3 * np.sin(0.5 * np.pi * k / n)
    assert_same(found.z, 1j * expected[expected < 400.0 * np.pi], 1e-9)
    assert found.missing == 0


def test_contour_counts_what_is_missing():
    M, D, K, z = constructed(200, 3)
    box = Box(-10.0, 1000.0, 0.0, TOP)
    problem = Quadratic.of(M, D, K, TOP)
    every = np.r_[z, z.conj()]
    lost = within(z, (-10.0, 1000.0), TOP)[2:4]
    assert missing_in(problem, box, every) == 0
    assert missing_in(problem, box, every[~np.isin(every, lost)]) == 2
    few = quadratic_modes(M, D, K, growth=(-10.0, 1e3), frequency=(0.0, TOP / 6.2832), contour=True)
    assert few.missing == 0
    assert "0 missing" in repr(few)


def chain(n=40):
    """Masses on springs with gyroscopic, circulatory and damping terms."""
    off = np.ones(n - 1)
    K = 1e4 * sp.diags_array([-off, 2.0 * np.ones(n), -off], offsets=[-1, 0, 1])
    N = 30.0 * sp.diags_array([-off, off], offsets=[-1, 1])
    M = sp.diags_array(np.linspace(1.0, 2.0, n))
    D = 0.3 * sp.diags_array([-off, 2.0 * np.ones(n), -off], offsets=[-1, 0, 1])
    G = 2.0 * sp.diags_array([-off, off], offsets=[-1, 1])
    return tuple(sp.csr_array(A) for A in (M, D + G, K + N))


def test_adjoint_of_the_operator_at_a_shift():
    operator = Shifted(Quadratic.of(*chain(), 100.0), 2.0 + 90j)
    rng = np.random.default_rng(1)
    u, w = rng.standard_normal((2, operator.size)) + 1j * rng.standard_normal((2, operator.size))
    assert np.vdot(u, operator(w)) == pytest.approx(np.vdot(operator.adjoint(u), w), rel=1e-10)


@pytest.mark.parametrize("count", [1, 2])
def test_eigenvalues_that_belong_to_rough_vectors(count):
    """Rough left and right vectors lead to their own eigenvalues, one or a pair at once."""
    found = quadratic_eigenpairs(*(A.toarray() for A in chain()))
    upper = np.flatnonzero(found.z.imag > 0.0)
    upper = upper[np.argsort(found.z[upper].imag)]
    chosen = upper[3 : 3 + count]
    rng = np.random.default_rng(2)

    def rough(X):
        size = np.linalg.norm(X, axis=0)
        return X + 0.02 * size * rng.standard_normal(X.shape) / np.sqrt(len(X))

    true = found.z[chosen]
    starts = true * (1.0 + 1e-4)
    operator = Shifted(Quadratic.of(*chain(), 1e2), complex(np.mean(starts)))
    own = two_sided(operator, starts, rough(found.right[:, chosen]), rough(found.left[:, chosen]))
    assert own.settled
    np.testing.assert_allclose(np.sort_complex(own.z), np.sort_complex(true), rtol=1e-6)
    assert own.likeness > 0.9
    others = found.right[:, upper[-count:]], found.left[:, upper[-count:]]
    assert two_sided(operator, starts, *others).likeness < 0.5


def test_discs_share_an_eigenvalue_but_not_two():
    x, y = np.eye(2, dtype=complex)
    found = Found()
    found.add(Disc(0j, 2.0, np.array([1.0 + 0j, 1.0 + 1e-12j]), np.stack([x, y], axis=1)))
    found.add(Disc(1j, 2.0, np.array([1.0 + 1e-13j, 1.0 + 2e-12j]), np.stack([y, x], axis=1)))
    assert len(found.z) == 2
    assert found.missed == 0
    found.add(Disc(0.5j, 2.0, np.array([1.0 + 0j, 1.0 + 0j, 1.0 + 1e-5j]), np.eye(2)[:, [0, 1, 1]]))
    assert len(found.z) == 3
    assert found.missed == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"growth": (1.0, -1.0)}, "invalid growth"),
        ({"frequency": (-1.0, 1.0)}, "expected bounds from 0 on"),
        ({"frequency": (0.0, np.inf)}, "invalid frequency"),
        ({"steps": 2}, "steps"),
    ],
)
def test_bad_regions_are_refused(change, words):
    M, D, K, _ = constructed(80)
    given = {"growth": (-1.0, 1.0), "frequency": (0.0, 1.0)} | change
    with pytest.raises(InputError, match=words):
        quadratic_modes(M, D, K, **given)


def test_bad_matrices_are_refused():
    M, D, K, _ = constructed(80)
    region = {"growth": (-1.0, 1.0), "frequency": (0.0, 1.0)}
    with pytest.raises(InputError, match=r"invalid D of shape \(79, 79\)"):
        quadratic_modes(M, D[:79][:, :79], K, **region)
    with pytest.raises(InputError, match="invalid K: expected finite real numbers"):
        quadratic_modes(M, D, K * np.nan, **region)


def test_a_region_that_is_not_covered_gives_nothing():
    M, D, K, _ = constructed(400)
    with pytest.raises(SolverError, match="2 shifts do not cover the region"):
        quadratic_modes(M, D, K, growth=(-10.0, 1e3), frequency=(0.0, 6e3), steps=20, max_shifts=2)
