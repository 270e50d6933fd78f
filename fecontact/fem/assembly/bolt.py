"""Bolts and preloaded springs between the parts of an assembly.

A bolt of stiffness k joins the mean motions u_a, u_b of two surfaces or points along its axis n,

    K_bolt = k d d^T,      d . u = n . (u_b - u_a - (theta_a + theta_b)/2 x (X_b - X_a)),

d . u its elongation, which a rigid motion does not change. Its preload is the load -d per newton,
which draws the ends together. With the preload F_0, the force in the bolt at its length without
load, and members of stiffness k_m between its ends, they come closer by F_0/(k + k_m), and the
force in the bolt is F_0 k_m/(k + k_m): springs in series.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from fecontact.errors import NON_NEGATIVE, InputError, check, numbers
from fecontact.fem.assembly.layout import Layout
from fecontact.typing import Floats

__all__ = ["Bolt"]

ACROSS = 1e-12
"""Distance of the ends in m below which they give no direction."""


@dataclass(frozen=True)
class Bolt:
    """Spring between two surfaces or points, with its preload as a load of the same name.

    Attributes
    ----------
    name
        Name of the load: `model.named_loads[name]` is the preload of 1 N.
    a, b
        Ends: points of the assembly, or "part.surface".
    stiffness
        Along the axis, in N/m; zero for a preload alone.
    axis
        Direction from a to b; that of the line between their middles unless given.
    """

    name: str
    a: str
    b: str
    stiffness: float
    axis: tuple[float, float, float] | None = None

    def __post_init__(self) -> None:
        check(f"stiffness of bolt '{self.name}'", self.stiffness, NON_NEGATIVE, "N/m")
        if self.axis is not None and not np.any(numbers("axis", self.axis, (3,))):
            raise InputError(
                f"invalid axis of bolt '{self.name}': expected a direction other than 0"
            )

    def elongation(self, layout: Layout) -> sp.csr_array:
        """Row (1, size) of its elongation per unknown of the parts and points."""
        (start, first, _), (end, second, _) = layout.motion(self.a), layout.motion(self.b)
        n = self._direction(np.asarray(self.axis if self.axis is not None else end - start))
        turning = sp.csr_array(0.5 * np.cross(end - start, n)[None])
        shift = sp.csr_array(n[None]) @ (second[:3] - first[:3])
        return sp.csr_array(shift - turning @ (first[3:] + second[3:]))

    def _direction(self, along: Floats) -> Floats:
        length = float(np.linalg.norm(along))
        if length <= ACROSS:
            raise InputError(f"bolt '{self.name}' has both ends at one place: expected its axis")
        return np.asarray(along / length)
