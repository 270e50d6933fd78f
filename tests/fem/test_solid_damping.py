"""Damping models against the decay they promise."""

import numpy as np
import pytest
import scipy.sparse as sp

from fecontact.errors import InputError
from fecontact.fem import ModalDamping, RayleighDamping, StructuralDamping
from fecontact.solvers.eigen import quadratic_eigenpairs

M = np.array([[2.0, 0.3, 0.0], [0.3, 1.0, 0.1], [0.0, 0.1, 3.0]])
K = 1e6 * np.array([[3.0, -1.0, 0.0], [-1.0, 2.5, -1.0], [0.0, -1.0, 1.5]])


def ratios(C):
    """Damping ratios -Re z / |z| in order of frequency."""
    z, _ = quadratic_eigenpairs(M, C, K)
    z = z[z.imag > 0]
    z = z[np.argsort(np.abs(z))]
    return -z.real / np.abs(z), np.abs(z)


def test_rayleigh_gives_the_textbook_ratio_in_each_mode():
    damping = RayleighDamping(alpha=10.0, beta=1e-5)
    zeta, omega = ratios(damping.matrix(M, K))
    np.testing.assert_allclose(zeta, 5.0 / omega + 0.5e-5 * omega, rtol=1e-10)
    np.testing.assert_allclose(zeta, [damping.ratio(w / (2 * np.pi)) for w in omega], rtol=1e-10)


def test_stiffness_proportional_is_rayleigh_without_mass():
    zeta, omega = ratios(RayleighDamping(beta=2e-5).matrix(M, K))
    np.testing.assert_allclose(zeta, 1e-5 * omega, rtol=1e-10)


def test_rayleigh_keeps_sparse_matrices_sparse():
    C = RayleighDamping(1.0, 1e-6).matrix(sp.csr_array(M), sp.csr_array(K))
    np.testing.assert_allclose(C.toarray(), M + 1e-6 * K)


def test_modal_ratios_come_back_and_the_last_one_holds_above():
    zeta, _ = ratios(ModalDamping((0.01, 0.03)).matrix(M, K))
    np.testing.assert_allclose(zeta, [0.01, 0.03, 0.03], rtol=1e-9)


def test_structural_loss_is_right_at_its_frequency():
    """A mode at the reference frequency loses eta/2 of critical damping."""
    _, omega = ratios(np.zeros((3, 3)))
    damping = StructuralDamping(0.02, frequency=omega[1] / (2 * np.pi))
    zeta, _ = ratios(damping.matrix(M, K))
    assert zeta[1] == pytest.approx(0.01, rel=1e-9)
    np.testing.assert_allclose(damping.complex_stiffness(K), K * (1 + 0.02j))


def test_bad_damping_is_named():
    with pytest.raises(InputError, match=r"alpha = -1\.0 1/s"):
        RayleighDamping(alpha=-1.0)
    with pytest.raises(InputError, match=r"damping ratio of mode 2 = -0\.1"):
        ModalDamping((0.1, -0.1))
    with pytest.raises(InputError, match="reduce the body first"):
        ModalDamping((0.1,)).matrix(sp.csr_array(M), sp.csr_array(K))
    with pytest.raises(InputError, match="expected different ones"):
        RayleighDamping.from_ratios((100.0, 0.01), (100.0, 0.02))


@pytest.mark.parametrize(
    ("damping", "message"),
    [
        (lambda: ModalDamping((0.01, 2.0)), "damping ratio of mode 2 = 2.* Then write 0.02"),
        (lambda: RayleighDamping.from_ratios((100.0, 2.0), (900.0, 0.5)), "at 100 Hz = 2.* 0.02"),
        (lambda: StructuralDamping(3.0, 100.0), "loss_factor = 3.* percent"),
    ],
)
def test_a_ratio_in_percent_is_named(damping, message):
    with pytest.warns(UserWarning, match=message):
        damping()
