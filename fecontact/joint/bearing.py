"""Viscoelastic bearing of a body in another one or in the ground (Jehle 6.4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from fecontact.body.marker import MarkedBody
from fecontact.errors import FINITE, NON_NEGATIVE, InputError, check
from fecontact.joint.element import FrameElement, Law, Viscoelastic
from fecontact.joint.frames import FrameRows, Frames
from fecontact.joint.lowered import lowered_element
from fecontact.joint.lowered_laws import linear_law
from fecontact.joint.marker import (
    Axis,
    MarkerPair,
    Point,
    Vector,
    axis_vector,
    frame_about,
    vector,
)
from fecontact.joint.relative_motion import DIRECTION, DISPLACEMENT
from fecontact.joint.translation import Coordinates
from fecontact.kernels.lowered import Lowered
from fecontact.typing import Floats

__all__ = ["Bearing"]

Z_AXIS = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class Bearing(FrameElement, Viscoelastic):
    """Linear spring-damper, isotropic about its axis; the body is free to spin in it.

        load = C s + D s',      s = (u_x - u_0x, u_y - u_0y, u_z - u_0z, e_x, e_y)

    u is the displacement of a point of the body from its reference position, and e the direction of
    the body's bearing axis; both are seen from the housing, with z along its bearing axis. (e_x,
    e_y) is the tilt of the axis, its length the sine of the tilt angle; it does not depend on the
    spin of the body. The energy is

        (c_r |u_r|^2 + c_a u_z^2 + c_t |e|^2) / 2 + c_rt u_r . e

    Parameters
    ----------
    body
        The supported body.
    radial_stiffness, axial_stiffness
        c_r and c_a in N/m.
    radial_damping, axial_damping
        In N s/m.
    offset
        Displacement u_0 of the unloaded bearing in m, space components in the reference position.
    point
        Supported point: its name or that of a surface; or components, relative to the centre of
        mass of a rigid body or in the mesh of an elastic one, in m.
    housing
        Body that holds the bearing; None is the ground.
    axis
        "x", "y", "z" or a direction, in the reference position.
    tilt_stiffness, tilt_damping
        c_t in N m/rad, and in N m s/rad.
    cross_stiffness, cross_damping
        Coupling c_rt of radial displacement and tilt in N/rad, and in N s/rad; the matrices must
        not become negative: cross^2 <= radial x tilt.
    """

    LAW = frozenset({
        "radial_stiffness", "axial_stiffness", "radial_damping", "axial_damping", "tilt_stiffness",
        "tilt_damping", "cross_stiffness", "cross_damping",
    })  # fmt: skip

    body: MarkedBody
    radial_stiffness: float
    axial_stiffness: float
    radial_damping: float = 0.0
    axial_damping: float = 0.0
    offset: Vector = (0.0, 0.0, 0.0)
    point: Point = (0.0, 0.0, 0.0)
    name: str = "bearing"
    housing: MarkedBody | None = None
    axis: Axis = "z"
    tilt_stiffness: float = 0.0
    tilt_damping: float = 0.0
    cross_stiffness: float = 0.0
    cross_damping: float = 0.0
    pair: MarkerPair = field(init=False, repr=False)
    _offset: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        E = frame_about(axis_vector(f"{self.name}: axis", self.axis))
        pair = MarkerPair(self.name, self.housing, self.body, self.point, axes=E)
        object.__setattr__(self, "pair", pair)
        object.__setattr__(self, "_offset", vector(f"{self.name}: offset", self.offset, "m") @ E)
        self._check_law()

    def _check_law(self) -> None:
        for kind, force, moment in (("stiffness", "N/m", "N m/rad"), ("damping", "N s/m", "N m s")):
            for motion, unit in (("radial", force), ("axial", force), ("tilt", moment)):
                value = getattr(self, f"{motion}_{kind}")
                check(f"{self.name}: {motion}_{kind}", value, NON_NEGATIVE, unit)
            self._check_cross(kind)

    def rows(self, frames: Frames) -> FrameRows:
        """Displacement and tilt (5,) seen from the housing."""
        displacement = frames.displacement().shifted(self._offset)
        return FrameRows.stacked([displacement, frames.direction(Z_AXIS).first(2)])

    def load(self, t: float, s: Floats, rate: Floats) -> Law:
        """Force (3) and tilting moment (2) that take the body back."""
        C, D = self._stiffness, self._damping
        return C @ s + D @ rate, C, D

    def lowered(self) -> Lowered | None:
        """The bearing as a compiled function; None if a body has none."""
        law = linear_law(self._stiffness, self._damping, np.zeros(5))
        return lowered_element(self.pair, self.coordinates, law)

    @cached_property
    def coordinates(self) -> Coordinates:
        """Displacement and tilt as programs see them."""
        parts = [(DISPLACEMENT, np.zeros(3)), (DIRECTION, Z_AXIS)]
        return Coordinates(parts, np.eye(5, 6), np.append(self._offset, [0.0, 0.0]))

    def potential(self, s: Floats) -> float:
        """Elastic energy in J."""
        return float(0.5 * s @ self._stiffness @ s)

    def _check_cross(self, kind: str) -> None:
        radial, tilt, cross = (getattr(self, f"{m}_{kind}") for m in ("radial", "tilt", "cross"))
        check(f"{self.name}: cross_{kind}", cross, FINITE)
        if cross**2 > radial * tilt * (1.0 + 1e-12):
            raise InputError(
                f"{self.name}: invalid cross_{kind} = {cross}: expected its square <= "
                f"radial_{kind} x tilt_{kind} = {radial * tilt:.6g}"
            )

    @cached_property
    def _stiffness(self) -> Floats:
        return _isotropic(
            self.radial_stiffness, self.axial_stiffness, self.tilt_stiffness, self.cross_stiffness
        )

    @cached_property
    def _damping(self) -> Floats:
        return _isotropic(
            self.radial_damping, self.axial_damping, self.tilt_damping, self.cross_damping
        )


def _isotropic(radial: float, axial: float, tilt: float, cross: float) -> Floats:
    """Matrix (5, 5) of displacement and tilt, isotropic about z."""
    return np.array([
        [radial, 0.0, 0.0, cross, 0.0],
        [0.0, radial, 0.0, 0.0, cross],
        [0.0, 0.0, axial, 0.0, 0.0],
        [cross, 0.0, 0.0, tilt, 0.0],
        [0.0, cross, 0.0, 0.0, tilt],
    ])  # fmt: skip
