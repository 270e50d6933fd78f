import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from fecontact.errors import InputError
from fecontact.fem import STEEL, HarmonicPlate
from fecontact.reduction import reduce_harmonic
from fecontact.reduction.basis import check_orthonormal, orthonormal, ritz


@pytest.fixture
def mass():
    A = np.random.default_rng(3).standard_normal((30, 30))
    return sp.csr_array(A @ A.T + 30.0 * np.eye(30))


def test_union_is_orthonormal_and_spans_both(mass):
    rng = np.random.default_rng(0)
    base = orthonormal(mass, rng.standard_normal((30, 4)))
    extra = rng.standard_normal((30, 5)) * np.logspace(-6, 6, 5)
    X = np.hstack([base, orthonormal(mass, extra, base)])
    check_orthonormal(mass, X)
    assert X.shape == (30, 9)
    assert_allclose(X @ (X.T @ (mass @ extra)), extra, rtol=1e-9, atol=1e-12)


def test_what_is_known_is_dropped(mass):
    rng = np.random.default_rng(1)
    base = orthonormal(mass, rng.standard_normal((30, 4)))
    new = rng.standard_normal((30, 1))
    shapes = np.hstack([base @ rng.standard_normal((4, 3)), new, 2.0 * new, np.zeros((30, 1))])
    assert orthonormal(mass, shapes, base).shape == (30, 1)


def test_rank_control_follows_the_tolerance(mass):
    base = orthonormal(mass, np.eye(30)[:, :3])
    nearly = base[:, :1] + 1e-4 * orthonormal(mass, np.eye(30)[:, 5:6], base)
    assert orthonormal(mass, nearly, base, tolerance=1e-3).shape[1] == 0
    assert orthonormal(mass, nearly, base, tolerance=1e-5).shape[1] == 1


def test_ritz_makes_the_stiffness_diagonal(mass):
    rng = np.random.default_rng(2)
    K = sp.csr_array(np.diag(np.arange(30.0)))
    omega, X = ritz(K, orthonormal(mass, rng.standard_normal((30, 6))))
    assert_allclose(X.T @ (K @ X), np.diag(omega**2), atol=1e-12)
    check_orthonormal(mass, X)


def test_a_basis_of_wrong_length_is_refused(mass):
    with pytest.raises(InputError, match="29 rows; the model has 30"):
        check_orthonormal(mass, np.zeros((29, 2)))


def test_harmonic_basis_keeps_its_modes_and_is_orthonormal():
    plate = HarmonicPlate(0.08, 0.12, 0.005, STEEL, {"outer": "simply_supported"})
    model = reduce_harmonic(plate, contact_radius=0.1, harmonics=2, modes=2)
    assert_allclose(model.mass, np.eye(model.size), atol=1e-9)
    for k, radial in enumerate(model.radial):
        stiffness = radial.T @ (plate.stiffness(k) @ radial)
        assert abs(stiffness[0, 1]) < 1e-7 * stiffness[1, 1]  # the first two are the modes
