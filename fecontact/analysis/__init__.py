"""Steady states, linearisation, stability, parameter studies."""

from fecontact.analysis.equilibrium import SteadyState, steady_state
from fecontact.analysis.flanks import with_loaded_flanks
from fecontact.analysis.linearise import LinearModel, linearise
from fecontact.analysis.stability import ComplexModes, complex_modes
from fecontact.analysis.study import Sweep, sweep

__all__ = [
    "ComplexModes",
    "LinearModel",
    "SteadyState",
    "Sweep",
    "complex_modes",
    "linearise",
    "steady_state",
    "sweep",
    "with_loaded_flanks",
]
