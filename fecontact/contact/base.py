"""Base of contacts: points of a slave on the surface of a master."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from fecontact.contact.evaluate.compiled.step import Start
from fecontact.contact.history import ContactHistory
from fecontact.contact.kinematics.relative import ContactKinematics
from fecontact.contact.laws.point import StateVariable
from fecontact.contact.master.base import Master
from fecontact.contact.report import ContactStatus
from fecontact.contact.surface.points import Surface
from fecontact.errors import InputError
from fecontact.typing import Answers, Body, Floats

if TYPE_CHECKING:
    from fecontact.contact.evaluate.compiled.step import CompiledRate
    from fecontact.contact.evaluate.fixed_status import CompiledFixedStatus
    from fecontact.contact.evaluate.rate import ContactRate
    from fecontact.contact.rigid.rate import RigidRate

__all__ = ["Contact", "Rate"]

Rate: TypeAlias = "ContactRate | CompiledRate | CompiledFixedStatus | RigidRate"
"""A contact with a history in continuous time."""


@dataclass(frozen=True, eq=False)
class Contact(Answers, ABC):
    """Item between the points of a slave and a master; it knows which of them touch.

    With `columns` > 0 its points have a history: `begin` starts a time step from it, `rate` gives
    force and rates in continuous time.
    """

    slave: Body
    surface: Surface
    master: Master

    @cached_property
    def bodies(self) -> tuple[Body, ...]:
        """Slave body, then master body unless it is the ground."""
        return (self.slave, *self.master.bodies)

    @property
    def points(self) -> int:
        """Number p of contact points."""
        return len(self.surface.points)

    @property
    def columns(self) -> int:
        """Number k of internal variables of a point; 0 if it has no history."""
        return 0

    @property
    def states(self) -> tuple[StateVariable, ...]:
        """Internal variables of a point, in the order of its history."""
        return ()

    @property
    def backend(self) -> str:
        """How it is evaluated."""
        return "reference"

    @property
    def not_compiled(self) -> str | None:
        """Why its time steps have no compiled form; None if they have one, or it has no history."""
        return None

    @abstractmethod
    def kinematics(self, q: Floats, v: Floats, t: float = 0.0) -> ContactKinematics:
        """Kinematics of all points."""

    @abstractmethod
    def status(self, q: Floats, v: Floats, t: float = 0.0) -> ContactStatus:
        """Pressure and slip speed of each point, and the normal force."""

    @abstractmethod
    def begin(self, t: float, q: Floats, v: Floats, history: ContactHistory) -> Start:
        """Start of a time step from a committed history."""

    @abstractmethod
    def rate(self, t: float, q: Floats, v: Floats, history: ContactHistory) -> Rate:
        """Force and rates of the internal variables at a state."""

    def shown_rate(self, t: float, q: Floats, v: Floats, history: ContactHistory) -> Rate:
        """As `rate`, for those who ask for its report: a kernel then runs once, not twice."""
        return self.rate(t, q, v, history)

    def steady_sliding_history(self, t: float, q: Floats, v: Floats) -> ContactHistory:
        """History in steady sliding, at which the internal variables rest."""
        raise InputError(
            f"{self.name}: {type(self).__name__} does not know its history in sliding; start "
            "without one"
        )
