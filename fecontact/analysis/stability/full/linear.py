"""Sparse linear model of small motions about a steady state in all unknowns.

Unknowns are the dofs x, the rates a = D_q P^T x' of damping that is given by modes, and the
multipliers lam of independent rows,

    M x'' - f_v x' - (f_x + d(A^T lam)/dx) x + P a - A^T dlam = 0
    D_q P^T x' - a = 0,      A x = 0 .

Rows that bind velocities, with an Jacobian that turns with x: A x' + (dc'/dx) x = 0; each adds a
zero eigenvalue, motion along the driven direction.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from fecontact.analysis.stability.full.steady import FullSteady
from fecontact.errors import InputError
from fecontact.solvers.region import QuadraticModes, quadratic_modes
from fecontact.typing import Complexes, Floats

__all__ = ["SparseModel", "sparse_model"]

TURNS = 1e-9
"""Change of the velocity of a row with the motion, relative to its Jacobian, that counts as none:
in 1/s beside the rates of the modes."""


@dataclass(frozen=True, eq=False)
class SparseModel:
    """Sparse matrices (n + r, n + r) of small motions; the first n unknowns are the dofs.

    Attributes
    ----------
    mass, by_rate, by_position
        Matrices of x'', x' and x.
    bodies
        Body name -> its part of the n dofs.
    lift : (n, k)
        Dofs per dof of the reduced system.
    """

    mass: sp.csr_array
    by_rate: sp.csr_array
    by_position: sp.csr_array
    bodies: dict[str, slice]
    lift: sp.csr_array
    rates: sp.csr_array

    @property
    def size(self) -> int:
        """Number n of dofs."""
        return int(self.lift.shape[0])

    def modes(
        self, growth: tuple[float, float], frequency: tuple[float, float], **options: Any
    ) -> QuadraticModes:
        """All modes in a band of growth (1/s) and frequency (Hz); see `quadratic_modes`."""
        return quadratic_modes(
            self.mass, self.by_rate, self.by_position, growth=growth, frequency=frequency, **options
        )

    def at(self, z: complex) -> sp.csc_array:
        """Matrix z^2 M + z D + K."""
        return sp.csc_array(z**2 * self.mass + z * self.by_rate + self.by_position)

    def slope(self, z: complex) -> sp.csr_array:
        """Derivative 2 z M + D."""
        return sp.csr_array(2.0 * z * self.mass + self.by_rate)

    def right(self, x: Complexes) -> Complexes:
        """Unknowns of a motion (k,) of the reduced system; multipliers are left out."""
        return self._padded(self.lift @ x)

    def left(self, y: Complexes) -> Complexes:
        """The same of a left vector, with the rates of modal damping."""
        padded = self._padded(self.lift @ y)
        count = self.rates.shape[0]
        padded[self.size : self.size + count] = np.asarray(self._shapes.T @ padded[: self.size])
        return padded

    @cached_property
    def _shapes(self) -> sp.csr_array:
        """P (n, a): force per rate of modal damping."""
        count = self.rates.shape[0]
        return sp.csr_array(self.by_position[: self.size, self.size : self.size + count])

    def _padded(self, x: Any) -> Complexes:
        result = np.zeros(self.mass.shape[0], dtype=complex)
        result[: self.size] = x
        return result


def sparse_model(steady: FullSteady) -> SparseModel:
    """Linearise about a steady state."""
    system, sums, rows, chosen = steady.system, steady.sums, steady.rows, steady.chosen
    n, m = system.size, len(chosen)
    shapes, rates = _modal(steady)
    a = shapes.shape[1]
    A, turned = rows.jacobian[chosen], rows.d_rate[chosen]
    driven = _driven(steady)
    K = -(sums.by_position + rows.d_load)
    none = sp.csr_array
    led = sp.diags_array(driven.astype(float))
    held = A - led @ (A - turned)
    mass = sp.block_diag([system.mass(steady.state), none((a + m, a + m))], format="csr")
    by_rate = sp.block_array(
        [[-sums.by_rate, none((n, a)), none((n, m))],
         [rates, none((a, a)), none((a, m))],
         [led @ A, none((m, a)), none((m, m))]], format="csr",
    )  # fmt: skip
    by_position = sp.block_array(
        [[K, shapes, -A.T],
         [none((a, n)), -sp.eye_array(a), none((a, m))],
         [held, none((m, a)), none((m, m))]], format="csr",
    )  # fmt: skip
    return SparseModel(
        sp.csr_array(mass),
        sp.csr_array(by_rate),
        sp.csr_array(by_position),
        bodies=system.slices,
        lift=system.lift,
        rates=rates,
    )


def _modal(steady: FullSteady) -> tuple[sp.csr_array, sp.csr_array]:
    """P (n, a) and D_q P^T (a, n) of all bodies."""
    system = steady.system
    shapes: list[Any] = [sp.csr_array((system.size, 0))]
    rates: list[Any] = [sp.csr_array((0, system.size))]
    for name, body in system.full.items():
        if body.modal is not None:
            place = system._place(name)
            shapes.append(place.T @ sp.csr_array(body.modal.shapes))
            rates.append(sp.csr_array(body.modal.damping @ body.modal.shapes.T) @ place)
    P = sp.hstack(shapes, format="csr")
    return sp.csr_array(P), sp.csr_array(sp.vstack(rates, format="csr"))


def _driven(steady: FullSteady) -> Any:
    """Which of the chosen rows bind velocities by a Jacobian that turns with the motion."""
    rows, chosen = steady.rows, steady.chosen
    if not len(chosen):
        return np.zeros(0, dtype=bool)
    turns: Floats = np.asarray(abs(rows.d_rate[chosen]).max(axis=1).toarray()).ravel()
    sizes = np.asarray(abs(rows.jacobian[chosen]).max(axis=1).toarray()).ravel()
    turning = turns > TURNS * sizes
    held = steady.system.position_rows[chosen]
    if np.any(turning & held):
        name = steady.system.system.rows[int(chosen[np.flatnonzero(turning & held)[0]])]
        raise InputError(
            f"invalid row '{name}' in a model with all unknowns: its position is led while its "
            'direction turns: expected a drive of level="velocity"'
        )
    return turning & ~held
