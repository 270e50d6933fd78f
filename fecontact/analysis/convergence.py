"""Convergence of a quantity with the step or the mesh: its order, and its limit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from fecontact.errors import Allowed, InputError, check
from fecontact.typing import Floats

__all__ = ["extrapolated", "observed_order"]

Number = TypeVar("Number", float, complex, Floats)


def observed_order(errors: Sequence[float] | Floats, ratio: float = 2.0) -> float:
    """Order p with which errors fall, e ~ h^p, from the first to the last of them.

        p = log(e_first/e_last)/log(h_first/h_last)

    Parameters
    ----------
    errors
        Two or more, from the coarsest on.
    ratio
        Of each step h (or mesh width) to the next finer one.

    Examples
    --------
    >>> round(observed_order([0.04, 0.01, 0.0025]), 12)
    2.0
    """
    if len(errors) < 2:
        raise InputError(f"invalid errors, {len(errors)} of them: expected two or more")
    check("ratio", ratio, Allowed("> 1", lambda r: r > 1.0))
    steps = (len(errors) - 1) * np.log(ratio)
    return float(np.log(errors[0] / errors[-1]) / steps)


def extrapolated(coarse: Number, fine: Number, order: float = 2.0, ratio: float = 2.0) -> Number:
    """Limit of a quantity from two steps h, by Richardson's extrapolation.

        x = x_fine + (x_fine - x_coarse)/(r^p - 1)

    Parameters
    ----------
    coarse, fine
        Values at the steps h and h/r: numbers or arrays of one shape.
    order, ratio
        p and r.

    Examples
    --------
    >>> round(extrapolated(1.0 + 0.4, 1.0 + 0.1), 12)
    1.0
    """
    return fine + (fine - coarse) / (ratio**order - 1.0)
