"""Explicit method: orders, bound, backends, agreement with implicit, restart, energy audit."""

from __future__ import annotations

from functools import cache, partial

import numpy as np
import pytest

from fecontact.body import DOFS, ElasticBody, RigidBody
from fecontact.contact import ContactPair, EulerianPair, PenaltyNormal, Surface, ring
from fecontact.contact.laws.coefficient import Coulomb
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.laws.table import TableNormal
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.master.shape import Plane
from fecontact.contact.surface.points import elastic_surface
from fecontact.errors import InputError
from fecontact.fem import ElasticSolid, Material
from fecontact.integrate import Event, SimulationError, simulate
from fecontact.integrate.explicit.compiled import CompiledBackend
from fecontact.integrate.explicit.linear import LinearItems, linear_items
from fecontact.joint import Bearing, Force, Gravity, TorsionSpring
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.results import Result
from fecontact.results.point import Point
from fecontact.results.statistics import Statistics
from fecontact.system import State, System

BACKENDS = ("compiled", "general")


def oscillator(damping=0.0):
    mass = RigidBody("mass", 2.0, ("ux",))
    return System([mass], [Bearing(mass, 800.0, 800.0, radial_damping=damping)])


@pytest.mark.parametrize("backend", BACKENDS)
def test_damped_oscillator_in_closed_form(backend):
    """x = e^(-d t) cos(w t), m = 2, k = 800, c = 8: order 2."""
    d, w = 2.0, np.sqrt(400.0 - 4.0)
    system, end, errors = oscillator(8.0), 0.3, []
    for steps in (40, 80):
        start = State(0.0, np.array([1.0]), np.array([-d]))
        motion = simulate(system, end, start, "explicit", end, step=end / steps, backend=backend)
        exact = np.exp(-d * end) * np.cos(w * end)
        rate = -np.exp(-d * end) * (d * np.cos(w * end) + w * np.sin(w * end))
        errors.append([motion.q[-1, 0] - exact, motion.v[-1, 0] - rate])
        assert motion.statistics.steps == steps
        assert motion.statistics.compiled == (steps if backend == "compiled" else 0)
    order = np.log2(np.abs(errors[0]) / np.abs(errors[1]))
    np.testing.assert_allclose(order, 2.0, atol=0.1)


@cache
def slab():
    mesh = block(0.1, 0.08, 0.02, cells=(3, 3, 1))
    solid = ElasticSolid(mesh, Material(2e9, 0.3, 2700.0), supports={"z_max": "clamped"})
    model = reduce_model(solid, contact="z_min", modes=6)
    return ElasticBody("slab", model, (0.0, 0.0, 0.0), "fixed", damping=0.01)


def clutch():
    """An elastic slab pressed on a plate that turns about z and is held by a torsion spring."""
    body = slab()
    plate = RigidBody("plate", 2.0, ("uz", "rz"), (0.02, 0.02, 0.03), (0.05, 0.04, -0.02))
    pair = ContactPair(
        body, elastic_surface(body, "z_min"),
        RigidFace(plate, Plane(), (0.0, 0.0, 0.02)), PenaltyNormal(4e10, 1e5),
        ElastoPlastic(Coulomb(0.3, 0.4), 2e10, 2e4), "facing",
    )  # fmt: skip
    spring = TorsionSpring(None, plate, 2e3, damping=0.3)
    guide = Bearing(plate, 1e6, 1e6, offset=(0.0, 0.0, 2e-4))
    system = System([body, plate], [pair, spring, guide])
    return system, system.state(v={"plate.rz": 0.1})


TIME = 2e-4


@cache
def clutch_motion(backend, steps, method="explicit"):
    system, start = clutch()
    options = {"backend": backend} if method == "explicit" else {"rho_inf": 1.0}
    return simulate(system, TIME, start, method, TIME / 4, step=TIME / steps, **options)


