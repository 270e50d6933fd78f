"""Motion of points and markers on a body, with the derivatives that joints and contacts need."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from fecontact.typing import Floats

__all__ = ["MarkerMotion", "PointMotion", "RigidPointMotion"]


class PointMotion(Protocol):
    """Position and velocity of p points of a body with n dofs.

    Derivatives are taken along steps of the body's dofs (`Body.move`).
    """

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
        """Function of forces F (p, 3): derivative (n, n) of sum J^T F along a step, at fixed F."""
        ...


@dataclass(frozen=True)
class RigidPointMotion:
    """Points of a rigid body; a `PointMotion`."""

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
    lift : (6, n)
        Takes v to velocity and omega, and a step to the displacement and rotation of the marker.
    d_lift : (6, n)
        Derivative of velocity and omega along a step, at fixed v.
    d_load
        Function of a force (3,) in space and a moment (3,) in marker components: derivative (n, n)
        of lift^T (force, moment) along a step, at fixed force and moment.
    spin : (3,)
        Angular velocity of the material relative to the axes, in marker components.
    spin_lift : (3, n) or None
        Takes v to the spin; None if the spin is no dof.
    angle : (3,)
        Rotation vector of a body with a single rotation; zero for others.
    """

    position: Floats
    velocity: Floats
    rotation: Floats
    omega: Floats
    lift: Floats
    d_lift: Floats
    d_load: Callable[[Floats, Floats], Floats]
    spin: Floats
    spin_lift: Floats | None
    angle: Floats

    @property
    def jacobian(self) -> Floats:
        """Rows (3, n) of the velocity in `lift`."""
        return self.lift[:3]

    @property
    def turning(self) -> Floats:
        """Rows (3, n) of omega in `lift`."""
        return self.lift[3:]

    @property
    def material_turning(self) -> Floats:
        """Takes v (n,) to the angular velocity of the material, omega + spin, (3, n)."""
        return self.lift[3:] if self.spin_lift is None else self.lift[3:] + self.spin_lift

    @property
    def d_velocity(self) -> Floats:
        """Rows (3, n) of the velocity in `d_lift`."""
        return self.d_lift[:3]

    @property
    def d_omega(self) -> Floats:
        """Rows (3, n) of omega in `d_lift`."""
        return self.d_lift[3:]
