"""Reactions: what a constraint does to its bodies.

The generalised force on the bodies is A^T lam. Its part along the translations of a body is the
force in space components, its part along the rotations the moment in body components about the
point that the translations move (the centre of mass of a rigid body), of a full finite-element body
about the origin of its mesh. Directions in which the body
cannot move get no component: the force that holds them is not part of the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from fecontact.body.base import as_body
from fecontact.errors import InputError
from fecontact.system.assembly import Assembly
from fecontact.system.constraints.metric import row_metric
from fecontact.system.constraints.redundancy import UNIQUE, bound_mass
from fecontact.system.names import no_such
from fecontact.system.state import State
from fecontact.typing import Body, Floats

__all__ = ["BodyLoad", "Reaction", "reaction"]

TRANSLATIONS = ("ux", "uy", "uz")
ROTATIONS = ("rx", "ry", "rz")


@dataclass(frozen=True)
class BodyLoad:
    """Load of a constraint on one body.

    Attributes
    ----------
    generalised : (n,)
        Force in the dofs of the body.
    force, moment : (3,)
        In N and N m, space components; the moment about the moving point of the translations.
    """

    generalised: Floats
    force: Floats
    moment: Floats


@dataclass(frozen=True)
class Reaction:
    """Loads of a constraint.

    Attributes
    ----------
    multipliers
        Row -> lam.
    on
        Body name -> load.
    unique
        False if other constraints could carry a fraction of the load: redundant rows.
    """

    multipliers: Mapping[str, float]
    on: Mapping[str, BodyLoad]
    unique: bool


def reaction(assembly: Assembly, state: State, name: str) -> Reaction:
    """Reaction of the constraint of this name; the state must have its multipliers."""
    if name not in assembly.row_slices:
        raise no_such("constraint", name, assembly.row_slices)
    if state.lam.shape != (len(assembly.rows),):
        raise InputError(
            f"invalid lam of shape {state.lam.shape}: expected ({len(assembly.rows)},), for "
            "example from system.consistent(state).state"
        )
    rows, part = assembly.constraint(state), assembly.row_slices[name]
    mass, columns = bound_mass(assembly, state, rows.jacobian)
    metric = row_metric(mass, rows.jacobian[:, columns])
    force = rows.jacobian[part].T @ state.lam[part]
    own = next(c for c in assembly.constraints if c.name == name)
    # dependences of the rows, mapped to forces of this constraint in the metric of M^-1
    projector = np.eye(len(metric.left))[part] - metric.left[part] @ metric.left.T
    return Reaction(
        multipliers=dict(zip(own.rows, state.lam[part].tolist(), strict=True)),
        on={body.name: _load(assembly, state, body, force) for body in own.bodies},
        unique=bool(np.abs(metric.scaled[part].T @ projector).max(initial=0.0) < UNIQUE),
    )


def _load(assembly: Assembly, state: State, body: Body, force: Floats) -> BodyLoad:
    own = force[assembly.slices[body.name]]
    full = as_body(body).finite_elements
    if full is not None:
        total = own @ full.model.rigid_body_modes()[full.model.free, :6]
        return BodyLoad(own, total[:3], total[3:])
    parts = np.zeros((2, 3))
    for vector, names in zip(parts, (TRANSLATIONS, ROTATIONS), strict=True):
        for axis, dof in enumerate(names):
            if dof in body.dofs:
                vector[axis] = own[list(body.dofs).index(dof)]
    rotation = getattr(body, "rotation", None)
    if rotation is not None:
        parts[1] = rotation(state.q[assembly.q_slices[body.name]]) @ parts[1]
    return BodyLoad(own, parts[0], parts[1])
