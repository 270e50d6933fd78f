"""Command `warm-up`: compile what simulations and analyses need, before they need it.

Kernels are compiled when they are first called, for the types they are called with, and kept on
disk. Here small models call them, each in a process of its own.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache
from subprocess import DEVNULL, PIPE, Popen
from time import perf_counter, sleep

import numpy as np
import typer

import fecontact as fc
from fecontact.errors import SolverError
from fecontact.kernels.notice import QUIET

__all__ = ["MODELS", "answer"]

T_END = 2e-4
"""Simulated time in s."""
NORMAL, BRISTLES = fc.PenaltyNormal(1e6, 10.0), fc.ElastoPlastic(0.3, 1e6, 5.0)
FLOOR = fc.RigidFace(None, fc.Plane())


def _block() -> fc.System:
    """A rigid block on four feet, with a spring."""
    block = fc.RigidBody("block", 1.0, fc.DOFS, inertia=(0.01, 0.01, 0.01))
    corners = [(x, y, 0.0) for x in (-0.1, 0.1) for y in (-0.1, 0.1)]
    feet = fc.Surface(np.array(corners), np.ones(4))
    spring = fc.SpringDamper(None, block, 1e3, 1.0, point_a=(-1.0, 0.0, 0.0))
    contact = fc.ContactPair(block, feet, FLOOR, NORMAL, BRISTLES)
    return fc.System([block], [fc.Gravity([block]), spring, contact])


@cache
def _rubber(*clamped: str) -> fc.ReducedModel:
    """A soft solid, reduced."""
    soft, supports = fc.Material(1e7, 0.3, 1000.0), dict.fromkeys(clamped, "clamped")
    mesh = fc.block(0.1, 0.1, 0.05, cells=(2, 2, 1))
    solid = fc.ElasticSolid(mesh, soft, supports=supports)
    return fc.reduce_model(solid, contact=["z_min", "z_max"], method="free", modes=4)


def _elastic(frame: str, *clamped: str) -> fc.System:
    """An elastic body on a floor."""
    body = fc.ElasticBody("body", _rubber(*clamped), frame=frame, damping=0.01)
    contact = fc.ContactPair(body, fc.elastic_surface(body, "z_min"), FLOOR, NORMAL, BRISTLES)
    return fc.System([body], [fc.Force(body, (0.0, 0.0, -10.0)), contact])


def _simulated(system: fc.System, *methods: str) -> None:
    for method in methods:
        fc.simulate(system, T_END, method=method, output=0.5 * T_END)


def _stacked() -> None:
    """One elastic body on another."""
    lower = fc.ElasticBody("lower", _rubber())
    upper = fc.ElasticBody("upper", _rubber(), position=(0.0, 0.0, 0.05))
    face = fc.elastic_surface(upper, "z_min")
    contact = fc.ContactPair(upper, face, fc.ElasticFace(lower, "z_max"), NORMAL, BRISTLES)
    _simulated(fc.System([lower, upper], [contact]), "implicit")


def _clutch() -> None:
    """A clutch on a spinning plate: operating point, stability, steps in time."""
    plate = fc.HarmonicPlate(0.08, 0.12, 0.005, fc.STEEL, {"outer": "simply_supported"})
    disc = fc.SpinningDisc("plate", fc.reduce_harmonic(plate, contact_radius=0.1), speed=390.0)
    clutch = fc.RigidBody("clutch", 0.5, spin=300.0)
    ring = fc.ring(radius=0.1, points=24, height=0.0025)
    spring = fc.PenaltyNormal(12e6 / ring.measure, 10.0 / ring.measure)
    bearing = fc.Bearing(clutch, 32e6, 3e6, radial_damping=10.0, axial_damping=10.0)
    load = fc.Force(clutch, (0.0, 0.0, -5000.0))
    friction = fc.CoulombSliding(0.3)
    slides = fc.ContactPair(clutch, ring, fc.PlateFace(disc), spring, friction)
    system = fc.System([clutch, disc], [bearing, load, slides])
    fc.complex_modes(fc.linearise(system, fc.steady_state(system).state))
    bristles = fc.ElastoPlastic(0.3, 1e9, 1e3)
    sticks = fc.EulerianPair(clutch, ring, fc.PlateFace(disc), spring, bristles)
    _simulated(fc.System([clutch, disc], [bearing, load, sticks]), "explicit", "implicit")


def _ball() -> None:
    """A ball that bounces on a rigid floor."""
    ball = fc.RigidBody("ball", 1.0, ("ux", "uz"), position=(0.0, 0.0, 1e-3))
    foot = fc.Surface(np.zeros((1, 3)), np.ones(1))
    contact = fc.RigidContact(ball, foot, FLOOR, 0.3, restitution=0.5)
    system = fc.System([ball], [fc.Gravity([ball]), contact])
    fc.simulate(system, T_END, method="moreau", output=0.5 * T_END, step=0.1 * T_END)


def _mechanism() -> fc.System:
    """A driven crank, a rod, and a slider that rubs on a floor."""
    crank, rod = (
        fc.RigidBody(name, 1.0, fc.DOFS, inertia=(0.01, 0.01, 0.01), position=(x, 0.0, 0.0))
        for name, x in (("crank", 0.05), ("rod", 0.2))
    )
    slider = fc.RigidBody("slider", 1.0, ("ux", "uz"), position=(0.3, 0.0, 0.0))
    base = fc.Revolute(None, crank, point_b=(-0.05, 0.0, 0.0), axis="y", name="base")
    pin = fc.Revolute(crank, rod, point_b=(-0.1, 0.0, 0.0), axis="y", name="pin")
    end = fc.Spherical(slider, rod, point_b=(0.1, 0.0, 0.0), name="end")
    drive = fc.PrescribedMotion(base.angle, fc.Speed(0.0), name="drive")
    foot = fc.Surface(np.zeros((1, 3)), np.ones(1))
    contact = fc.ContactPair(slider, foot, FLOOR, NORMAL, BRISTLES)
    return fc.System([crank, rod, slider], [base, pin, end, drive, contact, fc.Gravity([slider])])


MODELS: dict[str, Callable[[], None]] = {
    "rigid block, implicit": lambda: _simulated(_block(), "implicit"),
    "rigid block, explicit": lambda: _simulated(_block(), "explicit"),
    "rigid block, ode and events": lambda: _simulated(_block(), "ode", "events"),
    "mechanism, implicit": lambda: _simulated(_mechanism(), "implicit"),
    "mechanism, explicit": lambda: _simulated(_mechanism(), "explicit"),
    "elastic body, implicit": lambda: _simulated(_elastic("free"), "implicit"),
    "elastic body, explicit": lambda: _simulated(_elastic("fixed", "x_min"), "explicit"),
    "elastic bodies on each other": _stacked,
    "clutch on a plate": _clutch,
    "rigid contact, moreau": _ball,
}
"""Small models by name; the first has most of what the others share."""


def _started(name: str) -> Popen[str]:
    """Process that runs a model, out of the reach of Ctrl-C."""
    script = f"from fecontact.cli.warm_up import MODELS; MODELS[{name!r}]()"
    return Popen(
        [sys.executable, "-c", script], stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE, text=True,
        env=os.environ | {QUIET: "1"}, start_new_session=True,
    )  # fmt: skip


def answer(jobs: int | None) -> int:
    """Compile kernels, by default on all cores."""
    began, waiting, done = perf_counter(), list(MODELS), 0
    running: dict[str, tuple[Popen[str], float]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < (jobs or os.cpu_count() or 1):
                name = waiting.pop(0)
                running[name] = _started(name), perf_counter()
            sleep(0.05)
            for name in [name for name in running if running[name][0].poll() is not None]:
                process, started = running.pop(name)
                if process.returncode:
                    words = (process.communicate()[1].strip() or "no word").splitlines()[-1]
                    raise SolverError(f"{name}: {words}")
                done += 1
                spent = f"{perf_counter() - started:6.1f} s"
                typer.echo(f"{done}/{len(MODELS)}  {spent}  {name}")
    finally:
        for process, _ in running.values():
            process.kill()
    typer.echo(f"kernels are compiled: {perf_counter() - began:.0f} s")
    return 0
