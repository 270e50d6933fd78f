"""Moreau's contacts with static and kinetic coefficients, curves and tables: closed forms."""

from __future__ import annotations

from itertools import pairwise
from math import atan, cos, hypot, pi, sin

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import brentq

import fecontact as fc
from fecontact.contact.laws.base import Coefficient
from fecontact.contact.laws.registry import COEFFICIENT, FRICTION, SLIDING

G = 9.80665
POINT = fc.Surface(np.zeros((1, 3)), np.ones(1))
GROUND = fc.RigidFace(None, fc.Plane())
FALLING = fc.Stribeck(0.2, 0.45, speed=0.15, exponent=1.5, viscous=0.02)
TABLE = fc.FrictionTable(np.array([0.0, 0.1, 0.4, 2.0]), np.array([0.5, 0.35, 0.25, 0.3]))


class Constant(Coefficient):
    """A constant coefficient that does not say so."""

    def values(self, speed, pressure, status):
        return np.full_like(speed, 0.3), np.zeros_like(speed), np.zeros_like(speed)


def slope(angle, mu, mass=2.0, **options):
    """A block on a slope about the y axis; it slides along (cos, 0, -sin)."""
    body = fc.RigidBody("block", mass, ("ux", "uy", "uz"))
    plane = fc.RigidFace(None, fc.Plane(normal=(sin(angle), 0.0, cos(angle))))
    contact = fc.RigidContact(body, POINT, plane, mu, **options)
    return fc.System([body], [fc.Gravity([body]), contact])


def moving(system, speed, angle=0.0):
    return system.state(v={"block.ux": speed * cos(angle), "block.uz": -speed * sin(angle)})


def run(system, end, start=None, step=1e-3, **options):
    return fc.simulate(system, end, start, "moreau", step=step, **options)


@pytest.mark.parametrize("theta", [0.5, 1.0])
def test_a_block_departs_at_the_static_angle_and_slides_with_the_kinetic_one(theta):
    mu = fc.Coulomb(0.3, static=0.5)
    for angle in (atan(0.3) + 0.01, atan(0.5) - 1e-6):
        still = run(slope(angle, mu), 0.1, theta=theta)
        assert np.abs(still.v).max() < 1e-12
        assert set(still.contact_status[1:].ravel()) == {fc.STICK}
    angle = atan(0.5) + 1e-6
    moves = run(slope(angle, mu), 0.1, theta=theta)
    speed = np.linalg.norm(moves.v[-1])
    assert speed == pytest.approx(0.1 * G * (sin(angle) - 0.3 * cos(angle)), rel=1e-10)
    assert set(moves.contact_status[1:].ravel()) == {fc.SLIP}


@pytest.mark.parametrize("speed", [0.5, 1e-4])
def test_a_sliding_block_does_not_find_its_static_coefficient(speed):
    """Between both angles a block at rest stays, and one that slides slides on, ever faster."""
    angle, mu = atan(0.4), fc.Coulomb(0.3, static=0.5)
    system = slope(angle, mu)
    motion = run(system, 0.1, moving(system, speed, angle), step=1e-2)
    end = speed + 0.1 * G * (sin(angle) - 0.3 * cos(angle))
    assert np.linalg.norm(motion.v[-1]) == pytest.approx(end, rel=1e-10)


def test_a_block_thrown_uphill_stays_where_it_stops():
    """Its slip turns within a step, and the static coefficient holds it."""
    angle, mu = atan(0.4), fc.Coulomb(0.3, static=0.5)
    system, up = slope(angle, mu), 0.5
    slows = G * (sin(angle) + 0.3 * cos(angle))
    for step in (0.7e-3, 1e-3, 1.3e-3):
        motion = run(system, 0.2, moving(system, -up, angle), step=step)
        assert motion.contact_status[-1, 0] == fc.STICK
        assert np.abs(motion.v[-1]).max() < 1e-12
        way = np.linalg.norm(motion.q[-1])
        assert way == pytest.approx(up**2 / (2.0 * slows), abs=up * step)
    loose = slope(angle, fc.Coulomb(0.3, static=0.35))
    motion = run(loose, 0.2, moving(loose, -up, angle))
    down = (0.2 - up / slows) * G * (sin(angle) - 0.3 * cos(angle))
    assert np.linalg.norm(motion.v[-1]) == pytest.approx(down, abs=2.0 * G * 1e-3)


