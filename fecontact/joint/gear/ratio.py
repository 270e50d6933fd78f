"""Ideal ratio of two shafts in a housing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fecontact.body.marker import MarkedBody
from fecontact.errors import InputError, at_least, check
from fecontact.joint.lowered.rows import Symbols, lowered_rows
from fecontact.joint.marker import Axis, MarkerPair, axis_vector
from fecontact.joint.refuse import refuse_moving_frames
from fecontact.joint.relative import Relative
from fecontact.kernels.lowered import Lowered
from fecontact.typing import Floats, Integers, Level

__all__ = ["GearRatio"]


@dataclass(frozen=True, eq=False)
class GearRatio:
    """Constraint of velocity level on the speeds of two shafts: z_1 omega_1 = -+ z_2 omega_2.

        external gears   0 = z_1 omega_1 + z_2 omega_2
        internal gears   0 = z_1 omega_1 - z_2 omega_2

    omega is the angular velocity relative to the housing, about an axis that is fixed in it. The
    shafts get the moments z_1 lam and +- z_2 lam about their axes and no forces; the housing gets
    the reaction. Axes in different directions make a bevel pair.

    Parameters
    ----------
    a, b
        The shafts.
    teeth
        z_1, z_2.
    internal
        Whether one of the gears is a ring with internal teeth.
    axis, axis_b
        "x", "y", "z" or a direction, in the reference position; axis_b is the same by default.
    housing
        Body that carries the bearings of both; None is the ground.

    Examples
    --------
    >>> from fecontact.body import RigidBody
    >>> one = RigidBody("one", 1.0, ("rz",), inertia=(1.0, 1.0, 1.0))
    >>> two = RigidBody("two", 1.0, ("rz",), inertia=(1.0, 1.0, 1.0))
    >>> GearRatio(one, two, (20, 40)).at(0.0, np.zeros(2), np.array([10.0, -5.0])).rate.tolist()
    [0.0]
    """

    a: MarkedBody
    b: MarkedBody
    teeth: tuple[int, int]
    internal: bool = False
    axis: Axis = "z"
    axis_b: Axis | None = None
    housing: MarkedBody | None = None
    name: str = "gear ratio"

    def __post_init__(self) -> None:
        for teeth in self.teeth:
            check(f"{self.name}: teeth", teeth, at_least(1))
        if self.a is self.b:
            raise InputError(f"{self.name}: invalid shafts, both '{self.a.name}': expected two")
        for pair, row in zip(self._pairs, self._factors, strict=True):
            refuse_moving_frames(pair)
            turning = pair.reference().angular_velocity().mapped(row)
            if not (np.any(turning.jacobian) or np.any(turning.rate)):
                raise InputError(
                    f"{self.name}: '{pair.bodies[-1].name}' cannot turn about the axis of the ratio"
                )

    @property
    def bodies(self) -> tuple[MarkedBody, ...]:
        """The housing, if it is a body, and the shafts a and b."""
        shafts = (self.a, self.b)
        return shafts if self.housing is None else (self.housing, *shafts)

    @property
    def rows(self) -> tuple[str]:
        """The one row."""
        return ("ratio",)

    @property
    def level(self) -> Level:
        """Velocities."""
        return "velocity"

    def at(self, t: float, q: Floats, v: Floats) -> Relative:
        """The row."""
        first, second = (self._shaft(index, t, q, v) for index in (0, 1))
        return Relative(
            np.zeros(1),
            first.rate + second.rate,
            first.jacobian + second.jacobian,
            lambda: first.d_rate() + second.d_rate(),
            lambda load: first.d_load(load) + second.d_load(load),
        )

    def bias(self, t: float, q: Floats, v: Floats) -> Floats:
        """Return c'' - A v', shape (1,)."""
        return self.at(t, q, v).d_rate() @ v

    def lowered(self) -> Lowered | None:
        """Compiled form of the row (`joint.lowered.rows`); None if a body has none."""
        speeds = []
        for pair, row in zip(self._pairs, self._factors, strict=True):
            symbols = Symbols(common_axis=False)
            rate = symbols.angular_velocity().mapped(row)
            speeds.append((pair, symbols.coordinates(rate)))
        return lowered_rows(self.bodies, speeds, 1, velocity=True)

    def _shaft(self, index: int, t: float, q: Floats, v: Floats) -> Relative:
        """Speed of a shaft times its factor, as a function of the dofs of all bodies."""
        chosen = [0, index + 1] if self.housing is not None else [index]
        own_q = _dof_indices([len(body.reference()) for body in self.bodies], chosen)
        dofs = _dof_indices([len(body.dofs) for body in self.bodies], chosen)
        spread = np.eye(len(v))[dofs]
        motion = self._pairs[index].motion(q[own_q], v[dofs], t)
        own = motion.angular_velocity().mapped(self._factors[index])
        return Relative(
            own.value,
            own.rate,
            own.jacobian @ spread,
            lambda: own.d_rate() @ spread,
            lambda load: spread.T @ own.d_load(load) @ spread,
        )

    @cached_property
    def _pairs(self) -> tuple[MarkerPair, MarkerPair]:
        first, second = (MarkerPair(self.name, self.housing, shaft) for shaft in (self.a, self.b))
        return first, second

    @cached_property
    def _factors(self) -> tuple[Floats, Floats]:
        """Rows (1, 3) that take the angular velocities to the constraint."""
        sign = -1.0 if self.internal else 1.0
        axis = axis_vector(f"{self.name}: axis", self.axis)
        other = axis if self.axis_b is None else axis_vector(f"{self.name}: axis_b", self.axis_b)
        return self.teeth[0] * axis[None], sign * self.teeth[1] * other[None]


def _dof_indices(sizes: list[int], chosen: list[int]) -> Integers:
    """Indices of the chosen bodies in the coordinates of all."""
    ends = np.cumsum(sizes)
    return np.concatenate([np.arange(ends[i] - sizes[i], ends[i]) for i in chosen])
