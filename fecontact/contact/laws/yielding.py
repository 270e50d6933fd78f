"""Bristles that bend like springs, creep by dampers and yield at the friction limit: one point.

With the elastic slip z, the slip velocity s and the trial traction a = c z + b s,

    T = -a min(1, limit/|a|)

over a time step and in continuous time. The laws `ElastoPlastic` and `MindlinFriction` state the
spring c and the damper b.
"""

from __future__ import annotations

from fecontact.contact.laws.algebra import (
    NO_MATRIX,
    NO_VECTOR,
    Matrix,
    Vector,
    combine,
    dot,
    norm,
    outer,
    plus_unit,
    scale,
    scale_matrix,
    subtract,
    sum_matrices,
    unit,
)
from fecontact.contact.laws.point import (
    FrictionRate,
    FrictionSlopes,
    FrictionStep,
    LimitSlopes,
    Sliding,
    Stepping,
    status_of,
)
from fecontact.contact.status import GROSS, OPEN, STICK
from fecontact.kernels.calls import inlined

__all__ = ["compliance", "coulomb_slide", "fixed_rate", "yield_rate", "yield_slopes", "yield_step"]


@inlined
def compliance(c: float, b: float, h: float) -> tuple[float, float]:
    """Damper over a step, b/h, and 1/(c + b/h), 0 without spring and damper."""
    viscous = b / h
    held = c + viscous > 0.0
    return viscous, 1.0 / (c + viscous if held else 1.0) if held else 0.0


@inlined
def yield_step(c: float, b: float, viscous: float, soft: float, x: Stepping) -> FrictionStep:
    """Return map: the trial traction is projected on the disc of radius `limit`.

    A sliding bristle follows c z + b z' = limit a/|a| by the implicit Euler method from its slip at
    the start; the path along T never leads back. Without a limit the bristle relaxes. `viscous` and
    `soft` are the `compliance`.
    """
    a = combine(c, x.trial, b, x.slip)
    size = norm(a)
    slides = size > x.limit
    inverse = 1.0 / (size if slides else 1.0)
    fraction = x.limit * inverse if slides else 1.0
    old = subtract(x.trial, x.shift)
    relaxed = combine(soft * fraction, a, soft * viscous, old)
    path = dot(subtract(x.trial, relaxed), a) * inverse
    back = path * inverse if (path < 0.0 and x.limit > 0.0) else 0.0
    moved = combine(1.0, relaxed, back, a)
    z = (
        moved[0] if slides else x.trial[0],
        moved[1] if slides else x.trial[1],
        moved[2] if slides else x.trial[2],
    )
    path = path if (slides and path > 0.0) else 0.0
    slid = norm(subtract(x.trial, z)) if slides else -1.0
    status = status_of(x.pressure, x.limit, slides)
    return FrictionStep(scale(-fraction, a), z, x.state, status, x.limit * path, slid)


@inlined
def yield_slopes(
    c: float, b: float, pressure: float, limit: float, slip: Vector, z: Vector, by: LimitSlopes
) -> FrictionSlopes:
    """Derivatives of the traction, the same over a step and in continuous time.

    Slip: -(limit/|a|) (1 - e e^T) and e = a/|a|; stick: -1 and 0, also at the kink |a| = limit and
    where both are zero, at a point that just touches. Of a pressed point without friction, and of
    an open one: 0. Under tension a straight bristle at rest has that of stick, from which Newton's
    method goes on.
    """
    a = combine(c, z, b, slip)
    size = norm(a)
    slides = size > limit
    free = by.apart or (pressure > 0.0 and not limit > 0.0)
    inverse = 1.0 / (size if slides else 1.0) if slides else 0.0
    fraction = limit * inverse if slides else (0.0 if free else 1.0)
    e = scale(inverse, a)
    flat = plus_unit(-fraction, outer(fraction, e, e))
    faster = outer(-by.by_speed, e, unit(slip))
    return FrictionSlopes(
        scale_matrix(c, flat),
        sum_matrices(scale_matrix(b, flat), faster),
        scale(-by.by_pressure, e),
        NO_MATRIX,
    )


@inlined
def yield_rate(c: float, b: float, x: Sliding) -> FrictionRate:
    """Continuous law: c z + b z' = -T."""
    a = combine(c, x.z, b, x.slip)
    size = norm(a)
    slides = size > x.limit
    fraction = x.limit / (size if slides else 1.0) if slides else 1.0
    yielding = 1.0 / b if b > 0.0 else 0.0
    moved = combine(fraction * yielding, a, -c * yielding, x.z)
    rate = (
        moved[0] if slides else x.slip[0],
        moved[1] if slides else x.slip[1],
        moved[2] if slides else x.slip[2],
    )
    speed = (size - x.limit) * yielding if slides else 0.0
    status = status_of(x.pressure, x.limit, slides)
    seen = speed if x.pressure > 0.0 else 0.0
    return FrictionRate(scale(-fraction, a), rate, x.state, status, x.limit * speed, seen)


@inlined
def fixed_rate(
    c: float, b: float, limit: float, status: int, toward: Vector, slip: Vector, z: Vector
) -> tuple[Vector, Vector, float]:
    """Traction T and rate of z at a given status, and the slide: |w'|, or |s| with its sense.

    The smooth laws between two events (Stamm 5.2): a point of gross slip, whose bristle follows the
    traction, has T along the slip; `toward` is its direction at the start of the step, on whose
    other side the law is continued as its mirror image.
    """
    if status == OPEN:
        return NO_VECTOR, NO_VECTOR, 0.0
    if status == GROSS:
        speed = norm(slip)
        if speed == 0.0:
            return NO_VECTOR, NO_VECTOR, 0.0
        along = dot(slip, toward)
        ahead = combine(1.0, slip, -2.0 * min(along, 0.0), toward)
        return scale(-limit / speed, ahead), NO_VECTOR, -speed if along < 0.0 else speed
    a = combine(c, z, b, slip)
    if status == STICK:
        return scale(-1.0, a), slip, 0.0
    size = norm(a)
    traction = scale(-limit / size if size > 0.0 else 0.0, a)
    return traction, scale(-1.0 / b, combine(1.0, traction, c, z)), (size - limit) / b


@inlined
def coulomb_slide(limit: float, slip: Vector, by: LimitSlopes) -> tuple[Vector, Vector, Matrix]:
    """T = -limit s/|s|, and its derivatives by pressure and slip."""
    speed, e = norm(slip), unit(slip)
    across = limit / (speed if speed > 0.0 else 1.0)
    by_slip = plus_unit(-across, outer(across - by.by_speed, e, e))
    return scale(-limit, e), scale(-by.by_pressure, e), by_slip
