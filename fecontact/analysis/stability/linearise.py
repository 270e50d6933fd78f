"""Linearisation about a state: M y'' + (D + G) y' + (K + N) y = 0.

Constraints are eliminated (`system.small_motions`): y are amplitudes of the motions that they
leave, dq = Z y with A Z = 0 and Z^T M Z = I; W y are the velocities by which dq turns the
constraints. The pencil that keeps the multipliers as unknowns is in `analysis.stability.pencil`.

Friction is that of sliding points, which turns with the slip at once (`friction="coulomb"`, the
limit c_t -> infinity); or its elastic slip is kept as internal variables of first order
(`friction="state"`),

    M y'' + (D + G) y' + (K + N) y = F_z zeta,      zeta' = R_y y + R_v y' + R_z zeta .

A contact point that touches and carries nothing is open (`contact.evaluate.touching`). What the
model can speak of, load, validity and band, goes with it to the modes (`analysis.stability.scope`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from fecontact.analysis.stability.scope import Band, Scope, scope_of
from fecontact.analysis.stability.slip_states import active_directions, with_steady_slip
from fecontact.body.base import as_body
from fecontact.errors import InputError, check, check_kind, one_of, renamed, renamed_keywords
from fecontact.solvers.threads import small_on_one_thread
from fecontact.system import State, System
from fecontact.system.loaded import loaded_system
from fecontact.system.small_motions import SmallMotions, small_motions
from fecontact.typing import Complexes, Floats, Tangents, supporting

__all__ = ["FRICTION", "FrictionStates", "LinearModel", "linearise"]

FRICTION = ("coulomb", "state")

ANGLE = 0.731
"""Angle in rad by which bodies in turning frames are turned to see what changes."""

CONSTANT = 1e-6
"""Change of the tangents, relative to their size, that is none."""

BALANCED = 1e-3
"""Fraction of a constraint force up to which a state balances; on a wrong flank it is all of it."""

Motion = TypeVar("Motion", Floats, Complexes)


@dataclass(frozen=True)
class FrictionStates:
    """Coupling of k amplitudes y with s tangential components zeta of the elastic slip.

    Attributes
    ----------
    force : (k, s)
        F_z.
    by_position, by_rate : (s, k)
        R_y and R_v.
    by_slip : (s, s)
        R_z.
    directions : (z, s)
        Elastic slip of all contacts per component.
    """

    force: Floats
    by_position: Floats
    by_rate: Floats
    by_slip: Floats
    directions: Floats

    def along(self, Z: Floats, W: Floats) -> FrictionStates:
        """The same for motions Z y with velocities Z y' + W y."""
        by_position = self.by_position @ Z + self.by_rate @ W
        return replace(
            self, force=Z.T @ self.force, by_position=by_position, by_rate=self.by_rate @ Z
        )


@renamed(freedoms="dofs", freedom_mass="dof_mass")
@renamed_keywords(freedom_mass="dof_mass")
@dataclass(frozen=True)
class LinearModel:
    """Matrices (k, k) of small motions about a state.

    The velocity matrix is split into its symmetric part (damping) and its skew part
    (gyroscopic), the displacement matrix likewise into stiffness and circulatory part.

    Attributes
    ----------
    bodies
        Body name -> its part of the n dofs.
    basis : (n, k)
        Z: motion of the dofs per amplitude; None without constraints, then k = n.
    dof_mass : (n, n)
        Mass matrix of the dofs; None without constraints.
    turned : (n, k)
        W: velocities of the dofs per amplitude, beside Z y'; None without constraints.
    friction
        The elastic slip as internal variables; None with the friction of sliding points.
    scope
        Load of the contacts, validity of the bodies, band of the verdict.
    """

    mass: Floats
    damping: Floats
    gyroscopic: Floats
    stiffness: Floats
    circulatory: Floats
    bodies: dict[str, slice]
    basis: Floats | None = None
    dof_mass: Floats | None = None
    turned: Floats | None = None
    friction: FrictionStates | None = None
    scope: Scope = field(default_factory=Scope)

    @staticmethod
    def of(
        mass: Floats, by_rate: Floats, by_position: Floats, bodies: dict[str, slice], **others: Any
    ) -> LinearModel:
        """Split D + G and K + N into their symmetric and skew parts."""
        return LinearModel(
            mass=mass,
            damping=0.5 * (by_rate + by_rate.T),
            gyroscopic=0.5 * (by_rate - by_rate.T),
            stiffness=0.5 * (by_position + by_position.T),
            circulatory=0.5 * (by_position - by_position.T),
            bodies=bodies,
            **others,
        )

    @property
    def by_rate(self) -> Floats:
        """D + G."""
        return self.damping + self.gyroscopic

    @property
    def by_position(self) -> Floats:
        """K + N."""
        return self.stiffness + self.circulatory

    def dofs(self, y: Motion) -> Motion:
        """Motion (n, ...) of the dofs from amplitudes (k, ...)."""
        return y if self.basis is None else self.basis @ y

    def amplitudes(self, load: Motion) -> Motion:
        """Load (k, ...) on the amplitudes from a load (n, ...) on the dofs."""
        return load if self.basis is None else self.basis.T @ load

    def body_mass(self, name: str) -> Floats:
        """Mass matrix of the dofs of a body."""
        mass = self.mass if self.dof_mass is None else self.dof_mass
        return mass[self.bodies[name], self.bodies[name]]


