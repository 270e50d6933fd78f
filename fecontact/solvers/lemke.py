"""Linear complementarity by Lemke's pivots, and contacts with a friction polygon.

0 <= w = M z + q  perp  z >= 0

Friction in the directions e_k of a polygon (Waltersberger 3.72 to 3.87), x = (L_n, beta, speed):

    [ W_nn        W_nt B        0 ]         [ b_n     ]
    [ B^T W_tn    B^T W_tt B    E ]  x  +   [ B^T b_t ],     L_t = B beta
    [ mu          -E^T          0 ]         [ 0       ]

Two opposite directions are exact in the plane. The direction of the force is wrong by up to pi/r
in space, so there the polygon is a reference and a start only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fecontact.errors import SolverError
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from fecontact.solvers.complementarity import ContactProblem

__all__ = ["lemke", "planar_directions", "polyhedral", "polyhedral_impulses"]

FLAT = 1e-12
"""Fraction of a tangential block below which a direction cannot move."""

TINY = 1e-10
"""Fraction of the largest entry below which a pivot counts as zero."""

SOLVED = 1e-10
"""Fraction of q up to which the artificial variable counts as zero at the end of a ray."""


def lemke(M: Floats, q: Floats, pivots: int | None = None) -> Floats:
    """Solution z (n,) of 0 <= M z + q perp z >= 0, with lexicographic pivots.

    Raises
    ------
    SolverError
        If the pivots end on a ray: for positive semi-definite M no solution exists.

    Examples
    --------
    >>> lemke(np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([-5.0, -6.0])).round(6).tolist()
    [1.333333, 2.333333]
    """
    n = len(q)
    if not n or q.min() >= 0.0:
        return np.zeros(n)
    tableau = np.hstack([np.eye(n), -M, -np.ones((n, 1)), q[:, None]]).astype(float)
    basis = np.arange(n)
    limit = 50 * n + 100 if pivots is None else pivots
    state = int(_pivots(tableau, basis, limit))
    if state:
        why = "the pivots end on a ray" if state == 1 else f"{limit} pivots do not end"
        raise SolverError(
            f"complementarity problem of size {n}: {why}; a solution may not exist, try a smaller "
            "step or less friction"
        )
    z = np.zeros(2 * n + 1)
    z[basis] = tableau[:, -1]
    return np.maximum(z[n : 2 * n], 0.0)


def planar_directions(W: Floats, tangent: Integers, sides: int) -> list[Floats]:
    """Directions (2, r) of the friction polygon of each contact: two where only one can move."""
    angles = 2.0 * np.pi * np.arange(sides) / sides
    polygon = np.array([np.cos(angles), np.sin(angles)])
    found = []
    for k in tangent.tolist():
        diagonal = np.diag(W)[k : k + 2] if k >= 0 else np.zeros(2)
        free = diagonal > FLAT * diagonal.max(initial=0.0)
        lines = np.array([[1.0, -1.0, 0.0, 0.0], [0.0, 0.0, 1.0, -1.0]])
        if k < 0 or not free.any():
            found.append(np.zeros((2, 0)))
        elif free.all():
            found.append(polygon)
        else:
            found.append(lines[:, :2] if free[0] else lines[:, 2:])
    return found


def polyhedral(problem: ContactProblem, directions: list[Floats]) -> tuple[Floats, Floats]:
    """Matrix and vector of the complementarity problem with a friction polygon."""
    normal, _, friction, floor = problem.rows
    n, counts = len(normal), [part.shape[1] for part in directions]
    T = _spread(problem, directions)
    W, r = T.T @ problem.W @ T, T.shape[1]
    sliding = [i for i, count in enumerate(counts) if count]
    E = np.zeros((r - n, len(sliding)))
    mu = np.zeros((len(sliding), n))
    ends = np.cumsum([0, *counts])
    for column, i in enumerate(sliding):
        E[ends[i] : ends[i + 1], column] = 1.0
        mu[column, i] = friction[i]
    size = r + len(sliding)
    M, q = np.zeros((size, size)), np.zeros(size)
    M[:r, :r] = W
    M[n:r, r:] = E
    M[r:, :n], M[r:, n:r] = mu, -E.T
    q[:r] = T.T @ problem.b + W[:, :n] @ floor
    q[r:] = mu @ floor
    return M, q


def polyhedral_impulses(problem: ContactProblem, directions: list[Floats], x: Floats) -> Floats:
    """Impulses (r,) of the rows from the solution of `polyhedral`."""
    T = _spread(problem, directions)
    own = x[: T.shape[1]].copy()
    own[: len(problem.rows[0])] += problem.rows[3]
    return np.asarray(T @ own)


def _spread(problem: ContactProblem, directions: list[Floats]) -> Floats:
    """Takes (L_n, beta) to the impulses of the rows."""
    normal, tangent = problem.rows[:2]
    n, rows = len(normal), len(problem.b)
    T = np.zeros((rows, n + sum(part.shape[1] for part in directions)))
    T[normal, np.arange(n)] = 1.0
    column = n
    for k, part in zip(tangent.tolist(), directions, strict=True):
        count = part.shape[1]
        if count:
            T[k : k + 2, column : column + count] = part
        column += count
    return T


@kernel
def _pivots(tableau: Floats, basis: Integers, limit: int) -> int:
    """Lemke's pivots in place: 0 solved, 1 ended on a ray, 2 limit reached.

    Columns: w, z, the artificial variable, and q at the end.
    """
    n = len(basis)
    enters = 2 * n
    row = 0
    for i in range(1, n):
        if tableau[i, -1] < tableau[row, -1]:
            row = i
    size, largest = np.abs(tableau).max(), np.abs(tableau[:, -1]).max()
    for _ in range(limit):
        leaves = basis[row]
        tableau[row] /= tableau[row, enters]
        for i in range(n):
            if i != row and tableau[i, enters] != 0.0:
                tableau[i] -= tableau[i, enters] * tableau[row]
        basis[row] = enters
        if leaves == 2 * n:
            return 0
        enters = leaves + n if leaves < n else leaves - n
        row = _leaving(tableau, basis, enters, TINY * size)
        if row < 0:
            return 0 if _artificial(tableau, basis) <= SOLVED * largest else 1
    return 2


@kernel
def _artificial(tableau: Floats, basis: Integers) -> float:
    """Value of the artificial variable."""
    for i in range(len(basis)):
        if basis[i] == 2 * len(basis):
            return float(tableau[i, -1])
    return 0.0


@kernel
def _leaving(tableau: Floats, basis: Integers, enters: int, zero: float) -> int:
    """Row of the smallest ratio; ties by the lexicographic order, the artificial one first."""
    n, best = len(basis), -1
    for i in range(n):
        pivot = tableau[i, enters]
        if pivot <= zero:
            continue
        if best < 0:
            best = i
            continue
        other = tableau[best, enters]
        mine, least = tableau[i, -1] / pivot, tableau[best, -1] / other
        near = 1e-14 * (abs(mine) + abs(least))
        if mine < least - near:
            best = i
        elif mine <= least + near:
            if basis[i] == 2 * n:
                best = i
            elif basis[best] != 2 * n:
                for k in range(n):
                    a, b = tableau[i, k] / pivot, tableau[best, k] / other
                    if a != b:
                        if a < b:
                            best = i
                        break
    return best
