"""Event-driven method: closed forms, events counted, simultaneous events, restart, energy."""

from __future__ import annotations

from math import atan2, exp, pi, sqrt

import numpy as np
import pytest
from scipy.special import lambertw

from fecontact.body import RigidBody
from fecontact.contact import (
    ContactPair,
    Coulomb,
    ElastoPlastic,
    EulerianPair,
    PenaltyNormal,
    Plane,
    PowerNormal,
    RigidFace,
    Surface,
    ring,
)
from fecontact.contact.status import GROSS, OPEN, SLIP, STICK
from fecontact.contact.stiffness import DROP_ANGLE
from fecontact.errors import InputError, SolverError
from fecontact.integrate import simulate
from fecontact.joint import Bearing, DofCoordinate, Force, Gravity, PrescribedMotion, Speed
from fecontact.results import Result
from fecontact.system import System

SOLVERS = ("Radau", "BDF", "DOP853", "RK45")
PRESSED = Surface(np.array([[0.0, 0.0, -1e-6]]), np.ones(1))
"""A point that is pressed by 1 N through a given penetration."""


def pulled(force=2.0, limit=1.5):
    """Point mass on critically damped bristles, omega_0 = 100 rad/s."""
    mass = RigidBody("mass", 1.0, ("ux",))
    law = ElastoPlastic(limit, 1e4, 200.0)
    pair = ContactPair(mass, PRESSED, RigidFace(None, Plane()), PenaltyNormal(1e6), law)
    return System([mass], [pair, Force(mass, (force, 0.0, 0.0))])


def broken_away(t, force=2.0, limit=1.5):
    """Exact x, v, z after break-away from rest (Stamm 4.122 to 4.140, corrected)."""
    omega, c = 100.0, 1e4
    start = (1.0 - lambertw(np.e * (force - limit) / force).real) / omega
    x0 = force / c * (1.0 - (1.0 + omega * start) * exp(-omega * start))
    v0, s = force * start * exp(-omega * start), t - start
    a = force - limit
    bristle = limit / c + (x0 - limit / c) * exp(-0.5 * omega * s)
    return start, np.array([x0 + v0 * s + 0.5 * a * s**2, v0 + a * s, bristle])


@pytest.mark.parametrize("solver", SOLVERS)
def test_break_away(solver):
    motion = simulate(
        pulled(), 0.1, method="events", solver=solver, rtol=1e-6, angle=0.0, audit=False
    )
    start, exact = broken_away(0.1)
    last = np.array([motion.q[-1, 0], motion.v[-1, 0], motion.z[-1, 0]])
    np.testing.assert_allclose(last, exact, rtol=1e-4)
    assert motion.t[np.argmax(motion.contact_status[:, 0] == SLIP)] == pytest.approx(
        start, rel=1e-4
    )
    assert (motion.statistics.events, motion.statistics.to_slip) == (1, 1)


@pytest.mark.parametrize(("apart", "instants"), [(0.0, 1), (1e-13, 1), (1e-3, 2)])
def test_twins_break_away_at_one_instant(apart, instants):
    """Round-off between two masses that do the same makes no second event; a difference does."""
    items, masses = [], []
    for k, force in enumerate((2.0, 2.0 * (1.0 + apart))):
        mass = RigidBody(f"mass {k}", 1.0, ("ux",))
        law, face = ElastoPlastic(1.5, 1e4, 200.0), RigidFace(None, Plane())
        items += [
            ContactPair(mass, PRESSED, face, PenaltyNormal(1e6), law, f"contact {k}"),
            Force(mass, (force, 0.0, 0.0), name=f"pull {k}"),
        ]
        masses.append(mass)
    motion = simulate(System(masses, items), 0.1, method="events", angle=0.0, audit=False)
    assert (motion.statistics.events, motion.statistics.to_slip) == (instants, 2)
    exact = broken_away(0.1)[1]
    np.testing.assert_allclose(motion.q[-1, 0], exact[0], rtol=1e-5)
    np.testing.assert_allclose(motion.q[-1, 1], exact[0], rtol=1e-5 + 10.0 * apart)


