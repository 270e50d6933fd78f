"""Coordinates of a system in a frame that turns about z, for motions near a steady turn.

    q(t) = q_0(t) + B(t) y(t),      B(t) = exp(t E),      E = Omega_f G_s + (Omega_f - spin) G_r,

q_0 turns on with the steady speeds v_0, dofs that stand in space have the generator G_s, those that
ride with axes of a speed `spin` have G_r (`body.turning`). Omega_f is the speed of the frame: with
that of a body, y rests if everything turns with the body; with 0, y rests if patterns stand in
space. Rotations about turning axes are composed, R = R_0 exp(theta~); with omega body-fixed

    delta v = B (y' + Gamma y),      Gamma = E + B^-1 omega~ B .
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

import numpy as np
import scipy.linalg as la

from fecontact.body.base import as_body
from fecontact.body.rotation import cross_matrix, quaternion_matrix, rotation_increment
from fecontact.body.turning import Turning
from fecontact.errors import InputError
from fecontact.system import State, System
from fecontact.system.constraints.metric import row_metric
from fecontact.system.constraints.projection import Projector
from fecontact.typing import Complexes, Floats

__all__ = ["Description", "running_speeds", "turnings"]

SAME = 1e-9
"""Relative difference up to which two speeds are one."""


class Description:
    """Coordinates y of a system in a frame of the speed Omega_f about z.

    Parameters
    ----------
    system
        The system.
    base
        Reference position with the speeds v_0 of the steady turn (`running_speeds`).
    frame_speed
        Omega_f in rad/s.
    """

    def __init__(self, system: System, base: State, frame_speed: float) -> None:
        self.system, self.base, self.frame_speed = system, base, frame_speed
        self.turnings = turnings(system, base.v)
        self.generator = self._generator()
        self._angles, self._directions = la.eigh(1j * self.generator)

    def turn(self, t: float) -> Floats:
        """Matrix B (n, n) at a time."""
        turned = self._directions * np.exp(-1j * self._angles * t)
        return np.asarray((turned @ self._directions.conj().T).real)

    def state(self, t: float, y: Floats, rate: Floats) -> State:
        """State of the system with coordinates y and rates y'."""
        B, system = self.turn(t), self.system
        x, x_rate = B @ y, B @ (rate + self.generator @ y)
        on = system.move(self.base.q, t * self.base.v)
        v = self.base.v + x_rate
        for part, axes in self._rotations:
            theta = axes @ x[part]
            back = quaternion_matrix(rotation_increment(-theta))
            omega = _rotation_rate(theta, axes @ x_rate[part]) + back @ (axes @ self.base.v[part])
            v[part] = axes.T @ omega
        return State(self.base.t + t, system.move(on, x), v)

    def coordinates(self, t: float, q: Floats) -> Floats:
        """Coordinates y (n,) of positions near the steady turn, to first order."""
        on = self.system.move(self.base.q, t * self.base.v)
        to_rates = np.column_stack([self.system.rate(on, v) for v in np.eye(self.system.size)])
        step = np.linalg.lstsq(to_rates, q - on, rcond=None)[0]
        return np.asarray(self.turn(t).T @ step)

    def carried(self, t: float, v: Floats) -> Floats:
        """Gamma (n, n) at a time and at velocities v."""
        turned = np.zeros_like(self.generator)
        for part, axes in self._rotations:
            turned[part, part] = axes.T @ cross_matrix(axes @ v[part]) @ axes
        if not turned.any():
            return self.generator
        B = self.turn(t)
        return np.asarray(self.generator + B.T @ turned @ B)

    def seen(self, y: Complexes) -> dict[int, float]:
        """Squares of a mode y exp(z t) by the numbers m of turns that space sees in addition.

        The part m of a mode of the frequency omega is seen at omega + m Omega, Omega the speed of
        what turns. A pattern of the elastic coordinates with the eigenvalue i c of their generator
        has the frequency omega + c (frame speed - Omega) in the body; its waves exp(i k phi) turn
        with the body, which is -k Omega more.
        """
        found = defaultdict[int, float](float)
        for body in map(as_body, self.system.bodies):
            part, own = self.system.slices[body.name], self.turnings[body.name]
            waves, x = body.waves if own.spin else None, y[part]
            elastic = 0 if waves is None else len(waves.harmonic)
            rigid = len(x) - elastic
            G = (own.space() if self.frame_speed else np.zeros((len(x), len(x))))[:rigid, :rigid]
            if self.frame_speed and rigid:
                G = G + own.riding()[:rigid, :rigid]
            for c, inside in _directions(G):
                found[c] += float(np.linalg.norm(inside @ x[:rigid]) ** 2)
            if waves is None:
                continue
            riding = 0 if self.frame_speed else -1
            for c, inside in _directions(waves.generator):
                pattern = inside @ x[rigid:]
                squares, parts = float(np.linalg.norm(pattern) ** 2), waves.parts(pattern)
                total = sum(parts.values()) or 1.0
                for k, each in parts.items():
                    found[riding * c - k] += squares * each / total
        return dict(found)

    def _generator(self) -> Floats:
        E = np.zeros((self.system.size, self.system.size))
        for part, each in self._parts():
            if self.frame_speed:
                E[part, part] += self.frame_speed * each.space()
            if not _same(self.frame_speed, each.spin):
                E[part, part] += (self.frame_speed - each.spin) * each.riding()
        return E

    def _parts(self) -> list[tuple[slice, Turning]]:
        return [(self.system.slices[name], each) for name, each in self.turnings.items()]

    @cached_property
    def _rotations(self) -> list[tuple[slice, Floats]]:
        """Dofs of composed rotations, and their directions (3, b)."""
        return [
            (slice(part.start + own.rotations.start, part.start + own.rotations.stop), own.axes)
            for part, own in self._parts()
            if own.rotations.stop > own.rotations.start
        ]


