"""Generalised-alpha: tangent, convergence of Newton's method, damping, constraints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from fecontact.body import DOFS, ElasticBody, RigidBody
from fecontact.errors import SolverError
from fecontact.fem import ElasticSolid, Material
from fecontact.integrate import Implicit, simulate
from fecontact.integrate.implicit.alpha import AlphaWeights, StepEquations
from fecontact.integrate.implicit.method import AlphaRun
from fecontact.joint import Bearing
from fecontact.joint.constraint import Revolute, Spherical
from fecontact.joint.loads.load import Gravity
from fecontact.joint.relative import Relative
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.results.point import Point
from fecontact.results.statistics import Statistics
from fecontact.system import System

GRAVITY = (0.0, 0.0, -9.81)


def chain(doubled=False):
    """Bar on a hinge, second bar on a ball joint; in motion."""
    inertia = (0.02, 0.03, 0.015)
    first = RigidBody("first", 1.0, DOFS, inertia, position=(0.5, 0.0, 0.0))
    second = RigidBody("second", 0.7, DOFS, inertia, position=(1.0, 0.5, 0.0))
    joints = [
        Revolute(None, first, point_b=(-0.5, 0.0, 0.0), axis=(0.3, 1.0, 0.2), name="hinge"),
        Spherical(first, second, point_b=(0.0, -0.5, 0.0), name="ball"),
    ]
    if doubled:
        joints.append(
            Revolute(None, first, point_b=(-0.5, 0.0, 0.0), axis=(0.3, 1.0, 0.2), name="again")
        )
    system = System([first, second], [*joints, Gravity([first, second], GRAVITY)])
    guess = system.state(v={"first.ry": 2.0, "second.rx": 3.0, "second.rz": -1.0})
    return system, system.consistent(guess)


@pytest.fixture(scope="module")
def rubber():
    """Soft block with geometric stiffness that tumbles, falls and vibrates."""
    solid = ElasticSolid(block(0.3, 0.1, 0.05, cells=(3, 1, 1)), Material(5e6, 0.4, 1200.0))
    body = ElasticBody("block", reduce_model(solid, modes=3))
    system = System([body], [Gravity([body], GRAVITY)])
    spin = {"block.rx": 8.0, "block.ry": -12.0, "block.rz": 40.0, "block.e1": 0.5, "block.e3": 0.5}
    return system, system.consistent(system.state(v=spin))


def problem(name, rubber):
    return {"chain": chain, "doubled": lambda: chain(doubled=True), "rubber": lambda: rubber}[
        name
    ]()


def first_step(system, found, h):
    point = Point(found.state, found.acceleration)
    run = AlphaRun(Implicit(step=h), system, point, Statistics())
    return StepEquations(system, run.dofs, run.weights, run.last, h)


@pytest.mark.parametrize("name", ["chain", "doubled", "rubber"])
def test_tangent_of_a_step(difference, rubber, name):
    """Exact, with large rotations in one step and off the solution."""
    system, found = problem(name, rubber)
    equations = first_step(system, found, 0.05)
    rng = np.random.default_rng(5)
    y = equations.guess() + 0.1 * rng.uniform(-1.0, 1.0, equations.size)
    _, tangent = equations.evaluate(y)
    expected = difference(lambda x: equations.evaluate(x)[0], y, np.full(equations.size, 5e-3))
    n, r = system.size, len(equations.last.basis.all)
    for rows in (slice(n), slice(n, n + r), slice(n + r, None)):
        for columns in (slice(n), slice(n, n + r), slice(n + r, None)):
            block_size = np.linalg.norm(expected[rows, columns])
            error = np.linalg.norm(tangent[rows, columns] - expected[rows, columns])
            assert error <= 1e-7 * block_size + 1e-12


@pytest.mark.parametrize("name", ["chain", "doubled", "rubber"])
def test_newton_converges_quadratically(rubber, name):
    """Corrections e, e^2, e^4 down to round-off, from a disturbed guess."""
    system, found = problem(name, rubber)
    equations = first_step(system, found, 0.03 if name != "rubber" else 0.003)
    y = equations.guess()
    y[: system.size] += (0.01 if name != "rubber" else 1e-3) * np.random.default_rng(2).uniform(
        -1.0, 1.0, system.size
    )
    sizes = []
    for _ in range(6):
        residual, tangent = equations.evaluate(y)
        dy = np.linalg.solve(tangent, -residual)
        y = y + dy
        sizes.append(np.linalg.norm(equations.change(dy)))
    first, _, third = np.diff(np.log(sizes[:4]))
    assert third / first > 3.0  # 4 if quadratic, 1 if linear
    assert sizes[5] < 1e-14


def test_conditioning_does_not_depend_on_the_step():
    system, found = chain()
    numbers = []
    for h in (1e-2, 1e-4, 1e-6):
        equations = first_step(system, found, h)
        numbers.append(np.linalg.cond(equations.evaluate(equations.guess())[1]))
    assert max(numbers) < 1.5 * min(numbers)


def amplification(rho_inf, Omega):
    """Matrix of (u, h v, h^2 a) -> next step of u'' = -omega^2 u, Omega = omega h, by hand."""
    w = AlphaWeights.of(rho_inf)
    left = np.array(
        [
            [1.0, 0.0, -w.beta],
            [0.0, 1.0, -w.gamma],
            [(1.0 - w.alpha_f) * Omega**2, 0.0, 1.0 - w.alpha_m],
        ]
    )
    right = np.array(
        [
            [1.0, 1.0, 0.5 - w.beta],
            [0.0, 1.0, 1.0 - w.gamma],
            [-w.alpha_f * Omega**2, 0.0, -w.alpha_m],
        ]
    )
    return np.linalg.solve(left, right)


def oscillator(stiffness):
    mass = RigidBody("mass", 2.0, ("ux",))
    system = System([mass], [Bearing(mass, stiffness, stiffness)])
    return system, system.state(q={"mass.ux": 1.0})


@pytest.mark.parametrize("rho_inf", [0.0, 0.5, 0.8, 1.0])
@pytest.mark.parametrize("Omega", [0.3, 3.0, 300.0])
def test_damping_of_the_linear_oscillator(rho_inf, Omega):
    """Displacements obey the recurrence of the characteristic polynomial."""
    h = 1e-3
    system, start = oscillator(2.0 * (Omega / h) ** 2)
    u = simulate(system, 12 * h, start, step=h, rho_inf=rho_inf).history("mass.ux")
    polynomial = np.poly(amplification(rho_inf, Omega))
    left = np.convolve(u, polynomial, mode="valid")
    assert np.abs(left).max() < 1e-9 * np.abs(u).max()


def test_limit_of_the_damping():
    """Spectral radius rho_inf at infinite frequency (Chung and Hulbert), 1 at zero frequency."""
    for rho_inf in (0.0, 0.3, 0.8, 1.0):
        fast = np.abs(np.linalg.eigvals(amplification(rho_inf, 1e7))).max()
        assert fast == pytest.approx(rho_inf, abs=2e-3)
        slow = np.abs(np.linalg.eigvals(amplification(rho_inf, 1e-3))).max()
        assert slow == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("options", [{"step": 0.01}, {"rtol": 1e-4}])
def test_constraints_hold_to_round_off(options):
    system, found = chain(doubled=True)
    motion = simulate(system, 0.5, found.state, **options)
    rows = [system.constraint(motion.state(i)) for i in range(len(motion))]
    assert max(np.abs(r.value).max() for r in rows) < 1e-12
    assert max(np.abs(r.rate).max() for r in rows) < 1e-12


def test_a_doubled_joint_changes_nothing():
    """Same motion; the two copies share the load of the one."""
    (once, found), (twice, found_twice) = chain(), chain(doubled=True)
    a = simulate(once, 0.2, found.state, step=0.01)
    b = simulate(twice, 0.2, found_twice.state, step=0.01)
    np.testing.assert_allclose(b.q, a.q, rtol=0.0, atol=1e-12)
    np.testing.assert_allclose(b.v, a.v, rtol=0.0, atol=1e-11)
    for row in ("x", "y", "z", "rx", "ry"):
        load = a.multiplier(f"hinge.{row}")
        for name in ("hinge", "again"):
            share = b.multiplier(f"{name}.{row}")
            np.testing.assert_allclose(share, 0.5 * load, rtol=0.0, atol=1e-9)


@dataclass(frozen=True, eq=False)
class Blade:
    """A blade at the centre of mass that cannot slip sideways (Chaplygin's sleigh)."""

    body: RigidBody
    name: str = "blade"
    rows: tuple[str, ...] = ("across",)
    level: str = "velocity"

    @property
    def bodies(self):
        return (self.body,)

    def at(self, t, q, v):
        c, s = np.cos(q[2]), np.sin(q[2])
        A = np.array([[-s, c, 0.0]])
        turned = np.array([[0.0, 0.0, -c], [0.0, 0.0, -s], [0.0, 0.0, 0.0]])
        return Relative(
            np.zeros(1), A @ v, A, lambda: v @ turned[None], lambda load: load[0] * turned
        )

    def bias(self, t, q, v):
        return self.at(t, q, v).d_rate() @ v


@pytest.mark.parametrize("method", ["implicit", "projected"])
def test_blade_runs_on_a_circle(method):
    """Constant speed and turn: x = (v/w) sin(w t), and the force m v w across."""
    sleigh = RigidBody("sleigh", 2.0, ("ux", "uy", "rz"), (0.1, 0.1, 0.2))
    system = System([sleigh], [Blade(sleigh)])
    start = system.state(v={"sleigh.ux": 1.5, "sleigh.rz": 3.0})
    errors = []
    for step, rtol in ((0.02, 1e-5), (0.01, 1e-9)):
        options = {"step": step} if method == "implicit" else {"rtol": rtol, "atol": rtol}
        motion = simulate(system, 1.0, start, method, **options)
        x, y = 0.5 * np.sin(3.0 * motion.t), 0.5 * (1.0 - np.cos(3.0 * motion.t))
        errors.append(np.abs(motion.q[:, :2] - np.column_stack([x, y])).max())
        np.testing.assert_allclose(motion.multiplier("blade.across")[-1], 9.0, rtol=2e-3)
        assert (
            np.abs([system.constraint(motion.state(i)).rate for i in range(len(motion))]).max()
            < 1e-12
        )
    assert errors[1] < (0.27 if method == "implicit" else 1e-3) * errors[0]


def test_error_control_reaches_the_tolerance():
    """The error of the end point falls with the tolerance; `projected` is the reference."""
    system, found = chain()
    exact = simulate(system, 0.3, found.state, "projected", rtol=1e-10, atol=1e-11)
    errors, steps = [], []
    for rtol in (1e-3, 1e-4, 1e-5):
        motion = simulate(system, 0.3, found.state, rtol=rtol, output=0.1)
        assert motion.t == pytest.approx(np.linspace(0.0, 0.3, 4), abs=1e-15)
        errors.append(np.abs(motion.q[-1] - exact.q[-1]).max())
        steps.append(motion.statistics.steps)
    assert errors[0] < 3e-2
    assert errors[2] < 0.1 * errors[0]  # order 2: rtol^(2/3)
    assert steps[2] < 7 * steps[0]


@dataclass(frozen=True, eq=False)
class Break:
    """A force that does not exist after some time."""

    body: RigidBody
    until: float
    name: str = "break"

    @property
    def bodies(self):
        return (self.body,)

    def force(self, t, q, v):
        return np.array([1.0 if t < self.until else np.nan])

    def tangents(self, t, q, v):
        return np.zeros((1, 1)), np.zeros((1, 1))


def test_failure_says_where_and_what_to_try():
    mass = RigidBody("mass", 2.0, ("ux",))
    system = System([mass], [Break(mass, 0.35)])
    with pytest.raises(SolverError, match=r"t = 0.3 s, step 0.1 s: .*; try a smaller step"):
        simulate(system, 1.0, system.rest(), step=0.1)
    with pytest.raises(SolverError, match=r"t = 0.35 s, step .*; look for a jump"):
        simulate(system, 1.0, system.rest())


@dataclass(frozen=True, eq=False)
class Guide:
    """Prescribed displacement 0 = x - rise t^3."""

    body: RigidBody
    rise: float
    name: str
    rows: tuple[str, ...] = ("x",)
    level: str = "position"

    @property
    def bodies(self):
        return (self.body,)

    def at(self, t, q, v):
        return Relative(
            q - self.rise * t**3,
            v - 3.0 * self.rise * t**2,
            np.ones((1, 1)),
            lambda: np.zeros((1, 1)),
            lambda load: np.zeros((1, 1)),
        )

    def bias(self, t, q, v):
        return np.array([-6.0 * self.rise * t])


@pytest.mark.parametrize("options", [{"step": 0.05}, {"rtol": 1e-4}])
def test_redundant_guides(options):
    """Equal guides share the load m x''; guides that part are refused when they do."""
    mass = RigidBody("mass", 2.0, ("ux",))
    system = System([mass], [Guide(mass, 1.5, "one"), Guide(mass, 1.5, "two")])
    motion = simulate(system, 1.0, system.rest(), **options)
    np.testing.assert_allclose(motion.history("mass.ux"), 1.5 * motion.t**3, rtol=0.0, atol=1e-12)
    assert motion.multiplier("two.x")[-1] == pytest.approx(9.0, rel=0.02)
    np.testing.assert_allclose(motion.lam[:, 0], motion.lam[:, 1], rtol=0.0, atol=1e-9)
    wrong = System([mass], [Guide(mass, 1.5, "one"), Guide(mass, 1.6, "two")])
    with pytest.raises(SolverError, match=r"the constraint row '(one|two).x' contradicts"):
        simulate(wrong, 1.0, wrong.rest(), **options)


@pytest.mark.parametrize("backend", ["general", "compiled"])
def test_a_linear_step_takes_one_iteration(backend):
    """Only round-off is left behind the first correction: there is nothing to correct."""
    mass = RigidBody("mass", 2.0, ("ux", "uz"))
    system = System([mass], [Bearing(mass, 1e4, 3e3, 2.0, 5.0)])
    start = system.state(q={"mass.ux": 1e-3, "mass.uz": -2e-3}, v={"mass.uz": 0.1})
    motion = simulate(system, 0.05, start, "implicit", 0.025, step=1e-3, backend=backend)
    counted = motion.statistics
    assert counted.steps == 50
    assert counted.iterations == counted.steps
    assert counted.evaluations - counted.steps <= counted.steps + 4  # and looks ahead at the start
