"""Compiled against reference backend: a plate on a spinning master, two kinds of contact at once.

    python benchmarks/contact_backends.py [points around]

The first rows are an elastic plate, an annulus with 97 shapes that is clamped at its bore, pressed
on a rigid disc that spins at a prescribed speed: 810 points, elasto-plastic friction. One
evaluation goes from (q, v) to the generalised force and the new history; `tangents` adds df/dq and
df/dv; `implicit step` is the cost of a step of that method. The reference backend is what the same
pair takes if its coefficient of friction is written in Python.

The last rows are one explicit system with two kinds of contact: a clutch disc on a spinning elastic
plate, whose bristles move along the rings of points, and the points of a stop below it. Both run in
one compiled loop; "general" is the backend for what cannot be compiled. Times are CPU times, one
thread, the best of five.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace

import numpy as np
from threadpoolctl import threadpool_limits

import fecontact as fc

SHAPES, H, SPIN = 96, 1e-5, 60.0
STIFFNESS, SHEAR, DAMPING, MU = 2e11, 1e11, 1e6, 0.3
SHAKEN = 0.03
"""Speed in m/s of the shapes at the start: points open, close, stick and slide in every step."""
REPEATS = 5


class PythonCoefficient(fc.Coefficient):
    """Coulomb's coefficient, written with arrays: its contacts run in the reference backend."""

    def values(self, speed, pressure, status):
        nothing = np.zeros_like(speed)
        return np.full_like(speed, MU), nothing, nothing


def best(function):
    """Least CPU time of some calls, after a first one."""
    function()
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return min(times)


def plate(around, shapes, coefficient):
    """System of an elastic plate on a disc of prescribed spin, its state and its pair."""
    mesh = fc.solid_annulus(0.06, 0.11, 0.0, 0.006, radial=3, circumferential=around)
    solid = fc.ElasticSolid(mesh, fc.STEEL, supports={"inner": "clamped"})
    model = fc.reduce_model(solid, contact="bottom", modes=shapes, method="free")
    body = fc.ElasticBody("plate", model, frame="fixed", damping=1e-3)
    surface = fc.elastic_surface(body, "bottom", parts=1)
    disc = fc.RigidBody("disc", 5.0, ("uz",), spin=SPIN, position=(0.0, 0.0, 0.0))
    law = fc.ElastoPlastic(coefficient, SHEAR, DAMPING)
    face = fc.RigidFace(disc, fc.Plane())
    pair = fc.ContactPair(body, surface, face, fc.PenaltyNormal(STIFFNESS), law, name="facing")
    push = fc.Force(disc, (0.0, 0.0, 2000.0))
    guide = fc.Bearing(disc, 1e6, 1e6, axial_damping=100.0)
    system = fc.System([body, disc], [pair, push, guide])
    steady = fc.steady_state(system, system.state(q={"disc.uz": 1e-6}).q)
    shaken = SHAKEN * np.random.default_rng(0).standard_normal(system.size)
    size = np.append(np.abs(surface.shapes).max(axis=(0, 1)), 1.0)
    return system, replace(steady.state, v=shaken / size), pair


def evaluations(system, state, pair):
    """CPU times in s of force, force with tangents, and of a step of the implicit method."""
    q, v = system.local(pair, state)
    start = pair.begin(0.0, q, v, fc.ContactHistory.fresh(pair.points))
    force = best(lambda: start.at(H, q, v, H).force)
    both = best(lambda: start.at(H, q, v, H).tangents())
    few, more = 5, 25

    def run(steps):
        fc.simulate(system, steps * H, state, "implicit", steps * H, step=H)

    step = (best(lambda: run(more)) - best(lambda: run(few))) / (more - few)
    return force, both, step, start.at(H, q, v, H).force


