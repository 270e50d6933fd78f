"""A joint from outside of the package, in one file: a point of b stays in a plane of a."""

from __future__ import annotations

from dataclasses import dataclass

import fecontact as fc


@dataclass(frozen=True, eq=False, kw_only=True)
class InPlane(fc.AxisJoint):
    """Point b slides in a plane of a through point a; b turns freely. The axis is the normal."""

    name: str = "in plane"

    @property
    def rows(self) -> tuple[str, ...]:
        """Name of the row."""
        return ("z",)

    def held(self, frames: fc.Frames) -> fc.FrameRows:
        """Height above the plane."""
        return frames.displacement().last()
