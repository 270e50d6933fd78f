"""Time integration: several methods behind one entry."""

from fecontact.simulate.base import METHODS, Method, simulate
from fecontact.simulate.events import Events
from fecontact.simulate.explicit import Explicit
from fecontact.simulate.flow import Flow
from fecontact.simulate.impact import impact
from fecontact.simulate.implicit import Implicit
from fecontact.simulate.moreau import Moreau, contact_residuals
from fecontact.simulate.projected import Projected
from fecontact.simulate.trajectory import (
    Crossing,
    Point,
    SimulationError,
    Statistics,
    Trajectory,
)
from fecontact.simulate.watch import Event, Terminated

__all__ = [
    "METHODS",
    "Crossing",
    "Event",
    "Events",
    "Explicit",
    "Flow",
    "Implicit",
    "Method",
    "Moreau",
    "Point",
    "Projected",
    "SimulationError",
    "Statistics",
    "Terminated",
    "Trajectory",
    "contact_residuals",
    "impact",
    "simulate",
]
