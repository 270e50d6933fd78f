"""Contacts at one instant, their velocities, and how far they are from their conditions."""

from __future__ import annotations

import numpy as np

from fecontact.kernels.arrays import Bundle
from fecontact.kernels.decorators import kernel
from fecontact.solvers._contact_kernels import disc
from fecontact.typing import Floats, Integers

__all__ = ["MAX_DOFS", "Graph", "copied", "empty_graph", "into_cones", "set_blocks", "size_of",
           "velocities", "violation"]  # fmt: skip

MAX_DOFS = 150
"""Dofs up to which Newton's method is tried; the cost of its steps grows with their cube."""


class Graph(Bundle):
    """Arrays of a problem, with room for c contacts.

    Attributes
    ----------
    jacobian, response : (c, 3, k)
        J and G of normal and tangents.
    first, size : (c,), dofs
        Where the dofs of a contact begin in `dofs`, and their number.
    slides : (c,)
        1: it has friction; 0: the normal is its only row.
    block : (c, 3, 3), rho : (c,)
        Velocities of a contact per its own impulses, and the largest eigenvalue of the tangents.
    free : (c, 3)
        Velocities b without impulses.
    friction, floor : (c,)
        Coefficients, and least normal impulses.
    slopes : (c, 3)
        Derivatives of the friction limit by the slip velocities, and by the normal impulse at a
        fixed coefficient.
    impulse, velocity : (c, 3)
        Impulses L, and velocities u with them.
    change : (n,)
        Change x of the velocities of all dofs by the impulses.
    chosen : (c,)
        Contacts of the problem, in the order of the sweeps; the first `count` of them count.
    best, good : (c, 3)
        Best impulses of sweeps and of Newton steps.
    matrix : (d, d + 1), where, touched : (n,), value : (3,), own : (3, 3)
        Equations of a Newton step over d dofs, dofs and their numbers there, and the linearised
        conditions of a contact (`contact_graph.newton`).
    law, place : (c,), parameters
        Address of the friction law's function, `CONSTANT` if there is none, and where its numbers
        begin; it takes speed, pressure and whether the contact sticks to the coefficient and its
        derivatives by speed and pressure.
    constants : (c,)
        Coefficients that are constant.
    per_impulse : (c,)
        Pressure per normal impulse; 0 at an impact, which has none.
    before : (c, 2)
        Slip velocities at the start.
    sticks, static, broken : (c,)
        1: the contact sticks at the start; it has its static coefficient; it has broken away.
    last : (c,)
        Coefficients of the last impulses.
    tried, left : (2, c), side, repeats : (c,)
        As in `CoefficientSearch`.
    point : (3,)
        What a law is given and answers.
    """

    jacobian: Floats
    response: Floats
    first: Integers
    size: Integers
    dofs: Integers
    slides: Integers
    block: Floats
    rho: Floats
    free: Floats
    friction: Floats
    floor: Floats
    slopes: Floats
    impulse: Floats
    velocity: Floats
    change: Floats
    chosen: Integers
    best: Floats
    good: Floats
    matrix: Floats
    where: Integers
    touched: Integers
    value: Floats
    own: Floats
    law: Integers
    place: Integers
    parameters: Floats
    constants: Floats
    per_impulse: Floats
    before: Floats
    sticks: Integers
    static: Integers
    broken: Integers
    last: Floats
    tried: Floats
    left: Floats
    side: Integers
    repeats: Integers
    point: Floats


def empty_graph(contacts: int, width: int, n: int, dofs: Integers, parameters: Floats) -> Graph:
    """Room for contacts with up to `width` dofs each, of a system with n dofs.

    `parameters` are the numbers of all friction laws.
    """
    c, d = contacts, min(n, MAX_DOFS)
    shapes = {
        "jacobian": (c, 3, width), "response": (c, 3, width), "block": (c, 3, 3), "free": (c, 3),
        "friction": (c,), "floor": (c,), "slopes": (c, 3), "impulse": (c, 3), "velocity": (c, 3),
        "change": (n,), "best": (c, 3), "good": (c, 3), "matrix": (d, d + 1), "value": (3,),
        "own": (3, 3), "constants": (c,), "per_impulse": (c,), "before": (c, 2), "last": (c,),
        "tried": (2, c), "left": (2, c), "point": (3,),
    }  # fmt: skip
    lengths = {
        "first": c, "size": c, "slides": c, "chosen": c, "where": n, "touched": n, "law": c,
        "place": c, "sticks": c, "static": c, "broken": c, "side": c, "repeats": c,
    }  # fmt: skip
    graph = Graph(
        dofs=dofs,
        rho=np.ones(c),
        parameters=np.append(parameters, 0.0),
        **{name: np.zeros(shape) for name, shape in shapes.items()},
        **{name: np.zeros(length, dtype=np.int64) for name, length in lengths.items()},
    )
    graph.chosen[:] = np.arange(c)
    return graph


