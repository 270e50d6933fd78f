"""Constraints in compiled implicit steps: motion, multipliers and counters of the general loop."""

from __future__ import annotations

import numpy as np
import pytest
from mechanisms import ANGLE, DOWN, four_bar, link, pendulum, slider_crank, swing, welded_arm

import fecontact as fc
from fecontact.errors import InputError, SolverError
from fecontact.integrate.implicit.compiled import not_compiled

COUNTERS = ("steps", "rejected", "iterations", "factorisations", "unbalanced", "evaluations")


def released(mechanism):
    system, hinge, _ = mechanism()
    return system, fc.posed(system, {hinge.angle: ANGLE})


def geared():
    """Two shafts on a moving housing with bevel gears; a drive of given speed, and a spring."""
    housing = link("housing", 3.0, (0.0, 0.0, 0.0), (0.3, 0.4, 0.5))
    one, two = link("one", 1.0, (0.2, 0.0, 0.0)), link("two", 1.0, (0.0, 0.3, 0.0))
    joints = [
        fc.Revolute(housing, one, axis="x", name="first"),
        fc.Cylindrical(housing, two, axis="y", name="second"),
        fc.GearRatio(one, two, (20, 31), axis="x", axis_b="y", housing=housing, name="gears"),
        fc.Universal(None, housing, point_b=(0.1, 0.1, 0.1), name="stand"),
        fc.PrescribedMotion(
            fc.DofCoordinate(one, "rx"), fc.Speed(fc.Sine(4.0, 9.0, 1.0)), "velocity", name="drive"
        ),
    ]
    held = fc.Bushing(housing, two, (0.0, 50.0, 0.0, 0.0, 0.0, 0.0), name="held")
    spring = fc.SpringDamper(None, housing, 200.0, 1.0, point_a=(0.5, 0.5, 0.5), name="spring")
    system = fc.System([housing, one, two], [*joints, held, spring])
    guess = system.state(v={"housing.ry": 0.5, "one.rx": 1.0, "housing.rx": 0.4})
    return system, system.consistent(guess).state


def led():
    """A body on a rod, whose end is led along a line by a smooth step, and a length that grows."""
    slide = link("slide", 1.0, (0.0, 0.0, 0.0))
    bob = link("bob", 1.0, (0.0, 0.0, -0.6))
    guide = fc.Prismatic(None, slide, axis="x", name="guide")
    step = fc.PrescribedMotion(guide.stroke, fc.SmoothStep(0.4, high=0.2), name="step")
    rod = fc.Distance(slide, bob, point_b=(0.0, 0.0, 0.1), point_a=(0.0, 0.0, 0.0), name="rod")
    growth = fc.PrescribedMotion(rod.length, fc.Speed(0.1, 0.5), name="growth")
    system = fc.System([slide, bob], [guide, step, growth, fc.Gravity([slide, bob], DOWN)])
    start = system.state(v={"bob.uy": 0.3, "bob.rz": 2.0})
    return system, system.consistent(start).state


def meshed(torque=-1.0, *loads):
    """Two shafts on soft bearings, a rigid mesh of helical gears, a torque on the first."""
    gears = fc.GearPair((25, 50), 0.05, 0.16, 0.3, face_width=0.02, backlash=1e-4)
    dofs = ("ux", "uy", "uz", "rz")
    one, two = (
        fc.RigidBody(name, 2.0, dofs, inertia=(0.01, 0.01, 0.012), position=(x, 0.0, 0.0))
        for name, x in (("one", 0.0), ("two", 0.16))
    )
    bearings = [
        fc.Bearing(each, 1e6, 1e6, 50.0, 50.0, name=f"bearing {each.name}") for each in (one, two)
    ]
    torques = [
        fc.Torque(one, (0.0, 0.0, torque), "drive", factor=fc.ramp(0.02, low=0.2)),
        fc.Drive(None, two, fc.Line(-0.2), name="brake"),
        *(fc.Torque(two, load, "back", factor=fc.ramp(0.02)) for load in loads),
    ]
    mesh = fc.GearMesh(one, two, gears, "front" if torque > 0.0 else "rear", name="mesh")
    system = fc.System([one, two], [mesh, *bearings, *torques])
    return system, system.consistent(system.rest()).state


SMOOTH = {
    "pendulum": lambda: released(pendulum),
    "four bar": lambda: released(four_bar),
    "geared": geared,
    "led": led,
    "meshed": meshed,
    "welded arm": welded_arm,
}


def both(system, start, t_end, **options):
    return [
        fc.simulate(system, t_end, start, "implicit", t_end / 5, backend=backend, **options)
        for backend in ("compiled", "general")
    ]


def assert_alike(fast, slow, tolerance):
    for name in ("q", "v", "lam"):
        found, expected = getattr(fast, name), getattr(slow, name)
        np.testing.assert_allclose(
            found, expected, rtol=0.0, atol=tolerance * np.abs(expected).max(), err_msg=name
        )
    exchanged = max(np.ptp(line) for line in slow.energies.values())
    for name, line in slow.energies.items():
        np.testing.assert_allclose(
            fast.energies[name], line, rtol=0.0, atol=10.0 * tolerance * exchanged, err_msg=name
        )


@pytest.mark.parametrize("scene", SMOOTH)
def test_fixed_steps_are_those_of_the_general_loop(scene):
    """To round-off, with as many iterations and tangents."""
    system, start = SMOOTH[scene]()
    assert not_compiled(system) == ""
    t_end = 0.05 if scene == "welded arm" else 0.5
    fast, slow = both(system, start, t_end, step=t_end / 100)
    assert fast.statistics.compiled == fast.statistics.steps
    assert slow.statistics.compiled == 0
    assert_alike(fast, slow, 1e-9)
    for counter in COUNTERS:
        assert fast.statistics[counter] == slow.statistics[counter], counter
    position, velocity = fast.drift()
    assert position.max() < 1e-12
    assert velocity.max() < 1e-11


