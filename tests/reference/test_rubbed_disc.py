"""Waves of a rubbed disc against the eigenvalues of one doublet in a frame that spins with it."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.reference import pad_on_disc

k, omega, f, slope = 2, 8000.0, 1.4, 25.0
R, h, Omega, c, N, mu = 0.11, 0.008, 200.0, 2e3, 1.0, 0.4


def doublet():
    """Eigenvalues of the cosine and sine shape under a pad at rest.

    w = f cos(k phi) a + f sin(k phi) b, seen from the pad: a' -> a' + k Omega b. The pad presses
    with -c w; friction mu (N - c w) has the moment h/2 along the circumference, and its preload
    N turns with the slope of the face; across the slip it damps with mu N/(R Omega).
    """
    spin = np.array([[0.0, k * Omega], [-k * Omega, 0.0]])
    stiffness = omega**2 * np.eye(2)
    stiffness[0, 0] += c * f**2
    stiffness[1, 0] += mu * (0.5 * h * c + N) * f * k * f / R
    damping = np.diag([mu * N / (R * Omega) * (0.5 * h * slope) ** 2, 0.0])
    carried = stiffness + (spin @ spin + damping @ spin)
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-carried, -(2.0 * spin + damping)]])
    z = np.linalg.eigvals(A)
    return np.sort(z[z.imag > 0.0].real)


def test_against_the_eigenvalues_of_the_doublet():
    about = {"radius": R, "thickness": h, "speed": Omega, "contact_stiffness": c, "preload": N}
    growth, across = pad_on_disc(k, omega, f, slope, **about, friction=mu)
    low, high = doublet()
    assert 0.5 * (high - low) == pytest.approx(growth, rel=0.01)
    assert 0.5 * (high + low) == pytest.approx(-across, rel=0.05)
