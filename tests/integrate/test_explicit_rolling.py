"""Eulerian contacts on a spinning plate in the compiled explicit loop, against the Python pair."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fecontact.body import RigidBody, SpinningDisc
from fecontact.contact import (
    ContactPair,
    ElastoPlastic,
    EulerianPair,
    PenaltyNormal,
    Plane,
    PlateFace,
    RigidFace,
    annulus,
    ring,
    waviness,
)
from fecontact.contact.kernels.blocks import SMALLEST
from fecontact.contact.laws.coefficient import Coulomb
from fecontact.errors import InputError
from fecontact.integrate import SimulationError, simulate
from fecontact.integrate.explicit._rolling import begin_rolling, end_rolling
from fecontact.integrate.explicit.contact import compiled_contacts
from fecontact.joint import Bearing, Force
from fecontact.reduction import reduce_harmonic
from fecontact.system import State, System

BACKENDS = ("compiled", "general")
MOVES = ("ux", "uy", "uz")
SLAVES = {
    "prescribed spin": (RigidBody("clutch", 0.5, spin=300.0), ring(0.1, 9, height=0.0025)),
    "free spin": (
        RigidBody("clutch", 0.5, (*MOVES, "spin"), (1e-3, 1e-3, 2e-3)),
        annulus(0.095, 0.105, (2, 8), height=0.0025),
    ),
    "pad that turns": (
        RigidBody("pad", 0.5, (*MOVES, "rz"), (1e-3, 1e-3, 2e-3)),
        ring(0.1, 5, height=0.0025),
    ),
    "many points": (RigidBody("clutch", 0.5, spin=340.0), ring(0.1, 150, height=0.0025)),
}


@pytest.fixture(scope="module")
def model(plate):
    return reduce_harmonic(plate, 0.1, harmonics=2, modes=1)


def built(model, name="prescribed spin", load=5000.0):
    slave, surface = SLAVES[name]
    disc = SpinningDisc("plate", model, 390.0, 5e-4)
    normal = PenaltyNormal(12e6 / surface.measure, 10.0 / surface.measure)
    law = ElastoPlastic(Coulomb(0.35), 12e7 / surface.measure, 100.0 / surface.measure)
    pair = EulerianPair(slave, surface, PlateFace(disc), normal, law)
    guide = Bearing(slave, 32e6, 3e6, radial_damping=10.0, axial_damping=10.0)
    return System([slave, disc], [guide, Force(slave, (0.0, 0.0, -load)), pair])


def at_random(system, rng):
    """A state with closed, sticking, sliding and open points, and one a step later."""
    n, slave = system.size, len(system.bodies[0].dofs)
    sizes = np.full(n, 3e-4)
    sizes[slave:] /= np.sqrt(np.diag(system.bodies[1].model.mass))
    q, dq = sizes * rng.standard_normal(n), 1e-3 * sizes * rng.standard_normal(n)
    q[2] = -3e-4
    v, w = 1e3 * sizes * rng.standard_normal((2, n))
    state = system.history_layout.filled(State(0.0, q, v))
    statuses = rng.integers(0, 3, len(state.status))
    state = replace(state, z=4e-6 * rng.standard_normal(len(state.z)), status=statuses)
    return state, replace(state, t=1e-6, q=q + dq, v=w)


@pytest.mark.parametrize("name", SLAVES)
def test_same_step_as_the_pair(model, name):
    """Force, elastic slip, status and slip totals of a step from random states, to 1e-12."""
    system, rng, seen = built(model, name), np.random.default_rng(5), set()
    pair = system.stateful_contacts[0]
    for _ in range(4):
        before, after = at_random(system, rng)
        h = after.t
        middle = (after.q - before.q) / h
        history = system.history_layout.history(before, pair.name)
        (rolling,) = compiled_contacts(system, before)[1]
        force = np.empty(system.size)
        rolling.contact.grip[:] = [-SMALLEST, 0.0, 0.0, 0.0]  # only the end of the step counts
        begin_rolling(rolling, before.q, before.v)
        assert end_rolling(rolling, after.q, after.v, middle, h, force)
        start = pair.begin(before.t, *system.local(pair, before), history)
        step = start.at(after.t, *system.local(pair, after), h)
        for found, expected, tolerance in (
            (force, step.force, 1e-12),
            (rolling.contact.z, step.history.z, 1e-12),
            # a micron of slip is the difference of positions of 0.1 m
            (rolling.contact.slip_totals, step.history.slip_totals, 1e-11),
        ):
            scale = np.abs(expected).max(axis=0)
            assert np.all(np.abs(found - expected) <= tolerance * scale + SMALLEST)
        np.testing.assert_array_equal(rolling.contact.status, step.history.status)
        report, (supplied, lost) = step.report(), _powers(rolling.contact, force, after.v, h)
        assert lost == pytest.approx(report.damping_power, rel=1e-9)
        assert supplied == pytest.approx(report.supplied_power, rel=1e-9)
        seen |= set(rolling.contact.status.tolist())
    assert seen >= ({0, 2} if "pad" in name else {0, 1, 2})  # 39 m/s under a pad


def _powers(contact, force, v, h):
    """Supplied and damping power of the step, as the loop counts them."""
    return force @ v - contact.total[9], contact.total[10] + 2.0 * contact.total[11] / h


TIME = 1e-4


def run(system, start, backend="compiled", end=TIME, **options):
    return simulate(
        system, end, start, "explicit", TIME / 4, step=TIME / 100, backend=backend, **options
    )


def opening(system):
    """A clutch that whirls and tips the plate, so that a part of the ring opens."""
    start = system.state(q={"clutch.uz": -6e-4}, v={"clutch.ux": 3.0, "clutch.uz": 1.5})
    plate = system.slices["plate"]
    start.v[plate][3:5] = 0.3
    return start


def test_lanes_give_the_same_motion(model):
    """The compiled loop against the same formulas in Python, with points that open and close."""
    system = built(model)
    fast, slow = (run(system, opening(system), backend) for backend in ("compiled", "general"))
    assert fast.statistics.compiled == fast.statistics.steps == 100
    assert len(set(slow.contact_status.ravel().tolist())) > 1
    for name in ("q", "v", "a", "z", "slip_totals"):
        a, b = (getattr(motion, name) for motion in (fast, slow))
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-9 * np.abs(b).max(), err_msg=name)
    np.testing.assert_array_equal(fast.contact_status, slow.contact_status)
    scale = max(abs(line).max() for line in slow.energies.values())
    for line, values in slow.energies.items():
        np.testing.assert_allclose(
            fast.energies[line], values, rtol=0, atol=2e-4 * scale, err_msg=line
        )


def test_restart_is_exact(model):
    system = built(model)
    whole = run(system, opening(system))
    half = run(system, opening(system), end=TIME / 2)
    rest = run(system, None, restart=half)
    for name in ("t", "q", "v", "a", "z", "contact_status", "slip_totals", "resume"):
        np.testing.assert_array_equal(getattr(rest, name), getattr(whole, name)[2:], err_msg=name)


def test_off_the_plate(model):
    """A point that leaves the plate stops the run with a cure."""
    system = built(model)
    start = system.state(v={"clutch.ux": 500.0})
    with pytest.raises(SimulationError, match="no unique projection on its surface"):
        run(system, start)


def test_refusals(model):
    """What the compiled loop cannot do is named."""
    system = built(model)
    clutch, disc = system.bodies
    pair = system.stateful_contacts[0]
    uneven = replace(pair, surface=pair.surface.with_gap(waviness(1e-4, 2)))
    with pytest.raises(InputError, match="initial gap is not the same"):
        compiled(System([clutch, disc], [uneven]))
    plane = replace(pair, master=RigidFace(None, Plane()))
    with pytest.raises(InputError, match="master is not a PlateFace"):
        compiled(System([clutch, disc], [plane]))


def compiled(system):
    return compiled_contacts(system, system.history_layout.filled(system.rest()))


def test_both_kinds_of_contact_in_one_loop(model):
    """A clutch on a spinning plate beside a pad on a spinning table: compiled as in Python."""
    clutch = built(model)
    table = RigidBody("table", 1.0, (), spin=20.0)
    pad = RigidBody("pad", 0.2, MOVES)
    pair = ContactPair(pad, ring(0.05, 6), RigidFace(table, Plane()), PenaltyNormal(1e8, 1e3),
                       ElastoPlastic(0.4, 2e7, 200.0), "pad on table")  # fmt: skip
    held = [Bearing(pad, 1e5, 10.0, name="hold"), Force(pad, (0.0, 0.0, -20.0), name="press")]
    system = System([pad, table, *clutch.bodies], [pair, *held, *clutch.items[2:]])
    start = system.state(q={"pad.uz": -1e-6, "clutch.uz": -3e-4})
    run = {"method": "explicit", "step": 1e-6, "output": 1e-4}
    fast, slow = (simulate(system, 1e-3, start, backend=backend, **run) for backend in BACKENDS)
    assert fast.statistics.compiled == 1000
    for name in ("q", "v", "z", "slip_totals"):
        a, b = (getattr(motion, name) for motion in (fast, slow))
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-9 * np.abs(b).max(), err_msg=name)
    np.testing.assert_array_equal(fast.contact_status, slow.contact_status)
    scale = max(abs(line).max() for line in slow.energies.values())
    for line, values in slow.energies.items():
        np.testing.assert_allclose(fast.energies[line], values, rtol=0, atol=2e-4 * scale,
                                   err_msg=line)  # fmt: skip
