"""Impulses of unilateral contacts with Coulomb friction: projected Gauss-Seidel on the exact disc.

With the velocities u = W L + b of the contact rows,

    0 <= u_n  perp  L_n - floor >= 0,      |L_t| <= mu L_n,     -u_t in the normal cone of the disc

(Waltersberger 4.33 to 4.40). One sweep is the prox of each contact in turn,

    L_n = max(floor, L_n - u_n/W_nn),      L_t = disc(L_t - u_t/rho),    rho = largest eigenvalue
                                                                         of the block W_tt

Sweeps are slow where contacts are redundant or many, and may diverge where W is not symmetric: then
they go on from the best impulses, half the way to the prox at a time. What they leave is taken over
by Newton's method on the prox equations, which are piecewise smooth; and if that fails too, both
start again from the friction polygon of Lemke's method (`solvers.lemke`), exact without friction
and in the plane. Coefficients over speed and pressure, and static ones, are found around this
(`solvers.friction_curve`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from fecontact.errors import SolverError
from fecontact.solvers._contact_kernels import (
    ContactRows,
    equations,
    into_cones,
    residual,
    sweep,
)
from fecontact.solvers.friction_curve import (
    CoefficientSearch,
    FrictionCurve,
    StatusRounds,
    slip_velocities,
)
from fecontact.solvers.lemke import lemke, planar_directions, polyhedral, polyhedral_impulses
from fecontact.typing import Floats, Integers

__all__ = ["ContactProblem", "Impulses", "solve_contacts"]

DIRECTIONS = 8
"""Sides of the friction polygon of a spatial contact where Lemke's method gives the start."""

NOISE = 1e-15
"""Velocity in m/s that counts as zero."""

FIRST = 60
"""Sweeps before the first try of Newton's method."""

NEWTON = 30
"""Newton steps in one try; given up if the residual does not fall in STALLED of them."""

STALLED = 5
DIVERGED = 1e6
"""Residual, relative to the velocities, of impulses that grow without end."""

SMALL = 400
"""Rows up to which Newton's method is tried; the cost of its steps grows with the cube."""

ROUNDS = 100
"""Rounds of coefficients over speed and impulses in turn."""

PENDING = 40
"""Contacts up to which Lemke's method is tried; its cost grows with the cube."""


@dataclass(frozen=True)
class ContactProblem:
    """Contact rows at one instant.

    Attributes
    ----------
    W : (r, r)
        Velocity of the rows per impulse.
    b : (r,)
        Velocity without impulses; with restitution, plus e times that before the impact.
    normal, tangent : (c,)
        Row of the normal of each contact, and the first of its two tangents; -1: none. A contact
        without a normal row has a given normal impulse `floor`.
    friction : (c,)
        Coefficients mu.
    floor : (c,)
        Least normal impulses.
    curve
        Coefficients that depend on speed and pressure, or are static ones; in place of `friction`.
    """

    W: Floats
    b: Floats
    normal: Integers
    tangent: Integers
    friction: Floats
    floor: Floats
    curve: FrictionCurve | None = None

    @classmethod
    def frictionless(cls, W: Floats, b: Floats) -> ContactProblem:
        """Contacts with a normal row each and no friction: 0 <= L, 0 <= b + W L, one of them 0."""
        nothing = np.zeros(len(b))
        return cls(W, b, np.arange(len(b)), np.full(len(b), -1), nothing, nothing)

    @property
    def scale(self) -> float:
        """Size of the velocities, to which residuals relate."""
        given = np.abs(self.W).max(initial=0.0) * np.abs(self.floor).max(initial=0.0)
        return float(np.abs(self.b).max(initial=0.0) + given)

    def velocity(self, L: Floats) -> Floats:
        """Velocities (r,) of the rows."""
        return np.asarray(self.b + self.W @ L)

    def residual(self, L: Floats) -> float:
        """Largest violation of complementarity and friction cone in m/s."""
        return float(residual(self.W, self.velocity(L), self.rows, L))

    def some(self, which: npt.NDArray[np.bool_] | Integers) -> ContactProblem:
        """Problem of some of the contacts; the rows of the others carry nothing."""
        return replace(
            self, normal=self.normal[which], tangent=self.tangent[which],
            friction=self.friction[which], floor=self.floor[which],
            curve=None if self.curve is None else self.curve.some(which),
        )  # fmt: skip

    def slip(self, u: Floats) -> Floats:
        """Slip velocities (c, 2) from those (r,) of the rows; none where nothing can slide."""
        return slip_velocities(self.tangent, u)

    def held(self, L: Floats) -> Floats:
        """Normal impulses (c,)."""
        return np.where(self.normal >= 0, L[self.normal], self.floor)

    @property
    def rows(self) -> ContactRows:
        """What the kernels need to know of the rows."""
        return ContactRows(self.normal, self.tangent, self.friction, self.floor)


