"""Moreau's time stepping: steps per second over the number of contacts.

    python benchmarks/moreau_contacts.py [--backend B] [--steps N] [--picture FILE] [contacts ...]

One contact is a ball that bounces and comes to rest. More are a block that slides and turns on a
grid of feet: all feet carry, friction is spatial, the normal forces are statically indeterminate.
Sweeps are those of the contact solver per step; the exponent is that of the cost of a step over the
contacts, fitted from 100 on. Each run is long enough that what `simulate` does before and after the
steps hardly counts; the first, short one is not measured.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from fecontact.body import RigidBody
from fecontact.contact import Plane, RigidContact, RigidFace, Surface
from fecontact.integrate import contact_residuals, simulate
from fecontact.joint import Gravity
from fecontact.system import System
from fecontact.view import plots

DOFS = ("ux", "uy", "uz", "rx", "ry", "rz")
STEP = 1e-3
LINEAR = 100
"""Contacts from which the cost of a step is that of its contacts."""


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


def measured(contacts, steps=500, **options):
    """Contacts, steps per second, sweeps per step, largest residual, share of compiled steps."""
    system, start = ball() if contacts == 1 else block(contacts)
    end = steps * STEP
    simulate(system, 2 * STEP, start, "moreau", 2 * STEP, step=STEP, **options)
    began = time.process_time()
    motion = simulate(system, end, start, "moreau", end, step=STEP, **options)
    speed = motion.statistics.steps / (time.process_time() - began)
    counts = motion.statistics
    sweeps, share = counts.iterations / counts.steps, counts.compiled / counts.steps
    return system.history_layout.sizes[1], speed, sweeps, contact_residuals(motion)[-1], share


def exponent(feet, cost):
    """Slope of the cost over many contacts, both logarithmic; nan if too few were measured."""
    many = feet >= LINEAR
    return np.polyfit(np.log(feet[many]), np.log(cost[many]), 1)[0] if many.sum() > 1 else np.nan


def main():
    """Print one line for each number of contacts, and the exponent; plot the cost of a step."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("contacts", type=int, nargs="*", default=[1, 9, 25, 100, 289, 1024])
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--picture", type=Path)
    asked = parser.parse_args()
    print("contacts   steps/s  sweeps per step  residual  compiled")
    rows = []
    for count in asked.contacts:
        steps = 100 * asked.steps if count == 1 else asked.steps
        rows.append(measured(count, steps, backend=asked.backend))
        print("{:8d}  {:8.0f}  {:15.1f}   {:.1e}  {:8.2f}".format(*rows[-1]), flush=True)
    feet, speed = np.array(rows)[:, :2].T
    print(f"exponent of the cost of a step over the contacts: {exponent(feet, 1.0 / speed):.2f}")
    if asked.picture:
        curves = {"sliding block": 1e3 / speed}
        figure = plots.convergence_plot(feet, curves, 1.0, "contacts", "CPU time per step / ms")
        plots.save(figure, asked.picture)


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
