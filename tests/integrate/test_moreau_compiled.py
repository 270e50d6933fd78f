"""The compiled backend of Moreau's method against the general one, on random systems.

Both solve the same equations by other code: rows from frames instead of kinematic objects, forces
by address, inverses by blocks, sweeps over velocities instead of the matrix of all rows. Motions,
impulses, statuses and the audit agree up to the residual of the contact solver, which is set to
1e-12 here, times what a step hands on.
"""

from __future__ import annotations

import signal
from itertools import pairwise

import numpy as np
import pytest

import fecontact as fc
from fecontact.contact.laws.base import Coefficient
from fecontact.errors import InputError, SolverError
from fecontact.integrate import SimulationError, contact_residuals, simulate
from fecontact.integrate.moreau.compiled import CompiledBackend
from fecontact.integrate.moreau.kernels import march as loop
from fecontact.integrate.moreau.method import Moreau
from fecontact.results.statistics import Statistics

STEP = 1e-3
POINT = fc.Surface(np.zeros((1, 3)), np.ones(1))
GROUND = fc.RigidFace(None, fc.Plane())
LAWS = (
    0.0, 0.3, fc.Coulomb(0.25, static=0.4),
    fc.Stribeck(0.2, 0.45, speed=0.15, exponent=1.5, viscous=0.02),
    fc.FrictionTable(
        np.array([0.0, 0.1, 1.0]), np.array([[0.6, 0.3], [0.4, 0.2], [0.3, 0.3]]),
        np.array([1e3, 3e3]),
    ),
)  # fmt: skip


def law(rng, restitution):
    """A friction law; impacts have no pressure."""
    return LAWS[rng.integers(4 if restitution else len(LAWS))]


def feet(rng, count, size=0.1, low=-0.02):
    flat = rng.uniform(-size, size, (count, 2))
    return fc.Surface(np.column_stack([flat, np.full(count, low)]), rng.uniform(1e-3, 2e-3, count))


def touching(rng, body, surface, face, name):
    e = float(rng.choice([0.0, 0.0, 0.6]))
    return fc.RigidContact(body, surface, face, law(rng, e), e, name=name)


def block(rng):
    """A free block on up to three feet, thrown along the ground: a plane, a hollow or a ring."""
    body = fc.RigidBody("block", 1.0, fc.DOFS, (0.004, 0.005, 0.007), (0.0, 0.0, 0.02))
    shapes = (fc.Plane(), fc.Sphere(3.0, (0.0, 0.0, 3.0), hollow=True), fc.Ring(0.0, 0.4))
    face = fc.RigidFace(None, shapes[rng.integers(3)])
    items = [fc.Gravity([body]), touching(rng, body, feet(rng, rng.integers(1, 4)), face, "feet")]
    return fc.System([body], items)


def stack(rng):
    """Two blocks on each other, each with its weight and a spring; the lower one is a master."""
    low = fc.RigidBody("low", 2.0, fc.DOFS, (0.01, 0.01, 0.02), (0.0, 0.0, 0.02))
    high = fc.RigidBody("high", 0.7, fc.DOFS, (0.003, 0.003, 0.005), (0.0, 0.0, 0.06))
    top = fc.RigidFace(low, fc.Plane(), (0.0, 0.0, 0.02))
    contacts = [
        touching(rng, low, feet(rng, 3), fc.RigidFace(None, fc.Plane()), "ground"),
        touching(rng, high, feet(rng, 3, 0.05), top, "between"),
    ]
    spring = fc.SpringDamper(None, high, 50.0, 0.5, (0.0, 0.0, 1.0), name="spring")
    hold = fc.Bearing(low, 30.0, 20.0, radial_damping=1.0, name="hold")
    return fc.System([low, high], [fc.Gravity([low, high]), *contacts, spring, hold])


