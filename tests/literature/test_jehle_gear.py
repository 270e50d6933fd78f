"""Jehle's rigid gearbox with radial dofs (4.1.2, source notes T9): flanks and pressure angle.

B1 is the input shaft with clutch disc and gear 1, B2 the countershaft at the speed Omega_2 (about
-z), B3 the engine side at the speed Omega. The friction ring between B1 and B3 is put up here, from
the kernel of the source notes (8.3); bearings and mesh are ours. The source notes' values come from
its own program, with the rule of constraint projection and central differences (8.4).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan

import numpy as np
import pytest
from scipy.linalg import null_space
from scipy.optimize import root

from fecontact.body import RigidBody
from fecontact.joint import Bearing, Force
from fecontact.joint.gear.geometry import GearPair
from fecontact.joint.gear.rigid import GearMesh
from fecontact.system import State, System

OMEGA, R, MU, C_N, D_N = 400.0, 0.1, 0.3, 0.7e7, 13.0
THETA = 2.0 * np.pi * np.arange(48) / 48


@dataclass
class Ring:
    """Sliding ring of radius R between B1 and B3, with one-sided spring closed."""

    bodies: tuple
    difference: object
    name: str = "ring"

    def force(self, t, q, v):
        N = C_N * (q[4] - q[2]) + D_N * (v[4] - v[2])
        sine, cosine = np.sin(THETA), np.cos(THETA)
        x = v[0] - v[3] * R * sine + OMEGA * (q[1] + R * sine)
        y = v[1] + v[3] * R * cosine - OMEGA * (q[0] + R * cosine)
        tx, ty = -MU * N / len(THETA) * np.array([x, y]) / np.hypot(x, y)
        return np.array([tx.sum(), ty.sum(), N, R * (cosine * ty - sine * tx).sum(), -N])

    def tangents(self, t, q, v):
        return (
            self.difference(lambda p: self.force(t, p, v), q, np.full(5, 1e-6)),
            self.difference(lambda w: self.force(t, q, w), v, np.full(5, 1e-2)),
        )


def gearbox(slope, slip, difference):
    speed = OMEGA - slip
    one = RigidBody("B1", 1.0, ("ux", "uy", "uz", "rz"), inertia=(5e-4, 5e-4, 5e-4))
    two = RigidBody("B2", 1.0, (), position=(0.068, 0.0, 0.0), spin=-speed)
    three = RigidBody("B3", 10.0, ("uz",), spin=OMEGA)
    gears = GearPair((30, 30), 0.03, 0.068, atan(slope))
    mesh = GearMesh(one, two, gears, "front" if slip > 0 else "rear")
    items = [
        Bearing(one, 1.2e7, 0.3e7, 22.0, 6.0, name="bearing"),
        Bearing(three, 0.0, 1.2e7, 0.0, 22.0, name="engine bearing"),
        Force(one, (0.0, 0.0, -500.0)),
        Ring((one, three), difference),
        mesh,
    ]
    return System([one, two, three], items), np.array([0.0, 0.0, 0.0, speed, 0.0])


def steady(system, v):
    """Displacements (m) and tooth force (N), with the angle of B1 left at zero."""

    def residual(x):
        q = np.array([x[0], x[1], x[2], 0.0, x[3]]) * 1e-6
        state = State(0.0, q, v)
        return system.force(state) + system.constraint(state).jacobian.T @ x[4:]

    answer = root(residual, np.array([0.0, 0.0, -100.0, -40.0, 500.0]), tol=1e-13)
    x = answer.x
    return State(0.0, np.array([x[0], x[1], x[2], 0.0, x[3]]) * 1e-6, v, lam=x[4:])


def eigenvalues(system, state):
    """Of the motions that the constraint allows."""
    by_q, by_v = system.tangents(state)
    by_q = by_q + system.constraint_tangents(state)[0]
    rows = system.constraint(state)
    assert rows.rate == pytest.approx([0.0], abs=1e-10)
    assert np.abs(system.constraint_tangents(state)[1]).max() < 1e-8
    P = null_space(rows.jacobian)
    M, D, K = (P.T @ X @ P for X in (system.mass_matrix(state.q), -by_v, -by_q))
    n = len(M)
    top = -np.linalg.solve(M, np.hstack([D, K]))
    return np.linalg.eigvals(np.vstack([top, np.eye(n, 2 * n)]))


def test_positive_slip(difference):
    system, v = gearbox(0.55, 50.0, difference)
    state = steady(system, v)
    assert state.lam == pytest.approx([505.6], abs=0.05)
    np.testing.assert_allclose(
        1e6 * state.q[[0, 1, 2, 4]], [-17.4, -32.6, -100.2, -36.9], atol=0.05
    )
    z = eigenvalues(system, state)
    z = z[z.imag > 1.0]
    z = z[np.argsort(z.imag)]
    np.testing.assert_allclose(z.imag / (2 * np.pi), [189.8, 322.7, 534.8, 551.0], atol=0.06)
    np.testing.assert_allclose(z.real, [-1.3, -4.9, -14.0, -17.7], atol=0.06)


@pytest.mark.parametrize(
    ("slope", "growth", "frequency"),
    [(0.3, 127.6, 497.3), (0.55, 185.2, 504.9), (1.0, 134.0, 506.4)],
)
def test_negative_slip(difference, slope, growth, frequency):
    """The rear flank couples axial and radial motion: flutter."""
    system, v = gearbox(slope, -50.0, difference)
    state = steady(system, v)
    assert state.lam[0] > 0.0
    z = eigenvalues(system, state)
    worst = z[np.argmax(z.real)]
    assert worst.real == pytest.approx(growth, abs=0.6 if slope == 1.0 else 0.06)
    assert abs(worst.imag) / (2 * np.pi) == pytest.approx(frequency, abs=0.06)


@pytest.mark.parametrize("slip", [50.0, -50.0])
def test_flank_is_found_from_the_load(difference, slip):
    """Start with the wrong flank: its force pulls; the other one presses."""
    system, v = gearbox(0.3, slip, difference)
    mesh = system.constraints[0]
    wrong = mesh.with_flank("rear" if mesh.flank == "front" else "front")
    others = [item for item in system.items if item not in system.bodies]
    lam = steady(System(system.bodies, [*others, wrong]), v).lam[0]
    assert lam < 0.0
    assert wrong.active_flank(lam) == mesh.flank
