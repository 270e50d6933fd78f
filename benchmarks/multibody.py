"""Cost of one evaluation of M, f and tangents of a chain of 20 bodies, 5 of them elastic.

    python benchmarks/multibody.py

The elastic bodies have 40 modes each; bushings, bearings and springs join the chain. The fraction
outside BLAS and compiled code is bounded from above by the same evaluation with one mode per
elastic body: it makes the same Python calls on arrays of almost no size. The program of the same
system (`system.program`) does all of it compiled, and sums it up. Both are measured in turns: on a
busy machine their ratio is what counts.
"""

from __future__ import annotations

import time

import numpy as np
from threadpoolctl import threadpool_limits

from fecontact.body import DOFS, ElasticBody, RigidBody
from fecontact.fem import ElasticSolid, Material
from fecontact.joint import Bearing, Bushing, Gravity, SpringDamper
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.system import System

STEEL = Material(young=210e9, poisson=0.3, density=7800.0)
LENGTH = 0.3
RIGHT, LEFT = (LENGTH, 0.0, 0.0), (0.0, 0.0, 0.0)


def best(function, calls=20, repeats=9):
    times = []
    for _ in range(repeats):
        start = time.process_time()
        for _ in range(calls):
            function()
        times.append((time.process_time() - start) / calls)
    return min(times)


def chain(modes, count=20, elastic=5):
    """Bodies side by side, every fourth elastic, each joined to the next by a force element."""
    solid = ElasticSolid(block(LENGTH, 0.1, 0.05, cells=(4, 2, 1)), STEEL)
    model = reduce_model(solid, method="free", modes=modes)
    bodies, items = [], []
    for i in range(count):
        place, name = (i * LENGTH, 0.0, 0.0), f"body {i}"
        if i % (count // elastic) == 0:
            bodies.append(ElasticBody(name, model, place, damping=0.01))
        else:
            inertia = (1.0, 2.0, 3.0)
            bodies.append(RigidBody(name, 10.0, DOFS, inertia, place, points={"end": RIGHT}))
    kinds = (
        lambda a, b, name: Bushing(a, b, (1e6,) * 6, (1e2,) * 6, name=name),
        lambda a, b, name: Bearing(b, 1e6, 1e6, 1e2, 1e2, name=name, housing=a),
        lambda a, b, name: SpringDamper(a, b, 1e6, 1e2, LEFT, LEFT, name=name),
    )
    items += [Bushing(None, bodies[0], (1e6,) * 6, name="joint 0")]
    for i in range(1, count):
        items.append(kinds[i % 3](bodies[i - 1], bodies[i], f"joint {i}"))
    return bodies, [*bodies, *items, Gravity(bodies)]


def evaluation(modes):
    """A function that evaluates everything once at a deformed, moving state, and its size."""
    bodies, items = chain(modes)
    rng = np.random.default_rng(0)
    q, v = {}, {}
    for body in bodies:
        n = len(body.dofs)
        step = np.full(n, 1e-3)
        step[:6] = 0.1
        q[body.name] = body.move(body.reference(), step * rng.uniform(-1, 1, n))
        v[body.name] = 10.0 * step * rng.uniform(-1, 1, n)
    work = [
        (item, np.concatenate([q[b.name] for b in item.bodies]),
         np.concatenate([v[b.name] for b in item.bodies]))
        for item in items
    ]  # fmt: skip

    def run():
        for body in bodies:
            body.mass_matrix(q[body.name])
        for item, own_q, own_v in work:
            item.evaluate(0.0, own_q, own_v)

    system = System(bodies, items[len(bodies) :])
    at = np.concatenate([q[b.name] for b in bodies]), np.concatenate([v[b.name] for b in bodies])

    def program():
        system.program.mass_matrix(at[0])
        system.program.evaluate(0.0, *at)

    return run, program, work, system.size


def main():
    with threadpool_limits(1):
        run, program, work, size = evaluation(40)
        run()
        program()
        rounds = [(best(run, repeats=1), best(program, repeats=1)) for _ in range(15)]
        whole, compiled = np.min(rounds, axis=0)
        small, _, _, _ = evaluation(1)
        small()
        overhead = best(small)
        parts = {}
        for item, q, v in work:
            kind = type(item).__name__
            cost = best(lambda i=item, q=q, v=v: i.evaluate(0.0, q, v), 5, 5)
            count, total = parts.get(kind, (0, 0.0))
            parts[kind] = count + 1, total + cost
    print(f"20 bodies, 5 elastic with 40 modes, {size} dofs, {len(work)} items")
    print(f"M, f and tangents            {1e3 * whole:8.2f} ms")
    print(f"as one program               {1e3 * compiled:8.2f} ms, {compiled / whole:.2f} of it")
    print(f"same with one mode per body  {1e3 * overhead:8.2f} ms")
    print(f"outside BLAS and compiled code: at most {overhead / whole:.0%}")
    for kind, (count, total) in parts.items():
        print(f"  {kind:14}{count:4} x {1e6 * total / count:7.0f} us (force and tangents)")


if __name__ == "__main__":
    main()
