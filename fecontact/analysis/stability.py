"""Complex modes of a linearised system: growth rate, frequency, participation.

(z^2 M + z (D + G) + K + N) x = 0,      growth rate Re z,   frequency Im z / 2 pi
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg as la

from fecontact.analysis.linearise import FrictionStates, LinearModel
from fecontact.solvers.quadratic import Eigenpairs, left_and_right, quadratic_eigenpairs
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
    amplitudes, left : (a, k)
        Right and left vectors in the amplitudes of the linear model, which are the freedoms if
        there are no constraints; left ones scaled as in `solvers.quadratic.Eigenpairs`.
    slip : (s, k)
        Elastic slip of the modes, if it is kept as internal variables.
    """

    eigenvalues: Complexes
    vectors: Complexes
    participation: dict[str, Floats]
    amplitudes: Complexes
    left: Complexes
    slip: Complexes | None = None

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

    With friction as internal variables there are also modes of pure relaxation of the bristles.

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
    slip: Complexes | None = None
    if model.friction is None:
        found = quadratic_eigenpairs(model.mass, model.by_rate, model.by_position)
    else:
        found, slip = _with_slip(model, model.friction)
    kept = np.flatnonzero(found.z.imag >= 0.0)
    kept = kept[np.lexsort((found.z[kept].real, found.z[kept].imag))]
    y = found.right[:, kept]
    X = model.freedoms(y)
    share = {
        name: np.einsum("ij,ij->j", X[part].conj(), model.body_mass(name) @ X[part]).real
        for name, part in model.bodies.items()
    }
    slip = None if slip is None else slip[:, kept]
    return ComplexModes(found.z[kept], X, share, y, found.left[:, kept], slip)


def _with_slip(model: LinearModel, friction: FrictionStates) -> tuple[Eigenpairs, Complexes]:
    """Modes of the first-order form in y, y'/rate and the elastic slip."""
    L = la.cholesky(model.mass, lower=True)

    def scaled(part: Floats) -> Floats:
        """Return L^-1 part."""
        return np.asarray(la.solve_triangular(L, part, lower=True))

    K, D = (scaled(scaled(part).T).T for part in (model.by_position, model.by_rate))
    by_position, by_rate = (scaled(part.T).T for part in (friction.by_position, friction.by_rate))
    force = scaled(friction.force)
    k, s = len(K), len(friction.by_slip)
    rate = float(np.sqrt(np.linalg.norm(K))) or 1.0
    A = np.zeros((2 * k + s, 2 * k + s))
    A[:k, k : 2 * k] = np.eye(k)
    A[k : 2 * k] = np.hstack([-K / rate**2, -D / rate, force / rate**2])
    A[2 * k :] = np.hstack([by_position / rate, by_rate, friction.by_slip / rate])
    z, left, right = left_and_right(A)
    # unit modal mass; a mode of the bristles alone keeps the length of its whole vector
    size = np.linalg.norm(right[:k], axis=0)
    size = np.where(size > 1e-12, size, 1.0)
    slope = np.einsum("ij,ij->j", left.conj(), right) / size * rate
    slope = np.where(np.abs(slope) > 0.0, slope, 1.0)
    X: Any = la.solve_triangular(L.T, right[:k] / size)
    Y: Any = la.solve_triangular(L.T, left[k : 2 * k])
    return Eigenpairs(z * rate, X, Y / slope.conj()), right[2 * k :] / size
