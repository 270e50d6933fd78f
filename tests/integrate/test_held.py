"""Explicit steps with constraints: closed forms, drift, implicit steps; both backends alike."""

from __future__ import annotations

import numpy as np
import pytest
from mechanisms import ANGLE, DOWN, G, four_bar, link, pendulum, slider_crank, swing, welded_arm

import fecontact as fc
from fecontact.errors import InputError, SolverError
from fecontact.integrate.explicit.general import GeneralBackend
from fecontact.integrate.explicit.lowered import LoweredBackend
from fecontact.integrate.explicit.method import Explicit
from fecontact.integrate.start import first_point
from fecontact.results.statistics import Statistics
from fecontact.system.constraints.redundancy import redundancy

BACKENDS = ("compiled", "general")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("mechanism", [pendulum, four_bar])
def test_order_and_drift_of_swinging_mechanisms(mechanism, backend):
    """Order 2 in the angle; positions and velocities stay on the rows to round-off."""
    system, hinge, square = mechanism()
    start, errors = fc.posed(system, {hinge.angle: ANGLE}), []
    for step in (8e-3, 4e-3):
        motion = fc.simulate(
            system, 1.0, start, "explicit", 0.25, step=step, backend=backend
        )  # fmt: skip
        expected = swing(motion.t, square)
        errors.append(np.abs(motion.along(hinge.angle, ANGLE) - expected).max())
        position, velocity = motion.drift()
        assert position.max() < 1e-12
        assert velocity.max() < 1e-13
        assert (motion.statistics.compiled > 0) == (backend == "compiled")
    assert errors[1] < 1e-3
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)


def test_redundant_rows_of_the_four_bar():
    system, hinge, _ = four_bar()
    found = redundancy(system, fc.posed(system, {hinge.angle: ANGLE}))
    assert found.mobility == 1
    assert len(found.redundant) > 2


@pytest.mark.parametrize("backend", BACKENDS)
def test_reaction_of_the_pendulum(backend):
    """The hinge carries what the centre of mass needs: weight and centripetal force."""
    system, hinge, square = pendulum()
    start = fc.posed(system, {hinge.angle: ANGLE})
    motion = fc.simulate(system, 0.6, start, "explicit", 0.1, step=1e-3, backend=backend)
    for i, phi in enumerate(swing(motion.t, square)):
        rate2 = 2.0 * square * (np.cos(phi) - np.cos(ANGLE))
        turn = -square * np.sin(phi)
        along = np.array([np.sin(phi), 0.0, np.cos(phi)])  # from the centre of mass to the hinge
        across = np.array([-np.cos(phi), 0.0, np.sin(phi)])
        needed = 2.0 * 0.5 * (rate2 * along + turn * across) + [0.0, 0.0, 2.0 * G]
        force = system.reaction(motion.state(i), "hinge").on["bob"].force
        np.testing.assert_allclose(force, needed, atol=1e-4 * 2.0 * G)


@pytest.mark.parametrize("backend", BACKENDS)
def test_geared_rotors(backend):
    """Constant torque on a pair of gears: I_1 + (z_1/z_2)^2 I_2 at the first shaft, exactly."""
    one = fc.RigidBody("one", 1.0, ("rz",), inertia=(1.0, 1.0, 0.2))
    two = fc.RigidBody("two", 1.0, ("rz",), inertia=(1.0, 1.0, 1.7))
    gears = fc.GearRatio(one, two, (20, 50), name="gears")
    system = fc.System([one, two], [gears, fc.Torque(one, (0.0, 0.0, 3.0), name="motor")])
    motion = fc.simulate(system, 1.0, None, "explicit", 0.1, step=1e-2, backend=backend)
    push = 3.0 / (0.2 + 1.7 * 0.4**2)
    np.testing.assert_allclose(motion["one.rz'"], push * motion.t, rtol=1e-12)
    np.testing.assert_allclose(motion["two.rz"], -0.4 * motion["one.rz"], rtol=1e-12)
    np.testing.assert_allclose(motion.lam[:, 0], -1.7 * 0.4 * push / 50.0, rtol=1e-12)
    assert motion.drift()[1].max() < 1e-12


