"""Bristles on the master: displacements from the positions where the points were on it.

Each point keeps where on the master it was (its anchor) and the normal there,

    dx = (I - n n^T) (x_slave - x_anchor),      z_tr = Q R z_n + dx,

Q the smallest rotation that takes the old normal to the new one, none if they are opposite. dx is a
difference of positions: nothing drifts while a point sticks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fecontact.contact.kernels.slip import OPPOSITE, trial_slip
from fecontact.contact.kinematics.relative import Change, ContactKinematics
from fecontact.contact.kinematics.transport import (
    Axes,
    Moved,
    Origin,
    Transport,
    component,
    dot,
    flat,
)
from fecontact.contact.master.base import Master, MaterialMaster, MaterialProjection
from fecontact.errors import InputError
from fecontact.typing import Chosen, Floats, Integers

if TYPE_CHECKING:
    from fecontact.contact.evaluate.points import PairPoints

__all__ = ["Anchors", "MovedFromAnchors", "OnMaster"]


@dataclass(frozen=True, eq=False)
class OnMaster(Transport):
    """Bristles on the master, whose material its coordinates follow.

    `first` is the index of its first coordinate among those of the pair.
    """

    name: str
    master: Master
    first: int

    def axes(self, at: ContactKinematics, t: float, q: Floats, v: Floats) -> Axes:
        """Axes of the master."""
        turning = at.projection.angular_jacobian
        columns = slice(-turning.shape[1], None) if turning.shape[1] else slice(0)
        return Axes(at.projection.rotation, turning, columns)

    def origin(self, at: ContactKinematics, t: float, q: Floats, v: Floats) -> Anchors:
        """Anchors on the master."""
        master, projection = self.master, at.projection
        if not isinstance(master, MaterialMaster):
            raise InputError(
                f"{self.name}: {type(master).__name__} does not follow its material: a time "
                "step needs a master that moves with its coordinates"
            )
        assert isinstance(projection, MaterialProjection)
        return Anchors(self, master, projection.anchor, projection.normal @ projection.rotation)


@dataclass(frozen=True, eq=False)
class Anchors(Origin):
    """Where the points were on the master, as its `carried` takes it, and the normals there.

    Normals are in the axes of the master.
    """

    transport: OnMaster
    master: MaterialMaster
    anchor: Floats
    normal: Floats

    def moved(self, end: PairPoints, z: Floats, status: Integers, h: float) -> MovedFromAnchors:
        """Displacement from the anchors."""
        return MovedFromAnchors(self, end, z, status)

    def part(self, rows: Chosen) -> Anchors:
        """Some of the points."""
        return replace(self, anchor=self.anchor[rows], normal=self.normal[rows])


@dataclass(frozen=True, eq=False)
class MovedFromAnchors(Moved):
    """Points that moved away from their anchors."""

    origin: Anchors
    end: PairPoints
    z: Floats
    status: Integers

    @cached_property
    def carried(self) -> Floats:
        """Positions (p, 3) of the anchors now."""
        q = self.end.q[self.origin.transport.first :]
        return self.origin.master.carried(self.origin.anchor, q, self.end.t)

    @cached_property
    def trial(self) -> Floats:  # type: ignore[override]
        """z_tr."""
        at = self.end.kinematics
        trial, z = np.empty_like(at.normal), np.ascontiguousarray(self.z)
        R = at.projection.rotation
        trial_slip(at.normal, at.slave.position, self.carried, z, self.origin.normal, R, trial)
        return trial

    @cached_property
    def shift(self) -> Floats:  # type: ignore[override]
        """Dx."""
        return flat(self.end.kinematics.normal, self.end.kinematics.slave.position - self.carried)

    def change(self, change: Change) -> tuple[Floats, Floats] | None:
        """Derivatives along an increment of the dofs; velocities change nothing."""
        if change is not self.end.kinematics.by_q:
            return None
        d_shift = self._d_shift()
        return d_shift + self._d_turned(), d_shift

    def _d_shift(self) -> Floats:
        at, origin = self.end.kinematics, self.origin
        d_n, n = at.by_q.normal, at.normal
        path = at.slave.position - self.carried
        q = self.end.q[origin.transport.first :]
        d_carried = origin.master.d_carried(origin.anchor, q, self.end.t)
        d_path = np.concatenate([at.slave.jacobian, -d_carried], axis=2)
        d_shift = d_path - n[:, :, None] * (component(d_path, n) + component(d_n, path))
        return d_shift - dot(n, path)[:, None, None] * d_n

    def _d_turned(self) -> Floats:
        """Derivative of the turned old slip Q R z_n."""
        at, axes = self.end.kinematics, self.end.axes
        R, size = axes.rotation, at.jacobian.shape[2]
        z, old = self.z @ R.T, self.origin.normal @ R.T
        d_n, n = at.by_q.normal, at.normal
        d_z, d_old = axes.turned(z, size), axes.turned(old, size)
        along, apart = dot(n, z), 1.0 + dot(old, n)
        apart = np.where(apart > OPPOSITE, apart, 1.0)  # as `turn_divisor`
        ratio = (along / apart)[:, None, None]
        d_ratio = (
            component(d_n, z)
            + component(d_z, n)
            - ratio * (component(d_old, n) + component(d_n, old))
        )
        return d_z - ratio * (d_old + d_n) - ((old + n) / apart[:, None])[:, :, None] * d_ratio
