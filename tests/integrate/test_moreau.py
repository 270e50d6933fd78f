"""Moreau's time stepping: closed forms, orders, energy, restart, and what it refuses."""

from __future__ import annotations

from math import atan, cos, pi, sin

import numpy as np
import pytest

from fecontact.body import DOFS, RigidBody
from fecontact.contact import (
    ContactPair,
    ElastoPlastic,
    PenaltyNormal,
    Plane,
    RigidContact,
    RigidFace,
    Surface,
)
from fecontact.errors import InputError
from fecontact.integrate import contact_residuals, simulate
from fecontact.joint import Bearing, Force, Gravity, Revolute
from fecontact.results.audit import unaccounted
from fecontact.system import System

G = 9.80665
POINT = Surface(np.zeros((1, 3)), np.ones(1))
GROUND = RigidFace(None, Plane())


def ball(height=0.0, **laws):
    body = RigidBody("ball", 2.0, ("ux", "uy", "uz"), position=(0.0, 0.0, height))
    return System([body], [Gravity([body]), RigidContact(body, POINT, GROUND, **laws)])


def slope(angle, mu):
    """A block of 2 kg on a slope about the y axis."""
    body = RigidBody("block", 2.0, ("ux", "uy", "uz"))
    plane = RigidFace(None, Plane(normal=(sin(angle), 0.0, cos(angle))))
    return System([body], [Gravity([body]), RigidContact(body, POINT, plane, friction=mu)])


def box(height=0.3, mu=0.4, e=0.3):
    """A box with eight corners, free in space."""
    corners = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, 8).T * [0.2, 0.15, 0.1]
    body = RigidBody(
        "box", 1.5, ("ux", "uy", "uz", "rx", "ry", "rz"), (0.02, 0.03, 0.04), (0.0, 0.0, height)
    )
    surface = Surface(corners, np.ones(8))
    contact = RigidContact(body, surface, GROUND, friction=mu, restitution=e)
    return System([body], [Gravity([body]), contact])


def thrown(system):
    speeds = {"ux": 1.0, "uy": 0.4, "rx": 2.0, "ry": -1.0, "rz": 3.0}
    return system.state(v={f"box.{name}": value for name, value in speeds.items()})


def test_the_text_of_a_system_says_how_the_contact_is_evaluated():
    assert "RigidContact  ball  impulses" in str(ball())


@pytest.mark.parametrize("theta", [0.5, 1.0])
def test_a_mass_at_rest_feels_its_weight(theta):
    motion = simulate(ball(), 0.1, method="moreau", step=0.01, theta=theta)
    last = motion.contacts["contact"][-1]
    np.testing.assert_allclose(last.pressure, 2.0 * G, rtol=1e-12)
    np.testing.assert_allclose(motion.q[-1], 0.0, atol=1e-15)


def test_a_block_sticks_up_to_the_friction_angle_and_slides_beyond():
    mu = 0.3
    below, above = atan(mu) - 1e-6, atan(mu) + 0.1
    still = simulate(slope(below, mu), 0.2, method="moreau", step=0.01)
    assert np.abs(still.v).max() < 1e-12
    moves = simulate(slope(above, mu), 0.2, method="moreau", step=0.01)
    speed = np.linalg.norm(moves.v[-1])
    assert speed == pytest.approx(0.2 * G * (sin(above) - mu * cos(above)), rel=1e-10)


def test_a_sliding_block_stops_where_it_should():
    system = slope(0.0, 0.25)
    start = system.state(v={"block.ux": 3.0, "block.uy": 4.0})
    motion = simulate(system, 3.0, start, "moreau", step=0.01)
    path = 25.0 / (2.0 * 0.25 * G)
    x, y, _ = motion.q[-1]
    assert np.hypot(x, y) == pytest.approx(path, rel=1e-3)
    assert y / x == pytest.approx(4.0 / 3.0, rel=1e-9)
    assert motion.energies["slip"][-1] == pytest.approx(0.5 * 2.0 * 25.0, rel=1e-9)
    assert motion.contact_status[-1] == 1
    assert motion.slip_totals[-1, 1] == pytest.approx(path, rel=1e-3)
    power = [report.slip_power for report in motion.contacts["contact"]]
    speed = np.hypot(*motion.v[:, :2].T)
    np.testing.assert_allclose(power[1:], 0.25 * 2.0 * G * speed[1:], rtol=1e-9, atol=1e-9)


