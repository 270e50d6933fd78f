"""Modes followed along a parameter, through crossings and veering.

Left and right vectors of one quadratic problem are orthogonal in the product

    O_ij = y_i^H ((z_i + z_j) M + D + G) x_j = delta_ij .

Between two neighbouring parameter values O tells which mode has become which: the product
O_ij O'_ji, with the roles of the two points exchanged in O', does not depend on the scaling of the
vectors, is near one for the same mode and near zero for different ones.

A step is halved where no partner is clear, and where frequencies change their order: only small
steps tell a crossing, which modes pass with their shapes, from veering, where they turn away and
exchange their shapes. Veering narrower than the smallest step counts as a crossing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from fecontact.analysis.stability.operating_point import AnyBranch, Linearised
from fecontact.errors import renamed, renamed_keywords, warning_once
from fecontact.solvers.threads import one_thread
from fecontact.typing import Complexes, Floats, Integers

__all__ = ["Tracks", "follow", "likeness", "track_modes"]

CLEAR = 0.6
"""Likeness above which a partner is clear."""

HALVINGS = 12
"""Halvings of a step before the best partners are taken as they are: at a double eigenvalue there
is no clear one."""

SAME = 1e-6
"""Fraction of a frequency below which two frequencies have no order: modes that have met."""

NEAR = 1e-3
"""Difference of eigenvalues, relative to their size, below which the vectors of two modes may turn
into each other freely."""


@renamed(numbers="indices")
@renamed_keywords(numbers="indices")
@dataclass(frozen=True)
class Tracks:
    """Modes over a parameter.

    Attributes
    ----------
    values : (n,)
        Parameter values.
    eigenvalues : (n, k)
        z in 1/s of the modes in the order of the first value. Two real modes that become a complex
        pair both go on as this pair.
    indices : (n, k)
        Index of the mode at each value.
    valid_to : (n,)
        Frequency in Hz up to which all bodies are valid at each value.
    """

    values: Floats
    eigenvalues: Complexes
    indices: Integers
    valid_to: Floats

    def plot(
        self,
        parameter: str = "parameter",
        highest: float = np.inf,
        path: str | Path | None = None,
    ) -> Any:
        """Matplotlib figure of frequencies and growth rates up to `highest` Hz.

        Written as PNG if `path` is given.
        """
        from fecontact.view.plots import saved
        from fecontact.view.stability import tracks_plot

        return saved(tracks_plot(self, parameter, highest), path)

    def plot_campbell(
        self,
        orders: Sequence[float] = (1.0,),
        highest: float = np.inf,
        path: str | Path | None = None,
    ) -> Any:
        """Campbell diagram as a matplotlib figure: frequencies over the speed in rad/s.

        With lines of engine orders. Written as PNG if `path` is given.
        """
        from fecontact.view.plots import saved
        from fecontact.view.stability import campbell_plot

        return saved(campbell_plot(self, orders, highest), path)

    @property
    def valid(self) -> npt.NDArray[np.bool_]:
        """Whether (n, k) a mode is within the validity of all bodies."""
        return np.asarray(self.frequency <= self.valid_to[:, None])

    @property
    def growth(self) -> Floats:
        """Growth rates (n, k) in 1/s."""
        return self.eigenvalues.real

    @property
    def frequency(self) -> Floats:
        """Frequencies (n, k) in Hz."""
        return self.eigenvalues.imag / (2.0 * np.pi)


def likeness(a: Linearised, b: Linearised) -> Floats:
    """Likeness (modes of a, modes of b) in the product of left and right vectors, 0 to 1."""
    forward, backward = _overlap(a, b), _overlap(b, a)
    product = np.abs(forward * backward.T)
    return np.where(np.isfinite(product), np.minimum(product, 1.0), 0.0)


def _overlap(a: Linearised, b: Linearised) -> Complexes:
    """Left vectors of a with right vectors of b, in the matrices of a."""
    y, x = a.modes.left.conj().T, b.modes.amplitudes
    mass = y @ (a.model.mass @ x)
    sums = a.modes.eigenvalues[:, None] + b.modes.eigenvalues
    return np.asarray(sums * mass + y @ (a.model.by_rate @ x))


def follow(branch: AnyBranch, start: float, end: float, modes: Integers) -> Integers:
    """Indices at `end` of modes given by their indices at `start`, in steps as small as needed."""
    return _follow(branch, float(start), float(end), np.asarray(modes, dtype=np.int64), HALVINGS)


def _follow(
    branch: AnyBranch, start: float, end: float, modes: Integers, halvings: int
) -> Integers:
    if start == end:
        return modes
    a, b = branch.at(start), branch.at(end)
    score = likeness(a, b)
    partner = np.argmax(score, axis=1)
    rows, columns = linear_sum_assignment(-_nearness(score, a, b))
    partner[rows] = columns
    clear = bool(np.all(score[modes, partner[modes]] > CLEAR))
    if halvings and not (clear and _in_order(a, b, modes, partner)):
        middle = 0.5 * (start + end)
        half = _follow(branch, start, middle, modes, halvings - 1)
        return _follow(branch, middle, end, half, halvings - 1)
    return partner[modes]


def _in_order(a: Linearised, b: Linearised, modes: Integers, partner: Integers) -> bool:
    """Whether the frequencies of the modes keep their order among all others."""
    before = a.modes.frequency[modes, None] - a.modes.frequency
    after = b.modes.frequency[partner[modes], None] - b.modes.frequency[partner]
    equal = SAME * np.maximum(a.modes.frequency, b.modes.frequency[partner])
    apart = (np.abs(before) > equal) & (np.abs(after) > equal)
    return not np.any(apart & (before * after < 0.0))


def _nearness(score: Floats, a: Linearised, b: Linearised) -> Floats:
    """Likeness, with the distance of the eigenvalues to decide among equals."""
    z, w = a.modes.eigenvalues[:, None], b.modes.eigenvalues
    distance = np.abs(z - w) / (np.abs(z) + np.abs(w) + 1e-300)
    return score + NEAR * (1.0 - distance)


@warning_once()
def track_modes(
    branch: AnyBranch, values: Sequence[float] | Floats, modes: Sequence[int] | None = None
) -> Tracks:
    """Follow modes along parameter values.

    Parameters
    ----------
    branch
        The operating points.
    values
        Parameter values in the order of tracking; steps between them are halved where needed.
    modes
        Numbers at the first value; by default all that lie in the band there.
    """
    with one_thread():
        return _tracked(branch, np.asarray(values, dtype=float), modes)


def _tracked(branch: AnyBranch, values: Floats, modes: Sequence[int] | None) -> Tracks:
    first = branch.at(values[0]).modes
    current = np.flatnonzero(first.in_band) if modes is None else np.asarray(modes, dtype=np.int64)
    numbers = [current]
    for start, end in pairwise(values):
        current = follow(branch, start, end, current)
        numbers.append(current)
    table = np.array(numbers)
    z = np.array(
        [branch.at(value).modes.eigenvalues[row] for value, row in zip(values, table, strict=True)]
    )
    valid_to = np.array([branch.at(value).modes.scope.valid_to for value in values])
    return Tracks(values, z, table, valid_to)
