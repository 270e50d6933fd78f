"""Compiled motion of contact points over a spinning plate: normals, gaps, velocities, loads.

The formulas are those of `PlateFace`. Points of a rigid slave are moved here too, as the step loop
of the explicit method needs them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.contact.kernels.eulerian import Rolling
from fecontact.contact.kernels.plate.field import (
    Plate,
    add_load,
    field_of,
    loads_of,
    projection_of,
    slopes_at,
)
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = [
    "Frame",
    "PlateSurface",
    "leave_plate",
    "load_plate",
    "load_rigid",
    "locate_points",
    "move_rigid",
    "place_rigid",
    "see_rigid",
]


class Frame(NamedTuple):
    """Motion of a rigid slave: rotation, origin, velocity; `omega` of its material in its frame.

    `spin` is the prescribed part of the material's spin about z.
    """

    rotation: Floats
    origin: Floats
    velocity: Floats
    omega: Floats
    spin: float


class PlateSurface(NamedTuple):
    """A plate under contact points, with working space.

    Attributes
    ----------
    plate, size
        The plate, and the largest coordinate of the points.
    projected : (p, 2)
        Projection points.
    field, rate, drift, load : (intervals, harmonics, 2, 4)
        Fields of deflection, of its rate, of Omega Delta q, and load.
    rolled, force : (m,)
        Omega Delta q; sum of the loads Phi^T F of the forces on the slave.
    """

    plate: Plate
    size: float
    projected: Floats
    field: Floats
    rate: Floats
    drift: Floats
    load: Floats
    rolled: Floats
    force: Floats


@kernel
def see_rigid(c: Rolling, face: PlateSurface, frame: Frame, q: Floats, v: Floats) -> bool:
    """Points of a rigid slave over the plate at its coordinates q and velocities v.

    False if a point has no projection point.
    """
    place_rigid(c, face, frame)
    if not locate_points(c, face, q):
        return False
    move_rigid(c, frame)
    leave_plate(c, face, v)
    return True


@kernel
def place_rigid(c: Rolling, face: PlateSurface, frame: Frame) -> None:
    """Points of a rigid slave in space; their last projection points move along."""
    R, position, projected = frame.rotation, c.position, face.projected
    for i in range(len(c.points)):
        x, y, z = c.points[i, 0], c.points[i, 1], c.points[i, 2]
        projected[i, 0] -= position[i, 0]
        projected[i, 1] -= position[i, 1]
        for k in range(3):
            position[i, k] = frame.origin[k] + R[k, 0] * x + R[k, 1] * y + R[k, 2] * z
        projected[i, 0] += position[i, 0]
        projected[i, 1] += position[i, 1]


@kernel
def move_rigid(c: Rolling, frame: Frame) -> None:
    """Velocities of the points of a rigid slave, by v and by its prescribed spin."""
    points, R, seen, turned = c.points, frame.rotation, c.motion[0], c.motion[1]
    w0, w1, w2 = frame.omega[0], frame.omega[1], frame.omega[2] - frame.spin
    for i in range(len(points)):
        x, y, z = points[i, 0], points[i, 1], points[i, 2]
        b0, b1, b2 = w1 * z - w2 * y, w2 * x - w0 * z, w0 * y - w1 * x
        for k in range(3):
            seen[i, k] = frame.velocity[k] + (R[k, 0] * b0 + R[k, 1] * b1 + R[k, 2] * b2)
            turned[i, k] = frame.spin * (R[k, 1] * x - R[k, 0] * y)


@kernel
def load_rigid(c: Rolling, face: PlateSurface, R: Floats) -> None:
    """Force and moment on a rigid slave, to `total`, and the load of the plate."""
    load_plate(c, face)
    points, total = c.points, c.total
    for i in range(len(points)):
        f0, f1, f2 = c.force[i, 0], c.force[i, 1], c.force[i, 2]
        for k in range(3):
            m, n = (k + 1) % 3, (k + 2) % 3
            g = R[0, n] * f0 + R[1, n] * f1 + R[2, n] * f2
            h = R[0, m] * f0 + R[1, m] * f1 + R[2, m] * f2
            total[k] += c.force[i, k]
            total[6 + k] += points[i, m] * g - points[i, n] * h


@kernel
def locate_points(c: Rolling, face: PlateSurface, q: Floats) -> bool:
    """Projections, normals and gaps at plate coordinates q; False if a point has no projection.

    The iteration for a projection point begins where `projected` is.
    """
    field_of(face.plate, q, face.field)
    _rolled(face.plate, q, face.rolled)
    field_of(face.plate, face.rolled, face.drift)
    good = True
    for i in range(len(c.position)):
        distance = projection_of(
            face.plate.breaks, face.field, c.position[i], face.size, face.projected[i], c.normal[i]
        )
        good &= not np.isnan(distance)
        c.distance[i] = distance - face.plate.lever + c.gap[i]
    return good


@kernel
def _rolled(plate: Plate, q: Floats, result: Floats) -> None:
    """Omega Delta q: cosine and sine of a harmonic are neighbours."""
    for i in range(len(q)):
        k = plate.harmonic[i]
        if k == 0:
            result[i] = 0.0
        elif plate.sine[i]:
            result[i] = -plate.speed * k * q[i - 1]
        else:
            result[i] = plate.speed * k * q[i + 1]


@kernel
def leave_plate(c: Rolling, face: PlateSurface, v: Floats) -> None:
    """From velocities of the slave to relative ones: by v of the plate, and by its spin."""
    field_of(face.plate, v, face.rate)
    _leave(c, face, face.rate, c.motion[0])
    _leave(c, face, face.drift, c.motion[1])
    u, Omega = c.motion[1], face.plate.speed
    for i in range(len(u)):
        u[i, 0] += Omega * c.position[i, 1]
        u[i, 1] -= Omega * c.position[i, 0]


@kernel
def _leave(c: Rolling, face: PlateSurface, field: Floats, u: Floats) -> None:
    """Subtract velocities of the face by a field of rates: W e_z - lever n_z (I - n n^T) W'."""
    breaks, projected, normal, lever = face.plate.breaks, face.projected, c.normal, face.plate.lever
    for i in range(len(u)):
        w, wx, wy = slopes_at(breaks, field, projected[i, 0], projected[i, 1])
        n0, n1, n2 = normal[i, 0], normal[i, 1], normal[i, 2]
        along, factor = n0 * wx + n1 * wy, -lever * n2
        u[i, 0] -= factor * (wx - along * n0)
        u[i, 1] -= factor * (wy - along * n1)
        u[i, 2] -= w - factor * along * n2


@kernel
def load_plate(c: Rolling, face: PlateSurface) -> None:
    """Sum Phi^T F of the forces on the slave, to `face.force`."""
    plate, projected, normal = face.plate, face.projected, c.normal
    face.load[:] = 0.0
    for i in range(len(normal)):
        f0, f1, f2 = c.force[i, 0], c.force[i, 1], c.force[i, 2]
        n0, n1, n2 = normal[i, 0], normal[i, 1], normal[i, 2]
        along, factor = n0 * f0 + n1 * f1 + n2 * f2, -plate.lever * n2
        gx, gy = factor * (f0 - along * n0), factor * (f1 - along * n1)
        add_load(plate.breaks, projected[i, 0], projected[i, 1], f2, gx, gy, face.load)
    loads_of(plate, face.load, face.force)
