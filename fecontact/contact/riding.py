"""Contact points that ride on a slave while the material of a spinning master passes below them.

The spin of a rotor without "rz" moves its material and none of its coordinates: a difference of
positions does not see it. Slip is therefore the trapezoidal integral of the slip velocity, and the
bristles stand on the slave, whose points are its material; z turns with its frame. That is the
Eulerian contact (`eulerian_step`, `eulerian_flow`) of a slave whose points nothing passes: without
rings. Bristles of the slave and of the master differ by z times the angle that the bodies turn
against each other over a bristle length.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fecontact.body.elastic import ElasticBody
from fecontact.body.rigid import RigidBody
from fecontact.contact.approach import Approach
from fecontact.contact.eulerian_slave import RotorSlave, SlaveFrame
from fecontact.contact.friction_law import FrictionLaw
from fecontact.contact.layer import NormalMemory
from fecontact.contact.normal import NormalLaw
from fecontact.contact.stepping import law_with_memory
from fecontact.contact.surface import Surface
from fecontact.errors import InputError
from fecontact.typing import Floats

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = ["RidingPoints", "spins"]


def spins(body: Any) -> bool:
    """Whether material of a body turns without a coordinate."""
    return isinstance(body, RigidBody) and bool(body.no_angle)


@dataclass(frozen=True, eq=False)
class RidingPoints:
    """A contact pair with a spinning master, as the Eulerian forms see it; a `Spun`."""

    pair: ContactPair
    rings: ClassVar[None] = None

    def __post_init__(self) -> None:
        pair = self.pair
        if isinstance(pair.normal, NormalMemory):
            raise InputError(
                f"{pair.name}: {type(pair.normal).__name__} remembers, which is not possible on a "
                "spinning master; give the master 'rz', or use PenaltyNormal, PowerNormal or "
                "TableNormal"
            )
        if not isinstance(pair.slave, RigidBody | ElasticBody):
            raise InputError(
                f"{pair.name}: a {type(pair.slave).__name__} as slave is not possible on a "
                "spinning master: it must be a RigidBody or an ElasticBody"
            )

    @property
    def name(self) -> str:
        """Name in messages."""
        return self.pair.name

    @property
    def surface(self) -> Surface:
        """Points with weights."""
        return self.pair.surface

    @property
    def normal(self) -> NormalLaw:
        """Law of the pressure."""
        return self.pair.normal

    @cached_property
    def law(self) -> FrictionLaw:
        """Law of the traction."""
        return law_with_memory(self.pair, 3)

    def approach(self, q: Floats, v: Floats, t: float = 0.0) -> Approach:
        """Kinematics of all points."""
        return self.pair.approach(q, v, t)

    def gap_rate(self, t: float) -> float:
        """Initial gaps ride with the points."""
        return 0.0

    def frame(self, q: Floats, v: Floats, t: float = 0.0) -> SlaveFrame:
        """Frame of the slave, in which the history is kept."""
        slave, n = self.pair.slave, len(self.pair.slave.freedoms)
        own_q, own_v = q[: len(slave.reference())], v[:n]
        if isinstance(slave, ElasticBody):
            at = slave.floating(own_q, own_v, t)
            return SlaveFrame(at.rotation, at.turning, 0.0, 0.0, np.zeros(n))
        assert isinstance(slave, RigidBody)
        return RotorSlave(slave, self.surface.points).frame(own_q, own_v)
