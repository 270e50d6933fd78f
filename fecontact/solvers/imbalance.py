"""How far equations are from balance, relative to the terms that balance each other.

The residual r is compared with the sum f of the sizes of its terms,

    |r|/|f|,      |f|^2 = sum_i f_i^2/m_i ,

where masses m_i of the coordinates make forces and torques comparable: the ratio does not depend on
units. Less than round-off leaves nobody can ask for: forces are known to the unit round-off of
their products stiffness x position, damping x speed, mass x acceleration.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.typing import Floats

__all__ = ["BALANCED", "ROUNDING", "Imbalance"]

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