def test_lanes_give_the_same_motion():
    """The compiled loop against the same formulas in Python, with stick and slip."""
    fast, slow = (clutch_motion(backend, 200) for backend in BACKENDS)
    assert {1, 2} <= set(fast.contact_status.ravel().tolist())
    for name in ("q", "v", "a", "z", "slip_totals"):
        a, b = (getattr(motion, name) for motion in (fast, slow))
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-9 * np.abs(b).max(), err_msg=name)
    np.testing.assert_array_equal(fast.contact_status, slow.contact_status)
    scale = max(abs(line).max() for line in slow.energies.values())
    for line, values in slow.energies.items():
        np.testing.assert_allclose(fast.energies[line], values, rtol=0, atol=2e-4 * scale,
                                   err_msg=line)  # fmt: skip


def test_agrees_with_implicit():
    """The difference of the two methods falls with the step."""
    gaps = []
    for steps in (150, 300):
        fast, slow = clutch_motion("compiled", steps), clutch_motion("", steps, "implicit")
        gaps.append(np.abs(fast.q[-1] - slow.q[-1]).max() / np.abs(slow.q[-1]).max())
    assert gaps[0] < 1e-5
    assert np.log2(gaps[0] / gaps[1]) == pytest.approx(2.0, abs=0.1)


def test_energy_audit():
    """Numerical dissipation is of order 2; the residual is small beside it.

    Its part from damped bristles that follow a changing friction limit is of order 1.
    """
    numerical, residual = [], []
    for steps in (200, 400, 800):
        lines = clutch_motion("compiled", steps).energies
        exchanged = lines["slip"][-1] + lines["damping"][-1]
        numerical.append(abs(lines["numerical"][-1]) / exchanged)
        residual.append(abs(lines["residual"][-1]) / exchanged)
    assert numerical[1] + residual[1] < 1e-3
    np.testing.assert_allclose(np.log2(np.divide(numerical[:2], numerical[1:])), 2.0, atol=0.1)
    left = np.add(numerical, residual)
    assert np.log2(left[:2] / left[1:]).min() > 1.7
    assert np.all(np.array(residual) < 0.25 * np.array(numerical))


@pytest.mark.parametrize("backend", BACKENDS)
def test_restart_is_exact(backend):
    system, start = clutch()
    options = {"step": TIME / 200, "backend": backend}
    whole = simulate(system, TIME, start, "explicit", TIME / 4, **options)
    half = simulate(system, TIME / 2, start, "explicit", TIME / 4, **options)
    rest = simulate(system, TIME, None, "explicit", TIME / 4, restart=half, **options)
    for name in ("t", "q", "v", "a", "z", "contact_status", "slip_totals", "resume"):
        np.testing.assert_array_equal(getattr(rest, name), getattr(whole, name)[2:], err_msg=name)


def test_files_of_version_0_2_are_continued(tmp_path, monkeypatch):
    """Their points keep the sums of all pairs of dofs, now those that K or D couples."""
    system, start = clutch()
    path, n = tmp_path / "run.h5", system.size
    options = {"step": TIME / 200, "backend": "compiled"}
    whole = simulate(system, TIME, start, "explicit", TIME / 4, **options)
    with monkeypatch.context() as earlier:
        every = property(lambda items: np.arange(items.mass.size))
        earlier.setattr(LinearItems, "coupled", every)
        half = simulate(system, TIME / 2, start, "explicit", TIME / 4, store=path, **options)
    more = half.resume.shape[1] - whole.resume.shape[1]
    assert more == 2 * (n**2 - len(linear_items(system).coupled)) > n**2
    simulate(system, TIME, None, "explicit", TIME / 4, restart=path, store=path, **options)
    rest = Result.load(path)
    np.testing.assert_array_equal(rest.q, whole.q)
    for name, line in whole.energies.items():
        np.testing.assert_array_equal(rest.energies[name][2:], line[2:], err_msg=name)
    assert np.isfinite(rest.resume).all()
    point = Point(whole.state(-1), whole.a[-1], whole.resume[-1, :-1])
    with pytest.raises(InputError, match="belongs to another system or backend"):
        CompiledBackend(system, point, Statistics())