def test_oblique_plastic_impact():
    """A ball slips on after the impact if its speed exceeds mu times the normal one."""
    system = ball(friction=0.5)
    for along, left in ((3.0, 2.0), (0.8, 0.0)):
        start = system.state(v={"ball.ux": along, "ball.uz": -2.0})
        motion = simulate(system, 1e-9, start, "moreau", step=1e-9)
        np.testing.assert_allclose(motion.v[-1], [left, 0.0, 0.0], atol=1e-7)


@pytest.mark.parametrize(("theta", "order"), [(0.5, 2.0), (0.75, 1.0), (1.0, 1.0)])
def test_order_on_a_smooth_motion(theta, order):
    mass = RigidBody("mass", 1.0, ("ux",))
    system = System([mass], [Bearing(mass, 100.0, 100.0)])
    start = system.state(q={"mass.ux": 1.0})
    errors = [
        abs(simulate(system, 1.0, start, "moreau", step=h, theta=theta).q[-1, 0] - cos(10.0))
        for h in (4e-3, 2e-3)
    ]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.1)


def test_numerical_damping_is_as_stated():
    omega, h = 10.0, 2e-3
    mass = RigidBody("mass", 1.0, ("ux",))
    system = System([mass], [Bearing(mass, omega**2, omega**2)])
    start = system.state(q={"mass.ux": 1.0})
    for theta in (0.5, 0.6, 1.0):
        motion = simulate(system, 0.2 * pi, start, "moreau", step=h, theta=theta)
        energy = motion.energies["kinetic"] + motion.energies["potential"]
        rate = -np.log(energy[-1] / energy[0]) / (0.4 * pi)
        assert rate == pytest.approx((theta - 0.5) * omega**2 * h, rel=0.02, abs=1e-9)


def pendulum():
    rod = RigidBody("rod", 1.0, ("ux", "uz", "ry"), (0.1, 0.1, 0.1), (0.5, 0.0, 0.0))
    hinge = Revolute(None, rod, axis="y", point_b=(-0.5, 0.0, 0.0), name="hinge")
    return System([rod], [Gravity([rod]), hinge])


def test_bilateral_constraints_second_order():
    system = pendulum()
    exact = simulate(system, 0.6, method="projected", rtol=1e-11, atol=1e-12)
    errors = []
    for h in (0.02, 0.01):
        motion = simulate(system, 0.6, method="moreau", step=h)
        errors.append(np.abs(motion.q[-1] - exact.q[-1]).max())
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.2)
    assert np.abs(system.constraint(motion.state(-1)).value).max() < 1e-10


def test_restart_is_bit_exact():
    system = box()
    start = thrown(system)
    options = {"step": 2e-3, "output": 0.02}
    whole = simulate(system, 0.4, start, "moreau", **options)
    half = simulate(system, 0.2, start, "moreau", **options)
    rest = simulate(system, 0.4, method="moreau", restart=half, **options)
    assert whole.statistics.impacts > 2
    for name in ("t", "q", "v", "z", "contact_status", "slip_totals", "resume"):
        np.testing.assert_array_equal(getattr(whole, name)[-11:], getattr(rest, name))
    for name, line in whole.energies.items():
        np.testing.assert_array_equal(line[-11:], rest.energies[name])


def test_restart_from_a_file_is_bit_exact(tmp_path):
    system, file = ball(0.2, restitution=0.7, friction=0.2), tmp_path / "ball.h5"
    start = system.state(v={"ball.ux": 0.5})
    whole = simulate(system, 0.8, start, "moreau", 0.05, step=5e-3)
    simulate(system, 0.4, start, "moreau", 0.05, step=5e-3, store=file)
    rest = simulate(system, 0.8, method="moreau", output=0.05, step=5e-3, restart=file)
    np.testing.assert_array_equal(whole.q[-1], rest.q[-1])
    np.testing.assert_array_equal(whole.resume[-1], rest.resume[-1])


