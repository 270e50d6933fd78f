"""Evaluation of the points of a stability map: growth rate and frequency, no more.

A point costs one system, one steady state from a neighbour's, one linearisation and one LAPACK
call for eigenvalues. Whether forces change with time is asked at the first point of a tile only:
all points have the same items.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from fecontact.analysis.equilibrium import SteadyState, balanced, steady_state
from fecontact.analysis.linearise import linearise
from fecontact.errors import InputError, SolverError
from fecontact.solvers.quadratic import quadratic_eigenvalues
from fecontact.system import System
from fecontact.typing import Floats

__all__ = ["MapPoint", "evaluate_points"]

ROUND_OFF = 1e-9
"""Share of |z| below which real or imaginary part is round-off."""


@dataclass(frozen=True)
class MapPoint:
    """Stability at one point of a map.

    Attributes
    ----------
    growth
        Largest growth rate in 1/s, NaN if the point failed.
    frequency
        Frequency in Hz of that mode.
    q
        Coordinates of the steady state, empty if the point failed.
    failure
        Reason, empty if there is none.
    """

    growth: float
    frequency: float
    q: Floats
    failure: str = ""

    @property
    def label(self) -> str:
        """Return "stable", "flutter", "divergence" or "failed"."""
        if self.failure:
            return "failed"
        if self.growth <= 0.0:
            return "stable"
        return "flutter" if self.frequency > 0.0 else "divergence"


def evaluate_points(
    build: Callable[[float, float], System],
    places: Sequence[tuple[float, float]],
    guesses: Sequence[Floats | None],
) -> list[MapPoint]:
    """Evaluate points in turn; one without a guess starts from the point before it.

    A point without a steady state, or with impossible parameters, is recorded with its reason.
    """
    found: list[MapPoint] = []
    last: Floats | None = None
    checked = False
    with threadpool_limits(1):  # threads cost more than they give on small dense matrices
        for (x, y), guess in zip(places, guesses, strict=True):
            start = last if guess is None else guess
            try:
                point = _evaluate(build(x, y), start, check_time=not checked)
                checked, last = True, point.q
            except (InputError, SolverError) as error:
                point = MapPoint(np.nan, np.nan, np.zeros(0), str(error))
            found.append(point)
    return found


def _evaluate(system: System, guess: Floats | None, check_time: bool) -> MapPoint:
    try:
        steady = _steady(system, guess, check_time)
    except SolverError:
        if guess is None:
            raise
        steady = _steady(system, None, check_time)  # the neighbour may lie on another branch
    model = linearise(steady.system, steady.state)
    z = quadratic_eigenvalues(model.mass, model.by_rate, model.by_position)
    lead = z[np.argmax(z.real)]
    growth, omega = (
        float(part) if abs(part) > ROUND_OFF * abs(lead) else 0.0
        for part in (lead.real, abs(lead.imag))
    )
    return MapPoint(growth, omega / (2.0 * np.pi), steady.state.q)


def _steady(system: System, guess: Floats | None, check_time: bool) -> SteadyState:
    return steady_state(system, guess) if check_time else balanced(system, guess, 0.0)