def kinetic(law, pressure=2.0 * G):
    """Coefficient of sliding over speed."""
    return lambda s: float(law.values(np.array([s]), np.array([pressure]), np.array([2]))[0][0])


@pytest.mark.parametrize("law", [FALLING, TABLE], ids=["Stribeck", "table"])
def test_a_block_stops_after_the_time_of_its_curve(law):
    """v' = -g mu(v): time and path to rest by quadrature."""
    mu, first = kinetic(law), 1.0
    knots = [0.1, 0.4]
    time = quad(lambda s: 1.0 / (G * mu(s)), 0.0, first, points=knots)[0]
    path = quad(lambda s: s / (G * mu(s)), 0.0, first, points=knots)[0]
    system = slope(0.0, law)
    errors = []
    for step in (2e-3, 5e-4):
        motion = run(system, 1.3 * time, moving(system, first), step=step)
        stops = motion.t[np.argmax(np.abs(motion.v[:, 0]) < 1e-9)]
        assert time - step < stops < time + 2.0 * step
        errors.append(abs(motion.q[-1, 0] - path))
        assert motion.contact_status[-1, 0] == fc.STICK
    assert errors[1] < 2e-4 * path


@pytest.mark.parametrize(("theta", "order"), [(0.5, 2.0), (1.0, 1.0)])
def test_the_order_of_smooth_sliding_is_that_of_theta(theta, order):
    law, end = FALLING, 0.15
    mu, first = kinetic(law), 1.0
    last = brentq(lambda v: quad(lambda s: 1.0 / (G * mu(s)), v, first)[0] - end, 0.05, first)
    system, errors = slope(0.0, law), []
    for step in (end / 10, end / 40):
        motion = run(system, end, moving(system, first), step=step, theta=theta)
        errors.append(abs(motion.v[-1, 0] - last))
    assert np.log(errors[0] / errors[1]) / np.log(4.0) == pytest.approx(order, abs=0.15)


def test_a_coefficient_over_pressure_sees_the_force_per_area():
    """A table over pressure, and its static value there, against plain coefficients."""
    table = fc.FrictionTable(
        np.array([0.0, 1.0]), np.array([[0.6, 0.2], [0.6, 0.2]]), np.array([1e3, 3e3])
    )
    body = fc.RigidBody("block", 2.0, ("ux", "uy", "uz"))
    foot = fc.Surface(np.zeros((1, 3)), np.array([2.0 * G / 2e3]))
    contact = fc.RigidContact(body, foot, GROUND, table)
    system = fc.System([body], [fc.Gravity([body]), contact])
    motion = run(system, 0.1, moving(system, 1.0))
    assert motion.v[-1, 0] == pytest.approx(1.0 - 0.4 * G * 0.1, rel=1e-10)
    push = fc.Force(body, (0.4 * 2.0 * G * (1.0 - 1e-6), 0.0, 0.0))
    still = run(fc.System([body], [fc.Gravity([body]), contact, push]), 0.02)
    assert np.abs(still.v).max() < 1e-12


def test_conditions_in_the_mean_have_the_pressure_of_their_area():
    """Four points, two conditions, each with half of the weight on half of the area."""
    table = fc.FrictionTable(
        np.array([0.0, 1.0]), np.array([[0.6, 0.2], [0.6, 0.2]]), np.array([1e3, 3e3])
    )
    points = np.array([[-0.3, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.1, 0.0, 0.0], [0.3, 0.0, 0.0]])
    body = fc.RigidBody("block", 2.0, ("ux", "uz", "ry"), (0.1, 0.1, 0.1))
    surface = fc.Surface(points, np.full(4, 2.0 * G / 2e3 / 4))
    halves = np.array([[0.5, 0.5, 0.0, 0.0], [0.0, 0.0, 0.5, 0.5]])
    contact = fc.RigidContact(body, surface, GROUND, table, averages=halves)
    np.testing.assert_allclose(contact.areas, surface.weights[:2] * 2.0, rtol=1e-14)
    system = fc.System([body], [fc.Gravity([body]), contact])
    motion = run(system, 0.1, system.state(v={"block.ux": 1.0}))
    assert motion.v[-1, 0] == pytest.approx(1.0 - 0.4 * G * 0.1, rel=1e-9)


