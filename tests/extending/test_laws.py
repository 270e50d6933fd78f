"""Laws from outside of the package, one file each, in everything that a law of the package does.

`WarmBristles` is a friction law with two internal variables besides its elastic slip,
`CreepingLayer` a normal law with one.
"""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import cache

import meshio
import numba
import numpy as np
import pytest
from creeping_layer import CreepingLayer
from warm_bristles import WarmBristles

import fecontact as fc
from fecontact.analysis.stability.slip_states import with_steady_slip
from fecontact.contact import ContactHistory
from fecontact.contact.evaluate.compiled.rigid import compiled_rigid
from fecontact.contact.laws.point import scalar, vector
from fecontact.contact.status import SLIP, STICK
from fecontact.errors import InputError
from fecontact.results.recording import Recording
from fecontact.view.series import write_series

MASS, LOAD, MU, H = 2.0, 50.0, 0.4, 1e-3
WARM = WarmBristles(MU, 1e5, 1e2)
CREEP = CreepingLayer(1e6, 1e4, 1e4)
POINT = fc.Surface(np.zeros((1, 3)), np.ones(1))
METHODS = {
    "implicit": {"step": 2.5e-4},
    "explicit": {"step": 1e-4},
    "ode": {},
}
SCENES = {"friction": (fc.PenaltyNormal(1e6, 1e3), WARM), "both": (CREEP, WARM)}


def thrown(scene):
    """A block on springs that slides on the ground and comes to rest."""
    normal, friction = SCENES[scene]
    block = fc.RigidBody("block", MASS, ("ux", "uz"))
    pair = fc.ContactPair(
        block, POINT, fc.RigidFace(None, fc.Plane()), normal, friction, name="facing"
    )
    spring = fc.Bearing(block, 800.0, 1e-9, radial_damping=20.0)
    system = fc.System([block], [spring, fc.Force(block, (0.0, 0.0, -LOAD)), pair])
    return system, system.state(v={"block.ux": 2.0})


@cache
def motion(scene, method, **options):
    system, start = thrown(scene)
    return fc.simulate(system, 0.1, start, method, 0.01, **(METHODS[method] | options))


def on_belt(friction, normal=None, speed=0.2):
    """A block on springs, on a belt that runs."""
    block = fc.RigidBody("block", MASS, ("ux", "uz"))
    belt = fc.RigidBody("belt", 1.0, ("ux",))
    drive = fc.PrescribedMotion(
        fc.DofCoordinate(belt, "ux"), fc.Speed(speed), level="velocity", name="drive"
    )
    normal = normal or fc.PenaltyNormal(1e6, 1e3)
    pair = fc.ContactPair(
        block, POINT, fc.RigidFace(belt, fc.Plane()), normal, friction, name="facing"
    )
    spring = fc.Bearing(block, 800.0, 1e-9, radial_damping=20.0)
    return fc.System([block, belt], [drive, spring, fc.Force(block, (0, 0, -LOAD)), pair])


def steady_limit(law, speed):
    """L of steady sliding: L = (1 + rise) mu N/(1 + fade heat tau L |s|), by bisection."""
    low, high = 0.0, (1.0 + law.rise) * MU * LOAD
    for _ in range(200):
        mean = 0.5 * (low + high)
        theta = law.heat * law.cooling_time * mean * speed
        above = mean * (1.0 + law.fade * theta) > (1.0 + law.rise) * MU * LOAD
        low, high = (low, mean) if above else (mean, high)
    return low


def random_points(seed=0, count=12):
    rng = np.random.default_rng(seed)
    z = np.column_stack([
        rng.normal(0, 3e-4, (count, 2)), np.zeros(count),
        rng.uniform(0, 20, count), rng.uniform(0, 1, count),
    ])  # fmt: skip
    slip = np.column_stack([rng.normal(0, 0.5, (count, 2)), np.zeros(count)])
    return z, slip, rng.uniform(20, 80, count), rng.choice([STICK, SLIP], count)


