"""What a contact does at one instant, for output, pictures and the energy balance.

Along the motion the generalised force f of a contact does the work

    f . v = -d(energy)/dt - damping_power - slip_power + supplied_power

The last term is the power of motion that is not in v: prescribed spins and frames.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from fecontact.contact.approach import Approach
from fecontact.contact.layer import remembering
from fecontact.contact.normal import NormalLaw
from fecontact.typing import Floats, Integers

__all__ = ["ContactReport", "normal_balance"]


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
        Places of the slave points in m.
    mode : (p,)
        OPEN, STICK, SLIP or GROSS.
    energy
        Energy in J stored in normal and tangential springs.
    damping_power
        Power in W of normal and tangential dampers.
    slip_power
        Power in W of slip; over a time step its mean.
    supplied_power
        Power in W of motion that is not in v.
    balance : (3, p)
        Of each point: stored energy in J, power of dampers in W, and area x path of slip in the
        step, also where it opens; empty if the contact keeps none.
    """

    gap: Floats
    pressure: Floats
    normal: Floats
    traction: Floats
    slip: Floats
    position: Floats
    mode: Integers
    energy: float
    damping_power: float
    slip_power: float
    supplied_power: float
    balance: Floats = field(default_factory=lambda: np.zeros((3, 0)))


def normal_balance(
    law: NormalLaw, state: Floats | None, at: Approach, pressure: Floats
) -> tuple[Floats, Floats]:
    """Stored energy in J/m^2 and dissipated power in W/m^2 of a normal law, with its state."""
    layer = remembering(law)
    if state is not None and layer is not None:
        return layer.balance(state, at.gap, at.gap_rate)
    at_rest = law.pressure(at.gap, np.zeros_like(at.gap))[0]
    return law.energy(at.gap), (at_rest - pressure) * at.gap_rate
