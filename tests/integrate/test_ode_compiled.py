"""Method "ode" by compiled programs: rates, derivatives and motion of the form in Python."""

from __future__ import annotations

import numpy as np
import pytest

import fecontact as fc
from fecontact.body.rigid import DOFS
from fecontact.contact.status import OPEN, SLIP, STICK
from fecontact.errors import InputError
from fecontact.integrate.rate.ode import Ode, OdeRun
from fecontact.integrate.start import first_point
from fecontact.reduction import reduce_model
from fecontact.results.statistics import Statistics

CORNERS = 0.05 * np.array([[x, y, 0.0] for x in (-1, 1) for y in (-1, 1)]) - [0, 0, 0.1]
LAYERS = {
    "penalty": fc.PenaltyNormal(1e4, 50.0),
    "creeping": fc.KelvinLayer(1e4, 100.0),
}


def thrown(layer="penalty", mu=0.3):
    """A spinning block that falls on a turning disc, held by a bushing, pushed by a curve."""
    block = fc.RigidBody("block", 2.0, DOFS, inertia=(0.01, 0.012, 0.015), position=(0, 0, 0.099))
    disc = fc.RigidBody("disc", 5.0, ("uz", "rz"), inertia=(0.1, 0.1, 0.2))
    floor = fc.RigidFace(disc, fc.Plane())
    laws = LAYERS[layer], fc.ElastoPlastic(mu, 1e4, 50.0)
    items = [
        fc.ContactPair(block, fc.Surface(CORNERS, np.ones(4)), floor, *laws),
        fc.Bushing(None, block, (50.0,) * 3 + (1.0,) * 3, (0.5,) * 6, name="bushing"),
        fc.Bearing(disc, 0.0, 1e5, axial_damping=100.0),
        fc.Force(block, (4.0, 0.0, 0.0), factor=fc.Sine(1.0, 30.0)),
        fc.Gravity([block, disc]),
    ]
    system = fc.System([block, disc], items)
    return system, {"disc.rz": 5.0, "block.rx": 1.0, "block.ry": 0.5, "block.uz": -0.1}


def floating(layer="penalty", mu=0.3):
    """A soft body, free in space, on the floor: its mass matrix depends on q."""
    rubber = fc.Material(young=5e6, poisson=0.4, density=1200.0)
    solid = fc.ElasticSolid(fc.block(0.3, 0.1, 0.05, cells=(3, 1, 1)), rubber)
    model = reduce_model(solid, "z_min", method="free", modes=3)
    body = fc.ElasticBody("body", model, damping=0.05)
    floor = fc.RigidFace(None, fc.Plane(point=(0.0, 0.0, 1e-4)))
    laws = LAYERS[layer], fc.ElastoPlastic(mu, 1e4, 50.0)
    rubs = fc.ContactPair(body, fc.elastic_surface(body, "z_min"), floor, *laws)
    return fc.System([body], [rubs, fc.Gravity([body])]), {"body.ux": 0.2}


SCENES = {"thrown": thrown, "floating": floating}


def started(scene, layer="penalty", **options):
    """A run at its start."""
    system, v = SCENES[scene](layer)
    start = first_point(system, system.state(v=v), "ode", None)[0]
    return OdeRun(Ode(**options), system, start, 1.0, Statistics())


def random_states(run, count=3):
    """States near the start, with points in all statuses."""
    rng, ends = np.random.default_rng(5), run.ends
    for _ in range(count):
        y = run.solver.y.copy()
        y[: ends[0]] += 1e-4 * rng.standard_normal(ends[0])
        y[ends[0] : ends[1]] += 0.1 * rng.standard_normal(ends[1] - ends[0])
        y[ends[1] : ends[2]] += 1e-5 * rng.standard_normal(ends[2] - ends[1])
        run.status = rng.choice([OPEN, STICK, SLIP], len(run.status))
        yield y


