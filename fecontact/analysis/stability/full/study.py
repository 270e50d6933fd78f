"""Growth and frequency of the leading modes over the size of the reduction, against the full model.

Of each density of contact points the steady sliding state is found and linearised in all unknowns;
its modes in the band are complete (`quadratic_modes`). Modes of the reduced models are those whose
vectors have most in common with them in the metric of the mass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fecontact.analysis.stability.full.certificate import Certificate
from fecontact.analysis.stability.full.model import FullSystem
from fecontact.analysis.stability.full.point import FullPoint, Models, full_point, full_system
from fecontact.analysis.stability.operating_point import OperatingPoint, operating_point
from fecontact.analysis.stability.scope import Band
from fecontact.errors import InputError, at_least, check
from fecontact.results.progress import track
from fecontact.solvers.region import QuadraticModes
from fecontact.system import System
from fecontact.typing import Complexes, Floats, Integers, supporting

__all__ = ["ReductionStudy", "reduction_study"]

MARGIN = 0.3
"""Width added to the growth rates of the reduced modes, within which full ones are looked for."""


@dataclass(frozen=True, eq=False)
class ReductionStudy:
    """Leading modes of full and reduced models.

    Printed, it is a table.

    Attributes
    ----------
    modes : (m,)
        Numbers of modes given to the reduction.
    coordinates : (m,)
        Numbers of dofs of the reduced systems.
    points : (p,)
        Numbers of contact points.
    unknowns
        Number of unknowns of the full system.
    full : (p, k)
        Eigenvalues in 1/s of the leading modes of the full model, the fastest growing first.
    reduced : (p, m, k)
        Those of the reduced models.
    estimate : (p, m, k)
        Error estimates of the certificates in 1/s; infinite where one is not certifiable.
    counted : (p, m + 1)
        Modes in the band of the reduced models, and of the full one.
    """

    modes: Integers
    coordinates: Integers
    points: Integers
    unknowns: int
    full: Complexes
    reduced: Complexes
    estimate: Floats
    counted: Integers

    def plot(self, path: str | Path | None = None) -> Any:
        """Matplotlib figure of the errors over the number of coordinates."""
        from fecontact.view.plots import saved
        from fecontact.view.reduction import reduction_study_plot

        return saved(reduction_study_plot(self), path)

    def __str__(self) -> str:
        head = "points  modes  coordinates  frequency/Hz  growth/(1/s)  |error|/(1/s)  estimate"
        lines = [head]
        for p, points in enumerate(self.points):
            for k, z in enumerate(self.full[p]):
                lines.append(_row(points, "all", self.unknowns, z, ""))
                for m, count in enumerate(self.modes):
                    own, estimate = self.reduced[p, m, k], self.estimate[p, m, k]
                    words = f"{abs(own - z):13.3g}  {estimate:8.3g}"
                    lines.append(_row(points, count, self.coordinates[m], own, words))
        return "\n".join(lines)


def _row(points: Any, modes: Any, coordinates: Any, z: complex, words: str) -> str:
    text = f"{points:6d}  {modes!s:>5}  {coordinates:11d}  {z.imag / (2.0 * np.pi):12.6g}  "
    return f"{text}{z.real:+12.5g}  {words}".rstrip()


def reduction_study(
    build: Callable[[int, int], System],
    modes: Sequence[int],
    parts: Sequence[int],
    band: Band,
    *,
    count: int = 3,
    models: Models | None = None,
) -> ReductionStudy:
    """Compare reduced models with the full one over their modes and contact points.

    Parameters
    ----------
    build
        Makes the system for a number of modes and a density of contact points, such as `parts` of
        `elastic_surface`.
    modes, parts
        The values of both; the full state is found from the reduced one with the last of `modes`.
    band
        Lowest and highest frequency in Hz.
    count
        Number of leading modes that are compared.
    models
        As in `full_point`.
    """
    check("count", count, at_least(1))
    if not len(modes) or not len(parts):
        raise InputError("invalid modes or parts: expected at least one number of each")
    shape = len(parts), len(modes), count
    reduced, estimate = np.empty(shape, dtype=complex), np.empty(shape)
    full = np.empty((len(parts), count), dtype=complex)
    counted = np.zeros((len(parts), len(modes) + 1), dtype=np.int64)
    coordinates, points = np.zeros(len(modes), dtype=np.int64), np.zeros(len(parts), dtype=np.int64)
    unknowns = 0
    for p, part in enumerate(track(parts, "contact points")):
        systems = [build(number, part) for number in modes]
        given = True if models is None else models
        found = [operating_point(system, band=band, certify=given) for system in systems]
        whole = full_point(found[-1], models)
        true = _in_band(whole, found[-1], band)
        lead = np.argsort(-true.growth, kind="stable")[:count]
        if len(lead) < count:
            raise InputError(
                f"invalid count = {count}: expected at most {len(lead)}, the modes in the band"
            )
        full[p], counted[p, -1], unknowns = true.z[lead], len(true.z), whole.system.size
        points[p] = sum(len(c.surface.weights) for c in supporting(systems[0].items, "surface"))
        for m, point in enumerate(found):
            coordinates[m], counted[p, m] = point.system.size, int(point.modes.in_band.sum())
            chosen = _same(point, full_system(point.system, models), whole, true.right[:, lead])
            reduced[p, m] = point.modes.eigenvalues[chosen]
            estimate[p, m] = _estimates(point.certificate, chosen)
    return ReductionStudy(
        np.asarray(modes), coordinates, points, unknowns, full, reduced, estimate, counted
    )


def _in_band(whole: FullPoint, point: OperatingPoint, band: Band) -> QuadraticModes:
    """All modes of the full model in the band, about the growth rates of the reduced ones."""
    growth = point.modes.growth[point.modes.in_band]
    low, high = float(growth.min(initial=0.0)), float(growth.max(initial=0.0))
    margin = MARGIN * (high - low) + 1.0
    return whole.modes((low - margin, high + margin), band)


def _same(point: OperatingPoint, own: FullSystem, whole: FullPoint, true: Complexes) -> Integers:
    """Modes of a reduced model that have most in common with those of the full one."""
    X = np.asarray(own.lift @ point.modes.vectors)
    mass = whole.model.mass[: whole.model.size][:, : whole.model.size]
    MX = np.asarray(mass @ X)
    size = np.sqrt(np.einsum("ij,ij->j", X.conj(), MX).real)
    return np.argmax(np.abs(true[: whole.model.size].conj().T @ MX) / size, axis=1)


def _estimates(certificate: Certificate | None, chosen: Integers) -> Floats:
    """Estimates of some modes; infinite outside of the band."""
    assert certificate is not None
    known = dict(zip(certificate.modes.tolist(), certificate.estimate, strict=True))
    return np.array([known.get(mode, np.inf) for mode in chosen.tolist()])