@pytest.mark.parametrize("apart", [0.0, 1e-13, 1e-9, 1e-8])
def test_masses_that_stop_together_do_not_slip_back(apart):
    """The instant of all is the first: behind it the first would slide backwards.

    Friction F = 1.5 N stops 1 kg from 1 m/s. What is not slip work bends the bristle, F^2/(2 c),
    and as much is lost in its damper on the way.
    """
    items, masses = [], []
    for k in range(2):
        mass, law = RigidBody(f"mass {k}", 1.0, ("ux",)), ElastoPlastic(1.5, 1e4, 200.0)
        face, name = RigidFace(None, Plane()), f"contact {k}"
        items.append(ContactPair(mass, PRESSED, face, PenaltyNormal(1e6), law, name))
        masses.append(mass)
    system = System(masses, items)
    start = system.state(v={"mass 0.ux": 1.0, "mass 1.ux": 1.0 + apart})
    motion = simulate(system, 0.7, start, "events", rtol=1e-6, atol=1e-12, speed=1e-9)
    stops = [switch.t for switch in motion.switches if switch.after == "stick"]
    assert stops == [pytest.approx(1.0 / 1.5, rel=1e-5)] * 2
    first = int(np.argmax(motion.t >= stops[-1]))
    assert motion.energies["slip"][first] == pytest.approx(2.0 * (0.5 - 1.5**2 / 1e4), rel=1e-6)
    assert motion.z[first, ::3] == pytest.approx([1.5e-4] * 2, rel=1e-5)


def test_outputs_inside_of_steps_show_no_slip_work_that_falls():
    """The limit swings faster than the slow slip can bend the bristle, within one step."""
    mass, belt = RigidBody("mass", 1.0, ("uz",)), RigidBody("belt", 1.0, ("ux",))
    point, face = Surface(np.zeros((1, 3)), np.ones(1)), RigidFace(belt, Plane())
    contact = ContactPair(mass, point, face, PenaltyNormal(1e4), ElastoPlastic(0.3, 1e3, 1.0))
    motor = PrescribedMotion(DofCoordinate(belt, "ux"), Speed(0.02))
    system = System([mass, belt], [contact, Force(mass, (0.0, 0.0, -10.0)), motor])
    start = system.state(q={"mass.uz": -1e-4}, v={"belt.ux": 0.02})
    motion = simulate(system, 1.0, start, "events", output=1e-3)
    slip = motion.energies["slip"]
    assert (motion.contact_status == GROSS).mean() > 0.2
    assert slip[-1] > 1e-3
    assert np.diff(slip).min() >= -1e-8 * slip[-1]


def test_break_away_to_gross_slip():
    """The bristle is dropped when it carries the friction, not before: same motion, and same z."""
    motion = simulate(pulled(), 0.2, method="events", solver="DOP853", rtol=1e-10, atol=1e-13)
    exact = broken_away(0.2)[1]
    np.testing.assert_allclose([motion.q[-1, 0], motion.v[-1, 0]], exact[:2], rtol=1e-9)
    assert motion.z[-1, 0] == pytest.approx(1.5 / 1e4)
    slips = motion.contact_status[:, 0] == SLIP
    bent = [broken_away(t)[1][2] for t in motion.t[slips]]
    np.testing.assert_allclose(motion.z[slips, 0], bent, rtol=1e-7)
    assert motion.z[slips, 0].max() == pytest.approx(1.5 / 1e4 * (1.0 - DROP_ANGLE), rel=1e-3)
    assert (motion.statistics.to_slip, motion.statistics.to_gross_slip) == (1, 1)


def test_slip_begins_in_the_direction_of_the_pull():
    """w'' = (F - T)/m + omega_0 x'/2 just after break-away (Stamm 4.142, corrected)."""
    motion = simulate(pulled(), 0.007, method="events", solver="DOP853", rtol=1e-11, atol=1e-14,
                      angle=0.0, step=1e-4)  # fmt: skip
    begin = int(np.argmax(motion.contact_status[:, 0] == SLIP))
    start, dt = broken_away(0.1)[0], motion.t[begin + 1 : begin + 4] - motion.t[begin]
    slips = (
        motion.v[begin + 1 : begin + 4, 0] - (1.5 - 1e4 * motion.z[begin + 1 : begin + 4, 0]) / 200
    )
    slope = np.polyfit(dt, slips / dt, 2)[-1]
    assert slope == pytest.approx(0.5 + 50.0 * 2.0 * start * exp(-100.0 * start), rel=1e-5)
    assert slope == pytest.approx(0.8202835511482434, rel=1e-5)