def chain(rng):
    """Masses in a row that bounce between walls, with springs and a force over time."""
    masses = [
        fc.RigidBody(f"m{k}", rng.uniform(0.5, 2.0), ("ux", "uz"), position=(0.1 * k, 0.0, 0.0))
        for k in range(4)
    ]
    point = fc.Surface(np.zeros((1, 3)), np.ones(1))
    right = fc.Plane((0.0999, 0.0, 0.0), (1.0, 0.0, 0.0))
    pairs = [
        touching(rng, b, point, fc.RigidFace(a, right), f"{b.name} pair")
        for a, b in pairwise(masses)
    ]
    floor = touching(rng, masses[0], point, fc.RigidFace(None, fc.Plane()), "floor")
    swing = fc.Table((0.0, 0.02, 0.05), (0.0, 1.0, -1.0))
    push = fc.Force(masses[1], (3.0, 0.0, -1.0), factor=swing)
    springs = [
        fc.Bearing(m, 40.0, 60.0, radial_damping=0.2, name=f"{m.name} bearing") for m in masses
    ]
    return fc.System(masses, [*pairs, floor, push, *springs])


def rotor(rng):
    """Pins on a rotor whose spin is prescribed, or a dof, that tilts and translates."""
    spins = rng.integers(2)
    dofs = ("ux", "uy", "uz", "rx", "ry") + (("spin",) if spins else ())
    disc = fc.RigidBody("disc", 1.0, dofs, (0.01, 0.01, 0.02), spin=0.0 if spins else 12.0)
    pin = fc.RigidBody("pin", 0.3, ("ux", "uy", "uz"), position=(0.06, 0.02, 0.0))
    turned = fc.RigidBody("arm", 0.4, ("ux", "uz", "ry"), (1e-3, 1e-3, 1e-3), (-0.05, 0.0, 0.02))
    face = fc.RigidFace(disc, fc.Plane())
    contacts = [
        touching(rng, pin, fc.Surface(np.zeros((1, 3)), np.full(1, 2e-3)), face, "pin on disc"),
        touching(rng, turned, feet(rng, 2, 0.01), face, "arm on disc"),
    ]
    hold = [
        fc.Bearing(disc, 2e4, 3e4, tilt_stiffness=200.0, name="disc held"),
        fc.Bearing(pin, 500.0, 0.0, name="pin held"),
        fc.Bearing(turned, 500.0, 5.0, name="arm held"),
    ]
    return fc.System([disc, pin, turned], [fc.Gravity([pin, turned]), *contacts, *hold])


def shapes(rng):
    """Balls in a cone and on a torus, and a bar in a bore: curved surfaces on ground and body."""
    ball = fc.RigidBody("ball", 0.5, ("ux", "uy", "uz"), position=(0.1, 0.0, 0.1001))
    bead = fc.RigidBody("bead", 0.2, ("ux", "uy", "uz"), position=(0.11, 0.03, 0.05))
    bush = fc.RigidBody("bush", 0.3, ("ux", "uy", "uz", "rz"), (1e-3, 1e-3, 1e-3), (0.0, 0.5, 0.0))
    point = fc.Surface(np.zeros((1, 3)), np.full(1, 2e-3))
    funnel = fc.RigidFace(None, fc.Cone(np.pi / 4, hollow=True))
    ring = fc.RigidFace(None, fc.Torus(0.12, 0.05))
    bore = fc.RigidFace(None, fc.Cylinder(0.1, hollow=True), (0.0, 0.5, 0.0))
    pins = fc.Surface(np.array([[0.0999, 0.0, 0.0], [-0.05, 0.0866, 0.0]]), np.full(2, 2e-3))
    contacts = [
        touching(rng, ball, point, funnel, "funnel"), touching(rng, bead, point, ring, "ring"),
        touching(rng, bush, pins, bore, "bore"),
    ]  # fmt: skip
    pull = fc.Force(bush, (2.0, 0.5, 0.0))
    return fc.System([ball, bead, bush], [fc.Gravity([ball, bead]), *contacts, pull])


SOLID = fc.reduce_model(
    fc.ElasticSolid(fc.block(0.1, 0.04, 0.02, cells=(2, 1, 1)), fc.Material(2e7, 0.3, 1000.0)),
    contact=["z_min"], modes=3,
)  # fmt: skip


def elastic(rng):
    """A soft block on three points, free in space or held: a mass that depends on coordinates."""
    free = bool(rng.integers(2))
    body = fc.ElasticBody("soft", SOLID, frame="free" if free else "fixed", damping=0.02)
    whole = fc.elastic_surface(body, "z_min")
    some = rng.choice(len(whole.weights), 3, replace=False)
    surface = fc.Surface(whole.points[some], whole.weights[some], whole.shapes[some])
    contact = touching(rng, body, surface, fc.RigidFace(None, fc.Plane()), "bottom")
    return fc.System([body], [fc.Gravity([body]), contact])


