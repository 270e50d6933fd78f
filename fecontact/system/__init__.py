"""The assembled system: one equation of motion for all analyses."""

from fecontact.system.constraints import Constraints
from fecontact.system.energy import Energies
from fecontact.system.flowing import SystemFlow
from fecontact.system.memory import Memory
from fecontact.system.pose import posed
from fecontact.system.projection import Projection
from fecontact.system.redundancy import Redundancy
from fecontact.system.state import State
from fecontact.system.stepping import SystemStart, SystemStep
from fecontact.system.system import System

__all__ = [
    "Constraints",
    "Energies",
    "Memory",
    "Projection",
    "Redundancy",
    "State",
    "System",
    "SystemFlow",
    "SystemStart",
    "SystemStep",
    "posed",
]
