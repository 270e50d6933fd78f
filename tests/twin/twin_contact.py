"""A contact pair in plain numpy: bodies, distances, transport of history, forces.

Bodies are frames with points. In a frame at r with rotation R, velocity r' and angular velocity
omega (body components) a point X + Phi e is at r + R (X + Phi e).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import twin_laws as laws
from twin_laws import dot, length, rows

E_Z = np.array([0.0, 0.0, 1.0])


def rotation(quaternion):
    """Rotation matrix of a quaternion (scalar, vector): v + 2 w (a x v) + 2 a x (a x v)."""
    w, *a = quaternion / np.sqrt(quaternion @ quaternion)
    columns = [v + 2.0 * w * np.cross(a, v) + 2.0 * np.cross(a, np.cross(a, v)) for v in np.eye(3)]
    return np.array(columns).T


def turn(axis, angle):
    """Rotation about an axis, by Rodrigues' formula."""
    n = np.asarray(axis) / np.linalg.norm(axis)
    K = np.array([[0.0, -n[2], n[1]], [n[2], 0.0, -n[0]], [-n[1], n[0], 0.0]])
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K


@dataclass
class Frame:
    """Motion of a frame; `load` takes a force and moment in it to generalised forces."""

    r: np.ndarray
    R: np.ndarray
    v: np.ndarray
    omega: np.ndarray
    e: np.ndarray = field(default_factory=lambda: np.zeros(0))
    rate: np.ndarray = field(default_factory=lambda: np.zeros(0))
    kind: str = "free"
    spin: float = 0.0

    def generalised(self, force, moment, elastic):
        """Generalised forces of the dofs that the frame has."""
        if self.kind == "free":
            return np.concatenate([force, moment, elastic])
        if self.kind == "translating":
            return force
        if self.kind == "free spin":
            return np.append(force, moment[2])
        return elastic


def free(position, q, v):
    """Frame of a body with six dofs, with elastic coordinates if there are more."""
    return Frame(position + q[:3], rotation(q[3:7]), v[:3], v[3:6], q[7:], v[6:])


def translating(position, q, v, spin=0.0):
    """Frame of a body with three translations whose material spins."""
    if len(q) == 4:  # the spin is a velocity, its angle moves nothing
        return Frame(position + q[:3], np.eye(3), v[:3], np.zeros(3), kind="free spin", spin=v[3])
    return Frame(position + q, np.eye(3), v, np.zeros(3), kind="translating", spin=spin)


def fixed(position, q, v):
    """Frame at rest."""
    return Frame(np.array(position), np.eye(3), np.zeros(3), np.zeros(3), q, v, "given")


def turning(position, q, v, axis, speed, point, t):
    """Frame that turns with a given speed about an axis in space."""
    n = np.asarray(axis) / np.linalg.norm(axis)
    R, arm = turn(axis, speed * t), np.asarray(position) - point
    return Frame(point + R @ arm, R, np.cross(speed * n, R @ arm), speed * R.T @ n, q, v, "given")


GROUND = Frame(np.zeros(3), np.eye(3), np.zeros(3), np.zeros(3), kind="given")


def place(frame, X, Phi):
    """Points in the frame, in space, and their velocities."""
    local = X + Phi @ frame.e
    around = np.cross(frame.omega + frame.spin * E_Z, local) + Phi @ frame.rate
    return local, frame.r + local @ frame.R.T, frame.v + around @ frame.R.T


def distance(shape, y):
    """Distance and normal of points, by the kind of shape."""
    kind = type(shape).__name__
    if kind == "Plane":
        n = np.asarray(shape.normal) / np.linalg.norm(shape.normal)
        return (y - shape.point) @ n, np.tile(n, (len(y), 1))
    flat = y * [1.0, 1.0, 0.0]
    if kind == "Sphere":
        d = y - shape.centre
        return length(d) - shape.radius, d / rows(length(d))
    if kind == "Cylinder":
        return length(flat) - shape.radius, flat / rows(length(flat))
    assert kind == "Cone"
    c, s = np.cos(shape.half_angle), np.sin(shape.half_angle)
    return c * length(flat) - s * y[:, 2], c * flat / rows(length(flat)) - s * E_Z


class RigidSurface:
    """A shape on a frame."""

    def __init__(self, shape):
        self.shape = shape

    def at(self, frame, x, x_rate):
        """Gap, normal, master velocity, anchor in the frame."""
        y = (x - frame.r) @ frame.R
        gap, n = distance(self.shape, y)
        moves = frame.v + np.cross(frame.omega + frame.spin * E_Z, y) @ frame.R.T
        return gap, n @ frame.R.T, moves, y

    def carried(self, frame, anchor):
        return frame.r + anchor @ frame.R.T

    def apply_transpose(self, frame, x, force):
        """Generalised forces of point forces at x."""
        y = (x - frame.r) @ frame.R
        moment = np.cross(y, force @ frame.R).sum(axis=0)
        none = np.zeros(0)
        return frame.generalised(force.sum(axis=0), moment, none)


