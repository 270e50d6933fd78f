"""Newton's method on the prox equations of a contact graph, with the dofs as unknowns.

Linearised, contact i has D_i dL_i + E_i J_i y = -F_i, with the change y = sum G_i^T dL_i of the
dofs:

    (1 + sum G_i^T D_i^-1 E_i J_i) y = -sum G_i^T D_i^-1 F_i .

D_i is zero for what is closed or sticks. A small fraction SOFT of the contact's own stiffness in
its place makes the impulses unique where contacts are redundant; the solution stays, as F is exact.
"""

from __future__ import annotations

import numpy as np

from fecontact.kernels.decorators import kernel
from fecontact.solvers.contact_graph.problem import Graph
from fecontact.typing import Floats

__all__ = ["SOFT", "newton_step", "touch"]

SOFT = 1e-7
"""Fraction of its stiffness by which a closed contact yields in a Newton step."""


@kernel(fastmath=True)
def touch(g: Graph, count: int) -> int:
    """Number the dofs that the contacts move; returns how many there are."""
    chosen, first, size = g.chosen, g.first, g.size
    dofs, where, touched = g.dofs, g.where, g.touched
    for i in range(len(where)):
        where[i] = -1
    m = 0
    for k in range(count):
        i = chosen[k]
        for j in range(size[i]):
            dof = dofs[first[i] + j]
            if where[dof] < 0:
                where[dof], touched[m] = m, dof
                m += 1
    return m


@kernel(fastmath=True)
def newton_step(g: Graph, count: int, m: int) -> bool:
    """Move the impulses by one Newton step over m touched dofs; False if that is not possible.

    The velocities u must be those of the impulses; x is lost.
    """
    chosen, A = g.chosen, g.matrix
    touched, x = g.touched, g.change
    for a in range(m):
        for b in range(m + 1):
            A[a, b] = 0.0
        A[a, a] = 1.0
    for k in range(count):
        _linearise(g, chosen[k])
        _gather(g, chosen[k], m)
    if not _eliminate(A, m):
        return False
    for a in range(m):
        x[touched[a]] = A[a, m]
    for k in range(count):
        _linearise(g, chosen[k])
        _take(g, chosen[k])
    return True


@kernel(fastmath=True)
def _linearise(g: Graph, i: int) -> None:
    """D^-1 F to `value` and D^-1 E to `own`, of a contact at its velocities u."""
    L, u, W = g.impulse[i], g.velocity[i], g.block[i]
    value, own, floor = g.value, g.own, g.floor[i]
    stiff = W[0, 0] if W[0, 0] > 0.0 else 1.0
    for a in range(3):
        for b in range(3):
            own[a, b] = 0.0
    if L[0] - u[0] / stiff > floor:
        value[0], own[0, 0] = u[0] / (SOFT * stiff), 1.0 / (SOFT * stiff)
    else:
        value[0] = L[0] - floor
    if not g.slides[i]:
        return
    rho, mu, slopes = g.rho[i], g.friction[i], g.slopes[i]
    x, y = L[1] - u[1] / rho, L[2] - u[2] / rho
    size, limit = np.hypot(x, y), mu * max(L[0], 0.0)
    if size <= limit:
        value[1], value[2] = u[1] / (SOFT * rho), u[2] / (SOFT * rho)
        own[1, 1] = own[2, 2] = 1.0 / (SOFT * rho)
        return
    # F_t = rho (L_t - limit e) along e = (x, y), which turns along t = (-y, x); with k = limit/size
    # D_tt = rho (1 - k t t^T), D_tn = -rho pull e, E_tt = k t t^T - rho e s^T
    x, y, k = x / size, y / size, limit / size
    pull = (mu if L[0] > 0.0 else 0.0) + slopes[2]
    along = (x * L[1] + y * L[2] - limit + pull * value[0]) / (1.0 + SOFT)
    across = (x * L[2] - y * L[1]) / (1.0 - k + SOFT)
    value[1], value[2] = along * x - across * y, along * y + across * x
    pull, turn = pull * own[0, 0] / (1.0 + SOFT), k / (rho * (1.0 - k + SOFT))
    r, s = slopes[0] / (1.0 + SOFT), slopes[1] / (1.0 + SOFT)
    own[1, 0], own[1, 1], own[1, 2] = pull * x, turn * y * y - r * x, -turn * x * y - s * x
    own[2, 0], own[2, 1], own[2, 2] = pull * y, -turn * x * y - r * y, turn * x * x - s * y


@kernel(fastmath=True)
def _gather(g: Graph, i: int, m: int) -> None:
    """Add G^T D^-1 E J and -G^T D^-1 F of a contact to the equations of the dofs."""
    rows, first, size = 3 if g.slides[i] else 1, g.first[i], g.size[i]
    J, G, A, where = g.jacobian[i], g.response[i], g.matrix, g.where
    value, own, dofs = g.value, g.own, g.dofs
    for j in range(size):
        row = A[where[dofs[first + j]]]
        for b in range(rows):
            factor = 0.0
            for a in range(rows):
                factor += G[a, j] * own[a, b]
            row[m] -= G[b, j] * value[b]
            if factor != 0.0:
                for k in range(size):
                    row[where[dofs[first + k]]] += factor * J[b, k]


@kernel(fastmath=True)
def _take(g: Graph, i: int) -> None:
    """Move the impulses of a contact with the dofs."""
    rows, first, size = 3 if g.slides[i] else 1, g.first[i], g.size[i]
    J, L, x, dofs = g.jacobian[i], g.impulse[i], g.change, g.dofs
    value, own = g.value, g.own
    for b in range(rows):
        change = 0.0
        for j in range(size):
            change += J[b, j] * x[dofs[first + j]]
        L[b] -= value[b]
        for a in range(rows):
            L[a] -= own[a, b] * change


@kernel(fastmath=True)
def _eliminate(A: Floats, m: int) -> bool:
    """Solve in place for the last column, with row pivots; False if the matrix is singular."""
    for k in range(m):
        pivot = k
        for i in range(k + 1, m):
            if abs(A[i, k]) > abs(A[pivot, k]):
                pivot = i
        if not abs(A[pivot, k]) > 0.0:
            return False
        if pivot != k:
            for j in range(k, m + 1):
                A[k, j], A[pivot, j] = A[pivot, j], A[k, j]
        for i in range(k + 1, m):
            factor = A[i, k] / A[k, k]
            if factor != 0.0:
                for j in range(k + 1, m + 1):
                    A[i, j] -= factor * A[k, j]
    for k in range(m - 1, -1, -1):
        total = A[k, m]
        for j in range(k + 1, m):
            total -= A[k, j] * A[j, m]
        A[k, m] = total / A[k, k]
    return True
