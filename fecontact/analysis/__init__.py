"""Steady states, linearisation, stability, parameter studies."""

from fecontact.analysis.branch import Branch, MatrixBranch, OperatingPoint, operating_point
from fecontact.analysis.condensed import Condensed, condense
from fecontact.analysis.contributions import Contribution, contributions
from fecontact.analysis.critical import Critical, coalescence, critical_value
from fecontact.analysis.disturbance import Disturbance, disturbance
from fecontact.analysis.equilibrium import SteadyState, steady_state
from fecontact.analysis.fe_body import FEBody
from fecontact.analysis.linearise import LinearModel, linearise
from fecontact.analysis.load_path import LoadPath, LoadPathError, load_path
from fecontact.analysis.maps import MapAxis, StabilityMap, stability_map
from fecontact.analysis.mechanism import mechanism
from fecontact.analysis.pencil import Pencil, pencil
from fecontact.analysis.power import PowerBalance, power_balance
from fecontact.analysis.regions import Region, regions
from fecontact.analysis.response import frequency_response
from fecontact.analysis.scope import Scope
from fecontact.analysis.sensitivity import sensitivities
from fecontact.analysis.stability import ComplexModes, complex_modes
from fecontact.analysis.static_bodies import FEContact, StaticBodies
from fecontact.analysis.static_body import StaticBody
from fecontact.analysis.static_system import StaticSystem
from fecontact.analysis.study import Sweep, sweep
from fecontact.analysis.tracking import Tracks, track_modes

__all__ = [
    "Branch",
    "ComplexModes",
    "Condensed",
    "Contribution",
    "Critical",
    "Disturbance",
    "FEBody",
    "FEContact",
    "LinearModel",
    "LoadPath",
    "LoadPathError",
    "MapAxis",
    "MatrixBranch",
    "OperatingPoint",
    "Pencil",
    "PowerBalance",
    "Region",
    "Scope",
    "StabilityMap",
    "StaticBodies",
    "StaticBody",
    "StaticSystem",
    "SteadyState",
    "Sweep",
    "Tracks",
    "coalescence",
    "complex_modes",
    "condense",
    "contributions",
    "critical_value",
    "disturbance",
    "frequency_response",
    "linearise",
    "load_path",
    "mechanism",
    "operating_point",
    "pencil",
    "power_balance",
    "regions",
    "sensitivities",
    "stability_map",
    "steady_state",
    "sweep",
    "track_modes",
]
