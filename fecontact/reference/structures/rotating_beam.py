"""Rotating cantilever: exact frequencies by power series (Wright, Smith, Thresher and Wang 1982).

    EI w'''' - Omega^2 (N w')' = m (omega^2 + s Omega^2) w,    N = m ((L^2 - x^2)/2 + R (L - x))

x is measured from the clamped end at the hub radius R. s = 0: motion along the axis of rotation
(flap); s = 1: motion in the plane of rotation (lag), which the centrifugal force softens.
"""

from __future__ import annotations

import numpy as np

from fecontact.errors import NON_NEGATIVE, at_least, check, one_of
from fecontact.reference.structures.roots import ascending_roots
from fecontact.typing import Floats

__all__ = ["WRIGHT_1982", "rotating_cantilever_frequencies"]

TERMS = 140
WRIGHT_1982 = {
    0: (3.5160, 22.0345, 61.6972),
    1: (3.6817, 22.1810, 61.8418),
    2: (4.1373, 22.6149, 62.2732),
    3: (4.7973, 23.3203, 62.9850),
    4: (5.5850, 24.2734, 63.9668),
    5: (6.4495, 25.4461, 65.2050),
    6: (7.3604, 26.8091, 66.6839),
    8: (9.2568, 29.9954, 70.2930),
    10: (11.2023, 33.6404, 74.6493),
    12: (13.1702, 37.6031, 79.6145),
}
"""Speed -> three flap frequencies, printed by Wright et al. 1982; units sqrt(EI/m)/L^2, R = 0."""


def rotating_cantilever_frequencies(
    speed: float, count: int = 1, *, hub_radius: float = 0.0, motion: str = "flap"
) -> Floats:
    """Lowest frequencies omega L^2 sqrt(m/EI) of a rotating uniform cantilever.

    Parameters
    ----------
    speed
        Omega L^2 sqrt(m/EI), without unit; the series is accurate up to about 20.
    count
        Number of frequencies.
    hub_radius
        R/L.
    motion
        "flap" or "lag".

    Examples
    --------
    >>> rotating_cantilever_frequencies(0.0, 2).round(4).tolist()
    [3.516, 22.0345]
    """
    check("speed", speed, NON_NEGATIVE)
    check("count", count, at_least(1))
    check("hub_radius", hub_radius, NON_NEGATIVE)
    check("motion", motion, one_of(("flap", "lag")))
    softening = speed**2 if motion == "lag" else 0.0
    roots = ascending_roots(
        lambda b: _tip_determinant(b**4 + softening, speed, hub_radius),
        count,
        start=0.3,
        step=0.05,
    )
    return roots**2


def _tip_determinant(square: Floats, speed: float, hub: float) -> Floats:
    """Determinant of w''(1) = w'''(1) = 0 for the two functions with w(0) = w'(0) = 0."""
    c = np.zeros((TERMS + 4, 2, len(square)))
    c[2, 0] = c[3, 1] = 1.0
    for j in range(TERMS):
        tension = (0.5 + hub) * (j + 2) * (j + 1) * c[j + 2]
        tension = tension - hub * (j + 1) ** 2 * c[j + 1] - 0.5 * j * (j + 1) * c[j]
        factor = (j + 4) * (j + 3) * (j + 2) * (j + 1)
        c[j + 4] = (speed**2 * tension + square * c[j]) / factor
    k = np.arange(TERMS + 4.0)
    moment = np.einsum("k,kfn->fn", k * (k - 1.0), c)
    force = np.einsum("k,kfn->fn", k * (k - 1.0) * (k - 2.0), c)
    return moment[0] * force[1] - moment[1] * force[0]
