"""Evaluation of the points of a stability map: growth rate and frequency, no more.

A point costs one system, one steady state from a neighbour's, one linearisation and one LAPACK
call for eigenvalues. Whether forces change with time, and whether bodies are strained much, is
asked at the first point of a tile only: all points have the same items. Where something moves on,
what it reaches depends on the parameters: there every point is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from fecontact.analysis.stability.linearise import linearised
from fecontact.analysis.stability.operating_point import OperatingPoint
from fecontact.analysis.stability.scope import LEAST_GROWTH, Band, Scope, fastest, grows
from fecontact.analysis.steady.equilibrium import SteadyState, steady_near
from fecontact.errors import InputError, SolverError, warn_caller
from fecontact.solvers.quadratic import quadratic_eigenvalues
from fecontact.solvers.threads import one_thread
from fecontact.system import System
from fecontact.system.variants.family import Family
from fecontact.typing import Complexes, Floats

__all__ = ["MapPoint", "evaluate_points"]

NAN = float("nan")


@dataclass(frozen=True)
class MapPoint:
    """Stability at one point of a map.

    Attributes
    ----------
    growth
        Largest growth rate in the band in 1/s, NaN if the point failed.
    frequency
        Frequency in Hz of that mode.
    q
        Coordinates of the steady state, empty if the point failed.
    failure
        Reason, empty if there is none.
    beyond, beyond_frequency
        Largest growth rate in 1/s outside the band, and its frequency in Hz; NaN if none grows.
    valid_to
        Frequency in Hz up to which all bodies are valid.
    """

    growth: float
    frequency: float
    q: Floats
    failure: str = ""
    beyond: float = NAN
    beyond_frequency: float = NAN
    valid_to: float = np.inf

    @property
    def label(self) -> str:
        """Return "stable", "flutter", "divergence" or "failed"."""
        if self.failure:
            return "failed"
        if self.growth <= 0.0:
            return "stable"
        return "flutter" if self.frequency > 0.0 else "divergence"


def evaluate_points(
    build: Callable[[float, float], System | OperatingPoint],
    values: Sequence[tuple[float, float]],
    guesses: Sequence[Floats | None],
    band: Band | None = None,
    unloaded: bool = False,
) -> list[MapPoint]:
    """Evaluate points in turn; one without a guess starts from the point before it.

    A point without a steady state, with impossible parameters, or at which no contact carries load
    unless `unloaded`, is recorded with its reason. Where an operating point is built it is judged
    as it is.
    """
    found: list[MapPoint] = []
    last: Floats | None = None
    checked, family = False, Family(lambda system: system)
    with one_thread():
        for (x, y), guess in zip(values, guesses, strict=True):
            start = last if guess is None else guess
            try:
                made = build(x, y)
                if isinstance(made, OperatingPoint):
                    scope, q = made.model.scope, made.steady.state.q
                    scope, z = scope.within(band), made.modes.eigenvalues
                else:
                    steady = _found(family(made), start, check_time=not checked)
                    checked, q = True, steady.state.q
                    small, _, scope = linearised(steady.system, steady.state, "coulomb", band)
                    z = quadratic_eigenvalues(small.mass, small.by_rate, small.by_position)
                if not unloaded:
                    scope.check_loaded()
                point = _judged(z, scope, q)
                last = point.q
            except (InputError, SolverError) as error:
                point = MapPoint(NAN, NAN, np.zeros(0), str(error))
            found.append(point)
    return found


def _found(system: System, guess: Floats | None, check_time: bool) -> SteadyState:
    """Steady state near a guess, or, as the neighbour may lie on another branch, without it."""
    try:
        found = steady_near(system, guess, check_time)
    except SolverError:
        if guess is None:
            raise
        found = steady_near(system, None, check_time)
    for text in found.advice if check_time else found.deep:
        warn_caller(text)
    return found


def _judged(z: Complexes, scope: Scope, q: Floats) -> MapPoint:
    """Verdict in the band, as `ComplexModes` gives it, from eigenvalues alone."""
    z = z[z.imag >= 0.0]
    inside, growing = scope.inside(z.imag / (2.0 * np.pi)), grows(z)
    if not inside.any():
        raise InputError(f"no mode lies in the band {scope.words}")
    first = fastest(z, inside)
    lead = z[first]
    growth = lead.real if growing[first] else min(lead.real, 0.0)
    frequency = lead.imag if lead.imag > LEAST_GROWTH * abs(lead) else 0.0
    outside = growing & ~inside
    other = z[fastest(z, outside)] if outside.any() else complex(NAN, NAN)
    return MapPoint(
        growth=float(growth),
        frequency=float(frequency) / (2.0 * np.pi),
        q=q,
        beyond=float(other.real),
        beyond_frequency=float(other.imag) / (2.0 * np.pi),
        valid_to=scope.valid_to,
    )
