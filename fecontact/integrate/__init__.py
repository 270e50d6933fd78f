"""Time integration: several methods behind one entry."""

from fecontact.integrate.base import METHODS, Method, simulate
from fecontact.integrate.events.method import Events
from fecontact.integrate.explicit.method import Explicit
from fecontact.integrate.implicit.method import Implicit
from fecontact.integrate.moreau.impact import impact
from fecontact.integrate.moreau.method import Moreau, contact_residuals
from fecontact.integrate.rate.ode import Flow
from fecontact.integrate.rate.projected import Projected
from fecontact.integrate.trajectory import (
    Crossing,
    Point,
    SimulationError,
    Statistics,
    Trajectory,
)
from fecontact.integrate.watch import Event, Terminated

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
