"""Mass on a spring that a belt drags along: its cycle with stick."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import atan, hypot, pi, sqrt

import numpy as np
from scipy.integrate import solve_ivp

from fecontact.errors import POSITIVE, check
from fecontact.typing import Floats

__all__ = ["RigidStickSlip", "stick_slip_amplitude", "stick_slip_cycle"]


@dataclass(frozen=True)
class RigidStickSlip:
    """Limit cycle of a mass on a spring and a belt, with rigid friction in closed form.

    With D = (mu_s - mu_k) N/k and omega = sqrt(k/m) the mass sticks until k x = mu_s N; it slides
    about mu_k N/k, until it has the speed v of the belt again:

        stick  2 D/v,    slip  (2/omega) (pi - arctan(omega D/v)),
        x = mu_k N/k +- sqrt(D^2 + (v/omega)^2),    heat of a cycle  mu_k N (2 D + v slip time)

    Parameters
    ----------
    mass, stiffness
        m in kg, k in N/m.
    load
        Normal force N in N.
    static, kinetic
        Friction coefficients.
    belt_speed
        v in m/s.
    """

    mass: float
    stiffness: float
    load: float
    static: float
    kinetic: float
    belt_speed: float

    @property
    def omega(self) -> float:
        """Natural frequency of slip in rad/s."""
        return sqrt(self.stiffness / self.mass)

    @property
    def drop(self) -> float:
        """D in m."""
        return (self.static - self.kinetic) * self.load / self.stiffness

    @property
    def stick_time(self) -> float:
        """Time of stick in a cycle in s."""
        return 2.0 * self.drop / self.belt_speed

    @property
    def slip_time(self) -> float:
        """Time of slip in a cycle in s."""
        return 2.0 / self.omega * (pi - atan(self.omega * self.drop / self.belt_speed))

    @property
    def period(self) -> float:
        """Of the limit cycle in s."""
        return self.stick_time + self.slip_time

    @property
    def heat(self) -> float:
        """Of a cycle in J."""
        return self.kinetic * self.load * (2.0 * self.drop + self.belt_speed * self.slip_time)

    @property
    def middle(self) -> float:
        """Position mu_k N/k in m about which the mass slides."""
        return self.kinetic * self.load / self.stiffness

    @property
    def swing(self) -> float:
        """Amplitude about it in m."""
        return hypot(self.drop, self.belt_speed / self.omega)

    def phase_plane(self, count: int = 400) -> tuple[Floats, Floats]:
        """Displacement from the middle and speed over a cycle: an arc of slip, a line of stick."""
        release = atan(self.belt_speed / (self.omega * self.drop))
        angles = np.linspace(release, release - self.omega * self.slip_time, count)
        arc = self.swing * np.exp(1j * np.append(angles, angles[0]))
        return arc.real, self.omega * arc.imag


def stick_slip_cycle(
    mass: float, stiffness: float, damping: float, friction: Callable[[float], float], belt: float
) -> tuple[float, float]:
    """Period in s and lowest speed of the cycle with stick, from release to release.

        m x'' + d x' + c x = F(belt - x')

    Sliding by an ODE solver up to the next stick; then the mass runs with the belt until the spring
    breaks it away. For rotations, mass is a moment of inertia, and so on.

    Parameters
    ----------
    mass, stiffness, damping
        Of the oscillator.
    friction
        Friction force over the sliding speed >= 0; it holds its value at zero in stick.
    belt
        Speed of the belt.

    Examples
    --------
    A force that falls from 3 N to 1 N at once: the mass swings by hypot(2 m, belt/omega) about 1 m.

    >>> period, lowest = stick_slip_cycle(1.0, 1.0, 0.0, lambda v: 1.0 if v else 3.0, 0.5)
    >>> abs(lowest + (2.0**2 + 0.5**2) ** 0.5) < 1e-4
    True
    """
    check("mass", mass, POSITIVE)
    check("stiffness", stiffness, POSITIVE)
    check("belt", belt, POSITIVE)
    omega = sqrt(stiffness / mass)
    release = (friction(0.0) - damping * belt) / stiffness

    def slides(t: float, y: Floats) -> list[float]:
        force = friction(abs(belt - float(y[1]))) - damping * y[1] - stiffness * y[0]
        return [float(y[1]), float(force) / mass]

    def caught(t: float, y: Floats) -> float:
        return float(y[1]) - belt

    caught.terminal, caught.direction = True, 1.0  # type: ignore[attr-defined]
    start, span = np.array([release, belt - 1e-9]), (0.0, 10.0 / omega)
    way = solve_ivp(
        slides, span, start, events=caught, rtol=1e-10, atol=1e-12, max_step=0.01 / omega
    )
    stick = (release - float(way.y[0, -1])) / belt
    return float(way.t[-1]) + stick, float(way.y[1].min())


def stick_slip_amplitude(
    mass: float, stiffness: float, damping: float, friction: Callable[[float], float], belt: float
) -> tuple[float, float]:
    """Period in s and amplitude of the cycle with stick, half the way between its extremes.

    As `stick_slip_cycle`, by a method of high order, for friction that is smooth over the speed.

    Examples
    --------
    >>> period, amplitude = stick_slip_amplitude(1.0, 1.0, 0.0, lambda v: 1.0 if v else 3.0, 0.5)
    >>> abs(amplitude - (2.0**2 + 0.5**2) ** 0.5) < 1e-8
    True
    """
    first = (friction(0.0) - damping * belt) / stiffness

    def slides(t: float, y: Floats) -> list[float]:
        force = friction(belt - float(y[1])) - stiffness * y[0] - damping * y[1]
        return [float(y[1]), float(force) / mass]

    def caught(t: float, y: Floats) -> float:
        return float(y[1]) - belt

    def turns(t: float, y: Floats) -> float:
        return float(y[1])

    caught.terminal, caught.direction = True, 1.0  # type: ignore[attr-defined]
    start, span = (first, belt - 1e-9 * belt), (0.0, 4.0 * pi * sqrt(mass / stiffness))
    slide = solve_ivp(slides, span, start, "DOP853", events=(caught, turns), rtol=1e-11, atol=1e-15)
    assert slide.y_events is not None
    assert slide.t_events is not None
    extremes, last = slide.y_events[1][:, 0], slide.y_events[0][0, 0]
    period = slide.t_events[0][0] + (first - last) / belt
    return float(period), float(0.5 * np.ptp(extremes))
