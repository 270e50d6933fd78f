"""Joints, bearings, drives and loads."""

from fecontact.joint.bearing import Bearing
from fecontact.joint.bushing import Bushing
from fecontact.joint.curve import Curve, Function, Line, Table, ramp
from fecontact.joint.drive import Drive
from fecontact.joint.load import Force, Gravity, Torque
from fecontact.joint.spring import SoftStop, SpringDamper, TorsionSpring

__all__ = [
    "Bearing",
    "Bushing",
    "Curve",
    "Drive",
    "Force",
    "Function",
    "Gravity",
    "Line",
    "SoftStop",
    "SpringDamper",
    "Table",
    "Torque",
    "TorsionSpring",
    "ramp",
]
