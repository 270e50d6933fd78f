"""Clutch plate from a mesh file on a shaft with a helical gear: cost of a step.

The plate of `meshes/lamella.msh`, reduced for its friction face with a cut-off of 100 kHz to 89
elastic coordinates and the six of its frame, is welded with its teeth to a shaft on a bearing; a
helical gear joins the shaft to a countershaft of prescribed speed. Its 3 006 points rub by
elasto-plastic friction on a rigid plate of prescribed spin that a force presses. The start turns
with slip, and is shaken so that points open, close, stick and slide in every step. `implicit` is a
step of 10 us, `explicit` one of 1 or 2 us, below its stability bound of 3.3 us; the cost is that of
more steps less that of fewer, so that start and output do not count.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import radians

import numpy as np
from harness import OURS, Column, Question, Row, cpu

CUTOFF = 2.0 * np.pi * 1e5
MODES, PARTS = 40, 1
SPEED, SLIP = 100.0, 5.0
"""Of the shaft, and of the plate against it, in rad/s."""
STIFFNESS, SHEAR, DAMPING, MU = 2e11, 1e11, 1e4, 0.12
SHAKEN = 0.02
STEPS = {"implicit": (1e-5,), "explicit": (1e-6, 2e-6)}
MORE = {"explicit": {"few": 20, "more": 220}}
"""Numbers of steps that are not those of `measure`."""


@cache
def scene(modes: int = MODES):
    """System of the plate on its shaft, and its start."""
    import fecontact as fc

    solid = fc.ElasticSolid(fc.load_mesh(fc.mesh_folder() / "lamella.msh"), fc.STEEL)
    faces = ["friction_bottom", "teeth"]
    model = fc.reduce_model(solid, contact=faces, modes=modes, cutoff=CUTOFF)
    body = fc.ElasticBody("clutch plate", model, damping=1e-3)
    shaft = fc.RigidBody("shaft", 1.0, fc.DOFS, (2e-3, 2e-3, 1e-3))
    counter = fc.RigidBody("countershaft", 1.0, (), position=(0.1, 0.0, 0.0), spin=-SPEED)
    engine = fc.RigidBody("engine plate", 5.0, ("uz",), spin=SPEED + SLIP)
    gears = fc.GearPair((30, 30), 0.045, 0.1, radians(20.0))
    surface = fc.elastic_surface(body, "friction_bottom", parts=PARTS)
    laws = fc.PenaltyNormal(STIFFNESS), fc.ElastoPlastic(MU, SHEAR, DAMPING)
    face = fc.RigidFace(engine, fc.Plane())
    items = [
        fc.ContactPair(body, surface, face, *laws, name="facing"),
        fc.RigidJoint(shaft, body, point_b="teeth", name="weld"),
        fc.Bearing(shaft, 1e8, 1e7, 1e3, 1e3, tilt_stiffness=1e5, tilt_damping=10.0),
        fc.ElasticGearMesh(shaft, counter, gears, 1e8, 1e3, reference="front"),
        fc.Force(engine, (0.0, 0.0, 2000.0)),
        fc.Bearing(engine, 1e6, 1e6, axial_damping=100.0, name="guide"),
    ]
    system = fc.System([body, shaft, counter, engine], items)
    turning = {"clutch plate.rz": SPEED, "shaft.rz": SPEED}
    start = system.state(q={"engine plate.uz": 1e-6}, v=turning)
    size = np.abs(surface.shapes).max(axis=(0, 1))
    shaken = start.v.copy()
    elastic = slice(6, 6 + len(size))
    shaken[elastic] = SHAKEN * np.random.default_rng(0).standard_normal(len(size)) / size
    return system, system.consistent(replace(start, v=shaken)).state, len(surface.points)


def measure(
    program: str, method: str, step: float, modes: int = MODES, few: int = 5, more: int = 25
) -> Row:
    """CPU time of a step in ms, and simulated seconds per second of CPU."""
    import fecontact as fc

    system, start, points = scene(modes)

    def run(steps):
        fc.simulate(system, steps * step, start, method, steps * step, step=step)

    run(few)
    repeats = {"repeats": 5, "least": 0.0, "most": 20.0}
    times = [cpu(lambda n=n: run(n), lambda: None, **repeats) for n in (few, more)]
    each = (times[1] - times[0]) / (more - few)
    pace = step / each if each > 0.0 else None
    return {"dofs": system.size, "points": points, "ms": 1e3 * each, "pace": pace}


QUESTION = Question(
    name="clutch_plate",
    measure=measure,
    cases=tuple(
        {"program": OURS, "method": method, "step": step} | MORE.get(method, {})
        for method, steps in STEPS.items()
        for step in steps
    ),
    smoke=tuple(
        {"program": OURS, "method": method, "step": steps[0], "modes": 4, "few": 1, "more": 2}
        for method, steps in STEPS.items()
    ),
    columns=(
        Column("method", "method"),
        Column("dofs", "dofs"),
        Column("points", "points", ",d"),
        Column("step", "step, s"),
        Column("ms", "ms per step", ".3g"),
        Column("pace", "simulated s per s", ".1e"),
        Column("GB", "GB", ".2f"),
    ),
)