def differences(function, x, scale):
    """Central differences (p, r, m) of a function of rows."""
    columns = []
    for j in range(x.shape[1]):
        up, down = x.copy(), x.copy()
        step = 1e-6 * scale[j]
        up[:, j] += step
        down[:, j] -= step
        columns.append((function(up) - function(down)) / (2.0 * step))
    return np.stack(columns, axis=2)


SCALES = np.array([1e-3, 1e-3, 1e-3, 10.0, 1.0])


def close(found, expected):
    size = np.abs(expected).max(axis=(0,), keepdims=True)
    assert np.abs(found - expected).max() <= 1e-7 * np.abs(expected).max()
    assert np.all(np.abs(found - expected) <= 1e-6 * size + 1e-9 * np.abs(expected).max())


def test_tangents_of_the_step():
    z, slip, p, status = random_points()
    shift = H * slip

    def traction(z, slip, p):
        return WARM.step(z, slip, p[:, 0], status, H, shift).traction

    by, P = WARM.d_step(z, slip, p, status, H, shift), p[:, None]
    close(by.by_z, differences(lambda x: traction(x, slip, P), z, SCALES)[:, :, :3])
    close(by.by_slip, differences(lambda x: traction(z, x, P), slip, np.ones(3)))
    close(by.by_pressure[:, :, None], differences(lambda x: traction(z, slip, x), P, [50.0]))


@pytest.mark.parametrize("part", ["traction", "z_rate"])
def test_tangents_of_the_rate(part):
    z, slip, p, status = random_points(1)

    def value(z, slip, p):
        return getattr(WARM.rate(z, slip, p[:, 0], status), part)

    by, P = WARM.d_rate(z, slip, p, status)[part == "z_rate"], p[:, None]
    close(by.by_z, differences(lambda x: value(x, slip, P), z, SCALES))
    close(by.by_slip, differences(lambda x: value(z, x, P), slip, np.ones(3)))
    close(by.by_pressure[:, :, None], differences(lambda x: value(z, slip, x), P, [50.0]))


def test_tangents_of_the_layer():
    gap, state = np.array([-1e-3, -5e-4, 1e-3]), np.array([[2e-4], [1e-4], [5e-4]])
    still, h = np.zeros(3), 1e-3

    def pressure(gap):
        return CREEP.step(state, gap, gap, still, h).pressure

    step = CREEP.step(state, gap, gap, still, h)
    found = (pressure(gap + 1e-9) - pressure(gap - 1e-9)) / 2e-9
    np.testing.assert_allclose(step.by_gap, found, rtol=1e-7)
    now = CREEP.rate(state, gap, still)
    ahead, back = CREEP.rate(state + 1e-9, gap, still), CREEP.rate(state - 1e-9, gap, still)
    np.testing.assert_allclose(
        now.z_rate_by[2][:, :, 0], (ahead.z_rate - back.z_rate) / 2e-9, rtol=1e-7
    )


@pytest.mark.parametrize("scene", SCENES)
def test_compiled_and_reference_backends_agree(scene):
    """The laws run in the compiled backend, with the numbers of the reference one."""
    system, _ = thrown(scene)
    pair = next(item for item in system.items if isinstance(item, fc.ContactPair))
    assert compiled_rigid(pair) is not None
    fast = motion(scene, "explicit", backend="compiled")
    plain = motion(scene, "explicit", backend="general")
    for name in ("q", "v", "z", "contact_status", "slip_totals"):
        one, other = getattr(fast, name), getattr(plain, name)
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-13 * np.abs(other).max())


