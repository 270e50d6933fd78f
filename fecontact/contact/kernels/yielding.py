"""Compiled loops over contact points: the elasto-plastic friction law in its two forms.

Vectors have three space components and lie in the tangent plane. Every point is independent of
the others, so the loops may run in threads with the same results.
"""

from __future__ import annotations

from math import sqrt

from fecontact.contact.status import APART, OPEN, SLIP, STICK
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = [
    "flow",
    "return_map",
    "scaled_projector",
    "softness",
    "state_of",
    "yielded",
]

Vector = tuple[float, float, float]


@kernel(fastmath=True)
def softness(c: float, beta: float, h: float) -> tuple[float, float]:
    """Damper over a step, beta/h, and 1/(c + beta/h), 0 without spring and damper."""
    lag = beta / h
    held = c + lag > 0.0
    return lag, 1.0 / (c + lag if held else 1.0) if held else 0.0


@kernel(fastmath=True)
def yielded(
    c: float, beta: float, lag: float, soft: float, limit: float,
    z: Vector, old: Vector, s: Vector,
) -> tuple[Vector, Vector, float, bool]:  # fmt: skip
    """One point over a step: -T, new elastic slip, path along T, and whether it slides.

    The trial traction a = c z + beta s is projected on the disc of radius `limit`. A sliding
    bristle follows c z + beta z' = limit a/|a| by the implicit Euler method from its `old` slip;
    the path never leads back. Without a limit the bristle relaxes. `lag` and `soft` are `softness`.
    """
    a0, a1, a2 = c * z[0] + beta * s[0], c * z[1] + beta * s[1], c * z[2] + beta * s[2]
    size = sqrt(a0 * a0 + a1 * a1 + a2 * a2)
    slides = size > limit
    inverse = 1.0 / (size if slides else 1.0)
    share = limit * inverse if slides else 1.0
    n0 = soft * (share * a0 + lag * old[0])
    n1 = soft * (share * a1 + lag * old[1])
    n2 = soft * (share * a2 + lag * old[2])
    path = ((z[0] - n0) * a0 + (z[1] - n1) * a1 + (z[2] - n2) * a2) * inverse
    back = path * inverse if (path < 0.0 and limit > 0.0) else 0.0
    new = (
        n0 + back * a0 if slides else z[0],
        n1 + back * a1 if slides else z[1],
        n2 + back * a2 if slides else z[2],
    )
    path = path if (slides and path > 0.0) else 0.0
    return (share * a0, share * a1, share * a2), new, path, slides


@kernel(fastmath=True)
def state_of(pressure: float, limit: float, slides: bool) -> int:
    """Mode of a point; one that is pressed and has no friction slips."""
    if not pressure > 0.0:
        return OPEN
    return SLIP if (slides or not limit > 0.0) else STICK


@kernel
def return_map(
    stiffness: Floats,
    damping: Floats,
    step: float,
    pressure: Floats,
    limit: Floats,
    slip: Floats,
    shift: Floats,
    z: Floats,
    traction: Floats,
    work: Floats,
    mode: Integers,
) -> None:
    """Time-discrete law of all points, see `yielded`.

    `z` holds the trial elastic slip and returns the new one, `shift` is what the step added to it;
    `traction`, `work` and `mode` are results. An open point has the limit 0.
    """
    for i in range(len(limit)):
        trial, s = (z[i, 0], z[i, 1], z[i, 2]), (slip[i, 0], slip[i, 1], slip[i, 2])
        old = (z[i, 0] - shift[i, 0], z[i, 1] - shift[i, 1], z[i, 2] - shift[i, 2])
        lag, soft = softness(stiffness[i], damping[i], step)
        pull, new, path, slides = yielded(
            stiffness[i], damping[i], lag, soft, limit[i], trial, old, s
        )  # fmt: skip
        mode[i] = state_of(pressure[i], limit[i], slides)
        work[i] = limit[i] * path
        for k in range(3):
            z[i, k], traction[i, k] = new[k], -pull[k]


@kernel
def flow(
    stiffness: float,
    damping: float,
    pressure: Floats,
    limit: Floats,
    slip: Floats,
    z: Floats,
    traction: Floats,
    rate: Floats,
    power: Floats,
    mode: Integers,
) -> None:
    """Traction and rate of z of the continuous law: T = -min(1, limit/|a|) a = -c z - beta z'."""
    for i in range(len(limit)):
        a0 = stiffness * z[i, 0] + damping * slip[i, 0]
        a1 = stiffness * z[i, 1] + damping * slip[i, 1]
        a2 = stiffness * z[i, 2] + damping * slip[i, 2]
        size = sqrt(a0 * a0 + a1 * a1 + a2 * a2)
        mode[i] = state_of(pressure[i], limit[i], size > limit[i])
        share, power[i] = 1.0, 0.0
        if size > limit[i]:
            share = limit[i] / size
            power[i] = limit[i] * (size - limit[i]) / damping
        back = (1.0 - share) / damping
        traction[i, 0] = -share * a0
        traction[i, 1] = -share * a1
        traction[i, 2] = -share * a2
        rate[i, 0] = slip[i, 0] - back * a0
        rate[i, 1] = slip[i, 1] - back * a1
        rate[i, 2] = slip[i, 2] - back * a2


@kernel
def scaled_projector(
    stiffness: float,
    damping: float,
    pressure: Floats,
    limit: Floats,
    slip: Floats,
    z: Floats,
    by_trial: Floats,
    direction: Floats,
) -> None:
    """Derivatives of T: by the trial traction a (p, 3, 3), and -dT/dlimit (p, 3).

    Slip: -(limit/|a|) (1 - e e^T) and e = a/|a|; stick: -1 and 0, also at the kink |a| = limit and
    where both are zero, at a point that just touches. Of a pressed point without friction, and of
    an open one: 0. Under tension a straight bristle at rest has that of stick, from which Newton's
    method goes on.
    """
    for i in range(len(limit)):
        a = (
            stiffness * z[i, 0] + damping * slip[i, 0],
            stiffness * z[i, 1] + damping * slip[i, 1],
            stiffness * z[i, 2] + damping * slip[i, 2],
        )
        size = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])
        slides = size > limit[i]
        free = (pressure[i] > 0.0 or pressure[i] == APART) and not limit[i] > 0.0
        share = limit[i] / size if slides else (0.0 if free else 1.0)
        for k in range(3):
            direction[i, k] = a[k] / size if slides else 0.0
        for k in range(3):
            for m in range(3):
                by_trial[i, k, m] = share * direction[i, k] * direction[i, m]
            by_trial[i, k, k] -= share