@kernel(fastmath=True)
def set_blocks(g: Graph, count: int) -> None:
    """Blocks of the first contacts, from their rows and responses."""
    jacobian, response, block = g.jacobian, g.response, g.block
    size, slides, rho = g.size, g.slides, g.rho
    for i in range(count):
        rows = 3 if slides[i] else 1
        J, G, W = jacobian[i], response[i], block[i]
        for a in range(rows):
            for b in range(rows):
                total = 0.0
                for k in range(size[i]):
                    total += J[a, k] * G[b, k]
                W[a, b] = total
        if rows == 3:
            mean, half = 0.5 * (W[1, 1] + W[2, 2]), 0.5 * (W[1, 1] - W[2, 2])
            largest = mean + np.hypot(half, 0.5 * (W[1, 2] + W[2, 1]))
            rho[i] = largest if largest > 0.0 else 1.0


@kernel(fastmath=True)
def size_of(g: Graph, count: int) -> float:
    """Size of the velocities, to which residuals relate."""
    chosen, slides, floors = g.chosen, g.slides, g.floor
    free, block = g.free, g.block
    speed = stiff = floor = 0.0
    for k in range(count):
        i = chosen[k]
        rows = 3 if slides[i] else 1
        floor = max(floor, abs(floors[i]))
        for a in range(rows):
            speed = max(speed, abs(free[i, a]))
            for b in range(rows):
                stiff = max(stiff, abs(block[i, a, b]))
    return speed + stiff * floor


@kernel(fastmath=True)
def velocities(g: Graph, count: int) -> None:
    """Changes x of the dofs by all impulses, and the velocities u of the contacts."""
    jacobian, response, dofs = g.jacobian, g.response, g.dofs
    chosen, first, size = g.chosen, g.first, g.size
    slides, impulse, x = g.slides, g.impulse, g.change
    u, b = g.velocity, g.free
    for j in range(len(x)):
        x[j] = 0.0
    for k in range(count):
        i = chosen[k]
        rows, G, at = 3 if slides[i] else 1, response[i], first[i]
        for j in range(size[i]):
            total = 0.0
            for a in range(rows):
                total += G[a, j] * impulse[i, a]
            x[dofs[at + j]] += total
    for k in range(count):
        i = chosen[k]
        J, at = jacobian[i], first[i]
        for a in range(3 if slides[i] else 1):
            total = b[i, a]
            for j in range(size[i]):
                total += J[a, j] * x[dofs[at + j]]
            u[i, a] = total


@kernel(fastmath=True)
def violation(g: Graph, count: int) -> float:
    """Largest change in m/s that a prox of all contacts at once would make, at velocities u."""
    chosen, slides, impulse = g.chosen, g.slides, g.impulse
    velocity, block, floor = g.velocity, g.block, g.floor
    stiffness, friction = g.rho, g.friction
    worst = 0.0
    for k in range(count):
        i = chosen[k]
        L, u, stiff = impulse[i], velocity[i], block[i, 0, 0]
        if stiff > 0.0:
            worst = _larger(worst, abs(max(floor[i], L[0] - u[0] / stiff) - L[0]) * stiff)
        else:
            worst = _larger(worst, -u[0])
        if slides[i]:
            rho = stiffness[i]
            x, y = disc(L[1] - u[1] / rho, L[2] - u[2] / rho, friction[i] * L[0])
            worst = _larger(worst, np.hypot(x - L[1], y - L[2]) * rho)
    return worst


@kernel(fastmath=True)
def into_cones(g: Graph, count: int) -> None:
    """Put impulses back into their cones; Newton's method leaves them by round-off."""
    chosen, slides, impulse = g.chosen, g.slides, g.impulse
    floor, friction = g.floor, g.friction
    for k in range(count):
        i = chosen[k]
        L = impulse[i]
        L[0] = max(floor[i], L[0])
        if slides[i]:
            L[1], L[2] = disc(L[1], L[2], friction[i] * L[0])


@kernel(fastmath=True)
def copied(g: Graph, count: int, given: Floats, taken: Floats) -> None:
    """Copy impulses (c, 3) of the contacts of the problem from one array to another."""
    for k in range(count):
        i = g.chosen[k]
        for a in range(3):
            taken[i, a] = given[i, a]


@kernel(fastmath=True)
def _larger(a: float, b: float) -> float:
    """The larger number; what is none is larger than all."""
    return b if (b > a or b != b) else a