def run_in_error(result):
    """Largest difference of the run-in variable to 1 - exp(-work/W), relative."""
    facing = result.contacts["facing"]
    run_in, work = facing.field("run_in")[:, 0], facing.slip_work[:, 0]
    expected = -np.expm1(-work / WARM.run_in_work)
    return float(np.abs(run_in - expected).max() / expected.max())


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("scene", SCENES)
def test_states_by_name(scene, method):
    """Running in follows the slip work; all energy is accounted for.

    Over steps the work of the audit is that of the mean friction of both ends, the law sees the
    friction at the end: they differ by a part of first order.
    """
    result = motion(scene, method)
    facing = result.contacts["facing"]
    assert {"elastic_slip", "theta", "run_in"} <= set(facing.names)
    work = facing.slip_work[:, 0]
    assert facing.field("run_in")[-1, 0] > 0.5
    if method == "ode":
        assert run_in_error(result) < 1e-6
    else:
        step = {"implicit": 1e-3, "explicit": 2e-4}[method]
        coarse, fine = (run_in_error(motion(scene, method, step=h)) for h in (step, step / 2))
        assert fine < 0.65 * coarse
    np.testing.assert_array_equal(result["facing.theta"], facing.field("theta"))
    assert 0.0 < facing.field("theta")[-1, 0] < WARM.heat * work[-1]
    if scene == "both":
        settled = facing.field("settled")[:, 0]
        assert np.all(np.diff(settled) > 0.0)
        crept = LOAD / CREEP.hold * -np.expm1(-CREEP.hold / CREEP.viscosity * 0.1)
        np.testing.assert_allclose(settled[-1], crept, rtol=0.05)
    residual = np.abs(result.energies["residual"]).max()
    assert residual < (1e-6 if method == "ode" else 2e-3) * work[-1]


@pytest.mark.parametrize("scene", SCENES)
def test_methods_agree(scene):
    """Steps converge to continuous time with their first order."""
    exact = motion(scene, "ode")
    for method, step in (("implicit", 1e-3), ("explicit", 2e-4)):
        errors = []
        for h in (step, step / 2):
            found = motion(scene, method, step=h)
            off = [
                np.abs(found[name] - exact[name]).max() / np.abs(exact[name]).max()
                for name in ("block.ux", "facing.theta", "facing.run_in")
            ]
            errors.append(max(off))
        assert errors[1] < 0.65 * errors[0], method
        assert errors[1] < 0.02, method


def test_statics():
    """A slow pull: cold, and the limit rises with the work of slip."""
    block = fc.RigidBody("block", MASS, ("ux", "uz"))
    law, soft = replace(WARM, mu=MU), 1e4
    pair = fc.ContactPair(
        block, POINT, fc.RigidFace(None, fc.Plane()), fc.PenaltyNormal(1e6), law, name="facing"
    )
    pull = fc.Force(block, (60.0, 0.0, 0.0), factor=fc.ramp(1.0), name="pull")
    press = fc.Force(block, (0.0, 0.0, -LOAD), name="press")
    system = fc.System([block], [fc.Bearing(block, soft, 1e-9), press, pull, pair])
    path = fc.load_path(fc.StaticSystem(system), np.linspace(0.05, 1.0, 20))
    last = path.increments[-1].contacts["facing"]
    z, theta, w = last.history.z[0, 0], last.history.z[0, 3], last.history.z[0, 4]
    work = last.history.slip_totals[0, 0]
    assert theta == 0.0
    assert w > 0.01
    np.testing.assert_allclose(w, -np.expm1(-work / law.run_in_work), rtol=1e-12)
    np.testing.assert_allclose(law.stiffness * z, (1 + law.rise * w) * MU * LOAD, rtol=0.02)


def test_statics_of_the_layer():
    """Settled under a load it is as stiff as both springs in series; let go, it comes back."""
    block = fc.RigidBody("block", MASS, ("ux", "uz"))
    pair = fc.ContactPair(
        block, POINT, fc.RigidFace(None, fc.Plane()), CREEP, fc.ElastoPlastic(MU, 1e5), "facing"
    )
    press = fc.Force(block, (0.0, 0.0, -LOAD), factor=fc.Table([0.0, 1.0, 2.0], [0.0, 1.0, 0.5]))
    system = fc.System([block], [fc.Bearing(block, 1e4, 1e-9), press, pair])
    path = fc.load_path(system, [0.5, 1.0, 2.0])
    loads = LOAD * np.array([0.5, 1.0, 0.5])
    stiffness = CREEP.stiffness * CREEP.hold / (CREEP.stiffness + CREEP.hold)
    np.testing.assert_allclose([x[1] for x in path.x], -loads / stiffness, rtol=1e-9)
    settled = [each.contacts["facing"].history.z[0, 3] for each in path.increments]
    np.testing.assert_allclose(settled, loads / CREEP.hold, rtol=1e-9)