@pytest.mark.parametrize("begin", [0.0, 1000.0])
def test_round_off_of_the_times_changes_no_step(begin):
    """Outputs of a late time differ in their distance by the digits that the time leaves."""
    start = State(begin, np.array([1.0]), np.zeros(1))
    times = begin + 1e-4 * np.arange(1, 101)
    assert (np.ptp(np.diff(times)) > 1e-11 * 1e-4) == (begin > 0.0)
    motion = simulate(oscillator(8.0), float(times[-1]), start, "explicit", times, step=5e-5)
    assert motion.statistics.factorisations == 1
    assert motion.statistics.steps == 200
    d, w, t = 2.0, np.sqrt(396.0), 1e-2
    exact = np.exp(-d * t) * (np.cos(w * t) + d / w * np.sin(w * t))
    assert motion.q[-1, 0] == pytest.approx(exact, abs=1e-7)


def turns(direction=0, terminal=False):
    """Where the plate, which springs on its contact, turns back."""
    plate = len(slab().dofs)
    return Event(lambda t, state: float(state.v[plate]), "turn", terminal, direction)


def test_events_leave_the_compiled_motion_alone():
    """Blocks of steps, gone through again where an event is: found as among all steps.

    The motion is that without events, to the last bit, and so is what a restart gives.
    """
    system, start = clutch()
    run = partial(simulate, system, 4 * TIME, method="explicit", step=TIME / 200)
    plain, seen = run(start, output=TIME), run(start, output=TIME, events=[turns()])
    each = run(start, events=[turns()])
    assert len(seen.events) > 1
    found, exact = ([event.state.t for event in motion.events] for motion in (seen, each))
    assert found == pytest.approx(exact, rel=1e-14)  # steps differ by the round-off of outputs
    half = run(start, output=TIME, events=[turns()], callback=lambda p: p.state.t > 1.9 * TIME)
    rest = run(None, output=TIME, events=[turns()], restart=half)
    for name in ("t", "q", "v", "a", "z", "contact_status", "slip_totals", "resume"):
        expected = getattr(plain, name)
        np.testing.assert_array_equal(getattr(seen, name), expected, err_msg=name)
        np.testing.assert_array_equal(getattr(rest, name), expected[2:], err_msg=name)
    assert seen.statistics.steps == plain.statistics.steps
    assert [event.state.t for event in (*half.events, *rest.events)] == found


def test_a_terminal_event_ends_the_compiled_motion():
    system, start = clutch()
    run = partial(simulate, system, 4 * TIME, start, "explicit", step=TIME / 200)
    seen, each = (run(output=output, events=[turns(-1, True)]) for output in (TIME, None))
    assert seen.status == each.status == "stopped"
    for name in ("t", "q", "v", "z"):  # both divide the time into steps with their own round-off
        a, b = getattr(seen, name)[-1], getattr(each, name)[-1]
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-12 * np.abs(b).max(), err_msg=name)
    largest = max(np.abs(line).max() for line in each.energies.values())
    for name, line in each.energies.items():
        assert seen.energies[name][-1] == pytest.approx(line[-1], abs=1e-12 * largest), name


def test_bound():
    """Without damping omega h = 2; a longer step is refused, a shorter one is stable."""
    system, start = oscillator(), State(0.0, np.array([1.0]), np.zeros(1))
    bound = 2.0 / 20.0
    with pytest.raises(InputError, match=r"expected at most 0\.1 s"):
        simulate(system, 10.0, start, "explicit", step=1.01 * bound)
    motion = simulate(system, 500 * bound, start, "explicit", step=0.98 * bound)
    assert np.abs(motion.q).max() < 6.0
    default = simulate(system, 50.0, start, "explicit", 50.0)
    assert default.statistics.steps == pytest.approx(50.0 / (bound / 32.0), abs=1)


