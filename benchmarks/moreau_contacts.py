"""Moreau's time stepping: steps per second over the number of contacts.

One contact is a ball that bounces and comes to rest. More are a block that slides and turns on a
grid of feet: all feet carry, friction is spatial, the normal forces are statically indeterminate.
Steps of 1 ms, tolerance 1e-10, one output. Sweeps are those of the contact solver per step.
"""

from __future__ import annotations

import time

import numpy as np
from harness import OURS, Column, Growth, Question, Row

from fecontact.body import RigidBody
from fecontact.contact import Plane, RigidContact, RigidFace, Surface
from fecontact.integrate import contact_residuals, simulate
from fecontact.joint import Gravity
from fecontact.system import System

DOFS = ("ux", "uy", "uz", "rx", "ry", "rz")
STEP = 1e-3


def ball():
    """System and start: a ball that falls on the ground from 1 m."""
    body = RigidBody("ball", 1.0, ("ux", "uy", "uz"), position=(0.0, 0.0, 1.0))
    point, ground = Surface(np.zeros((1, 3)), np.ones(1)), RigidFace(None, Plane())
    contact = RigidContact(body, point, ground, 0.3, restitution=0.9)
    system = System([body], [Gravity([body]), contact])
    return system, system.state(v={"ball.ux": 1.0})


def block(contacts):
    """System and start: a block with about this many feet."""
    side = max(2, round(np.sqrt(contacts)))
    x, y = np.meshgrid(*2 * [np.linspace(-0.1, 0.1, side)])
    feet = np.column_stack([x.ravel(), y.ravel(), np.full(side**2, -0.02)])
    body = RigidBody("block", 1.0, DOFS, (0.004, 0.004, 0.007), (0.0, 0.0, 0.02))
    contact = RigidContact(body, Surface(feet, np.ones(side**2)), RigidFace(None, Plane()), 0.3)
    system = System([body], [Gravity([body]), contact])
    return system, system.state(v={"block.ux": 2.0, "block.rz": 16.0})


def measured(contacts, steps):
    """Contacts, steps per second, sweeps per step and largest residual."""
    system, start = ball() if contacts == 1 else block(contacts)
    end = steps * STEP
    simulate(system, 2 * STEP, start, "moreau", 2 * STEP, step=STEP)
    began = time.process_time()
    motion = simulate(system, end, start, "moreau", end, step=STEP)
    speed = motion.statistics.steps / (time.process_time() - began)
    sweeps = motion.statistics.iterations / motion.statistics.steps
    return system.history_layout.sizes[1], speed, sweeps, contact_residuals(motion)[-1]


def measure(program: str, contacts: int, repeats: int = 3, steps: int = 500) -> Row:
    """The fastest of some runs; of the ball more steps, what comes before them hardly counts."""
    steps *= 100 if contacts == 1 else 1
    feet, rate, sweeps, residual = max(
        (measured(contacts, steps) for _ in range(repeats)), key=lambda row: row[1]
    )
    found = {"feet": int(feet), "rate": rate, "ms": 1e3 / rate}
    return found | {"sweeps": float(sweeps), "residual": float(residual)}


QUESTION = Question(
    name="moreau_contacts",
    measure=measure,
    cases=tuple({"program": OURS, "contacts": n} for n in (1, 9, 25, 100, 289, 1024)),
    smoke=({"program": OURS, "contacts": 4, "repeats": 1, "steps": 5},),
    columns=(
        Column("feet", "contacts", ",d"),
        Column("rate", "steps/s", ",.3g"),
        Column("sweeps", "sweeps per step", ".1f"),
        Column("residual", "largest residual", ".1e"),
        Column("GB", "GB", ".2f"),
    ),
    growths=(
        Growth("feet", "ms", labels=("contacts", "CPU time per step / ms")),
        Growth("feet", "GB", labels=("contacts", "memory / GB")),
    ),
)
