"""A block thrown on a rough plane: a case that stores its motion, and that tests kill."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.body import DOFS, RigidBody
from fecontact.case import Case, Parameters, Run, quantity
from fecontact.contact import ContactPair, ElastoPlastic, PenaltyNormal, Plane, RigidFace, Surface
from fecontact.errors import one_of
from fecontact.integrate import simulate
from fecontact.joint import Gravity
from fecontact.results import Result
from fecontact.results.hdf5 import writer
from fecontact.system import State, System

STEPS = {"implicit": 2.5e-4, "explicit": 5e-5}


@dataclass(frozen=True)
class Thrown(Parameters):
    """Method, and whether the motion of an earlier run goes on."""

    method: str = quantity("implicit", "", one_of(STEPS))
    begin: str = quantity("anew", "", one_of(["anew", "continued"]))


def thrown() -> tuple[System, State]:
    """Block of 1 kg with four contact points, thrown with a spin."""
    body = RigidBody("block", 1.0, DOFS, (1e-3, 1e-3, 2e-3))
    corners = np.array([[x, y, -0.02] for x in (-0.05, 0.05) for y in (-0.03, 0.03)])
    foot = ContactPair(
        body, Surface(corners, np.ones(4)), RigidFace(None, Plane((0.0, 0.0, -0.02))),
        PenaltyNormal(2e5, 50.0), ElastoPlastic(0.3, 2e5, 50.0), "foot",
    )  # fmt: skip
    system = System([body], [Gravity([body]), foot])
    return system, system.state(v={"block.ux": 0.4, "block.uz": -0.02, "block.rz": 3.0})


def run(run: Run[Thrown]) -> None:
    """Simulate, or continue; then check the whole motion."""
    writer.EVERY_S = 0.0
    system, start = thrown()
    method, path = run.parameters.method, run.path("motion.h5")
    anew = run.parameters.begin == "anew"
    begin = {"start": start, "store": path} if anew else {"restart": path}
    simulate(system, 0.015, method=method, output=2.5e-4, step=STEPS[method], **begin)
    lines = Result.load(path).energies
    left = np.abs(lines["numerical"] + lines["residual"]).max() / lines["slip"][-1]
    run.check("energy that is left over, of the slip work", left, (0.0, 0.01), relation="in",
              kind="trend", source="energy audit", formula=True)  # fmt: skip


CASE = Case("block thrown on a plane", (), Thrown(), run, quick_s=5)
