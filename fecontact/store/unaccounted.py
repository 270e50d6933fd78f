"""What the energy audit of a motion leaves over, as a number, and as a sentence if it is much."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from fecontact.store.energy import LINES
from fecontact.typing import Floats

__all__ = ["unaccounted", "warning_of"]

MUCH = 0.01
"""Share of the exchanged energy from which a motion says what is left over."""
LEFT = ("numerical", "residual")


def unaccounted(energies: Mapping[str, Floats]) -> float:
    """Largest |numerical| + |residual| of the lines of a motion, over the exchanged energy.

    Exchanged is the largest kinetic energy or the largest range of any other line: what was stored
    and released again, dissipated or supplied.

    Examples
    --------
    A body of 1 J comes to rest by slip, and 1 mJ is lost.

    >>> lines = {name: np.zeros(2) for name in LINES}
    >>> lines["kinetic"], lines["slip"] = np.array([1.0, 0.0]), np.array([0.0, 0.999])
    >>> lines["numerical"] = np.array([0.0, 1e-3])
    >>> unaccounted(lines)
    0.001
    """
    left = sum(np.abs(energies[name]) for name in LEFT)
    ranges = [float(np.ptp(energies[name])) for name in LINES if name not in LEFT]
    return float(np.max(left) / max(energies["kinetic"].max(), *ranges))


def warning_of(energies: Mapping[str, Floats]) -> str:
    """Sentence for the user if the audit leaves more than a hundredth, else empty."""
    with np.errstate(invalid="ignore", divide="ignore"):
        left = unaccounted(energies)
    if not left > MUCH:  # also without an audit, or without any energy
        return ""
    return (
        f"the energy audit leaves {100.0 * left:.2g} % of the exchanged energy (numerical and "
        "residual): the motion is coarse, try a smaller step or rtol"
    )
