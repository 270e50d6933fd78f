"""Jehle's rigid gearboxes (source notes T7 to T9) and wobble (T24) against models put up by hand.

The axial model is (Jehle 4.3) in its own units; the radial one is the residual of the source notes
(8.3, 8.4) with the pressure angle in closed form and central differences. Neither uses the package.
"""

from __future__ import annotations

from dataclasses import replace
from math import atan

import numpy as np
import pytest
from scipy.linalg import null_space
from scipy.optimize import root

from fecontact.analysis import operating_point
from fecontact.case.registry import load_module

axial = load_module("jehle/gearbox_axial")
radial = load_module("jehle/gearbox_radial")
wobble = load_module("jehle/wobble")


def quadratic(M, D, K):
    n = len(M)
    top = -np.linalg.solve(M, np.hstack([D, K]))
    z = np.linalg.eigvals(np.vstack([top, np.eye(n, 2 * n)]))
    z = z[z.imag >= 0.0]
    return z[np.lexsort((z.real, z.imag))]


def torsional_axial(p, slope):
    """Eigenvalues of (Jehle 4.5), time in units of sqrt(m_1/c_1n); slope with the sign of slip."""
    c, d, ratio = p.contact_stiffness, p.contact_damping, p.contact_radius / p.base_radius
    x = p.friction * slope * ratio
    M = np.diag([1.0 + p.inertia_ratio * (ratio * slope) ** 2, p.plate_mass / p.shaft_mass])

    def coupled(a, b):
        return np.array([[1.0 + a - x, -1.0 + x], [-1.0, 1.0 + b]])

    K = coupled(p.axial_stiffness / c, p.plate_stiffness / c)
    D = d / np.sqrt(c * p.shaft_mass) * coupled(p.axial_damping / d, p.plate_damping / d)
    return quadratic(M, D, K) * np.sqrt(c / p.shaft_mass)


@pytest.mark.parametrize("ratio", [0.02, 0.09])
@pytest.mark.parametrize("slope", [-0.7, 0.55, 0.8, 1.05, 1.3])
def test_axial_eigenvalues(slope, ratio):
    """Negative slip, stable, flutter, the stable gap and self-locking."""
    p = replace(axial.Gearbox(), inertia_ratio=ratio, axial_damping=6.0, plate_damping=23.0)
    found = operating_point(axial.build(p.along(slope))).modes.eigenvalues
    exact = torsional_axial(p, slope)
    np.testing.assert_allclose(found, exact, rtol=1e-7, atol=1e-6 * np.abs(exact).max())


class ByHand:
    """Radial gearbox: q = ux, uy, uz, phi, uz of the plate; all forces written out."""

    def __init__(self, p):
        self.p, self.side, self.b = p, 1.0 if p.slip > 0 else -1.0, atan(p.slope)
        self.theta = 2.0 * np.pi * np.arange(96) / 96
        self.M = np.diag([p.shaft_mass] * 3 + [p.inertia, p.plate_mass])

    def row(self, q):
        p, b = self.p, self.b
        A = (p.centre_distance - q[0]) / (2 * p.base_radius)
        B = self.side * q[1] / (2 * p.base_radius)
        alpha = np.arctan2(B, A) + np.arccos(1.0 / np.hypot(A, B))
        across = np.cos(b) * np.array([self.side * np.sin(alpha), np.cos(alpha)])
        return np.array([*across, np.sin(b), p.base_radius * np.cos(b), 0.0])

    def force(self, q, v, lam):
        p, sine, cosine = self.p, np.sin(self.theta), np.cos(self.theta)
        R, omega = p.contact_radius, p.plate_speed
        N = p.contact_stiffness * (q[4] - q[2]) + p.contact_damping * (v[4] - v[2])
        x = v[0] - v[3] * R * sine + omega * (q[1] + R * sine)
        y = v[1] + v[3] * R * cosine - omega * (q[0] + R * cosine)
        tx, ty = -p.friction * N / len(sine) * np.array([x, y]) / np.hypot(x, y)
        clutch = [tx.sum(), ty.sum(), N, R * (cosine * ty - sine * tx).sum(), -N]
        c_r, c_a, c_3 = p.radial_stiffness, p.axial_stiffness, p.plate_stiffness
        d_r, d_a, d_3 = p.radial_damping, p.axial_damping, p.plate_damping
        bearings = np.array([c_r, c_r, c_a, 0, c_3]) * q + np.array([d_r, d_r, d_a, 0, d_3]) * v
        load = np.array([0.0, 0.0, -p.load, 0.0, 0.0])
        return clutch - bearings + load - lam * self.row(q)

    def eigenvalues(self):
        p = self.p
        v = np.array([0.0, 0.0, 0.0, p.shaft_speed, 0.0])

        def residual(x):
            return self.force(np.array([x[0], x[1], x[2], 0.0, x[3]]) * 1e-6, v, x[4])

        x = root(residual, np.array([0.0, 0.0, -100.0, -40.0, 500.0 * self.side]), tol=1e-13).x
        q, lam = np.array([x[0], x[1], x[2], 0.0, x[3]]) * 1e-6, x[4]
        K, D = np.zeros((5, 5)), np.zeros((5, 5))
        for k, (h, e) in enumerate([(1e-7, 1e-3)] * 5):
            step = np.eye(5)[k]
            K[:, k] = (self.force(q - h * step, v, lam) - self.force(q + h * step, v, lam)) / (
                2 * h
            )
            D[:, k] = (self.force(q, v - e * step, lam) - self.force(q, v + e * step, lam)) / (
                2 * e
            )
        T = null_space(self.row(q)[None])
        return quadratic(*(T.T @ X @ T for X in (self.M, D, K)))


