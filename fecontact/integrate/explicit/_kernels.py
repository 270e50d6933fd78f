"""Compiled step loop of the explicit method, for linear bodies with contacts of points.

q_n+1 = q_n + h v_n+1/2, then all contacts at t_n+1, then v_n+3/2 from

    (M + h/2 D) (v_n+3/2 - v_n+1/2) = h (f_0 - K q_n+1 - D v_n+1/2 + f_contact) .
"""

from __future__ import annotations

from math import cos, sin
from typing import NamedTuple

import numpy as np

from fecontact.contact.kernels.block_laws import ContactPoints, Laws, PointStates
from fecontact.contact.kernels.blocks import (
    ADVANCE,
    FORCE_SUMS,
    RATE,
    BlockResults,
    Job,
    added,
    contact_blocks,
)
from fecontact.contact.kernels.motion import Points, SlaveMotion, StepStart, relative_frame
from fecontact.contact.kernels.shown import report_points
from fecontact.kernels.arrays import matrix
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = [
    "Contact",
    "Linear",
    "Look",
    "Side",
    "Sums",
    "balance",
    "drift",
    "end_contact",
    "load_side",
    "march",
    "march_free",
    "move_side",
    "push",
]


class Side(NamedTuple):
    """Frame of a slave or master as a function of all coordinates q (n,) and velocities v.

    Its origin is at origin + shift q, its body turns by the angle q . angle about `axis`, and the
    material spins by spin . v + spin_rate about the body's z; `position` and `frame` are marker
    and axes in the body. `first` is where its elastic coordinates begin.
    """

    origin: Floats
    shift: Floats
    axis: Floats
    angle: Floats
    spin: Floats
    spin_rate: float
    position: Floats
    frame: Floats
    first: int


class Contact(NamedTuple):
    """A contact with its history and working space; the history is that of the last step.

    `rank` is its index among all contacts of the system, `work` space for its kernel.
    """

    rank: int
    points: Points
    laws: Laws
    slave: Side
    master: Side
    anchor: Floats
    old: Floats
    gap: Floats
    z: Floats
    status: Integers
    slip_totals: Floats
    grip: Floats
    sums: Floats
    total: Floats
    work: Floats


class Look(NamedTuple):
    """What the points of a contact do at an instant, by the continuous law.

    Attributes
    ----------
    z, rates, shown, bristles
        Working space; see `contact_blocks` and `report_points`.
    status : (p,)
        Result: status that follows from the state.
    numbers, vectors, sums : (3, p), (4, p, 3), (4,)
        Results of `report_points`; then the power in W of motion that is not in v.
    """

    z: Floats
    rates: Floats
    shown: Floats
    bristles: Floats
    status: Integers
    numbers: Floats
    vectors: Floats
    sums: Floats


class Linear(NamedTuple):
    """Linear part: K, D (n, n), f_0 (n,), and h (M + h/2 D)^-1.

    `parts` and `inverse_parts` (n, 2) are where the rows of K and D, of the single items too, and
    of the inverse begin and end: modes are hardly coupled.
    """

    stiffness: Floats
    damping: Floats
    constant: Floats
    inverse: Floats
    parts: Integers
    inverse_parts: Integers


class Sums(NamedTuple):
    """Sums for the energy audit.

    Attributes
    ----------
    path, speed : (n, n)
        Sum of dq q^T and of dq v^T, at mid step, in the `parts` of the rows.
    work, lost, given : (contacts,)
        Work, damping and supplied energy of the contacts, by the trapezoidal rule.
    force, power : (contacts, n), (contacts, 2)
        Forces, dissipated and supplied powers at the last step.
    """

    path: Floats
    speed: Floats
    work: Floats
    lost: Floats
    given: Floats
    force: Floats
    power: Floats


@kernel
def _turned(side: Side, angle: float, R: Floats) -> None:
    """Rotation by an angle about the axis (Rodrigues)."""
    c, s = cos(angle), sin(angle)
    x, y, z = side.axis[0], side.axis[1], side.axis[2]
    for i in range(3):
        for j in range(3):
            R[i, j] = (1.0 - c) * side.axis[i] * side.axis[j] + (c if i == j else 0.0)
    R[0, 1] -= s * z
    R[0, 2] += s * y
    R[1, 0] += s * z
    R[1, 2] -= s * x
    R[2, 0] -= s * y
    R[2, 1] += s * x


