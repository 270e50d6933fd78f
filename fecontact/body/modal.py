"""Linear body in modal coordinates: small motions of a structure, with its rigid ones.

q'' + D q' + K q = f,      u(x) = Phi(x) q

K = diag(omega^2) for shapes of unit modal mass. Rigid-body modes are shapes with omega = 0;
rotations stay small. The body has no frame of its own: for large motions take an `ElasticBody`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fecontact.body.base import Body
from fecontact.body.lowered import linear_body, pack_elastic_frame
from fecontact.body.motion import RigidPointMotion, SpinFrame
from fecontact.body.points.elastic_points import ElasticPoints, FloatingMotion
from fecontact.errors import NON_NEGATIVE, InputError, check
from fecontact.kernels.lowered import Lowered, Packing
from fecontact.typing import Floats, Tangents

__all__ = ["ModalBody"]


@dataclass(frozen=True, eq=False)
class ModalBody(Body):
    """Structure in modal coordinates.

    Parameters
    ----------
    name
        Name in the system.
    omega : (n,)
        Circular frequencies in rad/s, zero for rigid-body modes. Shapes have unit modal mass.
    damping : (n,)
        Damping D in 1/s of each coordinate, or one matrix (n, n).

    Examples
    --------
    >>> body = ModalBody("beam", np.array([0.0, 100.0]), np.array([0.0, 2.0]))
    >>> body.force(0.0, np.array([1.0, 1e-3]), np.array([0.5, 1.0]))[1].item()
    -12.0
    """

    name: str
    omega: Floats
    damping: Floats | float = 0.0

    def __post_init__(self) -> None:
        omega = np.asarray(self.omega)
        if omega.ndim != 1 or not len(omega) or not np.isfinite(omega).all():
            raise InputError(
                f"{self.name}: invalid omega: expected a list of finite frequencies in rad/s"
            )
        check(f"{self.name}: smallest omega", float(omega.min()), NON_NEGATIVE, "rad/s")
        if np.shape(self.damping) not in ((), omega.shape, (len(omega), len(omega))):
            raise InputError(
                f"{self.name}: invalid damping of shape {np.shape(self.damping)}: expected one "
                f"number, ({len(omega)},) or ({len(omega)}, {len(omega)})"
            )

    @cached_property
    def dofs(self) -> tuple[str, ...]:
        """Names of the coordinates."""
        return tuple(f"e{i}" for i in range(1, len(self.omega) + 1))

    @cached_property
    def stiffness(self) -> Floats:
        """K (n, n)."""
        return np.diag(np.asarray(self.omega, dtype=float) ** 2)

    @cached_property
    def damping_matrix(self) -> Floats:
        """D (n, n)."""
        if np.ndim(self.damping) == 2:
            return np.asarray(self.damping, dtype=float)
        return np.diag(np.broadcast_to(np.asarray(self.damping, dtype=float), len(self.omega)))

    def reference(self) -> Floats:
        """Coordinates of the body without displacement."""
        return np.zeros(len(self.omega))

    def mass_matrix(self, q: Floats) -> Floats:
        """Unit matrix."""
        return np.eye(len(self.omega))

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """-K q - D v."""
        return -(self.stiffness @ q) - self.damping_matrix @ v

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """-K and -D."""
        return -self.stiffness, -self.damping_matrix

    def lowered(self) -> Lowered:
        """The body as a compiled function."""
        K, D = self.stiffness, self.damping_matrix
        return linear_body(np.eye(len(self.omega)), (-K, -D), K, D)

    def kinetic_energy(self, q: Floats, v: Floats, t: float = 0.0) -> float:
        """Kinetic energy in J."""
        return 0.5 * float(v @ v)

    def strain_energy(self, q: Floats) -> float:
        """Strain energy in J."""
        return 0.5 * float(q @ self.stiffness @ q)

    def dissipated_power(self, t: float, q: Floats, v: Floats) -> float:
        """Power of the damping in W."""
        return float(v @ self.damping_matrix @ v)

    @property
    def elastic_shapes(self) -> int:
        """Number of shapes of its points: one for each coordinate."""
        return len(self.omega)

    def frame_motion(self, q: Floats, v: Floats, t: float = 0.0) -> FloatingMotion:
        """A frame at rest at the origin, in which its points move."""
        rest = np.zeros(3)
        own = np.ascontiguousarray(q), np.ascontiguousarray(v)
        return FloatingMotion(rest, np.eye(3), rest, rest, *own, slice(6, None))

    def pack_frame(self, packing: Packing) -> int:
        """Append the numbers of a frame at rest."""
        return pack_elastic_frame(packing, False, np.zeros(3), len(self.omega))

    def spin_frame(self, q: Floats, v: Floats, t: float = 0.0) -> SpinFrame:
        """Axes of space; no material passes its points."""
        n = len(self.omega)
        return SpinFrame(np.eye(3), np.zeros((3, n)), 0.0, 0.0, np.zeros(n))

    def point_motion(
        self, q: Floats, v: Floats, points: ElasticPoints, t: float = 0.0
    ) -> RigidPointMotion:
        """Motion of points with the shapes Phi (p, 3, n)."""
        shapes, n = points.shapes, len(self.omega)
        return RigidPointMotion(
            position=points.points + shapes @ q,
            velocity=shapes @ v,
            jacobian=shapes,
            d_velocity=np.zeros_like(shapes),
            d_load=lambda force: np.zeros((n, n)),
            displacement=shapes,
        )
