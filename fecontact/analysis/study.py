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
        """Intervals of the parameter with a growing mode, borders by linear interpolation."""
        growth, values = self.growth, self.values
        up = growth > 0.0
        edges = []
        for i in np.flatnonzero(up[1:] != up[:-1]):
            a, b = growth[i], growth[i + 1]
            share = a / (a - b) if np.isfinite(a - b) else 0.5
            edges.append(float(values[i] + share * (values[i + 1] - values[i])))
        if up[0]:
            edges.insert(0, float(values[0]))
        if up[-1]:
            edges.append(float(values[-1]))
        return list(zip(edges[::2], edges[1::2], strict=True))


def sweep(build: Callable[[float], System], values: Sequence[float] | Floats, label: str) -> Sweep:
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
    """
    guess: Floats | None = None
    modes: list[ComplexModes | None] = []
    failures: dict[int, str] = {}
    with threadpool_limits(1):  # threads cost more than they give on small dense matrices
        for index, value in enumerate(track(list(values), label)):
            try:
                system = build(float(value))
                steady = steady_state(system, guess)
            except (InputError, SolverError) as error:
                modes.append(None)
                failures[index] = str(error)
                guess = None
                continue
            guess = steady.state.q
            modes.append(complex_modes(linearise(system, steady.state)))
    return Sweep(np.asarray(values, dtype=float), modes, failures)
