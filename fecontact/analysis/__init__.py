"""Steady states, linearisation, stability, parameter studies."""

from fecontact.analysis.stability.complex_modes import ComplexModes, complex_modes
from fecontact.analysis.stability.contributions import Contribution, contributions
from fecontact.analysis.stability.critical import Critical, coalescence, critical_value
from fecontact.analysis.stability.disturbance import Disturbance, disturbance
from fecontact.analysis.stability.full.certificate import Certificate
from fecontact.analysis.stability.full.point import FullPoint, full_point
from fecontact.analysis.stability.full.study import ReductionStudy, reduction_study
from fecontact.analysis.stability.linearise import LinearModel, linearise
from fecontact.analysis.stability.maps import MapAxis, StabilityMap, stability_map
from fecontact.analysis.stability.mechanism import mechanism
from fecontact.analysis.stability.operating_point import (
    Branch,
    MatrixBranch,
    OperatingPoint,
    operating_point,
)
from fecontact.analysis.stability.pencil import Pencil, pencil
from fecontact.analysis.stability.power import PowerBalance, power_balance
from fecontact.analysis.stability.regions import Region, regions
from fecontact.analysis.stability.response import frequency_response
from fecontact.analysis.stability.scope import Scope
from fecontact.analysis.stability.sensitivity import sensitivities
from fecontact.analysis.stability.tracking import Tracks, track_modes
from fecontact.analysis.statics.load_path import LoadPath, LoadPathError, load_path
from fecontact.analysis.statics.system_path import StaticSystem
from fecontact.analysis.steady.equilibrium import SteadyState, steady_state
from fecontact.analysis.study import Sweep, sweep

__all__ = [
    "Branch",
    "Certificate",
    "ComplexModes",
    "Contribution",
    "Critical",
    "Disturbance",
    "FullPoint",
    "LinearModel",
    "LoadPath",
    "LoadPathError",
    "MapAxis",
    "MatrixBranch",
    "OperatingPoint",
    "Pencil",
    "PowerBalance",
    "ReductionStudy",
    "Region",
    "Scope",
    "StabilityMap",
    "StaticSystem",
    "SteadyState",
    "Sweep",
    "Tracks",
    "coalescence",
    "complex_modes",
    "contributions",
    "critical_value",
    "disturbance",
    "frequency_response",
    "full_point",
    "linearise",
    "load_path",
    "mechanism",
    "operating_point",
    "pencil",
    "power_balance",
    "reduction_study",
    "regions",
    "sensitivities",
    "stability_map",
    "steady_state",
    "sweep",
    "track_modes",
]