def belt(mu, speed, mass=1.5, stiffness=60.0, force=12.0):
    """A mass on a spring and on a belt that a motor moves."""
    body, band = fc.RigidBody("mass", mass, ("ux", "uz")), fc.RigidBody("belt", 1.0, ("ux",))
    contact = fc.RigidContact(body, POINT, fc.RigidFace(band, fc.Plane()), mu)
    spring = fc.Bearing(body, stiffness, 1e-9, name="spring")
    motor = fc.PrescribedMotion(fc.DofCoordinate(band, "ux"), fc.Speed(speed), name="motor")
    weight = fc.Force(body, (0.0, 0.0, -force))
    return fc.System([body, band], [spring, contact, weight, motor])


def test_stick_slip_on_a_belt_has_the_period_of_the_closed_form():
    """Release at x_s, slide about x_k with D = x_s - x_k, caught at x_k - D, carried back.

    With tan phi = V/(omega D) the slide takes (pi + 2 phi)/omega and the way back 2 D/V.
    """
    speed, mass, stiffness, force = 0.3, 1.5, 60.0, 12.0
    kinetic_mu, static_mu = 0.3, 0.5
    omega, D = (stiffness / mass) ** 0.5, (static_mu - kinetic_mu) * force / stiffness
    period = (pi + 2.0 * atan(speed / (omega * D))) / omega + 2.0 * D / speed
    lowest = -omega * hypot(D, speed / omega)
    system = belt(fc.Coulomb(kinetic_mu, static=static_mu), speed)
    start = system.state(v={"belt.ux": speed})
    for step in (2e-3, 1e-3):
        motion = run(system, 4.0 * period, start, step=step)
        sticks = motion.contact_status[:, 0] == fc.STICK
        releases = motion.t[1:][sticks[:-1] & ~sticks[1:]]
        assert len(releases) >= 3
        lasts = [later - earlier for earlier, later in pairwise(releases[1:])]
        np.testing.assert_allclose(lasts, period, atol=3.0 * step)
        assert motion.v[motion.t > period, 0].min() == pytest.approx(lowest, rel=20.0 * step)


def test_penalty_contacts_tend_to_it_with_their_stiffness():
    """Stick-slip with bristles, by the implicit method: first order in their compliance."""
    mu, speed = fc.Coulomb(0.3, static=0.5), 0.3
    system = belt(mu, speed)
    start = system.state(q={"mass.ux": 0.06}, v={"belt.ux": speed})
    end = 0.35
    rigid = run(system, end, start, step=1e-4).q[-1, 0]
    far = []
    for stiffness in (1e4, 1e5):
        body, band = fc.RigidBody("mass", 1.5, ("ux", "uz")), fc.RigidBody("belt", 1.0, ("ux",))
        pair = fc.ContactPair(
            body, POINT, fc.RigidFace(band, fc.Plane()), fc.PenaltyNormal(1e5, 500.0),
            fc.ElastoPlastic(mu, stiffness, 10.0),
        )  # fmt: skip
        spring = fc.Bearing(body, 60.0, 1e-9, name="spring")
        motor = fc.PrescribedMotion(fc.DofCoordinate(band, "ux"), fc.Speed(speed), name="motor")
        soft = fc.System([body, band], [spring, pair, fc.Force(body, (0.0, 0.0, -12.0)), motor])
        q = {"mass.ux": 0.06, "mass.uz": -12.0 / 1e5}
        begin = soft.state(q=q, v={"belt.ux": speed})
        far.append(abs(fc.simulate(soft, end, begin, "implicit", end).q[-1, 0] - rigid))
    assert far[0] < 0.02 * 0.1
    assert far[1] < 0.3 * far[0]