def averaged(rng):
    """Conditions in the mean over parts of a bar."""
    x = np.linspace(-0.1, 0.1, 12)
    bar = fc.RigidBody("bar", 1.0, ("ux", "uz", "ry"), (0.01, 0.01, 0.01), (0.0, 0.0, 0.01))
    surface = fc.Surface(np.column_stack([x, 0 * x, 0 * x - 0.01]), np.full(12, 1e-3))
    h = np.kron(np.eye(2), np.full((1, 6), 0.2)) + rng.uniform(0.0, 0.1, (2, 12))
    h[rng.uniform(size=(2, 12)) < 0.3] = 0.0
    h /= h.sum(axis=1, keepdims=True)
    ground = fc.RigidFace(None, fc.Plane())
    contact = fc.RigidContact(bar, surface, ground, law(rng, 0.0), averages=h)
    return fc.System([bar], [fc.Gravity([bar]), contact])


KINDS = [block, stack, chain, rotor, shapes, elastic, averaged]


def both(system, start, steps, **options):
    """Motions of the two backends; every step is an output.

    A step that has no solution ends both with the same words.
    """
    options = {"method": "moreau", "step": STEP, "tolerance": 1e-12, **options}
    motions, words = [], []
    for backend in ("compiled", "general"):
        try:
            motion, told = simulate(system, steps * STEP, start, backend=backend, **options), ""
        except SimulationError as error:
            motion, told = error.result, str(error)
        motions.append(motion)
        words.append(told)
    assert words[0] == words[1]
    return motions


def agree(fast, slow, within=1e-9):
    """Motions, impulses, statuses, slip and audit agree.

    Forces are impulses over a step of 1 ms; statuses are those of contacts that carry a force.
    """
    for name, factor in {"q": 1.0, "v": 1.0, "slip_totals": 1.0, "z": 10.0}.items():
        a, b = getattr(fast, name), getattr(slow, name)
        close = factor * within * (1.0 + np.abs(b).max())
        np.testing.assert_allclose(a, b, atol=close, err_msg=name)
    forces = np.linalg.norm(slow.z.reshape(len(slow), -1, 3), axis=2)
    carry = forces > 1e-6 * forces.max()
    np.testing.assert_array_equal(fast.contact_status[carry], slow.contact_status[carry])
    scale = sum(np.abs(line).max() for line in slow.energies.values())
    for name, line in slow.energies.items():
        np.testing.assert_allclose(fast.energies[name], line, atol=within * scale, err_msg=name)
    for name in ("steps", "evaluations", "factorisations", "impacts", "paradoxes"):
        assert getattr(fast.statistics, name) == getattr(slow.statistics, name), name


@pytest.mark.filterwarnings("ignore:soft. frame = 'fixed'")
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_random_systems_move_as_in_the_general_backend(kind, seed):
    """Contact forces are statically determinate: impulses and statuses are unique too."""
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    system = kind(rng)
    v = dict(zip(system.coordinates, rng.normal(size=system.size) * 0.1, strict=True))
    options = {
        "theta": float(rng.choice([0.5, 0.75, 1.0])),
        "impact": str(rng.choice(["newton", "poisson", "sequential"])),
        "project": bool(rng.integers(2)),
    }
    fast, slow = both(system, system.state(v=v), 40, **options)
    agree(fast, slow)
    assert fast.statistics.compiled == fast.statistics.steps
    assert slow.statistics.compiled == 0
    assert slow.statistics.steps >= 25
    assert contact_residuals(fast)[-1] <= 1e-12
    assert np.any(slow.contact_status != fc.OPEN)


def grid(feet, mu=0.3, e=0.0):
    """A block on a grid of feet, and a start in which it slides and turns."""
    x, y = np.meshgrid(*2 * [np.linspace(-0.1, 0.1, feet)])
    points = np.column_stack([x.ravel(), y.ravel(), np.full(feet**2, -0.02)])
    body = fc.RigidBody("block", 1.0, fc.DOFS, (0.004, 0.004, 0.007), (0.0, 0.0, 0.02))
    ground = fc.RigidFace(None, fc.Plane())
    contact = fc.RigidContact(body, fc.Surface(points, np.ones(feet**2)), ground, mu, e)
    system = fc.System([body], [fc.Gravity([body]), contact])
    return system, system.state(v={"block.ux": 0.5, "block.rz": 4.0})