class Triangles:
    """Flat facets of an elastic body: nodes (n, 3), shapes (n, 3, m), corners (f, 3)."""

    def __init__(self, nodes, shapes, corners):
        self.nodes, self.shapes, self.corners = nodes, shapes, corners

    def projected(self, frame, y):
        """Facet and barycentric coordinates of the nearest foot that is inside of a facet."""
        nodes, found = self.nodes + self.shapes @ frame.e, [(np.inf,)] * len(y)
        for k, corner in enumerate(self.corners):
            a, b, c = nodes[corner]
            n = np.cross(b - a, c - a)
            n /= np.linalg.norm(n)
            gap = (y - a) @ n
            inverse = np.linalg.inv(np.column_stack([b - a, c - a, n]))
            s, t, _ = inverse @ (y - a).T
            w = np.column_stack([1.0 - s - t, s, t])
            for i in np.flatnonzero(w.min(axis=1) >= 0.0):
                if abs(gap[i]) < found[i][0]:
                    found[i] = (abs(gap[i]), k, w[i], gap[i], n)
        return found

    def at(self, frame, x, x_rate):
        y = (x - frame.r) @ frame.R
        projected = self.projected(frame, y)
        gap = np.array([one[3] for one in projected])
        n = np.array([one[4] for one in projected])
        bent = np.array([
            one[2] @ (self.shapes @ frame.rate)[self.corners[one[1]]] for one in projected
        ])  # fmt: skip
        moves = frame.v + (np.cross(frame.omega, y) + bent) @ frame.R.T
        return gap, n @ frame.R.T, moves, [(one[1], one[2]) for one in projected]

    def carried(self, frame, anchor):
        nodes = self.nodes + self.shapes @ frame.e
        local = np.array([w @ nodes[self.corners[k]] for k, w in anchor])
        return frame.r + local @ frame.R.T

    def apply_transpose(self, frame, x, force):
        y, local = (x - frame.r) @ frame.R, force @ frame.R
        elastic = np.zeros(self.shapes.shape[2])
        for one, F in zip(self.projected(frame, y), local, strict=True):
            for corner, w in zip(self.corners[one[1]], one[2], strict=True):
                elastic += w * self.shapes[corner].T @ F
        moment = np.cross(y, local).sum(axis=0)
        return frame.generalised(force.sum(axis=0), moment, elastic)


@dataclass
class Twin:
    """Points X with shapes Phi, weights and initial gap; a master surface; two laws."""

    X: np.ndarray
    Phi: np.ndarray
    weights: np.ndarray
    gap: np.ndarray
    master: object
    normal: object
    friction: object

    def kinematics(self, slave, master):
        local, x, moves = place(slave, self.X, self.Phi)
        gap, n, other, anchor = self.master.at(master, x, moves)
        relative = moves - other
        rate = dot(n, relative)
        return local, x, gap + self.gap, n, rate, relative - rows(rate) * n, anchor

    def load(self, slave, master, local, x, n, pressure, T):
        """Generalised forces on slave and master."""
        F = rows(self.weights) * (rows(pressure) * n + T)
        inner = F @ slave.R
        elastic = np.einsum("pim,pi->m", self.Phi, inner)
        on_slave = slave.generalised(F.sum(axis=0), np.cross(local, inner).sum(axis=0), elastic)
        return np.concatenate([on_slave, -self.master.apply_transpose(master, x, F)])

    def step(self, before, after, z, status, slip_totals, h):
        """Force, history (z, status, slip work and path) after a step; frames (slave, master)."""
        _, _, old_gap, n_0, _, slip_0, anchor = self.kinematics(*before)
        local, x, gap, n, rate, slip, _ = self.kinematics(*after)
        if after[1].spin:  # bristles on the slave, the slip is integrated by trapezoids
            keep = after[0].R
            old, moved = z[:, :3] @ keep.T, 0.5 * h * slip_0 @ before[0].R @ keep.T
            shift = flat(n, moved) + 0.5 * h * slip
            trial = flat(n, old) + shift
        else:
            keep = after[1].R
            old, past = z[:, :3] @ keep.T, (n_0 @ before[1].R) @ keep.T
            shift = flat(n, x - self.master.carried(after[1], anchor))
            turned = old - rows(dot(n, old) / (1.0 + dot(n, past))) * (past + n)
            trial = turned + shift
        others, layer = laws.apart(self.friction, z)
        p, layer = laws.normal_step(self.normal, gap, rate, old_gap, layer, h)
        T, new, others, status, work = laws.friction_step(
            self.friction, trial, shift, slip, p, status, h, others
        )
        force = self.load(*after, local, x, n, p, T)
        path = np.where(status == laws.OPEN, 0.0, length(trial - new))
        slip_totals = slip_totals + np.column_stack([self.weights * work, path])
        return force, np.column_stack([new @ keep, others, layer]), status, slip_totals

    def rate(self, now, z, status):
        """Force, rates of z, status, slip power and speed in continuous time."""
        local, x, gap, n, rate, slip, _ = self.kinematics(*now)
        keep = now[0].R if now[1].spin else now[1].R
        bent = flat(n, z[:, :3] @ keep.T)
        others, layer = laws.apart(self.friction, z)
        p, layer = laws.normal_rate(self.normal, gap, rate, layer)
        T, change, others, status, power = laws.friction_rate(
            self.friction, bent, slip, p, status, others
        )
        force = self.load(*now, local, x, n, p, T)
        speed = np.where(status == laws.OPEN, 0.0, length(slip - change))
        slip_totals = np.column_stack([self.weights * power, speed])
        return force, np.column_stack([change @ keep, others, layer]), status, slip_totals


def flat(n, a):
    """Part along the surface."""
    return a - rows(dot(n, a)) * n
