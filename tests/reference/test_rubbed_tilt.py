"""Wobble: eigenvalues of the equation of motion, and growth that vanishes at the boundary."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fecontact.reference import RubbedTilt

DISC = RubbedTilt(1e-2, 7e6, 0.5, 0.1, 0.02, 1e-4, 0.3, 200.0, 70.0)


@pytest.mark.parametrize("slip", [70.0, -70.0])
def test_eigenvalues_of_the_matrices(slip):
    disc = replace(DISC, slip=slip)
    k, n, d = disc.coefficients
    S, J = np.array([[0.0, 1.0], [-1.0, 0.0]]), disc.inertia
    by_q = (k * np.eye(2) + n * S) / J
    by_v = ((disc.damping + d) * np.eye(2) + J * disc.spin * S) / J
    z = np.linalg.eigvals(np.block([[np.zeros((2, 2)), np.eye(2)], [-by_q, -by_v]]))
    z = z[z.imag > 0.0]
    assert disc.eigenvalues == pytest.approx(z[np.argsort(z.imag)], rel=1e-9)


@pytest.mark.parametrize("slip", [70.0, -70.0, 150.0])
def test_nothing_grows_at_the_boundary(slip):
    disc = replace(DISC, slip=slip)
    damping = disc.critical_damping
    growth = [replace(disc, damping=x * damping).eigenvalues.real.max() for x in (0.9, 1.0, 1.1)]
    assert growth[0] > 0.0 > growth[2]
    assert abs(growth[1]) < 1e-9 * abs(disc.eigenvalues).max()


def test_from_parameters_of_the_same_names():
    assert RubbedTilt.of(DISC) == DISC
