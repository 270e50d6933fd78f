"""Plates, spinning discs and Eulerian contacts in plain numpy; no code of the package.

The disc has Jehle's shapes (R - r){1, cos k phi, sin k phi}; D = d/dphi turns them into each other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import twin_laws as laws
from twin_contact import E_Z, Frame, Twin, flat
from twin_laws import dot, length, rows


@dataclass
class Disc:
    """Shapes of a disc of the outer radius R and the thickness h, harmonics up to K."""

    R: float
    h: float
    K: int

    def shapes(self, x, y):
        """Deflections (p, m) and slopes (p, 2, m)."""
        r, phi = np.sqrt(x * x + y * y), np.arctan2(y, x)
        radial, around = np.array([x / r, y / r]), np.array([-y / r, x / r])
        W, slopes = [self.R - r], [-radial]
        for k in range(1, self.K + 1):
            for f, df in (
                (np.cos(k * phi), -k * np.sin(k * phi)),
                (np.sin(k * phi), k * np.cos(k * phi)),
            ):
                W.append((self.R - r) * f)
                slopes.append(-f * radial + (self.R - r) / r * df * around)
        return np.array(W).T, np.array(slopes).transpose(2, 1, 0)

    def turned(self, q):
        """Coordinates of D W q."""
        result = np.zeros(len(q))
        for k in range(1, self.K + 1):
            a, b = q[2 * k - 1], q[2 * k]
            result[2 * k - 1], result[2 * k] = k * b, -k * a
        return result

    def surface(self, W, slope, q, lever):
        """Normal, and displacement (p, 3, m) per coordinate at a height over the mid-plane."""
        g = slope @ q
        n = np.column_stack([-g, np.ones(len(g))])
        n /= rows(length(n))
        Phi = np.zeros((len(g), 3, len(q)))
        for i in range(len(g)):
            tilt = np.vstack([slope[i], np.zeros(len(q))])
            Phi[i] = -lever * n[i, 2] * (tilt - np.outer(n[i], n[i] @ tilt))
            Phi[i, 2] += W[i]
        return n, Phi


class Plate:
    """Upper face of a disc without hub as a master; its frame has q and v as `e` and `rate`."""

    def __init__(self, disc):
        self.disc = disc

    def one(self, q, x):
        """X - (z - w) grad w = (x, y), by repeated substitution."""
        X = x[:, :2].copy()
        for _ in range(400):
            W, slope = self.disc.shapes(*X.T)
            X, before = x[:, :2] + rows(x[:, 2] - W @ q) * (slope @ q), X
            if np.abs(X - before).max() < 1e-16:
                break
        W, slope = self.disc.shapes(*X.T)
        return (x[:, 2] - W @ q, *self.disc.surface(W, slope, q, 0.5 * self.disc.h))

    def at(self, frame, x, x_rate):
        height, n, Phi = self.one(frame.e, x)
        moves = Phi @ (frame.rate + frame.spin * self.disc.turned(frame.e))
        return height / n[:, 2] - 0.5 * self.disc.h, n, moves + np.cross(frame.spin * E_Z, x), None

    def apply_transpose(self, frame, x, force):
        return np.einsum("pim,pi->m", self.one(frame.e, x)[2], force)


@dataclass
class DiscFrame(Frame):
    """Motion of a disc: its hub, the spin, the coordinates `e` and their rates."""

    free: bool = False
    angle: float = 0.0


def disc_frame(q, v, hub, free, speed):
    """Frame of a disc from its coordinates: hub (3), angle of a free spin, disc."""
    first = 3 * hub + free
    none = np.zeros(3)
    spin, angle = (v[3], q[3]) if free else (speed, 0.0)
    return DiscFrame(
        q[:3] if hub else none, np.eye(3), v[:3] if hub else none, none, q[first:], v[first:],
        "hub" if hub else "given", spin, free, angle,
    )  # fmt: skip


class SpunTwin(Twin):
    """An Eulerian contact: history in the frame of the slave, carried along rings by its spin.

    With `disc` the slave is the lower face of a disc. `turn` is the angle of the spin of a rigid
    slave before and after, if it is a coordinate.
    """

    disc = None
    rings = None
    turn = None

    def slave(self, frame):
        """Places, their part relative to the centre, velocities, and motion (p, 3, m)."""
        if self.disc is None:
            local = self.X + self.Phi @ frame.e
            around = np.cross(frame.omega + frame.spin * E_Z, local) + self.Phi @ frame.rate
            return frame.r + local @ frame.R.T, local, frame.v + around @ frame.R.T, None
        lever = -0.5 * self.disc.h
        W, slope = self.disc.shapes(self.X[:, 0], self.X[:, 1])
        n, Phi = self.disc.surface(W, slope, frame.e, lever)
        local = self.X + lever * (n - E_Z) + rows(W @ frame.e) * E_Z
        moves = Phi @ (frame.rate + frame.spin * self.disc.turned(frame.e))
        return frame.r + local, local, frame.v + np.cross(frame.spin * E_Z, local) + moves, Phi

    def kinematics(self, slave, master, t=0.0):
        x, local, moves, _ = self.slave(slave)
        gap, n, other, _ = self.master.at(master, x, moves)
        relative = moves - other
        rate = dot(n, relative)
        return local, x, gap + self.own_gap(slave, t), n, rate, relative - rows(rate) * n

    def own_gap(self, slave, t):
        """Initial gaps that turn with the slave."""
        if self.rings is None or getattr(slave, "free", False):
            return self.gap
        return self.shifted(self.gap[:, None], slave.spin * t)[:, 0]

    def load(self, slave, master, local, x, n, pressure, T):
        if self.disc is None:
            return super().load(slave, master, local, x, n, pressure, T)
        F = rows(self.weights) * (rows(pressure) * n + T)
        Phi = self.slave(slave)[3]
        parts = [] if slave.kind == "given" else [F.sum(axis=0)]
        if slave.free:
            along = np.cross(E_Z, local) + Phi @ self.disc.turned(slave.e)
            parts.append([dot(along, F).sum()])
        own = np.concatenate([*parts, np.einsum("pim,pi->m", Phi, F)])
        return np.concatenate([own, -self.master.apply_transpose(master, x, F)])

    def step(self, before, after, z, status, slip_totals, h, t=0.0):
        _, _, gap_0, _, _, slip_0 = self.kinematics(*before, t)
        local, x, gap, n, rate, slip = self.kinematics(*after, t + h)
        keep, half = after[0].R, 0.5 * h * slip_0 @ before[0].R
        theta, places = self.angles(before[0], after[0], t, h)
        old = self.carried(z[:, :3] + half, theta) @ keep.T
        shift = flat(n, self.carried(half, theta) @ keep.T) + 0.5 * h * slip
        trial = flat(n, old) + 0.5 * h * slip
        others, layer = laws.apart(self.friction, z)
        p, layer = laws.normal_step(self.normal, gap, rate, gap_0, layer, h)
        brought = status.copy()
        if self.rings is not None:
            for ring in self.rings:
                brought[ring] = np.roll(status[ring], places)
        T, new, others, status, work = laws.friction_step(
            self.friction, trial, shift, slip, p, brought, h, others
        )
        force = self.load(*after, local, x, n, p, T)
        path = np.where(status == laws.OPEN, 0.0, length(trial - new))
        z = np.column_stack([new @ keep, others, layer])
        return force, z, status, slip_totals + np.column_stack([self.weights * work, path])

    def angles(self, before, after, t, h):
        """Turn of the material in the step, and by how many places it passes the points."""
        if self.rings is None:
            return 0.0, 0
        ends = self.turn or (
            (before.angle, after.angle)
            if getattr(after, "free", False)
            else (after.spin * t, after.spin * (t + h))
        )
        n = self.rings.shape[1]
        counts = [int(np.floor(angle * n / (2.0 * np.pi) + 0.5)) for angle in ends]
        free = self.turn or getattr(after, "free", False)
        return ends[1] - ends[0] if free else h * after.spin, counts[1] - counts[0]

    def carried(self, vectors, theta):
        """Vectors that the material brings: their cylindrical components are shifted."""
        return vectors if self.rings is None else self.shifted(vectors, theta)

    def shifted(self, values, theta, derivative=False):
        """Values or vectors shifted along the rings by sums over harmonics, or derived."""
        result = np.empty_like(values)
        for ring in self.rings:
            phi = np.arctan2(self.X[ring, 1], self.X[ring, 0])
            f = values[ring]
            if f.shape[1] == 3:
                c, s = np.cos(phi), np.sin(phi)
                f = np.column_stack([c * f[:, 0] + s * f[:, 1], c * f[:, 1] - s * f[:, 0], f[:, 2]])
            n, out = len(ring), np.zeros_like(f)
            angle = 2.0 * np.pi * np.arange(n) / n
            for k in range(n // 2 + 1):
                share = 1.0 if k == 0 or 2 * k == n else 2.0
                own = 0.0 if 2 * k == n else k
                a = share / n * np.cos(k * angle) @ f
                b = share / n * np.sin(k * angle) @ f
                if derivative:
                    out += own * (np.outer(np.cos(k * angle), b) - np.outer(np.sin(k * angle), a))
                else:
                    turned = k * angle - own * theta
                    out += np.outer(np.cos(turned), a) + np.outer(np.sin(turned), b)
            if f.shape[1] == 3:
                out = np.column_stack(
                    [c * out[:, 0] - s * out[:, 1], s * out[:, 0] + c * out[:, 1], out[:, 2]]
                )
            result[ring] = out
        return result

    def rate(self, now, z, status, t=0.0):
        local, x, gap, n, rate, slip = self.kinematics(*now, t)
        R = now[0].R
        bent = flat(n, z[:, :3] @ R.T)
        others, layer = laws.apart(self.friction, z)
        p, layer = laws.normal_rate(self.normal, gap, rate, layer)
        T, change, others, status, power = laws.friction_rate(
            self.friction, bent, slip, p, status, others
        )
        force = self.load(*now, local, x, n, p, T)
        speed = np.where(status == laws.OPEN, 0.0, length(slip - change))
        passing = 0.0 if self.rings is None else now[0].spin * self.shifted(z[:, :3], 0.0, True)
        slip_totals = np.column_stack([self.weights * power, speed])
        return force, np.column_stack([change @ R - passing, others, layer]), status, slip_totals

    def sliding(self, now, mu):
        """Force of Coulomb's sliding friction."""
        local, x, gap, n, rate, slip = self.kinematics(*now)
        p = laws.stateless_pressure(self.normal, gap, rate)
        return self.load(*now, local, x, n, p, -mu * rows(p / length(slip)) * slip)
