"""Geometric stiffness of the inertia loads of a moving frame.

In a frame with acceleration a, angular velocity omega and angular acceleration alpha (body axes)
a point of the undeformed body feels the load -rho (a + alpha x x + omega x (omega x x)). It is a
sum of 12 unit loads with the factors a_i, alpha_i and omega_i omega_j; each causes a static
stress, and the stress a stiffness. Without it a rotating beam softens instead of stiffening
(Wallrapp and Schwertassek, Int. J. Numer. Methods Eng. 32 (1991) 1833).
"""

from __future__ import annotations

import numpy as np

from fecontact.fem.mass_field import MassField, mass_field
from fecontact.fem.model import FEModel
from fecontact.reduction.flexibility import Flexibility
from fecontact.typing import Floats

__all__ = ["UNIT_LOADS", "geometric_stiffness", "unit_inertia_loads"]

_PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))

UNIT_LOADS = (
    *(f"a_{i}" for i in "xyz"),
    *(f"alpha_{i}" for i in "xyz"),
    *(f"omega_{'xyz'[i]} omega_{'xyz'[j]}" for i, j in _PAIRS),
)
"""Factors of the unit loads; for i != j the product occurs once, with the loads of ij and ji."""


def unit_inertia_loads(model: FEModel) -> Floats | None:
    """Forces (n, 12) in the order of `UNIT_LOADS`; None if the model has no mass field."""
    field = mass_field(model)
    return None if field is None else -field.load(_unit_accelerations(field))


def _unit_accelerations(field: MassField) -> Floats:
    """Accelerations (p, 3, 12) of points and directors in a frame with unit motions."""
    x, axes = field.place, np.eye(3)
    accelerations = [np.multiply.outer(field.unit, e) for e in axes]
    accelerations += [np.cross(e, x) for e in axes]
    for i, j in _PAIRS:
        turned = np.cross(axes[i], np.cross(axes[j], x))
        other = np.cross(axes[j], np.cross(axes[i], x)) if i != j else 0.0
        accelerations.append(turned + other)
    return np.stack(accelerations, axis=-1)


def geometric_stiffness(model: FEModel, flexibility: Flexibility, Phi: Floats) -> Floats | None:
    """Reduced geometric stiffness (12, m, m) per unit load, or None if the model offers none.

    The model offers it by a method `geometric_stiffness(displacement) -> (n, n)`: the stiffness of
    the stress of a static displacement. On a body without supports the static displacement is
    the one with inertia relief.
    """
    of_stress = getattr(model, "geometric_stiffness", None)
    loads = None if of_stress is None else unit_inertia_loads(model)
    if of_stress is None or loads is None:
        return None
    displacements = flexibility.static(loads)
    return np.stack([Phi.T @ (of_stress(u) @ Phi) for u in displacements.T])
