"""Constraints kept as a pencil and constraints eliminated give the same finite eigenvalues."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.analysis import complex_modes, linearise, steady_state
from fecontact.analysis.stability.pencil import pencil
from fecontact.body import RigidBody
from fecontact.case.registry import load_module
from fecontact.errors import SingularError
from fecontact.joint import Distance, Gravity, Revolute, SpringDamper
from fecontact.solvers.pencil import finite_eigenvalues
from fecontact.system import System

G = 9.81


def all_eigenvalues(system, state):
    """Those of the eliminated form, complex pairs completed."""
    z = complex_modes(linearise(system, state)).eigenvalues
    return np.concatenate([z, z[z.imag > 0.0].conj()])


def same(found, expected, tolerance):
    found, expected = (np.sort_complex(np.round(z, 6)) for z in (found, expected))
    np.testing.assert_allclose(found, expected, atol=tolerance)


def double_pendulum(extra=()):
    bodies, joints = [], []
    below = None
    for number in range(2):
        arm = RigidBody(
            f"arm{number}", 2.0 + number, ("ux", "uz", "ry"), inertia=(0.1, 0.05, 0.1),
            position=(0.0, 0.0, -0.3 - 0.6 * number),
        )  # fmt: skip
        joints.append(
            Revolute(below, arm, point_b=(0.0, 0.0, 0.3), axis="y", name=f"joint{number}")
        )
        bodies.append(arm)
        below = arm
    damper = SpringDamper(None, bodies[1], stiffness=40.0, damping=3.0,
                          point_a=(0.7, 0.0, -0.9), point_b=(0.0, 0.0, 0.0))  # fmt: skip
    return System(bodies, [*joints, Gravity(bodies, (0.0, 0.0, -G)), damper, *extra])


def test_double_pendulum():
    system = double_pendulum()
    state = steady_state(system).state
    kept = pencil(system, state)
    found = kept.eigenvalues()
    assert kept.position_rows == 4
    assert found.infinite == 3 * 4
    assert len(found.z) == kept.finite == 4
    same(found.z, all_eigenvalues(system, state), 1e-6)


def test_redundant_rows_do_not_make_it_singular():
    """A rod between ground and joint repeats what the first joint holds."""
    single = double_pendulum()
    arm = single.bodies[0]
    rod = Distance(None, arm, point_a=(0.0, 0.5, 0.0), point_b=(0.0, 0.0, 0.3), name="rod")
    system = System(single.bodies, [*single.constraints, *single.items[2:], rod])
    state = steady_state(system).state
    kept = pencil(system, state)
    assert kept.position_rows == 4
    same(kept.eigenvalues().z, all_eigenvalues(system, state), 1e-6)


def test_wheel_and_pendulum_of_jehle():
    """Digest T1, T2: numbers of zero and infinite eigenvalues, sqrt(g/l)."""
    case = load_module("jehle/wheel_and_pendulum")
    p = case.WheelAndPendulum()
    wheel = case.wheel(p, 0.0)
    found = pencil(wheel, steady_state(wheel).state).eigenvalues()
    assert found.infinite == 2
    assert np.count_nonzero(np.abs(found.z) < 1e-4) == 3
    omega = np.sqrt(p.gravity / p.length)
    for level, infinite, zeros in (("position", 3, 0), ("velocity", 2, 1)):
        pendulum = case.pendulum(p, level)
        found = pencil(pendulum, steady_state(pendulum).state).eigenvalues()
        assert found.infinite == infinite
        assert np.count_nonzero(np.abs(found.z) < 1e-6 * omega) == zeros
        np.testing.assert_allclose(np.sort(found.z.imag)[[0, -1]], [-omega, omega], rtol=1e-9)


@pytest.mark.parametrize("spread", [1.0, 1e3])
def test_random_pencils_of_index_three(spread):
    """Stiff and soft motions beside constraints: the same as the projection on the null space."""
    rng = np.random.default_rng(3)
    n, m = 9, 3
    K = np.diag(np.geomspace(1.0, spread**2, n))
    K = K + 0.1 * rng.standard_normal((n, n))
    A = rng.standard_normal((m, n))
    E, B = np.zeros((2, 2 * n + m, 2 * n + m))
    E[: 2 * n, : 2 * n] = np.eye(2 * n)
    B[:n, n : 2 * n] = np.eye(n)
    B[n : 2 * n, :n], B[n : 2 * n, 2 * n :], B[2 * n :, :n] = -K, A.T, A
    found = finite_eigenvalues(E, B, rate=np.sqrt(np.linalg.norm(K)))
    assert found.infinite == 3 * m
    Z = np.linalg.svd(A)[2][m:].T
    root = np.sqrt(-np.linalg.eigvals(Z.T @ K @ Z).astype(complex))
    expected = np.concatenate([root, -root])
    distance = np.abs(found.z[:, None] - expected).min(axis=0)
    assert distance.max() < 1e-8 * spread
    residual = (E @ found.right) * found.z - B @ found.right
    assert np.abs(residual).max() < 1e-7 * np.linalg.norm(B)


def test_singular_pencil_is_refused():
    E, B = np.diag([1.0, 0.0]), np.array([[1.0, 0.0], [0.0, 0.0]])
    with pytest.raises(SingularError, match="redundant"):
        finite_eigenvalues(E, B)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_left_of_a_chain_is_round_off(seed):
    """A mass held by a constraint has no finite eigenvalue in any frame, on any machine."""
    E, B = np.diag([1.0, 2.0, 0.0]), np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    P, Q = np.linalg.qr(np.random.default_rng(seed).standard_normal((2, 3, 3)))[0]
    assert finite_eigenvalues(P @ E @ Q, P @ B @ Q).infinite == 3
    P[0] *= 1e-4  # rows of very different size
    assert finite_eigenvalues(P @ E @ Q, P @ B @ Q).infinite == 3
