"""Motion of points and markers on a body, with the derivatives that joints and contacts need."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from fecontact.typing import Chosen, Floats

__all__ = [
    "FrameParts",
    "MarkerMotion",
    "PointMotion",
    "RigidFrame",
    "RigidPointMotion",
    "SpinFrame",
]

NOTHING = np.zeros(0)


class PointMotion:
    """Position and velocity of p points of a body with n dofs.

    Derivatives are taken along steps of the body's dofs (`Body.move`).
    """

    if TYPE_CHECKING:  # a property would be taken for the default of a field

        @property
        def position(self) -> Floats:
            """Positions (p, 3) in space."""
            ...

        @property
        def velocity(self) -> Floats:
            """Velocities (p, 3) of the material in space."""
            ...

        @property
        def jacobian(self) -> Floats:
            """Derivative (p, 3, n) of the velocity by v; its transpose takes forces to the dofs."""
            ...

        @property
        def displacement(self) -> Floats:
            """Derivative (p, 3, n) of the position along a step; a free spin moves no point."""
            ...

        @property
        def d_velocity(self) -> Floats:
            """Derivative (p, 3, n) of the velocity along a step, at fixed v."""
            ...

        @property
        def d_load(self) -> Callable[[Floats], Floats]:
            """Function of F (p, 3): derivative (n, n) of sum J^T F along a step, at fixed F."""
            ...

    def apply_transpose(self, force: Floats) -> Floats:
        """Generalised force (n,) = sum J^T F of forces F (p, 3)."""
        return np.asarray(self.jacobian.reshape(force.size, -1).T @ force.ravel())

    def part(self, rows: Chosen) -> Self | None:
        """Some of the points; None if they cannot be divided."""
        return None


@dataclass(frozen=True)
class RigidPointMotion(PointMotion):
    """Points whose motion is known as arrays."""

    position: Floats
    velocity: Floats
    jacobian: Floats
    d_velocity: Floats
    d_load: Callable[[Floats], Floats]
    displacement: Floats


class MarkerMotion(NamedTuple):
    """Motion of a marker: a point of a body with n dofs, and axes that turn with it.

    Derivatives are taken along steps of the body's dofs (`Body.move`).

    Attributes
    ----------
    position, velocity : (3,)
        In space; the velocity is that of the material.
    rotation : (3, 3)
        From marker to space components.
    omega : (3,)
        Angular velocity of the axes, in marker components.
    interpolation : (6, n)
        Takes v to velocity and omega, and a step to the displacement and rotation of the marker.
    d_interpolation : (6, n)
        Derivative of velocity and omega along a step, at fixed v.
    d_load
        Function of a force (3,) in space and a moment (3,) in marker components: derivative (n, n)
        of interpolation^T (force, moment) along a step, at fixed force and moment.
    spin : (3,)
        Angular velocity of the material relative to the axes, in marker components.
    spin_interpolation : (3, n) or None
        Takes v to the spin; None if the spin is no dof.
    angle : (3,)
        Rotation vector of a body with a single rotation; zero for others.
    """

    position: Floats
    velocity: Floats
    rotation: Floats
    omega: Floats
    interpolation: Floats
    d_interpolation: Floats
    d_load: Callable[[Floats, Floats], Floats]
    spin: Floats
    spin_interpolation: Floats | None
    angle: Floats

    @property
    def jacobian(self) -> Floats:
        """Rows (3, n) of the velocity in `interpolation`."""
        return self.interpolation[:3]

    @property
    def angular_jacobian(self) -> Floats:
        """Rows (3, n) of omega in `interpolation`."""
        return self.interpolation[3:]

    @property
    def material_angular_jacobian(self) -> Floats:
        """Takes v (n,) to the angular velocity of the material, omega + spin, (3, n)."""
        own, spin = self.interpolation[3:], self.spin_interpolation
        return own if spin is None else own + spin

    @property
    def d_velocity(self) -> Floats:
        """Rows (3, n) of the velocity in `d_interpolation`."""
        return self.d_interpolation[:3]

    @property
    def d_omega(self) -> Floats:
        """Rows (3, n) of omega in `d_interpolation`."""
        return self.d_interpolation[3:]


class RigidFrame(NamedTuple):
    """Frame of a rigid body, with which all its points move; omega is that of the material.

    The same answers as those of a `FloatingMotion`, for a body without elastic coordinates. Loads
    (6,) are a force in space and the moment about the origin in components of the frame.
    """

    marker: MarkerMotion

    @property
    def origin(self) -> Floats:
        """Origin (3,) in space."""
        return self.marker.position

    @property
    def rotation(self) -> Floats:
        """From frame to space components (3, 3)."""
        return self.marker.rotation

    @property
    def velocity(self) -> Floats:
        """Velocity (3,) of the origin in space."""
        return self.marker.velocity

    @property
    def omega(self) -> Floats:
        """Angular velocity (3,) of the material in frame components."""
        return self.marker.omega + self.marker.spin

    @property
    def elastic(self) -> Floats:
        """No elastic coordinates (0,)."""
        return NOTHING

    @property
    def rate(self) -> Floats:
        """No rates (0,)."""
        return NOTHING

    def generalised(self, load: Floats) -> Floats:
        """Generalised force (n,) of a load."""
        at = self.marker
        return at.jacobian.T @ load[:3] + at.material_angular_jacobian.T @ load[3:6]

    def maps(self) -> tuple[Floats, Floats, Floats]:
        """Maps (6, n) of the dofs to its motion: of steps, of velocities, and their change."""
        at = self.marker
        rate = np.concatenate([at.jacobian, at.material_angular_jacobian])
        return at.interpolation, rate, at.d_interpolation

    def d_load(self, load: Floats) -> Floats:
        """Derivative (n, n) of `generalised` along a step, at a fixed load."""
        return self.marker.d_load(load[:3], load[3:6])


class SpinFrame(NamedTuple):
    """Frame in which the history of contact points of a body with n dofs is kept.

    Attributes
    ----------
    rotation : (3, 3)
        From frame to space components.
    angular_jacobian : (3, n)
        Rotation along a step, in space components.
    spin
        Speed Omega in rad/s of the material through the points.
    angle
        Angle of the spin in rad if it is a coordinate; the time integral of `spin`.
    by_step : (n,)
        Derivative of `angle` along a step, and of `spin` by v.
    """

    rotation: Floats
    angular_jacobian: Floats
    spin: float
    angle: float
    by_step: Floats


class FrameParts(NamedTuple):
    """How n dofs move a frame: translations add up, rotations are none, an angle or a quaternion.

    Attributes
    ----------
    origin : (3,)
        Where the frame is at rest; rotations are about it.
    shift : (3, n)
        Displacement per dof.
    axes : (3, n)
        Angular velocity per velocity, in components of the frame.
    spin : (n,)
        Spin of the material about z per velocity.
    spin_rate
        Prescribed spin in rad/s.
    turn, place
        Number of coordinates of the rotation, 0, 1 or 4, and where they begin among those of the
        body. All others are those of the dofs that do not turn, in turn.
    point : (3,)
        Origin of the axes, relative to the frame.
    frame : (3, 3)
        Axes, as columns.
    """

    origin: Floats
    shift: Floats
    axes: Floats
    spin: Floats
    spin_rate: float
    turn: int
    place: int
    point: Floats
    frame: Floats

    @property
    def translates(self) -> bool:
        """Whether none of its dofs turns it, and nothing spins."""
        return not (self.axes.any() or self.spin.any() or self.spin_rate or self.turn)

    @staticmethod
    def at_rest(n: int, origin: Floats, frame: Floats) -> FrameParts:
        """Parts of a frame that none of n dofs moves."""
        none = np.zeros((3, n))
        return FrameParts(origin, none, none, np.zeros(n), 0.0, 0, 0, np.zeros(3), frame)
