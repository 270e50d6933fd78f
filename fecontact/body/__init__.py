"""Moving bodies: they own coordinates, inertia, named points and surfaces."""

from typing import TYPE_CHECKING

from fecontact.lazy import lazy_names

if TYPE_CHECKING:
    from fecontact.body.base import Body, as_body
    from fecontact.body.elastic import ElasticBody
    from fecontact.body.fe_body import FEBody
    from fecontact.body.marker import MarkedBody, Marker
    from fecontact.body.modal import ModalBody
    from fecontact.body.motion import MarkerMotion, PointMotion
    from fecontact.body.prescribed import MovingFrame, TurningFrame
    from fecontact.body.rigid import DOFS, RigidBody
    from fecontact.body.spinning import CarriedDisc, CarriedRotor, Hub, SpinningDisc

__all__ = [
    "DOFS",
    "Body",
    "CarriedDisc",
    "CarriedRotor",
    "ElasticBody",
    "FEBody",
    "Hub",
    "MarkedBody",
    "Marker",
    "MarkerMotion",
    "ModalBody",
    "MovingFrame",
    "PointMotion",
    "RigidBody",
    "SpinningDisc",
    "TurningFrame",
    "as_body",
]

_NAMES = """
base: Body as_body
elastic: ElasticBody
fe_body: FEBody
marker: MarkedBody Marker
modal: ModalBody
motion: MarkerMotion PointMotion
prescribed: MovingFrame TurningFrame
rigid: DOFS RigidBody
spinning: CarriedDisc CarriedRotor Hub SpinningDisc
"""
_, __getattr__, __dir__ = lazy_names(__name__, _NAMES)
