"""Runge-Kutta with projection: drift, conservation, closed forms, agreement with `implicit`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipk

from fecontact.body import DOFS, ElasticBody, RigidBody
from fecontact.fem import ElasticSolid, Material
from fecontact.integrate import simulate
from fecontact.joint.constraint import Revolute
from fecontact.joint.loads.load import Gravity
from fecontact.joint.relative import Relative
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.system import System

G = 9.81


@dataclass(frozen=True, eq=False)
class Rod:
    """Point on the unit circle, 0 = x^2 + z^2 - 1 (Keppler, example 3.5)."""

    body: RigidBody
    name: str = "rod"
    rows: tuple[str, ...] = ("length",)
    level: str = "position"

    @property
    def bodies(self):
        return (self.body,)

    def at(self, t, q, v):
        return Relative(
            np.array([q @ q - 1.0]), np.array([2.0 * q @ v]), 2.0 * q[None],
            lambda: 2.0 * v[None], lambda load: 2.0 * load[0] * np.eye(2),
        )  # fmt: skip

    def bias(self, t, q, v):
        return np.array([2.0 * v @ v])


def keppler_pendulum():
    bob = RigidBody("bob", 1.0, ("ux", "uz"))
    system = System([bob], [Rod(bob), Gravity([bob], (0.0, 0.0, -G))])
    return system, system.state(q={"bob.uz": -1.0}, v={"bob.ux": 1.0})


def index_one(t, s):
    """The same equations by hand: x'' = 2 x lam, y'' = -g + 2 y lam."""
    x, y, vx, vy = s
    lam = (G * y - vx**2 - vy**2) / (2.0 * (x**2 + y**2))
    return [vx, vy, 2.0 * x * lam, -G + 2.0 * y * lam]


def test_pendulum_drifts_without_projection_and_not_with_it():
    """Keppler, examples 3.5 and 3.6; the drift is that of the same method on the bare equations."""
    system, start = keppler_pendulum()
    assert system.accelerations(start)[1][0] == pytest.approx(-(G + 1.0) / 2.0, rel=1e-14)
    tolerance = {"rtol": 1e-6, "atol": 1e-9}
    options = {"solver": "RK45", **tolerance, "output": 5.0}
    off = simulate(system, 10.0, start, "projected", project=False, **options)
    x, y = solve_ivp(index_one, (0.0, 10.0), [0.0, -1.0, 1.0, 0.0], "RK45", **tolerance).y[:2, -1]
    defect = abs(system.constraint(off.state(-1)).value[0])
    assert defect == pytest.approx(abs(x**2 + y**2 - 1.0), rel=1e-3)
    assert defect == pytest.approx(1.1e-5, rel=0.05)
    on = simulate(system, 10.0, start, "projected", **options)
    rows = [system.constraint(on.state(i)) for i in range(len(on))]
    assert np.abs([r.value for r in rows]).max() <= 1e-11
    assert np.abs([r.rate for r in rows]).max() <= 1e-11


@pytest.mark.parametrize(
    ("method", "options", "tolerance"),
    [
        ("projected", {"rtol": 1e-10, "atol": 1e-12}, 1e-8),
        ("projected", {"solver": "Radau", "rtol": 1e-5, "atol": 1e-7}, 1e-3),
        ("implicit", {"rtol": 1e-5}, 5e-3),
    ],
)
def test_pendulum_returns_after_its_period(method, options, tolerance):
    """Period 4 K(k)/sqrt(g/l), k = sin(amplitude/2), from the speed at the lowest point."""
    system, start = keppler_pendulum()
    k = 1.0 / (2.0 * np.sqrt(G))
    period = 4.0 * ellipk(k**2) / np.sqrt(G)
    motion = simulate(system, period, start, method, output=period / 4.0, **options)
    np.testing.assert_allclose(motion.q[-1], start.q, rtol=0.0, atol=tolerance)
    np.testing.assert_allclose(motion.v[-1], start.v, rtol=0.0, atol=tolerance)
    height = 1.0 / (2.0 * G)
    assert motion.history("bob.uz")[1] == pytest.approx(height - 1.0, abs=0.1 * tolerance)


def drift(motion):
    """Relative change of energy, momentum and angular momentum from start to end."""
    histories = (motion.energy()[:, None], *motion.momentum())
    return max(np.linalg.norm(h[-1] - h[0]) / np.linalg.norm(h[0]) for h in histories)


def tumbling_body():
    body = RigidBody("body", 2.0, DOFS, (0.02, 0.03, 0.015), position=(0.1, 0.2, 0.3))
    system = System([body])
    speed = {"body.ux": 0.3, "body.uy": -0.2, "body.rx": 0.5, "body.ry": 3.0, "body.rz": 20.0}
    return system, system.state(v=speed)


@pytest.mark.parametrize("revolutions", [10, pytest.param(1000, marks=pytest.mark.slow)])
def test_free_rigid_body_conserves(revolutions):
    system, start = tumbling_body()
    t_end = revolutions * 2.0 * np.pi / np.linalg.norm(start.v[3:])
    found = []
    for tolerance in (1e-8, 1e-10):
        motion = simulate(
            system, t_end, start, "projected", rtol=tolerance, atol=tolerance, output=t_end
        )
        found.append(drift(motion))
        assert abs(np.linalg.norm(motion.q[-1, 3:]) - 1.0) < 1e-14
    assert found[1] < 1e-6
    assert found[1] < 0.05 * found[0]


@pytest.mark.parametrize("revolutions", [1, pytest.param(20, marks=pytest.mark.slow)])
def test_free_elastic_body_conserves(revolutions):
    """A tumbling block that vibrates, with geometric stiffness."""
    solid = ElasticSolid(block(0.3, 0.1, 0.05, cells=(3, 1, 1)), Material(5e6, 0.4, 1200.0))
    body = ElasticBody("block", reduce_model(solid, modes=2), position=(0.1, 0.2, 0.3))
    system = System([body])
    speed = {"block.ux": 0.4, "block.rx": 8.0, "block.ry": -12.0, "block.rz": 80.0, "block.e1": 0.9}
    start = system.state(v=speed)
    t_end = revolutions * 2.0 * np.pi / np.linalg.norm(start.v[3:6])
    found = []
    for tolerance in (1e-7, 1e-10):
        motion = simulate(
            system, t_end, start, "projected", rtol=tolerance, atol=tolerance, output=t_end
        )
        found.append(drift(motion))
    assert found[1] < 1e-6
    assert found[1] < 0.01 * found[0]


BAR = {"mass": 1.2, "L": 0.8, "J": (0.07, 0.09, 0.02)}


def double_pendulum():
    """Two bars that hang down z, hinged about x and then about y (Keppler, example 2.4)."""
    m, length, J = BAR["mass"], BAR["L"], BAR["J"]
    upper = RigidBody("upper", m, DOFS, J, position=(0.0, 0.0, -0.5 * length))
    lower = RigidBody("lower", m, DOFS, J, position=(0.0, 0.0, -1.5 * length))
    top = (0.0, 0.0, 0.5 * length)
    joints = [
        Revolute(None, upper, point_b=top, axis="x", name="first"),
        Revolute(upper, lower, point_b=top, axis="y", name="second"),
    ]
    return System([upper, lower], [*joints, Gravity([upper, lower], (0.0, 0.0, -G))])


def joint_equations(t, y):
    """Equations of the two angles (Keppler, example 2.4, with the corrections of the errata)."""
    p1, p2, w1, w2 = y
    m, length, (Jx, Jy, Jz) = BAR["mass"], BAR["L"], BAR["J"]
    c2, s2 = np.cos(p2), np.sin(p2)
    coupling = m * length**2 * (2.0 + c2) + 4.0 * c2 * (Jx - Jz)
    M11 = 0.25 * m * length**2 * (1.0 + (2.0 + c2) ** 2) + Jx * (1.0 + c2**2) + Jz * s2**2
    M22 = 0.25 * m * length**2 + Jy
    weight = 0.5 * m * G * length
    f1 = -weight * np.sin(p1) * (3.0 + c2) + 0.5 * w1 * w2 * s2 * coupling
    f2 = -weight * np.cos(p1) * s2 - 0.25 * w1**2 * s2 * coupling
    return [w1, w2, f1 / M11, f2 / M22]


@pytest.mark.parametrize(
    ("method", "options", "tolerance"),
    [("projected", {"rtol": 1e-10, "atol": 1e-11}, 1e-8), ("implicit", {"step": 5e-3}, 5e-3)],
)
def test_double_pendulum_with_orthogonal_axes(method, options, tolerance):
    """Keppler T3: joint rates of the multibody system against the two joint equations."""
    system = double_pendulum()
    rates = [1.5, -2.5]
    length = BAR["L"]
    start = system.state(
        v={
            "upper.rx": rates[0], "upper.uy": 0.5 * length * rates[0],
            "lower.rx": rates[0], "lower.ry": rates[1],
            "lower.uy": 1.5 * length * rates[0], "lower.ux": -0.5 * length * rates[1],
        }
    )  # fmt: skip
    assert np.abs(system.constraint(start).rate).max() < 1e-14
    motion = simulate(system, 0.6, start, method, **options)
    end = solve_ivp(
        joint_equations, (0.0, 0.6), [0.0, 0.0, *rates], "DOP853", rtol=1e-12, atol=1e-13
    ).y[:, -1]
    p1, p2, w1, w2 = end
    expected = [w1, w1 * np.cos(p2), w2, w1 * np.sin(p2)]
    found = [
        motion.history(name, "velocity")[-1]
        for name in ("upper.rx", "lower.rx", "lower.ry", "lower.rz")
    ]
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=tolerance)
    centre = -0.5 * length * np.array([-np.sin(p1), np.cos(p1)]) - [0.0, -0.5 * length]
    np.testing.assert_allclose(motion.q[-1, 1:3], centre, rtol=0.0, atol=tolerance)
    assert abs(p2) > 0.1