def test_overshoot_breaks_away():
    """A step load breaks limits up to 1 + e^-2 times itself."""
    for limit, breaks in ((1.10, True), (1.14, False)):
        motion = simulate(pulled(1.0, limit), 0.1, method="events", output=0.1, solver="RK45")
        assert bool(motion.statistics.events) == breaks


def test_error_follows_the_tolerance():
    exact, errors = broken_away(0.1)[1], []
    for rtol in (1e-5, 1e-7, 1e-9):
        motion = simulate(pulled(), 0.1, method="events", solver="RK45", rtol=rtol,
                          atol=1e-4 * rtol, output=0.1)  # fmt: skip
        errors.append(abs(motion.v[-1, 0] / exact[1] - 1.0))
    assert errors[2] < 1e-8
    assert errors[0] > 50.0 * errors[2]


def dropped(damping, points=1, stiffness=1e4):
    """A mass that falls on a layer without tension."""
    mass = RigidBody("ball", 1.0, ("ux", "uz"))
    layer = PenaltyNormal(stiffness, damping)
    law = ElastoPlastic(Coulomb(0.3, 0.4), 1e4, 200.0)
    foot = Surface(np.zeros((points, 3)), np.full(points, 1.0 / points))
    return System([mass], [ContactPair(mass, foot, RigidFace(None, Plane()), layer, law),
                           Gravity([mass], (0.0, 0.0, -9.81))])  # fmt: skip


@pytest.mark.parametrize("zeta", [0.1, 0.3, 0.8])
def test_restitution(zeta):
    """Closed form of the linear layer without tension, no weight (source notes of Stamm, 4.5)."""
    mass = RigidBody("ball", 1.0, ("uz",))
    pair = ContactPair(
        mass, Surface(np.zeros((1, 3)), np.ones(1)), RigidFace(None, Plane()),
        PenaltyNormal(1e4, 200.0 * zeta), ElastoPlastic(0.3, 1e4, 200.0),
    )  # fmt: skip
    system = System([mass], [pair])
    start = system.state(q={"ball.uz": 1e-3}, v={"ball.uz": -1.0})
    motion = simulate(system, 0.2, start, "events", solver="DOP853", rtol=1e-11, atol=1e-13)
    w = sqrt(1.0 - zeta**2)
    expected = exp(-zeta / w * (pi - atan2(2.0 * zeta * w, 1.0 - 2.0 * zeta**2)))
    assert motion.v[-1, 0] == pytest.approx(expected, rel=1e-9)
    assert (motion.statistics.events, motion.statistics.to_open) == (2, 1)
    opened = int(np.flatnonzero(np.diff(motion.contact_status[:, 0]) < 0)[0]) + 1
    assert motion.q[opened, 0] < 0.0  # it opens while the layer is still compressed
    t = motion.t[opened:] - motion.t[opened]
    rest = motion.q[opened, 0] * np.exp(-1e4 / (200.0 * zeta) * t)  # Stamm (4.80)
    np.testing.assert_allclose(motion.resume[opened:, -1], rest, rtol=1e-10, atol=1e-18)
    lost = 0.5 * (1.0 - expected**2)
    assert motion.energies["damping"][-1] == pytest.approx(lost, rel=1e-8)


def test_slip_path_of_a_block_that_stops():
    """A trial step that runs past the stop must not add to the path: v0^2/(2 mu g)."""
    block = RigidBody("block", 2.0, ("ux", "uz"))
    surface = Surface(np.zeros((1, 3)), np.ones(1))
    pair = ContactPair(
        block, surface, RigidFace(None, Plane()), PenaltyNormal(4e6, 8e3),
        ElastoPlastic(0.5, 4e6, 2000.0),
    )  # fmt: skip
    system = System([block], [pair, Force(block, (0.0, 0.0, -20.0))])
    start = system.sliding(system.state(q={"block.uz": -5e-6}, v={"block.ux": 1.3}))
    motion = simulate(system, 0.5, start, method="events", output=0.5)
    work, path = motion.slip_totals[-1]
    assert path == pytest.approx(1.3**2 / (2.0 * 0.5 * 10.0), rel=1e-4)
    assert work == pytest.approx(10.0 * path, rel=1e-4)


def pushed_back():
    """A mass that is pushed back onto a damped layer before this has relaxed."""
    mass = RigidBody("ball", 1.0, ("uz",))
    pair = ContactPair(mass, Surface(np.zeros((1, 3)), np.ones(1)), RigidFace(None, Plane()),
                       PenaltyNormal(1e4, 100.0), ElastoPlastic(0.3, 1e4, 200.0))  # fmt: skip
    system = System([mass], [pair, Force(mass, (0.0, 0.0, -30.0))])
    return system, system.state(v={"ball.uz": -3.0})


