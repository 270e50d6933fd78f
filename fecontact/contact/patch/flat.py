"""Rigid flat contact patches that slide and spin: mean directions of the local slip.

A twist is (v_1, v_2, omega): velocity of the reference point in the plane and spin. The point
(x, y) of the patch moves with u = (v_1 - omega y, v_2 + omega x). With the average < > weighted by
the pressure, the mean speed

    phi(twist) = <|u|>

is convex, and its gradient (<u_1/|u|>, <u_2/|u|>, <(x u_2 - y u_1)/|u|>) is the friction vector of
Coulomb friction per -mu N (Keppler 4.45). Its Hessian is <a a^T/|u|> with a = (n_1, n_2,
x n_2 - y n_1) and n the unit vector across u.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from scipy.special import ellipkm1, elliprd

from fecontact.errors import (
    NON_NEGATIVE,
    POSITIVE,
    Allowed,
    InputError,
    SolverError,
    check,
    numbers,
    renamed,
)
from fecontact.typing import Floats

__all__ = ["AnnulusPatch", "AxisymmetricPatch", "HertzPatch", "Patch", "PointPatch", "Rectangle"]

Mean = tuple[Floats, Floats]
"""Gradient (3,) and Hessian (3, 3) of the mean speed by the twist."""


class Patch(Protocol):
    """Flat patch with a given distribution of pressure."""

    @property
    def area(self) -> float:
        """Area in m^2."""
        ...

    @property
    def centre(self) -> Floats:
        """Centre of pressure s_0 = <(x, y)> in m."""
        ...

    @property
    def second_moment(self) -> float:
        """Polar moment s_1 = <x^2 + y^2> in m^2 about the reference point."""
        ...

    def mean(self, twist: Floats) -> Mean:
        """Gradient and Hessian of the mean speed."""
        ...


@renamed(shares="fractions")
@dataclass(frozen=True, eq=False)
class PointPatch:
    """Patch of quadrature points, for any outline and pressure.

    Parameters
    ----------
    points
        x and y in m, (p, 2).
    weights
        Areas of the points in m^2.
    pressure
        Relative pressure of the points; uniform by default.

    Examples
    --------
    >>> bar = PointPatch(np.array([[-1.0, 0.0], [1.0, 0.0]]), np.ones(2))
    >>> bar.mean(np.array([0.0, 0.0, 3.0]))[0].tolist()
    [0.0, 0.0, 1.0]
    """

    points: Floats
    weights: Floats
    pressure: Floats | None = None

    def __post_init__(self) -> None:
        points = numbers("patch: points", self.points, ("p", 2))
        object.__setattr__(self, "points", points)
        for name in ("weights", "pressure"):
            if getattr(self, name) is not None or name == "weights":
                values = numbers(f"patch: {name}", getattr(self, name), (len(points),))
                object.__setattr__(self, name, values)
        if np.any(self._loads < 0.0) or not self._loads.sum() > 0.0:
            raise InputError("patch: invalid weights x pressures: expected >= 0, some > 0")

    @cached_property
    def area(self) -> float:
        """Area in m^2."""
        return float(np.sum(self.weights))

    @cached_property
    def fractions(self) -> Floats:
        """Part of the normal force that each point carries."""
        return self._loads / self._loads.sum()

    @property
    def _loads(self) -> Floats:
        return self.weights if self.pressure is None else self.weights * self.pressure

    @cached_property
    def centre(self) -> Floats:
        """Centre of pressure in m."""
        return self.fractions @ self.points

    @cached_property
    def second_moment(self) -> float:
        """Polar moment in m^2."""
        return float(self.fractions @ np.sum(self.points**2, axis=1))

    def velocities(self, twist: Floats) -> Floats:
        """Velocities (p, 3) in m/s of the points under a twist v_x, v_y, spin."""
        x, y = self.points.T
        return np.column_stack([twist[0] - twist[2] * y, twist[1] + twist[2] * x, np.zeros_like(x)])

    def resultant(self, forces: Floats) -> Floats:
        """Force along x and y in N, and moment in N m, of forces (p, 3) or (p, 2) on the points."""
        x, y = self.points.T
        total = forces[:, :2].sum(axis=0)
        return np.array([*total, x @ forces[:, 1] - y @ forces[:, 0]])

    def mean(self, twist: Floats) -> Mean:
        """Gradient and Hessian of the mean speed; a point at the pole does not count."""
        x, y = self.points.T
        u = self.velocities(twist)[:, :2]
        speed = np.linalg.norm(u, axis=1)
        moves = speed > 0.0
        if not moves.any():
            raise SolverError(NO_MOTION)
        e_1, e_2 = u.T / np.where(moves, speed, 1.0)
        along = np.array([e_1, e_2, x * e_2 - y * e_1])
        across = np.array([-e_2, e_1, x * e_1 + y * e_2])
        fraction = self.fractions * moves / np.where(moves, speed, 1.0)
        return along @ self.fractions, (fraction * across) @ across.T


@dataclass(frozen=True)
class Rectangle:
    """Rectangle under uniform pressure, reference point in its middle.

    The integrals about the pole (-v_2, v_1)/omega have closed forms (corrected from Keppler
    4.2.4); if the pole is far they cancel, and Gauss points are exact instead.

    Examples
    --------
    A block of 2 x 1 on a disc whose centre is at (0, 1) (Keppler, example 4.8):

    >>> block = Rectangle(2.0, 1.0)
    >>> [round(abs(f), 4) for f in block.mean(np.array([1.0, 0.0, 1.0]))[0].tolist()]
    [0.8652, 0.0, 0.2903]
    """

    length_x: float
    length_y: float

    def __post_init__(self) -> None:
        check("length_x", self.length_x, POSITIVE, "m")
        check("length_y", self.length_y, POSITIVE, "m")

    @property
    def area(self) -> float:
        """Area in m^2."""
        return self.length_x * self.length_y

    @property
    def centre(self) -> Floats:
        """Centre of pressure in m."""
        return np.zeros(2)

    @property
    def second_moment(self) -> float:
        """Polar moment (l_x^2 + l_y^2)/12 in m^2."""
        return (self.length_x**2 + self.length_y**2) / 12.0

    def mean(self, twist: Floats) -> Mean:
        """Gradient and Hessian of the mean speed."""
        v_1, v_2, omega = (float(value) for value in twist)
        far = FAR * 0.5 * np.hypot(self.length_x, self.length_y)
        if np.hypot(v_1, v_2) > far * abs(omega):
            return self._gauss.mean(twist)
        if omega == 0.0:
            raise SolverError(NO_MOTION)
        return self._about_pole(-v_2 / omega, v_1 / omega, omega)

    def _about_pole(self, pole_x: float, pole_y: float, omega: float) -> Mean:
        x = 0.5 * self.length_x * SIGN_X - pole_x
        y = 0.5 * self.length_y * SIGN_Y - pole_y
        r = np.hypot(x, y)
        x_log = x * np.arcsinh(y / np.where(x != 0.0, np.abs(x), 1.0))
        y_log = y * np.arcsinh(x / np.where(y != 0.0, np.abs(y), 1.0))
        corners = SIGN_X * SIGN_Y / self.area
        first = -0.5 * corners @ (x * r + y * y_log)
        second = 0.5 * corners @ (y * r + x * x_log)
        spin = corners @ (x * y * r / 3.0 + (x**2 * x_log + y**2 * y_log) / 6.0)
        spin += pole_x * second - pole_y * first
        xx, xy, yy = corners @ y_log, -corners @ r, corners @ x_log
        arms = np.array([[1.0, 0.0], [0.0, 1.0], [-pole_y, pole_x]])
        hessian = arms @ np.array([[xx, xy], [xy, yy]]) @ arms.T / abs(omega)
        return np.sign(omega) * np.array([first, second, spin]), hessian

    @cached_property
    def _gauss(self) -> PointPatch:
        nodes, weight = np.polynomial.legendre.leggauss(14)
        x, y = np.meshgrid(0.5 * self.length_x * nodes, 0.5 * self.length_y * nodes)
        weights = 0.25 * self.area * np.outer(weight, weight).ravel()
        return PointPatch(np.column_stack([x.ravel(), y.ravel()]), weights)


class AxisymmetricPatch(ABC):
    """Patch with a pressure p(r); all follows from sums over rings.

    With V = |v|, W = |omega| the friction vector is (F v/V, M omega/W), and

        F = d phi/dV,   M = d phi/dW,   phi'' = c ((W^2, -V W), (-V W, V^2))
    """

    @property
    @abstractmethod
    def area(self) -> float:
        """Area in m^2."""

    @property
    @abstractmethod
    def second_moment(self) -> float:
        """Polar moment in m^2."""

    @abstractmethod
    def rings(self, pole: float) -> tuple[Floats, Floats]:
        """Radii and fractions of rings, graded towards the distance of the pole."""

    @property
    def centre(self) -> Floats:
        """Centre of pressure in m."""
        return np.zeros(2)

    def ratios(self, speed: float, spin: float) -> tuple[float, float, float]:
        """F/V, M/W and c at V = `speed` and W = `spin`, both >= 0 and not both 0."""
        if not (speed > 0.0 or spin > 0.0):
            raise SolverError(NO_MOTION)
        radius, fraction = self.rings(speed / spin if spin > 0.0 else np.inf)
        rim = spin * radius
        large = np.maximum(rim, speed)
        k2 = (np.minimum(rim, speed) / large) ** 2
        rest = np.maximum((large - np.minimum(rim, speed)) * (1.0 + np.sqrt(k2)) / large, 1e-300)
        D = elliprd(0.0, rest, 1.0) / 3.0
        B = ellipkm1(rest) - D
        E = B + rest * D
        force = np.where(speed >= rim, E, B) / large
        moment = np.where(speed >= rim, B, E) / large
        fraction = 2.0 / np.pi * fraction
        arm = radius**2 * fraction
        return float(fraction @ force), float(arm @ moment), float(arm @ (D / large**3))

    def mean(self, twist: Floats) -> Mean:
        """Gradient and Hessian of the mean speed."""
        v, omega = np.asarray(twist[:2], dtype=float), float(twist[2])
        V, W = float(np.linalg.norm(v)), abs(omega)
        force, moment, c = self.ratios(V, W)
        hessian = np.zeros((3, 3))
        if V > 0.0:
            e = v / V
            hessian[:2, :2] = force * (np.eye(2) - np.outer(e, e)) + c * W**2 * np.outer(e, e)
        else:
            hessian[:2, :2] = force * np.eye(2)
        hessian[:2, 2] = hessian[2, :2] = -c * omega * v
        hessian[2, 2] = c * V**2
        return np.array([*(force * v), moment * omega]), hessian


@dataclass(frozen=True)
class HertzPatch(AxisymmetricPatch):
    """Circle of the radius a under Hertz's pressure p_0 sqrt(1 - r^2/a^2) (Keppler 4.55).

    With x = V/(W a) <= 1 exactly F = (3 pi/8) x (1 - x^2/4), M = (3 pi/16) a (1 - x^2 + 3 x^4/8).
    """

    radius: float

    def __post_init__(self) -> None:
        check("radius", self.radius, POSITIVE, "m")

    @property
    def area(self) -> float:
        """Area in m^2."""
        return float(np.pi * self.radius**2)

    @property
    def second_moment(self) -> float:
        """Polar moment 2 a^2/5 in m^2."""
        return 0.4 * self.radius**2

    def rings(self, pole: float) -> tuple[Floats, Floats]:
        """Rings r = a sqrt(1 - u^2) with the fractions 3 u^2 du, graded towards the rim."""
        u, du = GRADED
        return self.radius * np.sqrt(1.0 - u**2), 3.0 * u**2 * du

    def ratios(self, speed: float, spin: float) -> tuple[float, float, float]:
        """F/V, M/W and c; closed forms while the pole lies in the patch."""
        a = self.radius
        if speed > spin * a or not spin > 0.0:
            return super().ratios(speed, spin)
        x2 = (speed / (spin * a)) ** 2
        unit = 3.0 * np.pi / 8.0 / (spin * a)
        return (
            unit * (1.0 - 0.25 * x2),
            0.5 * a**2 * unit * (1.0 - x2 + 0.375 * x2**2),
            unit / spin**2 * (1.0 - 0.75 * x2),
        )


@dataclass(frozen=True)
class AnnulusPatch(AxisymmetricPatch):
    """Annulus, or disc with inner = 0, under uniform pressure or, worn in, p ~ 1/r."""

    inner: float
    outer: float
    worn: bool = False

    def __post_init__(self) -> None:
        check("inner radius", self.inner, NON_NEGATIVE, "m")
        larger = Allowed(f"> inner radius = {self.inner} m", lambda r: r > self.inner)
        check("outer radius", self.outer, larger, "m")

    @property
    def area(self) -> float:
        """Area in m^2."""
        return float(np.pi * (self.outer**2 - self.inner**2))

    @property
    def second_moment(self) -> float:
        """Polar moment in m^2."""
        if self.worn:
            return (self.outer**2 + self.outer * self.inner + self.inner**2) / 3.0
        return 0.5 * (self.outer**2 + self.inner**2)

    def rings(self, pole: float) -> tuple[Floats, Floats]:
        """Rings on both sides of the pole, or from the edge next to it."""
        t, dt = GRADED
        split = min(max(pole, self.inner), self.outer)
        ends = [end for end in (self.inner, self.outer) if end != split]
        r = np.concatenate([split + (end - split) * t for end in ends])
        dr = np.concatenate([abs(end - split) * dt for end in ends])
        if self.worn:
            return r, dr / (self.outer - self.inner)
        return r, 2.0 * r * dr / (self.outer**2 - self.inner**2)


def _graded(points: int = 40, power: int = 4) -> tuple[Floats, Floats]:
    """Gauss points and weights of (0, 1) after t -> t^power: exact for logarithms at 0."""
    nodes, weight = np.polynomial.legendre.leggauss(points)
    t = 0.5 * (1.0 + nodes)
    return t**power, 0.5 * weight * power * t ** (power - 1)


NO_MOTION = "no sliding friction of the patch: the twist is zero; a patch at rest sticks"
FAR = 3.0
"""Distance of the pole in half diagonals from which Gauss points are used."""
SIGN_X, SIGN_Y = np.array([1.0, -1.0, 1.0, -1.0]), np.array([1.0, 1.0, -1.0, -1.0])
GRADED = _graded()