@dataclass(frozen=True)
class Impulses:
    """Solution of a contact problem.

    Attributes
    ----------
    value : (r,)
        Impulses in N s.
    residual
        Violation of the conditions, relative to `ContactProblem.scale`: at most the tolerance, and
        0 if it is below `NOISE`.
    sweeps
        Sweeps that were needed.
    friction : (c,)
        Coefficients.
    """

    value: Floats = field(default_factory=lambda: np.zeros(0))
    residual: float = 0.0
    sweeps: int = 0
    friction: Floats = field(default_factory=lambda: np.zeros(0))


def solve_contacts(
    problem: ContactProblem,
    start: Floats | None = None,
    tolerance: float = 1e-10,
    sweeps: int = 2000,
) -> Impulses:
    """Impulses of all contacts.

    Parameters
    ----------
    problem
        The contact rows.
    start : (r,)
        First guess.
    tolerance
        Residual, relative to the velocities; at most `NOISE` in m/s is asked for.
    sweeps
        Limit of the sweeps, twice: from the start, and from that of Lemke's method.

    Raises
    ------
    SolverError
        If no solution is found.

    Examples
    --------
    A mass of 2 kg hits the ground with 3 m/s, plastic:

    >>> one, zero = np.ones(1), np.zeros(1, dtype=np.int64)
    >>> floor = ContactProblem(one[:, None] / 2, -3 * one, zero, zero - 1, 0 * one, 0 * one)
    >>> solve_contacts(floor).value.tolist()
    [6.0]
    """
    if problem.curve is not None:
        return _with_curve(problem, start, tolerance, sweeps)
    scale = problem.scale
    limit = max(tolerance * scale, NOISE)
    first = np.zeros(len(problem.b)) if start is None else np.array(start, dtype=float)
    L, left, count = _nearest(problem, first, limit, sweeps)
    if not left <= limit:
        raise SolverError(
            f"{len(problem.normal)} contacts: no impulses found, residual {left:.1e} m/s after "
            f"{count} sweeps. A solution may not exist or not be unique (friction up to "
            f"{problem.friction.max():g}); try a smaller step, more sweeps, or a compliant normal "
            "law"
        )
    return Impulses(L, left / scale if left > NOISE else 0.0, count, problem.friction)


def _nearest(
    problem: ContactProblem, start: Floats, limit: float, sweeps: int
) -> tuple[Floats, float, int]:
    """Best impulses from a start, or from that of Lemke's method; residual in m/s, and sweeps."""
    L, left, count = _solved(problem, start, limit, sweeps)
    if left > limit and len(problem.normal) <= PENDING:
        polygon = _polygon_start(problem)
        if polygon is not None:
            L, left, again = _solved(problem, polygon, limit, sweeps)
            count += again
    return L, left, count


