"""Forces that act in a motion, against which `solvers.imbalance` compares what is left of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.analysis.periodic.motion import Balances
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
        balances: Balances, q: Floats, v: Floats, a: Floats, z: Floats, time: float = 1.0
    ) -> Acting:
        """Take the largest values at instants (k,), of motions (k, n) with the time scale in s."""
        parts = zip((balances.by_q, balances.by_v, balances.by_a, balances.by_z), (q, v, a, z),
                    strict=True)  # fmt: skip
        products = sum(np.einsum("kab,kb->ka", np.abs(by), np.abs(x)) for by, x in parts)
        forces = products if balances.acting is None else balances.acting
        inertia, damper, spring = (
            np.abs(np.diag(by[0])) for by in (balances.by_a, balances.by_v, balances.by_q)
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
