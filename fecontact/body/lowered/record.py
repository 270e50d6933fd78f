"""Frame records: the motion of a marker, as compiled programs keep it.

    POSITION, VELOCITY, ROTATION, OMEGA, SPIN, ANGLE     as in `MarkerMotion`
    FRAME                                                state of the floating frame of its body
    LOCAL                                                what only its own body knows
    MAPS                                                 maps (6, n), (6, n), (3, n)

The maps are the interpolation, its derivative, and that of the spin. Rotations stand row by row.
"""

from __future__ import annotations

__all__ = [
    "ANGLE",
    "FRAME",
    "LOCAL",
    "MAPS",
    "OMEGA",
    "POSITION",
    "ROTATION",
    "SPIN",
    "VELOCITY",
    "frame_size",
]

POSITION, VELOCITY, ROTATION, OMEGA, SPIN, ANGLE, FRAME, LOCAL, MAPS = (
    0, 3, 6, 15, 18, 21, 24, 48, 64
)  # fmt: skip
"""Where a frame record has what it says."""


def frame_size(n: int) -> int:
    """Length of the frame record of a marker on a body with n dofs."""
    return MAPS + 15 * n
