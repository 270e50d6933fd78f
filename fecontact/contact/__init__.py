"""Contact: surfaces with weighted points, their masters, normal and tangential laws."""

from fecontact.contact.adhesion import JKRContact, JKRNormal
from fecontact.contact.analytic_surface import annulus, cap, cone_wall, line, rectangle, ring
from fecontact.contact.area import AreaFriction, LimitCurve, gauge
from fecontact.contact.bristles import dahl, dupont, lugre
from fecontact.contact.coefficient import Coulomb, FrictionTable, Stribeck
from fecontact.contact.elastic_face import ElasticFace
from fecontact.contact.elasto_plastic import ElastoPlastic
from fecontact.contact.eulerian import EulerianPair
from fecontact.contact.flowing import ContactFlow
from fecontact.contact.friction import CoulombSliding
from fecontact.contact.friction_law import FrictionLaw
from fecontact.contact.gap_field import conical, waviness
from fecontact.contact.hertz import (
    ElasticPair,
    HertzEllipse,
    HertzLine,
    HertzPoint,
    equivalent_radius,
    relative_curvature,
)
from fecontact.contact.layer import KelvinLayer, NormalMemory, SolidLayer
from fecontact.contact.mindlin import MindlinFriction
from fecontact.contact.mode import GROSS, OPEN, SLIP, STICK
from fecontact.contact.module import ball_in_cone, ball_in_hollow_sphere, plane_plane
from fecontact.contact.normal import (
    NormalLaw,
    PenaltyNormal,
    PowerNormal,
    TableNormal,
    winkler_layer,
)
from fecontact.contact.pair import ContactPair, ContactStatus
from fecontact.contact.parameters import (
    Penalty,
    Regularisation,
    check_penalty,
    penalty_for,
    penalty_on,
    regularise,
)
from fecontact.contact.patch import AnnulusPatch, HertzPatch, PointPatch, Rectangle
from fecontact.contact.planar import PlanarFriction
from fecontact.contact.plate_face import PlateFace
from fecontact.contact.regularised import RegularisedCoulomb
from fecontact.contact.report import ContactReport
from fecontact.contact.rigid_contact import RigidContact
from fecontact.contact.rigid_face import RigidFace
from fecontact.contact.shape import Cone, Cylinder, Plane, Ring, Sphere, Torus
from fecontact.contact.stepping import ContactHistory, ContactStep, StepStart
from fecontact.contact.surface import Surface, elastic_surface, mesh_surface

__all__ = [
    "GROSS", "OPEN", "SLIP", "STICK",
    "AnnulusPatch", "AreaFriction", "Cone", "ContactFlow", "ContactHistory", "ContactPair",
    "ContactReport", "ContactStatus", "ContactStep", "Coulomb", "CoulombSliding", "Cylinder",
    "ElasticFace", "ElasticPair", "ElastoPlastic", "EulerianPair", "FrictionLaw", "FrictionTable",
    "HertzEllipse", "HertzLine", "HertzPatch", "HertzPoint", "JKRContact", "JKRNormal",
    "KelvinLayer",
    "LimitCurve", "MindlinFriction", "NormalLaw", "NormalMemory", "Penalty", "PenaltyNormal",
    "PlanarFriction",
    "Plane", "PlateFace", "PointPatch", "PowerNormal", "Rectangle", "Regularisation",
    "RegularisedCoulomb", "RigidContact", "RigidFace", "Ring", "SolidLayer", "Sphere",
    "StepStart", "Stribeck",
    "Surface", "TableNormal", "Torus", "annulus", "ball_in_cone", "ball_in_hollow_sphere", "cap",
    "check_penalty", "cone_wall", "conical", "dahl", "dupont", "elastic_surface",
    "equivalent_radius", "gauge", "line", "lugre", "mesh_surface", "penalty_for", "penalty_on",
    "plane_plane", "rectangle", "regularise", "relative_curvature", "ring", "waviness",
    "winkler_layer",
]  # fmt: skip
