"""Finite-element body condensed on its contact unknowns (`reduction.condensation`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from fecontact.contact.patch.hertz import ContactModuli
from fecontact.contact.surface.points import Surface
from fecontact.errors import InputError
from fecontact.fem.material import Material
from fecontact.fem.model import FEModel, FESurface
from fecontact.fem.solid.body import ElasticSolid
from fecontact.reduction.condensation import Interior, eliminate
from fecontact.typing import Floats, Integers

__all__ = ["Condensed", "condense", "on_each_other", "on_rigid"]

Chosen = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Condensed:
    """Contact surface of an elastic body with its exact static stiffness.

    Attributes
    ----------
    surface
        Points with weights.
    lift : (3 p, m) sparse
        Displacement of the points per contact unknown.
    stiffness : (m, m)
        K_s in N/m.
    unknowns : (m,)
        Numbers of the contact unknowns in the finite-element model.
    partners
        Elastic constants of the body and of the one it meets, rigid by default; None if not known.
    """

    surface: Surface
    lift: sp.csr_array
    stiffness: Floats
    unknowns: Integers
    partners: ContactModuli | None = None

    def against(self, other: Condensed) -> Condensed:
        """Stiffness of the relative displacement of two bodies with the same contact mesh.

        The same forces act on both, in opposite directions: K = K_1 (K_1 + K_2)^-1 K_2.
        """
        same = self.stiffness.shape == other.stiffness.shape
        if not same or abs(self.lift - other.lift).max() > 1e-9:
            raise InputError(
                "two contact surfaces have different meshes: a matching pair needs the same nodes "
                "and points on both"
            )
        K = self.stiffness @ np.linalg.solve(self.stiffness + other.stiffness, other.stiffness)
        both = on_each_other(self.partners, other.partners)
        return Condensed(self.surface, self.lift, 0.5 * (K + K.T), self.unknowns, both)

    def mirrored(self, axis: int = 2) -> Condensed:
        """Mirror image of the body at the plane of contact, e.g. its twin on the other side."""
        sign = np.where(self.unknowns % 3 == axis, -1.0, 1.0)
        K = sign[:, None] * self.stiffness * sign
        return replace(self, stiffness=K)


def condense(
    model: FEModel, surface: str | FESurface, near: Callable[[Floats], Chosen] | None = None
) -> tuple[Condensed, Interior]:
    """Condense a body on a contact surface.

    Parameters
    ----------
    model
        Finite-element body.
    surface
        Its contact surface: a name, or points of it, for example `solid.surface("top", "nodes")`.
    near
        Function of points (p, 3): which of them may come into contact; by default all.

    Returns
    -------
    Condensed, Interior
        What contact needs, and what loads and pictures need.
    """
    face = model.surface(surface) if isinstance(surface, str) else surface
    chosen = np.ones(len(face.points), dtype=bool) if near is None else near(face.points)
    if not chosen.any():
        raise InputError("contact surface: none of its points was chosen by `near`")
    shape = sp.csr_array(face.shape[np.repeat(chosen, 3)])
    stiffness, interior = eliminate(model, np.unique(shape.indices))
    points = Surface(face.points[chosen], face.weights[chosen], normals=face.normals[chosen])
    lift = sp.csr_array(shape[:, interior.contact])
    partners = on_rigid(model)
    return Condensed(points, lift, stiffness, interior.contact, partners), interior


def on_rigid(model: FEModel) -> ContactModuli | None:
    """Elastic constants of a solid of one isotropic material on a rigid body; of others None."""
    material = model.material if isinstance(model, ElasticSolid) else None
    if not isinstance(material, Material):
        return None
    return ContactModuli(material.young, material.poisson, np.inf, 0.0)


def on_each_other(one: ContactModuli | None, other: ContactModuli | None) -> ContactModuli | None:
    """Elastic constants of two bodies from those of each on a rigid one."""
    if one is None or other is None:
        return None
    return ContactModuli(one.young, one.poisson, other.young, other.poisson)
