"""Motions at many instants by the compiled program: equal to the motion itself."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

import fecontact as fc
from fecontact.analysis.periodic import one_period
from fecontact.analysis.periodic.balance import Balance, Balances
from fecontact.analysis.periodic.harmonics import Harmonics
from fecontact.analysis.periodic.one_period import pass_period
from fecontact.analysis.periodic.periodic_history import march

FOOT = fc.Surface(np.array([[0.0, 0.0, -1e-3]]), np.ones(1))
FEET = fc.Surface(np.array([[0.02, 0.01, -1e-3], [-0.02, 0.0, -1.1e-3]]), np.ones(2))
NORMAL = fc.PenaltyNormal(1e5, 10.0)


def forced(*frictions, normal=NORMAL, dofs=("ux", "uz")):
    """One mass on the ground, a second one beside it on the first, on springs and forced."""
    first = fc.RigidBody("first", 1.0, dofs, inertia=(0.01, 0.02, 0.03))
    second = fc.RigidBody("second", 0.7, ("ux", "uy", "uz"), position=(1.0, 0.0, 0.0))
    items = [
        fc.Bearing(first, 3e3, 3e3, 5.0, 5.0, name="spring"),
        fc.Bearing(second, 2e3, 2e3, 5.0, 5.0, name="other spring"),
        fc.SpringDamper(first, second, 5e3, 1.0, name="between"),
        fc.Force(first, (40.0, 0.0, 5.0), factor=fc.Sine(1.0, 60.0), name="load"),
        fc.ContactPair(first, FOOT, fc.RigidFace(None, fc.Plane()), NORMAL, frictions[0], name="a"),
        fc.ContactPair(
            second, FEET, fc.RigidFace(None, fc.Plane()), normal, frictions[-1], name="b"
        ),
    ]
    return fc.SystemMotion(fc.System([first, second], items))


def on_a_belt():
    """A mass on a belt that runs at a constant speed: a driven coordinate."""
    mass, belt = fc.RigidBody("mass", 1.0, ("ux",)), fc.RigidBody("belt", 1.0, ("ux",))
    contact = fc.ContactPair(
        mass, FOOT, fc.RigidFace(belt, fc.Plane()), fc.PenaltyNormal(1e5),
        fc.ElastoPlastic(fc.Stribeck(0.2, 0.4, 0.1), 1e5, 30.0), name="contact",
    )  # fmt: skip
    drive = fc.PrescribedMotion(fc.DofCoordinate(belt, "ux"), fc.Speed(0.5), name="motor")
    items = [fc.Bearing(mass, 3e3, 3e3, 1.0, 1.0, name="spring"), contact, drive]
    system = fc.System([mass, belt], items)
    return fc.SystemMotion(system)


def spun(master, friction):
    """A mass that tilts on a disc or plate that spins, forced on springs."""
    pad = fc.RigidBody("pad", 1.0, ("ux", "uy", "uz", "ry"), (0.01,) * 3, (0.1, 0.0, 1e-3))
    items = [
        fc.Bearing(pad, 3e3, 3e3, 5.0, 5.0, tilt_stiffness=50.0, tilt_damping=0.1, name="spring"),
        fc.Force(pad, (40.0, 10.0, 5.0), factor=fc.Sine(1.0, 60.0), name="load"),
        fc.ContactPair(pad, FEET, master, NORMAL, friction, name="contact"),
    ]
    return fc.SystemMotion(fc.System([pad, *master.bodies], items))


def on_a_disc():
    table = fc.RigidBody("table", 1.0, (), (0.1, 0.1, 0.2), spin=10.0)
    return spun(fc.RigidFace(table, fc.Cone(1.5)), PLASTIC)


def on_a_plate():
    supports = {"outer": "simply_supported"}
    plate = fc.HarmonicPlate(0.05, 0.2, 2e-3, fc.STEEL, supports, elements=4)
    disc = fc.SpinningDisc("plate", fc.reduce_harmonic(plate, 0.1, 1, 1), 10.0, damping=1e-3)
    return spun(fc.PlateFace(disc), LUGRE)


LUGRE = fc.lugre(0.3, 2e4, 40.0)
PLASTIC = fc.ElastoPlastic(fc.Stribeck(0.2, 0.4, 0.1), 3e4, 30.0)
MOTIONS = {
    "plastic": lambda: forced(PLASTIC),
    "two laws": lambda: forced(PLASTIC, LUGRE),
    "layer": lambda: forced(PLASTIC, normal=fc.KelvinLayer(1e5, 100.0)),
    "tilting": lambda: forced(LUGRE, dofs=("ux", "uz", "ry")),
    "undamped": lambda: forced(fc.ElastoPlastic(fc.Stribeck(0.2, 0.4, 0.1), 3e4)),
    "belt": on_a_belt,
    "disc that spins": on_a_disc,
    "plate that spins": on_a_plate,
}


@pytest.fixture(params=list(MOTIONS))
def name(request):
    return request.param


def plain(name):
    """The motion in its Python form."""
    motion = MOTIONS[name]()
    motion.__dict__["compiled"] = None
    return motion


def close(found, expected):
    largest = np.abs(expected).max(initial=1e-30)
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-12 * largest)


def instants(motion, count=7):
    rng, (n, s, _) = np.random.default_rng(3), motion.sizes
    t = np.sort(rng.uniform(0.0, 0.1, count))
    q, v, a = (scale * rng.standard_normal((count, n)) for scale in (3e-4, 0.1, 10.0))
    return t, q, v, a, 1e-4 * rng.standard_normal((count, s))


def test_balances(name):
    motion, none = MOTIONS[name](), np.zeros(0)
    given = instants(motion)
    found = motion.compiled.balances(*given)
    motion.compiled.balances(*(1.1 * part for part in given))  # takes the room, not the result
    each = [plain(name).evaluate(*at, none) for at in zip(*given, strict=True)]
    expected = Balances.of(each)
    for field in fields(Balances):
        close(getattr(found, field.name), getattr(expected, field.name))


def test_one_instant(name):
    motion, none = MOTIONS[name](), np.zeros(0)
    for at in zip(*instants(motion), strict=True):
        found, expected = motion.evaluate(*at, none), plain(name).evaluate(*at, none)
        for field in fields(Balance):
            close(getattr(found, field.name), getattr(expected, field.name))
        for one, other in zip(
            motion.residual(*at, none), plain(name).residual(*at, none), strict=True
        ):
            close(one, other)


def test_slips_and_limits():
    motion = plain("undamped")
    t, q, v, a, z = instants(motion)
    found = MOTIONS["undamped"]().compiled.slips(t, q, v)
    for k in range(len(t)):
        now = motion.evaluate(t[k], q[k], v[k], a[k], 0.0 * z[k], np.zeros(0))
        value, by_q, by_v = motion.limit(t[k], q[k], v[k])
        close(found.rate[k], now.rate)
        close(found.by_q[k], now.z_rate_by_q)
        close(found.by_v[k], now.z_rate_by_v)
        close(found.limit[k], value)
        close(found.limit_by_q[k], by_q)
        close(found.limit_by_v[k], by_v)


@pytest.mark.parametrize("name", [name for name in MOTIONS if name != "layer"])
def test_march(name):
    """The compiled march goes the way of the one in Python, with the same derivatives.

    From an empty layer both find no way.
    """
    motion = MOTIONS[name]()
    base, omega = Harmonics(2, 96), 60.0
    series = 1e-4 * np.random.default_rng(5).standard_normal((base.size, motion.sizes[0]))
    found = march(motion, base, series, omega, 2)
    assert motion.compiled is not None
    expected = march(plain(name), base, series, omega, 2)
    size = np.abs(expected.z).max()
    for name, scale in (("z", size), ("by_series", 1.0), ("by_frequency", size / omega)):
        one, other = getattr(found, name), getattr(expected, name)
        np.testing.assert_allclose(one, other, rtol=0.0, atol=1e-9 * scale)
    close(found.balances.residual, expected.balances.residual)


def test_none_with_constraints():
    a = fc.RigidBody("a", 1.0, ("ux", "uy"))
    b = fc.RigidBody("b", 1.0, ("ux", "uy"), position=(1.0, 0.0, 0.0))
    rod = fc.Distance(a, b, point_a=(0.0, 0.0, 0.0), point_b=(1.0, 0.0, 0.0))
    assert fc.SystemMotion(fc.System([a, b], [rod])).compiled is None


def pressed(friction):
    """Two masses on the ground that are pressed on it all the time, and its start."""
    first = fc.RigidBody("first", 1.0, ("ux", "uz"))
    second = fc.RigidBody("second", 0.7, ("ux", "uy", "uz"), position=(1.0, 0.0, 0.0))
    ground = fc.RigidFace(None, fc.Plane())
    items = [
        fc.Bearing(first, 3e3, 3e3, 5.0, 5.0, name="spring"),
        fc.Bearing(second, 2e3, 2e3, 5.0, 5.0, name="other spring"),
        fc.SpringDamper(first, second, 5e3, 1.0, name="between"),
        fc.Force(first, (40.0, 0.0, 5.0), factor=fc.Sine(1.0, 60.0), name="load"),
        fc.Force(first, (0.0, 0.0, -60.0), name="weight"),
        fc.Force(second, (0.0, 0.0, -50.0), name="other weight"),
        fc.ContactPair(first, FOOT, ground, NORMAL, friction, name="a"),
        fc.ContactPair(second, FEET, ground, NORMAL, friction, name="b"),
    ]
    motion = fc.SystemMotion(fc.System([first, second], items))
    start = motion.packed(motion.start)
    start[[1, 4]] = 3.5e-4, 7.5e-4
    return motion, start


def driven():
    motion = on_a_belt()
    start = motion.packed(motion.start)
    start[0] = -1e-4
    return motion, start


def hopping():
    """A mass whose bristles stay pressed, beside one that slides and hops."""
    mass, other = fc.RigidBody("mass", 1.0, ("ux",)), fc.RigidBody("other", 0.1, ("uz",))
    belt, spring = fc.RigidBody("belt", 1.0, ("ux",)), (3e3, 3e3, 1.0, 1.0)
    face = fc.RigidFace(belt, fc.Plane())
    near, damped = fc.Surface(np.array([[0.0, 0.0, 1e-4]]), np.ones(1)), fc.PenaltyNormal(1e5, 10.0)
    items = [
        fc.Bearing(mass, *spring, name="spring"),
        fc.Bearing(other, *spring, name="other spring"),
        fc.Force(other, (0.0, 0.0, -2.0), name="weight"),
        fc.ContactPair(mass, FOOT, face, fc.PenaltyNormal(1e5), PLASTIC, name="contact"),
        fc.ContactPair(other, near, face, damped, fc.CoulombSliding(0.1), name="hops"),
        fc.PrescribedMotion(fc.DofCoordinate(belt, "ux"), fc.Speed(0.5), name="motor"),
    ]
    return fc.SystemMotion(fc.System([mass, other, belt], items))


PERIODS = {
    "belt": driven,
    "plastic": lambda: pressed(PLASTIC),
    "LuGre": lambda: pressed(LUGRE),
}


@pytest.fixture
def in_python(monkeypatch):
    """Times of the steps that are taken in Python."""
    times, step = [], one_period._Run._advanced

    def counted(self, t, *others):
        times.append(t)
        return step(self, t, *others)

    monkeypatch.setattr(one_period._Run, "_advanced", counted)
    return times


def same_period(found, expected):
    np.testing.assert_array_equal(found.t, expected.t)
    for field in ("x", "by_start", "by_period"):
        one, two = getattr(found, field), getattr(expected, field)
        assert one.shape == two.shape
        np.testing.assert_allclose(one, two, rtol=0.0, atol=1e-10 * np.abs(two).max(initial=0.0))
    assert expected.residual <= 1e-9
    assert found.residual == pytest.approx(expected.residual, abs=1e-12)


@pytest.mark.parametrize("linear", [True, False])
@pytest.mark.parametrize("name", list(PERIODS))
def test_period(name, linear, in_python):
    """Steps of a period and their derivatives are those of the form in Python."""
    (motion, start), (other, _) = PERIODS[name](), PERIODS[name]()
    other.__dict__["compiled"] = None
    given = start, 2.0 * np.pi / 60.0, 40, linear
    found = pass_period(motion, *given)
    assert not in_python
    same_period(found, pass_period(other, *given))
    assert len(in_python) == 40


@pytest.mark.parametrize("linear", [True, False])
def test_steps_in_which_points_close_are_taken_in_python(linear, in_python):
    """Where the force of a damper jumps, the step is divided."""
    motion, other = forced(PLASTIC), plain("plastic")
    given = motion.packed(motion.start), 2.0 * np.pi / 60.0, 40, linear
    found = pass_period(motion, *given)
    assert 1 <= len(in_python) <= 12
    same_period(found, pass_period(other, *given))


def test_contacts_without_history_are_looked_at_too(in_python):
    """A second foot, which always slides and opens and closes on the belt."""
    motion, other = hopping(), hopping()
    other.__dict__["compiled"] = None
    given = motion.packed(motion.start), 0.05, 40
    found = pass_period(motion, *given)
    assert 1 <= len(in_python) <= 12
    same_period(found, pass_period(other, *given))


def test_a_step_without_balance_says_so():
    """The compiled form leaves it to the one in Python, which halves it, and then refuses."""
    motion, start = driven()
    start[0] = np.nan
    with pytest.raises(fc.SolverError, match="no balance at t = "):
        pass_period(motion, start, 0.1, 40)
