"""Interfaces of a reduced body: the named surfaces, edges and curves where joints may hold it.

A joint on an interface holds the mean motion of its points, and its force and moment spread over
them (`fem.mean_motion`). With the rows R of that motion in the unknowns, c the force and moment,

    w = R u,      f = R^T c,      w = F c,      F = R K+ R^T    full, F_r reduced,

so the six unit loads are a family of load shapes like any other, and the same bounds hold for it
(`estimate`). An interface that is named in `joints` gets the static shapes of its loads, as a
contact surface does; every other is kept with what the basis happens to know of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from fecontact.errors import InputError, unknown
from fecontact.fem.mean_motion import fit_rows, interfaces_of
from fecontact.fem.model import FEModel, FESurface
from fecontact.reduction.estimate import (
    ContactCompliance,
    StaticResponse,
    contact_compliance,
    traction_gram,
)
from fecontact.reduction.flexibility import Flexibility, Progress
from fecontact.reduction.methods import ElasticBasis
from fecontact.typing import Floats

__all__ = [
    "JOINT_LOADS",
    "HeldInterface",
    "Interface",
    "check_joints",
    "held_interfaces",
    "reduced_interface",
    "usable_interfaces",
]

JOINT_LOADS = ("force x", "force y", "force z", "moment x", "moment y", "moment z")
NO_SHAPES = ("free", "fixed", "quasi-static")


@dataclass(frozen=True)
class Interface:
    """Where joints may hold a reduced body.

    Attributes
    ----------
    position : (3,)
        Centroid in m.
    motion : (6, m)
        Mean displacement and rotation vector per coordinate.
    defined
        Whether its points define all rotations; they do not if they lie on one line.
    joint
        Whether the basis was made for its loads, so that `validity_frequency` speaks of them.
    compliance
        Full and reduced compliance under a force (N) and a moment (N m) along x, y, z, with the
        errors of the answer over all combinations of them.
    """

    position: Floats
    motion: Floats
    defined: bool
    joint: bool
    compliance: ContactCompliance


@dataclass(frozen=True)
class HeldInterface:
    """An interface of a finite-element body, with its full answer to the loads of a joint."""

    surface: FESurface
    position: Floats
    defined: bool
    response: StaticResponse


def check_joints(
    model: FEModel, method: str, names: tuple[str, ...], known: Mapping[str, FESurface]
) -> None:
    """Refuse joints at what has no name, is held, or has no static shapes."""
    for name in names:
        if name not in known:
            raise unknown("interface", name, known)
        moved = np.unique(known[name].shape.indices)
        if not len(np.intersect1d(model.free, moved)):
            raise InputError(
                f"invalid joint at '{name}': expected an interface that can move; a held one moves "
                "with the frame of the body, and a joint may hold it without being named here"
            )
    if names and method in NO_SHAPES:
        raise InputError(
            f"invalid joints = {', '.join(names)} with method '{method}': expected 'rubin' or "
            "'craig-bampton', which have static shapes"
        )


def usable_interfaces(model: FEModel) -> dict[str, FESurface]:
    """Interfaces of a body whose points have areas, lengths or weights above zero."""
    every = interfaces_of(model).items()
    return {
        name: on
        for name, on in every
        if np.min(on.weights, initial=np.inf) >= 0.0 < on.weights.sum()
    }


def held_interfaces(
    known: Mapping[str, FESurface], flexibility: Flexibility, progress: Progress
) -> dict[str, HeldInterface]:
    """Full answer of every interface to the loads of a joint."""
    if known:
        progress("static response of the interfaces")
    return {name: _held(surface, flexibility) for name, surface in known.items()}


def _held(surface: FESurface, flexibility: Flexibility) -> HeldInterface:
    position, rows, defined = fit_rows(surface.points, surface.weights)
    areas = np.where(surface.weights > 0.0, surface.weights, np.inf)
    fields = rows.reshape(6, -1, 3) / areas[:, None]
    tractions = dict(zip(JOINT_LOADS, fields, strict=True))
    forces = np.asarray(surface.shape.T @ rows.T)
    moved = np.any(forces[flexibility.free] != 0.0, axis=0)
    displacement = np.zeros_like(forces)
    if moved.any():
        displacement[:, moved] = flexibility.static(forces[:, moved])
    response = StaticResponse(tractions, traction_gram(surface, tractions), forces, displacement)
    return HeldInterface(surface, position, defined, response)


def reduced_interface(
    held: HeldInterface, Phi: Floats, basis: ElasticBasis, joint: bool
) -> Interface:
    """What a reduced body of shapes Phi keeps of an interface; `basis` answers static loads."""
    motion = held.response.forces.T @ Phi
    (compliance,) = contact_compliance(
        held.surface, held.response, basis.omega, basis.shapes, basis.exact, [JOINT_LOADS]
    )
    return Interface(held.position, motion, held.defined, joint, compliance)
