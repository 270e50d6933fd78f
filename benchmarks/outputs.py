"""Outputs of a simulation: CPU time of one, in memory and in a result file.

    python benchmarks/outputs.py [mass] [clutch] [explicit] [implicit] [events] [--repeats N]
        [--profile]

An output is a stored point of a motion: state, energy audit, reports of all contacts, what a
restart needs. Its cost is that of a run with an output after each step less that of the same steps
with ten, per output, the least of interleaved repeats. Two systems: a mass on a spring and on one
bristle; the squealing clutch of `clutch_transient.py`, 500 points and 40 modes, in its limit cycle.
With `--profile` instead the functions that take the time of the runs with many outputs.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import tempfile
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import clutch_transient
import numpy as np
from threadpoolctl import threadpool_limits

from fecontact.body import RigidBody
from fecontact.contact import ContactPair, ElastoPlastic, PenaltyNormal, Plane, RigidFace, Surface
from fecontact.integrate import simulate
from fecontact.joint import Bearing
from fecontact.system import State, System

METHODS = ("explicit", "implicit", "events")
CYCLE = 0.02
"""Time in s after which the clutch is in its limit cycle."""


class Motion(NamedTuple):
    """A system at a start, its step in s, and how many outputs it gets: one after each step."""

    system: System
    start: State
    step: float
    outputs: int

    def run(self, method: str, outputs: int, store: Path | None) -> float:
        """CPU seconds of all steps with this many outputs."""
        span = self.outputs * self.step
        if store is not None:
            store.unlink(missing_ok=True)
        began = time.process_time()
        simulate(
            self.system, self.start.t + span, self.start, method, span / outputs, step=self.step,
            store=store,
        )  # fmt: skip
        return time.process_time() - began


def mass(method: str) -> Motion:
    """A mass on a spring and on one bristle."""
    body = RigidBody("mass", 1.0, ("ux",))
    point = Surface(np.zeros((1, 3)), np.ones(1), gap=-1e-6)
    pair = ContactPair(body, point, RigidFace(None, Plane()), PenaltyNormal(1e6, 1e2),
                       ElastoPlastic(0.3, 1e5, 10.0))  # fmt: skip
    system = System([body], [Bearing(body, 1e4, 1e4), pair])
    return Motion(system, system.state(q={"mass.ux": 1e-3}), 1e-4, 1000)


@cache
def squeal() -> tuple[System, State]:
    """The clutch and a state of its limit cycle."""
    system, start = clutch_transient.clutch()
    step = clutch_transient.STEP
    return system, simulate(system, CYCLE, start, "explicit", CYCLE, step=step).state(-1)


def clutch(method: str) -> Motion:
    """The squealing clutch."""
    outputs = {"explicit": 1000, "implicit": 300}[method]
    return Motion(*squeal(), clutch_transient.STEP, outputs)


MOTIONS: dict[str, Callable[[str], Motion]] = {"mass": mass, "clutch": clutch}


def cost(motion: Motion, method: str, store: Path | None, repeats: int) -> float:
    """CPU time in ms of one output."""
    many, few = motion.outputs, 10
    for outputs in (many, few):
        motion.run(method, outputs, store)
    pairs = [
        [motion.run(method, outputs, store) for outputs in (many, few)] for _ in range(repeats)
    ]
    best = [min(times) for times in zip(*pairs, strict=True)]
    return 1e3 * (best[0] - best[1]) / (many - few)


def profile(motion: Motion, method: str, store: Path | None) -> None:
    """Print where the time of a run with many outputs goes."""
    motion.run(method, motion.outputs, store)
    profiler = cProfile.Profile()
    profiler.runcall(partial(motion.run, method, motion.outputs, store))
    pstats.Stats(profiler).sort_stats("tottime").print_stats(30)


def main() -> None:
    """Measure what is asked for; all by default."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*", metavar="mass|clutch|explicit|implicit|events")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    motions = [name for name in MOTIONS if name in options.words] or list(MOTIONS)
    methods = [name for name in METHODS if name in options.words] or list(METHODS)
    with tempfile.TemporaryDirectory() as folder, threadpool_limits(1):
        print(f"{'':18s}{'in memory, ms':>14s}{'in a file, ms':>14s}")
        for name in motions:
            for method in (each for each in methods if (name, each) != ("clutch", "events")):
                motion, stores = MOTIONS[name](method), (None, Path(folder) / "run.h5")
                if options.profile:
                    for store in stores:
                        profile(motion, method, store)
                    continue
                costs = [cost(motion, method, store, options.repeats) for store in stores]
                print(f"{name:8s}{method:10s}{costs[0]:14.3f}{costs[1]:14.3f}", flush=True)


if __name__ == "__main__":
    main()
