"""Balance of power of a mode: which item, and which of its terms, feeds the growth.

For y exp(z t) with z = sigma + i omega the equation of motion, multiplied by (z y)^H, gives

    sigma (|z|^2 m + s) = -|z|^2 d - omega n,      m = y^H M y,   d + i g = y^H (D + G) y,
                                                   s + i n = y^H (K + N) y .

On the left is the growth of kinetic and potential energy. Damping d and circulatory forces n are
sums over all terms of all items, so each term has its part of the growth rate,

    sigma_j = -(|z|^2 d_j + omega n_j)/(|z|^2 m + s),       sum sigma_j = sigma .

Gyroscopic and conservative forces feed nothing. Elastic slip zeta of contacts, kept as internal
variables, adds Re(z* y^H F_z zeta)/(|z|^2 m + s). A real eigenvalue (divergence) is fed by negative
stiffness out of the potential energy: there the kinetic energy alone is balanced,

    sigma_j = -(d_j + s_j/z)/m .
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fecontact.analysis.stability.complex_modes import ComplexModes
from fecontact.analysis.stability.contributions import Contribution
from fecontact.analysis.stability.linearise import LinearModel
from fecontact.errors import renamed, renamed_keywords
from fecontact.typing import Floats

__all__ = ["PowerBalance", "PowerTerm", "power_balance"]

REAL = 1e-9
"""Share of |z| below which the imaginary part of an eigenvalue is round-off."""


@dataclass(frozen=True)
class PowerTerm:
    """Part of a growth rate, in 1/s, that a term of an item feeds (positive) or takes.

    Attributes
    ----------
    item, term
        Names as in `Contribution`.
    damping, circulatory
        Through velocities and through displacements (elastic slip among them).
    potential
        Energy s_j / 2 that the term stores, in the units of `PowerBalance.potential`.
    """

    item: str
    term: str
    damping: float
    circulatory: float
    potential: float = 0.0

    @property
    def total(self) -> float:
        """Contribution to the growth rate in 1/s."""
        return self.damping + self.circulatory

    @property
    def label(self) -> str:
        """Item and term in one text."""
        return f"{self.item}, {self.term}" if self.term else self.item


@renamed(shares="terms")
@renamed_keywords(shares="terms")
@dataclass(frozen=True)
class PowerBalance:
    """Why a mode grows or decays.

    Attributes
    ----------
    eigenvalue
        z in 1/s.
    terms
        By term, the largest source first.
    kinetic, potential
        Energies m |z|^2 / 2 and s / 2 of the mode of unit modal mass, in its own units.
    """

    eigenvalue: complex
    terms: tuple[PowerTerm, ...]
    kinetic: float
    potential: float

    def plot(self, shown: int = 10, path: str | Path | None = None) -> Any:
        """Matplotlib figure of the largest terms as bars; written as PNG if `path` is given."""
        from fecontact.view.plots import saved
        from fecontact.view.stability import power_plot

        return saved(power_plot(self, shown), path)

    @property
    def growth(self) -> float:
        """Growth rate in 1/s."""
        return self.eigenvalue.real

    @property
    def diverges(self) -> bool:
        """Whether the mode moves away without oscillation."""
        return abs(self.eigenvalue.imag) <= REAL * abs(self.eigenvalue)

    @property
    def error(self) -> float:
        """Difference of growth rate and sum of the terms, relative to the terms.

        Shares below 1e-6 |z| count as that: the eigenvalue itself is known no better.
        """
        total = sum(term.total for term in self.terms)
        size = sum(abs(term.damping) + abs(term.circulatory) for term in self.terms)
        return abs(total - self.growth) / max(
            size, abs(self.growth), 1e-6 * abs(self.eigenvalue), 1e-300
        )

    @property
    def source(self) -> PowerTerm | None:
        """The term that feeds most; None if no term feeds."""
        first = self.terms[0] if self.terms else None
        return first if first is not None and first.total > 0.0 else None

    def by_item(self) -> dict[str, float]:
        """Sum of the terms of each item."""
        return self._summed("total")

    def stored(self) -> dict[str, float]:
        """Potential energy of each item: strain of elastic bodies, bearings, contacts.

        They add up to `potential`. The kinetic energy of the bodies is in
        `ComplexModes.participation`.
        """
        return self._summed("potential")

    def _summed(self, name: str) -> dict[str, float]:
        result: dict[str, float] = {}
        for term in self.terms:
            result[term.item] = result.get(term.item, 0.0) + getattr(term, name)
        return result


def power_balance(
    model: LinearModel, parts: Sequence[Contribution], modes: ComplexModes, mode: int
) -> PowerBalance:
    """Balance the power of one mode.

    Parameters
    ----------
    model
        Linearised system.
    parts
        Its terms, from `contributions`.
    modes, mode
        Its modes and the number of one, such as `modes.leading`.
    """
    z, y = complex(modes.eigenvalues[mode]), modes.amplitudes[:, mode]
    zeta = None if modes.slip is None else modes.slip[:, mode]
    m = float(np.vdot(y, model.mass @ y).real)
    if m < 0.5:  # not of unit modal mass: bristles that relax alone
        return PowerBalance(z, (), 0.0, 0.0)
    forms = np.array([part.forms(model, y) for part in parts])
    d, s, n = forms[:, 0].real, forms[:, 1].real, forms[:, 1].imag
    slip = np.array([part.slip_form(model, y, zeta) for part in parts])
    if abs(z.imag) <= REAL * abs(z):
        damping = -d / m
        circulatory = (slip.real - s) / (z.real * m) if z.real else np.zeros_like(s)
    else:
        energy = abs(z) ** 2 * m + s.sum()
        damping = -(abs(z) ** 2) * d / energy
        circulatory = ((np.conj(z) * slip).real - z.imag * n) / energy
    terms = _sorted(parts, damping, circulatory, 0.5 * s)
    return PowerBalance(z, terms, 0.5 * m * abs(z) ** 2, 0.5 * float(s.sum()))


def _sorted(
    parts: Sequence[Contribution], damping: Floats, circulatory: Floats, potential: Floats
) -> tuple[PowerTerm, ...]:
    terms = [
        PowerTerm(part.item, part.term, float(d), float(n), float(s))
        for part, d, n, s in zip(parts, damping, circulatory, potential, strict=True)
    ]
    return tuple(sorted(terms, key=lambda term: -term.total))
