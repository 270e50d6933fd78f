"""Contact of spinning discs in space: tangents, steady sliding, and a twin that moves along."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.linalg import block_diag

from fecontact.body import RigidBody, SpinningDisc
from fecontact.contact import (
    ContactHistory,
    ContactPair,
    ContactStart,
    Coulomb,
    CoulombSliding,
    ElastoPlastic,
    KelvinLayer,
    PenaltyNormal,
    Plane,
    PlateFace,
    RigidFace,
    annulus,
    dahl,
    rectangle,
    ring,
    waviness,
)
from fecontact.contact.eulerian_pair import EulerianPair
from fecontact.contact.evaluate.compiled.step import CompiledStep
from fecontact.contact.status import SLIP, STICK
from fecontact.errors import InputError
from fecontact.reduction import ritz_harmonic

TILTS = ("ux", "uy", "uz", "rx", "ry")
INERTIA = (1e-3, 1e-3, 2e-3)
RING = ring(0.1, 6, height=0.0025)
TURNING = RigidBody("table", 1.0, ("uz", "rz"), INERTIA)


def law(surface, mu=0.3):
    return ElastoPlastic(mu, 10e6 / surface.measure, 20.0 / surface.measure)


def spring(surface):
    return PenaltyNormal(12e6 / surface.measure, 10.0 / surface.measure)


@pytest.fixture(scope="module")
def ritz(plate):
    return ritz_harmonic(plate, harmonics=1)


@pytest.fixture(params=["clutch", "tilting", "free spin", "pad", "disc", "dahl"])
def scene(request, ritz):
    """A pair in a general state, with a history of all statuses."""
    surface, gap, friction = RING, None, law(RING)
    if request.param == "clutch":
        slave = RigidBody("clutch", 0.5, spin=300.0)
    elif request.param == "tilting":
        slave = RigidBody("clutch", 0.5, TILTS, INERTIA, spin=300.0)
        surface, gap = annulus(0.095, 0.105, (2, 4), height=0.0025), waviness(1e-4)
        friction = law(surface)
    elif request.param == "free spin":
        slave = RigidBody("clutch", 0.5, (*TILTS, "spin"), INERTIA)
    elif request.param == "pad":
        slave, gap = RigidBody("pad", 0.5, (*TILTS, "rz"), INERTIA), waviness(1e-4, 2)
    elif request.param == "disc":
        slave, surface = SpinningDisc("second", ritz, 300.0), RING.with_gap(waviness(1e-4, 2))
    else:
        slave = RigidBody("clutch", 0.5, TILTS, INERTIA, spin=300.0)
        friction = dahl(0.3, 10e6 / surface.measure)
    master = PlateFace(SpinningDisc("plate", ritz, 390.0))
    pair = EulerianPair(slave, surface, master, spring(surface), friction, master_gap=gap)
    return Scene(pair, np.random.default_rng(7))


class Scene:
    """Steps of all dofs are scaled: 1 is a step of the size of the motion."""

    def __init__(self, pair, rng):
        self.pair = pair
        dofs = [name for body in pair.bodies for name in body.dofs]
        size = {"u": 1e-4, "s": 0.3, "k": 2e-3}
        self.scale = np.array([1e-3 if n[:2] in TILTS[3:] else size.get(n[0], 1e-3)
                               for n in dofs])  # fmt: skip
        self.rates = self.scale * np.where(self.scale == 0.3, 10.0, 3e3)
        count = len(dofs)
        q = np.concatenate([body.reference() for body in pair.bodies])
        deeper = np.array([-5.0 if name == "uz" else 0.0 for name in dofs])
        if isinstance(pair.slave, SpinningDisc):
            deeper[0], deeper[len(pair.slave.dofs)] = -5.0, 5.0
        self.q0 = self.moved(q, deeper + rng.standard_normal(count))
        spin = np.array([300.0 if name == "spin" else 0.0 for name in dofs])
        self.v0 = spin + self.rates * rng.standard_normal(count)
        points = pair.points
        z = 1e-5 * rng.standard_normal((points, 3))
        self.history = ContactHistory(z, rng.integers(0, 3, points), np.zeros((points, 2)))
        self.t, self.h = 0.013, 3e-5
        step = 0.1 * rng.standard_normal(count)
        self.q1 = self.moved(self.q0, self.h * self.v0 / self.scale + step)
        self.v1 = self.v0 + 0.1 * self.rates * rng.standard_normal(count)

    def moved(self, q, step):
        parts, at, by = [], 0, 0
        for body in self.pair.bodies:
            n, n_q = len(body.dofs), len(body.reference())
            step_of = (self.scale * step)[by : by + n]
            parts.append(body.move(q[at : at + n_q], step_of))
            at, by = at + n_q, by + n
        return np.concatenate(parts)


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-7 * np.abs(expected).max())


@pytest.mark.parametrize("stuck", [False, True])
def test_tangents_of_a_step(scene, difference, stuck):
    s = scene
    start = s.pair.begin(s.t, s.q0, s.v0, s.history)
    start = start.no_slip() if stuck else start
    zero, fine = np.zeros(len(s.scale)), np.full(len(s.scale), 1e-4)

    def force(dq, dv):
        return start.at(s.t + s.h, s.moved(s.q1, dq), s.v1 + s.rates * dv, s.h).force

    step = start.at(s.t + s.h, s.q1, s.v1, s.h)
    assert np.count_nonzero(step.report().pressure) >= s.pair.points // 2
    by_q, by_v = step.tangents()
    close(by_q * s.scale, difference(lambda y: force(y, zero), zero, fine))
    close(by_v * s.rates, difference(lambda y: force(zero, y), zero, fine))


def test_compiled_step(scene):
    """Force, history, tangents and report of the compiled step are those of the reference."""
    s = scene
    assert s.pair.backend == "compiled"
    start = s.pair.begin(s.t, s.q0, s.v0, s.history)
    slow = ContactStart.of(s.pair, s.t, s.q0, s.v0, s.history)
    for one, two in ((start, slow), (start.no_slip(), slow.no_slip())):
        step, full = (each.at(s.t + s.h, s.q1, s.v1, s.h) for each in (one, two))
        assert isinstance(step, CompiledStep)
        same(step.force, full.force)
        same(step.history.z, full.history.z)
        same(step.history.slip_totals, full.history.slip_totals)
        assert np.array_equal(step.history.status, full.history.status)
        for found, expected in zip(step.tangents(), full.tangents(), strict=True):
            same(found, expected)
        report, expected = step.report(), full.report()
        for name in ("gap", "pressure", "normal", "traction", "slip", "position", "energy",
                     "point_slip_power", "supplied_power"):  # fmt: skip
            same(getattr(report, name), getattr(expected, name))
        same(report.bristles.bend, expected.bristles.bend)
        same(report.bristles.slide, expected.bristles.slide)


def same(found, expected):
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-12 * np.abs(expected).max())


def test_tangents_of_the_rate_form(scene, difference):
    s = scene
    zero, fine = np.zeros(len(s.scale)), np.full(len(s.scale), 1e-4)
    none, short = np.zeros(s.history.z.size), np.full(s.history.z.size, 1e-3)

    def rates(dq, dv, dz):
        z = s.history.z + 1e-5 * dz.reshape(-1, 3)
        kept = ContactHistory(z, s.history.status, s.history.slip_totals)
        return s.pair.rate(s.t, s.moved(s.q1, dq), s.v1 + s.rates * dv, kept)

    def value(dq, dv, dz):
        now = rates(dq, dv, dz)
        return np.concatenate([now.force, now.z_rate.ravel()])

    found = rates(zero, zero, none).tangents()
    full = found.z_rate_by_z.ndim == 2
    z_rate_by_z = found.z_rate_by_z if full else block_diag(*found.z_rate_by_z)
    n = len(found.force_by_q)
    for by_force, by_rate, expected in (
        (found.force_by_q * s.scale, found.z_rate_by_q * s.scale,
         difference(lambda y: value(y, zero, none), zero, fine)),
        (found.force_by_v * s.rates, found.z_rate_by_v * s.rates,
         difference(lambda y: value(zero, y, none), zero, fine)),
        (1e-5 * found.force_by_z, 1e-5 * z_rate_by_z,
         difference(lambda y: value(zero, zero, y), none, short)),
    ):  # fmt: skip
        close(by_force, expected[:n])
        close(by_rate, expected[n:])


def rotor_pairs(spin, table, mu, points=16):
    """The same rigid ring on a turning table: through its points, and anchored on it."""
    surface = ring(0.1, points)
    normal, friction = (
        PenaltyNormal(1e6 / surface.measure),
        ElastoPlastic(mu, 2e6 / surface.measure),
    )
    body = RigidBody("ring", 1.0, spin=spin)
    below = RigidFace(RigidBody("table", 1.0, ("uz",), spin=table), Plane())
    eulerian = EulerianPair(body, surface, below, normal, friction)
    turning = RigidBody("ring", 1.0, ("ux", "uy", "uz", "rz"), inertia=(1.0, 1.0, 1.0))
    turned = RigidFace(RigidBody("table", 1.0, ("rz",), inertia=(1.0, 1.0, 1.0)), Plane())
    return eulerian, ContactPair(turning, surface, turned, normal, friction)


def forced_motion(spin, table, mu, steps, points=16):
    """Forces on the ring at 10 times, by both pairs, of a ring that moves on a Lissajous figure."""
    eulerian, anchored = rotor_pairs(spin, table, mu, points)
    size, omega, end = 2e-4, 2 * np.pi * 60, 0.03
    h, forces = end / steps, []
    kept, rode = ContactHistory.fresh(points), ContactHistory.fresh(points)

    def motion(t):
        u = [size * np.sin(omega * t), size * (1 - np.cos(1.3 * omega * t)), -1e-4]
        v = [size * omega * np.cos(omega * t), 1.3 * size * omega * np.sin(1.3 * omega * t), 0.0]
        return (np.array([*u, 0.0]), np.array([*v, 0.0]),
                np.array([*u, spin * t, table * t]), np.array([*v, spin, table]))  # fmt: skip

    for t, later in pairwise(h * np.arange(steps + 1)):
        before, after = motion(t), motion(later)
        one = eulerian.begin(t, *before[:2], kept).at(later, *after[:2], h)
        two = ContactStart.of(anchored, 0.0, *before[2:], rode).at(0.0, *after[2:], h)
        kept, rode = one.history, two.history
        forces.append((one.force[:2], two.force[:2]))
    return np.array(forces)[steps // 10 - 1 :: steps // 10], kept


def test_stuck_ring_turns_its_force_with_the_material():
    """Both bodies turn at 40 rad/s: bristles bent in x pull in another direction later on.

    The pair whose points move along takes position differences, exact in stick; the integral of
    the slip velocity comes to it with the second order of the step.
    """
    errors = []
    for steps in (50, 100):
        forces, kept = forced_motion(40.0, 40.0, 10.0, steps, points=8)
        assert np.all(kept.status == 1)
        errors.append(np.abs(forces[:, 0] - forces[:, 1]).max() / np.abs(forces).max())
    assert errors[1] < 1e-2
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize(("spin", "table"), [(40.0, 40.0), (40.0, 42.0), (0.0, 20.0)])
def test_sliding_ring_agrees_with_the_anchored_one(spin, table):
    """Stick and slip in turn; 32 points, since the anchored ones are elsewhere on the ring."""
    forces, kept = forced_motion(spin, table, 0.3, 150, points=32)
    assert np.any(kept.status == 2)
    assert np.abs(forces[:, 0] - forces[:, 1]).max() < 5e-3 * np.abs(forces).max()


def test_steady_sliding_is_an_equilibrium(ritz):
    """With z = mu p/c_t along the slip nothing changes, and the force is that of Coulomb."""
    pair = EulerianPair(
        RigidBody("clutch", 0.5, spin=300.0), RING, PlateFace(SpinningDisc("plate", ritz, 390.0)),
        spring(RING), law(RING),
    )  # fmt: skip
    q, v = np.zeros(6), np.zeros(6)
    q[2], q[3] = -5e-4, -0.011
    rates = pair.rate(0.0, q, v, pair.steady_sliding_history(0.0, q, v))
    report = rates.report()
    speed = np.linalg.norm(report.slip, axis=1)
    assert np.abs(rates.z_rate).max() < 1e-13 * speed.max()
    np.testing.assert_allclose(rates.force, pair.force(0.0, q, v), rtol=1e-13, atol=1e-12)
    assert np.all(rates.resulting_status == SLIP)
    start = pair.begin(0.0, q, v, pair.steady_sliding_history(0.0, q, v))
    step = start.at(1e-5, q, v, 1e-5)
    np.testing.assert_allclose(step.history.z, start.history.z, atol=1e-18)
    power = pair.friction.coefficient.mu * RING.weights * report.pressure * speed
    for form in (rates, step):
        np.testing.assert_allclose(form.report().point_slip_power, power, rtol=1e-9)


def test_power_balance(scene):
    """f . v = -d(energy)/dt - damping - slip + supplied, along the rates of the history."""
    s = scene
    rates = s.pair.rate(s.t, s.q1, s.v1, s.history)
    report = rates.report()

    def energy(dt):
        z = s.history.z + dt * rates.z_rate
        kept = ContactHistory(z, s.history.status, s.history.slip_totals)
        q = s.moved(s.q1, dt * s.v1 / s.scale)
        return s.pair.rate(s.t + dt, q, s.v1, kept).report().energy

    rate = (energy(1e-8) - energy(-1e-8)) / 2e-8
    power = rates.force @ s.v1
    lost = report.damping_power + report.slip_power
    size = abs(rate) + lost + abs(report.supplied_power)
    assert power == pytest.approx(-rate - lost + report.supplied_power, abs=2e-4 * size)
    np.testing.assert_array_equal(report.point_slip_power, rates.slip_rates[:, 0])


def test_gaps_turn_with_their_bodies():
    """Face of the slave: two waves that run with 300 rad/s; of the master: with 390 rad/s."""
    phi = 2 * np.pi * np.arange(6) / 6
    table = RigidFace(RigidBody("table", 1.0, ("uz",), spin=390.0), Plane())
    slave = RigidBody("clutch", 0.5, spin=300.0)
    own = EulerianPair(slave, RING.with_gap(waviness(1e-5, 2)), table, spring(RING), law(RING))
    other = EulerianPair(slave, RING, table, spring(RING), law(RING), master_gap=waviness(1e-5, 2))
    for t in (0.0, 1.3e-3):
        np.testing.assert_allclose(own.gap(t), 1e-5 * (1 - np.cos(2 * (phi - 300 * t))), atol=1e-18)
        np.testing.assert_allclose(
            other.gap(t), 1e-5 * (1 - np.cos(2 * (phi - 390 * t))), atol=1e-18
        )
        slope = 2e-5 * np.sin(2 * (phi - 390 * t))
        np.testing.assert_allclose(other.gap_drift(t), -90.0 * slope, atol=1e-9)
        np.testing.assert_allclose(other.gap_rate(t), -390.0 * slope, atol=1e-8)
        slope = 2e-5 * np.sin(2 * (phi - 300 * t))
        np.testing.assert_allclose(own.gap_rate(t), -300.0 * slope, atol=1e-12)
    assert own.gap_drift(0.1) == 0.0


def test_run_out_tilts_around():
    """One wave of the table under a pressed ring: the moment C a R/2 turns with the table."""
    table = RigidFace(RigidBody("table", 1.0, ("uz",), spin=390.0), Plane())
    slave = RigidBody("clutch", 0.5, TILTS, INERTIA, spin=300.0)
    surface = ring(0.1, 12)
    spring_of = PenaltyNormal(12e6 / surface.measure)
    pair = EulerianPair(
        slave, surface, table, spring_of, CoulombSliding(0.0), master_gap=waviness(1e-5)
    )
    q, v = np.concatenate([slave.reference(), [0.0]]), np.zeros(6)
    q[2] = -1e-4
    for t in (0.0, 1e-3, 7e-3):
        force = pair.force(t, q, v)
        moment = 12e6 * 1e-5 * 0.1 / 2
        assert force[2] == pytest.approx(12e6 * (1e-4 - 1e-5), rel=1e-12)
        expected = moment * np.array([np.sin(390 * t), -np.cos(390 * t)])
        np.testing.assert_allclose(force[3:5], expected, atol=1e-10)


def test_undeformed_second_disc_is_a_rigid_ring(ritz):
    """The force on the plate is that of a rigid ring at the same place."""
    master = PlateFace(SpinningDisc("plate", ritz, 390.0))
    second = SpinningDisc("second", ritz, 300.0)
    elastic = EulerianPair(second, RING, master, spring(RING), law(RING))
    rigid = EulerianPair(
        RigidBody("clutch", 1.0, spin=300.0), RING, master, spring(RING), law(RING)
    )
    q = np.array([4e-3, 1e-3, -5e-4])
    both, one = np.concatenate([np.zeros(3), q]), np.concatenate([np.zeros(3), q])
    force = elastic.force(0.0, both, np.zeros(6))
    np.testing.assert_allclose(force[3:], rigid.force(0.0, one, np.zeros(6))[3:], rtol=1e-12)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"surface": rectangle(0.1, 0.1)}, "rings of"),
        ({"slave": None}, "NoneType as slave"),
        ({"master_gap": 1e-6}, r"master_gap = 1e-06.* a function.* with_gap"),
        ({"normal": KelvinLayer(1e9, 1e5)}, "invalid normal = KelvinLayer"),
        ({"master": RigidFace(None, Plane()), "master_gap": waviness(1e-5)}, "prescribed spin"),
        ({"master": RigidFace(TURNING, Plane()), "master_gap": waviness(1e-5)}, "prescribed spin"),
    ],
)
def test_bad_input(ritz, change, words):
    given = {
        "slave": RigidBody("clutch", 0.5, spin=300.0),
        "surface": RING,
        "master": PlateFace(SpinningDisc("plate", ritz, 390.0)),
        "normal": spring(RING),
        "friction": law(RING),
    }
    with pytest.raises(InputError, match=words):
        EulerianPair(**(given | change))


def test_messages_of_laws(ritz):
    given = (RigidBody("clutch", 0.5, spin=300.0), RING,
             PlateFace(SpinningDisc("plate", ritz, 390.0)), spring(RING))  # fmt: skip
    fresh, zero = ContactHistory.fresh(6), np.zeros(6)
    with pytest.raises(InputError, match="no history"):
        EulerianPair(*given, CoulombSliding(0.3)).begin(0.0, zero, zero, fresh)
    undamped = EulerianPair(*given, ElastoPlastic(0.3, 1e7)).rate(0.0, zero, zero, fresh)
    assert np.all(np.isfinite(undamped.force))
    with pytest.raises(InputError, match="damping = 0"):
        undamped.z_rate  # noqa: B018
    spinning = RigidBody("clutch", 0.5, (*TILTS, "spin"), INERTIA)
    with pytest.raises(InputError, match="dof 'spin'"):
        EulerianPair(spinning, RING.with_gap(waviness(1e-5)), *given[2:], law(RING))
    with pytest.raises(InputError, match="dof 'spin'"):
        EulerianPair(spinning, *given[1:], law(RING), master_gap=waviness(1e-5))
    with pytest.raises(InputError, match="invalid waviness waves = 3 on circles of 6 points"):
        EulerianPair(*given, law(RING), master_gap=waviness(1e-5, 3))
    with pytest.raises(InputError, match="slave and master on 'clutch'"):
        EulerianPair(*given[:2], RigidFace(given[0], Plane()), given[3], law(RING))


@pytest.mark.parametrize("away", [0.0, 0.5])
def test_gap_of_the_master_turns_about_its_axis(away):
    """Both bodies at x = 0.5: nothing changes but the place."""
    phi = 2 * np.pi * np.arange(6) / 6
    table = RigidBody("table", 1.0, ("uz",), position=(away, 0.0, 0.0), spin=390.0)
    slave = RigidBody("clutch", 0.5, ("uz",), position=(away, 0.0, 0.0), spin=300.0)
    pair = EulerianPair(slave, RING, RigidFace(table, Plane()), spring(RING), law(RING),
                        master_gap=waviness(1e-5, 2))  # fmt: skip
    for t in (0.0, 1.3e-3):
        angle = 2 * (phi - 390 * t)
        np.testing.assert_allclose(pair.gap(t), 1e-5 * (1 - np.cos(angle)), atol=1e-18)
        np.testing.assert_allclose(pair.gap_rate(t), -390.0 * 2e-5 * np.sin(angle), atol=1e-8)
        np.testing.assert_allclose(pair.gap_drift(t), -90.0 * 2e-5 * np.sin(angle), atol=1e-9)


def test_gap_of_an_eccentric_master():
    """What the material sees: the difference over a short time, moved with the slave."""
    table = RigidBody("table", 1.0, ("uz",), position=(0.03, -0.02, 0.0), spin=390.0)
    slave, surface = RigidBody("clutch", 0.5, ("uz",), spin=300.0), ring(0.1, 12)
    t, h, field = 1.3e-3, 1e-6, waviness(1e-5, 2)
    pair = EulerianPair(slave, surface, RigidFace(table, Plane()), spring(surface), law(surface),
                        master_gap=field)  # fmt: skip

    def turned(x, angle):
        c, s = np.cos(angle), np.sin(angle)
        return x @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])

    def seen(moment):
        x = turned(surface.points, 300.0 * (moment - t)) - table.position
        return field(turned(x, -390.0 * moment))

    expected = (seen(t + h) - seen(t - h)) / (2 * h)
    np.testing.assert_allclose(pair.gap_drift(t), expected, atol=1e-6 * np.abs(expected).max())


def test_status_at_a_time():
    """The gap of the slave has turned by half a wave: other points are pressed."""
    slave = RigidBody("clutch", 0.5, ("uz",), spin=10.0)
    surface = ring(0.1, 12).with_gap(waviness(1e-5))
    pair = EulerianPair(slave, surface, RigidFace(None, Plane()), spring(surface), law(surface))
    q, v = np.array([-1e-5]), np.zeros(1)
    first, later = pair.status(q, v), pair.status(q, v, np.pi / 10.0)
    assert first.pressure[0] > 0.0 == first.pressure[6]
    np.testing.assert_allclose(later.pressure, np.roll(first.pressure, 6), atol=1e-6)


@pytest.mark.parametrize("free", [False, True])
def test_static_friction_comes_with_the_material(free):
    """Bristles that bear 0.4 p stick at one point only; it moves on by one place."""
    place, speed = 2 * np.pi / 12, 50.0
    dofs = ("uz", "spin") if free else ("uz",)
    slave = RigidBody("rotor", 0.5, dofs, INERTIA, spin=0.0 if free else speed)
    table = RigidFace(RigidBody("table", 1.0, ("uz",), spin=speed), Plane())
    surface = ring(0.1, 12)
    friction = ElastoPlastic(Coulomb(0.3, static=0.5), 1e7)
    pair = EulerianPair(slave, surface, table, PenaltyNormal(1e7), friction)
    phi = 2 * np.pi * np.arange(12) / 12
    around = np.column_stack([-np.sin(phi), np.cos(phi), 0.0 * phi])
    history = ContactHistory(4e-6 * around, np.full(12, SLIP), np.zeros((12, 2)))
    history.status[3] = STICK
    h = place / speed
    v = np.array([0.0, speed, 0.0]) if free else np.zeros(2)
    q = [np.array([-1e-5, angle, 0.0] if free else [-1e-5, 0.0]) for angle in (0.0, place)]
    step = pair.begin(0.0, q[0], v, history).at(h, q[1], v, h)
    bears = np.linalg.norm(step.report().traction, axis=1)
    expected = np.full(12, 0.3 * 100.0)
    expected[4] = 0.4 * 100.0
    np.testing.assert_allclose(bears, expected, rtol=1e-9)
    assert np.flatnonzero(step.history.status == STICK).tolist() == [4]
