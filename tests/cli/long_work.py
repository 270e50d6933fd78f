"""A case of long computations, which tests interrupt; its reference is met whatever they return."""

from __future__ import annotations

import time
from dataclasses import dataclass

from fecontact.analysis import StaticSystem, load_path
from fecontact.body import RigidBody
from fecontact.case import Case, Parameters, Run, quantity
from fecontact.errors import one_of
from fecontact.integrate import simulate
from fecontact.joint import Bearing, Force
from fecontact.results.hdf5 import writer
from fecontact.system import System


@dataclass(frozen=True)
class Long(Parameters):
    """What takes long."""

    work: str = quantity("simulate", "", one_of(["simulate", "load_path", "swallowed"]))


def run(run: Run[Long]) -> None:
    """Work until somebody interrupts; then judge, which must not happen."""
    writer.EVERY_S = 0.0
    mass = RigidBody("mass", 1.0, ("ux",))
    system = System([mass], [Bearing(mass, 1e4, 1e4), Force(mass, (1.0, 0.0, 0.0))])
    started = run.out / "started"

    def slowly(_: object) -> None:
        started.touch()
        time.sleep(0.005)

    if run.parameters.work == "simulate":
        simulate(system, 1e3, method="moreau", step=1e-3, store=run.store("motion.h5"),
                 callback=slowly)  # fmt: skip
    elif run.parameters.work == "load_path":
        load_path(StaticSystem(system), [0.0] * 10000, callback=slowly)
    else:
        try:
            for _ in range(10000):
                slowly(None)
        except KeyboardInterrupt:
            pass
    run.check("one", 1.0, 1.0, kind="closed_form", source="arithmetic")


CASE = Case("long work", (), Long(), run, quick_s=60)