def _with_curve(
    problem: ContactProblem, start: Floats | None, tolerance: float, sweeps: int
) -> Impulses:
    """Impulses with coefficients over speed and pressure, and static ones of contacts that stick.

    For each choice of the contacts that have their static coefficient: impulses with the last
    coefficients, and coefficients of the last impulses, in turn. Newton's method with the slopes
    of the coefficients shortens this; else `CoefficientSearch` tells which to try next.
    """
    assert problem.curve is not None
    limit = max(tolerance * problem.scale, NOISE)
    status = StatusRounds(problem.curve, 2.0 * limit)
    L = np.zeros(len(problem.b)) if start is None else np.array(start, dtype=float)
    friction, count = status.first(problem.held(L)), 0

    def at(L: Floats) -> tuple[ContactProblem, Floats]:
        slip = problem.slip(problem.velocity(L))
        mu, slopes = status.coefficients(slip, problem.held(L))
        return replace(problem, friction=mu, curve=None), slopes

    search = CoefficientSearch(len(friction))
    for _ in range(ROUNDS + 2 * len(friction)):
        known = replace(problem, friction=friction, curve=None)
        L, _, more = _nearest(known, L, limit, sweeps)
        left, count = at(L)[0].residual(L), count + more
        if left > limit and len(L) <= SMALL:
            better, less = _newton(at, L, limit)
            L, left = (better, less) if less <= limit else (L, left)
        new = at(L)[0].friction
        if left > limit:
            friction = search.next(friction, new)
        elif status.changed(problem.slip(problem.velocity(L))):
            search, friction = CoefficientSearch(len(friction)), at(L)[0].friction
        else:
            return Impulses(L, left / problem.scale if left > NOISE else 0.0, count, new)
    raise SolverError(
        f"{len(problem.normal)} contacts: no friction coefficients over speed and pressure found "
        f"in {ROUNDS} rounds, residual {left:.1e} m/s; try a smaller step, or a compliant normal "
        "law"
    )


def _solved(
    problem: ContactProblem, L: Floats, tolerance: float, sweeps: int
) -> tuple[Floats, float, int]:
    """Sweeps and Newton steps in turn: impulses, residual in m/s, number of sweeps."""
    count, each, fraction = 0, min(sweeps, FIRST), 1.0
    level = np.zeros((len(problem.normal), 3))
    best, least = L, problem.residual(L)
    while True:
        L = best.copy()
        count += int(sweep(problem.W, problem.b, problem.rows, L, 0.3 * tolerance, each, fraction))
        left = problem.residual(L)
        if tolerance < left < DIVERGED * problem.scale and len(L) <= SMALL:
            L, left = _newton(lambda _: (problem, level), L, tolerance)
        if left < least:
            best, least = L, left
        else:
            fraction *= 0.5
        if least <= tolerance or count >= sweeps:
            return best, least, count
        each = min(4 * each, sweeps - count)


def _newton(
    at: Callable[[Floats], tuple[ContactProblem, Floats]], L: Floats, tolerance: float
) -> tuple[Floats, float]:
    """Newton's method on the prox equations; the best impulses, and their residual.

    `at` gives the problem with the coefficients at impulses L, and the slopes of their limits.
    """
    problem, slopes = at(L)
    best, least, stalled = L, problem.residual(L), 0
    for _ in range(NEWTON if least > tolerance else 0):
        value, tangent = equations(problem.W, problem.velocity(L), problem.rows, L, slopes)
        L = L - np.linalg.lstsq(tangent, value, rcond=1e-12)[0]
        into_cones(problem.rows, L)
        problem, slopes = at(L)
        left = problem.residual(L)
        if not left < DIVERGED * problem.scale:
            break
        stalled = 0 if left < least else stalled + 1
        if left < least:
            best, least = L, left
        if least <= tolerance or stalled > STALLED:
            break
    return best, least


def _polygon_start(problem: ContactProblem) -> Floats | None:
    """Impulses with a friction polygon, by Lemke's method."""
    if np.any(problem.normal < 0):
        return None
    sides = planar_directions(problem.W, problem.tangent, DIRECTIONS)
    try:
        x = lemke(*polyhedral(problem, sides))
    except SolverError:
        return None
    return polyhedral_impulses(problem, sides, x)
