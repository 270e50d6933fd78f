"""Time integration: several methods behind one entry."""

from fecontact.integrate.base import METHODS, Method, SimulationError, simulate
from fecontact.integrate.events.method import Events
from fecontact.integrate.explicit.method import Explicit
from fecontact.integrate.implicit.method import Implicit
from fecontact.integrate.moreau.impact import impact
from fecontact.integrate.moreau.method import Moreau, contact_residuals
from fecontact.integrate.rate.ode import Ode
from fecontact.integrate.rate.projected import Projected
from fecontact.integrate.watch import Event, Terminated
from fecontact.results.point import Crossing, Point
from fecontact.results.result import Result
from fecontact.results.statistics import Statistics

Trajectory = Result
"""Former name of what `simulate` returns."""

__all__ = [
    "METHODS",
    "Crossing",
    "Event",
    "Events",
    "Explicit",
    "Implicit",
    "Method",
    "Moreau",
    "Ode",
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
