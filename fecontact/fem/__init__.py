"""Finite-element models on scikit-fem: mass, stiffness and rotation integrals."""

from fecontact.fem.harmonic import HarmonicPlate
from fecontact.fem.material import STEEL, Material
from fecontact.fem.plate import KirchhoffPlate

__all__ = ["STEEL", "HarmonicPlate", "KirchhoffPlate", "Material"]