@pytest.mark.parametrize("backend", ["compiled", "general"])
def test_round_off_of_an_impulse_does_not_take_a_rebound(backend):
    """A block falls on another one, which the ground pushes in the same step.

    By Newton's law its feet come back with 0.6 of their approach, less what gravity takes.
    """
    places = np.array([[-0.1, -0.1, -0.02], [0.1, -0.1, -0.02], [0.0, 0.1, -0.02]])
    low = fc.RigidBody("low", 2.0, fc.DOFS, (0.01, 0.01, 0.02), (0.0, 0.0, 0.02))
    high = fc.RigidBody("high", 0.7, fc.DOFS, (0.003, 0.003, 0.005), (0.0, 0.0, 0.06))
    top, own = fc.RigidFace(low, fc.Plane(), (0.0, 0.0, 0.02)), places * [0.5, 0.5, 1.0]
    ground = fc.RigidContact(low, fc.Surface(places, np.ones(3)), GROUND, LAWS[3], name="ground")
    feet = fc.RigidContact(high, fc.Surface(own, np.ones(3)), top, LAWS[2], 0.6, name="feet")
    system = fc.System([low, high], [fc.Gravity([low, high]), ground, feet])
    v = [0.0, 0.03, -0.03, -0.09, -0.05, -0.1, 0.01, 0.13, -0.1, -0.06, 0.05, 0.04]
    start = system.state(v=dict(zip(system.coordinates, v, strict=True)))
    motion = simulate(system, 1e-4, start, "moreau", step=1e-4, backend=backend)
    before, after = (
        feet.conditions(0.0, q, v).rows[:, 0] @ v
        for q, v in (system.local(feet, motion.state(k)) for k in (0, -1))
    )
    assert np.all(before < -0.05)
    np.testing.assert_allclose(after, -0.6 * before - 9.80665e-4, atol=2e-5)


@pytest.mark.parametrize("feet", [2, 5, 10])
def test_a_block_on_many_feet(feet):
    """Forces of the feet are indeterminate; motion, audit and number of sweeps are the same."""
    system, start = grid(feet)
    fast, slow = both(system, start, 60, tolerance=1e-10)
    np.testing.assert_allclose(fast.v, slow.v, atol=1e-9)
    np.testing.assert_allclose(fast.q, slow.q, atol=1e-11)
    for name, line in slow.energies.items():
        np.testing.assert_allclose(fast.energies[name], line, atol=1e-10, err_msg=name)
    assert fast.statistics.iterations == pytest.approx(slow.statistics.iterations, rel=0.02)
    assert contact_residuals(fast)[-1] <= 1e-10


def test_all_feet_of_a_resting_block_carry_its_weight():
    system, _ = grid(32)
    motion = simulate(system, 5e-3, method="moreau", step=1e-3)
    assert motion.statistics.compiled == 5
    forces = motion.z[-1].reshape(-1, 3)
    np.testing.assert_allclose(forces.sum(axis=0), [0.0, 0.0, 9.80665], atol=1e-9)
    assert np.abs(motion.v).max() < 1e-12


def test_outputs_and_signals_do_not_change_the_motion(monkeypatch):
    """Bits are the same with a look for signals after each step; outputs round their times."""
    system, start = grid(3, e=0.2)
    options = {"method": "moreau", "step": 1e-3}
    every = simulate(system, 0.08, start, **options)
    few = simulate(system, 0.08, start, output=0.04, **options)
    monkeypatch.setattr("fecontact.integrate.moreau.compiled.GLANCE", 0.0)
    one = simulate(system, 0.08, start, output=0.04, **options)
    for name in ("q", "v", "z", "slip_totals", "contact_status", "resume"):
        np.testing.assert_array_equal(getattr(few, name), getattr(one, name))
    for name in ("q", "v", "slip_totals"):
        whole = getattr(every, name)[::40]
        np.testing.assert_allclose(getattr(few, name), whole, rtol=1e-9, atol=1e-12)


