"""Forces that act in a motion, against which `solvers.imbalance` compares what is left of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fecontact.analysis.periodic.motion import Balance
from fecontact.solvers.imbalance import Imbalance
from fecontact.typing import Floats

__all__ = ["Acting"]


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
