r"""Equations of one step of the generalised-alpha method on the Lie group, with constraints.

A step from t_n to t_n+1 = t_n + h solves (Arnold and Bruels 2007; Bruels, Cardona and Arnold 2012)

    q_n+1 = move(q_n, s),       s = h v_n + h^2 ((1/2 - beta) a_n + beta a_n+1) - B eta
    v_n+1 = v_n + h ((1 - gamma) a_n + gamma a_n+1)
    (1 - alpha_m) a_n+1 + alpha_m a_n = (1 - alpha_f) v'_n+1 + alpha_f v'_n
    M v' = f + A^T lam,      c = 0,      c' = 0         at t_n+1.

`move` is exact on rotations, so quaternions keep their length. Positions and velocities both
satisfy the constraints (stabilised index 2, Gear, Gupta and Leimkuhler 1985; on Lie groups Arnold,
Bruels and Cardona 2015): the columns of B span M^-1 A^T at t_n, so the correction B eta has least
kinetic energy and does not depend on units. Rows of velocity level have c' = 0 alone. Redundant
rows enter by their independent combinations (`RowBasis`).

The unknowns are y = (beta h^2 a_n+1, beta h^2 mu, eta) with lam = E^T mu, the equations
beta h^2 (M v' - f - A^T lam), (beta h/gamma) E c' and E_p c: all entries of the tangent stay finite
for h -> 0. The tangent is exact. Stateful contacts go from their committed history at t_n to
t_n+1 in every evaluation; it is committed with the accepted step.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.integrate.moreau.row_basis import RowBasis
from fecontact.solvers.imbalance import BALANCED, ROUNDING, Imbalance
from fecontact.system import State, System, SystemStart, SystemStep
from fecontact.system.constraints.rows import Constraints
from fecontact.system.dofs import Dofs
from fecontact.system.program import Program
from fecontact.system.round_off import lost_in_positions
from fecontact.typing import Floats

__all__ = ["AlphaWeights", "Level", "StepEquations"]


@dataclass(frozen=True)
class AlphaWeights:
    """Weights of the method for a spectral radius rho_inf at infinite frequency.

    Chung and Hulbert, J. Appl. Mech. 60 (1993) 371: second order, least damping of low frequencies.
    """

    alpha_m: float
    alpha_f: float
    beta: float
    gamma: float

    @classmethod
    def of(cls, rho_inf: float) -> AlphaWeights:
        """Weights for rho_inf from 0 (strongest damping) to 1 (none)."""
        alpha_m, alpha_f = (2.0 * rho_inf - 1.0) / (rho_inf + 1.0), rho_inf / (rho_inf + 1.0)
        gamma = 0.5 + alpha_f - alpha_m
        return cls(alpha_m, alpha_f, 0.25 * (gamma + 0.5) ** 2, gamma)

    @property
    def shift(self) -> float:
        """Time of a_n after t_n, in steps; it is not positive."""
        return self.alpha_m - self.alpha_f

    @property
    def gain(self) -> float:
        """Derivative of v'_n+1 by a_n+1."""
        return (1.0 - self.alpha_m) / (1.0 - self.alpha_f)

    def rate(self, a0: Floats, a1: Floats, rate0: Floats) -> Floats:
        """Return v'_n+1 for a_n, a_n+1 and v'_n."""
        return self.gain * a1 + (self.alpha_m * a0 - self.alpha_f * rate0) / (1.0 - self.alpha_f)

    def a1(self, a0: Floats, rate0: Floats, rate1: Floats) -> Floats:
        """Return a_n+1 for a_n, v'_n and v'_n+1."""
        return (rate1 - self.rate(a0, np.zeros_like(a0), rate0)) / self.gain


