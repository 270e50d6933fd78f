"""Bodies that constraints between markers cannot hold."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fecontact.errors import InputError
from fecontact.joint._kernels import JACOBIAN
from fecontact.joint.frames import FrameRows, Frames
from fecontact.joint.marker import MarkerPair

__all__ = ["CLOSED", "refuse_moving_frames", "refuse_unknown_rotation"]

CLOSED = 1e-9
"""Gap in m, and cosine of an angle, up to which points coincide and axes are perpendicular."""


def refuse_moving_frames(pair: MarkerPair) -> None:
    """Raise if a body moves with time: the rows then accelerate without the dofs."""
    for body in pair.bodies:
        if not isinstance(getattr(body, "frame", ""), str):
            raise InputError(
                f"{pair.name}: invalid body '{body.name}' in a frame of prescribed motion: "
                'expected a free one to be joined; use frame="free" and a PrescribedMotion'
            )


def refuse_unknown_rotation(pair: MarkerPair, held: Callable[[Frames], FrameRows]) -> None:
    """Raise if coordinates of two markers see a rotation that a body does not know.

    That is the angle of a spinning body, unless it spins about its own axis at the marker, and
    any rotation of a marker whose nodes lie on one line.
    """
    spins = [float(dof == "spin") for body in pair.bodies for dof in body.dofs]
    q = np.concatenate([body.reference() for body in pair.bodies])
    frames = pair.motion(q, np.array(spins)).frames
    G = held(frames).table[:, JACOBIAN]
    ends = (frames.a, G[:, :6]), (frames.b, G[:, 6:])
    for marker, (end, own) in zip(pair.markers, ends, strict=True):
        turned = own @ np.concatenate([end.velocity, end.spin]) if end.spin.any() else own[:, 3:]
        if marker.no_angle and np.abs(turned).max() > CLOSED:
            pair.refuse_spin()
