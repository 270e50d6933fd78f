"""One increment of a load path: equilibrium at one load, and what a problem of statics answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from fecontact.contact.evaluate.step import ContactStep
from fecontact.contact.history import ContactHistory
from fecontact.contact.report import ContactReport, normal_balance
from fecontact.contact.status import OPEN, SLIP, STICK
from fecontact.errors import renamed
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from fecontact.analysis.statics.system_path import StaticBalance

__all__ = ["ContactResult", "Increment", "StaticProblem", "round_off"]

ROUNDING = 10.0 * float(np.finfo(float).eps)
"""Relative round-off of positions, from which gaps and elastic slips are differences."""


def round_off(step: ContactStep) -> float:
    """Round-off in N of the contact forces: that of the positions times the stiffness.

    Positions are those from which the step started: a trial that flies away must not be excused.
    """
    stiffness = np.abs(step.pressure[1]) + step.start.law.stiffness * (step.pressure[0] > 0.0)
    position = np.linalg.norm(step.start.position, axis=1)
    return ROUNDING * float(np.linalg.norm(step.start.pair.surface.weights * stiffness * position))


@renamed(mode="status")
@dataclass(frozen=True, eq=False)
class ContactResult:
    """Contact at the end of an increment.

    Attributes
    ----------
    gap, pressure : (p,)
        In m and Pa.
    traction : (p, 3)
        Friction traction on the slave in Pa.
    status : (p,)
        OPEN, STICK, SLIP.
    slip_work : (p,)
        Energy in J that slip has dissipated since the start of the path.
    bristle_energy
        Energy in J that the tangential bristles store.
    force : (3,)
        Sum of all forces on the slave in N.
    history
        From which the next increment starts.
    position, normal : (p, 3)
        Positions of the slave points in m, and normals of the master.
    energy
        Energy in J of normal springs and bristles.
    """

    gap: Floats
    pressure: Floats
    traction: Floats
    status: Integers
    slip_work: Floats
    bristle_energy: float
    force: Floats
    history: ContactHistory
    position: Floats
    normal: Floats
    energy: float

    @staticmethod
    def of(step: ContactStep, before: ContactResult | None) -> ContactResult:
        """Take the results of a step, and add its slip work to that of the path."""
        earlier = 0.0 if before is None else before.slip_work
        weights = step.start.pair.surface.weights
        spring, _ = step.start.law.bristle(step.pressure[0])
        bristles = 0.5 * float(weights @ (spring * np.sum(step.friction.z**2, axis=1)))
        layer = None if step.layer is None else step.layer.z
        at, law = step.kinematics, step.start.pair.normal
        stored, _ = normal_balance(law, layer, at, step.pressure[0])
        return ContactResult(
            gap=at.gap,
            pressure=step.pressure[0],
            traction=step.friction.traction,
            status=step.friction.status,
            slip_work=earlier + step.slip_work,
            bristle_energy=bristles,
            force=step.point_force.sum(axis=0),
            history=step.history,
            position=at.slave.position,
            normal=at.normal,
            energy=float(weights @ stored) + bristles,
        )

    @property
    def report(self) -> ContactReport:
        """The same as results of simulations have it: nothing moves."""
        none, still = np.zeros_like(self.gap), np.zeros_like(self.position)
        return ContactReport(
            self.gap, self.pressure, self.normal, self.traction, still, self.position, self.status,
            self.energy, 0.0, none, 0.0,
        )  # fmt: skip

    @property
    def closed(self) -> Integers:
        """Indices of the points in contact."""
        return np.flatnonzero(self.status != OPEN)

    @property
    def sticking(self) -> Integers:
        """Indices of the points that stick."""
        return np.flatnonzero(self.status == STICK)

    @property
    def sliding(self) -> Integers:
        """Indices of the points that slide."""
        return np.flatnonzero(self.status == SLIP)


@dataclass(frozen=True, eq=False)
class Increment:
    """Equilibrium at one load.

    Attributes
    ----------
    t
        Load parameter.
    x
        Unknowns of the problem.
    contacts
        Contact name -> what its points do.
    energy
        Energy in J stored in bodies, joints and loads; without the contacts.
    iterations
        Newton iterations, of all parts if the increment was halved.
    forces, imbalance
        Size in N of the terms that balance each other, and of what is left.
    """

    t: float
    x: Floats
    contacts: Mapping[str, ContactResult]
    energy: float
    iterations: int = 0
    forces: float = 0.0
    imbalance: float = 0.0

    @property
    def residual(self) -> float:
        """Imbalance relative to the forces; 0 without any."""
        return self.imbalance / self.forces if self.forces > 0.0 else 0.0


class StaticProblem(Protocol):
    """Bodies with contact whose forces balance at any load parameter."""

    def start(self) -> Increment:
        """State before the first load, without contact history."""
        ...

    def at(self, before: Increment, t: float, x: Floats) -> StaticBalance:
        """Forces at unknowns x, after the given increment."""
        ...

    def move(self, x: Floats, step: Floats) -> Floats:
        """Unknowns after a step."""
        ...