def close(found, expected, limit):
    """Whether numbers agree to a limit of the largest one."""
    size = np.abs(expected).max(initial=0.0)
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=limit * size)


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("scene", SCENES)
def test_rates(scene, layer):
    """Rates of all numbers, and the status that follows."""
    compiled, plain = (started(scene, layer, backend=b) for b in ("compiled", "general"))
    assert plain.rates is None
    for y in random_states(compiled):
        plain.status = compiled.status
        found, expected = compiled.rate(0.3, y), plain.rate(0.3, y)
        assert np.array_equal(compiled.rates.new_status, plain._seen(0.3, y)[0])
        for part in np.split(np.arange(len(y)), compiled.ends[:-1]):
            # the change of a potential by time alone is a difference over a microsecond
            limit = 1e-9 if part[0] == compiled.ends[3] else 1e-12
            close(found[part], expected[part], limit)


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("scene", SCENES)
def test_jacobian(scene, layer):
    """Derivatives of all rates, block by block."""
    compiled, plain = (started(scene, layer, backend=b) for b in ("compiled", "general"))
    for y in random_states(compiled):
        plain.status = compiled.status
        found, expected = compiled.jacobian(0.3, y), plain.jacobian(0.3, y)
        parts = np.split(np.arange(len(y)), compiled.ends[:-1])[:3]
        for rows in parts:
            for columns in parts:
                close(found[np.ix_(rows, columns)], expected[np.ix_(rows, columns)], 1e-11)


@pytest.mark.parametrize("solver", ["Radau", "LSODA", "RK45", "DOP853"])
@pytest.mark.parametrize("scene", SCENES)
def test_motion(scene, solver):
    """Motion, status and audit of the form in Python; explicit steps in one loop."""
    system, v = SCENES[scene]()
    end = {"thrown": 0.02, "floating": 0.002}[scene]
    general, compiled = (
        fc.simulate(system, end, system.state(v=v), "ode", end / 5, solver=solver, backend=backend)
        for backend in ("general", "compiled")
    )
    steps = compiled.statistics.steps
    assert compiled.statistics.compiled == (steps if solver in ("RK45", "DOP853") else 0)
    assert general.statistics.compiled == 0
    assert general.statistics.steps == steps or solver == "LSODA"
    close(compiled.q, general.q, 1e-9)
    close(compiled.v, general.v, 1e-6)
    assert np.array_equal(compiled.contact_status, general.contact_status)
    for name, line in general.energies.items():
        size = general.energies["kinetic"].max()
        np.testing.assert_allclose(compiled.energies[name], line, rtol=0.0, atol=1e-6 * size)


@pytest.mark.parametrize("solver", ["Radau", "DOP853"])
def test_coefficient_that_drops(solver):
    """Statuses matter where static friction is larger; steps end where they change."""
    system, v = thrown(mu=fc.Stribeck(0.2, 0.3, 0.1))
    general, compiled = (
        fc.simulate(system, 0.01, system.state(v=v), "ode", 0.005, solver=solver, backend=backend)
        for backend in ("general", "compiled")
    )
    assert compiled.statistics.compiled == 0
    close(compiled.q, general.q, 1e-9)
    assert np.array_equal(compiled.contact_status, general.contact_status)


def test_every_step_and_restart(tmp_path):
    """All steps are shown without outputs, and a run goes on from its file as if never stopped."""
    system, v = thrown()
    options = {"solver": "DOP853", "backend": "compiled"}
    all_steps = fc.simulate(system, 0.01, system.state(v=v), "ode", **options)
    assert len(all_steps.t) == all_steps.statistics.steps + 1
    path = tmp_path / "run.h5"
    fc.simulate(system, 0.005, system.state(v=v), "ode", 0.005, store=path, **options)
    whole = fc.simulate(system, 0.01, system.state(v=v), "ode", 0.005, **options)
    again = fc.simulate(system, 0.01, None, "ode", 0.005, restart=path, **options)
    close(again.q[-1], whole.q[-1], 1e-8)
    close(whole.q[-1], all_steps.q[-1], 1e-8)


def test_systems_without_program():
    """What has no compiled form is refused if it is asked for, and goes the other way else."""
    system, v = thrown()
    block = system.bodies[0]
    other = fc.RigidBody("other", 1.0, ("ux",))
    rod = fc.Distance(block, other, point_a=(1.0, 0.0, 0.0))
    joined = fc.System([*system.bodies, other], [*system.items[2:], rod])
    with pytest.raises(InputError, match="invalid backend = compiled for constraint"):
        fc.simulate(joined, 0.01, joined.rest(), "ode", 0.01, backend="compiled")
    with pytest.raises(InputError, match="backend"):
        fc.simulate(system, 0.01, system.state(v=v), "ode", 0.01, backend="fast")
