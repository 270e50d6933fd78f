"""Elastic bushing with full 6 x 6 stiffness and damping."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from fecontact.body.marker import MarkedBody
from fecontact.errors import InputError, invalid
from fecontact.joint.element import FrameElement, Law, Viscoelastic
from fecontact.joint.frames import FrameRows, Frames
from fecontact.joint.lowered.elements import lowered_element
from fecontact.joint.lowered.laws import linear_law
from fecontact.joint.lowered.relative_motion import DISPLACEMENT, RELATIVE_ROTATION
from fecontact.joint.marker import MarkerPair, Point
from fecontact.joint.translation import Coordinates
from fecontact.kernels.lowered import Lowered
from fecontact.typing import Floats

__all__ = ["Bushing"]


@dataclass(frozen=True, eq=False)
class Bushing(FrameElement, Viscoelastic):
    """Spring-damper of all six relative motions: load = C s + D s', s = (u, theta).

    u is the displacement of the point on b seen from a, theta the relative rotation vector (below
    pi), both in a marker frame fixed in body a; s = 0 in the reference position. Force and moment
    are conjugate to s: they derive from the energy s^T C s / 2, and act on both bodies at the same
    place.

    Parameters
    ----------
    a, b
        The bodies; None is the ground.
    stiffness, damping
        C and D, symmetric and not negative: diagonal (6,) or matrix (6, 6), in N/m, N m/rad (and N
        for the coupling), and the same times s.
    point
        On b: name of a point or surface; or components: relative to the centre of mass of a rigid
        body, in the mesh of an elastic one, position on the ground; in m.
    frame
        Axes of the marker frame as columns (3, 3), in the reference position; by default x, y, z.
    """

    LAW = frozenset({"stiffness", "damping"})

    a: MarkedBody | None
    b: MarkedBody | None
    stiffness: Floats | tuple[float, ...]
    damping: Floats | tuple[float, ...] = (0.0,) * 6
    point: Point = (0.0, 0.0, 0.0)
    frame: Floats | None = None
    name: str = "bushing"
    pair: MarkerPair = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._check_law()
        E = self._frame
        if E.shape != (3, 3) or not np.allclose(E.T @ E, np.eye(3)) or np.linalg.det(E) < 0.0:
            raise InputError(
                f"{self.name}: invalid frame = {self.frame}: expected three orthogonal unit "
                "vectors as columns, right-handed"
            )
        pair = MarkerPair(self.name, self.a, self.b, self.point, axes=E)
        object.__setattr__(self, "pair", pair)
        pair.refuse_spin()

    def _check_law(self) -> None:
        _matrix(f"{self.name}: stiffness", self.stiffness)
        _matrix(f"{self.name}: damping", self.damping)

    def rows(self, frames: Frames) -> FrameRows:
        """Displacement and rotation vector (6,) in the marker frame."""
        return FrameRows.stacked([frames.displacement(), frames.rotation()])

    def load(self, t: float, s: Floats, rate: Floats) -> Law:
        """Force and moment (6,) in the marker frame that take b back."""
        return self._stiffness @ s + self._damping @ rate, self._stiffness, self._damping

    def lowered(self) -> Lowered | None:
        """The bushing as a compiled function; None if a body has none."""
        law = linear_law(self._stiffness, self._damping, np.zeros(6))
        return lowered_element(self.pair, self.coordinates, law)

    @cached_property
    def coordinates(self) -> Coordinates:
        """Displacement and rotation vector as programs see them."""
        parts = [(DISPLACEMENT, np.zeros(3)), (RELATIVE_ROTATION, np.zeros(3))]
        return Coordinates(parts, np.eye(6), np.zeros(6))

    def potential(self, s: Floats) -> float:
        """Elastic energy in J."""
        return float(0.5 * s @ self._stiffness @ s)

    @cached_property
    def _frame(self) -> Floats:
        return np.eye(3) if self.frame is None else np.asarray(self.frame, dtype=float)

    @cached_property
    def _stiffness(self) -> Floats:
        return _matrix(f"{self.name}: stiffness", self.stiffness)

    @cached_property
    def _damping(self) -> Floats:
        return _matrix(f"{self.name}: damping", self.damping)


def _matrix(name: str, given: Floats | tuple[float, ...]) -> Floats:
    """Symmetric matrix (6, 6) without negative eigenvalues, or an `InputError`.

    Stiffnesses against displacement and rotation have different units; the sign of the eigenvalues
    is judged after scaling the diagonal to one.
    """
    values = np.asarray(given, dtype=float)
    matrix = np.diag(values) if values.ndim == 1 else values
    if matrix.shape != (6, 6) or not np.isfinite(matrix).all():
        raise InputError(f"{invalid(name)}: expected 6 numbers or a 6 x 6 matrix, finite")
    if not np.allclose(matrix, matrix.T, rtol=1e-9, atol=0.0):
        raise InputError(f"{invalid(name)}: expected a symmetric matrix")
    diagonal = np.diag(matrix)
    scale = np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0))
    lowest = float(np.linalg.eigvalsh(matrix / np.outer(scale, scale))[0])
    if lowest < -1e-12:
        raise InputError(
            f"{invalid(name)}: expected eigenvalues >= 0; the lowest is {lowest:.3g} after scaling "
            "its diagonal to one"
        )
    return matrix