def test_a_relaxing_layer_is_met_again():
    """It closes below its surface, where the layer is (Stamm 4.80)."""
    system, start = pushed_back()
    motion = simulate(system, 0.3, start, "events", solver="DOP853", rtol=1e-9, atol=1e-12)
    opened, closed = np.flatnonzero(np.diff(motion.contact_status[:, 0])) + 1
    span = motion.t[closed] - motion.t[opened]
    assert motion.q[closed, 0] == pytest.approx(motion.q[opened, 0] * exp(-100.0 * span), rel=1e-8)
    assert motion.q[closed, 0] < -1e-4
    lines = motion.energies
    assert np.abs(lines["residual"]).max() < 1e-8 * lines["kinetic"][0]
    assert np.abs(lines["numerical"]).max() < 1e-8 * lines["kinetic"][0]


def test_energy_of_all_states():
    """A thrown mass bounces, slides, sticks: nothing is lost that is not accounted for."""
    system = dropped(20.0, 3)
    start = system.state(q={"ball.uz": 0.02}, v={"ball.ux": 0.5})
    motion = simulate(system, 0.8, start, "events", 0.05, solver="DOP853", rtol=1e-9, atol=1e-12)
    counts = motion.statistics
    assert counts.to_open >= 9
    assert counts.to_gross_slip >= 9
    assert counts.to_stick >= 3
    assert set(motion.contact_status[-1]) == {STICK}
    lines = motion.energies
    assert np.abs(lines["numerical"]).max() < 1e-8
    assert np.abs(lines["residual"]).max() < 1e-8
    stored = lines["kinetic"] + lines["potential"] + lines["contact"]
    spent = lines["slip"][-1] + lines["damping"][-1]
    assert spent == pytest.approx(stored[0] - stored[-1], rel=1e-7)


def belt(points=1, stiffness=1e4):
    """Mass on a spring on a belt of 0.05 m/s, in stick-slip: mu_s = 0.4, mu = 0.3, N = 10 N."""
    mass = RigidBody("mass", 1.0, ("ux",))
    moving = RigidBody("belt", 1e9, ("ux",))
    foot = Surface(np.tile([[0.0, 0.0, -1e-5]], (points, 1)), np.full(points, 1.0 / points))
    law = ElastoPlastic(Coulomb(0.3, 0.4), stiffness, 2.0 * sqrt(stiffness))
    pair = ContactPair(mass, foot, RigidFace(moving, Plane()), PenaltyNormal(1e6), law)
    system = System([mass, moving], [pair, Bearing(mass, 100.0, 1e-9)])
    return system, system.state(v={"mass.ux": 0.05, "belt.ux": 0.05})


def test_stick_slip_period():
    """Stiff bristles: the period of a rigid point; stick and slip alternate, none is missed.

    Rigid: the belt carries the mass by 2 (mu_s - mu) N/k, the slip is a part of an ellipse.
    """
    system, start = belt(stiffness=1e6)
    motion = simulate(system, 4.0, start, "events", rtol=1e-6, atol=1e-9, audit=False)
    omega, speed, rise = 10.0, 0.05, 0.01
    period = 2.0 * rise / speed + 2.0 * (pi - np.arctan(omega * rise / speed)) / omega
    sticks = motion.t[1:][
        (motion.contact_status[1:, 0] == STICK) & (motion.contact_status[:-1, 0] != STICK)
    ]
    np.testing.assert_allclose(np.diff(sticks), period, rtol=2e-3)
    assert motion.statistics.to_stick == len(sticks) == 4


def test_duplicated_contacts_switch_together():
    """48 copies of one point: the motion of one point, and 48 times its switches."""
    one, many = (
        simulate(*belt_run(n), rtol=1e-9, atol=1e-12, solver="DOP853", audit=False) for n in (1, 48)
    )
    assert many.statistics.events == one.statistics.events >= 8
    for name in ("to_stick", "to_slip", "to_gross_slip", "to_open"):
        assert getattr(many.statistics, name) == 48 * getattr(one.statistics, name)
    np.testing.assert_allclose(many.q[:, 0], one.q[:, 0], atol=1e-7)
    assert np.all(many.contact_status == many.contact_status[:, :1])


