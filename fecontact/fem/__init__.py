"""Finite-element models on scikit-fem: mass, stiffness and rotation integrals."""

from fecontact.fem.damping import ModalDamping, RayleighDamping, StructuralDamping
from fecontact.fem.harmonic import HarmonicPlate
from fecontact.fem.material import (
    ALUMINIUM,
    CAST_IRON,
    STEEL,
    CartesianAxes,
    CylindricalAxes,
    Material,
    Orthotropic,
    material,
)
from fecontact.fem.plate import KirchhoffPlate
from fecontact.fem.prestress import static_displacement
from fecontact.fem.rotating import RotatingSolid
from fecontact.fem.solid import ElasticSolid
from fecontact.fem.spring import Foundation, PointSpring, SurfaceSpring

__all__ = [
    "ALUMINIUM",
    "CAST_IRON",
    "STEEL",
    "CartesianAxes",
    "CylindricalAxes",
    "ElasticSolid",
    "Foundation",
    "HarmonicPlate",
    "KirchhoffPlate",
    "Material",
    "ModalDamping",
    "Orthotropic",
    "PointSpring",
    "RayleighDamping",
    "RotatingSolid",
    "StructuralDamping",
    "SurfaceSpring",
    "material",
    "static_displacement",
]
