"""Compiled loops over contacts: sweeps, residual and equations of their prox form.

W, b, L as in `solvers.complementarity.ContactProblem`; residuals are velocities in m/s.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = ["ContactRows", "disc", "equations", "into_cones", "residual", "sweep"]


class ContactRows(NamedTuple):
    """Rows of the contacts (c,), their friction coefficients and least normal impulses.

    As in `solvers.complementarity.ContactProblem`: normal row and first tangent row, -1 for none.
    """

    normal: Integers
    tangent: Integers
    friction: Floats
    floor: Floats


@kernel
def sweep(
    W: Floats, b: Floats, rows: ContactRows, L: Floats, tolerance: float, sweeps: int,
    fraction: float,
) -> int:  # fmt: skip
    """Gauss-Seidel in place, until no contact changes its velocity by more than the tolerance.

    Each impulse goes a fraction of the way to its prox, or all the way if that is at its end.
    """
    normal, tangent, friction, floor = rows
    for count in range(sweeps):
        worst = 0.0
        for i in range(len(normal)):
            held, k = floor[i], normal[i]
            if k >= 0:
                stiff = W[k, k]
                if stiff > 0.0:
                    new = max(floor[i], L[k] - (b[k] + np.dot(W[k], L)) / stiff)
                    worst = max(worst, abs(new - L[k]) * stiff)
                    L[k] = new if new == floor[i] else L[k] + fraction * (new - L[k])
                held = L[k]
            k = tangent[i]
            if k >= 0:
                rho = _stiffness(W, k)
                x = L[k] - (b[k] + np.dot(W[k], L)) / rho
                y = L[k + 1] - (b[k + 1] + np.dot(W[k + 1], L)) / rho
                x, y = disc(x, y, friction[i] * held)
                worst = max(worst, np.hypot(x - L[k], y - L[k + 1]) * rho)
                part = fraction if held > 0.0 else 1.0
                L[k] += part * (x - L[k])
                L[k + 1] += part * (y - L[k + 1])
        if worst <= tolerance:
            return count + 1
    return sweeps


@kernel
def residual(W: Floats, u: Floats, rows: ContactRows, L: Floats) -> float:
    """Largest change that a prox of all contacts at once would make, at the velocities u."""
    (normal, tangent, friction, floor), worst = rows, 0.0
    for i in range(len(normal)):
        held, k = floor[i], normal[i]
        if k >= 0:
            stiff = W[k, k]
            if stiff > 0.0:
                worst = max(worst, abs(max(floor[i], L[k] - u[k] / stiff) - L[k]) * stiff)
            else:
                worst = max(worst, -u[k])
            held = L[k]
        k = tangent[i]
        if k >= 0:
            rho = _stiffness(W, k)
            x, y = L[k] - u[k] / rho, L[k + 1] - u[k + 1] / rho
            x, y = disc(x, y, friction[i] * held)
            worst = max(worst, np.hypot(x - L[k], y - L[k + 1]) * rho)
    return worst


@kernel
def equations(
    W: Floats, u: Floats, rows: ContactRows, L: Floats, slopes: Floats
) -> tuple[Floats, Floats]:
    """Prox equations F(L) = 0 (r,) as velocities, and their derivative (r, r).

    Rows of no contact carry nothing. `slopes` (c, 3): derivatives of the friction limit by the two
    slip velocities, and by the normal impulse at a fixed coefficient.
    """
    (normal, tangent, friction, floor), r, largest = rows, len(L), np.abs(W).max()
    by = (largest if largest > 0.0 else 1.0) * np.eye(r)
    value = by @ L
    for i in range(len(normal)):
        held, n = floor[i], normal[i]
        if n >= 0:
            stiff = W[n, n] if W[n, n] > 0.0 else 1.0
            if L[n] - u[n] / stiff > floor[i]:
                value[n] = u[n]
                by[n] = W[n]
            else:
                value[n] = stiff * (L[n] - floor[i])
                by[n] = stiff * _unit(r, n)
            held = max(L[n], 0.0)
        k = tangent[i]
        if k >= 0:
            rho = _stiffness(W, k)
            x, y = L[k] - u[k] / rho, L[k + 1] - u[k + 1] / rho
            size, limit = np.hypot(x, y), friction[i] * held
            if size <= limit:
                value[k], value[k + 1] = u[k], u[k + 1]
                by[k], by[k + 1] = W[k], W[k + 1]
                continue
            x, y = x / size, y / size
            value[k], value[k + 1] = rho * (L[k] - limit * x), rho * (L[k + 1] - limit * y)
            # the direction turns along (-y, x)
            first, second = rho * _unit(r, k), rho * _unit(r, k + 1)
            turn = limit / size * (y * (first - W[k]) - x * (second - W[k + 1]))
            by[k], by[k + 1] = first - y * turn, second + x * turn
            if n >= 0 and L[n] > 0.0:
                by[k, n] -= rho * friction[i] * x
                by[k + 1, n] -= rho * friction[i] * y
            if np.any(slopes[i] != 0.0):
                faster = rho * (slopes[i, 0] * W[k] + slopes[i, 1] * W[k + 1])
                if n >= 0:
                    faster[n] += rho * slopes[i, 2]
                by[k] -= x * faster
                by[k + 1] -= y * faster
    return value, by


@kernel
def into_cones(rows: ContactRows, L: Floats) -> None:
    """Put impulses back into their cones, in place; Newton's method leaves them by round-off."""
    normal, tangent, friction, floor = rows
    for i in range(len(normal)):
        held, k = floor[i], normal[i]
        if k >= 0:
            held = L[k] = max(floor[i], L[k])
        k = tangent[i]
        if k >= 0:
            L[k], L[k + 1] = disc(L[k], L[k + 1], friction[i] * held)


@kernel
def disc(x: float, y: float, limit: float) -> tuple[float, float]:
    """Nearest point of a disc."""
    size = np.hypot(x, y)
    if size > limit:
        return x * limit / size, y * limit / size
    return x, y


@kernel
def _unit(size: int, k: int) -> Floats:
    result = np.zeros(size)
    result[k] = 1.0
    return result


@kernel
def _stiffness(W: Floats, k: int) -> float:
    """Largest eigenvalue of the symmetric part of a tangential block; 1 if nothing can move."""
    mean, half = 0.5 * (W[k, k] + W[k + 1, k + 1]), 0.5 * (W[k, k] - W[k + 1, k + 1])
    largest = mean + np.hypot(half, 0.5 * (W[k, k + 1] + W[k + 1, k]))
    return largest if largest > 0.0 else 1.0
