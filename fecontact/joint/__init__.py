"""Joints, bearings, drives, prescribed motion and loads."""

from typing import TYPE_CHECKING

from fecontact.lazy import lazy_names

if TYPE_CHECKING:
    from fecontact.joint.base import Wrench
    from fecontact.joint.bearing import Bearing
    from fecontact.joint.bushing import Bushing
    from fecontact.joint.constraint import (
        Cylindrical,
        Distance,
        Planar,
        Prismatic,
        Revolute,
        RigidJoint,
        Spherical,
        Universal,
    )
    from fecontact.joint.coordinate import Angle, DofCoordinate, Length, Stroke
    from fecontact.joint.curve import Curve, Function, Line, Sine, Table, ramp
    from fecontact.joint.drive import Drive
    from fecontact.joint.gear.contact_lines import ContactLines, contact_lines
    from fecontact.joint.gear.elastic import ElasticGearMesh
    from fecontact.joint.gear.geometry import GearPair
    from fecontact.joint.gear.ratio import GearRatio
    from fecontact.joint.gear.rigid import GearMesh
    from fecontact.joint.loads.fe_load import NodalLoad, SupportMotion, SurfaceLoad
    from fecontact.joint.loads.load import Force, Gravity, Torque
    from fecontact.joint.motion_law import (
        MotionFunction,
        MotionLaw,
        MotionTable,
        RunUp,
        SmoothStep,
        Speed,
    )
    from fecontact.joint.prescribed import PrescribedMotion
    from fecontact.joint.spring import SoftStop, SpringDamper, TorsionSpring

__all__ = [
    "Angle",
    "Bearing",
    "Bushing",
    "ContactLines",
    "Curve",
    "Cylindrical",
    "Distance",
    "DofCoordinate",
    "Drive",
    "ElasticGearMesh",
    "Force",
    "Function",
    "GearMesh",
    "GearPair",
    "GearRatio",
    "Gravity",
    "Length",
    "Line",
    "MotionFunction",
    "MotionLaw",
    "MotionTable",
    "NodalLoad",
    "Planar",
    "PrescribedMotion",
    "Prismatic",
    "Revolute",
    "RigidJoint",
    "RunUp",
    "Sine",
    "SmoothStep",
    "SoftStop",
    "Speed",
    "Spherical",
    "SpringDamper",
    "Stroke",
    "SupportMotion",
    "SurfaceLoad",
    "Table",
    "Torque",
    "TorsionSpring",
    "Universal",
    "Wrench",
    "contact_lines",
    "ramp",
]

_NAMES = """
base: Wrench
bearing: Bearing
bushing: Bushing
constraint: Cylindrical Distance Planar Prismatic Revolute RigidJoint Spherical Universal
coordinate: Angle DofCoordinate Length Stroke
curve: Curve Function Line Sine Table ramp
drive: Drive
loads.fe_load: NodalLoad SupportMotion SurfaceLoad
gear.contact_lines: ContactLines contact_lines
gear.elastic: ElasticGearMesh
gear.geometry: GearPair
gear.ratio: GearRatio
gear.rigid: GearMesh
loads.load: Force Gravity Torque
motion_law: MotionFunction MotionLaw MotionTable RunUp SmoothStep Speed
prescribed: PrescribedMotion
spring: SoftStop SpringDamper TorsionSpring
"""
_, __getattr__, __dir__ = lazy_names(__name__, _NAMES)
