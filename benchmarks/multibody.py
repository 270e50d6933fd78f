"""Cost of one evaluation of M, f and tangents of a chain of bodies, a quarter of them elastic.

The elastic bodies have 40 modes each; bushings, bearings and springs join the chain. `program` is
the compiled program of the system, which integrators ask; `system` stands for
`System.mass_matrix` and `System.evaluate`, which analyses ask and which use it, `items` for the
same questions to each body, joint and load. What the calls cost beside the arithmetic is bounded
from above by the same chain with one mode per elastic body: it makes the same calls on arrays of
almost no size.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from harness import OURS, Column, Growth, Question, Row, cpu

from fecontact.body import DOFS, ElasticBody, RigidBody
from fecontact.fem import ElasticSolid, Material
from fecontact.joint import Bearing, Bushing, Gravity, SpringDamper
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.system import System

STEEL = Material(young=210e9, poisson=0.3, density=7800.0)
LENGTH = 0.3
RIGHT, LEFT = (LENGTH, 0.0, 0.0), (0.0, 0.0, 0.0)


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


def evaluation(modes, count=20, elastic=5):
    """A function that evaluates all items once at a deformed, moving state, and its parts."""
    bodies, items = chain(modes, count, elastic)
    q, v = moving(bodies)
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

    return run, work, sum(len(body.dofs) for body in bodies)


def moving(bodies):
    """Coordinates and velocities of a deformed, moving state, by body."""
    rng = np.random.default_rng(0)
    q, v = {}, {}
    for body in bodies:
        n = len(body.dofs)
        step = np.full(n, 1e-3)
        step[:6] = 0.1
        q[body.name] = body.move(body.reference(), step * rng.uniform(-1, 1, n))
        v[body.name] = 10.0 * step * rng.uniform(-1, 1, n)
    return q, v


def by_system(modes, count, elastic, compiled):
    """A function that asks the system for the same, or its compiled program."""
    bodies, items = chain(modes, count, elastic)
    q, v = moving(bodies)
    system = System(bodies, [item for item in items if item not in bodies])
    state = replace(system.rest(), q=np.concatenate([*q.values()]), v=np.concatenate([*v.values()]))

    def run():
        system.mass_matrix(state.q)
        system.evaluate(state)

    def program():
        system.program.mass_matrix(state.q)
        system.program.evaluate(state.t, state.q, state.v)

    return program if compiled else run, system.size


def measure(program: str, bodies: int, modes: int, way: str) -> Row:
    """CPU time of one evaluation, and of the same with one mode per elastic body."""
    made = evaluation if way == "items" else partial(by_system, compiled=way == "program")
    runs = [made(number, bodies, max(1, bodies // 4)) for number in (modes, 1)]
    ms = [1e2 * cpu(lambda run=run: [run() for _ in range(10)], repeats=9) for run, *_ in runs]
    return {"dofs": runs[0][-1], "ms": ms[0], "calls": ms[1]}


CHAINS = ((4, 40), (8, 40), (20, 40), (40, 40), (20, 10), (20, 20), (20, 80))
QUESTION = Question(
    name="multibody",
    measure=measure,
    cases=tuple(
        {"program": OURS, "bodies": bodies, "modes": modes, "way": way}
        for way in ("program", "system", "items")
        for bodies, modes in CHAINS
        if way != "items" or (bodies, modes) == (20, 40)
    ),
    smoke=tuple(
        {"program": OURS, "bodies": 4, "modes": 2, "way": way}
        for way in ("program", "system", "items")
    ),
    columns=(
        Column("way", "evaluation of"),
        Column("bodies", "bodies"),
        Column("modes", "modes of an elastic body"),
        Column("dofs", "dofs"),
        Column("ms", "ms", ".3g"),
        Column("calls", "same, one mode per body", ".3g"),
        Column("GB", "GB", ".2f"),
    ),
    growths=(
        Growth(
            "bodies", "ms", ("way",), ("bodies", "CPU time / ms"), {"modes": 40, "way": "program"}
        ),
        Growth(
            "modes", "ms", ("way",), ("modes", "CPU time / ms"), {"bodies": 20, "way": "program"}
        ),
    ),
)
