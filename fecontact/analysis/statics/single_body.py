"""Statics of a finite-element body in contact with a rigid surface that is moved.

    K_s u = sum k_i(t) f_i + S^T F(x + S u - d(t))

S takes the contact unknowns u to the points x, F are the contact forces with memory of friction,
d is the displacement of the rigid surface. The points are independent of each other but for the
elastic body, so the tangent K_s - S^T (dF/dx) S needs only 3 x 3 blocks of each point.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fecontact.analysis.statics.condensed import Condensed
from fecontact.analysis.statics.coupling import Coupling, FreePoints, Motion
from fecontact.analysis.statics.parts import StaticParts
from fecontact.contact.laws.base import NormalLaw
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.master.shape import Shape
from fecontact.typing import Floats

__all__ = ["StaticBody"]


@dataclass(frozen=True, eq=False)
class StaticBody(StaticParts):
    """A condensed body on a rigid surface, whose load path is followed by `load_path`.

    Parameters
    ----------
    body
        Condensed finite-element body, or matching pair of bodies.
    shape
        Rigid surface, in space.
    normal, friction
        The contact laws.
    motion
        Displacement d(t) (3,) of the rigid surface in m over the load parameter; at rest if None.
    loads
        Pairs of a load (m,) on the contact unknowns and its factor over the load parameter; see
        `Interior.load` and `Interior.support_motion`.
    """

    body: Condensed
    shape: Shape
    normal: NormalLaw
    friction: ElastoPlastic
    motion: Motion | None = None
    loads: Sequence[tuple[Floats, Callable[[float], float]]] = ()

    @cached_property
    def couplings(self) -> dict[str, Coupling]:
        """The one contact."""
        face = RigidFace(None, self.shape)
        points = FreePoints(self.body.surface, face, self.normal, self.friction)
        places = self.body.surface.points.ravel()
        return {
            points.name: Coupling(points, places, self.body.lift, self.motion, self.body.partners)
        }

    @property
    def stiffness(self) -> Floats:
        """K_s (m, m)."""
        return self.body.stiffness

    def guess(self) -> Floats:
        """Undeformed."""
        return np.zeros(len(self.stiffness))

    def load(self, t: float) -> Floats:
        """Given load (m,)."""
        total = np.zeros(len(self.stiffness))
        for vector, factor in self.loads:
            total += factor(t) * vector
        return total

    def energy(self, t: float, u: Floats) -> float:
        """Energy of the contact unknowns in J; that of loads inside the body is not in it."""
        return 0.5 * float(u @ self.stiffness @ u)
