"""Motion of the floating frame of an elastic body: free, held, or a function of time.

The numbers of a frame begin with its kind; those of a prescribed one follow (`pack_frame`).
`frame_state` writes STATE numbers: displacement u of the origin, rotation R, u', omega, u'' and
alpha as in `FrameState`; the accelerations of a free frame are unknown and left at zero.
"""

from __future__ import annotations

from math import cos, sin

import numpy as np

from fecontact.body.prescribed import (
    FrameMotion,
    MotionLaw,
    MovingFrame,
    TurningFrame,
    unit_direction,
)
from fecontact.kernels.curves import SPEED, STRAIGHT, motion_at, numbers_of
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import Packing
from fecontact.kernels.vectors import cross, three, turned
from fecontact.typing import Floats

__all__ = [
    "ALPHA",
    "FREE",
    "PUSH",
    "STATE",
    "TURN",
    "TURN_RATE",
    "U_RATE",
    "U",
    "frame_state",
    "pack_frame",
    "quaternion_rotation",
]

FREE, HELD, MOVING, TURNING = range(4)
"""Kinds of frames."""
U, TURN, U_RATE, TURN_RATE, PUSH, ALPHA, STATE = 0, 3, 12, 15, 18, 21, 24
"""Where a state has u, R, u', omega, u'' and alpha, and its length."""


def pack_frame(packing: Packing, frame: str | FrameMotion, origin: Floats) -> int | None:
    """Append the numbers of a frame at `origin`; None if its motion is written in Python."""
    if isinstance(frame, str):
        return packing.add([FREE if frame == "free" else HELD])
    if type(frame) is MovingFrame:
        law = _law(frame.travel)
        head = [MOVING, *unit_direction("direction", frame.direction)]
    elif type(frame) is TurningFrame:
        law = _law(frame.angle)
        head = [TURNING, *unit_direction("axis", frame.axis), *(origin - np.asarray(frame.point))]
    else:
        return None
    if law is None:
        return None
    start = packing.add(head)
    packing.add(law)
    return start


def _law(law: MotionLaw | float) -> Floats | None:
    """Numbers of a motion, or of a constant speed."""
    if isinstance(law, int | float):
        return np.array([SPEED, 0.0, STRAIGHT, law, 0.0])
    return numbers_of(law)


@kernel(fastmath=True)
def quaternion_rotation(a: float, b: float, c: float, d: float, f: Floats) -> None:
    """Rotation matrix (9,) of a quaternion of any length."""
    k = 2.0 / (a * a + b * b + c * c + d * d)
    f[0], f[1], f[2] = 1.0 - k * (c * c + d * d), k * (b * c - a * d), k * (b * d + a * c)
    f[3], f[4], f[5] = k * (b * c + a * d), 1.0 - k * (b * b + d * d), k * (c * d - a * b)
    f[6], f[7], f[8] = k * (b * d - a * c), k * (c * d + a * b), 1.0 - k * (b * b + c * c)


@kernel(fastmath=True)
def frame_state(p: Floats, at: int, t: float, q: Floats, v: Floats, s: Floats) -> bool:
    """State of a frame; returns whether its coordinates and velocities are the first of q, v."""
    kind = int(p[at])
    for i in range(STATE):
        s[i] = 0.0
    if kind == FREE:
        for i in range(3):
            s[U + i], s[U_RATE + i], s[TURN_RATE + i] = q[i], v[i], v[3 + i]
        quaternion_rotation(q[3], q[4], q[5], q[6], s[TURN : TURN + 9])
        return True
    s[TURN] = s[TURN + 4] = s[TURN + 8] = 1.0
    if kind == HELD:
        return False
    n = three(p, at + 1)
    if kind == MOVING:
        way, speed, change = motion_at(p, at + 4, t)
        for i in range(3):
            s[U + i], s[U_RATE + i], s[PUSH + i] = way * n[i], speed * n[i], change * n[i]
        return False
    angle, speed, change = motion_at(p, at + 7, t)
    half = sin(0.5 * angle)
    quaternion_rotation(cos(0.5 * angle), half * n[0], half * n[1], half * n[2], s[TURN : TURN + 9])
    arm = three(p, at + 4)
    now = turned(s, TURN, arm)
    around = cross(n, now)
    inward = cross(n, around)
    for i in range(3):
        s[U + i], s[U_RATE + i], s[TURN_RATE + i] = now[i] - arm[i], speed * around[i], speed * n[i]
        s[PUSH + i] = change * around[i] + speed**2 * inward[i]
        s[ALPHA + i] = change * n[i]
    return False