@pytest.mark.parametrize("backend", BACKENDS)
def test_speed_drive_keeps_the_speed_and_leads_the_angle(backend):
    """A row of velocity level: its speed to round-off, the angle with the square of the step."""
    bob = link("bob", 2.0, (0.0, 0.0, -0.5))
    hinge = fc.Revolute(None, bob, point_b=(0.0, 0.0, 0.5), axis="y", name="hinge")
    law = fc.Speed(fc.Sine(3.0, 6.0, 1.0))
    drive = fc.PrescribedMotion(hinge.angle, law, level="velocity", name="drive")
    system = fc.System([bob], [hinge, drive, fc.Gravity([bob], DOWN)])
    start, errors = fc.posed(system, {hinge.angle: 0.0}, {hinge.angle: law.rate(0.0)}), []
    for step in (1e-2, 5e-3):
        motion = fc.simulate(system, 1.0, start, "explicit", 0.5, step=step, backend=backend)
        assert motion.drift()[1].max() < 1e-12
        errors.append(np.abs(motion.along(hinge.angle)[-1] - law.value(1.0)))
        needed = 0.53 * law.acceleration(1.0) + 2.0 * G * 0.5 * np.sin(law.value(1.0))
        assert motion.multiplier("drive.s")[-1] == pytest.approx(needed, rel=2e-3)
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)


@pytest.mark.parametrize("backend", BACKENDS)
def test_slider_crank_with_friction_against_implicit(backend):
    """Two methods of order 2 while the slip keeps its direction: their difference falls so."""
    system, start = slider_crank()
    differences = []
    for step in (1e-3, 5e-4):
        fast = fc.simulate(system, 0.1, start, "explicit", 0.1, step=step, backend=backend)
        slow = fc.simulate(system, 0.1, start, "implicit", 0.1, step=step, rho_inf=1.0)
        a, b = fast.state(-1), slow.state(-1)
        differences.append(np.abs(a.v - b.v).max())
        position, velocity = fast.drift()
        assert position.max() < 1e-12
        assert velocity.max() < 1e-12
        assert a.lam == pytest.approx(b.lam, abs=2e-2 * np.abs(b.lam).max())
    assert differences[1] < 0.35 * differences[0]
    lines = {name: line[-1] for name, line in fast.energies.items()}
    assert lines["slip"] > 1.0
    left = abs(lines["numerical"]) + abs(lines["residual"])
    assert left < 5e-3 * abs(lines["supplied"])


def test_welds_are_merged_beside_other_constraints():
    """The same motion with the welds merged, and with rows for all joints."""
    system, start = welded_arm()
    point = first_point(system, start, "explicit", None)[0]
    backend = Explicit().chosen(system, point, Statistics())
    assert isinstance(backend, LoweredBackend)
    assert {name for name, _ in backend.welds.names} == {"shaft", "weight"}
    assert [c.name for c in backend.welds.others] == ["hinge"]
    differences = []
    for step in (1e-4, 5e-5):
        fast, slow = (
            fc.simulate(system, 0.02, start, "explicit", 0.02, step=step, backend=each).state(-1)
            for each in BACKENDS
        )
        differences.append(np.abs(fast.v - slow.v).max())
        assert fast.lam == pytest.approx(slow.lam, abs=1e-2 * np.abs(slow.lam).max())
    assert differences[1] < 0.35 * differences[0]
    assert differences[1] < 1e-3 * np.abs(fast.v).max()


def test_a_loop_of_welds_has_rows():
    """A body between two others that are welded to the ground: one weld stays a constraint."""
    a, b, c = (link(name, 1.0, (x, 0.0, 0.0)) for name, x in (("a", 0.0), ("b", 1.0), ("c", 2.0)))
    joints = [
        fc.RigidJoint(None, a, name="first"), fc.RigidJoint(a, b, name="second"),
        fc.RigidJoint(b, c, name="third"), fc.RigidJoint(c, None, name="fourth"),
    ]  # fmt: skip
    load = fc.Force(b, (1.0, 2.0, 3.0), name="load")
    free = fc.RigidBody("free", 1.0, ("ux",))
    system = fc.System([a, b, c, free], [*joints, load, fc.Force(free, (2.0, 0.0, 0.0), name="f")])
    motion = fc.simulate(system, 0.1, None, "explicit", 0.1, step=1e-2)
    assert motion.statistics.compiled == motion.statistics.steps
    assert motion["free.ux"][-1] == pytest.approx(0.01)
    assert np.abs(motion.q[-1][:3]).max() == 0.0
    total = motion.lam[-1].reshape(4, 6)
    assert total[0, :3] - total[3, :3] == pytest.approx([-1.0, -2.0, -3.0])