@dataclass(frozen=True)
class Level:
    """Accepted end of a step.

    Attributes
    ----------
    state, rate
        State with multipliers, and v'.
    rate_change
        Change of v' in the step.
    a, h
        a_n, and the step it belongs to.
    basis
        Combinations of the constraint rows for the next step.
    correction : (n,)
        Part -B eta of the step, which led back onto the constraints.
    gap : (m,)
        What redundant rows leave open because they contradict others.
    path : (n,)
        Increment of the dofs that led here.
    begun
        Start of the next step, with the contact history; None: it is that of the state.
    kinked
        Whether a contact point changed its status in the step.
    end
        Forces at the end of the step; None at the start of a run.
    """

    state: State
    rate: Floats
    rate_change: Floats
    a: Floats
    h: float
    basis: RowBasis
    correction: Floats
    gap: Floats
    path: Floats
    begun: SystemStart | None
    kinked: bool = False
    end: SystemStep | None = None

    def a_for(self, h: float) -> Floats:
        """Return a_n for a next step h: it belongs to the time t_n + (alpha_m - alpha_f) h."""
        return self.rate + h / self.h * (self.a - self.rate)


class StepEquations:
    """The equations of the step from a level to the time t.

    Attributes
    ----------
    mass, rows, step
        Mass matrix, constraint rows and forces of the last residual.
    """

    mass: Floats
    rows: Constraints
    step: SystemStep

    def __init__(
        self, system: System, dofs: Dofs, weights: AlphaWeights, last: Level, t: float,
        program: Program | None = None,
    ) -> None:  # fmt: skip
        self.system, self.dofs, self.weights, self.last = system, dofs, weights, last
        self.t, self.h = t, t - last.state.t
        self.begun = last.begun or system.begin(last.state, program)
        self.a0 = last.a_for(self.h)
        self.square = weights.beta * self.h**2
        r, p = len(last.basis.all), len(last.basis.position)
        self._ends = [system.size, system.size + r]
        self.size = system.size + r + p

    def guess(self) -> Floats:
        """Unknowns for a v' that changes as in the last step, and the last multipliers."""
        last = self.last
        later = last.rate + self.h / last.h * last.rate_change
        a1 = self.weights.a1(self.a0, last.rate, later)
        y = np.zeros(self.size)
        x, mu, _ = self._parts(y)
        x[:], mu[:] = self.square * a1, self.square * (last.basis.parts @ last.state.lam)
        return y

    def path(self, y: Floats) -> Floats:
        """Step s (n,) of the dofs from t_n."""
        fixed = self.last.state.v + self.h * (0.5 - self.weights.beta) * self.a0
        return self.h * fixed + self.change(y)

    def change(self, dy: Floats) -> Floats:
        """Change (n,) of the step s by a change of the unknowns."""
        return self._parts(dy)[0] + self.correction(dy)

    def correction(self, y: Floats) -> Floats:
        """Part -B eta (n,) of the step, back onto the constraints."""
        return -self.last.basis.shift @ self._parts(y)[2]

    def state(self, y: Floats) -> State:
        """State at the end of the step."""
        w, last = self.weights, self.last
        v = last.state.v + self.h * ((1.0 - w.gamma) * self.a0 + w.gamma * self.a1(y))
        lam = last.basis.all.T @ self._parts(y)[1] / self.square
        return State(self.t, self.system.move(last.state.q, self.path(y)), v, lam)

    def a1(self, y: Floats) -> Floats:
        """Return a_n+1."""
        return self._parts(y)[0] / self.square

    def rate(self, y: Floats) -> Floats:
        """Return v' at the end of the step."""
        return self.weights.rate(self.a0, self.a1(y), self.last.rate)

    def gap(self) -> Floats:
        """Part (m,) of c and h c' in the last evaluation that the combined rows do not see."""
        unmet = self.last.basis.unmet
        return np.maximum(np.abs(unmet(self.rows.value)), self.h * np.abs(unmet(self.rows.rate)))

    def residual(self, y: Floats) -> Floats:
        """Residual (N,)."""
        state = self._kinematics(y)
        return self._residual(y, state, self.step.force)

    def evaluate(self, y: Floats) -> tuple[Floats, Floats]:
        """Residual (N,) and tangent (N, N)."""
        state = self._kinematics(y)
        force, by_q, by_v = self.step.evaluate()
        return self._residual(y, state, force), self._tangent(y, state, by_q, by_v)

    def tangent(self, y: Floats, stuck: bool = False) -> Floats:
        """Tangent (N, N) at the unknowns of the last residual; `stuck`: as if no point slid."""
        state = self.step.state
        step = self.begun.no_slip().at(state, self.h) if stuck else self.step
        _, by_q, by_v = step.evaluate()
        return self._tangent(y, state, by_q, by_v)

    def imbalance(self, y: Floats, residual: Floats) -> Imbalance:
        """Forces that are left in the last residual, that of y, relative to those that act."""
        n, lam = self.system.size, np.abs(self.step.state.lam)
        acting = self._acting(y) + np.abs(self.rows.jacobian).T @ lam
        scale = np.sqrt(np.diagonal(self.mass))
        left, acting = residual[:n] / self.square / scale, acting / scale
        found = Imbalance.of(left, acting, acting)
        if found.residual <= BALANCED:
            return found
        return Imbalance.of(left, acting, acting + self._products(y) / scale)

    def solved(self, y: Floats, residual: Floats) -> bool:
        """Whether no dof has more forces left than round-off; never with constraints."""
        if self.system.rows:
            return False
        return bool(np.all(np.abs(residual) <= self.square * ROUNDING * self._acting(y)))

    def _acting(self, y: Floats) -> Floats:
        """Sizes (n,) of the forces in the last residual, that of y."""
        return np.abs(self.mass) @ np.abs(self.rate(y)) + np.abs(self.step.forces).sum(axis=0)

    def _products(self, y: Floats) -> Floats:
        """Sizes (n,) of the products from which the forces come, and of the sums in them."""
        _, by_q, by_v = self.step.evaluate()
        last = self.last.state
        position = self.dofs.sizes(last.q) + np.abs(self.path(y))
        rate = np.abs(self.a0) + np.abs(self.a1(y)) + np.abs(self.last.rate)
        speed = np.abs(last.v) + self.h * rate
        products = np.abs(by_q) @ position + np.abs(by_v) @ speed + np.abs(self.mass) @ rate
        return products + lost_in_positions(self.system, self.step.state)

    def _kinematics(self, y: Floats) -> State:
        state = self.state(y)
        self.step, self.rows = self.begun.at(state, self.h), self.system.constraint(state)
        self.mass = self.step.mass
        return state

    def _residual(self, y: Floats, state: State, force: Floats) -> Floats:
        basis, rows, rate = self.last.basis, self.rows, self.rate(y)
        return np.concatenate(
            [
                self.square * (self.mass @ rate - force - rows.jacobian.T @ state.lam),
                self._speed * (basis.all @ rows.rate),
                basis.position @ rows.value,
            ]
        )

    def _tangent(self, y: Floats, state: State, by_q: Floats, by_v: Floats) -> Floats:
        basis, rows = self.last.basis, self.rows
        stiffness = self.step.d_inertia(self.rate(y)) - by_q - rows.d_load(state.lam)
        by_path = np.concatenate(
            [
                self.square * stiffness,
                self._speed * (basis.all @ rows.d_rate()),
                basis.position @ rows.jacobian,
            ]
        )
        by_path = self.dofs.times_tangent(by_path, self.path(y))
        n, end = self._ends
        A = basis.all @ rows.jacobian
        J = np.zeros((self.size, self.size))
        J[:, :n] = by_path
        J[:, end:] = -by_path @ basis.shift
        J[:n, :n] += self.weights.gain * self.mass - self.h * self.weights.gamma * by_v
        J[n:end, :n] += A
        J[:n, n:end] = -A.T
        return J

    @property
    def _speed(self) -> float:
        """Factor of the rows c', which makes them displacements."""
        return self.weights.beta * self.h / self.weights.gamma

    def _parts(self, y: Floats) -> tuple[Floats, Floats, Floats]:
        n, end = self._ends
        return y[:n], y[n:end], y[end:]
