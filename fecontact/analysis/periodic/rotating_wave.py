"""Rotating waves of axisymmetric systems: motions that rest in a frame that turns with them.

If all bodies and contacts are the same at every angle, a limit cycle may be a pattern that runs
around at constant speed, x(t) = exp(omega t G) x_0, where G is the generator of rotations of
coordinates and elastic slip about the axis. Then x' = omega G x, and the periodic motion is a
solution of algebraic equations, without any steps in time:

    r(q, omega G q, omega^2 G^2 q, z) = 0,      Z(q, omega G q, z) = omega G z,

with omega unknown and one coordinate held at zero, which fixes the angle. Disturbances obey linear
equations with constant coefficients in the turning frame; their exponents decide on stability.
On n contact points a ring is the same at n angles only; the rest is an error of the ring that falls
with n.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import cos, sin

import numpy as np
from scipy.linalg import block_diag, expm

from fecontact.analysis.continuation import solve_at
from fecontact.analysis.imbalance import Acting
from fecontact.analysis.periodic.floquet import without_shift
from fecontact.analysis.periodic.motion import (
    Balance,
    Balances,
    SystemMotion,
    beyond_validity,
    kept_motions,
)
from fecontact.analysis.periodic.shooting import Turn
from fecontact.body.base import as_body
from fecontact.contact import EulerianPair
from fecontact.errors import InputError, warn_caller
from fecontact.solvers.imbalance import Imbalance
from fecontact.system import System
from fecontact.typing import Body, Complexes, Floats

__all__ = ["RotatingWave", "Wave", "rotating_wave", "turn_of", "turning"]

DIFFERENCE = 1e-7
"""Relative step of the difference by the parameter."""


def turning(motion: SystemMotion) -> tuple[Floats, Floats]:
    """Generator of rotations about the z axis: of the coordinates (n, n) and of the slip (s, s)."""
    system, T = motion.system, motion.directions
    blocks = np.zeros((system.size, system.size))
    for body in system.bodies:
        blocks[system.slices[body.name], system.slices[body.name]] = _turned(body)
    slip = np.zeros((len(T), len(T)))
    for item in system.stateful_contacts:
        rings = item.rings if isinstance(item, EulerianPair) else None
        if rings is None:
            raise InputError(
                f"{item.name}: invalid {type(item).__name__} in a rotating wave: expected an "
                "EulerianPair with a spinning slave"
            )
        slip[system.history_layout.z[item.name], system.history_layout.z[item.name]] = -rings.matrix
    return blocks[np.ix_(motion.free, motion.free)], T.T @ slip @ T


def turn_of(motion: SystemMotion) -> Turn:
    """Turn of a state (q, v, z) by one point of the rings, for `shoot`; all rings must be alike."""
    system, T = motion.system, motion.directions
    by_q = turning(motion)[0]
    counts, slip = set[int](), np.zeros((len(T), len(T)))
    for item in system.stateful_contacts:
        assert isinstance(item, EulerianPair)
        assert item.rings is not None
        order, part = item.rings.order, system.history_layout.z[item.name]
        counts.add(order.shape[1])
        angle = 2.0 * np.pi / order.shape[1]
        spin = np.array(
            [[cos(angle), -sin(angle), 0.0], [sin(angle), cos(angle), 0.0], [0, 0, 1.0]]
        )
        to_next = np.zeros((order.size, order.size))
        to_next[np.roll(order, -1, axis=1).ravel(), order.ravel()] = 1.0
        slip[part, part] = np.kron(to_next, spin)
    if len(counts) != 1:
        raise InputError("invalid rings in a rotating wave: expected equal numbers of points")
    (points,) = counts
    once = expm(2.0 * np.pi / points * by_q)
    return Turn(np.asarray(block_diag(once, once, T.T @ slip @ T)), points)


def _turned(body: Body) -> Floats:
    """Generator of a body."""
    generator = as_body(body).rotation_generator()
    if generator is None:
        raise InputError(
            f"invalid body '{body.name}' in a rotating wave: expected a SpinningDisc, or a "
            "RigidBody without rz"
        )
    return generator


@dataclass(frozen=True, eq=False)
class Wave:
    """A rotating wave.

    Attributes
    ----------
    q, v, z
        Coordinates, velocities and slip at t = 0.
    omega
        Angular speed of the pattern in rad/s, negative if it runs backward.
    exponents : (2 n + s,)
        Rates in 1/s of disturbances in the turning frame, the fastest growing first, without that
        of a turn of the whole pattern (see `floquet`: a ring of points breaks the symmetry).
    residual
        What is left of the equations, relative to the forces that act and the rates of slip.
    beyond
        What is said of a frequency beyond the validity of the bodies; else empty.
    """

    q: Floats
    v: Floats
    z: Floats
    omega: float
    exponents: Complexes
    residual: float
    beyond: str = ""

    @property
    def frequency(self) -> float:
        """Revolutions of the pattern in Hz."""
        return abs(self.omega) / (2.0 * np.pi)

    @property
    def stable(self) -> bool:
        """Whether disturbances fade."""
        return bool(self.exponents[0].real < 0.0)

    @property
    def start(self) -> Floats:
        """State (q, v, z) at t = 0, in one row."""
        return np.concatenate([self.q, self.v, self.z])


@dataclass(frozen=True, eq=False)
class RotatingWave:
    """Equations of a rotating wave over a parameter, for `follow`; unknowns (q, z, omega).

    Parameters
    ----------
    motion
        Axisymmetric system at a value of the parameter.
    phase
        Number of the coordinate that is zero at t = 0.
    """

    motion: Callable[[float], SystemMotion]
    phase: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "motion", kept_motions(self.motion))

    def evaluate(self, u: Floats, parameter: float) -> tuple[Floats, Floats]:
        """Residual and its derivative by the unknowns."""
        at = _Turning(self.motion(parameter), u)
        q, z, omega, G, H, now = at.q, at.z, at.omega, at.by_q, at.by_z, at.balance
        n, size = len(q), len(u)
        J = np.zeros((size, size))
        twice = G @ G
        J[:n, :n] = now.by_q + omega * now.by_v @ G + omega**2 * now.by_a @ twice
        J[:n, n:-1] = now.by_z
        J[:n, -1] = now.by_v @ G @ q + 2.0 * omega * now.by_a @ twice @ q
        J[n:-1, :n] = now.z_rate_by_q + omega * now.z_rate_by_v @ G
        J[n:-1, n:-1] = now.z_rate_by_z - omega * H
        J[n:-1, -1] = now.z_rate_by_v @ G @ q - H @ z
        J[-1, self.phase] = 1.0
        wrong = [now.residual, now.rate - omega * H @ z, q[self.phase : self.phase + 1]]
        return np.concatenate(wrong), J

    def by_parameter(self, u: Floats, parameter: float, residual: Floats) -> Floats:
        """Derivative of the residual by the parameter: a difference."""
        changed = parameter + DIFFERENCE * (abs(parameter) or 1.0)
        return (self.evaluate(u, changed)[0] - residual) / (changed - parameter)

    def imbalance(self, u: Floats, parameter: float, residual: Floats) -> Imbalance:
        """Residual relative to the forces that act and to the rates of slip."""
        at = _Turning(self.motion(parameter), u)
        now, n, a = at.balance, len(at.q), at.omega * at.by_q @ at.v
        time = 1.0 / (abs(at.omega) or 1.0)
        forces = Acting.of(Balances.of([now]), at.q[None], at.v[None], a[None], at.z[None], time)
        carried = at.omega * at.by_z @ at.z
        parts = zip(
            (now.z_rate_by_q, now.z_rate_by_v, now.z_rate_by_z), (at.q, at.v, at.z), strict=True
        )
        products = np.abs(carried) + sum(np.abs(by) @ np.abs(x) for by, x in parts)
        rates = Imbalance.of(residual[n:-1], np.abs(now.rate) + np.abs(carried), products)
        return forces.imbalance(residual[None, :n], n).and_also(rates)

    def wave(self, u: Floats, parameter: float) -> Wave:
        """Wave of a solution; there is a warning beyond the validity of the bodies."""
        at = _Turning(self.motion(parameter), u)
        left = self.imbalance(u, parameter, self.evaluate(u, parameter)[0]).residual
        fast = beyond_validity(at.motion, abs(at.omega) / (2.0 * np.pi))
        if fast:
            warn_caller(fast)
        return Wave(at.q, at.v, at.z, at.omega, at.exponents(), left, fast)

    def sizes(self, u: Floats, parameter: float) -> Floats:
        """Sizes of the unknowns for `PathOptions`."""
        n, s, _ = self.motion(parameter).sizes
        largest = [np.abs(part).max(initial=0.0) or 1.0 for part in np.split(u, [n, n + s])]
        return np.repeat(largest, [n, s, 1])


class _Turning:
    """A system at the unknowns of a wave."""

    def __init__(self, motion: SystemMotion, u: Floats) -> None:
        n, _, rows = motion.sizes
        if rows:
            raise InputError("invalid constraints in a rotating wave: expected none between dofs")
        self.motion, self.q, self.z, self.omega = motion, u[:n], u[n:-1], float(u[-1])
        self.by_q, self.by_z = turning(motion)
        self.v = self.omega * self.by_q @ self.q

    @cached_property
    def balance(self) -> Balance:
        a = self.omega * self.by_q @ self.v
        return self.motion.evaluate(0.0, self.q, self.v, a, self.z, np.zeros(0))

    def exponents(self) -> Complexes:
        """Eigenvalues of the linear equations in the turning frame."""
        now, n = self.balance, len(self.q)
        inertia = np.linalg.solve(now.by_a, np.hstack([now.by_q, now.by_v, now.by_z]))
        moved = np.eye(n, 2 * n + len(self.z), n)
        rate = np.hstack([now.z_rate_by_q, now.z_rate_by_v, now.z_rate_by_z])
        turned = self.omega * block_diag(self.by_q, self.by_q, self.by_z)
        values = np.linalg.eigvals(np.vstack([moved, -inertia, rate]) - turned).astype(complex)
        values = without_shift(values, int(np.argmin(np.abs(values))), rates=True)
        return np.asarray(values[np.argsort(-values.real, kind="stable")])


def rotating_wave(
    system: System, guess: Floats, omega: float, phase: str, start: SystemMotion | None = None
) -> Wave:
    """Find a rotating wave of an axisymmetric system.

    Parameters
    ----------
    system
        Of rigid bodies, spinning discs and Eulerian contacts.
    guess
        State (q, v, z) in one row, as `SystemMotion.packed` gives it.
    omega
        Guess of the angular speed in rad/s, with its sign.
    phase
        Name "body.dof" of the coordinate that is zero at t = 0.
    start
        The motion of the system, if it is at hand.
    """
    motion = SystemMotion(system) if start is None else start
    n = motion.sizes[0]
    u = np.concatenate([guess[:n], guess[2 * n :], [omega]])
    equations = RotatingWave(lambda _: motion, motion.index(phase))
    return equations.wave(solve_at(equations, u, 0.0), 0.0)
