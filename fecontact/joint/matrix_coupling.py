"""Linear force between bodies from given matrices: measured or condensed elements, active ones.

    f = -C (q - q_0) - B v

in the dofs of the bodies, with any C and B: negative dampers and circulatory terms too. So it
stores no energy of its own; all its work counts as supplied.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fecontact.body.base import Body
from fecontact.errors import InputError, check_kind, numbers
from fecontact.kernels.arrays import matrix, viewed
from fecontact.kernels.lowered import PARAMETERS, TANGENTS, Lowered, Packing, record
from fecontact.typing import Floats, Tangents

__all__ = ["MatrixCoupling"]


@dataclass(frozen=True, eq=False)
class MatrixCoupling:
    """Force -C (q - q_0) - B v on bodies whose coordinates are their dofs.

    Parameters
    ----------
    coupled
        The bodies: without three rotations, whose coordinates are no dofs.
    stiffness, damping : (n, n)
        C and B, in the dofs of the bodies one after the other: in N/m and N s/m for displacements.

    Examples
    --------
    A negative damper between a mass and the ground:

    >>> from fecontact import RigidBody
    >>> mass = RigidBody("mass", 1.0, ("ux",))
    >>> MatrixCoupling([mass], [[4.0]], [[-0.1]]).force(0.0, np.array([0.5]), np.array([2.0]))
    array([-1.8])
    """

    coupled: Sequence[Body]
    stiffness: Floats | Sequence[Sequence[float]]
    damping: Floats | Sequence[Sequence[float]]
    name: str = "coupling"

    def __post_init__(self) -> None:
        for body in self.coupled:
            check_kind(f"{self.name}: bodies", body, Body, "bodies of the system")
            if len(body.reference()) != len(body.dofs):
                raise InputError(
                    f"{self.name}: invalid body '{body.name}', whose rotations are no coordinates: "
                    "expected bodies with at most one rotation"
                )
        n = sum(len(body.dofs) for body in self.coupled)
        for kind, given in zip(("stiffness", "damping"), self._matrices, strict=True):
            if given.shape != (n, n):
                raise InputError(
                    f"{self.name}: invalid {kind} of shape {given.shape}: expected ({n}, {n}), one "
                    "row per dof of its bodies"
                )

    @property
    def bodies(self) -> tuple[Body, ...]:
        """The bodies it acts on."""
        return tuple(self.coupled)

    @cached_property
    def _matrices(self) -> tuple[Floats, Floats]:
        kinds = {"stiffness": self.stiffness, "damping": self.damping}
        C, B = (numbers(f"{self.name}: {kind}", given) for kind, given in kinds.items())
        return C, B

    @cached_property
    def _origin(self) -> Floats:
        return np.concatenate([body.reference() for body in self.coupled])

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Force in the dofs of the bodies."""
        C, B = self._matrices
        return np.asarray(-C @ (q - self._origin) - B @ v)

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of `force`."""
        C, B = self._matrices
        return -C, -B

    def lowered(self) -> Lowered:
        """The force as a compiled function."""
        n = len(self._origin)
        packing = Packing(n, n)
        packing.extend([self._origin, *self._matrices])
        return Lowered(_coupling, packing.numbers, time_dependent=False)


def _coupling(pointer: Any, parameters: Any, task: float) -> float:
    """A `MatrixCoupling`: parameters q_0, C, B."""
    p = viewed(parameters, PARAMETERS)
    w = record(pointer, p)
    n = len(w.q)
    C, B = matrix(p, 2 + n, n, n), matrix(p, 2 + n + n * n, n, n)
    for i in range(n):
        w.force[i] = 0.0
        for j in range(n):
            w.force[i] -= C[i, j] * (w.q[j] - p[2 + j]) + B[i, j] * w.v[j]
            if int(task) == TANGENTS:
                w.by_q[i, j], w.by_v[i, j] = -C[i, j], -B[i, j]
    return 0.0
