"""Complex modes of a linearised system: growth rate, frequency, participation.

(z^2 M + z (D + G) + K + N) x = 0,      growth rate Re z,   frequency Im z / 2 pi
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.analysis.linearise import LinearModel
from fecontact.solvers.eigen import quadratic_eigenpairs
from fecontact.typing import Complexes, Floats

__all__ = ["ComplexModes", "complex_modes"]


@dataclass(frozen=True)
class ComplexModes:
    """Modes with Im z >= 0, sorted by frequency.

    Attributes
    ----------
    eigenvalues : (k,)
        z in 1/s.
    vectors : (n, k)
        Right vectors of unit modal mass, in the freedoms of the system.
    participation
        Body name -> share (k,) of the mode's kinetic energy x^H M x; the shares add up to one.
    """

    eigenvalues: Complexes
    vectors: Complexes
    participation: dict[str, Floats]

    @property
    def growth(self) -> Floats:
        """Growth rates in 1/s; positive means unstable."""
        return self.eigenvalues.real

    @property
    def frequency(self) -> Floats:
        """Frequencies in Hz."""
        return self.eigenvalues.imag / (2.0 * np.pi)

    @property
    def stable(self) -> bool:
        """True if no mode grows."""
        return bool(np.all(self.growth < 0.0))

    @property
    def leading(self) -> int:
        """Number of the mode that grows fastest (or decays slowest)."""
        return int(np.argmax(self.growth))

    @property
    def leading_growth(self) -> float:
        """Largest growth rate in 1/s."""
        return float(self.growth[self.leading])

    @property
    def leading_frequency(self) -> float:
        """Frequency in Hz of the mode with the largest growth rate."""
        return float(self.frequency[self.leading])


def complex_modes(model: LinearModel) -> ComplexModes:
    """All modes of a linearised system; of each complex pair the one with Im z > 0.

    Examples
    --------
    A single oscillator with frequency 1 Hz and 1 % damping:

    >>> one = np.eye(1)
    >>> omega = 2 * np.pi
    >>> model = LinearModel(one, 0.02 * omega * one, 0 * one, omega**2 * one, 0 * one,
    ...                     {"mass": slice(0, 1)})
    >>> modes = complex_modes(model)
    >>> round(float(modes.growth[0]), 6), round(float(modes.frequency[0]), 6)
    (-0.062832, 0.99995)
    """
    z, X = quadratic_eigenpairs(
        model.mass, model.damping + model.gyroscopic, model.stiffness + model.circulatory
    )
    kept = np.flatnonzero(z.imag >= 0.0)
    kept = kept[np.lexsort((z[kept].real, z[kept].imag))]
    z, X = z[kept], model.freedoms(X[:, kept])
    share = {
        name: np.einsum("ij,ij->j", X[part].conj(), model.body_mass(name) @ X[part]).real
        for name, part in model.bodies.items()
    }
    return ComplexModes(z, X, share)