def test_energy_is_accounted_for():
    system = box()
    motion = simulate(system, 0.6, thrown(system), "moreau", step=1e-3)
    lines = {name: line[-1] for name, line in motion.energies.items()}
    start = motion.energies["kinetic"][0] + motion.energies["potential"][0]
    spent = lines["kinetic"] + lines["potential"] + lines["slip"] + lines["damping"]
    assert min(lines["slip"], lines["damping"]) > 0.0
    assert spent + lines["numerical"] - lines["residual"] == pytest.approx(start, rel=1e-10)
    # trapezoidal works of gyroscopic forces are of first order where velocities jump
    assert abs(lines["residual"]) < 5e-4 * start
    assert abs(lines["numerical"]) < 1e-3 * start
    assert contact_residuals(motion)[-1] <= 1e-10


def test_position_correction():
    system = ball(0.1)
    options = {"method": "moreau", "step": 4e-3, "theta": 1.0}
    deep = simulate(system, 0.3, **options)
    flat = simulate(system, 0.3, project=True, **options)
    assert deep.q[-1, 2] + 0.1 < -1e-4
    assert flat.q[-1, 2] + 0.1 == pytest.approx(0.0, abs=1e-9)
    np.testing.assert_allclose(flat.contacts["contact"][-1].pressure, 2.0 * G, rtol=1e-9)


def test_conditions_in_the_mean():
    """Three conditions on 30 points of a bar: the sum of forces and their centre are right."""
    x = np.linspace(-0.45, 0.45, 30)
    bar = RigidBody("bar", 3.0, ("uz", "ry"), (0.1, 0.2, 0.1))
    surface = Surface(np.column_stack([x, 0 * x, 0 * x]), np.full(30, 1 / 30))
    averages = np.kron(np.eye(3), np.full((1, 10), 0.1))
    contact = RigidContact(bar, surface, GROUND, averages=averages)
    system = System([bar], [Gravity([bar]), contact])
    motion = simulate(system, 0.05, method="moreau", step=0.01)
    forces = motion.contacts["contact"][-1].pressure / 30
    assert forces.sum() == pytest.approx(3.0 * G, rel=1e-9)
    assert forces @ x == pytest.approx(0.0, abs=1e-9)
    np.testing.assert_allclose(np.ptp(forces.reshape(3, 10), axis=1), 0.0, atol=1e-12)
    with pytest.raises(InputError, match="sum 1 in each row"):
        RigidContact(bar, surface, GROUND, averages=2.0 * averages)


def test_mixed_form_sticks_without_creep_and_slides_as_coulomb():
    body = RigidBody("block", 2.0, ("ux", "uz"))
    stiffness, mu = 1e5, 0.3
    contact = RigidContact(body, POINT, GROUND, mu, normal=PenaltyNormal(stiffness, 200.0))
    system = System([body], [Gravity([body]), contact])
    sunk = system.state(q={"block.uz": -2.0 * G / stiffness}, v={"block.ux": 1.0})
    motion = simulate(system, 0.5, sunk, "moreau", step=2e-3)
    slides = motion.t < 0.3
    np.testing.assert_allclose(motion.v[slides, 0], 1.0 - mu * G * motion.t[slides], atol=1e-9)
    assert motion.v[-1, 0] == pytest.approx(0.0, abs=1e-15)
    assert motion.q[-1, 0] == pytest.approx(1.0 / (2.0 * mu * G), rel=1e-3)
    assert motion.energies["slip"][-1] == pytest.approx(1.0, rel=1e-9)
    assert abs(motion.energies["residual"][-1]) < 1e-9


def test_a_spinning_disc_drags_a_mass_and_supplies_the_slip():
    mu, stiffness, spin = 0.3, 500.0, 10.0
    disc = RigidBody("disc", 1.0, ("uz",), (0.1, 0.1, 0.2), spin=spin)
    mass = RigidBody("mass", 1.0, ("ux", "uy", "uz"), position=(0.5, 0.0, 0.0))
    contact = RigidContact(mass, POINT, RigidFace(disc, Plane()), mu)
    held = Bearing(disc, 1e5, 1e5, axial_damping=800.0, name="held")
    springs = Bearing(mass, stiffness, 0.0, radial_damping=20.0, name="springs")
    system = System([disc, mass], [Gravity([mass]), held, springs, contact])
    motion = simulate(system, 1.0, method="moreau", step=2e-3)
    force = np.linalg.norm(motion.contacts["contact"][-1].traction)
    assert force == pytest.approx(mu * G, rel=1e-3)
    x, y = motion.q[-1, 1:3]
    assert stiffness * np.hypot(x, y) == pytest.approx(mu * G, rel=1e-3)
    lines = {name: line[-1] for name, line in motion.energies.items()}
    power = mu * G * spin * 0.5
    assert lines["slip"] == pytest.approx(power, rel=0.05)
    stored = lines["kinetic"] + lines["potential"] - motion.energies["potential"][0]
    assert lines["supplied"] == pytest.approx(stored + lines["slip"] + lines["damping"], rel=2e-3)