def belt_run(points=1):
    system, start = belt(points)
    return system, 4.0, start, "events", 0.5


def test_order_of_simultaneous_events():
    """Contacts in the other order, points in the other order: the same motion."""

    def ends(turned):
        order = slice(None, None, -1 if turned else 1)
        places = np.array([[x, y, 0.0] for x in (-0.1, 0.1) for y in (-0.1, 0.1)])[order]
        plate = RigidBody("plate", 1.0, ("ux", "uy", "uz", "rz"), (1.0, 1.0, 0.01))
        law = ElastoPlastic(Coulomb(0.3, 0.4), 1e5, 400.0)
        pairs = [
            ContactPair(plate, Surface(places[part], np.full(2, 0.25)), RigidFace(None, Plane()),
                        PenaltyNormal(1e4, 50.0), law, name)
            for part, name in ((slice(0, 2), "a"), (slice(2, 4), "b"))
        ][order]  # fmt: skip
        system = System([plate], [*pairs, Gravity([plate], (0.0, 0.0, -10.0))])
        start = system.state(q={"plate.uz": 0.01}, v={"plate.ux": 0.4, "plate.uy": 0.1})
        return simulate(system, 0.3, start, "events", 0.05, solver="DOP853", rtol=1e-9, atol=1e-12)

    one, other = ends(False), ends(True)
    assert one.statistics.to_open > 0
    assert one.statistics.to_stick == other.statistics.to_stick == 4
    np.testing.assert_allclose(one.q, other.q, atol=1e-9)


def test_restart(tmp_path):
    """A run in two parts, by a motion or by its file, ends where the whole one ends."""
    system, start = belt()
    options = {"rtol": 1e-9, "atol": 1e-12, "solver": "DOP853"}
    whole = simulate(system, 2.0, start, "events", 0.25, **options)
    first = simulate(system, 1.0, start, "events", 0.25, **options)
    second = simulate(system, 2.0, method="events", output=0.25, restart=first, **options)
    np.testing.assert_allclose(second.q[-1], whole.q[-1], atol=1e-8)
    assert second.contact_status[-1].tolist() == whole.contact_status[-1].tolist()
    file = tmp_path / "run.h5"
    simulate(system, 1.0, start, "events", 0.25, store=file, **options)
    simulate(system, 2.0, method="events", output=0.25, restart=file, **options)
    result = Result.load(file)
    np.testing.assert_allclose(result.q[-1], whole.q[-1], atol=1e-8)
    for name, line in whole.energies.items():
        assert second.energies[name][-1] == pytest.approx(line[-1], abs=1e-6), name


def test_restart_keeps_relaxing_layers():
    system, start = pushed_back()
    options = {"solver": "DOP853", "rtol": 1e-9, "atol": 1e-12}
    whole = simulate(system, 0.1, start, "events", 0.02, **options)
    first = simulate(system, 0.04, start, "events", 0.02, **options)
    assert first.contact_status[-1, 0] == OPEN
    assert first.resume[-1, -1] < -1e-3
    rest = simulate(system, 0.1, method="events", output=0.02, restart=first, **options)
    np.testing.assert_allclose(rest.q[-1], whole.q[-1], atol=1e-10)
    assert rest.energies["damping"][-1] == pytest.approx(whole.energies["damping"][-1], rel=1e-8)


@pytest.mark.parametrize(
    ("height", "speed", "rising", "expected"),
    [
        (1e-3, 0.0, 0.0, OPEN),
        (1e-3, 1.0, 0.0, OPEN),
        (-1e-3, 0.0, 0.0, STICK),
        (-1e-3, 1e-3, 0.0, STICK),  # slow, far below the limit
        (-1e-3, 1.0, 0.0, SLIP),
        (-1e-3, 1.0, 1.0, OPEN),  # the layer would pull: it relaxes
        (0.0, 0.0, 0.0, OPEN),
    ],
)
def test_first_states(height, speed, rising, expected):
    system = dropped(20.0)
    start = system.state(q={"ball.uz": height}, v={"ball.ux": speed, "ball.uz": rising})
    motion = simulate(system, 1e-3, start, "events")
    assert motion.contact_status[0, 0] == expected
    assert not motion.z[0].any()  # nothing has bent a bristle yet


