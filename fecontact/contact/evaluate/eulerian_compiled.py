"""Compiled form of an Eulerian contact for the explicit method.

The slave is a rigid body, the master a `PlateFace`; the initial gap is the same for all points.
Laws have no internal variables besides the elastic slip.
"""

from __future__ import annotations

import numpy as np

from fecontact.body.base import as_body
from fecontact.body.spinning import SpinningDisc
from fecontact.contact.evaluate.compiled_laws import point_laws
from fecontact.contact.evaluate.eulerian import EulerianPair
from fecontact.contact.kernels.block_laws import Laws
from fecontact.contact.kernels.eulerian import Rolling
from fecontact.contact.kernels.layout import BLOCK
from fecontact.contact.kernels.plate import Plate
from fecontact.contact.master.plate_face import PlateFace
from fecontact.typing import History

__all__ = ["rolling", "why_not_rolling"]


def why_not_rolling(pair: EulerianPair) -> str | None:
    """What keeps a pair from being compiled; None if nothing does."""
    if not as_body(pair.slave).rigid:
        return f"its slave '{pair.slave.name}' is not rigid"
    if not isinstance(pair.master, PlateFace):
        return "its master is not a PlateFace"
    if pair.master_gap is not None or np.ptp(pair.surface.gap) > 0.0:
        return "its initial gap is not the same for all points"
    if _laws(pair) is None:
        return "its laws are not those of `contact.evaluate.compiled`"
    coefficient = getattr(pair.friction, "coefficient", None)
    if pair.rings is not None and getattr(coefficient, "static", None) is not None:
        return "its static friction travels with the material"
    return None


def rolling(pair: EulerianPair, history: History) -> Rolling:
    """Compiled form of a pair with a copy of a history; its points are not yet placed."""
    laws, face = _laws(pair), pair.master
    assert laws is not None
    assert isinstance(face, PlateFace)
    points, plate = np.ascontiguousarray(pair.surface.points), packed_plate(face.body)
    count, size = len(points), len(plate.harmonic)
    weights = np.zeros(-(-count // BLOCK) * BLOCK)
    weights[:count] = pair.surface.weights
    order = np.arange(count)[:, None] if pair.rings is None else pair.rings.order
    angle = np.arctan2(points[:, 1], points[:, 0])
    fields = np.zeros((4, len(plate.cubics), int(plate.harmonic.max(initial=0)) + 1, 2, 4))
    return Rolling(
        plate=plate, laws=laws, points=points, weights=weights,
        size=float(np.abs(points).max()), gap=float(np.ravel(pair.surface.gap)[0]),
        order=np.ascontiguousarray(order, dtype=np.int64),
        direction=np.column_stack([np.cos(angle), np.sin(angle)]),
        z=history.z.copy(), status=history.status.copy(), slip_totals=history.slip_totals.copy(),
        grip=np.empty((count, 4)), position=np.zeros((count, 3)), projected=np.zeros((count, 2)),
        normal=np.empty((count, 3)), distance=np.empty(count),
        motion=np.empty((2, count, 3)), before=np.empty((2, count, 3)),
        turn=np.full(1, np.nan), carry=np.empty(order.shape[1]),
        field=fields[0], rate=fields[1], drift=fields[2], load=fields[3],
        rolled=np.empty(size), total=np.empty(12), force=np.empty(size),
    )  # fmt: skip


def _laws(pair: EulerianPair) -> Laws | None:
    """Laws without internal variables besides the elastic slip; None for others."""
    laws = point_laws(pair.normal, pair.friction)
    known = laws is not None and laws.friction_states + laws.normal_states == 0
    return laws if known else None


def packed_plate(disc: SpinningDisc) -> Plate:
    """Shapes of a disc as numbers."""
    model = disc.model
    spline, columns = model._spline, model._radial_number
    return Plate(
        breaks=np.ascontiguousarray(spline.x),
        cubics=np.ascontiguousarray(spline.c[:, :, columns].transpose(1, 2, 0)),
        harmonic=model.harmonic.astype(np.int64),
        sine=model._is_sine.astype(np.int64),
        speed=float(disc.speed),
        lever=0.5 * disc.thickness,
    )
