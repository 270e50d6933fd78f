"""Slaves whose contact points do not turn with their spin: rotors and spinning discs.

The elastic slip z of the bristles is kept in the frame of the slave, which tilts with it and, if
it has rotations, turns with it, but does not spin. Material passes the points with the spin: a
prescribed one, or the dof "spin" of a rotor, whose angle is a coordinate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fecontact.body.base import Body, as_body, knows_points
from fecontact.body.motion import PointMotion, SpinFrame
from fecontact.contact.surface.points import Surface
from fecontact.errors import InputError
from fecontact.typing import Floats

__all__ = ["EulerianSlave"]


@dataclass(frozen=True, eq=False)
class EulerianSlave:
    """Kinematics of the points of a slave and of the frame of their history."""

    body: Body
    points: Any

    @staticmethod
    def of(body: Any, surface: Surface, name: str) -> EulerianSlave:
        """Kinematics of the surface of a body, which must have a frame for the history."""
        asked = as_body(body)
        known = knows_points(body) and not isinstance(body, type)
        if not known or asked.spin_frame(body.reference(), np.zeros(len(body.dofs))) is None:
            raise InputError(
                f"{name}: invalid {type(body).__name__} as slave: expected a body with a frame "
                "for the history of its points, such as a RigidBody or a SpinningDisc"
            )
        return EulerianSlave(asked, asked.located(surface.material))

    @property
    def speed(self) -> float:
        """Prescribed spin in rad/s; nan if it is free."""
        return self.body.material_spin

    def motion(self, q: Floats, v: Floats, t: float = 0.0) -> PointMotion:
        """Motion of the contact points, with the velocity of the material there."""
        return self.body.point_motion(q, v, self.points, t)

    def frame(self, q: Floats, v: Floats, t: float = 0.0) -> SpinFrame:
        """Frame of the history."""
        frame = self.body.spin_frame(q, v, t)
        assert frame is not None
        return frame
