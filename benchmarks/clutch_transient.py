"""Transient of an elastic clutch: simulated seconds per wall second, by method.

    python benchmarks/clutch_transient.py [simulated ms]

An elastic lamella, clamped at its bore, with 40 modes and 500 friction points on its two faces, is
squeezed between a fixed plate and one that turns, with a large inertia; friction falls with the
speed (Stribeck), feeding its vibration. `kernel` is the bare compiled evaluation of contacts,
called in a loop; an explicit step should cost at most 1.5 of it. The implicit method and scipy's
solvers on the continuous law get shorter spans; their cost is given per simulated time.
"""

from __future__ import annotations

import sys
import time

import numba
import numpy as np
from threadpoolctl import threadpool_limits

from fecontact.body import ElasticBody, RigidBody
from fecontact.contact import ContactPair, PenaltyNormal, Surface
from fecontact.contact._fused_blocks import ADVANCE, added, contact_blocks
from fecontact.contact.coefficient import Stribeck
from fecontact.contact.elasto_plastic import ElastoPlastic
from fecontact.contact.rigid_face import RigidFace
from fecontact.contact.shape import Plane
from fecontact.contact.surface import elastic_surface
from fecontact.fem import ElasticSolid, Material
from fecontact.joint import Bearing
from fecontact.mesh import solid_annulus
from fecontact.reduction import reduce_model
from fecontact.simulate import simulate
from fecontact.simulate._explicit_kernels import march
from fecontact.simulate.explicit_compiled import CompiledLane
from fecontact.simulate.trajectory import Point, Statistics
from fecontact.system import System

STEEL = Material(young=210e9, poisson=0.3, density=7800.0)
SPEED, PRESSURE, STIFFNESS, THICKNESS = 3.0, 2e5, 2e11, 0.002


def clutch(points=500, modes=40):
    """System, and its start: a lamella between a fixed and a spinning plate."""
    mesh = solid_annulus(0.06, 0.11, 0.0, THICKNESS, radial=4, circumferential=48)
    solid = ElasticSolid(mesh, STEEL, supports={"inner": "clamped"})
    model = reduce_model(solid, contact=["bottom", "top"], modes=modes, method="free")
    body = ElasticBody("lamella", model, frame="fixed", damping=1e-3)
    plate = RigidBody("plate", 3.0, ("uz", "rz"), (30.0, 30.0, 50.0))
    up, down = Plane(), Plane((0.0, 0.0, THICKNESS), (0.0, 0.0, -1.0))
    normal = PenaltyNormal(STIFFNESS, 2e3)
    friction = ElastoPlastic(Stribeck(0.25, 0.4, 0.3), 0.5 * STIFFNESS, 1e3)
    pairs = [
        ContactPair(body, part(body, name, points // 2), RigidFace(owner, face), normal, friction,
                    f"{name} facing")
        for name, owner, face in (("bottom", plate, up), ("top", None, down))
    ]  # fmt: skip
    lift = PRESSURE * pairs[0].surface.measure / 1e6
    system = System([body, plate], [*pairs, Bearing(plate, 1e6, 1e6, offset=(0.0, 0.0, lift))])
    start = system.state(q={"plate.uz": 2.0 * PRESSURE / STIFFNESS}, v={"plate.rz": SPEED})
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
    for _ in range(steps):
        for k in range(len(contacts)):
            own = contacts[k]
            elastic = slice(own.slave.first, own.slave.first + own.points.modes)
            contact_blocks(
                own.points, own.laws, q[elastic], v[elastic], frame, ADVANCE, h, own.anchor,
                own.old, own.z, own.mode, own.wear, own.grip, own.sums, 0, len(own.sums),
            )  # fmt: skip
            added(own.sums, own.total)


def step_cost(points, modes, steps=2000, repeats=5):
    """Microseconds of one explicit step and of the bare kernel, best of interleaved repeats."""
    system, start = clutch(points, modes)
    motion = simulate(system, 1e-3, start, "explicit", 1e-3)
    lane = CompiledLane(system, Point(motion.state(-1), motion.a[-1]), Statistics())
    lane.change_step(0.5 * lane.limits.bound)
    frame = np.concatenate([np.eye(3).ravel(), np.zeros(15)])
    q, v = lane.q.copy(), lane.v.copy()
    best = [np.inf, np.inf]
    for _ in range(repeats + 1):
        _, own = timed(lambda: march(
            steps, lane.h, lane.linear, lane.contacts, lane.sums, lane.q, lane.v, lane.a
        ))  # fmt: skip
        _, bare = timed(lambda: repeated(steps, lane.contacts, q, v, frame, lane.h))
        best = [min(best[0], own), min(best[1], bare)]
    return [1e6 * x / steps for x in best], lane


def main(span):
    system, start = clutch()
    simulate(system, 1e-5, start, "explicit", 1e-5)
    (motion, wall) = timed(lambda: simulate(system, span, start, "explicit", span / 100))
    modes = motion.contact_states("bottom facing")
    last = {name: int(count[-1]) for name, count in modes.items()}
    lines = motion.energies
    off = abs(lines["numerical"][-1]) + abs(lines["residual"][-1])
    exchanged = lines["slip"][-1] + lines["damping"][-1]
    print(f"explicit: {motion.statistics.steps} steps, {span / wall:.4f} simulated s per s")
    print(f"last states {last}; numerical + residual {off / exchanged:.1e} of what was dissipated")
    speeds = np.linalg.norm(motion.v[:, :-2], axis=1)
    print(f"modal speed: first {speeds[5]:.2e}, last {speeds[-1]:.2e}, largest {speeds.max():.2e}")
    for step in (2e-6, 1e-5):
        end = 100 * step
        _, wall = timed(lambda step=step, end=end: simulate(
            system, end, start, "implicit", end, step=step
        ))  # fmt: skip
        print(f"implicit, step {step:.0e} s: {end / wall:.5f} simulated s per s")
    for solver in ("LSODA", "BDF", "Radau"):
        end = 1e-6
        _, wall = timed(lambda solver=solver, end=end: simulate(
            system, end, start, "flow", end, solver=solver, rtol=1e-5, atol=1e-9
        ))  # fmt: skip
        print(f"scipy {solver}, rtol 1e-5: {end / wall:.2e} simulated s per s (span {end:.0e} s)")
    print(
        f"{'points':>7} {'modes':>6} {'step us':>8} {'kernel us':>10} {'ratio':>6} {'bound us':>9}"
    )
    for points, modes in ((125, 40), (500, 40), (2000, 40), (500, 20), (500, 80)):
        (own, bare), lane = step_cost(points, modes)
        print(f"{points:7d} {modes:6d} {own:8.1f} {bare:10.1f} {own / bare:6.2f} "
              f"{1e6 * lane.limits.bound:9.2f}")  # fmt: skip


if __name__ == "__main__":
    with threadpool_limits(1):
        main(1e-3 * (float(sys.argv[1]) if len(sys.argv) > 1 else 1000.0))
