"""Time integration: several methods behind one entry."""

from fecontact.simulate.base import METHODS, Method, simulate
from fecontact.simulate.flow import Flow
from fecontact.simulate.implicit import Implicit
from fecontact.simulate.projected import Projected
from fecontact.simulate.trajectory import Point, SimulationError, Statistics, Trajectory

__all__ = [
    "METHODS",
    "Flow",
    "Implicit",
    "Method",
    "Point",
    "Projected",
    "SimulationError",
    "Statistics",
    "Trajectory",
    "simulate",
]
