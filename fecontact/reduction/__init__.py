"""Reduction: few shapes that represent a body under contact loads."""

from typing import TYPE_CHECKING

from fecontact.lazy import lazy_names

if TYPE_CHECKING:
    from fecontact.reduction.condensation import Condensed, condense
    from fecontact.reduction.file import load_reduced, save_reduced
    from fecontact.reduction.harmonic import HarmonicModel, reduce_harmonic, ritz_harmonic
    from fecontact.reduction.loads import CombinedLoads, HarmonicLoads, PatchLoads, PolynomialLoads
    from fecontact.reduction.reduce import METHODS, reduce_model
    from fecontact.reduction.reduced import ReducedModel
    from fecontact.reduction.waves import Waves, waves_around

__all__ = [
    "METHODS",
    "CombinedLoads",
    "Condensed",
    "HarmonicLoads",
    "HarmonicModel",
    "PatchLoads",
    "PolynomialLoads",
    "ReducedModel",
    "Waves",
    "condense",
    "load_reduced",
    "reduce_harmonic",
    "reduce_model",
    "ritz_harmonic",
    "save_reduced",
    "waves_around",
]

_NAMES = """
condensation: Condensed condense
file: load_reduced save_reduced
harmonic: HarmonicModel reduce_harmonic ritz_harmonic
loads: CombinedLoads HarmonicLoads PatchLoads PolynomialLoads
reduce: METHODS reduce_model
reduced: ReducedModel
waves: Waves waves_around
"""
_, __getattr__, __dir__ = lazy_names(__name__, _NAMES)
