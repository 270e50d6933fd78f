"""Reduction: few shapes that represent a body under contact loads."""

from fecontact.reduction.harmonic import HarmonicModel, reduce_harmonic, ritz_harmonic

__all__ = ["HarmonicModel", "reduce_harmonic", "ritz_harmonic"]
