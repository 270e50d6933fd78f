"""Finite-element models on scikit-fem: mass, stiffness and rotation integrals."""

from fecontact.fem.beam import Beam, StationMass, StationSpring, straight_beam
from fecontact.fem.beam_chain import Segment
from fecontact.fem.beam_section import Section
from fecontact.fem.harmonic import HarmonicPlate
from fecontact.fem.material import STEEL, Material
from fecontact.fem.mindlin import MindlinPlate
from fecontact.fem.plate import KirchhoffPlate

__all__ = [
    "STEEL",
    "Beam",
    "HarmonicPlate",
    "KirchhoffPlate",
    "Material",
    "MindlinPlate",
    "Section",
    "Segment",
    "StationMass",
    "StationSpring",
    "straight_beam",
]