def test_small_motions_on_the_layer():
    """The mass on the layer: m z'' = c (d - u), eta u' = c (d - u) - k u, beside the friction."""
    modes = fc.operating_point(on_belt(WARM, CREEP), friction="state").modes
    c, k, eta = CREEP.stiffness, CREEP.hold, CREEP.viscosity
    A = np.array([[0.0, 1.0, 0.0], [-c / MASS, 0.0, -c / MASS], [-c / eta, 0.0, -(c + k) / eta]])
    for value in np.linalg.eigvals(A):
        if value.imag >= 0.0:
            assert np.abs(modes.eigenvalues - value).min() < 1e-7 * abs(value)


@pytest.mark.parametrize("speed", [0.1, 1.0])
def test_steady_sliding(speed):
    """Limit, temperature and bristle of steady sliding in closed form."""
    law = replace(WARM, fade=0.2, heat=1.0)
    system = on_belt(law, speed=speed)
    steady = fc.steady_state(system)
    limit = steady_limit(law, speed)
    assert limit < 0.9 * (1.0 + law.rise) * MU * LOAD
    np.testing.assert_allclose(800.0 * steady.state.q[0], limit, rtol=1e-8)
    z, theta, w = np.split(with_steady_slip(system, steady.state).z, [3, 4])
    assert theta == pytest.approx(law.heat * law.cooling_time * limit * speed, rel=1e-7)
    assert w == pytest.approx(1.0, rel=1e-9)
    assert law.stiffness * np.linalg.norm(z) == pytest.approx(limit, rel=1e-7)


def test_small_motions_without_feedback():
    """Without effect on the friction theta and w add their own decay to the eigenvalues."""
    law, plain = replace(WARM, fade=0.0, rise=0.0), fc.ElastoPlastic(MU, 1e5, 1e2)
    found, known = (
        fc.operating_point(on_belt(each), friction="state").modes.eigenvalues
        for each in (law, plain)
    )
    power = MU * LOAD * 0.2
    expected = [*known, -1.0 / law.cooling_time, -power / law.run_in_work]
    assert len(found) == len(expected)
    for value in expected:
        assert np.abs(found - value).min() < 1e-8 * abs(value)