@kernel
def move_side(side: Side, q: Floats, v: Floats, R: Floats, body: Floats, motion: Floats) -> None:
    """Rotation of the marker and of its body; origin, velocity and angular velocity (3, 3).

    The angular velocity is that of the material, in marker components.
    """
    angle = rate = 0.0
    spin = side.spin_rate
    for i in range(len(q)):
        angle += side.angle[i] * q[i]
        rate += side.angle[i] * v[i]
        spin += side.spin[i] * v[i]
    _turned(side, angle, body)
    w0, w1, w2 = rate * side.axis[0], rate * side.axis[1], rate * side.axis[2] + spin
    p = side.position
    around = (w1 * p[2] - w2 * p[1], w2 * p[0] - w0 * p[2], w0 * p[1] - w1 * p[0])
    for i in range(3):
        motion[0, i], motion[1, i] = side.origin[i], 0.0
        for j in range(len(q)):
            motion[0, i] += side.shift[i, j] * q[j]
            motion[1, i] += side.shift[i, j] * v[j]
        for j in range(3):
            motion[0, i] += body[i, j] * p[j]
            motion[1, i] += body[i, j] * around[j]
            R[i, j] = 0.0
            for k in range(3):
                R[i, j] += body[i, k] * side.frame[k, j]
        motion[2, i] = side.frame[0, i] * w0 + side.frame[1, i] * w1 + side.frame[2, i] * w2


@kernel
def load_side(side: Side, sign: float, F: Floats, moment: Floats, body: Floats, f: Floats) -> None:
    """Add the generalised force of a force in space and a moment in marker components."""
    p = side.position
    l0 = body[0, 0] * F[0] + body[1, 0] * F[1] + body[2, 0] * F[2]
    l1 = body[0, 1] * F[0] + body[1, 1] * F[1] + body[2, 1] * F[2]
    l2 = body[0, 2] * F[0] + body[1, 2] * F[1] + body[2, 2] * F[2]
    m = np.empty(3)
    m[0], m[1], m[2] = p[1] * l2 - p[2] * l1, p[2] * l0 - p[0] * l2, p[0] * l1 - p[1] * l0
    for i in range(3):
        for j in range(3):
            m[i] += side.frame[i, j] * moment[j]
    about = side.axis[0] * m[0] + side.axis[1] * m[1] + side.axis[2] * m[2]
    for i in range(len(f)):
        pushed = side.shift[0, i] * F[0] + side.shift[1, i] * F[1] + side.shift[2, i] * F[2]
        f[i] += sign * (pushed + side.angle[i] * about + side.spin[i] * m[2])


@kernel
def _see(
    contact: Contact, q: Floats, v: Floats, turns: Floats, motions: Floats, frame: Floats
) -> None:
    """Rotations (4, 3, 3) and motions (2, 3, 3) of slave and master, and the relative frame."""
    move_side(contact.slave, q, v, turns[0], turns[1], motions[0])
    move_side(contact.master, q, v, turns[2], turns[3], motions[1])
    slave = turns[0], motions[0, 0], motions[0, 1], motions[0, 2]
    relative_frame(slave, (turns[2], motions[1, 0], motions[1, 1], motions[1, 2]), frame)


@kernel
def _load(contact: Contact, turns: Floats, f: Floats) -> None:
    """Add up the sums of the blocks, and give their generalised force f (n,)."""
    slave, master, total = contact.slave, contact.master, contact.total
    added(contact.sums, total)
    F = np.zeros(3)
    for i in range(3):
        for j in range(3):
            F[i] += turns[2, i, j] * total[j]
    f[:] = 0.0
    load_side(slave, 1.0, F, total[6:9], turns[1], f)
    load_side(master, -1.0, F, total[3:6], turns[3], f)
    for k in range(contact.points.modes):
        f[slave.first + k] += total[FORCE_SUMS + k]


@kernel
def end_contact(contact: Contact, q: Floats, v: Floats, h: float, f: Floats) -> bool:
    """Accept one step of a contact; its generalised force is f (n,)."""
    turns, motions, frame = np.empty((4, 3, 3)), np.empty((2, 3, 3)), np.empty(24)
    _see(contact, q, v, turns, motions, frame)
    elastic = slice(contact.slave.first, contact.slave.first + contact.points.modes)
    blocks = len(contact.sums)
    nobody = matrix(contact.sums, 0, blocks, 0)
    good = contact_blocks(
        ContactPoints(contact.points, contact.laws), SlaveMotion(q[elastic], v[elastic], frame),
        Job(ADVANCE, h, 0, blocks), StepStart(contact.anchor, contact.old, contact.gap),
        PointStates(contact.z, contact.status),
        BlockResults(contact.slip_totals, contact.grip, contact.sums, nobody), contact.work,
    )  # fmt: skip
    _load(contact, turns, f)
    return good