def test_ctrl_c_stops_between_outputs(monkeypatch):
    """The loop comes back to look for signals; what was stored goes on to the same motion."""
    system, start = grid(3)
    options = {"method": "moreau", "step": 1e-3, "output": 0.4}
    whole = simulate(system, 2.0, start, **options)
    march, calls = loop.march, []

    def pressed(*arguments):
        calls.append(march(*arguments))
        if len(calls) == 8:
            signal.raise_signal(signal.SIGINT)
        return calls[-1]

    monkeypatch.setattr(loop, "march", pressed)
    part = simulate(system, 2.0, start, **options)
    assert part.status == "interrupted"
    assert 0.0 <= part.t[-1] < 2.0
    rest = simulate(system, 2.0, restart=part, **options)
    np.testing.assert_array_equal(rest.q[-1], whole.q[-1])
    np.testing.assert_array_equal(rest.resume[-1], whole.resume[-1])


@pytest.mark.filterwarnings("ignore:soft. frame = 'fixed'")
@pytest.mark.parametrize("kind", [stack, chain, elastic], ids=lambda kind: kind.__name__)
def test_restart_is_bit_exact(kind):
    rng = np.random.default_rng([17, KINDS.index(kind)])
    system = kind(rng)
    v = dict(zip(system.coordinates, rng.normal(size=system.size) * 0.1, strict=True))
    start, options = system.state(v=v), {"method": "moreau", "step": STEP, "output": 0.01}
    whole = simulate(system, 0.04, start, **options)
    half = simulate(system, 0.02, start, **options)
    rest = simulate(system, 0.04, restart=half, **options)
    assert rest.statistics.compiled == rest.statistics.steps > 0
    for name in ("t", "q", "v", "a", "z", "contact_status", "slip_totals", "resume"):
        np.testing.assert_array_equal(getattr(whole, name)[-3:], getattr(rest, name))
    for name, line in whole.energies.items():
        np.testing.assert_array_equal(line[-3:], rest.energies[name])


def test_a_motion_goes_on_in_the_other_backend():
    """Both keep the same numbers for a restart."""
    system, start = grid(3)
    options = {"method": "moreau", "step": STEP, "output": 0.02, "tolerance": 1e-13}
    half = simulate(system, 0.02, start, backend="general", **options)
    fast, slow = (
        simulate(system, 0.04, restart=half, backend=backend, **options)
        for backend in ("compiled", "general")
    )
    np.testing.assert_allclose(fast.q, slow.q, atol=1e-13)
    np.testing.assert_allclose(fast.resume, slow.resume, atol=1e-10)


def test_a_step_that_sweeps_and_newton_do_not_solve_is_left_to_the_general_backend(monkeypatch):
    """With a limit of one sweep, and no room for Newton steps."""
    system, start = on_three_feet()
    motion = simulate(system, 5e-3, start, "moreau", step=1e-3)
    assert motion.statistics.compiled == motion.statistics.steps == 5
    options = Moreau(step=1e-3, sweeps=1)
    monkeypatch.setattr("fecontact.solvers.contact_graph.problem.MAX_DOFS", 0)
    backend = CompiledBackend(options, system, motion.point(0), Statistics())
    backend.advance(1.0, 1)
    assert backend.statistics.compiled == 0
    assert backend.statistics.steps == 1
    np.testing.assert_allclose(backend.point().state.v, motion.v[1], atol=1e-9)
    np.testing.assert_allclose(backend.point().energies, motion.point(1).energies, atol=1e-12)


def on_three_feet():
    """A block that slides and turns on three feet: forces are determinate."""
    places = np.array([[-0.1, -0.1, -0.02], [0.1, -0.1, -0.02], [0.0, 0.1, -0.02]])
    body = fc.RigidBody("block", 1.0, fc.DOFS, (0.004, 0.004, 0.007), (0.0, 0.0, 0.02))
    contact = fc.RigidContact(body, fc.Surface(places, np.ones(3)), GROUND, 0.3)
    system = fc.System([body], [fc.Gravity([body]), contact])
    return system, system.state(v={"block.ux": 0.5, "block.rz": 4.0})


