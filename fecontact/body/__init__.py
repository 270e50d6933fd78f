"""Moving bodies: they own coordinates, inertia, and named surfaces."""

from fecontact.body.elastic import ElasticBody
from fecontact.body.motion import PointMotion
from fecontact.body.rigid import FREEDOMS, RigidBody
from fecontact.body.spinning import SpinningDisc

__all__ = ["FREEDOMS", "ElasticBody", "PointMotion", "RigidBody", "SpinningDisc"]
