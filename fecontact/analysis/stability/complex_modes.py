"""Complex modes of a linearised system: growth rate, frequency, participation, verdict.

(z^2 M + z (D + G) + K + N) x = 0,      growth rate Re z,   frequency Im z / 2 pi

All modes are kept. The verdict, stable or not and which mode leads, is that of the modes in the
band of the model (`analysis.stability.scope`); modes that grow outside it are in `beyond`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import scipy.linalg as la

from fecontact.analysis.stability.linearise import FrictionStates, LinearModel
from fecontact.analysis.stability.scope import Band, Mask, Scope, fastest, grows
from fecontact.errors import InputError, check_kind, warn_caller
from fecontact.solvers.quadratic import Eigenpairs, left_and_right, quadratic_eigenpairs
from fecontact.solvers.threads import small_on_one_thread
from fecontact.typing import Complexes, Floats, Integers

__all__ = ["ComplexModes", "complex_modes"]


@dataclass(frozen=True, repr=False)
class ComplexModes:
    """Modes with Im z >= 0, sorted by frequency.

    Printed, they say their verdict.

    Attributes
    ----------
    eigenvalues : (k,)
        z in 1/s.
    vectors : (n, k)
        Right vectors of unit modal mass, in the dofs of the system.
    participation
        Body name -> fraction (k,) of the mode's kinetic energy x^H M x; their sum is one.
    amplitudes, left : (a, k)
        Right and left vectors in the amplitudes of the linear model, which are the dofs if
        there are no constraints; left ones scaled as in `solvers.quadratic.Eigenpairs`.
    slip : (s, k)
        Elastic slip of the modes, if it is kept as internal variables.
    scope
        Load of the contacts, validity of the bodies, band of the verdict.
    """

    eigenvalues: Complexes
    vectors: Complexes
    participation: dict[str, Floats]
    amplitudes: Complexes
    left: Complexes
    slip: Complexes | None = None
    scope: Scope = field(default_factory=Scope)

    def plot(
        self, highest: float | None = None, label: str = "modes", path: str | Path | None = None
    ) -> Any:
        """Matplotlib figure of growth rate over frequency up to `highest` Hz, by default of all.

        Written as PNG if `path` is given.
        """
        from fecontact.view.plots import growth_over_frequency, saved

        top = float(self.frequency.max(initial=0.0)) if highest is None else highest
        return saved(growth_over_frequency({label: self}, top), path)

    @property
    def growth(self) -> Floats:
        """Growth rates in 1/s; positive means unstable."""
        return self.eigenvalues.real

    @property
    def frequency(self) -> Floats:
        """Frequencies in Hz."""
        return self.eigenvalues.imag / (2.0 * np.pi)

    @cached_property
    def grows(self) -> Mask:
        """Which modes (k,) grow: Re z > 1e-9 |z|, less is round-off."""
        return grows(self.eigenvalues)

    @cached_property
    def in_band(self) -> Mask:
        """Which modes (k,) the verdict is about."""
        return self.scope.inside(self.frequency)

    @cached_property
    def valid(self) -> Mask:
        """Which modes (k,) are within the validity of all elastic bodies."""
        return self.scope.valid(self.frequency)

    @property
    def beyond(self) -> Integers:
        """Indices of the modes that grow outside the band, the fastest first."""
        found = np.flatnonzero(self.grows & ~self.in_band)
        return found[np.argsort(-self.growth[found], kind="stable")]

    @property
    def stable(self) -> bool:
        """True if no mode in the band grows; see `beyond` for the others."""
        return not self.grows[self.leading]

    @property
    def leading(self) -> int:
        """Number of the mode in the band that grows fastest (or decays slowest)."""
        if not self.in_band.any():
            raise InputError(
                f"no verdict: no mode lies in the band {self.scope.words}; give a wider band"
            )
        return fastest(self.eigenvalues, self.in_band)

    @property
    def leading_growth(self) -> float:
        """Largest growth rate in 1/s in the band."""
        return float(self.growth[self.leading])

    @property
    def leading_frequency(self) -> float:
        """Frequency in Hz of the mode in the band with the largest growth rate."""
        return float(self.frequency[self.leading])

    def within(self, band: Band) -> ComplexModes:
        """The same modes with a verdict in another band in Hz."""
        return replace(self, scope=self.scope.within(band))

    @property
    def verdict(self) -> str:
        """Stable or not, in one sentence; first, if so, that no contact carries load."""
        span, lead = self.scope.words, self.leading
        words = [
            self.scope.without_load,
            f"{'stable' if self.stable else 'unstable'}{span and ' '}{span}, "
            f"{self.growth[lead]:+.4g} 1/s at {self.frequency[lead]:.5g} Hz",
            "" if self.valid[lead] else "beyond the validity of the bodies",
            self.growing_beyond,
        ]
        return "; ".join(word for word in words if word)

    @property
    def growing_beyond(self) -> str:
        """Sentence on the modes that grow outside the band; empty if none does."""
        if not len(self.beyond):
            return ""
        first, count = self.beyond[0], len(self.beyond)
        return (
            f"outside the band {count} mode{'s grow' if count > 1 else ' grows'}, up to "
            f"{self.growth[first]:+.4g} 1/s at {self.frequency[first]:.5g} Hz"
        )

    def __repr__(self) -> str:
        try:
            return f"{len(self.eigenvalues)} modes: {self.verdict}"
        except InputError as error:
            return f"{len(self.eigenvalues)} modes: {error}"


@small_on_one_thread
def complex_modes(model: LinearModel) -> ComplexModes:
    """All modes of a linearised system; of each complex pair the one with Im z > 0.

    With friction as internal variables there are also modes of pure relaxation of the bristles.
    There is a warning if no contact carries load: such modes say nothing of friction; and if modes
    grow outside a band that follows from the validity of the bodies.

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
    check_kind("model", model, LinearModel, "as linearise(system, state) gives it")
    slip: Complexes | None = None
    if model.friction is None:
        found = quadratic_eigenpairs(model.mass, model.by_rate, model.by_position)
    else:
        found, slip = _with_slip(model, model.friction)
    kept = np.flatnonzero(found.z.imag >= 0.0)
    kept = kept[np.lexsort((found.z[kept].real, found.z[kept].imag))]
    y = found.right[:, kept]
    X = model.dofs(y)
    fraction = {
        name: np.einsum("ij,ij->j", X[part].conj(), model.body_mass(name) @ X[part]).real
        for name, part in model.bodies.items()
    }
    slip = None if slip is None else slip[:, kept]
    modes = ComplexModes(found.z[kept], X, fraction, y, found.left[:, kept], slip, model.scope)
    _warn(modes)
    return modes


def _warn(modes: ComplexModes) -> None:
    """Say what a verdict leaves out."""
    scope = modes.scope
    scope.warn_unloaded()
    if scope.band is None and np.any(modes.grows & (modes.frequency > scope.valid_to)):
        warn_caller(f"modes grow outside the band {scope.words}: see modes.beyond, or give a band")


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
