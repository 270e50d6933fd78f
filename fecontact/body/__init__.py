"""Moving bodies: they own coordinates, inertia, and named surfaces."""

from fecontact.body.rigid import RigidBody
from fecontact.body.spinning import SpinningDisc

__all__ = ["RigidBody", "SpinningDisc"]
