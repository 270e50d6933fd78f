"""Moreau's time stepping: steps per second over the number of contacts.

    python benchmarks/moreau_contacts.py [--picture FILE] [contacts ...]

A block slides on a grid of feet and comes to rest: all feet carry, friction is spatial, the normal
forces are statically indeterminate. Sweeps are those of the contact solver per step.
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


def block(contacts):
    """System and start: a block with about this many feet."""
    side = max(2, round(np.sqrt(contacts)))
    x, y = np.meshgrid(*2 * [np.linspace(-0.1, 0.1, side)])
    feet = np.column_stack([x.ravel(), y.ravel(), np.full(side**2, -0.02)])
    body = RigidBody("block", 1.0, DOFS, (0.004, 0.004, 0.007), (0.0, 0.0, 0.02))
    contact = RigidContact(body, Surface(feet, np.ones(side**2)), RigidFace(None, Plane()), 0.3)
    system = System([body], [Gravity([body]), contact])
    return system, system.state(v={"block.ux": 0.5, "block.rz": 4.0})


def measured(contacts):
    """Feet, steps per second, sweeps per step and largest residual of a sliding block."""
    system, start = block(contacts)
    simulate(system, 2e-3, start, "moreau", 2e-3, step=1e-3)
    began = time.process_time()
    motion = simulate(system, 0.1, start, "moreau", 0.05, step=1e-3)
    speed = motion.statistics.steps / (time.process_time() - began)
    sweeps = motion.statistics.iterations / motion.statistics.steps
    return system.history_layout.sizes[1], speed, sweeps, contact_residuals(motion)[-1]


def main():
    """Print one line for each number of contacts; plot the cost of a step."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("contacts", type=int, nargs="*", default=[10, 30, 100, 300, 1000])
    parser.add_argument("--picture", type=Path)
    asked = parser.parse_args()
    print("contacts  steps/s  sweeps per step  residual")
    rows = []
    for count in asked.contacts:
        rows.append(measured(count))
        print("{:8d}  {:7.1f}  {:15.1f}  {:.1e}".format(*rows[-1]), flush=True)
    if asked.picture:
        feet, speed = np.array(rows)[:, :2].T
        curves = {"sliding block": 1e3 / speed}
        figure = plots.convergence_plot(feet, curves, 2.0, "contacts", "CPU time per step / ms")
        plots.save(figure, asked.picture)


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
