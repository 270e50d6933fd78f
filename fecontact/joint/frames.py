"""Relative coordinates of two frames, before they refer to the dofs of bodies.

The kernels give each coordinate as one row with its value, rate and derivatives by the 12 steps of
the two frames (`joint._kernels`). Bodies come in last, by the matrices
`interpolation` of their markers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from fecontact.body.motion import MarkerMotion
from fecontact.errors import SolverError
from fecontact.joint import _kernels as kernels
from fecontact.joint.relative import Relative
from fecontact.typing import Floats

__all__ = ["FrameRows", "Frames"]


class FrameRows(NamedTuple):
    """k relative coordinates as rows (k, 170), and whether they see the spin of the material."""

    table: Floats
    spinning: bool = False

    @property
    def value(self) -> Floats:
        """Values s (k,)."""
        return self.table[:, 0]

    @property
    def rate(self) -> Floats:
        """Rates s' (k,)."""
        return self.table[:, 1]

    def mapped(self, matrix: Floats) -> FrameRows:
        """Coordinates matrix @ s, with a constant matrix (m, k)."""
        return FrameRows(matrix @ self.table, self.spinning)

    def first(self, count: int) -> FrameRows:
        """The first coordinates."""
        return FrameRows(self.table[:count], self.spinning)

    def last(self) -> FrameRows:
        """The last coordinate: the component along z."""
        return FrameRows(self.table[-1:], self.spinning)

    def shifted(self, origin: Floats) -> FrameRows:
        """Coordinates s - origin."""
        table = self.table.copy()
        table[:, 0] -= origin
        return FrameRows(table, self.spinning)

    @staticmethod
    def stacked(parts: Sequence[FrameRows]) -> FrameRows:
        """Coordinates of all parts, one after the other; all or none of them see the spin."""
        return FrameRows(np.concatenate([part.table for part in parts]), parts[0].spinning)


class Frames:
    """Two markers a and b at one state; their relative coordinates in components of a."""

    def __init__(self, name: str, a: MarkerMotion, b: MarkerMotion, common_axis: bool) -> None:
        self.name, self.a, self.b, self.common_axis = name, a, b, common_axis
        self.twist = np.concatenate([a.velocity, a.omega, b.velocity, b.omega])

    def distance(self) -> FrameRows:
        """Distance of the points (1,); its direction must exist."""
        table = kernels.distance(self.a.position, self.b.position, self.twist)
        if table[0, 0] == 0.0:
            raise SolverError(
                f"{self.name}: its ends coincide, so its direction does not exist; use a bushing, "
                "or start from another position"
            )
        return FrameRows(table)

    def displacement(self) -> FrameRows:
        """Position of point b seen from a (3,)."""
        a, b = self.a, self.b
        return FrameRows(kernels.displacement(a.position, a.rotation, b.position, self.twist))

    def direction(self, e: Floats) -> FrameRows:
        """Direction e of b seen from a (3,)."""
        return FrameRows(kernels.direction(self._turn, e, self.twist))

    def rotation(self) -> FrameRows:
        """Rotation vector of b relative to a (3,); angles about one common axis have no limit."""
        if self.common_axis:
            angle = self.b.angle - self.a.angle
            return FrameRows(kernels.angular_velocity(self._turn, angle, self.twist))
        return FrameRows(kernels.rotation(self._turn, self.twist))

    def angular_velocity(self) -> FrameRows:
        """Angular velocity of the material of b relative to that of a (3,); the value is zero."""
        twist = self.twist.copy()
        twist[3:6] += self.a.spin
        twist[9:] += self.b.spin
        return FrameRows(kernels.angular_velocity(self._turn, np.zeros(3), twist), spinning=True)

    def in_dofs(self, rows: FrameRows) -> Relative:
        """Coordinates with derivatives by the dofs of the bodies."""
        table = rows.table
        G, interpolation = table[:, kernels.JACOBIAN], self.interpolation
        load_interpolation = self.load_interpolation(rows.spinning)

        def d_load(load: Floats) -> Floats:
            second = (load @ table[:, kernels.SECOND]).reshape(12, 12)
            change = load_interpolation.T @ second @ interpolation
            self.subtract_d_load(change, -(load @ G))
            return change

        return Relative(
            rows.value,
            rows.rate,
            G @ load_interpolation,
            lambda: table[:, kernels.D_RATE] @ interpolation + G @ self.d_interpolation,
            d_load,
        )

    @cached_property
    def interpolation(self) -> Floats:
        """Steps of both frames per increment of the dofs, (12, n)."""
        return _diagonal(self.a.interpolation, self.b.interpolation)

    @cached_property
    def d_interpolation(self) -> Floats:
        """Derivative of the twist along an increment of the dofs, (12, n)."""
        return _diagonal(self.a.d_interpolation, self.b.d_interpolation)

    def load_interpolation(self, spinning: bool) -> Floats:
        """Twist of the frames, or of the material, per velocity, (12, n)."""
        a, b = self.a.spin_interpolation, self.b.spin_interpolation
        if not spinning or (a is None and b is None):
            return self.interpolation
        result, n = self.interpolation.copy(), self.a.interpolation.shape[1]
        result[3:6, :n] += 0.0 if a is None else a
        result[9:, n:] += 0.0 if b is None else b
        return result

    def subtract_d_load(self, matrix: Floats, wrench: Floats) -> None:
        """Subtract the derivative (n, n) of interpolation^T wrench at a fixed wrench (12,)."""
        n = self.a.interpolation.shape[1]
        if n:
            matrix[:n, :n] -= self.a.d_load(wrench[:3], wrench[3:6])
        if self.b.interpolation.shape[1]:
            matrix[n:, n:] -= self.b.d_load(wrench[6:9], wrench[9:])

    @cached_property
    def _turn(self) -> Floats:
        return self.a.rotation.T @ self.b.rotation


def _diagonal(a: Floats, b: Floats) -> Floats:
    """Block-diagonal matrix of two blocks."""
    (i, j), (k, m) = a.shape, b.shape
    result = np.zeros((i + k, j + m))
    result[:i, :j] = a
    result[i:, j:] = b
    return result
