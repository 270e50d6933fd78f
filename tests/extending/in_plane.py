"""A joint from outside of the package, in one file: a point of b stays in a plane of a."""

from __future__ import annotations

from dataclasses import dataclass

from fecontact.joint.base import AxisJoint
from fecontact.joint.frames import FrameRows, Frames


@dataclass(frozen=True, eq=False, kw_only=True)
class InPlane(AxisJoint):
    """Point b slides in a plane of a through point a; b turns freely. The axis is the normal."""

    name: str = "in plane"

    @property
    def rows(self) -> tuple[str, ...]:
        """Name of the row."""
        return ("z",)

    def held(self, frames: Frames) -> FrameRows:
        """Height above the plane."""
        return frames.displacement().last()