def test_a_slow_start_without_history_sticks():
    """Below the limit the bristles hold: x of a damped oscillator, and no slip work at all.

    x'' + 2 d x' + w^2 x = 0 with w^2 = 1e4/s^2, d = 10/s, from x = 0 at 1e-3 m/s.
    """
    mass = RigidBody("m", 1.0, ("ux", "uz"))
    laws = PenaltyNormal(1e5), ElastoPlastic(0.5, 1e4, 20.0)
    foot = Surface(np.zeros((1, 3)), np.ones(1))
    pair = ContactPair(mass, foot, RigidFace(None, Plane()), *laws)
    system = System([mass], [pair, Force(mass, (0.0, 0.0, -10.0))])
    start = system.state(q={"m.uz": -1e-4}, v={"m.ux": 1e-3})
    motion = simulate(system, 0.2, start, "events", 0.01)
    omega = sqrt(1e4 - 100.0)
    exact = 1e-3 / omega * np.exp(-10.0 * motion.t) * np.sin(omega * motion.t)
    np.testing.assert_allclose(motion.history("m.ux"), exact, atol=1e-7 * 1e-5)
    assert (motion.contact_status == STICK).all()
    assert not motion.energies["slip"].any()


def test_start_with_history():
    """A state of another method goes on: steady sliding slides, a bent bristle sticks."""
    system, start = belt()
    sliding = system.sliding(system.state(v={"belt.ux": 0.05}))
    assert simulate(system, 1e-3, sliding, "events").contact_status[0, 0] == GROSS
    implicit = simulate(system, 0.1, start, "implicit", 0.05, rtol=1e-3)
    assert implicit.contact_status[-1, 0] == STICK
    going = simulate(system, 0.101, implicit.state(-1), "events")
    assert going.contact_status[0, 0] == STICK
    np.testing.assert_allclose(going.z[0], implicit.z[-1])


def test_threshold_above_the_bound_is_told():
    """eps far above 2 a/omega (Stamm 5.71): no bristle holds the damper, 200 Ns/m 0.5 m/s/1.5 N."""
    system = pulled(1.499, 1.5)
    start = system.state(v={"mass.ux": 1.0})
    with pytest.raises(SolverError, match=r"speed = 0.5 m/s.* 65 times its") as told:
        simulate(system, 2000.0, start, "events", speed=0.5, rtol=1e-3, atol=1e-5, audit=False)
    assert told.value.trajectory.statistics.events < 50


def test_threshold_below_the_bound_is_kept():
    """The same motion with eps below 2 a/omega = 2e-5 m/s stops after v/a = 1000 s."""
    system = pulled(1.499, 1.5)
    start = system.state(v={"mass.ux": 1.0})
    motion = simulate(system, 1100.0, start, "events", speed=1e-6)
    assert motion.t[np.argmax(motion.contact_status[:, 0] == STICK)] == pytest.approx(
        1000.0, abs=0.01
    )
    assert motion.statistics.events < 10
    assert motion.contact_status[-1, 0] == STICK


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"friction": ElastoPlastic(0.3, 1e4)}, "friction damping = 0"),
        ({"normal": PowerNormal(1e6)}, "PenaltyNormal and ElastoPlastic, not PowerNormal"),
    ],
)
def test_laws_without_events(change, words):
    mass = RigidBody("mass", 1.0, ("ux",))
    laws = {"normal": PenaltyNormal(1e6), "friction": ElastoPlastic(0.3, 1e4, 1.0)} | change
    system = System([mass], [ContactPair(mass, PRESSED, RigidFace(None, Plane()), **laws)])
    with pytest.raises(InputError, match=words):
        simulate(system, 1.0, method="events")


def test_spinning_contacts_are_refused():
    disc = RigidBody("disc", 1.0, ("uz",), spin=10.0)
    pair = EulerianPair(disc, ring(0.1, 4), RigidFace(None, Plane()), PenaltyNormal(1e6),
                        ElastoPlastic(0.3, 1e4, 1.0))  # fmt: skip
    with pytest.raises(InputError, match="needs a ContactPair"):
        simulate(System([disc], [pair]), 1.0, method="events")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"solver": "LSODA"}, "solver = LSODA"),
        ({"speed": 0.0}, "speed = 0.0 m/s"),
        ({"angle": -1.0}, "angle = -1.0 rad"),
    ],
)
def test_bad_options(options, words):
    with pytest.raises(InputError, match=words):
        simulate(pulled(), 1.0, method="events", **options)
