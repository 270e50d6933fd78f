"""Cost of one evaluation of contact forces: 200 to 200 000 points, 40 modes.

    python benchmarks/contact_evaluation.py [largest number of points]

The points lie on an elastic body and touch a rigid plane, with elasto-plastic friction; one
evaluation goes from (q, v) to the generalised force and the new history. Its limit is two passes
over the shapes Phi (p, 3, 40), one for motion and one for the load: their bytes over the triad
bandwidth measured in the same run where they do not fit the cache, else twice the time of a BLAS
gemv of that shape. `compiled` is what a pair does in a simulation
(`contact.evaluate.compiled.rigid`: Phi is read once), with half of the points closed, most of which
stick; in `sliding` all are closed and slide; `2 threads` the same with the blocks shared between
two threads; `reference` the evaluation item by item; `numpy` a twin without compiled code. What
uses Phi in the cache is timed in turn with the gemv, the others by themselves, and the best of each
counts. `tangents` are df/dq and
df/dv of a step, evaluation included; their limit is the two products J^T (C J) of BLAS, J (3 p,
46) that of the closed points.

The last rows are two elastic blocks, one on the other, with 40 modes each: the points of one and
the facets of the other, of equal and of different meshes, all points closed; they stick, or slide
after a shift that moves their projection points. The limit is two passes over the
Jacobian J (3 p, 80) of the points in the modes of both bodies. The kernel does not form it: it
moves the master's nodes, and `nodes` is the smaller limit of two passes over the shapes of slave
points and master nodes. The limit of the tangents are two products of BLAS with all 6 + 2 x 40
relative motions.
"""

from __future__ import annotations

import sys
import time

import numba
import numpy as np
from threadpoolctl import threadpool_limits

from fecontact.body import ElasticBody
from fecontact.body.points.elastic_points import ElasticPointMotion, ElasticPoints, FloatingMotion
from fecontact.contact import ContactPair, PenaltyNormal, Surface
from fecontact.contact.evaluate.compiled import points as compiled_points
from fecontact.contact.evaluate.step import ContactHistory, ContactStart
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.master.elastic_face import ElasticFace
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.master.shape import Plane
from fecontact.contact.status import SLIP, STICK
from fecontact.contact.surface.points import elastic_surface
from fecontact.fem import ElasticSolid, Material
from fecontact.mesh import block
from fecontact.reduction import reduce_model

MODES, H = 40, 1e-5
STIFFNESS, SHEAR, DAMPING, MU = 1e9, 5e8, 1e3, 0.3
CACHE = 32e6
STEEL = Material(young=210e9, poisson=0.3, density=7800.0)
SIZES = (200, 2_000, 20_000, 200_000)
BLOCKS = ((5, 5, None), (15, 15, None), (15, 47, None), (47, 15, None), (47, 47, None), (47, 47, 3))
"""Cells along the edges of the upper and lower block, and parts of a slave's facet each way."""


class Points:
    """A slave that consists of its contact points."""

    name, dofs = "points", tuple(f"e{i}" for i in range(6 + MODES))

    def __init__(self, frame):
        self.frame = frame

    def reference(self):
        return np.zeros(7 + MODES)

    def point_motion(self, q, v, points, t=0.0):
        return ElasticPointMotion(self.frame, points)

    def frame_motion(self, q, v, t=0.0):
        return self.frame


def best(function, repeats=7):
    function()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


@numba.njit
def add_scaled(a, b, c, s):
    """One pass of a = b + s c."""
    for i in range(len(a)):
        a[i] = b[i] + s * c[i]


def triad(size=20_000_000):
    """Bandwidth in B/s of a = b + s c, arrays far beyond the cache, 24 bytes for each number.

    The arrays are filled first: memory that was never written to is not read from DRAM.
    """
    a, b, c = np.ones((3, size))
    return 3 * 8 * size / best(lambda: add_scaled(a, b, c, 3.0), 8)


def scene(count, speed=0.0):
    """Half of the points closed, most of them stick; with a speed all are closed and slide."""
    rng = np.random.default_rng(0)
    points = rng.uniform(-0.1, 0.1, (count, 3)) * [1.0, 1.0, 1e-5]
    points[:, 2] -= 1e-5 if speed else 0.0
    slave = ElasticPoints.of(points, 1e-3 * rng.standard_normal((count, 3, MODES)))
    still = np.zeros(3)
    velocity = np.array([speed, 0.0, 0.0])
    frame = FloatingMotion(still, np.eye(3), velocity, still, 1e-4 * rng.standard_normal(MODES),
                           rng.standard_normal(MODES), slice(0, None))  # fmt: skip
    surface = Surface(points, np.full(count, 0.04 / count), slave.shapes)
    normal, friction = PenaltyNormal(STIFFNESS, 0.0), ElastoPlastic(MU, SHEAR, DAMPING)
    pair = ContactPair(Points(frame), surface, RigidFace(None, Plane()), normal, friction)
    assert pair.backend == "compiled"
    return pair, frame, slave


