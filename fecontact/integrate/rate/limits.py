"""Limits of the methods in continuous time, and what is said where they are passed."""

from __future__ import annotations

from fecontact.errors import SolverError

__all__ = ["LEAST", "MAX_EVALUATIONS", "endless_step", "failed_step"]

MAX_EVALUATIONS = 1000
"""Evaluations in one step; a solver that needs more shortens its step without end."""
LEAST = 1e-30
"""Error of energies in J that is always allowed."""


def failed_step(t: float, message: str) -> SolverError:
    """Error of a solver that cannot go on."""
    return SolverError(f"t = {t:.6g} s: {message} Try a stiff solver ('Radau'), or a larger rtol")


def endless_step(t: float) -> SolverError:
    """Error of a solver that shortens its step without end."""
    return SolverError(
        f"t = {t:.6g} s: no step is accurate enough after {MAX_EVALUATIONS} evaluations: look for "
        "a jump of a force there, try a larger rtol, or method 'implicit'"
    )
