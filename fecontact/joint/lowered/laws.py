"""Laws of force elements as compiled programs see them: a kind, and numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.joint.curve import Curve, Line
from fecontact.kernels.curves import curve_at, numbers_of
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import Packing
from fecontact.typing import Floats

__all__ = ["Law", "curve_law", "drive_law", "law_at", "linear_law", "linear_parts", "lost_power",
           "stop_law"]  # fmt: skip

LINEAR, CURVE, STOP, DRIVE = range(4)
"""Kinds of laws."""


class Law(NamedTuple):
    """Kind of a law, and its numbers."""

    kind: int
    numbers: Floats


def linear_law(stiffness: Floats, damping: Floats, preload: Floats) -> Law:
    """Load = preload + C s + D s'."""
    packing = Packing()
    packing.extend([preload, stiffness, damping])
    return Law(LINEAR, packing.numbers)


def linear_parts(law: Law, k: int) -> tuple[Floats, Floats, Floats] | None:
    """Preload (k,), C and D (k, k) of a linear law; None of others, and if C is not symmetric."""
    if law.kind != LINEAR:
        return None
    preload, C, D = np.split(law.numbers, [k, k + k * k])
    C, D = C.reshape(k, k), D.reshape(k, k)
    return (preload, C, D) if np.array_equal(C, C.T) else None


def curve_law(curve: Curve, damping: float, preload: float) -> Law | None:
    """Load = preload + y(s) + d s' of one coordinate; None for a curve written in Python."""
    if type(curve) is Line:
        gradient, start = np.array([[curve.gradient]]), np.array([preload + curve.start])
        return linear_law(gradient, np.array([[damping]]), start)
    numbers = numbers_of(curve)
    if numbers is None:
        return None
    return Law(CURVE, np.concatenate([[preload, damping], numbers]))


def stop_law(stiffness: float, damping: float, gap: float) -> Law:
    """Load max(0, c (s - gap) + d s') where s > gap."""
    return Law(STOP, np.array([stiffness, damping, gap]))


def drive_law(torque: Curve, factor: Curve) -> Law | None:
    """Load -k(t) M(s'); None for curves written in Python."""
    curves = numbers_of(torque), numbers_of(factor)
    if curves[0] is None or curves[1] is None:
        return None
    return Law(DRIVE, np.concatenate([[2 + len(curves[0])], curves[0], curves[1]]))


@kernel(fastmath=True)
def law_at(
    p: Floats, at: int, k: int, t: float, s: Floats, rate: Floats, load: Floats, by_s: Floats,
    by_rate: Floats,
) -> float:  # fmt: skip
    """Load (k,) of a law and its derivatives (k, k); returns its stored energy."""
    kind, first = int(p[at]), at + 1
    for i in range(k):
        for j in range(k):
            by_s[i, j] = by_rate[i, j] = 0.0
    if kind == LINEAR:
        C, D, energy = first + k, first + k + k * k, 0.0
        for i in range(k):
            load[i] = p[first + i]
            energy += p[first + i] * s[i]
            for j in range(k):
                by_s[i, j], by_rate[i, j] = p[C + k * i + j], p[D + k * i + j]
                load[i] += by_s[i, j] * s[j] + by_rate[i, j] * rate[j]
                energy += 0.5 * s[i] * by_s[i, j] * s[j]
        return energy
    if kind == CURVE:
        y, slope, area = curve_at(p, first + 2, s[0])
        load[0] = p[first] + y + p[first + 1] * rate[0]
        by_s[0, 0], by_rate[0, 0] = slope, p[first + 1]
        return area + p[first] * s[0]
    if kind == STOP:
        depth = s[0] - p[first + 2]
        push = p[first] * depth + p[first + 1] * rate[0]
        load[0] = 0.0
        if depth > 0.0 and push > 0.0:
            load[0], by_s[0, 0], by_rate[0, 0] = push, p[first], p[first + 1]
        return 0.5 * p[first] * max(0.0, depth) ** 2
    factor = curve_at(p, first - 1 + int(p[first]), t)[0]
    torque, slope, _ = curve_at(p, first + 1, rate[0])
    load[0], by_rate[0, 0] = -factor * torque, -factor * slope
    return 0.0


@kernel(fastmath=True)
def lost_power(
    p: Floats, at: int, k: int, s: Floats, rate: Floats, load: Floats, by_rate: Floats
) -> float:
    """Power of the load of a law beyond the one at rest; exactly zero without damping."""
    kind, lost = int(p[at]), 0.0
    if kind == STOP:
        pressed = p[at + 1] * max(0.0, s[0] - p[at + 3])
        return rate[0] * (load[0] - pressed) if p[at + 2] != 0.0 else 0.0
    if kind != DRIVE:
        for i in range(k):
            for j in range(k):
                lost += rate[i] * by_rate[i, j] * rate[j]
    return lost
