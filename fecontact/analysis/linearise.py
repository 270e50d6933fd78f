"""Linearisation about a state: M y'' + (D + G) y' + (K + N) y = 0."""

from __future__ import annotations

from dataclasses import dataclass

from fecontact.system import State, System
from fecontact.typing import Floats

__all__ = ["LinearModel", "linearise"]


@dataclass(frozen=True)
class LinearModel:
    """Matrices (n, n) of small motions about a state.

    The velocity matrix is split into its symmetric part (damping) and its skew part
    (gyroscopic), the displacement matrix likewise into stiffness and circulatory part.
    """

    mass: Floats
    damping: Floats
    gyroscopic: Floats
    stiffness: Floats
    circulatory: Floats
    bodies: dict[str, slice]


def linearise(system: System, state: State) -> LinearModel:
    """Linearise a system; all non-symmetric terms are kept."""
    df_dq, df_dv = system.tangents(state)
    return LinearModel(
        mass=system.mass_matrix(state.q),
        damping=-0.5 * (df_dv + df_dv.T),
        gyroscopic=-0.5 * (df_dv - df_dv.T),
        stiffness=-0.5 * (df_dq + df_dq.T),
        circulatory=-0.5 * (df_dq - df_dq.T),
        bodies=dict(system.slices),
    )
