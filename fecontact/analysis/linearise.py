"""Linearisation about a state: M y'' + (D + G) y' + (K + N) y = 0.

Constraints are eliminated: y are amplitudes of the motions that they leave, dq = Z y with A Z = 0
and Z^T M Z = I. With W y the velocities by which dq turns the constraints, A W + d(c')/dq Z = 0,

    D + G = -Z^T df/dv Z,      K + N = -Z^T (df/dq + d(A^T lam)/dq) Z - Z^T df/dv W .

The pencil that keeps the multipliers as unknowns is not offered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from fecontact.errors import InputError
from fecontact.system import State, System
from fecontact.system.metric import row_metric
from fecontact.typing import Complexes, Floats

__all__ = ["LinearModel", "linearise"]

Motion = TypeVar("Motion", Floats, Complexes)


@dataclass(frozen=True)
class LinearModel:
    """Matrices (k, k) of small motions about a state.

    The velocity matrix is split into its symmetric part (damping) and its skew part
    (gyroscopic), the displacement matrix likewise into stiffness and circulatory part.

    Attributes
    ----------
    bodies
        Body name -> its part of the n freedoms.
    basis : (n, k)
        Z: motion of the freedoms per amplitude; None without constraints, then k = n.
    freedom_mass : (n, n)
        Mass matrix of the freedoms; None without constraints.
    """

    mass: Floats
    damping: Floats
    gyroscopic: Floats
    stiffness: Floats
    circulatory: Floats
    bodies: dict[str, slice]
    basis: Floats | None = None
    freedom_mass: Floats | None = None

    def freedoms(self, y: Motion) -> Motion:
        """Motion (n, ...) of the freedoms from amplitudes (k, ...)."""
        return y if self.basis is None else self.basis @ y

    def body_mass(self, name: str) -> Floats:
        """Mass matrix of the freedoms of a body."""
        mass = self.mass if self.freedom_mass is None else self.freedom_mass
        return mass[self.bodies[name], self.bodies[name]]


def linearise(system: System, state: State) -> LinearModel:
    """Linearise a system about a steady state; all non-symmetric terms are kept.

    Parameters
    ----------
    system
        The system.
    state
        Without acceleration. If there are constraints, with multipliers and on the constraints,
        as `steady_state` gives it.
    """
    df_dq, df_dv = system.tangents(state)
    mass = system.mass_matrix(state.q)
    if not system.constraints:
        return _model(mass, -df_dv, -df_dq, system)
    _check_constrained(system, state)
    rows = system.constraint(state)
    metric = row_metric(mass, rows.jacobian)
    Z = metric.null_space()
    turned = -metric.step(rows.d_rate() @ Z)
    K = (df_dq + rows.d_load(state.lam)) @ Z + df_dv @ turned
    return _model(Z.T @ mass @ Z, -Z.T @ df_dv @ Z, -Z.T @ K, system, Z, mass)


def _model(
    mass: Floats,
    by_rate: Floats,
    by_position: Floats,
    system: System,
    basis: Floats | None = None,
    freedom_mass: Floats | None = None,
) -> LinearModel:
    return LinearModel(
        mass=mass,
        damping=0.5 * (by_rate + by_rate.T),
        gyroscopic=0.5 * (by_rate - by_rate.T),
        stiffness=0.5 * (by_position + by_position.T),
        circulatory=0.5 * (by_position - by_position.T),
        bodies=dict(system.slices),
        basis=basis,
        freedom_mass=freedom_mass,
    )


def _check_constrained(system: System, state: State) -> None:
    if state.lam.shape != (len(system.rows),):
        raise InputError(
            f"lam has shape {state.lam.shape}; to linearise it must be ({len(system.rows)},), for "
            "example from steady_state(system).state"
        )
    for body in system.bodies:
        turning = [f"{body.name}.{axis}" in system.coordinates for axis in ("rx", "ry", "rz")]
        v = dict(zip(body.freedoms, state.v[system.slices[body.name]], strict=True))
        if all(turning) and any(v[axis] for axis in ("rx", "ry", "rz")):
            raise InputError(
                f"body '{body.name}' turns with three rotations: they are about turning axes, its "
                "displacements along fixed ones, so small motions have no constant coefficients; "
                "use one rotation, or the freedoms of a rotor (rx, ry, spin); for an elastic body "
                "a TurningFrame or a SpinningDisc"
            )
