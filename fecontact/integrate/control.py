"""Size of errors, and the step that follows from it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from fecontact.errors import POSITIVE, at_least, check, one_of
from fecontact.system import State
from fecontact.system.dofs import Dofs
from fecontact.typing import Floats

__all__ = ["Scale", "StepBudget", "check_budget", "check_solver", "step_factor"]

SAFETY, MIN_FACTOR, MAX_FACTOR = 0.9, 0.2, 3.0
SMALLEST = 1e-3
"""Size of a dof that does not move, relative to the largest one."""


class Scale:
    """Sizes of positions and velocities, the largest seen so far."""

    def __init__(self, dofs: Dofs, start: State) -> None:
        self._dofs = dofs
        self.q, self.v = dofs.sizes(start.q), np.abs(start.v)

    def see(self, state: State) -> None:
        """Take one more state into account."""
        self.q = np.maximum(self.q, self._dofs.sizes(state.q))
        self.v = np.maximum(self.v, np.abs(state.v))

    def error(self, dq: Floats, dv: Floats, rtol: float, atol: float) -> float:
        """Largest error of positions (n,) and velocities (n,), 1 at the tolerance."""
        position = np.abs(dq) / (atol + rtol * self.q)
        velocity = np.abs(dv) / (atol + rtol * self.v)
        return float(max(position.max(), velocity.max()))

    def correction(self, step: Floats, path: Floats) -> float:
        """Largest Newton correction (n,) relative to the positions, or to the path of a step."""
        size = np.maximum(self.q, np.abs(path))
        size = np.maximum(size, SMALLEST * size.max())
        return float(np.max(np.abs(step) / np.maximum(size, np.finfo(float).tiny)))


def step_factor(error: float, order: int) -> float:
    """Factor of the next step for a local error of the given order; the aim is an error of 1."""
    if error == 0.0:
        return MAX_FACTOR
    return float(np.clip(SAFETY * error ** (-1.0 / order), MIN_FACTOR, MAX_FACTOR))


@dataclass(frozen=True)
class StepBudget:
    """Option of all methods.

    Parameters
    ----------
    max_steps
        Budget of steps, repeated ones included; None: as many as it takes.
    """

    max_steps: int | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        check_budget(self.max_steps)


def check_solver(
    solver: str, known: Iterable[str], rtol: float, atol: float, step: float | None
) -> None:
    """Raise an `InputError` unless the options of an ODE solver are possible."""
    check("solver", solver, one_of(known))
    check("rtol", rtol, POSITIVE)
    check("atol", atol, POSITIVE)
    if step is not None:
        check("step", step, POSITIVE, "s")


def check_budget(max_steps: int | None) -> None:
    """Raise an `InputError` unless there may be at least one step."""
    if max_steps is not None:
        check("max_steps", max_steps, at_least(1))
