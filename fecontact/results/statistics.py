"""Counters of a simulation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

import numpy as np

from fecontact.errors import SolverError, unknown
from fecontact.typing import Integers

__all__ = ["Statistics"]


@dataclass
class Statistics:
    """Counters of a simulation.

    Attributes
    ----------
    steps, rejected
        Accepted steps, and steps that were repeated with a shorter one (`projected` does not tell).
    iterations, factorisations
        Newton iterations of all steps (sweeps of the contact solver in `moreau`), and the tangents
        that were factorised for them.
    unbalanced
        Newton iterations after which the positions were settled, but not yet the forces
        (`implicit`): they went on until less than 1e-8 of the acting forces was left, or round-off.
    evaluations
        Evaluations of the equation of motion.
    compiled
        Steps that were done by a compiled loop.
    impacts
        Instants of impacts with restitution (`moreau`).
    paradoxes
        Steps in which a rigid contact slides against its friction law (`moreau`).
    events
        Instants or steps at which contact points switch.
    to_open, to_stick, to_slip, to_gross_slip
        Switches of points by their new state. The linear loop of `explicit` does not tell them,
        nor do `ode` and `moreau`.
    """

    steps: int = 0
    rejected: int = 0
    iterations: int = 0
    factorisations: int = 0
    unbalanced: int = 0
    evaluations: int = 0
    compiled: int = 0
    impacts: int = 0
    paradoxes: int = 0
    events: int = 0
    to_open: int = 0
    to_stick: int = 0
    to_slip: int = 0
    to_gross_slip: int = 0

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Names of the counters."""
        return tuple(field.name for field in fields(cls))

    @property
    def counts(self) -> tuple[int, ...]:
        """All counters, in the order of their names."""
        return tuple(vars(self).values())

    def __getitem__(self, name: str) -> int:
        """Counter by its name."""
        if name not in self.names():
            raise unknown("counter", name, self.names())
        return int(getattr(self, name))

    @property
    def warning(self) -> str:
        """What the user should know of the steps; empty if nothing."""
        if not self.paradoxes:
            return ""
        return (
            f"in {self.paradoxes} of {self.steps} steps friction draws a sliding rigid contact in "
            "(Painleve): no contact force exists there, or more than one, so the velocities may "
            "jump and the motion may not be the only one; a compliant normal law or less friction "
            "decides"
        )

    def add(self, names: Iterable[str], counts: Iterable[int]) -> None:
        """Add to counters by name."""
        own = vars(self)
        for name, count in zip(names, counts, strict=True):
            own[name] += count

    def switched(self, before: Integers, after: Integers) -> None:
        """Count the points (p,) whose status changes."""
        new = after[before != after]
        if not len(new):
            return
        self.events += 1
        counts = np.bincount(new, minlength=4).tolist()
        self.to_open += counts[0]
        self.to_stick += counts[1]
        self.to_slip += counts[2]
        self.to_gross_slip += counts[3]

    def within(self, max_steps: int | None, t: float) -> None:
        """Raise a `SolverError` if there is a budget of steps and it is used up."""
        if max_steps is not None and self.steps + self.rejected >= max_steps:
            raise SolverError(
                f"t = {t:.6g} s: the budget max_steps = {max_steps} is used up; "
                "try a larger one, a "
                "shorter time, or a longer step or coarser tolerance"
            )