@kernel
def _look_at(contact: Contact, look: Look, q: Floats, v: Floats) -> bool:
    """See what the points of a contact do; its history stays as it is."""
    turns, motions, frame = np.empty((4, 3, 3)), np.empty((2, 3, 3)), np.empty(24)
    _see(contact, q, v, turns, motions, frame)
    look.z[:], look.status[:] = contact.z, contact.status
    elastic = slice(contact.slave.first, contact.slave.first + contact.points.modes)
    good = contact_blocks(
        ContactPoints(contact.points, contact.laws), SlaveMotion(q[elastic], v[elastic], frame),
        Job(RATE, 0.0, 0, len(contact.sums)),
        StepStart(contact.anchor, contact.old, contact.points.gap),
        PointStates(look.z, look.status),
        BlockResults(look.rates, contact.grip, contact.sums, look.shown), contact.work,
    )  # fmt: skip
    force = np.empty(len(q))
    _load(contact, turns, force)
    weights = contact.points.weights[: contact.points.size]
    report = look.numbers, look.vectors, look.bristles, look.sums
    report_points(look.shown, (turns[2], motions[1, 0]), weights, 0.0, report)
    look.sums[3] = -contact.total[9]
    for i in range(len(q)):
        look.sums[3] += force[i] * v[i]
    return good


@kernel(fastmath=True)
def _count(sums: Sums, parts: Integers, q: Floats, v: Floats, h: float) -> None:
    """Add a step of dq = h v from q to the sums of the linear items."""
    for i in range(len(q)):
        step = h * v[i]
        path, speed = sums.path[i], sums.speed[i]
        for j in range(parts[i, 0], parts[i, 1]):
            path[j] += step * (q[j] + 0.5 * h * v[j])
            speed[j] += step * v[j]


@kernel(fastmath=True, allocates=True)
def _kick(linear: Linear, q: Floats, v: Floats, f: Floats, change: Floats) -> None:
    """Change of the mid-step velocity by all forces."""
    n = len(q)
    rest = np.empty(n)
    for i in range(n):
        K, D = linear.stiffness[i], linear.damping[i]
        total = linear.constant[i] + f[i]
        for j in range(linear.parts[i, 0], linear.parts[i, 1]):
            total -= K[j] * q[j] + D[j] * v[j]
        rest[i] = total
    for i in range(n):
        row, total = linear.inverse[i], 0.0
        for j in range(linear.inverse_parts[i, 0], linear.inverse_parts[i, 1]):
            total += row[j] * rest[j]
        change[i] = total


@kernel
def drift(
    linear: Linear, sums: Sums, h: float, q: Floats, v: Floats, a: Floats, near: Floats
) -> None:
    """Move q over a step; `near` is the velocity extrapolated to its end."""
    _count(sums, linear.parts, q, v, h)
    for i in range(len(q)):
        q[i] += h * v[i]
        near[i] = v[i] + 0.5 * h * a[i]


@kernel
def push(linear: Linear, h: float, q: Floats, v: Floats, a: Floats, force: Floats) -> None:
    """Velocity of the next half step, and acceleration, by the linear items and a force."""
    change = np.empty(len(q))
    _kick(linear, q, v, force, change)
    for i in range(len(q)):
        v[i] += change[i]
        a[i] = change[i] / h


@kernel
def march(
    steps: int, h: float, linear: Linear, contacts: tuple[Contact, ...], sums: Sums,
    q: Floats, v: Floats, a: Floats, looks: tuple[Look, ...], shows: bool,
) -> bool:  # fmt: skip
    """Do `steps` steps; q, a are at t_n, v at t_n+1/2, before and after.

    With `shows` then see what the points do. Returns False at a contact point where the surface has
    no normal.
    """
    n = len(q)
    near, total, own = np.empty(n), np.empty(n), np.empty(n)
    for _ in range(steps):
        drift(linear, sums, h, q, v, a, near)
        total[:] = 0.0
        for k in range(len(contacts)):
            if not end_contact(contacts[k], q, near, h, own):
                return False
            balance(sums, contacts[k].rank, h, v, near, contacts[k].total, own)
            for i in range(n):
                total[i] += own[i]
        push(linear, h, q, v, a, total)
    if shows:
        for i in range(n):
            near[i] = v[i] - 0.5 * h * a[i]
        for k in range(len(contacts)):
            if not _look_at(contacts[k], looks[k], q, near):
                return False
    return True


@kernel
def march_free(
    steps: int, h: float, linear: Linear, sums: Sums, q: Floats, v: Floats, a: Floats
) -> None:
    """As `march`, without contacts."""
    none, near = np.zeros(len(q)), np.empty(len(q))
    for _ in range(steps):
        drift(linear, sums, h, q, v, a, near)
        push(linear, h, q, v, a, none)


@kernel
def balance(
    sums: Sums, k: int, h: float, v: Floats, near: Floats, total: Floats, force: Floats
) -> None:
    """Add the work of a contact over the last step, and its dissipated and supplied energy."""
    lost, given = total[10], -total[9]
    for i in range(len(v)):
        sums.work[k] += 0.5 * h * v[i] * (sums.force[k, i] + force[i])
        given += force[i] * near[i]
        sums.force[k, i] = force[i]
    sums.lost[k] += 0.5 * h * (sums.power[k, 0] + lost) + total[11]
    sums.given[k] += 0.5 * h * (sums.power[k, 1] + given)
    sums.power[k, 0], sums.power[k, 1] = lost, given
