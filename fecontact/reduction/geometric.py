"""Geometric stiffness of the inertia loads of a moving frame.

In a frame with acceleration a, angular velocity omega and angular acceleration alpha (body axes)
a point of the undeformed body feels the load -rho (a + alpha x x + omega x (omega x x)). It is a
sum of 12 unit loads with the factors a_i, alpha_i and omega_i omega_j; each causes a static
stress, and the stress a stiffness. Without it a rotating beam softens instead of stiffening
(Wallrapp and Schwertassek, Int. J. Numer. Methods Eng. 32 (1991) 1833). The material is linear in
Biot's strain (`fem.prestress`): what stretches without rotation gets no stiffness from its stress.
"""

from __future__ import annotations

import numpy as np

from fecontact.fem.mass_field import mass_field
from fecontact.fem.model import FEModel
from fecontact.reduction.flexibility import Flexibility
from fecontact.solvers.congruence import congruent
from fecontact.typing import Floats

__all__ = ["UNIT_LOADS", "geometric_stiffness", "unit_accelerations", "unit_inertia_loads"]

_PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))

UNIT_LOADS = (
    *(f"a_{i}" for i in "xyz"),
    *(f"alpha_{i}" for i in "xyz"),
    *(f"omega_{'xyz'[i]} omega_{'xyz'[j]}" for i, j in _PAIRS),
)
"""Factors of the unit loads; for i != j the product occurs once, with the loads of ij and ji."""


def unit_accelerations() -> tuple[Floats, Floats]:
    """Accelerations offset + slope x of `UNIT_LOADS`: offsets (12, 3), slopes (12, 3, 3)."""
    offsets, slopes = np.zeros((12, 3)), np.zeros((12, 3, 3))
    turn = np.cross(np.eye(3)[:, None], np.eye(3)).swapaxes(1, 2)  # turn[i] x = e_i x x
    offsets[:3], slopes[3:6] = np.eye(3), turn
    for k, (i, j) in enumerate(_PAIRS, start=6):
        slopes[k] = turn[i] @ turn[j] + (turn[j] @ turn[i] if i != j else 0.0)
    return offsets, slopes


def unit_inertia_loads(model: FEModel) -> Floats | None:
    """Forces (n, 12) in the order of `UNIT_LOADS`; None if the model has no mass field."""
    field = mass_field(model)
    if field is None:
        return None
    motions = zip(*unit_accelerations(), strict=True)
    return np.column_stack([field.inertia_load(*motion) for motion in motions])


def geometric_stiffness(model: FEModel, flexibility: Flexibility, Phi: Floats) -> Floats | None:
    """Reduced geometric stiffness (12, m, m) per unit load, or None if the model offers none.

    The model offers it by one of two methods:

    - `inertia_stiffness(offset, slope, strain) -> (n, n)`: stiffness of the stress in a frame with
      the acceleration field offset + slope x. Beams, and plates whose unknowns leave out the
      stressed motion.
    - `geometric_stiffness(displacement, strain) -> (n, n)`: stiffness of the stress of a static
      displacement. Solids, and beams whose interface is held.

    On a body without supports the stress is that of the load with inertia relief.
    """
    of_inertia = getattr(model, "inertia_stiffness", None)
    of_displacement = getattr(model, "geometric_stiffness", None)
    held = len(flexibility.free) < len(model.free)
    if of_inertia is not None and not (held and of_displacement is not None):
        matrices = (
            of_inertia(*motion, "biot") for motion in zip(*unit_accelerations(), strict=True)
        )
    elif of_displacement is not None and (loads := unit_inertia_loads(model)) is not None:
        matrices = (of_displacement(u, "biot") for u in flexibility.static(loads).T)
    else:
        return None
    return np.stack([congruent(matrix, Phi) for matrix in matrices])
