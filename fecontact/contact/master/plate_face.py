"""Upper face of a spinning elastic plate as a master surface.

The mid-surface is z = w(X), X in the plane; the face is the parallel surface at the distance
h/2. A slave point x has its projection point X on the mid-surface along the unit normal n,

    x = (X, w) + (h/2 + g) n,      n = n_z (-grad w, 1),      n_z = (1 + |grad w|^2)^(-1/2)

so the gap g is a true distance: dg = n . dx - n_z W dq, and the normal force is conservative. The
plate's material at the face moves, by Kirchhoff's kinematics, with

    v = Omega e_z x x + Phi (q' + Omega Delta q),     Phi = W e_z - (h/2) n_z (I - n n^T) grad W

and carries the load F on the slave as the generalised force -Phi^T F: the lever h/2 of friction
is what couples sliding to bending (Jehle 3.24, 3.31, 3.33; to first order in the slopes these are
his formulas). The frame's rotation is taken at the slave point, where both forces act.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NoReturn

import numpy as np

from fecontact.body.spinning import SpinningDisc
from fecontact.contact.kernels.plate.field import Plate
from fecontact.contact.kernels.plate.projection import (
    PointsOnPlate,
    PointsOnPlateSlopes,
    d_plate,
    d_plate_load,
    project_on_plate,
)
from fecontact.contact.master.base import Master, Projection
from fecontact.errors import InputError, SolverError, check_kind
from fecontact.typing import Floats

__all__ = ["PlateFace", "PlateProjection"]


@dataclass(frozen=True)
class PlateFace(Master):
    """Upper face (towards +z) of a spinning disc."""

    body: SpinningDisc
    round: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_kind("PlateFace: body", self.body, SpinningDisc, "a rigid one has a RigidFace")
        if self.body.hub is not None:
            raise InputError(
                f"PlateFace: invalid '{self.body.name}' on a hub: expected a disc without hub; "
                "make the lower face of this one the slave of an EulerianPair"
            )

    @property
    def bodies(self) -> tuple[SpinningDisc]:
        """The disc."""
        return (self.body,)

    @cached_property
    def plate(self) -> Plate:
        """Shapes, speed and height of the face as kernels take them."""
        disc = self.body
        return Plate(*disc.model.radial_tables, float(disc.speed), 0.5 * disc.thickness)

    def project(self, x: Floats, q: Floats, v: Floats, t: float = 0.0) -> PlateProjection:
        """Project slave points x (p, 3) on the face of the plate at coordinates q, rates v."""
        x, q, m, p = np.ascontiguousarray(x), np.ascontiguousarray(q), len(q), len(x)
        rate = v + self.body.speed * (self.body.model.rotation @ q)
        sizes = (p, 2), (p, 6, m), (p, 3), (p,), (p, 3), (p, 3, m)
        at = PointsOnPlate(*(np.empty(size) for size in sizes))
        field = np.empty((len(self.plate.cubics), len(self.body.model.radial), 2, 4))
        lost = project_on_plate(self.plate, x, q, rate, field, at)
        if lost >= 0:
            self._refuse(at.projected[lost])
        return PlateProjection(self, x, q, rate, at)

    def _refuse(self, projected: Floats) -> NoReturn:
        """Say why the search for the projection of a point ended without one, and where (2,)."""
        try:
            self.body.model.shapes(projected[:1], projected[1:])
        except InputError as error:
            text = f"the contact leaves the plate: {error}; reduce the load"
            raise SolverError(text) from None
        raise SolverError(
            "a contact point has no unique projection on the plate, which is bent too strongly; "
            "reduce the load"
        )


@dataclass(frozen=True)
class PlateProjection(Projection):
    """Kinematics of slave points on the plate, with derivatives.

    Derivatives are taken with respect to y = (x, q): three slave coordinates, m of the plate.
    """

    face: PlateFace
    x: Floats
    q: Floats
    rate: Floats
    at: PointsOnPlate

    @property
    def normal(self) -> Floats:
        """Unit normals n (p, 3), outward from the plate."""
        return self.at.normal

    @property
    def gap(self) -> Floats:
        """Distance g (p,) between slave point and face; negative in contact."""
        return self.at.gap

    @property
    def velocity(self) -> Floats:
        """Velocity (p, 3) of the plate's material at the contact."""
        return self.at.velocity

    @property
    def jacobian(self) -> Floats:
        """Phi (p, 3, m): displacement of the face per coordinate."""
        return self.at.jacobian

    @property
    def projected(self) -> Floats:
        """Projection points X (p, 2)."""
        return self.at.projected

    @property
    def d_projected(self) -> Floats:
        """dX/dy (p, 2, 3 + m)."""
        return self._slopes.projected

    @property
    def d_gap(self) -> Floats:
        """dg/dy (p, 3 + m)."""
        return self._slopes.gap

    @property
    def d_normal(self) -> Floats:
        """dn/dy (p, 3, 3 + m)."""
        return self._slopes.normal

    @property
    def d_velocity(self) -> Floats:
        """Derivative (p, 3, 3 + m) of the velocity at fixed q'."""
        return self._slopes.velocity

    @cached_property
    def _slopes(self) -> PointsOnPlateSlopes:
        p, y = len(self.x), 3 + len(self.q)
        found = PointsOnPlateSlopes(*(np.empty((p, *rows, y)) for rows in ((), (2,), (3,), (3,))))
        disc = self.face.body
        d_plate(self.face.plate, self.x, self.q, self.rate, disc.model.rotation, self.at, found)
        return found

    def d_load(self, force: Floats, slave: Floats) -> Floats:
        """Derivative (m, s + m) of sum Phi^T F at fixed forces F (p, 3): the follower terms.

        `slave` (p, 3, s) is the Jacobian of the slave points.
        """
        m = len(self.q)
        result = np.zeros((m, slave.shape[2] + m))
        d_plate_load(
            self.face.plate.lever, np.ascontiguousarray(force), np.ascontiguousarray(slave),
            self.at, self._slopes, result,
        )  # fmt: skip
        return result

    @property
    def rotation(self) -> Floats:
        """Frame (3, 3) of the master: the disc is described in space."""
        return np.eye(3)

    @property
    def angular_jacobian(self) -> Floats:
        """Rotation (3, m) of the frame along a step: none."""
        return np.zeros((3, len(self.q)))
