"""How far equations of motion are from balance, relative to the forces that act.

The residual r of a motion is compared with the sum of the sizes of its forces, inertia among them,

    |r|/|f|,      |f|^2 = sum_i f_i^2/m_i ,

where the masses m_i of the coordinates make forces and torques comparable: the ratio does not
depend on units. Less than round-off leaves nobody can ask for: forces are known to the unit
round-off of their products stiffness x position, damping x speed, mass x acceleration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fecontact.analysis.motion import Balance
from fecontact.typing import Floats

__all__ = ["BALANCED", "Acting", "Imbalance"]

BALANCED = 1e-8
"""Residual, relative to the acting forces, at which equations count as solved."""

ROUNDING = 64.0 * float(np.finfo(float).eps)
"""Round-off of a force, relative to the products from which it comes."""


@dataclass(frozen=True)
class Imbalance:
    """Residual relative to the terms that balance each other, and what round-off may leave of it.

    Examples
    --------
    >>> Imbalance(1e-7, round_off=1e-6).within(1e-9), Imbalance(1e-7, 0.0).within(1e-9)
    (True, False)
    """

    residual: float
    round_off: float = 0.0

    def within(self, tolerance: float) -> bool:
        """Whether the equations are solved."""
        return self.residual <= max(tolerance, self.round_off)

    def and_also(self, other: Imbalance) -> Imbalance:
        """The worse of two, of equations of different kinds."""
        return max(self, other, key=lambda each: each.residual)

    @staticmethod
    def of(left: Floats, acting: Floats, products: Floats) -> Imbalance:
        """Compare what is left with the terms that act; nothing is left where nothing acts."""
        size, scale, rounding = (float(np.linalg.norm(part)) for part in (left, acting, products))
        if size == 0.0:
            return Imbalance(0.0)
        with np.errstate(divide="ignore"):
            return Imbalance(
                *(float(part) for part in np.divide([size, ROUNDING * rounding], scale))
            )


@dataclass(frozen=True, eq=False)
class Acting:
    """Sizes of the forces (n,) in a motion, of the products they come from, and masses."""

    forces: Floats
    products: Floats
    masses: Floats

    @staticmethod
    def of(
        balances: Sequence[Balance], q: Floats, v: Floats, a: Floats, z: Floats, time: float = 1.0
    ) -> Acting:
        """Take the largest values at instants (k,), of motions (k, n) with the time scale in s."""
        forces, products = [], []
        for now, *motion in zip(balances, q, v, a, z, strict=True):
            parts = zip((now.by_q, now.by_v, now.by_a, now.by_z), motion, strict=True)
            products.append(sum(np.abs(by) @ np.abs(x) for by, x in parts))
            forces.append(products[-1] if now.acting is None else now.acting)
        first = balances[0]
        inertia, damper, spring = (
            np.abs(np.diag(by)) for by in (first.by_a, first.by_v, first.by_q)
        )
        masses = np.where(inertia > 0.0, inertia, time * damper + time**2 * spring)
        masses = np.where(masses > 0.0, masses, 1.0)
        return Acting(np.max(forces, axis=0), np.max(products, axis=0), masses)

    def imbalance(self, residual: Floats, count: int) -> Imbalance:
        """Imbalance of forces (k, n), of the first `count` coordinates.

        The others are constraint forces; their rows are lengths, which a short last step of
        Newton's method meets.
        """
        parts = np.abs(residual).max(axis=0), self.forces, self.products
        scale = np.sqrt(self.masses[:count])
        return Imbalance.of(*(part[:count] / scale for part in parts))
