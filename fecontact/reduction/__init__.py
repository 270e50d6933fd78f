"""Reduction: few shapes that represent a body under contact loads."""

from fecontact.reduction.condensation import Condensed, condense
from fecontact.reduction.file import load_reduced, save_reduced
from fecontact.reduction.harmonic import HarmonicModel, reduce_harmonic, ritz_harmonic
from fecontact.reduction.loads import CombinedLoads, HarmonicLoads, PatchLoads, PolynomialLoads
from fecontact.reduction.reduce import METHODS, reduce_model
from fecontact.reduction.reduced import ReducedModel

__all__ = [
    "METHODS",
    "CombinedLoads",
    "Condensed",
    "HarmonicLoads",
    "HarmonicModel",
    "PatchLoads",
    "PolynomialLoads",
    "ReducedModel",
    "condense",
    "load_reduced",
    "reduce_harmonic",
    "reduce_model",
    "ritz_harmonic",
    "save_reduced",
]
