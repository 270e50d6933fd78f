"""Parameter studies: one steady state and its complex modes per value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from fecontact.analysis.equilibrium import steady_state
from fecontact.analysis.linearise import linearise
from fecontact.analysis.stability import ComplexModes, complex_modes
from fecontact.errors import InputError, SolverError
from fecontact.store.progress import track
from fecontact.system import System
from fecontact.typing import Floats

__all__ = ["Sweep", "sweep"]


@dataclass(frozen=True)
class Sweep:
    """Complex modes over one parameter.

    Attributes
    ----------
    values : (n,)
        Parameter values.
    modes
        Modes at each value, None where there is no steady state.
    failures
        Index -> reason.
    """

    values: Floats
    modes: Sequence[ComplexModes | None]
    failures: dict[int, str]

    @property
    def growth(self) -> Floats:
        """Largest growth rate at each value, NaN where there is none."""
        return np.array([np.nan if m is None else m.leading_growth for m in self.modes])

    @property
    def frequency(self) -> Floats:
        """Frequency in Hz of the mode with the largest growth rate."""
        return np.array([np.nan if m is None else m.leading_frequency for m in self.modes])

    @property
    def unstable(self) -> list[tuple[float, float]]:
        """Intervals of the parameter with a growing mode, ascending.

        Borders are interpolated linearly between neighbours; values without a steady state are
        passed over.
        """
        known = np.flatnonzero(np.isfinite(self.growth))
        known = known[np.argsort(self.values[known], kind="stable")]
        values, growth = self.values[known], self.growth[known]
        if not np.any(growth > 0.0):
            return []
        change = np.flatnonzero((growth[1:] > 0.0) != (growth[:-1] > 0.0))
        share = growth[change] / (growth[change] - growth[change + 1])
        crossings = values[change] + share * (values[change + 1] - values[change])
        first, last = values[:1][growth[:1] > 0.0], values[-1:][growth[-1:] > 0.0]
        ends = np.concatenate([first, crossings, last]).reshape(-1, 2)
        return [(float(low), float(high)) for low, high in ends]


def sweep(
    build: Callable[[float], System],
    values: Sequence[float] | Floats,
    label: str,
    friction: str = "coulomb",
) -> Sweep:
    """Analyse a system at each parameter value, each steady state started from the last one.

    A value without a steady state is recorded with its reason and the sweep goes on.

    Parameters
    ----------
    build
        Makes the system for a value.
    values
        Parameter values, in an order along which the state changes little.
    label
        Text of the progress bar.
    friction
        As in `linearise`.
    """
    guess: Floats | None = None
    modes: list[ComplexModes | None] = []
    failures: dict[int, str] = {}
    with threadpool_limits(1):  # threads cost more than they give on small dense matrices
        for index, value in enumerate(track(list(values), label)):
            try:
                system = build(float(value))
                steady = steady_state(system, guess)
                model = linearise(steady.system, steady.state, friction)
            except (InputError, SolverError) as error:
                modes.append(None)
                failures[index] = str(error)
                guess = None
                continue
            guess = steady.state.q
            modes.append(complex_modes(model))
    return Sweep(np.asarray(values, dtype=float), modes, failures)
