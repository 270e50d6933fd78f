"""A block that slides and turns on a plane, as a run that tests can kill.

python sliding_block.py FILE T_END, with a pause after each record: time for others to kill it; at
the 30th it halts until they let it go on
"""

from __future__ import annotations

import os
import signal
import sys
import time
from itertools import count

import numpy as np

from fecontact.body import DOFS, RigidBody
from fecontact.contact import ContactPair, ElastoPlastic, PenaltyNormal, RigidFace, Surface
from fecontact.contact.master.shape import Plane
from fecontact.integrate import simulate
from fecontact.joint import Gravity
from fecontact.mesh import block
from fecontact.results import BodyGeometry
from fecontact.results.hdf5 import writer
from fecontact.system import State, System

SIDES = (0.1, 0.06, 0.04)
STEP, OUTPUT = 5e-4, 1e-3
RECORDS = count(1)


def sliding_block(mu: float = 0.3, mass: float = 1.0) -> tuple[System, State, BodyGeometry]:
    """Block of 1 kg with four contact points, thrown along the plane with a spin."""
    x, y, z = np.array(SIDES) / 2
    inertia = tuple(mass / 3 * np.array([y**2 + z**2, x**2 + z**2, x**2 + y**2]))
    body = RigidBody("block", mass, DOFS, inertia, (0.0, 0.0, float(z)))
    corners = np.array([[i * x, j * y, -z] for i in (-1, 1) for j in (-1, 1)])
    surface = Surface(corners, np.full(4, 4 * x * y / 4))
    foot = ContactPair(
        body, surface, RigidFace(None, Plane()), PenaltyNormal(1e8, 1e5),
        ElastoPlastic(mu, 1e8, 1e4), "foot",
    )  # fmt: skip
    system = System([body], [Gravity([body]), foot])
    speed = {"block.ux": 0.4, "block.uy": 0.1, "block.rz": 3.0}
    start = system.state(q={"block.uz": -mass * 9.81 / (1e8 * 4 * x * y)}, v=speed)
    return system, start, BodyGeometry.of(body, block(*SIDES, cells=(4, 3, 2)))


def run(path, t_end, restart=False, **more):
    """Simulate with an output of each millisecond."""
    system, start, geometry = sliding_block()
    begin = {"restart": path} if restart else {"start": start, "store": path}
    return simulate(
        system, t_end, output=OUTPUT * np.arange(1, round(t_end / OUTPUT) + 1), step=STEP,
        geometry=[geometry], **begin, **more,
    )  # fmt: skip


def paused(_: object) -> None:
    """After a record."""
    time.sleep(0.02)
    if next(RECORDS) == 30:
        os.kill(os.getpid(), signal.SIGSTOP)


if __name__ == "__main__":
    writer.EVERY_S = 0.0
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
    print("begins", flush=True)
    run(sys.argv[1], float(sys.argv[2]), callback=paused)