@pytest.mark.parametrize("slope", [-1.2087, -0.55, -0.1854, 0.55, 0.8952, 1.2, 1.4441])
def test_radial_eigenvalues(slope):
    """Both signs of slip; at the four boundaries of flutter the growth rate is zero by hand too."""
    p = radial.RadialGearbox().along(slope)
    found = operating_point(radial.build(p)).modes.eigenvalues
    exact = ByHand(p).eigenvalues()
    np.testing.assert_allclose(found, exact, rtol=0.0, atol=2e-5 * np.abs(exact).max())
    if slope in (-1.2087, -0.1854, 0.8952, 1.4441):
        assert abs(exact.real.max()) < 3.0  # the flutter beside has some 150 1/s


def wobble_moment(p, tilt, rate):
    """Moment about x, y of plate and friction on the tilted ring, all rotations written out."""
    a, b = tilt
    turn = np.array([[1.0, 0.0, b], [0.0, 1.0, -a], [-b, a, 1.0]])
    theta = 2.0 * np.pi * np.arange(48) / 48
    x, y = p.radius * np.cos(theta), p.radius * np.sin(theta)
    r = np.column_stack([x, y, np.full(48, -p.height)]) @ turn.T
    omega = np.array([*rate, 0.0]) + turn @ [0.0, 0.0, p.spin]
    slip = np.cross(omega, r) - np.cross([0.0, 0.0, p.plate_speed], r)
    N = p.stiffness / 48 * (p.preload - p.height - r[:, 2])
    across = slip[:, :2] / np.linalg.norm(slip[:, :2], axis=1)[:, None]
    force = np.column_stack([-p.friction * N[:, None] * across, N])
    return np.cross(r, force).sum(axis=0)[:2]


@pytest.mark.parametrize("slip", [70.0, -70.0])
def test_sign_of_the_circulatory_moment_in_the_wobble(slip):
    """(Jehle 8.3): n has the sign against G that the case takes, not that of the source notes."""
    p = replace(wobble.Wobble(), slip=slip, preload=1e-6)
    h = 1e-6
    K, D = (
        np.column_stack([-(wobble_moment(p, *plus) - wobble_moment(p, *minus)) / (2 * h)
                         for plus, minus in pairs])
        for pairs in (
            [((h * e, 0 * e), (-h * e, 0 * e)) for e in np.eye(2)],
            [((0 * e, h * e), (0 * e, -h * e)) for e in np.eye(2)],
        )
    )  # fmt: skip
    k, n, d = p.exact.coefficients
    np.testing.assert_allclose(K, [[k, n], [-n, k]], atol=2e-4 * k)
    assert n * slip < 0.0
    np.testing.assert_allclose(D, d * np.eye(2), atol=1e-3 * d)
    # gyroscopic moment -omega x J (omega + spin e_z): +J spin omega_y in the equation about x
    by_v = wobble.build(p).bodies[0].tangents(0.0, np.array([0.0, 1, 0, 0, 0]), np.zeros(3))[1]
    np.testing.assert_allclose(-by_v[1:, 1:], p.inertia * p.spin * np.array([[0, 1], [-1, 0]]))


def test_quick_forms_declare_systems():
    """`fecontact stability` takes the gearboxes at their operating points: both flutter."""
    for case in (axial.CASE, radial.CASE):
        assert not operating_point(case.system(case.parameters)).modes.stable
