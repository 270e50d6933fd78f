"""Transient of a squealing elastic clutch: simulated seconds per wall second, by method.

    python benchmarks/clutch_transient.py [simulated ms] [explicit] [implicit] [others] [steps]

By default the whole time by the explicit method, the other methods over short spans, and what one
explicit step costs; `implicit` is the whole time by that method, one second takes 20 minutes.

An elastic clutch plate, clamped at its bore, with 40 modes and 500 friction points on its two
faces, is squeezed between flywheel and pressure plate, which turn with a large inertia. Friction
falls with the speed (Stribeck) and feeds its vibration, which grows out of the first jolt until
points stick in every cycle. The tangential speed of its rim shows both, growth and limit cycle.
`kernel` is the bare compiled evaluation of contacts, called in a loop; an explicit step should cost
at most 1.5 of it. The implicit method and scipy's solvers on the continuous law get shorter spans;
their cost is given per simulated time.
"""

from __future__ import annotations

import itertools
import sys
import time

import numba
import numpy as np
from threadpoolctl import threadpool_limits

from fecontact.body import ElasticBody, RigidBody
from fecontact.contact import ContactPair, PenaltyNormal, Surface
from fecontact.contact.kernels.block_laws import ContactPoints, PointStates
from fecontact.contact.kernels.blocks import ADVANCE, BlockResults, Job, added, contact_blocks
from fecontact.contact.kernels.layout import BLOCK, ROWS
from fecontact.contact.kernels.motion import SlaveMotion, StepStart
from fecontact.contact.laws.coefficient import Stribeck
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.master.shape import Plane
from fecontact.contact.surface.points import elastic_surface
from fecontact.fem import ElasticSolid, Material
from fecontact.integrate import simulate
from fecontact.integrate.explicit._kernels import march
from fecontact.integrate.explicit.compiled import CompiledBackend
from fecontact.joint import Bearing
from fecontact.mesh import solid_annulus
from fecontact.reduction import reduce_model
from fecontact.results.point import Point
from fecontact.results.statistics import Statistics
from fecontact.system import System

STEEL = Material(young=210e9, poisson=0.3, density=7800.0)
SPEED, PRESSURE, STIFFNESS, THICKNESS = 3.0, 2e5, 2e11, 0.006
KINETIC, STATIC, FALL, RATIO = 0.25, 0.4, 0.3, 1e-3
STEP, LONG_STEP = 3e-6, 1e-5
"""About a quarter of the stability bound of the explicit method, and near it, in s."""
GROWTH = (0.5e-3, 2e-3)
"""Time in which the growth of the squeal is looked at."""


