"""How good is the reduction for the verdict: an error estimate for each eigenvalue.

A reduced eigenvalue z with its vectors, lifted to all unknowns, does not solve the full problem at
the full model's own steady state. The plain two-sided residual

    dz = -y^H Q(z) x / (y^H Q'(z) x)

shows the change of the steady state only: the reduced model is the restriction of the full one,
so what its basis lacks has no part along y. That part is of second order, the product of what x and
y lack. So x and y are corrected with factors of the full Q(z), one for each mode, and the
eigenvalue that belongs to the corrected vectors (`solvers.region.two_sided`) gives the estimate.

An estimate is of use if the eigenvalue is told from its neighbour. Where that is nearer than twice
the estimate, both are taken as a pair, whose mean is well defined where the two are not.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fecontact.analysis.stability.full.linear import SparseModel
from fecontact.errors import SingularError
from fecontact.results.progress import track
from fecontact.solvers.region.shifted import Quadratic, Shifted
from fecontact.solvers.region.two_sided import TwoSided, two_sided
from fecontact.typing import Complexes, Floats, Integers

__all__ = ["STATUS", "Certificate", "certify_modes"]

STATUS = ("certified", "pair", "not certifiable")

MARGIN = 1.2
"""Factor on the distance to the corrected eigenvalue."""

ROUND_OFF = 1e-11
"""Part of |z| that an estimate has at least: round-off of both models."""

NEIGHBOUR = 2.0
"""Estimates within which there must be no neighbour."""

ALIKE = 2.0 / 3.0
"""What corrected vectors must have in common with the given ones."""

RIVAL = 5.0
"""Estimates within which another mode may belong to the same eigenvalue of the full model."""

ONE = 0.1
"""Distance of two corrected eigenvalues, relative to that from the given one, that makes one."""


@dataclass(frozen=True, eq=False)
class Certificate:
    """Error estimates of the modes of a reduced model against the full one.

    Printed, it is a table.

    Attributes
    ----------
    modes : (k,)
        Indices of the modes, those in the band.
    z : (k,)
        Their eigenvalues in 1/s; of a pair the mean.
    corrected : (k,)
        Eigenvalues of the full model that belong to them, of a pair their mean; nan where they are
        not certifiable.
    estimate : (k,)
        Estimate of |z - z_full| in 1/s: of the growth rate, and of 2 pi times the frequency. It
        has the factor 1.2 on the distance to `corrected`. Infinite where it is not certifiable.
    remaining : (k,)
        What may be left in `corrected`, in 1/s.
    status : (k,)
        Index in `STATUS`: certified, pair or not certifiable.
    partner : (k,)
        Mode with which a pair is taken as one, or -1.
    kept
        Elastic bodies that stay reduced, whose error is not in the estimates.
    unknowns
        Number of unknowns of the full model.
    """

    modes: Integers
    z: Complexes
    corrected: Complexes
    estimate: Floats
    remaining: Floats
    status: Integers
    partner: Integers
    kept: tuple[str, ...]
    unknowns: int

    @cached_property
    def refused(self) -> Integers:
        """Indices of the modes that are not certifiable."""
        return self.modes[self.status == 2]

    @property
    def sure(self) -> Any:
        """Which modes (k,) grow or decay in the full model as in the reduced one, for certain."""
        same = np.sign(self.corrected.real) == np.sign(self.z.real)
        return same & (np.abs(self.corrected.real) > self.remaining) & (self.status == 0)

    def plot(self, path: str | Path | None = None) -> Any:
        """Matplotlib figure of growth over frequency with bars of the estimate."""
        from fecontact.view.plots import saved
        from fecontact.view.reduction import certificate_plot

        return saved(certificate_plot(self), path)

    def __str__(self) -> str:
        lines = ["mode  frequency/Hz  growth/(1/s)  estimate/(1/s)  corrected growth  verdict"]
        for i, mode in enumerate(self.modes):
            row = f"{mode:4d}  {self.z[i].imag / (2.0 * np.pi):12.5g}  {self.z[i].real:+12.5g}"
            if self.status[i] == 2:
                lines.append(f"{row}  {'-':>14}  {'-':>16}  not certifiable")
                continue
            words = f"pair with {self.partner[i]}, mean" if self.status[i] == 1 else "certified"
            row += f"  {self.estimate[i]:14.3g}  {self.corrected[i].real:+16.5g}  {words}"
            lines.append(row)
        if self.kept:
            lines.append(f"without the error of {', '.join(self.kept)}, which stay reduced")
        return "\n".join(lines)

    def __repr__(self) -> str:
        count = np.bincount(self.status, minlength=3)
        worst = self.estimate[self.status < 2].max(initial=0.0)
        return (
            f"{len(self.modes)} modes: {count[0]} certified, {count[1]} in pairs, {count[2]} not "
            f"certifiable; estimates up to {worst:.3g} 1/s"
        )


class Reduced(NamedTuple):
    """All modes of the reduced model: eigenvalues (k,), right and left vectors (n, k) of dofs."""

    z: Complexes
    right: Complexes
    left: Complexes


def certify_modes(
    model: SparseModel, reduced: Reduced, chosen: Integers, kept: tuple[str, ...] = ()
) -> Certificate:
    """Estimates for some modes of a reduced model.

    Parameters
    ----------
    model
        The full model at its own steady state.
    reduced
        Modes with Im z >= 0.
    chosen
        Indices of those to be judged.
    kept
        Names of elastic bodies that are not full.
    """
    judge = _Judge(model, reduced)
    count = len(chosen)
    found = Certificate(
        np.asarray(chosen), reduced.z[chosen].copy(), np.full(count, np.nan, dtype=complex),
        np.full(count, np.inf), np.full(count, np.inf), np.full(count, 2), np.full(count, -1),
        kept, model.size,
    )  # fmt: skip
    for i, mode in enumerate(track(chosen.tolist(), "certified modes")):
        verdict = judge.of(mode)
        found.z[i], found.corrected[i] = verdict.z, verdict.corrected
        found.estimate[i], found.remaining[i] = verdict.estimate, verdict.remaining
        found.status[i], found.partner[i] = verdict.status, verdict.partner
    return found


class Verdict(NamedTuple):
    """What is known of one mode; see `Certificate`."""

    z: complex
    corrected: complex
    estimate: float
    remaining: float
    status: int
    partner: int


class _Judge:
    """Corrects modes of a reduced model, each and in pairs; every correction is made once."""

    def __init__(self, model: SparseModel, reduced: Reduced) -> None:
        self.model, self.reduced = model, reduced
        rate = float(np.abs(reduced.z).max(initial=1.0))
        self.problem = Quadratic.of(model.mass, model.by_rate, model.by_position, rate)
        self._known: dict[tuple[int, ...], TwoSided] = {}

    def of(self, mode: int) -> Verdict:
        """One mode, alone or as one of a pair."""
        single = self.corrected((mode,))
        neighbour, distance = self._neighbour((mode,))
        verdict = self._verdict((mode,), single, 0, -1)
        alone = distance > NEIGHBOUR * verdict.estimate and verdict.status == 0
        if alone and not self._claimed(mode, verdict):
            return verdict
        if neighbour < 0:
            return self._refused(mode)
        modes = (min(mode, neighbour), max(mode, neighbour))
        pair = self._verdict(modes, self.corrected(modes), 1, neighbour)
        spread = 0.5 * abs(self.reduced.z[mode] - self.reduced.z[neighbour])
        if pair.status == 1 and self._neighbour(modes)[1] > NEIGHBOUR * pair.estimate + spread:
            return pair
        return self._refused(mode)

    def _claimed(self, mode: int, verdict: Verdict) -> bool:
        """Whether the corrected eigenvalue of a mode is also that of another one nearby."""
        distance = np.abs(self.reduced.z - verdict.z)
        near = np.flatnonzero(distance <= RIVAL * verdict.estimate)
        others = [self.corrected((int(i),)).z[0] for i in near if i != mode]
        apart = ONE * abs(verdict.corrected - verdict.z)
        return any(abs(z - verdict.corrected) <= apart for z in others)

    def corrected(self, modes: tuple[int, ...]) -> TwoSided:
        """Eigenvalues of the full model that belong to one mode or a pair."""
        if modes not in self._known:
            z = self.reduced.z[list(modes)]
            right = np.stack([self.model.right(self.reduced.right[:, i]) for i in modes], axis=1)
            left = np.stack([self.model.left(self.reduced.left[:, i]) for i in modes], axis=1)
            self._known[modes] = two_sided(self._operator(complex(np.mean(z))), z, right, left)
        return self._known[modes]

    def _operator(self, shift: complex) -> Shifted:
        try:
            return Shifted(self.problem, shift)
        except SingularError:
            return Shifted(self.problem, shift * (1.0 + 1e-7))

    def _verdict(
        self, modes: tuple[int, ...], found: TwoSided, status: int, partner: int
    ) -> Verdict:
        z, corrected = (complex(np.mean(v)) for v in (self.reduced.z[list(modes)], found.z))
        least = ROUND_OFF * abs(z)
        estimate = MARGIN * abs(corrected - z) + found.change + least
        alike = found.likeness >= ALIKE
        settled = found.settled or found.change <= 0.1 * abs(corrected - z) + least
        good = alike and settled and np.isfinite(estimate)
        return Verdict(z, corrected, estimate, found.change + least, status if good else 2, partner)

    def _refused(self, mode: int) -> Verdict:
        return Verdict(complex(self.reduced.z[mode]), complex(np.nan), np.inf, np.inf, 2, -1)

    def _neighbour(self, modes: tuple[int, ...]) -> tuple[int, float]:
        """Nearest other mode and its distance; -1 if that is a conjugate."""
        z, all_z = complex(np.mean(self.reduced.z[list(modes)])), self.reduced.z
        distance = np.abs(all_z - z)
        distance[list(modes)] = np.inf
        mirrored = np.where(all_z.imag > 0.0, np.abs(all_z.conj() - z), np.inf)
        nearest = int(np.argmin(distance))
        if mirrored.min(initial=np.inf) < distance[nearest]:
            return -1, float(mirrored.min())
        return nearest, float(distance[nearest])
