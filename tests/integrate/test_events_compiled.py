"""The compiled loop of the event-driven method: rates, events and motion of the general one."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import fecontact as fc
from fecontact.body.rigid import DOFS
from fecontact.contact.status import GROSS, OPEN, SLIP, STICK
from fecontact.errors import InputError, SolverError
from fecontact.integrate.events import march
from fecontact.integrate.events.automaton import Signals, event_functions
from fecontact.integrate.events.method import EventRun, Events
from fecontact.integrate.rate.equations import rates
from fecontact.integrate.start import first_point
from fecontact.results.statistics import Statistics

TIGHT = {"solver": "DOP853", "rtol": 1e-9, "atol": 1e-11}


def oscillator():
    """A mass on a spring and a rough floor, driven by a force that changes with time."""
    mass = fc.RigidBody("mass", 1.0, ("ux", "uz"))
    foot = fc.Surface(np.zeros((2, 3)), np.full(2, 0.5))
    layer, bristles = fc.PenaltyNormal(1e4, 50.0), fc.ElastoPlastic(0.3, 1e4, 100.0)
    items = [
        fc.SpringDamper(None, mass, 400.0, 0.5, point_a=(-1.0, 0.0, 0.0)),
        fc.ContactPair(mass, foot, fc.RigidFace(None, fc.Plane()), layer, bristles),
        fc.Gravity([mass]),
        fc.Force(mass, (4.0, 0.0, 0.0), factor=fc.Sine(1.0, 3.0)),
    ]
    return fc.System([mass], items), {"mass.ux": 0.5}


def thrown():
    """A spinning block that falls on a turning disc, and is held by a bushing."""
    block = fc.RigidBody("block", 2.0, DOFS, inertia=(0.01, 0.012, 0.015), position=(0, 0, 0.101))
    disc = fc.RigidBody("disc", 5.0, ("uz", "rz"), inertia=(0.1, 0.1, 0.2))
    corners = 0.05 * np.array([[x, y, 0.0] for x in (-1, 1) for y in (-1, 1)]) - [0, 0, 0.1]
    feet, laws = fc.Surface(corners, np.ones(4)), (
        fc.PenaltyNormal(1e5, 100.0), fc.ElastoPlastic(fc.Stribeck(0.2, 0.3, 0.1), 1e5, 100.0),
    )  # fmt: skip
    items = [
        fc.ContactPair(block, feet, fc.RigidFace(disc, fc.Plane()), *laws),
        fc.Bushing(None, block, (50.0,) * 3 + (1.0,) * 3, (0.5,) * 6, name="bushing"),
        fc.Bearing(disc, 0.0, 1e5, axial_damping=100.0),
        fc.Gravity([block, disc]),
    ]
    return fc.System([block, disc], items), {"disc.rz": 20.0, "block.rx": 2.0, "block.uz": -0.3}


@cache
def beam():
    """A soft block."""
    rubber = fc.Material(young=5e6, poisson=0.4, density=1200.0)
    solid = fc.ElasticSolid(fc.block(0.3, 0.1, 0.05, cells=(3, 1, 1)), rubber)
    return fc.reduce_model(solid, "z_min", method="free", modes=3)


def floating():
    """An elastic body that is free in space and touches the floor: its mass depends on q."""
    body = fc.ElasticBody("body", beam(), damping=0.05)
    face, floor = fc.elastic_surface(body, "z_min"), fc.Plane(point=(0.0, 0.0, 1e-4))
    laws = fc.PenaltyNormal(1e6, 100.0), fc.ElastoPlastic(0.3, 1e6, 100.0)
    rubs = fc.ContactPair(body, face, fc.RigidFace(None, floor), *laws)
    return fc.System([body], [rubs, fc.Gravity([body])]), {"body.ux": 0.2}


SCENES = {"oscillator": oscillator, "thrown": thrown, "floating": floating}


def started(scene, **options):
    """A run at its start, by the compiled loop."""
    system, v = SCENES[scene]()
    start = first_point(system, system.state(v=v), "events", None)[0]
    return EventRun(Events(**TIGHT, **options), system, start, 1.0, Statistics())


@pytest.mark.parametrize("audit", [True, False])
@pytest.mark.parametrize("scene", SCENES)
def test_rates(scene, audit):
    """Rates of all numbers at random states, with points in all statuses."""
    run, rng = started(scene, audit=audit), np.random.default_rng(5)
    points = len(run.contacts.status)
    contacts = run.contacts
    for _ in range(4):
        y = run.solver.y + 1e-3 * rng.standard_normal(run.ends[-1])
        toward = rng.standard_normal((points, 3))
        status = rng.choice([OPEN, STICK, SLIP, GROSS], points)
        run.contacts = replace(contacts, status=status, toward=toward)
        run.status = status
        run.steps.write(run.contacts)
        found = np.empty(len(y))
        assert rates(run.steps.equations, 0.3, y, found) == 0
        expected = run.rate(0.3, y)
        ends = run.ends
        for part in np.split(np.arange(ends[-1]), ends[:-1]):
            size = np.abs(expected[part]).max(initial=0.0) + 1e-3
            # the change of a potential by time alone is a difference over a microsecond
            limit = 1e-9 if part[0] == ends[3] else 1e-12
            np.testing.assert_allclose(found[part], expected[part], rtol=0.0, atol=limit * size)
        assert np.any(expected[ends[3] :]) == audit


def test_event_functions():
    """Event functions of random points in all statuses, against the form for arrays."""
    run, rng = started("thrown"), np.random.default_rng(2)
    own, watch = run.steps.equations, run.steps.watch
    for _ in range(200):
        own.status[:] = rng.choice([OPEN, STICK, SLIP, GROSS], 4)
        own.signals[:] = rng.standard_normal(own.signals.shape)
        own.signals[5] *= 2.0 * run.contacts.eps
        y = run.solver.y
        y[run.ends[1] : run.ends[2]] = 1e-5 * rng.standard_normal(12)
        watch.rest[:], watch.threshold[:] = -rng.uniform(size=4), rng.uniform(size=4)
        t = watch.numbers[march.SINCE] + 1e-4
        march.functions_at(own, watch, t, y)
        left = np.exp(-watch.relaxation * 1e-4)
        bend = watch.stiffness * np.linalg.norm(y[run.ends[1] : run.ends[2]].reshape(4, 3), axis=1)
        s = own.signals
        now = Signals(
            s[0], s[1], s[2], np.arccos(np.clip(s[3], -1.0, 1.0)), s[4], s[5],
            s[6] - watch.rest * left, bend,
        )  # fmt: skip
        eps, angle = run.contacts.eps, run.contacts.angle
        expected = event_functions(own.status, now, watch.threshold, eps, angle, watch.pulls)
        np.testing.assert_allclose(watch.functions, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("solver", ["RK45", "DOP853"])
@pytest.mark.parametrize("scene", SCENES)
def test_motion(scene, solver):
    """The motion, the switches and the audit of the general loop."""
    system, v = SCENES[scene]()
    end = {"oscillator": 0.6, "thrown": 0.05, "floating": 0.01}[scene]
    options = TIGHT | {"solver": solver}
    general, compiled = (
        fc.simulate(system, end, system.state(v=v), "events", end / 7, backend=backend, **options)
        for backend in ("general", "compiled")
    )
    assert general.statistics.compiled == 0
    assert compiled.statistics.compiled == compiled.statistics.steps > 0
    assert general.statistics.events == compiled.statistics.events > 0
    for name in ("q", "v"):
        ours, theirs = getattr(compiled, name), getattr(general, name)
        np.testing.assert_allclose(ours, theirs, rtol=0.0, atol=1e-7 * np.abs(theirs).max())
    assert np.array_equal(compiled.contact_status, general.contact_status)
    for name, line in general.energies.items():
        size = general.energies["kinetic"].max()
        np.testing.assert_allclose(compiled.energies[name], line, rtol=0.0, atol=1e-6 * size)
    for name in ("to_open", "to_stick", "to_slip", "to_gross_slip"):
        assert getattr(compiled.statistics, name) == getattr(general.statistics, name), name


def test_every_step():
    """Without outputs all steps are shown, each event too."""
    system, v = oscillator()
    one, two = (
        fc.simulate(system, 0.3, system.state(v=v), "events", backend=backend, **TIGHT)
        for backend in ("general", "compiled")
    )
    assert len(one.t) == len(two.t)
    np.testing.assert_allclose(one.t, two.t, atol=1e-6)


class Broken:
    """A load that fails when the mass has moved."""

    name = "broken"

    def __init__(self, body):
        self.bodies = (body,)

    def force(self, t, q, v):
        """No force, or an error."""
        if t > 0.1:
            raise InputError("broken: it does not work")
        return np.zeros(len(v))

    def tangents(self, t, q, v):
        """Nothing."""
        none = np.zeros((len(v), len(v)))
        return none, none


def test_items_in_python():
    """Items without a compiled form are called back; what they raise is what the user sees."""
    system, v = oscillator()
    more = fc.System(system.bodies, [*system.items[1:], Broken(system.bodies[0])])
    with pytest.raises(InputError, match="broken: it does not work"):
        fc.simulate(more, 0.3, more.state(v=v), "events", 0.1, backend="compiled", **TIGHT)
    motion = fc.simulate(more, 0.05, more.state(v=v), "events", 0.05, backend="compiled", **TIGHT)
    alone = fc.simulate(system, 0.05, system.state(v=v), "events", 0.05, **TIGHT)
    np.testing.assert_allclose(motion.q, alone.q, atol=1e-12)


def test_budget_of_steps():
    system, v = oscillator()
    with pytest.raises(SolverError, match="max_steps = 20 is used up"):
        fc.simulate(system, 0.6, system.state(v=v), "events", 0.6, max_steps=20, **TIGHT)


def test_systems_without_compiled_loop():
    system, v = oscillator()
    start = system.state(v=v)
    with pytest.raises(InputError, match="invalid backend = compiled for solver 'Radau'"):
        fc.simulate(system, 0.1, start, "events", 0.1, backend="compiled")
    mass, other = system.bodies[0], fc.RigidBody("other", 1.0, ("ux",))
    rod = fc.Distance(mass, other, point_a=(1.0, 0.0, 0.0))
    joined = fc.System([mass, other], [*system.items[1:], rod])
    with pytest.raises(InputError, match="invalid backend = compiled for constraint"):
        fc.simulate(joined, 0.1, joined.rest(), "events", 0.1, backend="compiled", **TIGHT)
    with pytest.raises(InputError, match="backend"):
        fc.simulate(system, 0.1, start, "events", 0.1, backend="fast")
