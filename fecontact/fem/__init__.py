"""Finite-element models on scikit-fem: mass, stiffness and rotation integrals."""

from typing import TYPE_CHECKING

from fecontact.fem.material import material  # functions with the names of their modules
from fecontact.fem.rigid_surface import rigid_surface
from fecontact.lazy import lazy_names

if TYPE_CHECKING:
    from fecontact.fem.assembly.assembly import Assembly
    from fecontact.fem.assembly.bolt import Bolt
    from fecontact.fem.assembly.items import AveragingCoupling, Equation, RigidCoupling, Tie
    from fecontact.fem.beam.body import Beam, StationMass, StationSpring, straight_beam
    from fecontact.fem.beam.chain import Segment
    from fecontact.fem.beam.section import Section
    from fecontact.fem.damping import ModalDamping, RayleighDamping, StructuralDamping
    from fecontact.fem.deck.deck import read_deck
    from fecontact.fem.material import (
        ALUMINIUM,
        CAST_IRON,
        FACING,
        STEEL,
        CartesianAxes,
        CylindricalAxes,
        Material,
        Orthotropic,
    )
    from fecontact.fem.matrices import MatrixModel, NodeSurface, read_matrix
    from fecontact.fem.plate.harmonic import HarmonicPlate
    from fecontact.fem.plate.kirchhoff import KirchhoffPlate
    from fecontact.fem.plate.mindlin import MindlinPlate
    from fecontact.fem.prestress import static_displacement
    from fecontact.fem.rigid_surface import RigidSurface
    from fecontact.fem.rotating import RotatingBody
    from fecontact.fem.solid.body import ElasticSolid
    from fecontact.fem.spring import Foundation, PointSpring, SurfaceSpring

__all__ = [
    "ALUMINIUM",
    "CAST_IRON",
    "FACING",
    "STEEL",
    "Assembly",
    "AveragingCoupling",
    "Beam",
    "Bolt",
    "CartesianAxes",
    "CylindricalAxes",
    "ElasticSolid",
    "Equation",
    "Foundation",
    "HarmonicPlate",
    "KirchhoffPlate",
    "Material",
    "MatrixModel",
    "MindlinPlate",
    "ModalDamping",
    "NodeSurface",
    "Orthotropic",
    "PointSpring",
    "RayleighDamping",
    "RigidCoupling",
    "RigidSurface",
    "RotatingBody",
    "Section",
    "Segment",
    "StationMass",
    "StationSpring",
    "StructuralDamping",
    "SurfaceSpring",
    "Tie",
    "material",
    "read_deck",
    "read_matrix",
    "rigid_surface",
    "static_displacement",
    "straight_beam",
]

_NAMES = """
assembly.assembly: Assembly
assembly.bolt: Bolt
assembly.items: AveragingCoupling Equation RigidCoupling Tie
beam.body: Beam StationMass StationSpring straight_beam
beam.chain: Segment
beam.section: Section
damping: ModalDamping RayleighDamping StructuralDamping
material: ALUMINIUM CAST_IRON FACING STEEL CartesianAxes CylindricalAxes Material Orthotropic
deck.deck: read_deck
matrices: MatrixModel NodeSurface read_matrix
plate.harmonic: HarmonicPlate
plate.kirchhoff: KirchhoffPlate
plate.mindlin: MindlinPlate
prestress: static_displacement
rigid_surface: RigidSurface
rotating: RotatingBody
solid.body: ElasticSolid
spring: Foundation PointSpring SurfaceSpring
"""
_, __getattr__, __dir__ = lazy_names(__name__, _NAMES)