def test_steep_curves_are_solved_at_the_end_of_the_step():
    """A rise of 50 s/m: one step, whose own coefficient it needs, against the scalar equation."""
    law = fc.Stribeck(0.2, 0.3, speed=0.05, viscous=50.0)
    mu, h, first = kinetic(law), 0.01, 1.0
    system = slope(0.0, law)
    for theta in (0.5, 1.0):
        motion = run(system, h, moving(system, first), step=h, theta=theta)
        slows = h * G

        def left(v, theta=theta, slows=slows):
            return v - first + slows * mu((1.0 - theta) * first + theta * v)

        expected = brentq(left, 0.0, first) if left(0.0) < 0.0 else 0.0
        assert motion.v[-1, 0] == pytest.approx(expected, abs=1e-9)


def test_an_impact_takes_the_coefficient_of_the_slip_after_it():
    """s+ = s - mu(s+) (1 + e) u."""
    law, e, down, along = fc.Stribeck(0.2, 0.45, speed=1.0), 0.5, 1.0, 0.9
    mu = kinetic(law)
    body = fc.RigidBody("ball", 2.0, ("ux", "uz"))
    system = fc.System([body], [fc.RigidContact(body, POINT, GROUND, law, restitution=e)])
    start = system.state(v={"ball.ux": along, "ball.uz": -down})
    after = run(system, 1e-3, start).v[-1]
    slip = brentq(lambda s: s - along + mu(s) * (1.0 + e) * down, 0.0, along)
    np.testing.assert_allclose(after, [slip, e * down], rtol=1e-9)


@pytest.mark.parametrize("law", ["newton", "poisson", "sequential"])
def test_an_impact_does_not_loosen_what_its_static_coefficient_holds(law):
    """A sticking ball is hit: it sticks if the impulse along is within the static cone."""
    body = fc.RigidBody("ball", 2.0, ("ux", "uz"))
    for along, sticks in ((0.4, True), (0.7, False)):
        contact = fc.RigidContact(body, POINT, GROUND, fc.Coulomb(0.2, static=0.5), restitution=0.2)
        system = fc.System([body], [contact])
        before = system.state(v={"ball.ux": along, "ball.uz": -1.0})
        resting = fc.ContactHistory(np.zeros((1, 3)), np.array([fc.STICK]), np.zeros((1, 2)))
        start = system.history_layout.with_histories(before, {"contact": resting})
        after = run(system, 1e-3, start, impact=law).v[-1]
        expected = 0.0 if sticks else along - 0.2 * 1.2
        assert after[0] == pytest.approx(expected, abs=1e-9)


def test_a_constant_coefficient_is_the_plain_number():
    """Bit by bit as a law; by the rounds of curves up to the tolerance."""
    angle = atan(0.3) + 0.2
    plain, law, curve = (
        run(slope(angle, mu), 0.2) for mu in (0.3, fc.Coulomb(0.3, static=0.3), Constant())
    )
    assert np.array_equal(plain.q, law.q)
    assert np.array_equal(plain.v, law.v)
    np.testing.assert_allclose(curve.v, plain.v, atol=1e-12)


def test_the_mixed_form_has_the_same_friction():
    """With a normal law: the closed forms of the incline and of the curve again."""
    angle, normal = atan(0.4), fc.PenaltyNormal(1e5, 400.0)
    deep = -2.0 * G * cos(angle) / 1e5

    def on_it(system, speed):
        at = {"block.ux": deep * sin(angle), "block.uz": deep * cos(angle)}
        return system.state(q=at, v=moving_of(speed))

    def moving_of(speed):
        return {"block.ux": speed * cos(angle), "block.uz": -speed * sin(angle)}

    system = slope(angle, fc.Coulomb(0.3, static=0.5), normal=normal)
    still = run(system, 0.1, on_it(system, 0.0))
    assert np.abs(still.v).max() < 1e-9
    moves = run(system, 0.1, on_it(system, 0.2))
    end = 0.2 + 0.1 * G * (sin(angle) - 0.3 * cos(angle))
    assert np.linalg.norm(moves.v[-1]) == pytest.approx(end, rel=1e-8)


