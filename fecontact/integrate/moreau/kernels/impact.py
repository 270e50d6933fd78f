"""Impact laws of `integrate.moreau.impact` on a contact graph.

Arrays of m closed conditions: restitution e (m,), velocities u (m, 3) before and after, impulses
total (m, 3), and the change (n,) of the velocities of all dofs.
"""

from __future__ import annotations

from fecontact.kernels.decorators import kernel
from fecontact.solvers.contact_graph.problem import Graph, size_of
from fecontact.solvers.contact_graph.solver import FAILED, solve, solve_curves
from fecontact.typing import Floats, Integers

__all__ = ["NEWTON", "POISSON", "SEQUENTIAL", "strike"]

NEWTON, POISSON, SEQUENTIAL = range(3)
STAGES = 1000
"""Limit of a sequence of impacts."""


@kernel(fastmath=True)
def strike(
    law: int, g: Graph, count: int, e: Floats, u: Floats, total: Floats, change: Floats,
    curved: bool, tolerance: float, limit: int, sweeps: Integers,
) -> float:  # fmt: skip
    """Impulses of all contacts by a law, and the velocities after it.

    Returns the largest residual, or `FAILED`.
    """
    for k in range(count):
        total[k, 0] = total[k, 1] = total[k, 2] = 0.0
    for i in range(len(change)):
        change[i] = 0.0
    _choose_all(g, count, u)
    if law == SEQUENTIAL:
        worst = _sequence(g, count, e, u, total, change, curved, tolerance, limit, sweeps)
    else:
        if law == NEWTON:
            _rebound(g, count, e, u)
        worst = _solved(g, count, curved, tolerance, limit, sweeps)
        if worst != FAILED:
            _take(g, count, count, u, total, change)
        if law == POISSON and worst != FAILED:
            found = _expand(g, count, e, u, total, change, curved, tolerance, limit, sweeps)
            worst = FAILED if found == FAILED else max(worst, found)
    _choose_all(g, count, u)
    return worst


@kernel(fastmath=True)
def _choose_all(g: Graph, count: int, u: Floats) -> None:
    """All contacts, with their velocities and without least impulses."""
    chosen, floor, free = g.chosen, g.floor, g.free
    for k in range(count):
        chosen[k], floor[k] = k, 0.0
        for a in range(3):
            free[k, a] = u[k, a]


@kernel(fastmath=True)
def _solved(
    g: Graph, count: int, curved: bool, tolerance: float, limit: int, sweeps: Integers
) -> float:
    """Impulses of the chosen contacts, from the least ones.

    Friction takes its impulse from the slip after the impact.
    """
    chosen, floor = g.chosen, g.floor
    impulse = g.impulse
    for k in range(count):
        i = chosen[k]
        impulse[i, 0], impulse[i, 1], impulse[i, 2] = floor[i], 0.0, 0.0
    if curved:
        return solve_curves(g, count, 1.0, tolerance, limit, sweeps)
    return solve(g, count, tolerance, limit, sweeps)


@kernel(fastmath=True)
def _rebound(g: Graph, count: int, e: Floats, u: Floats) -> None:
    """Velocities of Newton's law of the chosen contacts: those that approach come back."""
    chosen, free = g.chosen, g.free
    for k in range(count):
        i = chosen[k]
        for a in range(3):
            free[i, a] = u[i, a]
        free[i, 0] += e[i] * min(u[i, 0], 0.0)


@kernel(fastmath=True)
def _take(g: Graph, hits: int, count: int, u: Floats, total: Floats, change: Floats) -> None:
    """Add the impulses of the chosen contacts, and move the velocities of all."""
    chosen, slides, impulse = g.chosen, g.slides, g.impulse
    first, size, dofs = g.first, g.size, g.dofs
    jacobian, x = g.jacobian, g.change
    for k in range(hits):
        for a in range(3 if slides[chosen[k]] else 1):
            total[chosen[k], a] += impulse[chosen[k], a]
    for j in range(len(x)):
        change[j] += x[j]
    for i in range(count):
        J = jacobian[i]
        for a in range(3 if slides[i] else 1):
            for j in range(size[i]):
                u[i, a] += J[a, j] * x[dofs[first[i] + j]]


@kernel(fastmath=True)
def _expand(
    g: Graph, count: int, e: Floats, u: Floats, total: Floats, change: Floats, curved: bool,
    tolerance: float, limit: int, sweeps: Integers,
) -> float:  # fmt: skip
    """Second phase of Poisson's law: at least the fraction e of the impulses comes back."""
    _choose_all(g, count, u)
    floor = g.floor
    for k in range(count):
        floor[k] = e[k] * total[k, 0]
    found = _solved(g, count, curved, tolerance, limit, sweeps)
    if found != FAILED:
        _take(g, count, count, u, total, change)
    return found


@kernel(fastmath=True)
def _sequence(
    g: Graph, count: int, e: Floats, u: Floats, total: Floats, change: Floats, curved: bool,
    tolerance: float, limit: int, sweeps: Integers,
) -> float:  # fmt: skip
    """Newton's law for the approaching contacts alone, again and again until none approaches."""
    slow, worst, chosen = tolerance * size_of(g, count), 0.0, g.chosen
    for _ in range(STAGES):
        hits = 0
        for k in range(count):
            if u[k, 0] < -slow:
                chosen[hits] = k
                hits += 1
        if hits == 0:
            break
        _rebound(g, hits, e, u)
        found = _solved(g, hits, curved, tolerance, limit, sweeps)
        if found == FAILED:
            return FAILED
        worst = max(worst, found)
        _take(g, hits, count, u, total, change)
    return worst
