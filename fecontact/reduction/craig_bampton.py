"""Fixed-interface modes and constraint modes: the basis of Craig and Bampton.

With the interface unknowns b and the interior unknowns i, the constraint modes and the
fixed-interface modes are

    Psi = [ -K_ii^-1 K_ib ]      K_ii x = omega^2 M_ii x,   x_b = 0
          [        1      ]

(Craig and Bampton, AIAA J. 6 (1968) 1313). Static loads on the interface are represented
exactly; on a body that can move rigidly this needs the response to the inertia forces of its
rigid-body modes R as well, the inertia-relief modes K_ii^-1 (M R)_i. A fine interface has many
unknowns; the second reduction keeps the lowest modes of the interface itself, the
characteristic constraint modes

    (Psi^T K Psi) y = omega^2 (Psi^T M Psi) y

(Castanier, Tan and Pierre, AIAA J. 39 (2001) 1182). They carry the motion of the interface, not
the dent under a contact load: `methods.with_attachment` adds the static shapes of such loads.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import scipy.linalg as la

from fecontact.errors import InputError
from fecontact.fem.model import FEModel
from fecontact.reduction.flexibility import Flexibility, Progress, silent
from fecontact.typing import Floats, Integers

__all__ = [
    "characteristic_modes",
    "constraint_modes",
    "fixed_interface",
    "interface_unknowns",
    "joining_parts",
    "surface_unknowns",
]

ROUND_OFF = 1e-10
"""Fraction of the largest entry: shapes of tetrahedra are not exactly zero on other faces."""


def surface_unknowns(model: FEModel, name: str) -> Integers:
    """Unknowns that move a named surface; entries of the size of round-off move nothing."""
    largest = abs(model.surface(name).shape).max(axis=0).toarray()
    return np.flatnonzero(largest > ROUND_OFF * largest.max())


def joining_parts(model: FEModel) -> Mapping[str, Integers]:
    """Unknowns of the named edges of a plate or stations of a beam; none for other bodies."""
    parts: Mapping[str, Integers] = getattr(model, "joining_parts", {})
    return parts


def interface_unknowns(model: FEModel, names: tuple[str, ...]) -> Integers:
    """Free unknowns of the named surfaces, edges (plates) or stations (beams)."""
    found = [_unknowns(model, name) for name in names]
    return np.intersect1d(model.free, np.concatenate([np.empty(0, dtype=np.int64), *found]))


def _unknowns(model: FEModel, name: str) -> Integers:
    """Unknowns of one surface; of an edge or station if there is no such surface."""
    parts = joining_parts(model)
    try:
        return surface_unknowns(model, name)
    except InputError as error:
        if name in parts:
            return parts[name]
        if parts:
            raise InputError(f"{error}; as interface also {', '.join(sorted(parts))}") from error
        raise


def fixed_interface(model: FEModel, held: Integers, progress: Progress = silent) -> Flexibility:
    """Flexibility of the body with its interface held; refused if it can still move rigidly."""
    flexibility = Flexibility(model, held, progress)
    loose = flexibility.rigid.shape[1]
    if loose:
        raise InputError(
            f"the fixed-interface method needs a fixation: {loose} rigid-body modes are left free; "
            "support the model, name a larger interface, or use method 'free' or 'rubin'"
        )
    return flexibility


def constraint_modes(model: FEModel, fixed: Flexibility, interface: Integers) -> Floats:
    """Return the static displacements for a unit motion of each interface unknown, shape (n, b)."""
    Psi = fixed.static(-model.stiffness[:, interface].toarray())
    Psi[interface, np.arange(len(interface))] = 1.0
    return Psi


def characteristic_modes(model: FEModel, Psi: Floats, count: int) -> Floats:
    """Lowest `count` modes of the statically condensed interface, shape (n, count)."""
    if not 1 <= count <= Psi.shape[1]:
        raise InputError(
            f"invalid interface_modes = {count}: expected 1 to {Psi.shape[1]}, the number of free "
            "unknowns of the interface"
        )
    K, M = (Psi.T @ (A @ Psi) for A in (model.stiffness, model.mass))
    _, Y = la.eigh(K, M, subset_by_index=(0, count - 1))
    return np.asarray(Psi @ Y)
