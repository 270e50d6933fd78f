"""Static condensation of a finite-element model on some of its unknowns.

Only the kept unknowns c, those of the contact nodes, take part in a nonlinear solution; the others,
i, follow:

    K_s = K_cc - K_ci K_ii^-1 K_ic,      f_s = f_c - K_ci K_ii^-1 f_i

K_ii is factorised once for all increments. The condensation is exact in statics, and a body may
be free: its kept unknowns hold it while the others are eliminated.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from fecontact.fem.model import FEModel
from fecontact.solvers.linear import Factorisation, factorise
from fecontact.typing import Floats, Integers

__all__ = ["Interior", "eliminate"]

COLUMNS = 128
"""Right-hand sides solved at a time; it bounds the memory."""


@dataclass(frozen=True, eq=False)
class Interior:
    """The eliminated unknowns of a condensed body: loads on them, and their displacement."""

    stiffness: sp.csr_array
    coupling: sp.csr_array
    solve: Factorisation
    contact: Integers
    inner: Integers

    def load(self, force: Floats) -> Floats:
        """Load f_s (m,) on the contact unknowns of a force (n,) on all unknowns."""
        return force[self.contact] - self.coupling.T @ self.solve(force[self.inner])

    def support_motion(self, displacement: Floats) -> Floats:
        """Load f_s (m,) of displaced supports: displacement (n,), zero at free unknowns."""
        return self.load(-(self.stiffness @ displacement))

    def displacement(self, u: Floats, force: Floats | None = None) -> Floats:
        """Displacement (n,) of all unknowns from that of the contact unknowns (m,)."""
        result = np.zeros(self.stiffness.shape[0])
        result[self.contact] = u
        inner = -(self.coupling @ u) if force is None else force[self.inner] - self.coupling @ u
        result[self.inner] = self.solve(inner)
        return result


def eliminate(model: FEModel, kept: Integers) -> tuple[Floats, Interior]:
    """Stiffness K_s of some unknowns of a body, as far as they are free; the others follow."""
    contact = np.intersect1d(model.free, kept)
    inner = np.setdiff1d(model.free, kept)
    K = sp.csr_array(model.stiffness)
    coupling = sp.csr_array(K[inner][:, contact])
    nothing = Factorisation("none", 0, lambda right: right)
    solve = factorise(sp.csr_array(K[inner][:, inner])) if len(inner) else nothing
    stiffness = K[contact][:, contact].toarray()
    for first in range(0, len(contact), COLUMNS):
        part = slice(first, first + COLUMNS)
        stiffness[:, part] -= coupling.T @ solve(coupling[:, part].toarray())
    return 0.5 * (stiffness + stiffness.T), Interior(K, coupling, solve, contact, inner)
