"""Motion with frictional contact against closed forms, by all methods that know it."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body import RigidBody
from fecontact.contact import ContactPair, CoulombSliding, ElastoPlastic, PenaltyNormal, Surface
from fecontact.contact.laws.coefficient import Coulomb
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.master.shape import Plane
from fecontact.errors import InputError, SolverError
from fecontact.integrate import simulate
from fecontact.integrate.implicit.corrector import Corrector
from fecontact.joint import Bearing, DofCoordinate, Force, PrescribedMotion, Speed
from fecontact.system import System

MASS, G = 2.0, 9.81


def incline(angle, mu=0.4, damping=2e3, dofs=("ux", "uz"), law=None):
    """A block on two points on a plane that gravity pulls down by an angle."""
    block = RigidBody("block", MASS, dofs)
    points = Surface(np.array([[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0]]), np.ones(2))
    pair = ContactPair(
        block, points, RigidFace(None, Plane()), PenaltyNormal(1e6, 2e3),
        law or ElastoPlastic(mu, 1e6, damping),
    )  # fmt: skip
    pull = Force(block, (MASS * G * np.sin(angle), 0.0, -MASS * G * np.cos(angle)))
    return System([block], [pull, pair])


def pressed(angle):
    return {"block.uz": -MASS * G * np.cos(angle) / 2e6}


def test_a_block_sticks_without_drift():
    """Below the friction angle it rests on bent bristles: x = m g sin/(2 c_t), for ever."""
    system = incline(0.3)
    motion = simulate(system, 1000.0, system.state(q=pressed(0.3)), output=100.0)
    x = MASS * G * np.sin(0.3) / 2e6
    assert np.abs(motion.history("block.ux")[1:] - x).max() < 1e-13
    assert np.all(motion.contact_status[1:] == 1)
    assert not motion.slip_totals.any()
    assert motion.statistics.steps < 500  # the step grows while nothing happens
    assert motion.contact_states("contact")["stick"].tolist() == [0] + 10 * [2]


@pytest.mark.parametrize("method", ["implicit", "ode"])
@pytest.mark.parametrize("damping", [2e3, 0.0])
def test_a_block_slides(method, damping):
    """Above the friction angle from v_0: x = v_0 t + g (sin - mu cos) t^2/2; heat mu N x."""
    angle, v0, system = 0.6, 0.1, incline(0.6, damping=damping)
    start = system.sliding(system.state(q=pressed(angle), v={"block.ux": v0}))
    if damping == 0.0 and method == "ode":
        with pytest.raises(InputError, match=r"friction damping = 0.* continuous law"):
            simulate(system, 0.5, start, method)
        return
    options = {"step": 2e-3} if method == "implicit" else {}
    motion = simulate(system, 0.5, start, method, output=0.1, **options)
    slope = G * (np.sin(angle) - 0.4 * np.cos(angle))
    x = v0 * motion.t + slope * motion.t**2 / 2
    assert np.abs(motion.history("block.ux") - x).max() < 1e-9
    grip = 0.4 * MASS * G * np.cos(angle)
    assert motion.energies["slip"] == pytest.approx(grip * x, rel=1e-9, abs=1e-9)
    assert np.all(motion.contact_status == 2)


@pytest.mark.parametrize("method", ["implicit", "explicit", "ode", "events"])
def test_a_block_slides_without_history(method):
    """The law of sliding moves a block that slides, and refuses one at rest."""
    angle, v0, system = 0.6, 0.1, incline(0.6, law=CoulombSliding(0.4))
    start = system.state(q=pressed(angle), v={"block.ux": v0})
    motion = simulate(system, 0.1, start, method, output=0.1)
    slope = G * (np.sin(angle) - 0.4 * np.cos(angle))
    x = v0 * 0.1 + slope * 0.1**2 / 2
    assert motion.history("block.ux")[-1] == pytest.approx(x, rel=1e-5)
    with pytest.raises(SolverError, match="no slip velocity"):
        simulate(system, 0.1, system.state(q=pressed(angle)), method)


def belt_oscillator(stiffness, static, kinetic, speed, load):
    """A mass on a spring on a belt that a motor drives."""
    mass, belt = RigidBody("mass", 1.0, ("ux", "uz")), RigidBody("belt", 1.0, ("ux",))
    friction = ElastoPlastic(Coulomb(kinetic, static), 2e7, 2.0 * np.sqrt(2e7))
    pair = ContactPair(
        mass, Surface(np.zeros((1, 3)), np.ones(1)), RigidFace(belt, Plane()),
        PenaltyNormal(1e6, 2e3), friction,
    )  # fmt: skip
    items = [
        Bearing(mass, stiffness, 1e-9),
        Force(mass, (0.0, 0.0, -load)),
        pair,
        PrescribedMotion(DofCoordinate(belt, "ux"), Speed(speed), name="motor"),
    ]
    return System([mass, belt], items)


def test_stick_slip_on_a_belt():
    """Limit cycle in closed form, for a belt speed v, D = (mu_s - mu_k) N/k, omega = sqrt(k/m):

    slip lasts (2/omega) (pi - arctan(omega D/v)), stick 2 D/v, and x is between mu_k N/k -+
    sqrt(D^2 + (v/omega)^2). The bristles add k/c_t = 5e-4 of D and a relaxation time.
    """
    k, static, kinetic, v, load = 1e4, 0.6, 0.3, 0.5, 100.0
    system = belt_oscillator(k, static, kinetic, v, load)
    start = system.state(q={"mass.uz": -1e-4}, v={"mass.ux": v, "belt.ux": v})  # stick begins
    omega, D = np.sqrt(k), (static - kinetic) * load / k
    period = 2.0 * D / v + 2.0 / omega * (np.pi - np.arctan(omega * D / v))
    motion = simulate(system, 1.15 * period, start, rtol=1e-5)
    level, t = motion.history("mass.ux") - kinetic * load / k, motion.t
    swing = np.hypot(D, v / omega)
    assert level.max() == pytest.approx(swing, rel=3e-3)
    assert level[t > 0.5 * period].min() == pytest.approx(-swing, rel=3e-3)
    up = np.flatnonzero((level[:-1] < 0.0) & (level[1:] >= 0.0))
    times = t[up] - level[up] * (t[up + 1] - t[up]) / (level[up + 1] - level[up])
    assert len(times) == 2
    assert times[1] - times[0] == pytest.approx(period, rel=3e-3)
    stuck = np.sum(np.diff(t) * (motion.contact_status[1:, 0] == 1))
    assert stuck == pytest.approx(2.0 * D / v + 0.15 * period, rel=0.02)
    lines = motion.energies
    assert abs(lines["residual"][-1]) + abs(lines["numerical"][-1]) < 1e-3 * lines["supplied"][-1]


def test_an_impact_does_not_stop_the_step():
    """A ball falls on a damped spring: the force jumps at each contact, the step recovers."""
    ball = RigidBody("ball", 1.0, ("ux", "uz"))
    zeta = 0.1
    pair = ContactPair(
        ball, Surface(np.zeros((1, 3)), np.ones(1)), RigidFace(None, Plane()),
        PenaltyNormal(1e6, 2e3 * zeta), ElastoPlastic(0.3, 1e6, 1e2),
    )  # fmt: skip
    system = System([ball], [Force(ball, (0.0, 0.0, -G)), pair])
    motion = simulate(system, 0.4, system.state(q={"ball.uz": 0.1}))
    speed = motion.history("ball.uz", "velocity")
    down, up = speed.min(), speed[motion.t > np.sqrt(0.2 / G)].max()
    assert down == pytest.approx(-np.sqrt(2.0 * G * 0.1), rel=1e-3)
    # the spring lets go where c g + d g' = 0, at the phase angle of an oscillator from g = 0
    root = np.sqrt(1.0 - zeta**2)
    angle = np.arctan2(2.0 * zeta * root, 2.0 * zeta**2 - 1.0)
    assert up / -down == pytest.approx(np.exp(-zeta / root * angle), rel=2e-3)
    assert motion.statistics.steps < 600
    lines = motion.energies
    left = np.abs(lines["residual"]) + np.abs(lines["numerical"])
    assert left.max() < 1e-3 * G * 0.1


def test_a_step_that_does_not_converge_is_halved(monkeypatch):
    """Steps above 0.3 ms are said not to converge: the fixed step is split, and counted."""
    solve = Corrector.solve

    def stubborn(self, equations):
        if equations.h > 3e-4:
            raise SolverError("no convergence in 40 iterations (last correction 1.0)")
        return solve(self, equations)

    monkeypatch.setattr(Corrector, "solve", stubborn)
    system = incline(0.6)
    start = system.sliding(system.state(q=pressed(0.6), v={"block.ux": 0.1}))
    motion = simulate(system, 0.01, start, step=1e-3, backend="general")
    assert motion.statistics.rejected > 0
    assert np.diff(motion.t).max() <= 3e-4
    x = 0.1 * 0.01 + G * (np.sin(0.6) - 0.4 * np.cos(0.6)) * 0.01**2 / 2
    assert motion.history("block.ux")[-1] == pytest.approx(x, rel=1e-6)
    monkeypatch.setattr(Corrector, "solve", lambda *_: (_ for _ in ()).throw(SolverError("no")))
    with pytest.raises(SolverError, match=r"t = 0 s, step .*: no; try a smaller step"):
        simulate(system, 0.01, start, step=1e-3, backend="general")


def test_a_kept_tangent_changes_no_result(monkeypatch):
    """Between output points tangents are kept: far fewer factorisations, the same motion."""
    system = belt_oscillator(1e4, 0.6, 0.3, 0.5, 100.0)
    start = system.state(q={"mass.uz": -1e-4}, v={"mass.ux": 0.5, "belt.ux": 0.5})
    options = {"step": 1e-4, "output": 2e-3}
    compiled = simulate(system, 4e-3, start, **options)
    kept = simulate(system, 4e-3, start, backend="general", **options)
    monkeypatch.setattr(Corrector, "_earlier", lambda *_: None)
    fresh = simulate(system, 4e-3, start, backend="general", **options)
    assert compiled.statistics.factorisations < 0.3 * fresh.statistics.factorisations
    assert np.abs(compiled.q - fresh.q).max() < 1e-12
    assert kept.statistics.factorisations < 0.3 * fresh.statistics.factorisations
    assert np.abs(kept.q - fresh.q).max() < 1e-12
    assert np.abs(kept.v - fresh.v).max() < 1e-9


def test_restart_with_kept_tangents_is_exact():
    """A tangent is never kept over an output point, where a restart may begin."""
    system = incline(0.6)
    start = system.state(q=pressed(0.6))
    whole = simulate(system, 0.1, start, output=0.05)
    half = simulate(system, 0.1, start, output=0.05, callback=lambda point: point.state.t > 0.04)
    assert half.statistics.factorisations < half.statistics.iterations
    rest = simulate(system, 0.1, restart=half, output=0.05)
    np.testing.assert_array_equal(rest.q[-1], whole.q[-1])
    np.testing.assert_array_equal(rest.v[-1], whole.v[-1])


@pytest.mark.parametrize("method", ["implicit", "explicit"])
def test_audit_at_defaults(method):
    """From rest the block lets go and slides: what is left is below 1e-3 of the heat."""
    system = incline(0.6)
    lines = simulate(system, 0.3, system.state(q=pressed(0.6)), method, output=0.1).energies
    left = np.abs(lines["residual"]) + np.abs(lines["numerical"])
    assert lines["slip"][-1] > 0.5
    assert left.max() < 1e-3 * lines["slip"][-1]
