"""Steady state of a system with bodies in all their unknowns, from that of the reduced one.

    0 = f(t, x, x') + A^T lam,      0 = c(t, x)

by Newton's method with sparse factors. The start is the reduced steady state, so that contacts have
their load from the beginning. Of redundant rows an independent choice is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from fecontact.analysis.stability.full.model import FullRows, FullState, FullSystem, Sums
from fecontact.errors import SolverError
from fecontact.solvers.newton import newton
from fecontact.solvers.region.shifted import factorise_general
from fecontact.system import State
from fecontact.typing import Floats, Integers

__all__ = ["FullSteady", "full_steady"]

INDEPENDENT = 1e-9
"""Pivot, relative to the largest, of a row that counts as independent."""

RATE = 1e4
"""Rate in 1/s at which a violated row counts as force: m rate^2 times the violation."""

STILL = 1e-9
"""Largest velocity of unknowns of finite elements, relative to the largest velocity."""

MOVES = 1e-9
"""Relative violation of prescribed speeds from which velocities are corrected."""

ROUNDING = 2.0 * float(np.finfo(float).eps)


@dataclass(frozen=True, eq=False)
class FullSteady:
    """A balanced state with the sums at it; `chosen` are the independent rows."""

    system: FullSystem
    state: FullState
    sums: Sums
    rows: FullRows
    chosen: Integers
    residual: float
    iterations: int


def full_steady(system: FullSystem, start: State) -> FullSteady:
    """Steady state near a steady state of the reduced system."""
    first = system.lifted(start)
    _refuse_motion(system, first)
    chosen = _independent(system.rows(first, first.lam).jacobian)
    balance = _Balance(system, _with_chosen_forces(system, first, chosen), chosen)
    found = newton(
        balance.residual,
        balance.tangent,
        balance.start,
        move=balance.moved,
        round_off=balance.noise,
        solve=_solved,
    )
    state = balance.at(found.x)
    return FullSteady(
        system, state, system.sums(state), system.rows(state, state.lam), chosen,
        found.residual, found.iterations,
    )  # fmt: skip


def _solved(J: sp.csr_array, r: Floats) -> Floats:
    return np.asarray(factorise_general(sp.csc_array(J)).solve(r))


class _Balance:
    """Balance of forces and rows at x: coordinates of all bodies, then all multipliers."""

    def __init__(self, system: FullSystem, first: FullState, chosen: Integers) -> None:
        self.system, self.first, self.chosen = system, first, chosen
        self._latest: tuple[bytes, FullState, Sums, FullRows] | None = None
        self._scale = 1.0 / np.sqrt(np.maximum(system.mass(first).diagonal(), 1e-300))
        A = system.rows(first, first.lam).jacobian[chosen] @ sp.diags_array(self._scale)
        squares = np.asarray(A.power(2).sum(axis=1)).ravel()
        self._row_scale = RATE**2 / np.sqrt(np.maximum(squares, 1e-300))
        sizes = [len(first.q[body.name]) for body in system.system.bodies]
        self._ends = np.cumsum(sizes)

    @property
    def start(self) -> Floats:
        """The first x."""
        return self._flat(self.first)

    def _flat(self, state: FullState) -> Floats:
        return np.concatenate([*state.q.values(), state.lam])

    def at(self, x: Floats) -> FullState:
        """State at x; its velocities follow the prescribed speeds."""
        *parts, lam = np.split(x, self._ends)
        q = dict(zip(self.first.q, parts, strict=True))
        return _running(self.system, replace(self.first, q=q, lam=lam))

    def moved(self, x: Floats, step: Floats) -> Floats:
        """Coordinates and multipliers x after a step of dofs and chosen multipliers."""
        system, state = self.system, self.at(x)
        whole = np.zeros(system.size + len(state.lam))
        whole[: system.size], whole[system.size + self.chosen] = np.split(step, [system.size])
        return self._flat(system.move(state, whole))

    def residual(self, x: Floats) -> tuple[Floats, float, float]:
        """Imbalance and violated rows, their size and that of the terms."""
        state, sums, rows = self._evaluated(x)
        n, lam = self.system.size, state.lam
        r = np.concatenate([sums.force + rows.jacobian.T @ lam, rows.value[self.chosen]])
        size = np.concatenate([r[:n] * self._scale, r[n:] * self._row_scale])
        terms = (sums.terms + abs(rows.jacobian).T @ np.abs(lam)) * self._scale
        return r, float(np.linalg.norm(size)), float(np.linalg.norm(terms))

    def tangent(self, x: Floats) -> sp.csr_array:
        """Derivative of the residual; velocities are held."""
        _, sums, rows = self._evaluated(x)
        A, m = rows.jacobian[self.chosen], len(self.chosen)
        K = sums.by_position + rows.d_load
        return sp.csr_array(sp.block_array([[K, A.T], [A, sp.csr_array((m, m))]], format="csr"))

    def noise(self, x: Floats) -> float:
        """Size of the round-off of the forces: of positions, times stiffness."""
        state, sums, _ = self._evaluated(x)
        largest = np.zeros(self.system.size)
        for name, part in self.system.slices.items():
            own, count = np.abs(state.q[name]), part.stop - part.start
            largest[part] = own if len(own) == count else own.max(initial=0.0)
        lost = abs(sums.by_position) @ largest
        return float(ROUNDING * np.linalg.norm(lost * self._scale))

    def _evaluated(self, x: Floats) -> tuple[FullState, Sums, FullRows]:
        key = x.tobytes()
        if self._latest is None or self._latest[0] != key:
            state = self.at(x)
            self._latest = key, state, self.system.sums(state), self.system.rows(state, state.lam)
        return self._latest[1:]


def _refuse_motion(system: FullSystem, state: FullState) -> None:
    """Unknowns of finite elements rest in the frame of their body, and free frames in space."""
    largest = max((np.abs(v).max(initial=0.0) for v in state.v.values()), default=0.0)
    for name in system.full:
        if np.abs(state.v[name]).max(initial=0.0) > STILL * largest:
            raise SolverError(
                f"body '{name}' moves in its frame in the steady state: it cannot have all its "
                "unknowns; put it into a TurningFrame or MovingFrame"
            )


def _independent(A: sp.csr_array) -> Integers:
    """Indices of independent rows."""
    if not A.shape[0]:
        return np.zeros(0, dtype=np.int64)
    dense = np.asarray(A.toarray())
    dense /= np.maximum(np.linalg.norm(dense, axis=1), 1e-300)[:, None]
    R, order = la.qr(dense.T, mode="r", pivoting=True)
    pivots = np.abs(np.diagonal(R))
    return np.sort(order[: int(np.count_nonzero(pivots > INDEPENDENT * pivots[0]))])


def _with_chosen_forces(system: FullSystem, state: FullState, chosen: Integers) -> FullState:
    """The same forces of constraints by independent rows alone."""
    lam = np.zeros(len(state.lam))
    if len(chosen):
        A = system.rows(state, state.lam).jacobian
        lam[chosen] = np.linalg.lstsq(A[chosen].toarray().T, A.T @ state.lam, rcond=None)[0]
    return replace(state, lam=lam)


def _running(system: FullSystem, state: FullState) -> FullState:
    """The state with velocities of prescribed speeds, changed as little as possible."""
    if not len(state.lam) or not any(v.any() for v in state.v.values()):
        return state
    rows = system.rows(state, state.lam)
    speed = max(float(np.abs(v).max(initial=0.0)) for v in state.v.values())
    sizes = np.asarray(abs(rows.jacobian).sum(axis=1)).ravel() * speed
    if np.all(np.abs(rows.rate) <= MOVES * sizes):
        return state
    kept = np.concatenate(
        [np.r_[part] for name, part in system.slices.items() if name not in system.full]
    )
    change = np.zeros(system.size)
    change[kept] = np.linalg.lstsq(rows.jacobian[:, kept].toarray(), -rows.rate, rcond=None)[0]
    v = {name: state.v[name] + change[part] for name, part in system.slices.items()}
    return replace(state, v=v)
