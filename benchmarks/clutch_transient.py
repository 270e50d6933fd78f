"""Transient of a squealing elastic clutch: simulated seconds per wall second, by method.

    python benchmarks/clutch_transient.py [simulated ms]

An elastic annular plate, clamped at its bore, with 40 modes and 500 friction points, is pressed by
a rigid plate that spins at constant speed; friction falls with the speed (Stribeck), so the plate
squeals. `kernel` is the bare compiled evaluation of the contact, called in a loop; an explicit step
should cost at most 1.5 of it. The implicit method and scipy's solvers on the continuous law get
shorter spans; their cost is given per simulated time.
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
SPEED = 3.0
PRESSURE = 2e5


def clutch(points=500, modes=40):
    """System, and its start on steady sliding."""
    mesh = solid_annulus(0.06, 0.11, 0.0, 0.002, radial=4, circumferential=48)
    solid = ElasticSolid(mesh, STEEL, supports={"inner": "clamped"})
    model = reduce_model(solid, contact="bottom", modes=modes, method="free")
    body = ElasticBody("lamella", model, frame="fixed", damping=1e-3)
    full = elastic_surface(body, "bottom")
    chosen = np.linspace(0, len(full.points) - 1, points).astype(int)
    weights = full.weights[chosen] * full.measure / full.weights[chosen].sum()
    surface = Surface(full.points[chosen], weights, full.shapes[chosen])
    plate = RigidBody("plate", 3.0, ("uz",), spin=SPEED)
    level = float(full.points[:, 2].min())
    pair = ContactPair(
        body, surface, RigidFace(plate, Plane((0.0, 0.0, level))), PenaltyNormal(2e11, 1e4),
        ElastoPlastic(Stribeck(0.3, 0.45, 0.3), 1e11, 2e3), "facing",
    )  # fmt: skip
    lift = PRESSURE * surface.measure / 1e6
    system = System([body, plate], [pair, Bearing(plate, 1e6, 1e6, offset=(0.0, 0.0, lift))])
    return system, system.state()


def timed(function):
    start = time.perf_counter()
    result = function()
    return result, time.perf_counter() - start


@numba.njit
def repeated(steps, contact, q, v, frame, h):
    """The contact kernel alone, again and again."""
    elastic = slice(contact.slave.first, contact.slave.first + contact.points.modes)
    for _ in range(steps):
        contact_blocks(
            contact.points, contact.laws, q[elastic], v[elastic], frame, ADVANCE, h, contact.anchor,
            contact.old, contact.z, contact.mode, contact.wear,
            contact.grip, contact.sums, 0, len(contact.sums),
        )  # fmt: skip
        added(contact.sums, contact.total)


def step_cost(points, modes, steps=2000, repeats=5):
    """Microseconds of one explicit step and of the bare kernel, best of interleaved repeats."""
    system, start = clutch(points, modes)
    motion = simulate(system, 1e-3, start, "explicit", 1e-3)
    lane = CompiledLane(system, Point(motion.state(-1), motion.a[-1]), Statistics())
    lane.change_step(0.5 * lane.bound)
    frame = np.concatenate([np.eye(3).ravel(), [0.0, 0.0, -lane.q[-1]], np.zeros(12)])
    q, v = lane.q.copy(), lane.v.copy()
    best = [np.inf, np.inf]
    for _ in range(repeats + 1):
        _, own = timed(lambda: march(
            steps, lane.h, lane.linear, lane.contacts, lane.sums, lane.q, lane.v, lane.a
        ))  # fmt: skip
        _, bare = timed(lambda: repeated(steps, lane.contacts[0], q, v, frame, lane.h))
        best = [min(best[0], own), min(best[1], bare)]
    return [1e6 * x / steps for x in best], lane


def main(span):
    system, start = clutch()
    simulate(system, 1e-5, start, "explicit", 1e-5)
    (motion, wall) = timed(lambda: simulate(system, span, start, "explicit", span / 100))
    modes = motion.contact_states("facing")
    last = {name: int(count[-1]) for name, count in modes.items()}
    lines = motion.energies
    off = abs(lines["numerical"][-1]) + abs(lines["residual"][-1])
    exchanged = lines["slip"][-1] + lines["damping"][-1]
    print(f"explicit: {motion.statistics.steps} steps, {span / wall:.4f} simulated s per s")
    print(f"last states {last}; numerical + residual {off / exchanged:.1e} of what was dissipated")
    speeds = np.linalg.norm(motion.v[:, :-1], axis=1)
    print(f"modal speed: first {speeds[5]:.2e}, last {speeds[-1]:.2e}, largest {speeds.max():.2e}")
    for step in (2e-6, 1e-5):
        end = 100 * step
        _, wall = timed(lambda step=step, end=end: simulate(
            system, end, start, "implicit", end, step=step
        ))  # fmt: skip
        print(f"implicit, step {step:.0e} s: {end / wall:.5f} simulated s per s")
    for solver in ("LSODA", "BDF", "Radau", "RK45"):
        end = 2e-5
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
              f"{1e6 * lane.bound:9.2f}")  # fmt: skip


if __name__ == "__main__":
    with threadpool_limits(1):
        main(1e-3 * (float(sys.argv[1]) if len(sys.argv) > 1 else 1000.0))