def test_a_restart_goes_on_to_the_last_bit():
    system = belt(fc.Coulomb(0.3, static=0.5), 0.3)
    start = system.state(v={"belt.ux": 0.3})
    whole = run(system, 0.8, start, output=0.1)
    half = run(system, 0.4, start, output=0.1)
    rest = fc.simulate(system, 0.8, method="moreau", output=0.1, step=1e-3, restart=half)
    assert np.array_equal(whole.q[-1], rest.q[-1])
    assert np.array_equal(whole.contact_status[-1], rest.contact_status[-1])


LAWS = st.one_of(
    st.builds(lambda mu, more: fc.Coulomb(mu, static=mu + more), st.floats(0.0, 1.0),
              st.floats(0.0, 0.5)),
    st.builds(
        lambda mu, more, s, d: fc.Stribeck(mu, mu + more, s, d, 0.1), st.floats(0.0, 1.0),
        st.floats(0.0, 0.8), st.floats(1e-3, 1.0), st.floats(1.0, 3.0),
    ),
    st.just(COEFFICIENT["FrictionTable"]),
)  # fmt: skip


@given(
    law=LAWS,
    speeds=st.tuples(*[st.floats(-2.0, 2.0)] * 6),
    theta=st.sampled_from([0.5, 1.0]),
)
def test_no_law_makes_energy(law, speeds, theta):
    """A box on its four feet, thrown: without other forces than its weight it never gains energy.

    Impulses that oppose the velocities at the end of a step take energy, whatever the coefficient,
    if theta is 1; with less, friction that turns a slip may give what the audit calls numerical.
    """
    feet = np.array([[x, y, -0.1] for x in (-0.2, 0.2) for y in (-0.15, 0.15)])
    body = fc.RigidBody("box", 1.5, fc.DOFS, (0.02, 0.03, 0.04), (0.0, 0.0, 0.1))
    contact = fc.RigidContact(body, fc.Surface(feet, np.full(4, 5.0)), GROUND, law)
    system = fc.System([body], [fc.Gravity([body]), contact])
    names = [f"box.{name}" for name in fc.DOFS]
    start = system.state(v=dict(zip(names, speeds, strict=True)))
    motion = run(system, 0.02, start, step=1e-3, theta=theta)
    lines = motion.energies
    total = lines["kinetic"] + lines["potential"]
    scale = total.max() + 1.5 * G * 0.1
    assert np.all(np.diff(lines["slip"]) >= -1e-12 * scale)
    if theta == 1.0:
        assert np.all(np.diff(total) <= 1e-9 * scale)


@pytest.mark.parametrize("law", [*FRICTION.values(), *SLIDING.values()], ids=lambda law: str(law))
def test_laws_with_a_stiffness_are_refused_in_one_line(law):
    body = fc.RigidBody("m", 1.0, ("ux", "uz"))
    with pytest.raises(
        fc.InputError, match=r"^foot: invalid friction = .*: expected a number"
    ) as e:
        fc.RigidContact(body, POINT, GROUND, law, name="foot")
    assert "\n" not in str(e.value)
    assert "ContactPair" in str(e.value)


def test_a_coefficient_over_pressure_is_refused_for_impacts():
    body, law = fc.RigidBody("m", 1.0, ("ux", "uz")), COEFFICIENT["FrictionTable"]
    words = r"invalid friction = FrictionTable over pressure: expected .*restitution = 0\.5"
    with pytest.raises(fc.InputError, match=words):
        fc.RigidContact(body, POINT, GROUND, law, restitution=0.5)
    fc.RigidContact(body, POINT, GROUND, TABLE, restitution=0.5)
