"""Steady states, linearisation, stability, parameter studies."""

from fecontact.analysis.condensed import Condensed, condense
from fecontact.analysis.equilibrium import SteadyState, steady_state
from fecontact.analysis.fe_body import FEBody
from fecontact.analysis.flanks import with_loaded_flanks
from fecontact.analysis.linearise import LinearModel, linearise
from fecontact.analysis.load_path import LoadPath, LoadPathError, load_path
from fecontact.analysis.stability import ComplexModes, complex_modes
from fecontact.analysis.static_bodies import FEContact, StaticBodies
from fecontact.analysis.static_body import StaticBody
from fecontact.analysis.static_system import StaticSystem
from fecontact.analysis.study import Sweep, sweep

__all__ = [
    "ComplexModes",
    "Condensed",
    "FEBody",
    "FEContact",
    "LinearModel",
    "LoadPath",
    "LoadPathError",
    "StaticBodies",
    "StaticBody",
    "StaticSystem",
    "SteadyState",
    "Sweep",
    "complex_modes",
    "condense",
    "linearise",
    "load_path",
    "steady_state",
    "sweep",
    "with_loaded_flanks",
]