def numpy_twin(frame, slave, anchor, weights):
    """The same forces on a plane z = 0, by numpy alone; Phi point by point as usual."""
    Phi = np.ascontiguousarray(slave.shapes).reshape(-1, MODES)
    x = slave.points + (Phi @ frame.elastic).reshape(-1, 3)
    v = (Phi @ frame.rate).reshape(-1, 3)
    pressure = np.maximum(-STIFFNESS * x[:, 2], 0.0)
    a = SHEAR * (x - anchor)[:, :2] + DAMPING * v[:, :2]
    size = np.linalg.norm(a, axis=1)
    factor = np.minimum(1.0, MU * pressure / np.where(size > 0.0, size, 1.0))
    force = np.column_stack([-factor[:, None] * a, pressure]) * weights[:, None]
    return np.concatenate(
        [force.sum(axis=0), np.cross(x, force).sum(axis=0), Phi.T @ force.ravel()]
    )


def in_turn(functions, repeats):
    """Best time of each function, called one after the other so that all see the same machine."""
    for function in functions:
        function()
    times = np.full(len(functions), np.inf)
    for _ in range(repeats):
        for i, function in enumerate(functions):
            start = time.perf_counter()
            function()
            times[i] = min(times[i], time.perf_counter() - start)
    return times


def threaded(function):
    """The function with two threads."""

    def run():
        compiled_points.THREADS, compiled_points.THREADED_FROM = 2, 1
        function()
        compiled_points.THREADS, compiled_points.THREADED_FROM = 1, 20_000

    return run


