"""Newton's method with backtracking, for r(x) = 0 with an exact tangent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from fecontact.errors import SolverError
from fecontact.typing import Floats

__all__ = ["NewtonResult", "newton"]

SHORTEST_STEP = 30
"""Number of halvings of a step before the search is given up."""

ROUND_OFF_TRIES = 3
"""Steps tried where the imbalance may be round-off already."""

CLOSE = 0.1
"""Imbalance, as a fraction of the balancing terms, from which round-off is looked at: an open
contact, which leaves all of a load, has none."""

HALF = 0.5
"""Fall of an imbalance of the size of round-off that is worth a further step."""

ROUND_OFF = 1e-9
"""Imbalance, as a fraction of the balancing terms, that is round-off if it falls no more: stiff and
soft coordinates side by side amplify the unit round-off by the ratio of their stiffnesses."""


@dataclass(frozen=True)
class NewtonResult:
    """Solution with its counters.

    `residual` is relative to the balancing terms, and so is `round_off`: what round-off may leave,
    where the residual could not be brought below the tolerance; 0 elsewhere.
    """

    x: Floats
    residual: float
    iterations: int
    evaluations: int
    round_off: float = 0.0


def newton(
    residual: Callable[[Floats], tuple[Floats, float, float]],
    tangent: Callable[[Floats], Any],
    start: Floats,
    *,
    move: Callable[[Floats, Floats], Floats] = np.add,
    tolerance: float = 1e-11,
    max_iterations: int = 60,
    round_off: Callable[[Floats], float] = lambda _: 0.0,
    solve: Callable[[Any, Floats], Any] = np.linalg.solve,
) -> NewtonResult:
    """Solve r(x) = 0 by x -> move(x, -s J(x)^-1 r(x)).

    The step length s is halved until the norm of the residual falls; the iteration never returns
    an unconverged point.

    Parameters
    ----------
    residual
        r(x), shape (n,); its size, which must fall from step to step; and the size of the terms
        that balance each other in it, measured in the same way.
    tangent
        J = dr/dx, shape (n, n), as `solve` takes it.
    start
        First guess.
    move
        `move(x, step)`: x after a step; addition unless x lies on a manifold.
    tolerance
        Accept when the size of the residual is below this fraction of the balancing terms.
    max_iterations
        Largest number of iterations.
    round_off
        Size of the residual at x that round-off may leave, asked for close to a solution.
    solve
        J^-1 r from J and r; for full matrices by default.

    Examples
    --------
    >>> answer = newton(
    ...     lambda x: (x**2 - 2.0, float(abs(x[0] ** 2 - 2.0)), 2.0),
    ...     lambda x: np.diag(2.0 * x),
    ...     start=np.array([1.0]),
    ... )
    >>> round(float(answer.x[0]), 9)
    1.414213562
    """
    x = np.array(start, dtype=float)
    r, size, scale = residual(x)
    if not np.isfinite(size + scale):
        raise SolverError("the forces at the first guess are not finite: impossible values?")
    evaluations = 1
    for iteration in range(max_iterations):
        if size <= tolerance * scale:
            return NewtonResult(x, size / (scale or 1.0), iteration, evaluations)
        try:
            step = solve(_finite(tangent(x)), r)
        except np.linalg.LinAlgError as error:
            raise SolverError(
                "the tangent is singular: a dof has no stiffness at this state; "
                "support it or start from another guess"
            ) from error
        outside = ""
        noise = round_off(x) if size <= CLOSE * scale else 0.0
        tries = SHORTEST_STEP if size > max(ROUND_OFF * scale, noise) else ROUND_OFF_TRIES
        for length in 0.5 ** np.arange(tries):
            evaluations += 1
            try:
                trial = move(x, -length * step)
                r_trial, size_trial, scale_trial = residual(trial)
            except SolverError as error:  # outside the range of the model: a shorter step
                outside = f" ({error})"
                continue
            falls = size_trial < (size if size > noise else HALF * size)
            if falls or size_trial <= tolerance * scale_trial < np.inf:
                break
        else:
            if size <= max(ROUND_OFF * scale, noise):
                left = max(size, noise) / scale
                return NewtonResult(x, size / scale, iteration, evaluations, left)
            raise SolverError(
                f"no convergence: the imbalance stays at {size / scale:.1e} of the acting "
                f"forces; start from a closer guess, or apply the load in steps{outside}"
            )
        x, r, size, scale = trial, r_trial, size_trial, scale_trial
    raise SolverError(
        f"no convergence in {max_iterations} iterations (imbalance {size / scale:.1e} of the "
        "acting forces); apply the load in steps"
    )


def _finite(tangent: Any) -> Any:
    """Return the tangent, full or sparse, or raise a `SolverError`."""
    sparse = sp.issparse(tangent)
    if not np.isfinite(abs(tangent).sum() if sparse else tangent).all():
        raise SolverError(
            "the derivatives of the forces are not finite at this state: a law or an item of one's "
            "own that divides by zero? In statics a step of a law has h = inf"
        )
    return tangent
