"""Impact laws of `integrate.moreau.impact` on a contact graph.

Those of the motion are read and written: restitution e (m,), velocities u (m, 3) before and after
(`hit`), impulses (m, 3) (`struck`), and the change (n,) of the velocities of all dofs.
"""

from __future__ import annotations

from fecontact.integrate.moreau.kernels.motion import SWEEPS, Motion, Options
from fecontact.kernels.decorators import kernel
from fecontact.solvers.contact_graph.problem import Graph, size_of
from fecontact.solvers.contact_graph.solver import FAILED, solve, solve_curves
from fecontact.typing import Floats

__all__ = ["NEWTON", "POISSON", "SEQUENTIAL", "strike"]

NEWTON, POISSON, SEQUENTIAL = range(3)
STAGES = 1000
"""Limit of a sequence of impacts."""


@kernel(fastmath=True)
def strike(m: Motion, g: Graph, options: Options, count: int, curved: bool) -> float:
    """Impulses of all contacts by a law, and the velocities after it.

    Returns the largest residual, or `FAILED`.
    """
    law, u, total, change = options.impact, m.hit, m.struck, m.change
    for k in range(count):
        total[k, 0] = total[k, 1] = total[k, 2] = 0.0
    for i in range(len(change)):
        change[i] = 0.0
    _choose_all(g, count, u)
    if law == SEQUENTIAL:
        worst = _sequence(m, g, options, count, curved)
    else:
        if law == NEWTON:
            _rebound(m, g, count)
        worst = _solved(m, g, options, count, curved)
        if worst != FAILED:
            _take(m, g, count, count)
        if law == POISSON and worst != FAILED:
            found = _expand(m, g, options, count, curved)
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
def _solved(m: Motion, g: Graph, options: Options, count: int, curved: bool) -> float:
    """Impulses of the chosen contacts, from the least ones.

    Friction takes its impulse from the slip after the impact.
    """
    chosen, floor = g.chosen, g.floor
    impulse, sweeps = g.impulse, m.counts[SWEEPS : SWEEPS + 1]
    for k in range(count):
        i = chosen[k]
        impulse[i, 0], impulse[i, 1], impulse[i, 2] = floor[i], 0.0, 0.0
    if curved:
        return solve_curves(g, count, 1.0, options.tolerance, options.sweeps, sweeps)
    return solve(g, count, options.tolerance, options.sweeps, sweeps)


@kernel(fastmath=True)
def _rebound(m: Motion, g: Graph, count: int) -> None:
    """Velocities of Newton's law of the chosen contacts: those that approach come back."""
    chosen, free, e, u = g.chosen, g.free, m.restitution, m.hit
    for k in range(count):
        i = chosen[k]
        for a in range(3):
            free[i, a] = u[i, a]
        free[i, 0] += e[i] * min(u[i, 0], 0.0)


@kernel(fastmath=True)
def _take(m: Motion, g: Graph, hits: int, count: int) -> None:
    """Add the impulses of the chosen contacts, and move the velocities of all."""
    chosen, slides, impulse = g.chosen, g.slides, g.impulse
    first, size, dofs = g.first, g.size, g.dofs
    jacobian, x = g.jacobian, g.change
    u, total, change = m.hit, m.struck, m.change
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
def _expand(m: Motion, g: Graph, options: Options, count: int, curved: bool) -> float:
    """Second phase of Poisson's law: at least the fraction e of the impulses comes back."""
    _choose_all(g, count, m.hit)
    floor, e, total = g.floor, m.restitution, m.struck
    for k in range(count):
        floor[k] = e[k] * total[k, 0]
    found = _solved(m, g, options, count, curved)
    if found != FAILED:
        _take(m, g, count, count)
    return found


@kernel(fastmath=True)
def _sequence(m: Motion, g: Graph, options: Options, count: int, curved: bool) -> float:
    """Newton's law for the approaching contacts alone, again and again until none approaches."""
    slow, worst, chosen, u = options.tolerance * size_of(g, count), 0.0, g.chosen, m.hit
    for _ in range(STAGES):
        hits = 0
        for k in range(count):
            if u[k, 0] < -slow:
                chosen[hits] = k
                hits += 1
        if hits == 0:
            break
        _rebound(m, g, hits)
        found = _solved(m, g, options, hits, curved)
        if found == FAILED:
            return FAILED
        worst = max(worst, found)
        _take(m, g, hits, count)
    return worst