def two_kinds(harmonics):
    """Explicit system: a clutch disc on a spinning plate, and the points of a stop below it."""
    made = fc.HarmonicPlate(0.08, 0.12, 0.005, fc.STEEL, {"outer": "simply_supported"})
    model = fc.reduce_harmonic(made, contact_radius=0.1, harmonics=harmonics, modes=2)
    disc = fc.SpinningDisc("plate", model, speed=390.0, damping=5e-4)
    clutch = fc.RigidBody("clutch", mass=0.5, spin=300.0)
    facing = fc.ring(radius=0.1, points=60, height=0.0025)
    normal = fc.PenaltyNormal(12e6 / facing.measure, 10.0 / facing.measure)
    law = fc.ElastoPlastic(MU, 12e7 / facing.measure, 100.0 / facing.measure)
    rolling = fc.EulerianPair(clutch, facing, fc.PlateFace(disc), normal, law, name="facing")
    pad = fc.RigidBody("pad", 0.2, ("ux", "uy", "uz"))
    feet = fc.rectangle_surface(0.05, 0.05, (6, 6))
    floor = fc.ContactPair(
        pad, feet, fc.RigidFace(None, fc.Plane()), fc.PenaltyNormal(1e10, 1e3),
        fc.ElastoPlastic(MU, 1e9, 1e3), name="floor",
    )  # fmt: skip
    guide = fc.Bearing(clutch, 32e6, 3e6, radial_damping=10.0, axial_damping=10.0)
    loads = [fc.Force(clutch, (0.0, 0.0, -5000.0)), fc.Force(pad, (20.0, 0.0, -100.0), name="push")]
    return fc.System([clutch, disc, pad], [guide, rolling, floor, *loads])


def marching(system, backend, steps):
    """CPU time in s of one explicit step, and the last positions."""
    h = 2e-7

    def run():
        return fc.simulate(
            system,
            steps * h,
            None,
            "explicit",
            steps * h,
            step=h,
            backend=backend,
            max_steps=10 * steps,
        )

    return best(run) / steps, run().q[-1]


def main(around=30, shapes=SHAPES, harmonics=4, steps=(2000, 20)):
    print("plate on a disc of prescribed spin, CPU ms")
    print(f"{'backend':>10} {'points':>7} {'shapes':>7} {'force':>9} {'tangents':>9} "
          f"{'implicit step':>14}")  # fmt: skip
    rows, forces = [], []
    for name, coefficient in (("compiled", MU), ("reference", PythonCoefficient())):
        system, state, pair = plate(around, shapes, coefficient)
        assert pair.backend.startswith(name), pair.backend
        *times, force = evaluations(system, state, pair)
        rows.append(times)
        forces.append(force)
        print(f"{name:>10} {pair.points:7d} {pair.surface.shapes.shape[2]:7d} "
              f"{1e3 * times[0]:9.3f} {1e3 * times[1]:9.2f} {1e3 * times[2]:14.1f}")  # fmt: skip
    np.testing.assert_allclose(*forces, rtol=0.0, atol=1e-9 * np.abs(forces[0]).max())
    ratios = [slow / fast for fast, slow in zip(*rows, strict=True)]
    print(f"{'ratio':>10} {'':15} {ratios[0]:9.0f} {ratios[1]:9.0f} {ratios[2]:14.1f}")
    print("two kinds of contact in one explicit system, CPU us per step")
    system, found = two_kinds(harmonics), {}
    for backend, count in zip(("compiled", "general"), steps, strict=True):
        found[backend], _ = marching(system, backend, count)
        print(f"{backend:>10} {1e6 * found[backend]:9.1f}")
    few = [marching(system, backend, steps[1])[1] for backend in found]
    np.testing.assert_allclose(*few, rtol=0.0, atol=1e-9 * np.abs(few[0]).max())
    print(f"{'ratio':>10} {found['general'] / found['compiled']:9.0f}")


if __name__ == "__main__":
    with threadpool_limits(1):
        main(*(int(word) for word in sys.argv[1:]))