def main(largest):
    bandwidth = triad()
    print(f"triad {bandwidth / 1e9:.1f} GB/s, one thread; times in ms, fractions of the limit")
    print(f"{'points':>8} {'limit':>8} {'compiled':>13} {'sliding':>14} {'2 threads':>14} "
          f"{'reference':>14} {'numpy':>8} {'ns/point':>9}")  # fmt: skip
    for count in (size for size in SIZES if size <= largest):
        pair, frame, slave = scene(count)
        q, v = np.zeros(7 + MODES), np.zeros(6 + MODES)
        fresh = ContactHistory.fresh(count)
        slow, fast = ContactStart.of(pair, 0.0, q, v, fresh), pair.begin(0.0, q, v, fresh)
        weights, flat, load = pair.surface.weights, slave.by_mode, np.ones(3 * count)
        force = slow.at(0.0, q, v, H).force
        scale = np.abs(force).max()
        twin = ElasticPoints(slave.points, np.ascontiguousarray(slave.shapes))
        for other in (
            fast.at(0.0, q, v, H).force,
            numpy_twin(frame, twin, slow.origin.anchor, weights),
        ):
            np.testing.assert_allclose(other, force, rtol=0, atol=1e-9 * scale)
        evaluate = lambda fast=fast, q=q, v=v: fast.at(0.0, q, v, H)  # noqa: E731
        repeats = max(8, 400_000 // count)
        slides = scene(count, 10.0)[0].begin(0.0, q, v, fresh)
        assert np.all(slides.at(0.0, q, v, H).history.status == SLIP)
        gemv, compiled, sliding, two = in_turn([
            lambda flat=flat, load=load: flat @ load, evaluate,
            lambda slides=slides, q=q, v=v: slides.at(0.0, q, v, H), threaded(evaluate),
        ], repeats)  # fmt: skip
        reference, plain = in_turn([
            lambda slow=slow, q=q, v=v: slow.at(0.0, q, v, H).force,
            lambda f=frame, s=twin, a=slow.origin.anchor, w=weights: numpy_twin(f, s, a, w),
        ], repeats)  # fmt: skip
        limit = 2 * gemv if flat.nbytes < CACHE else 2 * flat.nbytes / bandwidth
        parts = [f"{1e3 * t:9.3f} {limit / t:4.0%}" for t in (compiled, sliding, two, reference)]
        print(f"{count:8d} {1e3 * limit:8.3f} {' '.join(parts)} {1e3 * plain:8.2f} "
              f"{1e9 * compiled / count:9.0f}")  # fmt: skip
    tangents(largest)
    elastic_master(bandwidth, largest)


def tangents(largest):
    """Tangents by the kernel and item by item."""
    print("tangents:  points  closed     gemm      compiled     reference")
    for count in (size for size in (2_000, 20_000) if size <= largest):
        pair, _, _ = scene(count)
        q, v = np.zeros(7 + MODES), np.zeros(6 + MODES)
        fresh = ContactHistory.fresh(count)
        slow, fast = ContactStart.of(pair, 0.0, q, v, fresh), pair.begin(0.0, q, v, fresh)
        closed = int(np.sum(fast.at(0.0, q, v, H).history.status > 0))
        left, right = np.random.default_rng(0).standard_normal((2, 6 + MODES, 3 * closed))
        gemm, compiled, reference = in_turn([
            lambda a=left, b=right: (a @ b.T, a @ b.T),
            lambda fast=fast, q=q, v=v: fast.at(0.0, q, v, H).tangents(),
            lambda slow=slow, q=q, v=v: slow.at(0.0, q, v, H).tangents(),
        ], max(5, 100_000 // count))  # fmt: skip
        parts = [f"{1e3 * t:8.2f} {gemm / t:4.0%}" for t in (compiled, reference)]
        print(f"{count:17d} {closed:7d} {1e3 * gemm:8.2f} {' '.join(parts)}")


def elastic_master(bandwidth, largest):
    """Two elastic blocks, one on the other, with 40 modes each."""
    print("elastic master:  points  facets    limit      sticking       sliding  nodes"
          "     reference  ns/point   tangents: gemm  compiled  reference")  # fmt: skip
    models = {}
    for above, below, parts in BLOCKS:
        count = 9 * (above * (parts or 1)) ** 2
        if count > largest:
            continue
        for side in {above, below} - set(models):
            models[side] = block_model(side)
        pair, shapes, q, sliding = two_blocks(models[above], models[below], parts)
        v = np.zeros(sum(len(body.dofs) for body in pair.bodies))
        fresh = ContactHistory.fresh(count)
        start, slow = pair.begin(0.0, q, v, fresh), ContactStart.of(pair, 0.0, q, v, fresh)
        statuses = [set(start.at(0.0, x, v, H).history.status.tolist()) for x in (q, sliding)]
        assert statuses == [{STICK}, {SLIP}], statuses
        loads = [np.ones(one.shape[1]) for one in shapes]
        reference = best(lambda slow=slow, q=q, v=v: slow.at(0.0, q, v, H).force)
        sticks, slides, *gemv = in_turn([
            lambda start=start, q=q, v=v: start.at(0.0, q, v, H).force,
            lambda start=start, q=sliding, v=v: start.at(0.0, q, v, H).force,
            *(lambda a=one, b=load: a @ b for one, load in zip(shapes, loads, strict=True)),
        ], max(8, 400_000 // count))  # fmt: skip
        limit, *least = (
            2 * took if one.nbytes < CACHE else 2 * one.nbytes / bandwidth
            for one, took in zip(shapes, gemv, strict=True)
        )
        left, right = np.ones((2, 3 * count, 6 + 2 * MODES))
        tangent = in_turn([
            lambda a=left, b=right: (a.T @ b, a.T @ b),
            lambda start=start, q=q, v=v: start.at(0.0, q, v, H).tangents(),
            *([lambda s=slow, q=q, v=v: s.at(0.0, q, v, H).tangents()] if count < 1e5 else []),
        ], max(3, 20_000 // count))  # fmt: skip
        times = [f"{1e3 * t:8.3f} {limit / t:4.0%}" for t in (sticks, slides)]
        print(f"{count:23d} {below**2:7d} {1e3 * limit:8.3f} {' '.join(times)} "
              f"{sum(least) / sticks:6.0%} {1e3 * reference:8.2f} {limit / reference:4.0%} "
              f"{1e9 * sticks / count:9.0f}        "
              f"{' '.join(f'{1e3 * t:10.1f}' for t in tangent)}")  # fmt: skip


def two_blocks(above, below, parts):
    """A pair, arrays of the shapes of its limits, and states where all points stick, or slide."""
    upper, lower = ElasticBody("upper", above, (0.0, 0.0, 0.02)), ElasticBody("lower", below)
    surface = elastic_surface(upper, "z_min", parts=parts)
    pair = ContactPair(upper, surface, ElasticFace(lower, "z_max"),
                       PenaltyNormal(1e12), ElastoPlastic(MU, SHEAR, DAMPING))  # fmt: skip
    q = np.concatenate([body.reference() for body in (upper, lower)])
    q[2] = -1e-9  # 300 Pa of friction
    sliding = q.copy()
    sliding[0] += 1e-5  # the bristles would hold with 5 kPa; 0.01 mm leave no point without facet
    jacobian = np.ones((2 * MODES, 3 * len(surface.points)))
    return pair, [jacobian, surface.material.by_mode, pair.master.by_mode], q, sliding


def block_model(cells):
    solid = ElasticSolid(block(0.1, 0.1, 0.02, cells=(cells, cells, 1)), STEEL)
    return reduce_model(solid, contact=["z_min", "z_max"], modes=MODES, method="free")


if __name__ == "__main__":
    with threadpool_limits(1):
        main(int(sys.argv[1]) if len(sys.argv) > 1 else SIZES[-1])