def test_forces_turn_with_the_master():
    """Without friction there is no traction, also on a plate that turns over during the step."""
    plate = RigidBody("plate", 1.0, ("ux", "uy", "uz", "rx", "ry", "rz"), (0.01, 0.01, 0.02))
    mass = RigidBody("mass", 1.0, ("ux", "uy", "uz"), position=(0.05, 0.02, 0.0))
    contact = RigidContact(mass, POINT, RigidFace(plate, Plane()))
    push = Force(mass, (0.0, 0.0, -50.0))
    system = System([plate, mass], [push, Bearing(plate, 1e3, 1e3), contact])
    start = system.state(v={"plate.rx": 4.0, "plate.ry": -3.0, "mass.uz": 0.1})
    motion = simulate(system, 0.02, start, "moreau", step=1e-3)
    reports = motion.contacts["contact"]
    pressure = np.array([report.pressure[0] for report in reports])
    friction = np.array([np.linalg.norm(report.traction) for report in reports])
    assert np.count_nonzero(pressure) > 5
    assert abs(motion.q[-1, 3:7]).max() > 0.05
    assert np.all(friction <= 1e-12 * pressure.max())


def test_random_boxes_settle():
    """Boxes thrown at random: no failure, residuals in bounds, no energy but that of the method.

    The impulses L of a step make L . (u_0 + u_1)/2 of energy. With L . u_1 <= 0 (no pull, friction
    against the slip), u_1 = u_0 - h a + G L and the approach a = -W^T M^-1 f by the forces f this
    is at most (h L . a - L . G L)/2 <= h^2 a . G^-1 a/8 <= h^2 f . M^-1 f/8: of a contact that
    departs and is pressed back within a step. Here f are the weight and the gyroscopic moment.
    """
    rng = np.random.default_rng(7)
    for _ in range(6):
        system = box(0.25, rng.uniform(0.0, 0.9), 0.0)
        v = dict(zip(system.coordinates, rng.normal(size=6) * [1, 1, 1, 5, 5, 5], strict=True))
        motion = simulate(system, 0.3, system.state(v=v), "moreau", step=5e-3)
        assert np.isfinite(motion.q).all()
        assert contact_residuals(motion)[-1] <= 1e-10
        lines, inertia = motion.energies, np.array([0.02, 0.03, 0.04])
        lost = lines["slip"] + lines["damping"]
        assert lost[-1] > 0.0
        assert np.diff(lost).min() >= 0.0
        omega = motion.v[:, 3:]
        moment = np.cross(omega, inertia * omega)
        squares = 1.5 * G**2 + np.sum(moment**2 / inertia, axis=1)
        most = 5e-3**2 / 8.0 * np.maximum(squares[1:], squares[:-1])
        assert (np.diff(lines["kinetic"] + lines["potential"]) <= most).all()


@pytest.mark.parametrize("theta", [0.5, 0.75, 1.0])
@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("gap", [0.0, 1e-5])
def test_coarse_steps_make_no_energy(theta, restitution, gap):
    """A mass thrown at a wall by springs, omega h = 0.1 to 100: it never has more than at first.

    What friction and impacts take never falls, and what the method itself loses or makes is said.
    """
    body = RigidBody("m", 1.0, ("ux", "uz"), position=(0.0, 0.0, gap))
    contact = RigidContact(body, POINT, RigidFace(None, Plane()), 0.3, restitution)
    for omega, h in ((10.0, 1e-2), (100.0, 1e-2), (1e3, 1e-2), (1e3, 0.1)):
        system = System([body], [contact, Bearing(body, omega**2, omega**2)])
        start = system.state(v={"m.ux": 1e-3, "m.uz": -1e-3})
        motion = simulate(system, 100 * h, start, "moreau", step=h, theta=theta)
        lines = motion.energies
        assert (lines["kinetic"] + lines["strain"] + lines["potential"]).max() <= 1e-6 * (1 + 1e-9)
        assert np.diff(lines["slip"]).min() >= 0.0
        assert np.diff(lines["damping"]).min() >= 0.0
        left = unaccounted(lines)
        assert ("the energy audit leaves" in motion.message) == (left > 0.01)