@small_on_one_thread
def linearise(
    system: System, state: State, friction: str = "coulomb", band: Band | None = None
) -> LinearModel:
    """Linearise a system about a steady state; all non-symmetric terms are kept.

    Parameters
    ----------
    system
        The system.
    state
        Without acceleration. If there are constraints, with multipliers and on the constraints,
        as `steady_state` gives it.
    friction
        "coulomb": the traction follows slip and pressure at once. "state": stateful contacts
        keep their elastic slip as internal variables, about its steady value. The two agree for
        c_t |s| >> omega mu p.
    band
        Lowest and highest frequency in Hz of the verdict on its modes; None: up to the validity
        of the elastic bodies. The matrices do not depend on it.
    """
    check_kind("system", system, System)
    check_kind("state", state, State, "such as steady_state(system).state")
    check("friction", friction, one_of(FRICTION))
    small, states, scope = linearised(system, state, friction, band)
    return LinearModel.of(
        small.mass,
        small.by_rate,
        small.by_position,
        dict(system.slices),
        basis=small.basis,
        dof_mass=small.dof_mass,
        turned=small.turned,
        friction=states,
        scope=scope,
    )


def linearised(
    system: System, state: State, friction: str, band: Band | None
) -> tuple[SmallMotions, FrictionStates | None, Scope]:
    """Matrices of small motions, not split, the internal variables if any, and the scope."""
    system = loaded_system(system, state)
    states: FrictionStates | None = None
    if friction == "state":
        tangents, states = _with_slip(system, state)
    else:
        tangents = system.tangents(state)
    _check_turning(system, state, tangents if states is None else system.tangents(state))
    if system.constraints:
        check_constrained(system, state)
    small = small_motions(system, state, tangents)
    if states is not None and small.basis is not None and small.turned is not None:
        states = states.along(small.basis, small.turned)
    return small, states, scope_of(system, state, band)


def _check_turning(system: System, state: State, tangents: Tangents) -> None:
    """Raise if the tangents change as a body in a turning frame turns."""
    for body in map(as_body, system.bodies):
        frame = body.prescribed_frame
        if frame is None:
            continue
        at = frame.at(state.t, np.asarray(body.position, dtype=float))
        speed = float(np.linalg.norm(at.velocity[3:]))
        if not speed:
            continue
        later = system.tangents(replace(state, t=state.t + ANGLE / speed))
        for one, two in zip(tangents, later, strict=True):
            if np.linalg.norm(two - one) > CONSTANT * np.linalg.norm(one):
                raise InputError(
                    f"body '{body.name}' turns past what stands in space, so small motions have no "
                    "constant coefficients; use operating_point(system, frame='rotating'), "
                    "'axisymmetric' or 'floquet'"
                )


def _with_slip(system: System, state: State) -> tuple[Tangents, FrictionStates]:
    """df/dq and df/dv, and the internal variables, about the steady elastic slip."""
    if not system.history_layout:
        raise InputError(
            "invalid friction = state: expected a contact with stateful friction, such as "
            "ElastoPlastic, and this system has none; or use friction = coulomb"
        )
    by = system.rate_form(with_steady_slip(system, state)).tangents()
    T = active_directions(by, system.history_layout.shapes.values())
    states = FrictionStates(
        by.force_by_z @ T, T.T @ by.z_rate_by_q, T.T @ by.z_rate_by_v, T.T @ by.z_rate_by_z @ T, T
    )
    return (by.force_by_q, by.force_by_v), states


def check_constrained(system: System, state: State) -> None:
    """Raise if small motions about a constrained state have no constant coefficients."""
    if state.lam.shape != (len(system.rows),):
        raise InputError(
            f"invalid lam of shape {state.lam.shape}: expected ({len(system.rows)},), for example "
            "from steady_state(system).state"
        )
    _check_flanks(system, state)
    for body in system.bodies:
        turning = [f"{body.name}.{axis}" in system.coordinates for axis in ("rx", "ry", "rz")]
        v = dict(zip(body.dofs, state.v[system.slices[body.name]], strict=True))
        if all(turning) and any(v[axis] for axis in ("rx", "ry", "rz")):
            raise InputError(
                f"body '{body.name}' turns with three rotations: they are about turning axes, its "
                "displacements along fixed ones, so small motions have no constant coefficients; "
                "use one rotation, or the dofs of a rotor (rx, ry, spin); for an elastic body "
                "a TurningFrame, a SpinningDisc or operating_point(frame=...)"
            )


def _check_flanks(system: System, state: State) -> None:
    """Raise if the multipliers of gears belong to other flanks than those of the system."""
    rows = [system.row_slices[c.name] for c in supporting(system.constraints, "switched")]
    if not rows:
        return
    A = system.constraint(state).jacobian
    left = system.force(state) + A.T @ state.lam
    for row in rows:
        teeth = A[row].T @ state.lam[row]
        if abs(left @ teeth) > BALANCED * float(teeth @ teeth):
            raise InputError(
                f"the forces do not balance on '{system.rows[row.start]}': the state belongs to "
                "the other flank; take the system of the steady state, steady_state(...).system"
            )