class Fuse:
    """A spring written in Python that fails after a while."""

    name = "fuse"

    def __init__(self, body, until):
        self.bodies, self.until = (body,), until

    def force(self, t, q, v):
        if t > self.until:
            raise SolverError("the fuse is blown")
        return np.array([-10.0 * q[0], 0.0])

    def tangents(self, t, q, v):
        return np.diag([-10.0, 0.0]), np.zeros((2, 2))


def test_items_written_in_python_take_part_and_their_errors_are_told():
    body = fc.RigidBody("mass", 1.0, ("ux", "uz"))
    contact = fc.RigidContact(body, POINT, GROUND, 0.3)
    words = []
    for backend in ("compiled", "general"):
        system = fc.System([body], [fc.Gravity([body]), contact, Fuse(body, 4.2e-3)])
        with pytest.raises(SimulationError) as error:
            simulate(
                system, 0.1, system.state(v={"mass.ux": 0.5}), "moreau", step=1e-3, backend=backend
            )
        words.append((str(error.value), error.value.result.q.tolist()))
        assert error.value.result.statistics.compiled == (4 if backend == "compiled" else 0)
    assert words[0] == words[1]
    assert words[0][0] == "t = 0.004 s: the fuse is blown"


class Slippery(Coefficient):
    """A coefficient written in Python."""

    def values(self, speed, pressure, status):
        return np.full_like(speed, 0.3), np.zeros_like(speed), np.zeros_like(speed)


class Rubber(fc.RigidBody):
    """A body that moves in a way of its own."""

    def move(self, q, step):
        return q + 1.01 * step


def belt(body):
    band = fc.RigidBody("belt", 1.0, ("ux",))
    drive = fc.PrescribedMotion(fc.DofCoordinate(band, "ux"), fc.Speed(0.1), name="motor")
    return [band], [drive]


REASONS = {
    "is a constraint": belt,
    r"'feet' has no compiled rows \(normal law": lambda body: ([], [
        fc.RigidContact(body, POINT, GROUND, 0.3, normal=fc.PenaltyNormal(1e5), name="feet")
    ]),
    r"coefficient Slippery is written in Python": lambda body: ([], [
        fc.RigidContact(body, POINT, GROUND, Slippery(), name="feet")
    ]),
    r"'odd' moves its coordinates in a way of its own": lambda body: (
        [Rubber("odd", 1.0, ("ux",))], []
    ),
}  # fmt: skip


@pytest.mark.parametrize("reason", REASONS)
def test_what_is_not_compiled_runs_in_the_general_backend_and_is_named(reason):
    body = fc.RigidBody("mass", 1.0, ("ux", "uz"))
    bodies, items = REASONS[reason](body)
    system = fc.System([body, *bodies], [fc.Gravity([body]), *items])
    start = system.state(v={"belt.ux": 0.1} if bodies and bodies[0].name == "belt" else {})
    with pytest.raises(InputError, match=reason) as error:
        simulate(system, 2e-3, start, "moreau", step=1e-3, backend="compiled")
    assert "\n" not in str(error.value)
    motion = simulate(system, 2e-3, start, "moreau", step=1e-3)
    assert motion.statistics.compiled == 0
    assert motion.statistics.steps == 2


def test_the_text_of_a_system_says_which_contacts_have_no_compiled_rows():
    body = fc.RigidBody("mass", 1.0, ("ux", "uz"))
    fast = fc.RigidContact(body, POINT, GROUND, 0.3, name="fast")
    slow = fc.RigidContact(body, POINT, GROUND, Slippery(), name="slow")
    text = str(fc.System([body], [fast, slow]))
    assert "fast  RigidContact  mass  impulses\n" in text
    assert "impulses, reference: coefficient Slippery is written in Python" in text


def test_a_budget_of_steps_holds():
    system, start = grid(2)
    with pytest.raises(SolverError, match="max_steps = 7 is used up"):
        simulate(system, 1.0, start, "moreau", 0.5, step=1e-3, max_steps=7)
    motion = simulate(system, 7e-3, start, "moreau", 7e-3, step=1e-3, max_steps=7)
    assert motion.statistics.steps == 7


def test_unknown_backends_are_refused():
    system, start = grid(2)
    with pytest.raises(InputError, match="invalid backend = fast: expected one of"):
        simulate(system, 1.0, start, "moreau", step=1e-3, backend="fast")
