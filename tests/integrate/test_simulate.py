"""The common entry: output, names, input errors, interruption."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body import DOFS, RigidBody
from fecontact.errors import InputError
from fecontact.integrate import METHODS, SimulationError, simulate
from fecontact.joint import Bearing, Force, Function
from fecontact.joint.constraint import Spherical
from fecontact.system import State, System
from fecontact.system.dofs import Dofs


def oscillator():
    mass = RigidBody("mass", 1.0, ("ux",))
    system = System([mass], [Bearing(mass, 1e4, 1e4)])
    return system, system.state(q={"mass.ux": 1e-3})


FIXED = {"explicit": {"step": 1e-4}, "moreau": {"step": 2e-5, "theta": 0.5}}
"""Steps of methods without error control."""


@pytest.mark.parametrize("method", METHODS)
def test_output_grid(method):
    """Points are at the times asked for, and are those of a run that stores all steps."""
    system, start = oscillator()
    fixed = FIXED.get(method, {})
    every = simulate(system, 0.02, start, method, **(fixed or {"rtol": 1e-4}))
    assert np.all(np.diff(every.t) > 0.0)
    assert every.t[-1] == 0.02
    for output in (0.005, np.linspace(0.0, 0.02, 5), np.array([0.005, 0.01, 0.015])):
        options = fixed or {"rtol": 1e-6, "atol": 1e-10}
        motion = simulate(system, 0.02, start, method, output=output, **options)
        np.testing.assert_allclose(motion.t, np.linspace(0.0, 0.02, 5), rtol=0.0, atol=1e-15)
        exact = 1e-3 * np.cos(100.0 * motion.t)
        np.testing.assert_allclose(motion.history("mass.ux"), exact, rtol=0.0, atol=1e-6)
        np.testing.assert_allclose(
            motion.history("mass.ux", "acceleration"), -1e4 * exact, rtol=0.0, atol=1e-2
        )


@pytest.mark.parametrize("method", METHODS)
def test_interruption_returns_what_was_computed(method):
    class Interrupted(System):
        calls = 0

        def forces(self, state, known=None):
            self.calls += 1
            if self.calls == 201:  # once, as a key is pressed
                raise KeyboardInterrupt
            return super().forces(state, known)

        def evaluate(self, state, known=None):
            self.forces(state)
            return super().evaluate(state, known)

    mass = RigidBody("mass", 1.0, ("ux",))
    system = Interrupted([mass], [Bearing(mass, 1e4, 1e4)])
    options = {
        "implicit": {"backend": "general"},
        "explicit": {"backend": "general"},
        "moreau": {"step": 0.02, "backend": "general"},
    }.get(method, {})
    motion = simulate(system, 10.0, system.state(q={"mass.ux": 1e-3}), method, **options)
    assert motion.status == "interrupted"
    assert 1 < len(motion) < 200
    assert motion.t[-1] < 10.0
    assert len(motion.lam) == len(motion.a) == len(motion)


@pytest.mark.parametrize("method", METHODS)
def test_a_late_failure_keeps_what_was_computed(method):
    """A force that is not a number from 0.5 s on: the motion x = t^2/2 until then is there."""
    mass = RigidBody("mass", 1.0, ("ux",))
    law = Function(lambda t: 1.0 if t < 0.5 else float("nan"), lambda t: 0.0)
    system = System([mass], [Force(mass, (1.0, 0.0, 0.0), factor=law)])
    options = {"step": 0.01, "theta": 0.5} if method == "moreau" else {}
    with pytest.raises(SimulationError) as caught:
        simulate(system, 1.0, system.rest(), method, output=0.1, **options)
    motion = caught.value.trajectory
    assert motion.status == "failed"
    assert 0.39 < motion.t[-1] < 0.51
    np.testing.assert_allclose(motion.t, 0.1 * np.arange(len(motion)), rtol=0.0, atol=1e-12)
    np.testing.assert_allclose(motion.history("mass.ux"), motion.t**2 / 2, rtol=0.0, atol=1e-6)


def test_impossible_output_and_systems():
    system, start = oscillator()
    with pytest.raises(InputError, match="invalid output: expected an interval in s or a list"):
        simulate(system, 1.0, start, output=[])
    fixed = System([RigidBody("fixed", 1.0, ())])
    with pytest.raises(InputError, match="the system has no dofs"):
        simulate(fixed, 1.0, fixed.rest())


def test_a_run_can_be_continued():
    """Two halves of `projected` end where the whole does, to its tolerance."""
    system, start = oscillator()
    whole = simulate(system, 0.04, start, "projected", rtol=1e-10, atol=1e-13)
    half = simulate(system, 0.02, start, "projected", rtol=1e-10, atol=1e-13)
    rest = simulate(system, 0.04, half.state(-1), "projected", rtol=1e-10, atol=1e-13)
    assert rest.t[0] == 0.02
    np.testing.assert_allclose(rest.q[-1], whole.q[-1], rtol=0.0, atol=1e-11)


def test_runs_are_deterministic():
    system, start = oscillator()
    for method in METHODS:
        options = {"step": 1e-3} if method == "moreau" else {}
        a, b = (simulate(system, 0.02, start, method, **options) for _ in range(2))
        assert np.array_equal(a.q, b.q)
        assert a.statistics == b.statistics
        assert a.statistics.steps == len(a) - 1


def test_histories_by_name():
    body = RigidBody("body", 1.0, DOFS, (0.1, 0.1, 0.1))
    slider = RigidBody("slider", 1.0, ("uy", "rz"), (0.1, 0.1, 0.1))
    system = System([body, slider])
    start = system.state(v={"body.ux": 1.0, "body.rz": 2.0, "slider.rz": 3.0})
    motion = simulate(system, 0.5, start, "projected", rtol=1e-10)
    np.testing.assert_allclose(motion.history("slider.rz"), 3.0 * motion.t, atol=1e-9)
    np.testing.assert_allclose(motion.history("body.ux"), motion.t, atol=1e-9)
    np.testing.assert_allclose(motion.history("body.rz", "velocity"), 2.0, atol=1e-9)
    turn = motion.coordinates("body")[-1, 3:]
    np.testing.assert_allclose(turn, [np.cos(0.5), 0.0, 0.0, np.sin(0.5)], atol=1e-8)
    with pytest.raises(InputError, match=r"'body.rz' is a rotation about a body-fixed axis"):
        motion.history("body.rz")
    with pytest.raises(InputError, match=r"unknown dof 'body.e1'"):
        motion.history("body.e1")
    with pytest.raises(InputError, match="history: invalid of = speed"):
        motion.history("body.ux", "speed")
    with pytest.raises(InputError, match="unknown body 'disc'"):
        motion.coordinates("disc")
    with pytest.raises(InputError, match=r"unknown constraint row 'pin.x'; known: none"):
        motion.multiplier("pin.x")


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((0.02, "euler"), {}, "invalid method = euler: expected one of implicit"),
        ((0.02,), {"tolerance": 1e-3}, "unknown option of method 'implicit' 'tolerance'; known: "),
        ((0.02,), {"solver": "RK45"}, "unknown option of method 'implicit' 'solver'"),
        ((0.02, "projected"), {"solver": "LSODA"}, "invalid solver = LSODA"),
        ((0.02,), {"rho_inf": 1.2}, "invalid rho_inf = 1.2: expected from 0 to 1"),
        ((0.02,), {"step": 0.0}, "invalid step = 0.0 s: expected > 0"),
        ((0.02,), {"rtol": -1e-3}, "invalid rtol = -0.001"),
        ((0.0,), {}, "invalid t_end = 0.0 s: expected after 0.0 s"),
        ((float("nan"),), {}, "invalid t_end = nan s"),
        ((0.02,), {"output": -1.0}, "invalid output = -1.0 s"),
        (
            (0.02,),
            {"output": np.array([0.01, 0.03])},
            r"invalid output: expected rising times from 0.0 s to 0.02",
        ),
        ((0.02,), {"output": np.array([0.01, 0.01])}, "invalid output: expected rising times"),
    ],
)
def test_bad_input(arguments, options, message):
    system, start = oscillator()
    with pytest.raises(InputError, match=message):
        simulate(system, arguments[0], start, *arguments[1:], **options)


def test_bad_start():
    bob = RigidBody("bob", 1.0, DOFS, (0.1, 0.1, 0.1))
    system = System([bob], [Spherical(None, bob, point_b=(0.0, 0.0, 1.0))])
    with pytest.raises(InputError, match=r"the velocity of the start does not.* 'bob.ry'"):
        simulate(system, 1.0, system.state(v={"bob.ux": 1.0}))
    with pytest.raises(InputError, match="the position of the start does not"):
        simulate(system, 1.0, system.state(q={"bob.uz": 0.1}))
    rest = system.rest()
    with pytest.raises(InputError, match="shape"):
        simulate(system, 1.0, State(0.0, rest.q[:3], rest.v))
    with pytest.raises(InputError, match="finite"):
        simulate(system, 1.0, State(0.0, rest.q, rest.v * np.nan))


@pytest.mark.parametrize("dofs", [DOFS, ("ux", "rx", "ry", "spin")])
def test_tangent_of_a_rotation(difference, dofs):
    """T is the derivative of `move`: small and large angles, also next to the series' end.

    The frame of a rotor that only tilts moves a little about z too, which no dof describes.
    """
    slider = RigidBody("slider", 1.0, ("uy",))
    body = RigidBody("body", 1.0, dofs, (0.1, 0.1, 0.1))
    system = System([slider, body, RigidBody("last", 1.0, ("uz",))])
    n, found = system.size, Dofs(system)
    rng = np.random.default_rng(4)
    q = system.move(system.rest().q, 0.5 * rng.uniform(-1.0, 1.0, n))
    first = system.coordinates.index("body.rx")
    for angle in (0.0, 1e-5, 0.1, 0.1999, 0.2001, 2.0, 6.0):
        step = rng.uniform(-1.0, 1.0, n)
        step[first : first + 3] = [0.6 * angle, -0.8 * angle, 0.0]
        end = system.move(q, step)
        to_rates = np.array([system.rate(end, e) for e in np.eye(n)]).T
        moved = difference(lambda s: system.move(q, s), step, np.full(n, 1e-2))
        expected = np.linalg.lstsq(to_rates, moved)[0]
        T = found.times_tangent(np.eye(n), step)
        np.testing.assert_allclose(T, expected, rtol=0.0, atol=1e-10)
    start = system.rest().q
    assert np.allclose(system.move(start, step)[found.q_indices], step[found.plain])
