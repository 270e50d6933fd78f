"""Moving bodies: they own coordinates, inertia, named points and surfaces."""

from fecontact.body.carried import CarriedDisc
from fecontact.body.carried_rotor import CarriedRotor
from fecontact.body.elastic import ElasticBody
from fecontact.body.marker import MarkedBody, Marker
from fecontact.body.modal import ModalBody
from fecontact.body.motion import MarkerMotion, PointMotion
from fecontact.body.prescribed import MovingFrame, TurningFrame
from fecontact.body.rigid import DOFS, RigidBody
from fecontact.body.spinning import SpinningDisc

__all__ = [
    "DOFS",
    "CarriedDisc",
    "CarriedRotor",
    "ElasticBody",
    "MarkedBody",
    "Marker",
    "MarkerMotion",
    "ModalBody",
    "MovingFrame",
    "PointMotion",
    "RigidBody",
    "SpinningDisc",
    "TurningFrame",
]
