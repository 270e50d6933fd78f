"""Spring-dampers between two points, about an axis, and one-sided ones (stops)."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np

from fecontact.body.marker import MarkedBody
from fecontact.errors import FINITE, NON_NEGATIVE, InputError, check
from fecontact.joint.curve import Curve, Line, curve_through
from fecontact.joint.element import FrameElement, Law, Viscoelastic
from fecontact.joint.frames import FrameRows, Frames
from fecontact.joint.lowered.elements import lowered_element
from fecontact.joint.lowered.laws import curve_law, stop_law
from fecontact.joint.lowered.relative_motion import DISPLACEMENT, DISTANCE, RELATIVE_ROTATION
from fecontact.joint.marker import Axis, MarkerPair, Point, axis_vector, frame_about
from fecontact.joint.translation import Coordinates
from fecontact.kernels.lowered import Lowered
from fecontact.typing import Floats

__all__ = ["SoftStop", "SpringDamper", "TorsionSpring"]

NONE = np.zeros(3)
LAST = np.array([[0.0, 0.0, 1.0]])
"""The last of three coordinates: the component along z."""


class _Spring(FrameElement, Viscoelastic):
    """Spring and damper with preload along one relative coordinate s."""

    UNITS: ClassVar[tuple[str, str, str]]
    """Units of its load, stiffness and damping."""

    name: str
    stiffness: float | Curve
    damping: float
    preload: float

    def load(self, t: float, s: Floats, rate: Floats) -> Law:
        """Force or moment (1,) that resists s."""
        x, curve = float(s[0]), self._curve
        load = self.preload + curve.value(x) + self.damping * rate
        return load, np.array([[curve.slope(x)]]), np.array([[self.damping]])

    def potential(self, s: Floats) -> float:
        """Energy of the spring in J, zero at s = 0."""
        return self._curve.integral(s[0]) + self.preload * float(s[0])

    @property
    @abstractmethod
    def coordinates(self) -> Coordinates:
        """Its coordinate as programs see it."""

    def lowered(self) -> Lowered | None:
        """The spring as a compiled function; None if a body or its curve has none."""
        law = curve_law(self._curve, self.damping, self.preload)
        return lowered_element(self.pair, self.coordinates, law)

    @cached_property
    def _curve(self) -> Curve:
        return curve_through(f"{self.name}: stiffness", self.stiffness, Line)

    def _check_law(self) -> None:
        units = self.UNITS
        if isinstance(self._curve, Line):
            check(f"{self.name}: stiffness", self._curve.gradient, NON_NEGATIVE, units[1])
        check(f"{self.name}: damping", self.damping, NON_NEGATIVE, units[2])
        check(f"{self.name}: preload", self.preload, FINITE, units[0])


@dataclass(frozen=True, eq=False)
class SpringDamper(_Spring):
    """Spring and damper along the line between two points: F = F_0 + c (l - l_0) + d l'.

    F > 0 pulls the points together.

    Parameters
    ----------
    a, b
        The bodies; None is the ground.
    stiffness
        c in N/m, or a curve of the force in N over the elongation l - l_0 in m.
    damping
        d in N s/m.
    point_a, point_b
        Name of a point or surface; or components: relative to the centre of mass of a rigid body,
        in the mesh of an elastic one, position on the ground; in m.
    free_length
        l_0 in m; by default the distance in the reference position.
    preload
        F_0 in N.
    """

    LAW = frozenset({"stiffness", "damping", "preload"})
    UNITS = ("N", "N/m", "N s/m")

    a: MarkedBody | None
    b: MarkedBody | None
    stiffness: float | Curve
    damping: float = 0.0
    point_a: Point = (0.0, 0.0, 0.0)
    point_b: Point = (0.0, 0.0, 0.0)
    free_length: float | None = None
    preload: float = 0.0
    name: str = "spring"
    pair: MarkerPair = field(init=False, repr=False)

    def __post_init__(self) -> None:
        pair = MarkerPair(self.name, self.a, self.b, self.point_b, self.point_a)
        object.__setattr__(self, "pair", pair)
        self._check_law()
        reference = self.pair.reference()
        if not np.any(reference.b.position - reference.a.position):
            raise InputError(
                f"{self.name}: its points coincide in the reference position, so it has no "
                "direction; use a bushing"
            )
        if self.free_length is not None:
            check(f"{self.name}: free_length", self.free_length, NON_NEGATIVE, "m")

    def rows(self, frames: Frames) -> FrameRows:
        """Elongation l - l_0 (1,)."""
        return frames.distance().shifted(self._free_length)

    @cached_property
    def coordinates(self) -> Coordinates:
        """Its coordinate as programs see it."""
        return Coordinates([(DISTANCE, NONE)], np.eye(1), self._free_length)

    @cached_property
    def _free_length(self) -> Floats:
        if self.free_length is None:
            reference = self.pair.reference()
            return np.array([np.linalg.norm(reference.b.position - reference.a.position)])
        return np.array([self.free_length])


@dataclass(frozen=True, eq=False)
class TorsionSpring(_Spring):
    """Torsion spring and damper: M = M_0 + c theta + d theta', theta the angle from a to b.

    theta is the component along the axis of the relative rotation vector. Bodies that turn about
    one common axis only may turn by any angle; other rotations must stay below pi. M is conjugate
    to theta, so that energy is conserved in large rotations too.

    Parameters
    ----------
    a, b
        The bodies; None is the ground.
    stiffness
        c in N m/rad, or a curve of the moment in N m over the angle in rad.
    damping
        d in N m s/rad.
    axis
        "x", "y", "z" or a direction, fixed in body a.
    preload
        M_0 in N m, in the reference position.
    point
        On b, as that of a `SoftStop`; it matters for elastic bodies only.
    """

    LAW = frozenset({"stiffness", "damping", "preload"})
    UNITS = ("N m", "N m/rad", "N m s/rad")

    a: MarkedBody | None
    b: MarkedBody | None
    stiffness: float | Curve
    damping: float = 0.0
    axis: Axis = "z"
    preload: float = 0.0
    name: str = "torsion spring"
    point: Point = (0.0, 0.0, 0.0)
    pair: MarkerPair = field(init=False, repr=False)

    def __post_init__(self) -> None:
        E = frame_about(axis_vector(f"{self.name}: axis", self.axis))
        pair = MarkerPair(self.name, self.a, self.b, self.point, axes=E)
        object.__setattr__(self, "pair", pair)
        self._check_law()
        self.pair.refuse_spin()

    def rows(self, frames: Frames) -> FrameRows:
        """Angle of b relative to a (1,)."""
        return frames.rotation().last()

    @cached_property
    def coordinates(self) -> Coordinates:
        """Its coordinate as programs see it."""
        return Coordinates([(RELATIVE_ROTATION, NONE)], LAST, np.zeros(1))


@dataclass(frozen=True, eq=False)
class SoftStop(FrameElement, Viscoelastic):
    """One-sided spring and damper that limits the displacement u of b along an axis of a.

        F = max(0, c (u - gap) + d u')   where u > gap,   else 0

    u is counted from the reference position; the stop only pushes.

    Parameters
    ----------
    a, b
        The bodies; None is the ground.
    stiffness
        c in N/m.
    gap
        Free travel in m; negative if the stop presses already in the reference position.
    damping
        d in N s/m.
    axis
        "x", "y", "z" or a direction, fixed in body a; the stop lies at its positive end.
    point
        On b: name of a point or surface; or components, relative to the centre of mass of a rigid
        body or in the mesh of an elastic one, in m.
    """

    a: MarkedBody | None
    b: MarkedBody | None
    stiffness: float
    gap: float
    damping: float = 0.0
    axis: Axis = "z"
    point: Point = (0.0, 0.0, 0.0)
    name: str = "stop"
    pair: MarkerPair = field(init=False, repr=False)

    def __post_init__(self) -> None:
        E = frame_about(axis_vector(f"{self.name}: axis", self.axis))
        pair = MarkerPair(self.name, self.a, self.b, self.point, axes=E)
        object.__setattr__(self, "pair", pair)
        check(f"{self.name}: stiffness", self.stiffness, NON_NEGATIVE, "N/m")
        check(f"{self.name}: damping", self.damping, NON_NEGATIVE, "N s/m")
        check(f"{self.name}: gap", self.gap, FINITE, "m")

    def rows(self, frames: Frames) -> FrameRows:
        """Displacement u of b along the axis (1,)."""
        return frames.displacement().last()

    def load(self, t: float, s: Floats, rate: Floats) -> Law:
        """Force (1,) that pushes b back."""
        depth = float(s[0]) - self.gap
        push = self.stiffness * depth + self.damping * float(rate[0])
        if depth <= 0.0 or push <= 0.0:
            return np.zeros(1), np.zeros((1, 1)), np.zeros((1, 1))
        return np.array([push]), np.array([[self.stiffness]]), np.array([[self.damping]])

    def lowered(self) -> Lowered | None:
        """The stop as a compiled function; None if a body has none."""
        law = stop_law(self.stiffness, self.damping, self.gap)
        return lowered_element(self.pair, self.coordinates, law)

    @property
    def coordinates(self) -> Coordinates:
        """Its coordinate as programs see it."""
        return Coordinates([(DISPLACEMENT, NONE)], LAST, np.zeros(1))

    def potential(self, s: Floats) -> float:
        """Energy of the pressed stop in J."""
        return 0.5 * self.stiffness * max(0.0, float(s[0]) - self.gap) ** 2
