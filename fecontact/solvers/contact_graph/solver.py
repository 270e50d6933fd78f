"""Impulses of a contact graph: sweeps, Newton steps and coefficients in turn.

The same order of sweeps and tries as in `solvers.complementarity`, which finds what is not found
here: with Lemke's method, or with words that say what is wrong.
"""

from __future__ import annotations

import numpy as np

from fecontact.kernels.decorators import kernel
from fecontact.solvers._contact_kernels import disc
from fecontact.solvers.complementarity import DIVERGED, FIRST, NEWTON, NOISE, ROUNDS, STALLED
from fecontact.solvers.contact_graph.friction import (
    coefficients,
    first_coefficients,
    forget,
    next_coefficients,
    status_changed,
)
from fecontact.solvers.contact_graph.newton import newton_step, touch
from fecontact.solvers.contact_graph.problem import (
    Graph,
    copied,
    into_cones,
    size_of,
    velocities,
    violation,
)
from fecontact.typing import Integers

__all__ = ["FAILED", "solve", "solve_curves", "sweep"]

FAILED = -1.0
"""Residual of a problem that is not solved."""


@kernel(fastmath=True)
def solve(g: Graph, count: int, tolerance: float, limit: int, sweeps: Integers) -> float:
    """Impulses of the chosen contacts, from those of the graph, with its coefficients.

    Parameters
    ----------
    g, count
        Contacts, and how many are chosen.
    tolerance
        Residual, relative to the velocities; at most `NOISE` in m/s is asked for.
    limit
        Limit of the sweeps.
    sweeps : (1,)
        Grows by the sweeps.

    Returns
    -------
    Residual relative to the velocities, 0 if it is below `NOISE`; `FAILED` if it is too large. The
    velocities u are those of the impulses.
    """
    size = size_of(g, count)
    aim = max(tolerance * size, NOISE)
    left = _solved(g, count, aim, size, limit, sweeps)
    if not left <= aim:
        return FAILED
    return left / size if left > NOISE else 0.0


@kernel(fastmath=True)
def solve_curves(
    g: Graph, count: int, theta: float, tolerance: float, limit: int, sweeps: Integers
) -> float:  # fmt: skip
    """As `solve`, with coefficients over speed and pressure, and static ones of what sticks.

    Coefficients are those of the mean slip, with the weight theta of its end. For each choice of
    the contacts that have their static one: impulses with the last coefficients, and coefficients
    of the last impulses, in turn.
    """
    size = size_of(g, count)
    aim = max(tolerance * size, NOISE)
    chosen, last = g.chosen, g.last
    friction, slopes = g.friction, g.slopes
    first_coefficients(g, count)
    forget(g, count)
    for _ in range(ROUNDS + 2 * count):
        for k in range(count):
            i = chosen[k]
            last[i] = friction[i]
            slopes[i, 0] = slopes[i, 1] = slopes[i, 2] = 0.0
        _solved(g, count, aim, size, limit, sweeps)
        coefficients(g, count, theta)
        left = violation(g, count)
        if not left <= aim:
            left = _newton(g, count, aim, size, theta, True)
        if left <= aim:
            if not status_changed(g, count, 2.0 * aim):
                return left / size if left > NOISE else 0.0
            forget(g, count)
            coefficients(g, count, theta)
        else:
            copied(g, count, g.best, g.impulse)
            velocities(g, count)
            coefficients(g, count, theta)
            next_coefficients(g, count)
    return FAILED


@kernel(fastmath=True)
def _solved(g: Graph, count: int, aim: float, size: float, limit: int, sweeps: Integers) -> float:
    """Sweeps and Newton steps in turn, until the residual in m/s is small enough; returns it.

    The impulses are the best ones, those in `best`.
    """
    done, each, fraction = 0, min(limit, FIRST), 1.0
    velocities(g, count)
    least = violation(g, count)
    copied(g, count, g.impulse, g.best)
    while True:
        done += sweep(g, count, 0.3 * aim, each, fraction)
        velocities(g, count)
        left = violation(g, count)
        if aim < left < DIVERGED * size:
            left = _newton(g, count, aim, size, 1.0, False)
        if left < least:
            copied(g, count, g.impulse, g.best)
            least = left
        else:
            fraction *= 0.5
            copied(g, count, g.best, g.impulse)
            velocities(g, count)
        if least <= aim or done >= limit or least != least:
            sweeps[0] += done
            return least
        each = min(4 * each, limit - done)


@kernel(fastmath=True)
def _newton(g: Graph, count: int, aim: float, size: float, theta: float, moving: bool) -> float:
    """Newton's method; takes the best impulses, with their velocities, and returns their residual.

    Coefficients follow the velocities if they are `moving`.
    """
    m = touch(g, count)
    least, stalled = violation(g, count), 0
    if m > len(g.matrix):
        return least
    copied(g, count, g.impulse, g.good)
    for _ in range(NEWTON):
        if not newton_step(g, count, m):
            break
        into_cones(g, count)
        velocities(g, count)
        if moving:
            coefficients(g, count, theta)
        left = violation(g, count)
        if not left < DIVERGED * size:
            break
        stalled = 0 if left < least else stalled + 1
        if left < least:
            copied(g, count, g.impulse, g.good)
            least = left
        if least <= aim or stalled > STALLED:
            break
    copied(g, count, g.good, g.impulse)
    velocities(g, count)
    if moving:
        coefficients(g, count, theta)
    return least


@kernel(fastmath=True)
def sweep(g: Graph, count: int, aim: float, sweeps: int, fraction: float) -> int:
    """Gauss-Seidel, until no contact changes its velocity by more than the aim.

    Each impulse goes a fraction of the way to its prox, or all the way if that is at its end.
    """
    jacobian, response, block = g.jacobian, g.response, g.block
    chosen, first, size = g.chosen, g.first, g.size
    slides, dofs, change = g.slides, g.dofs, g.change
    impulse, b, floors = g.impulse, g.free, g.floor
    friction, stiffness = g.friction, g.rho
    for number in range(sweeps):
        worst = 0.0
        for k in range(count):
            i = chosen[k]
            J, G, W, L = jacobian[i], response[i], block[i], impulse[i]
            at, width, floor, normal = first[i], size[i], floors[i], 0.0
            u, v, w = b[i, 0], b[i, 1], b[i, 2]
            if slides[i]:
                for j in range(width):
                    x = change[dofs[at + j]]
                    u, v, w = u + J[0, j] * x, v + J[1, j] * x, w + J[2, j] * x
            else:
                for j in range(width):
                    u += J[0, j] * change[dofs[at + j]]
            if W[0, 0] > 0.0:
                new = max(floor, L[0] - u / W[0, 0])
                worst = max(worst, abs(new - L[0]) * W[0, 0])
                normal = (1.0 if new == floor else fraction) * (new - L[0])
                L[0] = new if new == floor else L[0] + normal
            if not slides[i]:
                for j in range(width):
                    change[dofs[at + j]] += G[0, j] * normal
                continue
            rho = stiffness[i]
            x, y = L[1] - (v + W[1, 0] * normal) / rho, L[2] - (w + W[2, 0] * normal) / rho
            x, y = disc(x, y, friction[i] * L[0])
            worst = max(worst, np.hypot(x - L[1], y - L[2]) * rho)
            part = fraction if L[0] > 0.0 else 1.0
            x, y = part * (x - L[1]), part * (y - L[2])
            L[1] += x
            L[2] += y
            for j in range(width):
                change[dofs[at + j]] += G[0, j] * normal + G[1, j] * x + G[2, j] * y
        if worst <= aim:
            return number + 1
    return sweeps
