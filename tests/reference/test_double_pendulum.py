"""Pendulum with orthogonal hinges: energy, and the mass matrix from the coupling matrix."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.reference import OrthogonalPendulum

BARS = OrthogonalPendulum(0.5, 1.2, (0.025, 0.021, 0.006), 9.81)


def test_mass_matrix_from_the_velocities():
    J = BARS.coupling_matrix(np.array([0.3, -0.7]))
    masses = np.array([1.2, 1.2, 1.2, 0.025, 0.021, 0.006] * 2)
    assert J.T @ (masses[:, None] * J) == pytest.approx(BARS.mass_matrix(np.array([0.3, -0.7])))


def test_energy_is_kept():
    def energy(angles, rates):
        (c1, c2), weight = np.cos(angles), 0.5 * 1.2 * 9.81 * 0.5
        return 0.5 * rates @ BARS.mass_matrix(angles) @ rates - weight * c1 * (3.0 + c2)

    start, h = np.array([[0.8, -0.5], [1.0, 3.0]]), 1e-4
    path = BARS.motion(start, np.array([0.0, 1.0 - h, 1.0, 1.0 + h]))
    rates = (path[3] - path[1]) / (2.0 * h)
    assert energy(path[2], rates) == pytest.approx(energy(*start), rel=1e-6)


def test_small_swing_of_the_first_bar():
    """Both bars as one about x: omega^2 = 2 m g L/M_11, the weight of both at the mean L."""
    omega = np.sqrt(2.0 * 1.2 * 9.81 * 0.5 / BARS.mass_matrix(np.zeros(2))[0, 0])
    t = np.linspace(0.0, 2.0, 30)
    path = BARS.motion(np.array([[1e-4, 0.0], [0.0, 0.0]]), t)
    assert path[:, 0] == pytest.approx(1e-4 * np.cos(omega * t), abs=1e-9)
