"""Elastic disc on a hub with a free spin: inertia, tangents, limits, contact of its face."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import expm

from fecontact.analysis import complex_modes, disturbance, linearise, steady_state
from fecontact.body import CarriedRotor, Hub, RigidBody, SpinningDisc
from fecontact.case.registry import load_module
from fecontact.contact import ElastoPlastic, EulerianPair, PenaltyNormal, Plane, RigidFace, ring
from fecontact.errors import InputError
from fecontact.fem import STEEL, HarmonicPlate
from fecontact.integrate import simulate
from fecontact.joint import (
    Bearing,
    DofCoordinate,
    Force,
    GearMesh,
    GearPair,
    PrescribedMotion,
    Speed,
)
from fecontact.reduction import reduce_harmonic
from fecontact.system import System

INNER, OUTER, THICKNESS = 0.06, 0.12, 0.004


@pytest.fixture(scope="module")
def model():
    plate = HarmonicPlate(INNER, OUTER, THICKNESS, STEEL, {"inner": "clamped"}, elements=6)
    return reduce_harmonic(plate, 0.1, 2, 2)


@pytest.fixture(scope="module")
def clutch(model):
    return SpinningDisc("clutch", model, damping=1e-3, hub=Hub(0.3, 1e-3), spin="free")


@pytest.fixture
def state(clutch):
    """A deflection of about 1 mm that runs and vibrates."""
    rng, n = np.random.default_rng(0), len(clutch.dofs)
    q, v = 1e-3 * rng.standard_normal(n), rng.standard_normal(n)
    v[3] = 300.0
    return q, v


def test_energy_of_inertia_is_that_of_the_points(model, clutch, state):
    """v M v/2 against an integral over the velocities of material points."""
    q, v = state
    place, part = np.polynomial.legendre.leggauss(4)  # exact for squares of cubics times r
    half, nodes = 0.5 * np.diff(model.plate.nodes), model.plate.nodes
    r = (nodes[:-1, None] + half[:, None] * (1.0 + place)).ravel()
    dm = STEEL.density * THICKNESS * r * np.outer(half, part).ravel() * 2.0 * np.pi / 16

    def height(t):
        """Of all material points, which are at phi + Omega t."""
        phi = 2.0 * np.pi * np.arange(16) / 16 + v[3] * t
        x, y = (np.outer(r, f(phi)).ravel() for f in (np.cos, np.sin))
        return model.shapes(x, y).value @ (q[4:] + t * v[4:]) + t * v[2]

    h = 1e-6
    lift = ((height(h) - height(-h)) / (2.0 * h)).reshape(-1, 16)
    along = v[:2] @ v[:2] + (r[:, None] * v[3]) ** 2  # the spin is about the centre of the disc
    exact = 0.5 * np.sum(dm[:, None] * (lift**2 + along))
    exact += 0.15 * v[:3] @ v[:3] + 0.5e-3 * v[3] ** 2
    assert clutch.kinetic_energy(q, v) == pytest.approx(exact, rel=1e-8)


def test_tangents(clutch, state, difference):
    q, v = state
    steps = np.full(len(q), 1e-6), 1e-3 * np.maximum(np.abs(v), 1.0)
    by_q, by_v = clutch.tangents(0.0, q, v)
    for found, own, x, step in (
        (by_q, lambda x: clutch.force(0.0, x, v), q, steps[0]),
        (by_v, lambda x: clutch.force(0.0, q, x), v, steps[1]),
        (clutch.d_inertia(q, v), lambda x: clutch.mass_matrix(x) @ v, q, steps[0]),
    ):
        exact = difference(own, x, step)
        scale = np.abs(exact).max(axis=1, keepdims=True) + 1e-9
        np.testing.assert_allclose(found / scale, exact / scale, atol=1e-7)


def test_free_disc_vibrates_in_its_own_frame(model, state):
    """Seen from the material, q = exp(-phi Delta) p, it is a plate at rest: M p'' + K p = 0."""
    free = SpinningDisc("clutch", model, hub=Hub(1e9, 1e-3), spin="free")
    q, v = state
    a = np.linalg.solve(free.mass_matrix(q), free.force(0.0, q, v))
    assert abs(a[3]) < 1e-9 * np.abs(a[4:]).max()
    h, p = 1e-5, []
    for t in (-2.0 * h, -h, 0.0, h, 2.0 * h):
        moved = q[4:] + t * v[4:] + 0.5 * t**2 * a[4:]
        p.append(expm(v[3] * t * model.rotation) @ moved)
    found = (-p[0] + 16.0 * p[1] - 30.0 * p[2] + 16.0 * p[3] - p[4]) / (12.0 * h**2)
    exact = -np.linalg.solve(model.mass, model.stiffness @ q[4:])
    np.testing.assert_allclose(found, exact, atol=1e-5 * np.abs(exact).max())


def test_free_disc_keeps_its_angular_momentum(model, clutch, state):
    """J Omega is constant, and energy falls by what the damping takes."""
    q, v = state
    M = clutch.mass_matrix(q)
    a = np.linalg.solve(M, clutch.force(0.0, q, v))
    assert abs(clutch.inertia * a[3]) < 1e-12 * np.abs(M[3] * a).max()
    d_energy = v @ M @ a + 0.5 * v @ clutch.d_inertia(q, v) @ v + v[4:] @ model.stiffness @ q[4:]
    assert d_energy == pytest.approx(-clutch.dissipated_power(0.0, q, v), rel=1e-7)
    assert clutch.dissipated_power(0.0, q, v) > 0.0


def contact(body):
    """The disc on a plane that rests."""
    law, facing = ElastoPlastic(0.3, 1e9, 1e4), ring(0.1, 12, -0.5 * THICKNESS)
    plane = RigidFace(None, Plane(point=(0.0, 0.0, -0.5 * THICKNESS)))
    return EulerianPair(body, facing, plane, PenaltyNormal(1e8, 1e3), law)


def test_held_spin_is_the_prescribed_one(model):
    """With its speed held it has the modes at a prescribed speed, in contact and with both laws."""
    hub = Hub(0.3, 1e-3)
    rotor = SpinningDisc("clutch", model, damping=1e-3, hub=hub, spin="free")
    disc = SpinningDisc("clutch", model, 300.0, damping=1e-3, hub=hub)
    held = PrescribedMotion(DofCoordinate(rotor, "spin"), Speed(300.0), "velocity")
    for friction in ("coulomb", "state"):
        found = []
        for body, *more in ((rotor, held), (disc,)):
            load, bearing = Force(body, (0.0, 0.0, -2000.0)), Bearing(body, 1e6, 2e6, 10.0, 20.0)
            system = System([body], [bearing, load, contact(body), *more])
            model_ = linearise(system, steady_state(system).state, friction)
            found.append(complex_modes(model_).eigenvalues)
        apart = np.abs(found[0][:, None] - found[1]).min(axis=1)
        assert len(found[0]) == len(found[1])
        assert apart.max() < 1e-9 * np.abs(found[1]).max()


def test_hub_moves_like_a_rigid_rotor(clutch):
    """A gear on the hub binds it as a rigid rotor of the same mass and inertia."""
    alone = RigidBody("clutch", clutch.mass, ("ux", "uy", "uz", "spin"), (clutch.inertia,) * 3)
    wheel = RigidBody("wheel", 1.0, (), position=(0.068, 0.0, 0.0), spin=-300.0)
    rng = np.random.default_rng(2)
    c, v = 1e-3 * rng.standard_normal(4), rng.standard_normal(4)
    rest, found = np.zeros(clutch.model.size), []
    for body, more in ((clutch, rest), (alone, rest[:0])):
        mesh = GearMesh(body, wheel, GearPair((30, 30), 0.03, 0.068, 0.3))
        rows = mesh.at(0.0, np.r_[c, more], np.r_[v, more])
        load = rows.d_load(np.ones(1))
        found.append((rows.rate, rows.jacobian[:, :4], rows.d_rate()[:, :4], load[:4, :4]))
        assert not rows.jacobian[:, 4:].any()
    for carried, rigid in zip(*found, strict=True):
        np.testing.assert_allclose(carried, rigid, rtol=1e-13, atol=1e-15)


def test_contact_tangents(clutch, difference):
    """The spin moves material alone: the angle changes no force."""
    pair, n = contact(clutch), len(clutch.dofs)
    rng = np.random.default_rng(3)
    q, v = 1e-5 * rng.standard_normal(n), 1e-2 * rng.standard_normal(n)
    q[2], v[3] = -1e-4, 20.0
    by_q, by_v = pair.tangents(0.0, q, v)
    step = np.full(n, 1e-8)
    found = difference(lambda x: pair.force(0.0, x, v), q, step)
    np.testing.assert_allclose(by_q, found, atol=1e-6 * np.abs(by_q).max())
    found = difference(lambda x: pair.force(0.0, q, x), v, 1e4 * step)
    np.testing.assert_allclose(by_v, found, atol=1e-7 * np.abs(by_v).max())
    assert not by_q[:, 3].any()


def test_contact_speeds_and_torque(clutch, state):
    """Material moves with J v, and forces turn the hub by their moment about its axis."""
    q, v = state
    points = contact(clutch).approach(q, v).slave
    np.testing.assert_allclose(points.jacobian @ v, points.velocity, rtol=1e-12)
    F = np.random.default_rng(4).standard_normal((12, 3))
    load = np.tensordot(F, points.jacobian, axes=2)
    a = np.linalg.solve(clutch.mass_matrix(q), load)
    torque = np.cross(points.position - q[:3], F)[:, 2].sum()
    assert clutch.inertia * a[3] == pytest.approx(torque, rel=1e-9)


def test_growth_in_time():
    """A geared rotor on an elastic plate, in time; bristles follow with first order."""
    case = load_module("jehle/gearbox_lamella_extended")
    p = case.kinds(case.Extended())["III"]
    small = replace(p, harmonics=1, modes=1, basis="Ritz", ring_points=8)
    system = case.both_elastic(small)
    mode = disturbance(system, steady_state(system).state)
    period, errors = 1.0 / mode.frequency, []
    for steps in (60, 120):
        motions = [
            simulate(system, 0.1 * period, start, "implicit", 0.02 * period, step=period / steps,
                     rho_inf=1.0)
            for start in (mode.start(1e-8), mode.steady)
        ]  # fmt: skip
        errors.append(abs(mode.measured(*motions) - mode.value))
    assert errors[1] < 5e-4 * abs(mode.value)
    assert errors[1] < 0.5 * errors[0]


@pytest.mark.parametrize("name", ["hub mass", "hub inertia", "damping"])
def test_negative_values(model, name):
    given = {"hub mass": 1.0, "hub inertia": 1.0, "damping": 0.0, name: -1.0}
    mass, inertia, damping = given.values()
    with pytest.raises(InputError, match=f"{name} = -1"):
        SpinningDisc("clutch", model, damping=damping, hub=Hub(mass, inertia), spin="free")


@pytest.mark.parametrize(
    ("field", "value"),
    [("hub", None), ("speed", 300.0), ("damping_rate", "partial"), ("centrifugal_stress", True)],
)
def test_what_a_free_spin_does_not_know(model, field, value):
    given = {"hub": Hub(1.0), field: value}
    with pytest.raises(InputError, match=f"clutch: invalid {field} = {value} .*spin = 'free'"):
        SpinningDisc("clutch", model, spin="free", **given)


def test_older_name(model, clutch, state):
    """`CarriedRotor` builds the same body."""
    with pytest.warns(DeprecationWarning, match='spin="free"'):
        old = CarriedRotor("clutch", model, 0.3, 1e-3, damping=1e-3)
    assert old.dofs == clutch.dofs
    np.testing.assert_array_equal(old.force(0.0, *state), clutch.force(0.0, *state))
    np.testing.assert_array_equal(old.mass_matrix(state[0]), clutch.mass_matrix(state[0]))