@pytest.mark.parametrize("backend", BACKENDS)
def test_restart_to_the_last_bit(backend):
    system, start = slider_crank()
    options = {"method": "explicit", "step": 5e-4, "backend": backend, "output": 0.02}
    whole = fc.simulate(system, 0.08, start, **options)
    first = fc.simulate(system, 0.04, start, **options)
    second = fc.simulate(system, 0.08, restart=first, **options)
    for name in ("q", "v", "z", "lam"):
        assert np.array_equal(getattr(whole.state(-1), name), getattr(second.state(-1), name))
    for name, line in whole.energies.items():
        assert line[-1] == second.energies[name][-1]


def test_backends_agree():
    """The same formulas: to round-off without contacts, with them up to their start velocities."""
    system, hinge, _ = four_bar()
    start = fc.posed(system, {hinge.angle: ANGLE})
    fast, slow = (
        fc.simulate(system, 0.5, start, "explicit", 0.1, step=4e-3, backend=each)
        for each in BACKENDS
    )
    assert fast.q == pytest.approx(slow.q, abs=1e-12)
    assert fast.v == pytest.approx(slow.v, abs=1e-11)
    for name, line in slow.energies.items():
        assert fast.energies[name] == pytest.approx(line, abs=1e-10)
    system, start = slider_crank()
    fast, slow = (
        fc.simulate(system, 0.05, start, "explicit", 0.01, step=2e-4, backend=each)
        for each in BACKENDS
    )
    assert fast.v == pytest.approx(slow.v, abs=1e-3 * np.abs(slow.v).max())
    assert fast.statistics.steps == slow.statistics.steps


@pytest.mark.parametrize("backend", BACKENDS)
def test_bound_is_that_of_the_motions_that_are_left(backend):
    """A pendulum swings by the force of its hinge alone; its bound is 2/omega."""
    system, hinge, square = pendulum()
    start = fc.posed(system, {hinge.angle: 0.0})
    point = first_point(system, start, "explicit", None)[0]
    found = Explicit(backend=backend).chosen(system, point, Statistics())
    assert isinstance(found, LoweredBackend if backend == "compiled" else GeneralBackend)
    assert found.limits.bound == pytest.approx(2.0 / np.sqrt(square), rel=1e-9)
    assert found.limits.default == pytest.approx(found.limits.bound / 32.0)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_step_that_cannot_end_on_the_rows(backend):
    """A fast body on a rod flies further in a step than the rod is long."""
    bob = fc.RigidBody("bob", 1.0, ("ux", "uz"), position=(0.0, 0.0, -1.0))
    rod = fc.Distance(None, bob, point_a=(0.0, 0.0, 0.0), name="rod")
    system = fc.System([bob], [rod])
    start = system.state(v={"bob.ux": 10.0})
    with pytest.raises(SolverError, match="constraints cannot be met at the end of the step"):
        fc.simulate(system, 1.0, start, "explicit", step=0.15, backend=backend)


def test_constraints_written_in_python_go_the_general_backend():
    bob = fc.RigidBody("bob", 1.0, ("ux", "uz"), position=(0.0, 0.0, -1.0))
    law = fc.MotionFunction(lambda t: 0.1 * np.sin(3.0 * t))
    drive = fc.PrescribedMotion(fc.DofCoordinate(bob, "ux"), law, name="drive")
    system = fc.System([bob], [drive])
    start = system.state(v={"bob.ux": 0.3})
    motion = fc.simulate(system, 0.5, start, "explicit", 0.1, step=1e-2)
    assert motion.statistics.compiled == 0
    np.testing.assert_allclose(motion["bob.ux"], 0.1 * np.sin(3.0 * motion.t), atol=1e-14)
    np.testing.assert_allclose(motion.lam[:, 0], -0.9 * np.sin(3.0 * motion.t), atol=1e-5)
    with pytest.raises(InputError, match="compiled for constraint 'drive': expected 'auto'"):
        fc.simulate(system, 0.5, start, "explicit", backend="compiled")


def test_teeth_that_would_pull_stop_the_motion():
    """A rigid flank presses and cannot pull."""
    one = fc.RigidBody("one", 1.0, ("rz",), inertia=(1.0, 1.0, 1.0))
    two = fc.RigidBody("two", 1.0, ("rz",), inertia=(1.0, 1.0, 1.0), position=(0.16, 0.0, 0.0))
    gears = fc.GearPair((20, 40), base_radius=0.05, distance=0.16)
    load = fc.Torque(one, (0.0, 0.0, -1.0), name="load", factor=fc.ramp(0.1, low=-1.0, high=1.0))
    system = fc.System([one, two], [fc.GearMesh(one, two, gears, name="mesh"), load])
    with pytest.raises(SolverError, match="would pull"):
        fc.simulate(system, 0.2, None, "explicit", 0.01, step=1e-3)
