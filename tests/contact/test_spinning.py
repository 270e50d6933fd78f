"""Contact points on a master that spins without a coordinate: against forms that know its angle."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fecontact.body import DOFS, ElasticBody, RigidBody
from fecontact.contact import ContactPair, PenaltyNormal, Surface, ring
from fecontact.contact.evaluate.compiled.rigid import compiled_rigid
from fecontact.contact.evaluate.step import ContactHistory
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.laws.kelvin_layer import KelvinLayer
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.master.shape import Plane
from fecontact.contact.status import SLIP, STICK
from fecontact.contact.surface.points import elastic_surface
from fecontact.errors import InputError
from fecontact.fem import ElasticSolid, Material
from fecontact.integrate import simulate
from fecontact.joint import Force
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.system import System

SPEED, DEPTH, AREA = 30.0, 1e-5, 1e-4
STIFFNESS, SHEAR, DAMPING = 1e10, 4e9, 1e5
PAD = Surface(np.array([[0.1, 0.0, 0.0], [0.06, 0.08, 0.0], [0.12, -0.03, 0.0]]), np.full(3, AREA))
ROUND = (0.01, 0.01, 0.02)


def table(kind):
    """Turntable whose material turns with or without an angle that moves points."""
    if kind == "prescribed":
        return RigidBody("table", 1.0, ("uz",), ROUND, spin=SPEED)
    return RigidBody("table", 1.0, ("uz", {"free": "spin", "twin": "rz"}[kind]), ROUND)


def pair_of(slave, master, mu=0.3, surface=PAD, damping=DAMPING):
    law = ElastoPlastic(mu, SHEAR, damping)
    return ContactPair(slave, surface, RigidFace(master, Plane()), PenaltyNormal(STIFFNESS), law)


@pytest.mark.parametrize("kind", ["prescribed", "free"])
def test_bristles_of_a_pad_at_rest_follow_the_spin(kind):
    """Stuck: z = -Omega e_z x x t, exact for any step; later they slide with mu p."""
    pair = pair_of(RigidBody("pad", 1.0, ("uz",)), table(kind), damping=0.0)
    assert compiled_rigid(pair) is not None
    q = np.array([-DEPTH, 0.0] if kind == "prescribed" else [-DEPTH, 0.0, 0.0])
    v = np.array([0.0, 0.0] if kind == "prescribed" else [0.0, 0.0, SPEED])
    slip = -SPEED * np.cross([0.0, 0.0, 1.0], PAD.points)
    history, h = ContactHistory.fresh(3), 1e-8
    for k in range(1, 6):
        step = pair.begin(k * h, q, v, history).at((k + 1) * h, q, v, h)
        history = step.history
        np.testing.assert_allclose(history.z, k * h * slip, rtol=1e-13, atol=1e-20)
    assert np.all(history.status == STICK)
    for k in range(5):
        step = pair.begin(k * 1e-5, q, v, history).at((k + 1) * 1e-5, q, v, 1e-5)
        history = step.history
    assert np.all(history.status == SLIP)
    direction = slip / np.linalg.norm(slip, axis=1)[:, None]
    limit = 0.3 * STIFFNESS * DEPTH
    np.testing.assert_allclose(step.report().traction, -limit * direction, rtol=1e-12, atol=1e-6)
    work = limit * AREA * np.linalg.norm(slip, axis=1) * 1e-5
    np.testing.assert_allclose(step.h * step.report().point_slip_power, work, rtol=1e-12)
    np.testing.assert_allclose(step.report().point_slip_power, work / 1e-5, rtol=1e-12)


def turning(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def driven(kind, path, steps):
    """Last step of a pad that moves with the table and creeps along it by `path` in m.

    Pad and table turn together, so bristles of either one are the same; the free spin speeds up.
    """
    pair = pair_of(RigidBody("pad", 1.0, ("ux", "uy", "uz", "rz"), ROUND), table(kind))
    history, end = ContactHistory.fresh(3), 0.02
    faster = 0.0 if kind == "prescribed" or path < 0.0 else 400.0
    path = abs(path)

    def at(t):
        angle, speed = SPEED * t + 0.5 * faster * t**2, SPEED + faster * t
        R, rate = turning(angle), 2.0 * np.pi / end
        d = path * np.array([np.sin(rate * t), 1.0 - np.cos(1.3 * rate * t)])
        d_t = path * rate * np.array([np.cos(rate * t), 1.3 * np.sin(1.3 * rate * t)])
        place, moves = R @ d, R @ (d_t + speed * np.array([-d[1], d[0]]))
        q = [*place, -DEPTH, angle, 0.0] + ([] if kind == "prescribed" else [angle])
        v = [*moves, 0.0, speed, 0.0] + ([] if kind == "prescribed" else [speed])
        return np.array(q), np.array(v)

    h, statuses = end / steps, set()
    for k in range(steps):
        step = pair.begin(k * h, *at(k * h), history).at((k + 1) * h, *at((k + 1) * h), h)
        history = step.history
        statuses |= set(history.status.tolist())
    return step.force, statuses


@pytest.mark.parametrize("kind", ["prescribed", "free"])
@pytest.mark.parametrize(("path", "found"), [(2e-6, {STICK}), (4e-5, {STICK, SLIP})])
def test_twin_with_an_angle(kind, path, found):
    """The forces of the form with position differences, with the second order of the step."""
    errors = []
    for steps in (100, 200):
        spun, statuses = driven(kind, path, steps)
        twin, _ = driven("twin", path if kind == "free" else -path, steps)
        assert statuses == found
        errors.append(np.abs(spun - twin[: len(spun)]).max() / np.abs(twin[:4]).max())
    assert errors[0] < 1e-3
    assert np.log2(errors[0] / errors[1]) > 1.9


@pytest.fixture(params=["rigid", "elastic", "layer"])
def scene(request):
    """A pair in a general state, with a history of all statuses: q, v before and after a step."""
    rng = np.random.default_rng(5)
    master = RigidBody("table", 1.0, ("uz", "rx", "ry", "spin"), ROUND)
    if request.param != "elastic":
        slave, surface = RigidBody("pad", 1.0, DOFS, ROUND), PAD
    else:
        solid = ElasticSolid(block(0.1, 0.08, 0.02, cells=(1, 1, 1)), Material(7e10, 0.3, 2700.0))
        slave = ElasticBody("pad", reduce_model(solid, contact="z_min", modes=3))
        surface = elastic_surface(slave, "z_min")
    pair = pair_of(slave, master, 0.3, surface)
    if request.param == "layer":
        pair = replace(pair, normal=KelvinLayer(STIFFNESS, 1e4))
    names = [*slave.dofs, *master.dofs]
    size = {"u": 1e-7, "r": 1e-6, "s": 0.3, "e": 1e-7}
    scale = np.array([size.get(name[0], 1e-7) for name in names])
    if surface.shapes is not None:
        own = slice(6, 6 + surface.shapes.shape[2])
        scale[own] = 1e-7 / np.abs(surface.shapes).max()
    q = np.concatenate([body.reference() for body in pair.bodies])
    q[2] = -DEPTH - surface.points[:, 2].min()
    q0 = moved(pair, q, scale * rng.standard_normal(len(names)))
    q1 = moved(pair, q0, scale * rng.standard_normal(len(names)))
    v = 1e3 * scale * rng.standard_normal(len(names))
    v[-1] = SPEED
    z = 2e-6 * rng.standard_normal((pair.points, 3)) * [1.0, 1.0, 0.0]
    if request.param == "layer":
        z = np.column_stack([z, -0.8 * DEPTH * rng.random(pair.points)])
    modes = rng.integers(1, 3, pair.points)
    return pair, q0, q1, v, scale, ContactHistory(z, modes, np.zeros((pair.points, 2)))


def moved(pair, q, step):
    n, n_q = len(pair.slave.dofs), len(pair.slave.reference())
    parts = zip(pair.bodies, (q[:n_q], q[n_q:]), (step[:n], step[n:]), strict=True)
    return np.concatenate([body.move(own, way) for body, own, way in parts])


def close(found, expected):
    assert np.abs(found - expected).max() <= 1e-7 * np.abs(expected).max()


def test_tangents_of_a_step(scene, difference):
    pair, q0, q1, v, scale, history = scene
    start, none, size = pair.begin(0.0, q0, v, history), np.zeros(len(v)), np.full(len(v), 0.01)
    by_q, by_v = start.at(0.0, q1, v, 1e-7).tangents()
    found_q = difference(
        lambda s: start.at(0.0, moved(pair, q1, scale * s), v, 1e-7).force, none, size
    )
    found_v = difference(lambda s: start.at(0.0, q1, v + scale * s, 1e-7).force, none, size)
    close(scale[:, None] * by_q * scale, scale[:, None] * found_q)
    close(scale[:, None] * by_v * scale, scale[:, None] * found_v)


def test_tangents_of_the_rate_form(scene, difference):
    pair, _, q, v, scale, history = scene
    by = pair.rate(0.0, q, v, history).tangents()
    none, size = np.zeros(len(v)), np.full(len(v), 0.01)

    def at(name, q, v):
        return getattr(pair.rate(0.0, q, v, history), name).ravel()

    for name in ("force", "z_rate"):
        found = difference(lambda s, n=name: at(n, moved(pair, q, scale * s), v), none, size)
        close(getattr(by, f"{name}_by_q") * scale, found)
        found = difference(lambda s, n=name: at(n, q, v + scale * s), none, size)
        close(getattr(by, f"{name}_by_v") * scale, found)


def test_power_balance(scene):
    """f . v = -d(energy)/dt - damping - slip + supplied; a free spin is part of v."""
    pair, _, q, v, _, history = scene
    rates = pair.rate(0.0, q, v, history)
    report = rates.report()

    def energy(dt):
        kept = ContactHistory(history.z + dt * rates.z_rate, history.status, history.slip_totals)
        return pair.rate(0.0, moved(pair, q, dt * v), v, kept).report().energy

    rate = (energy(1e-10) - energy(-1e-10)) / 2e-10
    lost = report.damping_power + report.slip_power
    assert report.supplied_power == pytest.approx(0.0, abs=1e-6 * lost)
    assert rates.force @ v == pytest.approx(-rate - lost, rel=1e-5)


@pytest.mark.parametrize("spin", ["spin", "rz"])
def test_pad_brakes_a_turntable(spin):
    """Omega_0 - mu N r t/J while it slides; then it stops for good, as the twin does."""
    load, J, mu, start = 100.0, 0.02, 0.3, 8.0
    r = np.linalg.norm(PAD.points, axis=1).mean()
    disc = RigidBody("table", 1.0, (spin,), ROUND)
    pad = RigidBody("pad", 1.0, ("uz",))
    pair = pair_of(pad, disc, mu, damping=2e6)
    depth = load / (STIFFNESS * PAD.measure)
    system = System([pad, disc], [Force(pad, (0.0, 0.0, -load)), pair])
    stop = start * J / (mu * load * r)
    state = system.state(q={"pad.uz": -depth}, v={f"table.{spin}": start})
    motion = simulate(system, 1.2 * stop, state, output=0.1 * stop, step=stop / 100)
    speed = motion.v[:, 1]
    expected = np.maximum(start * (1.0 - motion.t / stop), 0.0)
    assert np.abs(speed - expected)[:10].max() < 2e-3 * start
    assert abs(speed[-1]) < 2e-2 * start
    assert motion.q[-1, 1] == pytest.approx(0.5 * start * stop, rel=2e-3)


def test_refusals():
    q, v, fresh = np.array([-DEPTH]), np.zeros(1), ContactHistory.fresh(3)
    disc = RigidBody("disc", 1.0, ("uz",), ROUND, spin=SPEED)
    spinning = pair_of(disc, None, surface=ring(0.1, 3))
    assert np.isfinite(spinning.force(0.0, q, v)).all()
    for form in (spinning.begin, spinning.rate):
        with pytest.raises(InputError, match=r"'disc' spins through its.* EulerianPair"):
            form(0.0, q, v, fresh)
