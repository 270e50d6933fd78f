"""Cost of one evaluation of contact forces: 200 to 200 000 points, 40 modes.

    python benchmarks/contact_evaluation.py [largest number of points]

The points lie on an elastic body and touch a rigid plane, with elasto-plastic friction; one
evaluation goes from (q, v) to the generalised force. Its limit are the two passes over the shapes
Phi (p, 3, 40), one for motion and one for the load: their bytes over the triad bandwidth measured
in the same run where they do not fit the cache, else twice the time of a BLAS gemv of that shape.
`passes` are motion and load alone; `numpy` is the evaluation by a twin without compiled code.
"""

from __future__ import annotations

import sys
import time

import numpy as np
from threadpoolctl import threadpool_limits

from fecontact.body.elastic_points import ElasticPointMotion, ElasticPoints, FloatingMotion
from fecontact.contact import ContactPair, PenaltyNormal, Surface
from fecontact.contact.elasto_plastic import ElastoPlastic
from fecontact.contact.rigid_face import RigidFace
from fecontact.contact.shape import Plane
from fecontact.contact.stepping import ContactHistory, StepStart

MODES, H = 40, 1e-5
STIFFNESS, SHEAR, DAMPING, MU = 1e9, 5e8, 1e3, 0.3
CACHE = 32e6
SIZES = (200, 2_000, 20_000, 200_000)


class Points:
    """A slave that consists of its contact points."""

    name, freedoms = "points", tuple(f"e{i}" for i in range(6 + MODES))

    def __init__(self, frame):
        self.frame = frame

    def reference(self):
        return np.zeros(7 + MODES)

    def motion(self, q, v, points):
        return ElasticPointMotion(self.frame, points)


def best(function, repeats=7):
    function()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def triad(size=20_000_000):
    """Bandwidth in B/s of a = b + s c, arrays far beyond the cache."""
    a, b, c = np.zeros((3, size))

    def run():
        np.multiply(c, 3.0, out=a)
        np.add(a, b, out=a)

    return 5 * 8 * size / best(run, 4)


def scene(count):
    rng = np.random.default_rng(0)
    points = rng.uniform(-0.1, 0.1, (count, 3)) * [1.0, 1.0, 1e-5]
    slave = ElasticPoints.of(points, 1e-3 * rng.standard_normal((count, 3, MODES)))
    still = np.zeros(3)
    frame = FloatingMotion(still, np.eye(3), still, still, 1e-4 * rng.standard_normal(MODES),
                           rng.standard_normal(MODES), slice(0, None))  # fmt: skip
    surface = Surface(points, np.full(count, 0.04 / count), slave.shapes)
    normal, friction = PenaltyNormal(STIFFNESS, 0.0), ElastoPlastic(MU, SHEAR, DAMPING)
    pair = ContactPair(Points(frame), surface, RigidFace(None, Plane()), normal, friction)
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


def main(largest):
    bandwidth = triad()
    print(f"triad {bandwidth / 1e9:.1f} GB/s, one thread; times in ms, shares of the limit")
    print(
        f"{'points':>8} {'limit':>8} {'passes':>14} {'evaluation':>16} {'numpy':>8} {'us/point':>9}"
    )
    for count in (size for size in SIZES if size <= largest):
        pair, frame, slave = scene(count)
        q, v = np.zeros(7 + MODES), np.zeros(6 + MODES)
        start = StepStart.of(pair, q, v, ContactHistory.fresh(count))
        anchor, weights = start.anchor, pair.surface.weights
        force = start.at(q, v, H).force
        np.testing.assert_allclose(force, numpy_twin(frame, slave, anchor, weights),
                                   atol=1e-9 * np.abs(force).max())  # fmt: skip
        flat, load = slave.by_mode, np.ones((count, 3))
        limit = 2 * flat.nbytes / bandwidth
        if flat.nbytes < CACHE:
            limit = 2 * best(lambda flat=flat, load=load: flat @ load.ravel())
        passes = best(lambda f=frame, s=slave, F=load: _passes(f, s, F))
        full = best(lambda start=start, q=q, v=v: start.at(q, v, H).force)
        twin_Phi = ElasticPoints(slave.points, np.ascontiguousarray(slave.shapes))
        twin = best(lambda f=frame, s=twin_Phi, a=anchor, w=weights: numpy_twin(f, s, a, w))
        shares = limit / passes, limit / full
        print(
            f"{count:8d} {1e3 * limit:8.3f} {1e3 * passes:8.3f} {shares[0]:4.0%} "
            f"{1e3 * full:10.3f} {shares[1]:4.0%} {1e3 * twin:8.2f} {1e6 * full / count:9.3f}"
        )


def _passes(frame, slave, force):
    motion = ElasticPointMotion(frame, slave)
    return motion.velocity, motion.pull(force)


if __name__ == "__main__":
    with threadpool_limits(1):
        main(int(sys.argv[1]) if len(sys.argv) > 1 else SIZES[-1])