def turnings(system: System, v: Floats) -> dict[str, Turning]:
    """How each body turns about z in a motion with velocities v (n,)."""
    found = {}
    for body in system.bodies:
        own = as_body(body).turning(v[system.slices[body.name]])
        if own is None:
            raise InputError(
                f"invalid frame of body '{body.name}': expected one that is fixed, free, or turns "
                "steadily about the z axis through its origin"
            )
        found[body.name] = own
    return found


def running_speeds(system: System) -> State:
    """Reference position with the speeds that drives ask for and that change no force."""
    rest = system.rest()
    if not system.constraints:
        return rest
    projector = Projector(system)
    q = projector.position(rest)
    v = projector.velocity(State(rest.t, q, np.zeros(system.size)))
    state = State(rest.t, q, v)
    if not v.any():
        return state
    rows = system.constraint(state)
    Z = row_metric(system.mass_matrix(q), rows.jacobian).null_space()
    K = Z.T @ system.tangents(state)[0]
    follow = np.linalg.lstsq(K @ Z, -K @ v, rcond=None)[0]
    return State(rest.t, q, v + Z @ follow)


def _directions(G: Floats) -> list[tuple[int, Complexes]]:
    """Eigenvalues i c of a skew generator, and the projectors on their directions."""
    if not len(G):
        return []
    values, vectors = la.eigh(-1j * G)
    c = np.round(values).astype(int)
    return [(int(n), vectors[:, c == n] @ vectors[:, c == n].conj().T) for n in np.unique(c)]


def _same(one: float, two: float) -> bool:
    return abs(one - two) <= SAME * max(abs(one), abs(two))


def _rotation_rate(theta: Floats, rate: Floats) -> Floats:
    """Body-fixed angular velocity of exp(theta~), to third order of theta."""
    across = cross_matrix(theta)
    return np.asarray(rate - 0.5 * across @ rate + across @ across @ rate / 6.0)
