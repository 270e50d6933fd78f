"""Compiled step loop of the explicit method with Eulerian contacts on spinning plates."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.contact.kernels.eulerian import Rolling, begin_step, step_points
from fecontact.contact.kernels.plate.points import (
    Frame,
    PlateSurface,
    leave_plate,
    load_rigid,
    locate_points,
    move_rigid,
    place_rigid,
    see_rigid,
)
from fecontact.integrate.explicit._kernels import (
    Contact,
    Linear,
    Side,
    Sums,
    balance,
    drift,
    end_contact,
    load_side,
    move_side,
    push,
)
from fecontact.kernels.arrays import matrix
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = [
    "RollingContact",
    "begin_rolling",
    "end_rolling",
    "march_both",
    "march_rolling",
    "set_down",
]


class RollingContact(NamedTuple):
    """A contact, its plate, its slave, and where the coordinates of the plate begin.

    `rank` is its index among all contacts of the system.
    """

    rank: int
    contact: Rolling
    face: PlateSurface
    slave: Side
    first: int


@kernel
def _frame(slave: Side, q: Floats, v: Floats, body: Floats) -> Frame:
    """Motion of the slave; `body` becomes its rotation."""
    R, motion = np.empty((3, 3)), np.empty((3, 3))
    move_side(slave, q, v, R, body, motion)
    return Frame(R, motion[0], motion[1], motion[2], slave.spin_rate)


@kernel
def _plate_part(rolling: RollingContact, values: Floats) -> Floats:
    return values[rolling.first : rolling.first + len(rolling.face.force)]


@kernel
def set_down(rolling: RollingContact, q: Floats, v: Floats) -> bool:
    """Place the points of a contact at q; False if one has no projection point."""
    frame = _frame(rolling.slave, q, v, np.empty((3, 3)))
    place_rigid(rolling.contact, rolling.face, frame)
    return locate_points(rolling.contact, rolling.face, _plate_part(rolling, q))


@kernel
def begin_rolling(rolling: RollingContact, q: Floats, v: Floats) -> None:
    """Start of a step at q, where the points are."""
    frame = _frame(rolling.slave, q, v, np.empty((3, 3)))
    move_rigid(rolling.contact, frame)
    leave_plate(rolling.contact, rolling.face, _plate_part(rolling, v))
    begin_step(rolling.contact, frame.rotation)


@kernel
def end_rolling(
    rolling: RollingContact, q: Floats, v: Floats, middle: Floats, h: float, f: Floats
) -> bool:
    """Accept a step of a contact; its generalised force is f (n,)."""
    contact, face, slave = rolling.contact, rolling.face, rolling.slave
    body = np.empty((3, 3))
    frame = _frame(slave, q, v, body)
    if not see_rigid(contact, face, frame, _plate_part(rolling, q), _plate_part(rolling, v)):
        return False
    spin = slave.spin_rate
    for i in range(len(middle)):
        spin += slave.spin[i] * middle[i]
    nobody = matrix(contact.slip_totals, 0, len(contact.slip_totals), 0)
    step_points(contact, frame.rotation, h, h * spin, nobody, True)
    load_rigid(contact, face, frame.rotation)
    f[:] = 0.0
    load_side(slave, 1.0, contact.total[:3], contact.total[6:9], body, f)
    for k in range(len(face.force)):
        f[rolling.first + k] -= face.force[k]
    return True


@kernel
def march_rolling(
    steps: int, h: float, linear: Linear, contacts: tuple[RollingContact, ...], sums: Sums,
    q: Floats, v: Floats, a: Floats,
) -> bool:  # fmt: skip
    """As `march`; slip at the start of a step is that of the velocity v_n+1/2 - h/2 a_n.

    Returns False at a contact point without a projection point on its plate.
    """
    n = len(q)
    near, total, own = np.empty(n), np.empty(n), np.empty(n)
    for _ in range(steps):
        for i in range(n):
            near[i] = v[i] - 0.5 * h * a[i]
            total[i] = 0.0
        for k in range(len(contacts)):
            begin_rolling(contacts[k], q, near)
        drift(linear, sums, h, q, v, a, near)
        for k in range(len(contacts)):
            if not end_rolling(contacts[k], q, near, v, h, own):
                return False
            balance(sums, contacts[k].rank, h, v, near, contacts[k].contact.total, own)
            for i in range(n):
                total[i] += own[i]
        push(linear, h, q, v, a, total)
    return True


@kernel
def march_both(
    steps: int, h: float, linear: Linear, contacts: tuple[Contact, ...],
    rolling: tuple[RollingContact, ...], sums: Sums, q: Floats, v: Floats, a: Floats,
) -> bool:  # fmt: skip
    """As `march` and `march_rolling`, with contacts of both kinds."""
    n = len(q)
    near, total, own = np.empty(n), np.empty(n), np.empty(n)
    for _ in range(steps):
        for i in range(n):
            near[i] = v[i] - 0.5 * h * a[i]
            total[i] = 0.0
        for k in range(len(rolling)):
            begin_rolling(rolling[k], q, near)
        drift(linear, sums, h, q, v, a, near)
        for k in range(len(rolling)):
            if not end_rolling(rolling[k], q, near, v, h, own):
                return False
            balance(sums, rolling[k].rank, h, v, near, rolling[k].contact.total, own)
            for i in range(n):
                total[i] += own[i]
        for k in range(len(contacts)):
            if not end_contact(contacts[k], q, near, h, own):
                return False
            balance(sums, contacts[k].rank, h, v, near, contacts[k].total, own)
            for i in range(n):
                total[i] += own[i]
        push(linear, h, q, v, a, total)
    return True