@pytest.mark.parametrize("normal", [None, fc.SolidLayer(1e6, 2e6, 0.02)])
def test_tangents_with_states(normal):
    """Derivatives of forces and rates by all coordinates and internal variables."""
    system = on_belt(replace(WARM, fade=0.2, heat=1.0), normal)
    state = with_steady_slip(system, fc.steady_state(system).state)
    state = replace(state, z=state.z * 1.01)
    by = system.rate_form(state).tangents()
    width = len(state.z)
    sizes = {"q": np.full(3, 1e-4), "v": np.full(3, 0.1), "z": np.maximum(np.abs(state.z), 1e-4)}
    assert width == (5 if normal is None else 6)
    for name, size in sizes.items():
        for j, step in enumerate(1e-5 * size):
            moved = [getattr(state, name).copy() for _ in range(2)]
            moved[0][j] += step
            moved[1][j] -= step
            ahead, back = (system.rate_form(replace(state, **{name: x})) for x in moved)
            for part in ("force", "z_rate"):
                difference = (getattr(ahead, part) - getattr(back, part)) / (2.0 * step)
                exact = getattr(by, f"{part}_by_{name}")[:, j]
                scale = np.abs(getattr(by, f"{part}_by_{name}")).max(axis=1) * size.max() / size[j]
                np.testing.assert_array_less(np.abs(difference - exact), 1e-7 * scale + 1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_store_and_exact_restart(tmp_path, method):
    """Internal variables by name in the file, in VTK, and to the last bit in a continued run."""
    system, start = thrown("both")
    options = METHODS[method]
    path = tmp_path / "run.h5"
    whole = fc.simulate(system, 0.02, start, method, 0.005, store=path, **options)
    stored = fc.Result.load(path)
    for name in ("elastic_slip", "theta", "run_in", "settled"):
        np.testing.assert_array_equal(stored[f"facing.{name}"], whole[f"facing.{name}"])
        assert np.any(stored[f"facing.{name}"])
    if method != "ode":
        half = fc.simulate(system, 0.01, start, method, 0.005, **options)
        rest = fc.simulate(system, 0.02, None, method, 0.005, restart=half, **options)
        for name in ("q", "v", "z", "contact_status", "slip_totals"):
            np.testing.assert_array_equal(getattr(rest, name), getattr(whole, name)[2:])
    last = [f for f in write_series(stored, tmp_path / "vtk") if f.endswith(".vtu")][-1]
    fields = meshio.read(tmp_path / "vtk" / last).point_data
    np.testing.assert_allclose(fields["theta"], whole["facing.theta"][-1])
    np.testing.assert_allclose(fields["settled"], whole["facing.settled"][-1])


def test_shooting():
    """The periodic motion under a load that varies is that to which a long run settles."""
    law = replace(WARM, cooling_time=0.02, heat=2.0, fade=0.1, run_in_work=0.05)
    block = fc.RigidBody("block", MASS, ("ux", "uz"))
    belt = fc.RigidBody("belt", 1.0, ("ux",))
    drive = fc.PrescribedMotion(
        fc.DofCoordinate(belt, "ux"), fc.Speed(1.0), level="velocity", name="drive"
    )
    pair = fc.ContactPair(
        block, POINT, fc.RigidFace(belt, fc.Plane()), fc.PenaltyNormal(1e6, 1e4), law, name="facing"
    )
    spring, omega = fc.Bearing(block, 8e3, 1e-9, radial_damping=200.0), 2.0 * np.pi / 0.05
    table = np.linspace(0.0, 1.0, 2001)
    load = fc.Force(
        block, (0.0, 0.0, -LOAD), factor=fc.Table(table, 1.0 + 0.3 * np.sin(omega * table))
    )
    system = fc.System([block, belt], [drive, spring, load, pair])
    steady = with_steady_slip(system, fc.steady_state(system, t=0.0).state)
    motion = fc.SystemMotion(system, steady)
    orbit = fc.shoot(motion, motion.packed(steady), 0.05, 50)
    assert orbit.multipliers.stable
    run = fc.simulate(system, 0.25, steady, "implicit", 0.05 / 25, step=0.05 / 100)
    last = slice(-26, None)
    found = np.ptp(run["block.ux"][last]) / 2.0
    assert orbit.amplitude[0] == pytest.approx(found, rel=0.02)
    assert np.ptp(run["facing.theta"][last]) > 0.1


def test_states_on_a_spinning_master():
    """Bristles stand on the slave there: both backends step all states alike."""
    pad = fc.RigidBody("pad", 1.0, ("ux", "uz"))
    table = fc.RigidBody("table", 1.0, ("uz",), (0.01, 0.01, 0.02), spin=30.0)
    pair = fc.ContactPair(pad, fc.ring(0.1, 8), fc.RigidFace(table, fc.Plane()), CREEP, WARM)
    q, v = np.array([0.0, -1e-5, 0.0]), np.array([0.1, 0.0, 0.0])
    start = pair.begin(0.0, q, v, ContactHistory.fresh(8, pair.columns))
    step = start.at(1e-5, q + 1e-5 * v, v, 1e-5)
    assert pair.backend == "compiled"
    found, expected = step.history.z, step.reference.history.z
    assert expected[:, 3:].any(axis=0).all()
    assert np.all(np.abs(found - expected) <= 1e-12 * np.abs(expected).max(axis=0))


def test_states_that_nothing_transports_are_refused():
    """Material that passes the points of its own surface carries the elastic slip alone."""
    table = fc.RigidBody("table", 1.0, ("uz",), (0.01, 0.01, 0.02), spin=30.0)
    with pytest.raises(
        InputError,
        match="WarmBristles with the states theta, run_in on a spinning surface: expected",
    ):
        fc.EulerianPair(
            table, fc.ring(0.1, 8), fc.RigidFace(None, fc.Plane()), fc.PenaltyNormal(1e6), WARM
        )


class WrittenInPython(fc.ElastoPlastic):
    """A law whose arrays are its own."""

    def step(self, *arguments):
        return super().step(*arguments)


@pytest.mark.parametrize("friction", [WrittenInPython, fc.ElastoPlastic])
def test_a_run_tells_of_a_law_without_compiled_form(friction):
    """Once, with the reason and the cure; compiled contacts are silent."""
    block = fc.RigidBody("block", 1.0, ("ux", "uz"))
    foot = fc.Surface(np.zeros((1, 3)), np.ones(1))
    pair = fc.ContactPair(
        block, foot, fc.RigidFace(None, fc.Plane()), fc.PenaltyNormal(1e6),
        friction(0.3, 1e6, 10.0), "foot",
    )  # fmt: skip
    system = fc.System([block], [pair, fc.Force(block, (0.0, 0.0, -10.0))])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fc.simulate(system, 1e-4, output=1e-4)
    told = [str(each.message) for each in caught if each.category is fc.SlowContactWarning]
    if friction is WrittenInPython:
        (text,) = told
        assert text.startswith("foot: friction law WrittenInPython is written in Python: no ")
        assert text.endswith("give the law functions of a point")
        assert "reference" in str(system)
    else:
        assert not told


def test_event_method_refuses_other_laws():
    system, start = thrown("friction")
    with pytest.raises(InputError, match="needs the laws PenaltyNormal and ElastoPlastic"):
        fc.simulate(system, 0.1, start, "events")


@pytest.mark.parametrize(
    ("states", "message"),
    [
        ((vector("z"), scalar("settled")), "'settled' is there twice"),
        ((vector("z"), vector("other")), "expected one vector"),
        ((vector("z"), scalar("pressure")), "a name that no field of a contact has"),
    ],
)
def test_names_of_states(states, message):
    """They are names of fields in results: each has one meaning."""
    law = type("Odd", (WarmBristles,), {"states": states})(MU, 1e5, 1e2)
    block = fc.RigidBody("block", MASS, ("ux", "uz"))
    pair = fc.ContactPair(block, POINT, fc.RigidFace(None, fc.Plane()), CREEP, law)
    with pytest.raises(InputError, match=message):
        Recording(fc.System([block], [pair]), "implicit", {}).layout(0.0)


def stiffness(k):
    return 2.0 * k[0]


doubled = fc.inlined(stiffness)


def _prepare(parameters, h):
    return (parameters[0],)


def _energy(k, gap):
    return k[0] * min(gap, 0.0) ** 2


def _press_plainly(k, gap, gap_rate):
    return (-stiffness(k) * gap, -stiffness(k), 0.0) if gap <= 0.0 else (0.0, 0.0, 0.0)


def _press(k, gap, gap_rate):
    return (-doubled(k) * gap, -doubled(k), 0.0) if gap <= 0.0 else (0.0, 0.0, 0.0)


class Calling(fc.NormalLaw):
    parameters = np.array([5e5])

    def __init__(self, press):
        self.point = fc.NormalPoint(_prepare, press, _energy)


def test_functions_that_a_law_calls_are_compiled_with_it():
    gap = np.array([-1e-3, 1e-3])
    assert Calling(_press).pressure(gap, 0.0 * gap)[0].tolist() == [1e3, 0.0]


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_a_plain_function_that_a_law_calls_is_named_in_one_line():
    gap = np.array([-1e-3])
    with pytest.raises(
        InputError, match=r"law in .*test_laws .*'stiffness'.*@fc.inlined"
    ) as caught:
        Calling(_press_plainly).pressure(gap, 0.0 * gap)
    assert "\n" not in str(caught.value)