@pytest.mark.parametrize(
    ("stiff", "arm", "restitution", "steps"),
    [
        (10.0, 0.1, 1.0, 300),
        (30.0, 0.03, 1.0, 100),
        (100.0, 0.03, 0.8, 100),
        (700.0, 0.03, 1.0, 300),
    ],
)
def test_a_body_that_rattles_between_walls_makes_no_energy_without_a_word(
    stiff, arm, restitution, steps
):
    """Springs with omega h = 10 to 700 and 1 um of play, 1e-6 J at first.

    Each rebound pushed back in its own step may have (omega h)^2/4 times the energy of the last,
    1e4 J and more within these steps. The audit speaks from 1 % of the exchanged energy on.
    """
    body, h = RigidBody("m", 1.0, DOFS, (0.01, 0.01, 0.01)), 1e-2
    foot, k = Surface(np.array([[arm, 0.0, 0.0]]), np.ones(1)), (stiff / h) ** 2
    walls = Plane(), Plane((0.0, 0.0, 1e-6), (0.0, 0.0, -1.0))
    contacts = [
        RigidContact(body, foot, RigidFace(None, wall), 0.0, restitution, name=name)
        for wall, name in zip(walls, ("low", "high"), strict=True)
    ]
    system = System([body], [*contacts, Bearing(body, k, k)])
    start = system.state(v={"m.uz": -(2e-6**0.5)})
    motion = simulate(system, steps * h, start, "moreau", step=h)
    lines = motion.energies
    most = (lines["kinetic"] + lines["strain"]).max()
    assert lines["kinetic"][0] == pytest.approx(1e-6)
    assert most <= 1.01e-6 or "the energy audit leaves" in motion.message


@pytest.mark.slow
def test_ten_thousand_random_systems():
    rng = np.random.default_rng(8)
    for _ in range(10_000):
        system = box(rng.uniform(0.12, 0.4), rng.uniform(0.0, 1.5), rng.uniform(0.0, 1.0))
        v = dict(zip(system.coordinates, rng.normal(size=6) * [1, 1, 1, 5, 5, 5], strict=True))
        motion = simulate(system, 0.1, system.state(v=v), "moreau", 0.05, step=5e-3)
        assert np.isfinite(motion.q).all()
        assert contact_residuals(motion)[-1] <= 1e-10


def test_refused():
    system = ball()
    assert "RigidContact" in str(system)
    with pytest.raises(InputError, match="has no force law"):
        system.force(system.rest())
    with pytest.raises(InputError, match="invalid step = None: expected a fixed step"):
        simulate(system, 1.0, method="moreau")
    with pytest.raises(InputError, match=r"invalid theta = 0\.2"):
        simulate(system, 1.0, method="moreau", step=1e-3, theta=0.2)
    for method in ("implicit", "ode", "projected"):
        with pytest.raises(InputError, match=r"moreau|no contact history"):
            simulate(system, 1.0, method=method)
    body = RigidBody("block", 1.0)
    law = ElastoPlastic(0.3, 1e6, 1e2)
    bristles = ContactPair(body, POINT, GROUND, PenaltyNormal(1e6), law)
    with pytest.raises(InputError, match="not bristles \\(contact\\): take a RigidContact"):
        simulate(System([body], [bristles]), 1.0, method="moreau", step=1e-3)
    with pytest.raises(InputError, match=r"invalid restitution = 1\.2"):
        RigidContact(body, POINT, GROUND, restitution=1.2)
    with pytest.raises(InputError, match="invalid normal law without friction"):
        RigidContact(body, POINT, GROUND, normal=PenaltyNormal(1e6))
