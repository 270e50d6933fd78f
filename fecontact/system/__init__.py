"""The assembled system: one equation of motion for all analyses."""

from typing import TYPE_CHECKING

from fecontact.lazy import lazy_names

if TYPE_CHECKING:
    from fecontact.system.constraints.pose import posed
    from fecontact.system.constraints.projection import Projection
    from fecontact.system.constraints.redundancy import Redundancy
    from fecontact.system.constraints.rows import Constraints
    from fecontact.system.energy import Energies
    from fecontact.system.history import HistoryLayout
    from fecontact.system.rate import SystemRate
    from fecontact.system.sensors.sensor import LoadSensor, PointSensor
    from fecontact.system.state import State
    from fecontact.system.step import SystemStart, SystemStep
    from fecontact.system.system import System

__all__ = [
    "Constraints",
    "Energies",
    "HistoryLayout",
    "LoadSensor",
    "PointSensor",
    "Projection",
    "Redundancy",
    "State",
    "System",
    "SystemRate",
    "SystemStart",
    "SystemStep",
    "posed",
]

_NAMES = """
constraints.pose: posed
constraints.projection: Projection
constraints.redundancy: Redundancy
constraints.rows: Constraints
energy: Energies
history: HistoryLayout
rate: SystemRate
sensors.sensor: LoadSensor PointSensor
state: State
step: SystemStart SystemStep
system: System
"""
_, __getattr__, __dir__ = lazy_names(__name__, _NAMES)
