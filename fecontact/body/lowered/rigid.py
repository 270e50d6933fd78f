"""Rigid bodies and their weight as compiled programs see them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fecontact.kernels.arrays import viewed
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import (
    LOST,
    NO_CODE,
    PARAMETERS,
    POWERS,
    STORED,
    SUPPLIED,
    TANGENTS,
    Lowered,
    Packing,
    record,
)
from fecontact.typing import Floats

if TYPE_CHECKING:
    from fecontact.body.rigid import RigidBody

__all__ = ["rigid_body", "rigid_weight"]


def _rigid_body(pointer: Any, parameters: Any, task: float) -> float:
    """Gyroscopic moment -omega x (J omega + J_p Omega e_z) of a rigid body.

    Parameters: translations a, rotations b, spins c, prescribed spin, axes, spin axis, inertia.
    """
    p = viewed(parameters, PARAMETERS)
    w = record(pointer, p)
    _gyroscopic_moment(p, w.v, w.force, w.by_v, task == TANGENTS)
    if task == TANGENTS:
        for i in range(len(w.v)):
            for j in range(len(w.v)):
                w.by_q[i, j] = 0.0
    if task == POWERS:
        w.head[LOST] = w.head[STORED] = w.head[SUPPLIED] = 0.0
    return 0.0


@kernel(fastmath=True)
def _gyroscopic_moment(p: Floats, v: Floats, force: Floats, by_v: Floats, tangents: bool) -> None:
    """Moment H x omega with H = J omega + J_p Omega e_z, and its derivative by v."""
    n, a, b, c = len(v), int(p[2]), int(p[3]), int(p[4])
    axes, J = 6, 6 + 3 * (b + c)
    for i in range(n):
        force[i] = 0.0
        for j in range(n if tangents else 0):
            by_v[i, j] = 0.0
    if b == 0:
        return
    w0 = w1 = w2 = 0.0
    for j in range(b):
        w0 += p[axes + j] * v[a + j]
        w1 += p[axes + b + j] * v[a + j]
        w2 += p[axes + 2 * b + j] * v[a + j]
    h0 = p[J] * w0 + p[J + 1] * w1 + p[J + 2] * w2
    h1 = p[J + 3] * w0 + p[J + 4] * w1 + p[J + 5] * w2
    h2 = p[J + 6] * w0 + p[J + 7] * w1 + p[J + 8] * w2
    h2 += p[J + 8] * (v[n - 1] if c else p[5])
    m0, m1, m2 = h1 * w2 - h2 * w1, h2 * w0 - h0 * w2, h0 * w1 - h1 * w0
    for i in range(b):
        force[a + i] = p[axes + i] * m0 + p[axes + b + i] * m1 + p[axes + 2 * b + i] * m2
    if not tangents:
        return
    for j in range(b + c):
        if j < b:
            x, y, z = p[axes + j], p[axes + b + j], p[axes + 2 * b + j]
            d0 = p[J] * x + p[J + 1] * y + p[J + 2] * z
            d1 = p[J + 3] * x + p[J + 4] * y + p[J + 5] * z
            d2 = p[J + 6] * x + p[J + 7] * y + p[J + 8] * z
        else:
            x = y = z = 0.0
            d0, d1, d2 = p[J + 2], p[J + 5], p[J + 8]
        m0 = d1 * w2 - d2 * w1 + h1 * z - h2 * y
        m1 = d2 * w0 - d0 * w2 + h2 * x - h0 * z
        m2 = d0 * w1 - d1 * w0 + h0 * y - h1 * x
        column = a + j if j < b else n - 1
        for i in range(b):
            moment = p[axes + i] * m0 + p[axes + b + i] * m1 + p[axes + 2 * b + i] * m2
            by_v[a + i, column] = moment


def rigid_body(body: RigidBody, inertia: Floats, mass: Floats) -> Lowered:
    """A rigid body with its inertia tensor and mass matrix."""
    if not body.axes.size:
        sizes = Packing(len(body.reference()), len(body.dofs)).numbers
        return Lowered(NO_CODE, sizes, mass=mass, time_dependent=False)
    a, b, c = (part.shape[1] for part in (body.directions, body.axes, body.spin_axis))
    packing = Packing(len(body.reference()), len(body.dofs), a, b, c, body.spin)
    packing.extend([body.axes, body.spin_axis, inertia])
    return Lowered(_rigid_body, packing.numbers, mass=mass, time_dependent=False)


def _constant(pointer: Any, parameters: Any, task: float) -> float:
    """A constant force on the first dofs, and its potential -force . q."""
    p = viewed(parameters, PARAMETERS)
    w = record(pointer, p)
    n, potential = len(w.v), 0.0
    for j in range(n):
        w.force[j] = p[2 + j]
        if p[2 + j] != 0.0:
            potential -= p[2 + j] * w.q[j]
        for i in range(n if task == TANGENTS else 0):
            w.by_q[i, j] = w.by_v[i, j] = 0.0
    if task == POWERS:
        w.head[LOST], w.head[STORED], w.head[SUPPLIED] = 0.0, potential, 0.0
    return 0.0


def rigid_weight(n_q: int, force: Floats) -> Lowered:
    """Weight (n,) of a rigid body, on its translations."""
    packing = Packing(n_q, len(force))
    packing.add(force)
    return Lowered(_constant, packing.numbers, time_dependent=False)