def test_bound_with_damped_contact():
    """One point on a damped penalty: omega h <= 2 (sqrt(1 + 4 zeta^2) - 2 zeta), sharp."""
    ball = RigidBody("ball", 1.0, ("uz",))
    omega, zeta = 1000.0, 0.5
    pair = ContactPair(
        ball, Surface(np.zeros((1, 3)), np.ones(1)), RigidFace(None, Plane()),
        PenaltyNormal(omega**2, 2 * zeta * omega), ElastoPlastic(0.3, 1.0), "floor",
    )  # fmt: skip
    system = System([ball], [pair, Gravity([ball])])
    bound = 2.0 * (np.sqrt(1.0 + 4.0 * zeta**2) - 2.0 * zeta) / omega
    rest = system.state(q={"ball.uz": -9.80665 / omega**2 * 1.01})
    with pytest.raises(InputError, match=f"expected at most {bound:.3g}"):
        simulate(system, 1.0, rest, "explicit", step=1.01 * bound)
    motion = simulate(system, 0.5, rest, "explicit", 0.5, step=0.97 * bound)
    assert abs(motion.q[-1, 0] * omega**2 / 9.80665 + 1.0) < 1e-6


def test_stiffening_law_is_watched():
    """A facing that stiffens tenfold lowers the bound during the run: told, not returned."""
    ball = RigidBody("ball", 1.0, ("uz",))
    facing = TableNormal(np.array([0.0, 1e-3, 1.1e-3]), np.array([0.0, 1.0, 1e5]))
    pair = ContactPair(
        ball, Surface(np.zeros((1, 3)), np.ones(1)), RigidFace(None, Plane()), facing,
        ElastoPlastic(0.3, 1.0), "floor",
    )  # fmt: skip
    system = System([ball], [pair, Gravity([ball])])
    with pytest.raises(SimulationError, match="smaller step"):
        simulate(system, 1.0, system.state(v={"ball.uz": -1.0}), "explicit", 0.01, step=0.02)


def test_lanes_by_system():
    """Rotations about several axes: the compiled loop over the program and the general one."""
    top = RigidBody("top", 1.0, DOFS, (0.1, 0.12, 0.15))
    system = System([top], [Gravity([top])])
    start = system.state(v={"top.rx": 5.0, "top.ry": 1.0, "top.rz": 3.0})
    exact = simulate(system, 0.1, start, "projected", 0.1, rtol=1e-11, atol=1e-12)
    for backend in ("auto", "general"):
        ends = []
        for step in (1e-3, 5e-4):
            motion = simulate(system, 0.1, start, "explicit", 0.1, step=step, backend=backend)
            steps = motion.statistics.steps
            assert motion.statistics.compiled == (steps if backend == "auto" else 0)
            ends.append(np.abs(motion.q[-1] - exact.q[-1]).max())
        assert np.log2(ends[0] / ends[1]) == pytest.approx(2.0, abs=0.2)


def test_spinning_surface_takes_the_right_lane():
    """A spinning ring pushed sideways: v' = -mu N v/(2 m Omega R) for v << Omega R."""
    rotor, surface = RigidBody("rotor", 1.0, ("ux", "uy", "uz"), spin=50.0), ring(0.1, 24)
    stiffness, damping = 1e6 / surface.measure, 200.0 / surface.measure
    pair = EulerianPair(rotor, surface, RigidFace(None, Plane()),
                        PenaltyNormal(stiffness, damping),
                        ElastoPlastic(0.3, stiffness, damping))  # fmt: skip
    system = System([rotor], [pair, Force(rotor, (0.0, 0.0, -10.0))])
    start = system.state(q={"rotor.uz": -1e-5}, v={"rotor.ux": 0.1})
    motion = simulate(system, 0.05, start, "explicit", step=2e-4)
    lost = 0.1 * (1.0 - np.exp(-0.3 * 10.0 * 0.05 / (2.0 * 50.0 * 0.1)))
    assert 0.1 - motion.state(-1).v[0] == pytest.approx(lost, rel=0.01)
    both = [simulate(system, 0.01, start, "explicit", step=2e-4, backend=backend)
            for backend in ("compiled", "general")]  # fmt: skip
    assert [run.statistics.compiled > 0 for run in both] == [True, False]
    np.testing.assert_allclose(both[0].q[-1], both[1].q[-1], rtol=1e-10, atol=1e-15)
