"""Gearbox with a clutch that opens and teeth that part: a small program of its own.

Input shaft (radial x, y, axial z, angle beyond the mean speed) and engine plate (axial), clutch as
a ring of points with smoothed Coulomb friction (2/pi) arctan(|s|/v_d), teeth of constant direction
with a damper that takes hold over a depth, N = c delta + d (delta/delta_0) delta' (Hunt and
Crossley 1975). Runge-Kutta's method of fourth order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = ["GearboxConstants", "SettledGearbox", "gearbox_path", "settled_gearbox"]


class GearboxConstants(NamedTuple):
    """Numbers of the program, in SI units.

    `inertia`, `stiffness` and `damping` (5,) are those of the coordinates; `speeds` of shaft and
    plate; `contact` its stiffness and damping; `friction` the coefficient, v_d and the radius of
    the ring; `teeth` stiffness, damping and depth; `axes` (2, 4) and `gaps` (2,) those of the
    flanks; `ring` (n, 2) cosine and sine of its points.
    """

    inertia: Floats
    stiffness: Floats
    damping: Floats
    load: float
    speeds: tuple[float, float]
    contact: tuple[float, float]
    friction: tuple[float, float, float]
    teeth: tuple[float, float, float]
    axes: Floats
    gaps: Floats
    ring: Floats

    @classmethod
    def of(
        cls, parameters: Any, gap: Callable[[Floats], Floats], radial: bool = True
    ) -> GearboxConstants:
        """Of the parameters of a case, and the gaps (2,) of the flanks over the coordinates (4,).

        The directions of the flanks are differences of the gaps about the reference position;
        without `radial` dofs their radial components do not count.
        """
        p, h = parameters, 1e-7
        axes = np.array([(gap(way) - gap(-way)) / (2.0 * h) for way in h * np.eye(4)]).T
        if not radial:
            axes[:, :2] = 0.0
        angle = 2.0 * np.pi * np.arange(p.ring_points) / p.ring_points
        c, d = p.radial_stiffness, p.radial_damping
        return cls(
            np.array([p.shaft_mass] * 3 + [p.inertia, p.plate_mass]),
            np.array([c, c, p.axial_stiffness, 0.0, p.plate_stiffness]),
            np.array([d, d, p.axial_damping, 0.0, p.plate_damping]),
            p.load,
            (p.shaft_speed, p.plate_speed),
            (p.contact_stiffness, p.contact_damping),
            (p.friction, p.smooth_speed, p.contact_radius),
            (p.tooth_stiffness, p.tooth_damping, p.tooth_depth),
            np.ascontiguousarray(axes),
            gap(np.zeros(4)),
            np.column_stack([np.cos(angle), np.sin(angle)]),
        )


@dataclass(frozen=True)
class SettledGearbox:
    """Motion that has settled: tops of the axial motion with their times, and its last period.

    Attributes
    ----------
    tops
        Times and states (k, 11) at the tops.
    period
        Of the last swing in s.
    path
        States (n, 10) over it.
    """

    tops: Floats
    period: float
    path: Floats

    @property
    def amplitude(self) -> Floats:
        """Half the way between the extremes of each coordinate."""
        return np.asarray(0.5 * np.ptp(self.path[:, :5], axis=0))

    @property
    def returns(self) -> float:
        """Largest change from top to top over the last 100, as a ratio of the way."""
        late = self.tops[-100:, 1 : 1 + 5]
        change = np.abs(late[1:] - late[:-1]).max(axis=0)
        return float((change / (2.0 * self.amplitude)).max())


def settled_gearbox(k: GearboxConstants, start: Floats, time: float, step: float) -> SettledGearbox:
    """Go from a state (10,) over a time in s, and take the last period."""
    tops = np.zeros((int(2000 * time), 11))
    tops = tops[: march(start, k, step, int(time / step), tops, np.zeros((0, 10)))]
    period = float(tops[-1, 0] - tops[-2, 0])
    count = round(period / step)
    path = gearbox_path(k, tops[-2, 1:], period / count, count)
    return SettledGearbox(tops, period, path)


def gearbox_path(k: GearboxConstants, start: Floats, step: float, count: int) -> Floats:
    """States (count, 10) from a state on, one per step."""
    path = np.zeros((count, 10))
    march(start.copy(), k, step, count, np.zeros((0, 11)), path)
    return path


@kernel
def rates(y: Any, k: Any) -> Any:
    """Rates of (q, v): supports, clutch, teeth; the angle is that beyond the mean speed."""
    q, v = y[:5], y[5:]
    f = -k.stiffness * q - k.damping * v
    f[2] -= k.load
    depth = q[4] - q[2]
    pressure = k.contact[0] * depth + k.contact[1] * (v[4] - v[2])
    if depth > 0.0 and pressure > 0.0:
        f[2] += pressure
        f[4] -= pressure
        mu, v_d, radius = k.friction
        shaft, plate = k.speeds
        for c, s in k.ring:
            slip_x = v[0] - (shaft + v[3]) * radius * s + plate * (radius * s + q[1])
            slip_y = v[1] + (shaft + v[3]) * radius * c - plate * (radius * c + q[0])
            speed = np.hypot(slip_x, slip_y) + 1e-300
            part = -mu * pressure / len(k.ring) * 2.0 / np.pi * np.arctan(speed / v_d) / speed
            f[0] += part * slip_x
            f[1] += part * slip_y
            f[3] += radius * part * (c * slip_y - s * slip_x)
    for flank in range(2):
        axis = k.axes[flank]
        depth = -k.gaps[flank] - axis @ q[:4]
        force = depth * (k.teeth[0] - k.teeth[1] / k.teeth[2] * (axis @ v[:4]))
        if depth > 0.0 and force > 0.0:
            f[:4] += force * axis
    return np.concatenate((v, f / k.inertia))


@kernel
def march(y: Any, k: Any, h: Any, steps: Any, tops: Any, path: Any) -> Any:
    """Runge-Kutta steps; times and states at the tops of the axial motion; the path if asked."""
    count = 0
    for i in range(steps):
        if i < len(path):
            path[i] = y
        a = rates(y, k)
        b = rates(y + 0.5 * h * a, k)
        c = rates(y + 0.5 * h * b, k)
        new = y + h / 6.0 * (a + 2.0 * b + 2.0 * c + rates(y + h * c, k))
        if y[7] > 0.0 >= new[7] and count < len(tops):
            fraction = y[7] / (y[7] - new[7])
            tops[count, 0] = (i + fraction) * h
            tops[count, 1:] = y + fraction * (new - y)
            count += 1
        y = new
    return count
