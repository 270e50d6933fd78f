"""Relaxation towards a balance that Newton's method does not reach from the first guess.

Pseudo-time steps of the implicit Euler method for D x' = r(x), of growing length tau,

    (D/tau - J) dx = r ,

start as a small move along the forces and end as Newton's method (Kelley and Keyes 1998, SIAM
Journal on Numerical Analysis 35, 508-523). A tangent may be singular on the way: a body whose
contact is still open falls until it closes.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fecontact.errors import SolverError
from fecontact.typing import Floats

__all__ = ["relaxed"]

GROWTH, CUT = 4.0, 0.25
"""Factors of tau after a step that is taken, and after one that is not."""

WORSE = 1.5
"""Growth of the imbalance up to which a step is taken."""

CLOSE = 1e-6
"""Fraction of the balancing terms from which Newton's method goes on."""

MAX_ITERATIONS = 120
"""Steps, taken or not."""


def relaxed(
    residual: Callable[[Floats], tuple[Floats, float, float]],
    tangent: Callable[[Floats], Floats],
    start: Floats,
    inertia: Callable[[Floats], Floats],
    *,
    move: Callable[[Floats, Floats], Floats] = np.add,
) -> Floats:
    """Return a point close to a balance r(x) = 0, or the best one found.

    Parameters
    ----------
    residual, tangent, start, move
        As for `newton`.
    inertia
        D at x, symmetric and positive definite.

    Examples
    --------
    A weight of 10 N, 1 mm above a spring of 1 MN/m that does not pull:

    >>> def force(x):
    ...     r = np.maximum(-1e6 * x, 0.0) - 10.0
    ...     return r, float(abs(r[0])), 10.0 + float(abs(r[0] + 10.0))
    >>> stiffness = lambda x: np.diag(np.where(x < 0.0, -1e6, 0.0))
    >>> x = relaxed(force, stiffness, np.array([1e-3]), lambda x: np.eye(1))
    >>> print(f"{x[0]:.3e}")
    -1.000e-05
    """
    x, tau = start, 0.0
    r, size, scale = residual(x)
    for _ in range(MAX_ITERATIONS):
        if size <= CLOSE * scale:
            return x
        D, J = inertia(x), tangent(x)
        tau = tau or 1.0 / (np.abs(np.linalg.solve(D, J)).max() or 1e6)
        try:
            trial = move(x, np.asarray(np.linalg.solve(D / tau - J, r), dtype=float))
            r_trial, size_trial, scale_trial = residual(trial)
        except (SolverError, np.linalg.LinAlgError):
            tau *= CUT
            continue
        if size_trial <= WORSE * size:
            x, r, size, scale, tau = trial, r_trial, size_trial, scale_trial, GROWTH * tau
        else:
            tau *= CUT
    return x
