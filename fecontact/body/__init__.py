"""Moving bodies: they own coordinates, inertia, named points and surfaces."""

from fecontact.body.elastic import ElasticBody
from fecontact.body.marker import MarkedBody, Marker
from fecontact.body.motion import MarkerMotion, PointMotion
from fecontact.body.prescribed import MovingFrame, TurningFrame
from fecontact.body.rigid import FREEDOMS, RigidBody
from fecontact.body.spinning import SpinningDisc

__all__ = [
    "FREEDOMS",
    "ElasticBody",
    "MarkedBody",
    "Marker",
    "MarkerMotion",
    "MovingFrame",
    "PointMotion",
    "RigidBody",
    "SpinningDisc",
    "TurningFrame",
]
