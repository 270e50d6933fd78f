"""Constraints that press and cannot pull: which of them have a negative multiplier."""

from __future__ import annotations

from math import inf

import numpy as np

from fecontact.errors import SolverError
from fecontact.system.assembly import Assembly
from fecontact.system.state import State
from fecontact.typing import supporting

__all__ = ["ZERO_CROSSING", "OneSidedWatch", "pulling", "pulling_error"]

ZERO_CROSSING = 1e-3
"""Fraction of the largest multiplier so far, up to which a pull is an error of the method."""

NEGLIGIBLE = 1e-6
"""Fraction of all forces, and of all speeds, up to which a pull does not matter."""


def pulling(assembly: Assembly, state: State, span: float = inf) -> dict[str, float]:
    """One-sided constraints that pull, with their negative multipliers.

    A pull counts if it is noticeable among the forces, and if it can change the speeds within
    `span` in s; by default the speeds do not matter.
    """
    sided = [c.name for c in supporting(assembly.constraints, "switched")]
    if not sided:
        return {}
    rows = np.array([assembly.row_slices[name].start for name in sided], dtype=int)
    lam = state.lam[rows]
    if not np.any(lam < 0.0):
        return {}
    factor = np.linalg.cholesky(assembly.mass_matrix(state.q))
    A, force = assembly.constraint(state).jacobian, assembly.force(state)
    terms = np.column_stack([force, force + A.T @ state.lam, lam * A[rows].T])
    sizes = np.linalg.norm(np.linalg.solve(factor, terms), axis=0)
    total = sizes[:2].sum() + np.linalg.norm(factor.T @ state.v) / span
    wrong = np.flatnonzero((lam < 0.0) & (sizes[2:] > NEGLIGIBLE * total))
    return {sided[i]: float(lam[i]) for i in wrong}


def pulling_error(assembly: Assembly, name: str, lam: float, where: str = "") -> SolverError:
    """Error of a one-sided constraint with a negative multiplier."""
    row = assembly.rows[assembly.row_slices[name].start]
    sided = {c.name: c for c in supporting(assembly.constraints, "switched")}
    return SolverError(
        f"{where}'{row}' would pull with {-lam:.3g} N, but can only press; {sided[name].instead}"
    )


class OneSidedWatch:
    """Watches the one-sided constraints of a system along a motion.

    Parameters
    ----------
    assembly
        The system.
    span
        Time to simulate in s.
    """

    def __init__(self, assembly: Assembly, span: float) -> None:
        self.assembly, self.span = assembly, span
        self.largest = {c.name: 0.0 for c in supporting(assembly.constraints, "switched")}

    def see(self, state: State) -> None:
        """Raise a `SolverError` if a constraint pulls at a state with multipliers."""
        if not self.largest:
            return
        for name, largest in self.largest.items():
            now = abs(float(state.lam[self.assembly.row_slices[name].start]))
            self.largest[name] = max(largest, now)
        for name, lam in pulling(self.assembly, state, self.span).items():
            if -lam > ZERO_CROSSING * self.largest[name]:
                raise pulling_error(self.assembly, name, lam, f"t = {state.t:.6g} s: ")
