"""Energy audit of a result: its lines, and what they leave over."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from fecontact.typing import Floats

__all__ = ["LINES", "left_over", "unaccounted", "warning_of"]

LINES = (
    "kinetic", "strain", "potential", "contact",
    "slip", "damping", "supplied", "numerical", "residual",
)  # fmt: skip
"""Lines of the audit in J: stored energies, then sums since the start of the motion."""

MUCH = 0.01
"""Fraction of the exchanged energy from which a motion says what is left over."""
ROUND_OFF = 1e-10
"""What is left below this fraction of the largest energy is round-off."""
LEFT, INERTIAL = ("numerical", "residual"), ("kinetic", "strain")


def left_over(energies: Mapping[str, Floats]) -> Floats:
    """Energy (k,) in J that the lines of a motion leave over: |numerical| + |residual|."""
    return np.asarray(sum(np.abs(energies[name]) for name in LEFT))


def unaccounted(energies: Mapping[str, Floats]) -> float:
    """Largest |numerical| + |residual| of the lines of a motion, over the exchanged energy.

    Exchanged is the largest range of any other line: what was stored and released again,
    dissipated or supplied; a rotor that only goes on turning does not count. Where nothing else
    moves than kinetic and strain energy, as in free tumbling, it is the largest kinetic energy.

    Examples
    --------
    A body of 1 J comes to rest by slip, and 1 mJ is lost.

    >>> lines = {name: np.zeros(2) for name in LINES}
    >>> lines["kinetic"], lines["slip"] = np.array([1.0, 0.0]), np.array([0.0, 0.999])
    >>> lines["numerical"] = np.array([0.0, 1e-3])
    >>> unaccounted(lines)
    0.001
    """
    left = float(np.max(left_over(energies)))
    ranges = {name: float(np.ptp(line)) for name, line in energies.items() if name not in LEFT}
    if left <= ROUND_OFF * max(float(np.abs(line).max()) for line in energies.values()):
        return 0.0
    if max(size for name, size in ranges.items() if name not in INERTIAL) > left:
        return left / max(ranges.values())
    whole = float(energies["kinetic"].max())
    return left / whole if whole != 0.0 else np.inf


def warning_of(energies: Mapping[str, Floats]) -> str:
    """Sentence for the user if the audit leaves more than a hundredth, else empty."""
    if any(np.isnan(line).any() for line in energies.values()):  # a method without an audit
        return ""
    left = unaccounted(energies)
    if left <= MUCH:
        return ""
    return (
        f"the energy audit leaves {100.0 * left:.2g} % of the exchanged energy (numerical and "
        "residual): the motion is coarse, try a smaller step (or rtol, with error control)"
    )