def clutch(points=500, modes=40):
    """System, and its start: a lamella between two spinning plates."""
    mesh = solid_annulus(0.06, 0.11, 0.0, THICKNESS, radial=4, circumferential=48)
    solid = ElasticSolid(mesh, STEEL, supports={"inner": "clamped"})
    model = reduce_model(solid, contact=["bottom", "top"], modes=modes, method="free")
    body = ElasticBody("lamella", model, frame="fixed", damping=RATIO)
    inertia = (300.0, 300.0, 500.0)
    plate = RigidBody("plate", 3.0, ("uz", "rz"), inertia)
    wheel = RigidBody("flywheel", 3.0, ("rz",), inertia)
    up, down = Plane(), Plane((0.0, 0.0, THICKNESS), (0.0, 0.0, -1.0))
    normal = PenaltyNormal(STIFFNESS, 2e5)
    friction = ElastoPlastic(Stribeck(KINETIC, STATIC, FALL), 0.5 * STIFFNESS, 1e3)
    pairs = [
        ContactPair(body, part(body, name, points // 2), RigidFace(owner, face), normal, friction,
                    f"{name} facing")
        for name, owner, face in (("bottom", plate, up), ("top", wheel, down))
    ]  # fmt: skip
    lift = PRESSURE * pairs[0].surface.measure / 1e6
    bearing = Bearing(plate, 1e6, 1e6, offset=(0.0, 0.0, lift))
    system = System([body, plate, wheel], [*pairs, bearing])
    speeds = {"plate.rz": SPEED, "flywheel.rz": SPEED}
    start = system.state(q={"plate.uz": 2.0 * PRESSURE / STIFFNESS}, v=speeds)
    return system, start


def part(body, name, points):
    """Some points of a surface, with its whole area."""
    full = elastic_surface(body, name)
    chosen = np.linspace(0, len(full.points) - 1, points).astype(int)
    weights = full.weights[chosen] * full.measure / full.weights[chosen].sum()
    return Surface(full.points[chosen], weights, full.shapes[chosen])


def timed(function):
    start = time.perf_counter()
    result = function()
    return result, time.perf_counter() - start


@numba.njit
def repeated(steps, contacts, q, v, frame, h):
    """The contact kernels alone, again and again."""
    work = np.empty(ROWS * BLOCK)
    for _ in range(steps):
        for k in range(len(contacts)):
            own = contacts[k]
            elastic = slice(own.slave.first, own.slave.first + own.points.modes)
            nobody = np.empty((len(own.sums), 0))
            contact_blocks(
                ContactPoints(own.points, own.laws), SlaveMotion(q[elastic], v[elastic], frame),
                Job(ADVANCE, h, 0, len(own.sums)), StepStart(own.anchor, own.old, own.gap),
                PointStates(own.z, own.status),
                BlockResults(own.slip_totals, own.grip, own.sums, nobody), work,
            )  # fmt: skip
            added(own.sums, own.total)


def step_cost(points, modes, steps=2000, repeats=5):
    """Microseconds of one explicit step and of the bare kernel, best of interleaved repeats."""
    system, start = clutch(points, modes)
    motion = simulate(system, 1e-3, start, "explicit", 1e-3, step=0.5 * STEP)
    backend = CompiledBackend(system, Point(motion.state(-1), motion.a[-1]), Statistics())
    backend.change_step(0.5 * backend.limits.bound)
    frame = np.concatenate([np.eye(3).ravel(), np.zeros(15)])
    q, v = backend.q.copy(), backend.v.copy()
    best = [np.inf, np.inf]
    for _ in range(repeats + 1):
        _, own = timed(lambda: march(
            steps, backend.h, backend.linear, backend.contacts, backend.sums,
            backend.q, backend.v, backend.a, backend.looks, False,
        ))  # fmt: skip
        _, bare = timed(lambda: repeated(steps, backend.contacts, q, v, frame, backend.h))
        best = [min(best[0], own), min(best[1], bare)]
    return [1e6 * x / steps for x in best], backend


def around(surface):
    """Tangential shapes (p, m) of the points, and their radii (p,)."""
    x, y = surface.points[:, :2].T
    r = np.hypot(x, y)
    along = np.column_stack([-y, x, 0.0 * x]) / r[:, None]
    return np.einsum("pi,pim->pm", along, surface.shapes), r


def facings(system):
    return [item for item in system.items if item.name.endswith("facing")]


def rim_speed(system, motion):
    """Tangential speed (k,) of the lamella, in the mean over its rim."""
    shapes, r = around(facings(system)[0].surface)
    rim = shapes[r > 0.98 * r.max()].mean(axis=0)
    return motion.v[:, system.slices["lamella"]] @ rim


def expected_growth(system, state):
    """Rate in 1/s of the mode that turns the rim: -sum A p mu'(s) phi^2/(2 m) - zeta omega."""
    model, total, reports = system.bodies[0].model, 0.0, system.rate_form(state).reports()
    mass, stiffness = np.diag(model.mass), np.diag(model.stiffness)
    for facing in facings(system):
        shapes, r = around(facing.surface)
        k = int(np.argmax(np.abs(shapes[r > 0.98 * r.max()].mean(axis=0)) / np.sqrt(mass)))
        fall = (STATIC - KINETIC) / FALL * np.exp(-SPEED * r / FALL)
        pressed = facing.surface.weights * reports[facing.name].pressure
        total += pressed @ (fall * shapes[:, k] ** 2)
    return 0.5 * total / mass[k] - RATIO * np.sqrt(stiffness[k] / mass[k])


def squeal(system, start, step=None):
    """Growth rate in 1/s, frequency in Hz, speeds in the first milliseconds; the last state."""
    motion = simulate(system, GROWTH[1], start, "explicit", 4e-6, step=step)
    late = motion.t >= GROWTH[0]
    t, swing = motion.t[late], rim_speed(system, motion)[late]
    edges = np.linspace(*GROWTH, 7)
    tops = [np.abs(swing[(t >= a) & (t <= b)]).max() for a, b in itertools.pairwise(edges)]
    rate = np.polyfit(0.5 * (edges[1:] + edges[:-1]), np.log(tops), 1)[0]
    turns = np.count_nonzero(swing[1:] * swing[:-1] < 0.0)
    return rate, 0.5 * turns / np.ptp(GROWTH), tops, motion.state(-1)


def growth(system, start):
    """Growth of the squeal by the explicit method, against what its mode lets expect."""
    for step in (4e-6, 2e-6, 1e-6):
        rate, frequency, tops, grown = squeal(system, start, step)
        print(f"squeal, step {step:.0e} s: rim speed {tops[0]:.3f} to {tops[-1]:.3f} m/s, "
              f"{1e-3 * frequency:.1f} kHz, rate {rate:.0f} 1/s")  # fmt: skip
    rate = expected_growth(system, grown)
    print(f"rate expected of its mode and of the slope of the friction: {rate:.0f} 1/s")


def whole(system, start, span, method, step):
    """The whole span by one method, with evidence of what the lamella does."""
    clock = [(0.0, time.perf_counter())]
    look = lambda point: clock.append((point.state.t, time.perf_counter()))  # noqa: E731
    motion = simulate(system, span, start, method, span / 400, step=step, callback=look)
    walls = np.interp(span * np.arange(5) / 4, *np.array(clock).T)
    wall, parts = walls[-1] - walls[0], np.diff(walls)
    print(f"{method}: {motion.statistics.steps} steps, {span / wall:.5f} simulated s per s; "
          f"quarters take {np.round(parts / wall, 2).tolist()} of the time")  # fmt: skip
    swing = np.abs(rim_speed(system, motion)[1:]).reshape(4, -1).max(axis=1)
    slip = 0.11 * motion.v[::100, system.slices["plate"]][1:, -1]
    print(f"limit cycle: rim speed {np.round(swing, 3).tolist()} m/s by quarters, "
          f"slip speed of the plate there {np.round(slip, 3).tolist()} m/s")  # fmt: skip
    counts = motion.contact_states("bottom facing")
    print("points on average:", {name: round(float(c.mean()), 1) for name, c in counts.items()})
    lines = motion.energies
    off = abs(lines["numerical"][-1]) + abs(lines["residual"][-1])
    exchanged = lines["slip"][-1] + lines["damping"][-1]
    print(f"numerical + residual energy {off / exchanged:.1e} of what was dissipated")


def others(system, start):
    """The implicit method and scipy's solvers, from a state of the limit cycle."""
    for step in (2e-6, LONG_STEP):
        end = start.t + 100 * step
        _, wall = timed(lambda step=step, end=end: simulate(
            system, end, start, "implicit", 100 * step, step=step
        ))  # fmt: skip
        print(f"implicit, step {step:.0e} s: {100 * step / wall:.5f} simulated s per s")
    span = 1e-6
    for solver in ("LSODA", "BDF", "Radau"):
        _, wall = timed(lambda solver=solver, end=start.t + span: simulate(
            system, end, start, "ode", span, solver=solver, rtol=1e-5, atol=1e-9
        ))  # fmt: skip
        print(f"scipy {solver}, rtol 1e-5: {span / wall:.2e} simulated s per s (span {span:.0e} s)")


def steps():
    """Cost of one explicit step against the bare kernels, by points and modes."""
    print(
        f"{'points':>7} {'modes':>6} {'step us':>8} {'kernel us':>10} {'ratio':>6} {'bound us':>9}"
    )
    for points, modes in ((125, 40), (500, 40), (2000, 40), (500, 20), (500, 80)):
        (own, bare), backend = step_cost(points, modes)
        print(f"{points:7d} {modes:6d} {own:8.1f} {bare:10.1f} {own / bare:6.2f} "
              f"{1e6 * backend.limits.bound:9.2f}")  # fmt: skip


def main(span, parts):
    system, start = clutch()
    simulate(system, 1e-5, start, "explicit", 1e-5, step=STEP)
    if "explicit" in parts:
        growth(system, start)
        whole(system, start, span, "explicit", STEP)
    if "implicit" in parts:
        whole(system, start, span, "implicit", LONG_STEP)
    if "others" in parts:
        cycle = simulate(system, 0.02, start, "explicit", 0.02, step=STEP)
        others(system, cycle.state(-1))
    if "steps" in parts:
        steps()


if __name__ == "__main__":
    words = sys.argv[1:]
    numbers = [float(word) for word in words if not word.isalpha()]
    chosen = [word for word in words if word.isalpha()] or ["explicit", "others", "steps"]
    with threadpool_limits(1):
        main(1e-3 * (numbers[0] if numbers else 1000.0), chosen)