@pytest.mark.parametrize("scene", SMOOTH)
def test_error_control_takes_the_same_steps(scene):
    system, start = SMOOTH[scene]()
    fast, slow = both(system, start, 0.02 if scene == "welded arm" else 0.3, rtol=1e-5)
    assert fast.statistics.compiled == fast.statistics.steps
    assert_alike(fast, slow, 1e-6)
    for counter in COUNTERS:
        assert fast.statistics[counter] == slow.statistics[counter], counter


@pytest.mark.parametrize("options", [{"step": 5e-4}, {"rtol": 1e-5}])
def test_friction_in_a_driven_mechanism(options):
    """Steps of the general loop; kept tangents belong to other combinations of the rows."""
    fast, slow = both(*slider_crank(), 0.1, **options)
    assert fast.statistics.compiled > 0.98 * fast.statistics.steps
    assert_alike(fast, slow, 1e-7)
    for counter in ("steps", "rejected", "events", "to_slip", "to_stick"):
        assert fast.statistics[counter] == slow.statistics[counter], counter
    assert fast.statistics.factorisations <= slow.statistics.factorisations
    assert fast.drift()[0].max() < 1e-12
    assert fast.drift()[1].max() < 1e-9


def test_order_on_a_closed_form():
    system, hinge, square = pendulum()
    start, errors = fc.posed(system, {hinge.angle: ANGLE}), []
    for step in (8e-3, 4e-3):
        motion = fc.simulate(system, 1.0, start, "implicit", 0.25, step=step, rho_inf=1.0)
        angle = motion.along(hinge.angle, ANGLE)
        errors.append(np.abs(angle - swing(motion.t, square)).max())
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)


@pytest.mark.parametrize("scene", ["four bar", "friction"])
def test_restart_to_the_last_bit(scene):
    system, start = slider_crank() if scene == "friction" else released(four_bar)
    options = {"method": "implicit", "step": 1e-3, "output": 0.02}
    whole = fc.simulate(system, 0.08, start, **options)
    first = fc.simulate(system, 0.04, start, **options)
    second = fc.simulate(system, 0.08, restart=first, **options)
    assert whole.statistics.compiled == whole.statistics.steps
    for name in ("q", "v", "z", "lam"):
        assert np.array_equal(getattr(whole.state(-1), name), getattr(second.state(-1), name))
    for name, line in whole.energies.items():
        assert line[-1] == second.energies[name][-1]


def test_reaction_and_supplied_energy():
    """The drive gives what friction and motion take; its torque is that of the crank."""
    system, start = slider_crank()
    motion = fc.simulate(system, 0.1, start, "implicit", 2e-4, step=1e-4)
    lines = {name: line[-1] - line[0] for name, line in motion.energies.items()}
    taken = sum(lines[name] for name in ("kinetic", "strain", "potential", "contact", "slip"))
    assert lines["slip"] > 1.0
    assert taken + lines["damping"] == pytest.approx(lines["supplied"], rel=2e-3)
    power = motion.multiplier("drive.s") * 20.0
    work = np.sum(0.5 * (power[1:] + power[:-1]) * np.diff(motion.t))
    assert work == pytest.approx(lines["supplied"], rel=5e-3)


def test_rows_that_contradict_each_other_are_named():
    """Two drives of one hinge part after a while: the general loop tells which."""
    bob = link("bob", 2.0, (0.0, 0.0, -0.5))
    hinge = fc.Revolute(None, bob, point_b=(0.0, 0.0, 0.5), axis="y", name="hinge")
    laws = (fc.SmoothStep(1.0, high=0.0), fc.SmoothStep(1.0, start=0.1, high=1.0))
    drives = [
        fc.PrescribedMotion(hinge.angle, law, name=f"drive {k}") for k, law in enumerate(laws)
    ]
    system = fc.System([bob], [hinge, *drives])
    with pytest.raises(SolverError, match="contradicts the others"):
        fc.simulate(system, 1.0, None, "implicit", 0.5, step=1e-2)


def test_teeth_that_would_pull_stop_the_motion():
    """At the same time as in the general loop, which judges the step."""
    said = []
    for backend in ("compiled", "general"):
        system, start = meshed(4.0, (0.0, 0.0, -60.0))
        with pytest.raises(SolverError, match="would pull with") as stop:
            fc.simulate(system, 0.2, start, "implicit", 0.1, step=1e-4, backend=backend)
        said.append(str(stop.value).split("would")[0])
    assert said[0] == said[1]
    assert not said[0].startswith("t = 0 s")


def test_what_is_not_compiled():
    bob = fc.RigidBody("bob", 1.0, ("ux", "uz"))
    law = fc.MotionFunction(lambda t: 0.1 * np.sin(3.0 * t))
    drive = fc.PrescribedMotion(fc.DofCoordinate(bob, "ux"), law, name="drive")
    system = fc.System([bob], [drive])
    assert not_compiled(system) == "constraint 'drive'"
    start = system.state(v={"bob.ux": 0.3})
    motion = fc.simulate(system, 0.1, start, "implicit", 0.05, step=1e-2)
    assert motion.statistics.compiled == 0
    with pytest.raises(InputError, match="compiled for constraint 'drive': expected 'auto'"):
        fc.simulate(system, 0.1, start, "implicit", 0.05, backend="compiled")
