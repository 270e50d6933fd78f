"""What a contact does at one instant, for output, pictures and the energy balance.

Along the motion the generalised force f of a contact does the work

    f . v = -d(energy)/dt - damping_power - slip_power + supplied_power

The last term is the power of motion that is not in v: prescribed spins and frames.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from fecontact.contact.kinematics.relative import ContactKinematics
from fecontact.contact.laws.base import NormalLaw, stateful
from fecontact.contact.status import OPEN, SLIP, STICK
from fecontact.errors import renamed
from fecontact.typing import Floats, Integers

__all__ = ["Bristling", "ContactReport", "ContactStatus", "normal_balance"]


@renamed(mode="status")
@dataclass(frozen=True)
class ContactStatus:
    """What each contact point does."""

    pressure: Floats
    slip_speed: Floats
    normal_force: float

    @property
    def status(self) -> Integers:
        """OPEN, STICK or SLIP of each point (p,); one that is closed and has no slip sticks."""
        closed = np.where(self.slip_speed > 0.0, SLIP, STICK)
        return np.where(self.pressure > 0.0, closed, OPEN)

    @property
    def open(self) -> int:
        """Number of points without contact."""
        return int(np.count_nonzero(self.status == OPEN))

    @property
    def sticking(self) -> int:
        """Number of points in contact without slip."""
        return int(np.count_nonzero(self.status == STICK))

    @property
    def sliding(self) -> int:
        """Number of points in sliding contact."""
        return int(np.count_nonzero(self.status == SLIP))


@dataclass(frozen=True, eq=False)
class Bristling:
    """What the bristles of all points do, for the energy audit; vectors in space components.

    Over a step dx = dz + dw the dampers take the mean of their force d at both ends along dz, slip
    that of the friction along dw. With the trapezoidal rule for all works, T = -(c z + d) . dx
    leaves nothing over, also where z follows by Euler's implicit method.

    Attributes
    ----------
    friction, damper : (p, 3)
        Friction A T on the slave, and forces A d = -A (T + c z) of the dampers, in N.
    bend, slide : (p, 3)
        Change dz of the elastic slip over the step in m, and the slip dw, also of points that open.
    lost
        Power in W of the normal dampers.
    """

    friction: Floats
    damper: Floats
    bend: Floats
    slide: Floats
    lost: float

    @staticmethod
    def of(friction: Floats, spring: Floats, lost: float) -> Bristling:
        """At one instant, with the forces A c z (p, 3) of the springs: nothing moves."""
        still = np.zeros_like(friction)
        return Bristling(friction, -(friction + spring), still, still, lost)

    def moved(self, bend: Floats, slide: Floats) -> Bristling:
        """The same at the end of a step."""
        return replace(self, bend=bend, slide=slide)


@renamed(mode="status")
@dataclass(frozen=True, eq=False)
class ContactReport:
    """State of all contact points, and the energy balance of their sum.

    Attributes
    ----------
    gap, pressure : (p,)
        In m and Pa (N/m on a line, N at a point).
    normal : (p, 3)
        Normals of the master, towards the slave.
    traction : (p, 3)
        Friction traction on the slave, as the pressure.
    slip : (p, 3)
        Slip velocity of the slave in m/s.
    position : (p, 3)
        Positions of the slave points in m.
    status : (p,)
        OPEN, STICK, SLIP or GROSS.
    energy
        Energy in J stored in normal and tangential springs.
    damping_power
        Power in W of normal and tangential dampers.
    point_slip_power : (p,)
        Power in W that slip dissipates at each point; over a time step its mean.
    supplied_power
        Power in W of motion that is not in v.
    bristles
        What the energy audit needs of each point; None if there are none.
    """

    gap: Floats
    pressure: Floats
    normal: Floats
    traction: Floats
    slip: Floats
    position: Floats
    status: Integers
    energy: float
    damping_power: float
    point_slip_power: Floats
    supplied_power: float
    bristles: Bristling | None = None

    @property
    def slip_power(self) -> float:
        """Power in W of slip: the sum over the points."""
        return float(self.point_slip_power.sum())

    def over_step(self, bend: Floats, slide: Floats) -> Self:
        """The same at the end of a step over which z changes by `bend` and the points slide."""
        assert self.bristles is not None
        return replace(self, bristles=self.bristles.moved(bend, slide))

    def slipping(self, power: Floats) -> Self:
        """The same with another slip power (p,)."""
        return replace(self, point_slip_power=power)


def normal_balance(
    law: NormalLaw, state: Floats | None, at: ContactKinematics, pressure: Floats
) -> tuple[Floats, Floats]:
    """Stored energy in J/m^2 and dissipated power in W/m^2 of a normal law, with its state."""
    layer = stateful(law)
    if state is not None and layer is not None:
        return layer.balance(state, at.gap, at.gap_rate)
    at_rest = law.pressure(at.gap, np.zeros_like(at.gap))[0]
    return law.energy(at.gap), (at_rest - pressure) * at.gap_rate
