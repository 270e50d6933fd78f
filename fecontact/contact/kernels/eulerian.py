"""Compiled contact of points whose bristles stand on the slave, which may spin through them.

The formulas are those of `contact.kinematics.slip.OnSlave`; the laws are those of
`contact.kernels.layout`, in whose working array the points are laid out block by block. Positions,
normals, gaps and velocities come from the caller: from a plate (`contact.kernels.plate.points`) or
any other surface. All vectors are in space, but for the elastic slip, which is in the axes of the
slave.

Results, `force` (p, 3): forces on the slave; `total` (12,): of a rigid slave its force in space
(3), three unused, its moment about its origin in its frame (3); power of the forces on the relative
velocity, power of the dampers, that of the bristles (of an accepted step their work).

The springs of an `EulerianPair` stand in space, and what turns does not load them: their power on
it is not counted.
"""

from __future__ import annotations

from typing import NamedTuple

from fecontact.contact.kernels.block_laws import (
    Laws,
    PointStates,
    fetch_history,
    join_forces,
    keep_history,
    keep_rates,
    normal_loss,
    press_block,
    rate_block,
    slope_block,
    step_block,
    trial_block,
)
from fecontact.contact.kernels.blocks import bristle_loss, count_slip
from fecontact.contact.kernels.lanes import lanes, use_lanes
from fecontact.contact.kernels.layout import (
    BLOCK,
    GAP,
    GAP_RATE,
    HALF,
    OLD,
    P_GAP,
    P_RATE,
    SLID,
    STATUS,
    T_P,
    T_X,
    T_Z,
    WORK,
    F,
    N,
    P,
    U,
    Y,
    Z,
)
from fecontact.contact.kernels.motion import WIDTH, StepStart, turn_back
from fecontact.contact.kernels.point_slopes import (
    D,
    E,
    M,
    slopes_by_normal_on_slave,
    slopes_on_slave,
)
from fecontact.contact.kernels.rings import circulant, circulant_slope, pass_along
from fecontact.contact.status import SLIP
from fecontact.kernels.calls import call_block
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = [
    "LOCAL",
    "Rolling",
    "begin_step",
    "carried_slopes",
    "carry_rate",
    "fill_block",
    "keep_forces",
    "keep_local",
    "rate_points",
    "rolling_size",
    "slide_points",
    "slope_points",
    "slope_sliding",
    "step_points",
]

B = BLOCK
LOCAL = 11
"""Numbers by which a force changes: gap, normal (3), relative velocity (3), rotation of the slave
(3), angle of its spin."""


class Rolling(NamedTuple):
    """A contact with bristles on its slave, with its history and working space.

    Attributes
    ----------
    laws, weights, springs_in_space
        Laws, weights (blocks * BLOCK,), and whether springs stand in space.
    points : (p, 3)
        Positions in the slave.
    gap, gap_drift, gap_speed : (p,)
        Initial gaps, their rates as the material of the slave sees them, and those at the points,
        which stand in space.
    order, direction : (rings, n), (p, 2)
        Points along the rings, and cosine and sine of their angles.
    z, status, slip_totals, grip
        History; `grip` as in `contact.kernels.blocks`.
    position, normal, distance : (p, 3), (p, 3), (p,)
        Points in space, normals and gaps.
    motion : (2, p, 3)
        Relative velocities by what moves the points, and by spins, which load no springs.
    before, gap_before : (2, p, 3), (blocks * BLOCK,)
        Elastic slip and slip velocity at the start of a step in the frame of the slave, then both
        where the material has carried them; gaps at the start.
    turn, carry : (1,), (n,)
        Angle over a step and the circulant that shifts by it.
    force, total : (p, 3), (12,)
        Results.
    work
        Working space (`rolling_size`).
    """

    laws: Laws
    weights: Floats
    springs_in_space: bool
    points: Floats
    gap: Floats
    gap_drift: Floats
    gap_speed: Floats
    order: Integers
    direction: Floats
    z: Floats
    status: Integers
    slip_totals: Floats
    grip: Floats
    position: Floats
    normal: Floats
    distance: Floats
    motion: Floats
    before: Floats
    gap_before: Floats
    turn: Floats
    carry: Floats
    force: Floats
    total: Floats
    work: Floats


def rolling_size(laws: Laws) -> int:
    """Length of the working space of a contact: slip velocities at the start, and a block."""
    return WIDTH + laws.working_size


@kernel
def begin_step(c: Rolling, R: Floats) -> None:
    """Remember elastic slip, slip velocity and gap at the start of a step."""
    normal, before, seen, turned = c.normal, c.before, c.motion[0], c.motion[1]
    for i in range(len(normal)):
        n0, n1, n2 = normal[i, 0], normal[i, 1], normal[i, 2]
        u0, u1, u2 = seen[i, 0] + turned[i, 0], seen[i, 1] + turned[i, 1], seen[i, 2] + turned[i, 2]
        rate = n0 * u0 + n1 * u1 + n2 * u2
        u0, u1, u2 = u0 - rate * n0, u1 - rate * n1, u2 - rate * n2
        c.gap_before[i] = c.distance[i]
        for k in range(3):
            before[0, i, k] = c.z[i, k]
            before[1, i, k] = R[0, k] * u0 + R[1, k] * u1 + R[2, k] * u2


@kernel
def carried_slopes(c: Rolling, h: float, turn: float, carry: Floats, spun: Floats) -> None:
    """Derivative by the angle of what the material carries, see `slope_points`.

    `before` is that at the start of the step; `carry` (n,) is working space.
    """
    for i in range(len(c.z)):
        for k in range(3):
            half = 0.5 * h * c.before[1, i, k]
            spun[0, i, k], spun[1, i, k] = c.before[0, i, k] + half, half
    circulant_slope(turn, carry)
    pass_along(c.order, c.direction, carry, spun[0])
    pass_along(c.order, c.direction, carry, spun[1])


@kernel
def carry_rate(c: Rolling, carry: Floats, z: Floats, rate: Floats, spin: float) -> None:
    """Subtract spin D z, what the material carries away, from the rate of z; z becomes -D z."""
    circulant_slope(0.0, carry)
    pass_along(c.order, c.direction, carry, z)
    for i in range(len(z)):
        for k in range(3):
            rate[i, k] += spin * z[i, k]


@kernel
def _pass_along(c: Rolling, turn: float) -> None:
    """Carry `before` along the rings with the material; z becomes what arrives at the points."""
    if turn != c.turn[0]:
        circulant(turn, c.carry)
        c.turn[0] = turn
    pass_along(c.order, c.direction, c.carry, c.before[0])
    pass_along(c.order, c.direction, c.carry, c.before[1])
    for i in range(len(c.z)):
        for k in range(3):
            c.z[i, k] = c.before[0, i, k]


@kernel
def fill_block(c: Rolling, first: int, last: int, w: Floats, old: Floats) -> float:
    """Lay out the points from `first` to before `last`; open ones fill up the lanes.

    `old` (3 * BLOCK,) becomes their slip velocity at the start. Returns the power that springs in
    space do not have.
    """
    normal, seen, turned = c.normal, c.motion[0], c.motion[1]
    for at in range(last - first, lanes(w)):
        w[GAP + at], w[GAP_RATE + at], w[P + at] = 1.0, 0.0, 0.0
        for row in range(at, WIDTH, B):
            w[N + row] = w[U + row] = w[Y + row] = old[row] = 0.0
    for i in range(first, last):
        at = i - first
        n0, n1, n2 = normal[i, 0], normal[i, 1], normal[i, 2]
        along = n0 * turned[i, 0] + n1 * turned[i, 1] + n2 * turned[i, 2]
        rate = n0 * seen[i, 0] + n1 * seen[i, 1] + n2 * seen[i, 2] + along
        w[GAP + at], w[GAP_RATE + at] = c.distance[i], rate + c.gap_drift[i]
        w[P + at] = along + c.gap_drift[i] - c.gap_speed[i]
        for k in range(3):
            row = k * B + at
            w[N + row], w[Y + row] = normal[i, k], c.position[i, k]
            w[U + row] = seen[i, k] + turned[i, k] - rate * normal[i, k]
            old[row] = c.before[1, i, k]
    return _spring_power(c.laws, c.weights[first : first + B], w) if c.springs_in_space else 0.0


@kernel
def _spring_power(laws: Laws, weights: Floats, w: Floats) -> float:
    """Power of the springs against the part of the gap rates that is in P; GAP_RATE is restored."""
    for i in range(lanes(w)):  # rows that normal laws do not know
        w[WORK + i], w[SLID + i], w[GAP_RATE + i] = w[P + i], w[GAP_RATE + i], 0.0
    call_block(laws.normal_step, w, laws.normal, 1.0)
    total = 0.0
    for i in range(lanes(w)):
        total -= weights[i] * w[P + i] * w[WORK + i]
        w[GAP_RATE + i] = w[SLID + i]
    return total


@kernel
def step_points(c: Rolling, R: Floats, h: float, turn: float, shown: Floats, audits: bool) -> None:
    """History at the end of a step in which the material turns by an angle, and forces.

    `shown` as in `contact_blocks`; `audits`: with the sums of the energy audit, of accepted steps.
    """
    _pass_along(c, turn)
    c.total[:] = 0.0
    laws, frame, old, w = c.laws, R.reshape(9), c.work[:WIDTH], c.work[WIDTH:]
    for first in range(0, len(c.z), B):
        last = min(first + B, len(c.z))
        use_lanes(last - first, w)
        weights, own, seen = c.weights[first : first + B], slice(first, last), shown[first // B]
        status, slip_totals, grip = c.status[own], c.slip_totals[own], c.grip[own]
        fetch_history(laws, c.z[own], status, c.gap_before[first : first + B], w)
        c.total[9] += fill_block(c, first, last, w, old)
        press_block(laws, h, w)
        trial_block(laws, h, frame, StepStart(old, old, old), w)
        step_block(laws, h, weights, w, seen)
        if audits:
            c.total[11] += bristle_loss(weights, w, grip)
        turn_back(frame, lanes(w), w[Z : Z + WIDTH])
        keep_history(laws, weights, c.z[own], status, slip_totals, w)
        if audits:
            count_slip(status, weights, w, grip, slip_totals)
        if audits or len(seen) > 0:
            c.total[10] += normal_loss(laws, weights, w, seen)
        keep_forces(c, first, last, w)


@kernel
def rate_points(c: Rolling, R: Floats, shown: Floats) -> None:
    """Continuous law: z becomes its rate, without what material carries along rings, and forces.

    `slip_totals` become slip power and speed.
    """
    c.total[:] = 0.0
    laws, frame, old, w = c.laws, R.reshape(9), c.work[:WIDTH], c.work[WIDTH:]
    for first in range(0, len(c.z), B):
        last = min(first + B, len(c.z))
        use_lanes(last - first, w)
        weights, own, seen = c.weights[first : first + B], slice(first, last), shown[first // B]
        fetch_history(laws, c.z[own], c.status[own], c.gap_before[first : first + B], w)
        c.total[9] += fill_block(c, first, last, w, old)
        c.total[10] += normal_loss(laws, weights, w, seen)
        c.total[11] += rate_block(laws, frame, weights, w, seen)
        keep_rates(laws, weights, c.z[own], c.status[own], c.slip_totals[own], w)
        keep_forces(c, first, last, w)


@kernel
def keep_forces(c: Rolling, first: int, last: int, w: Floats) -> None:
    """Keep the forces of a block and add their power."""
    for i in range(first, last):
        at = i - first
        c.total[9] += c.weights[i] * w[P + at] * w[GAP_RATE + at]
        for k in range(3):
            row = k * B + at
            c.force[i, k] = w[F + row]
            c.total[9] += w[F + row] * w[U + row]


@kernel
def slope_points(c: Rolling, R: Floats, h: float, turn: float, spun: Floats, local: Floats) -> None:
    """Forces at the end of a step, and their derivatives (p, 3, LOCAL) by the local numbers.

    `spun` (2, p, 3) is the derivative by the angle of the spin of what the material has carried
    along: elastic slip with half a step of slip, and that half step alone, in the slave's frame.
    """
    _pass_along(c, turn)
    laws, frame, old, w = c.laws, R.reshape(9), c.work[:WIDTH], c.work[WIDTH:]
    for first in range(0, len(c.z), B):
        last = min(first + B, len(c.z))
        use_lanes(last - first, w)
        weights, own = c.weights[first : first + B], slice(first, last)
        fill_block(c, first, last, w, old)
        before = c.gap_before[first : first + B]
        start, states = StepStart(old, old, before), PointStates(c.z[own], c.status[own])
        slope_block(laws, h, frame, start, states, weights, w)
        for i in range(first, last):  # the normal turns the velocity, not the drift of gaps
            w[GAP_RATE + i - first] -= c.gap_drift[i]
        slopes_on_slave(h, weights, w)
        slopes_by_normal_on_slave(weights, w)
        keep_local(c, first, last, w, local)
        for i in range(first, last):
            if _changes(w, i - first):
                _by_angle(R, weights[i - first], spun[:, i], i - first, w, local[i])


@kernel
def _changes(w: Floats, at: int) -> bool:
    """Whether a point carries, or begins to."""
    changes: bool = w[P + at] != 0.0 or w[P_GAP + at] != 0.0 or w[P_RATE + at] != 0.0
    return changes


@kernel
def keep_local(c: Rolling, first: int, last: int, w: Floats, local: Floats) -> None:
    """Forces of a block, and their derivatives by the local numbers but for the spin."""
    for i in range(first, last):
        at, out = i - first, local[i]
        for k in range(3):
            c.force[i, k] = w[F + k * B + at]
        out[:] = 0.0
        if not _changes(w, at):
            continue
        for k in range(3):
            push = w[N + k * B + at] + w[T_P + k * B + at]
            out[k, 0] = c.weights[i] * push * w[P_GAP + at]
            for m in range(3):
                row = (3 * k + m) * B + at
                out[k, 1 + m], out[k, 4 + m] = w[M + row], w[D + row]
                out[k, 7 + m] = w[E + row]


@kernel
def _by_angle(R: Floats, area: float, spun: Floats, at: int, w: Floats, out: Floats) -> None:
    """Derivative of a force by the angle of the spin: A (T_z P a' + T_x P b'), P = I - n n^T."""
    for k in range(3):
        out[k, 10] = 0.0
    for part in range(2):
        slopes, along = (T_X if part else T_Z), 0.0
        x, y, z = spun[part, 0], spun[part, 1], spun[part, 2]
        for m in range(3):
            along += w[N + m * B + at] * (R[m, 0] * x + R[m, 1] * y + R[m, 2] * z)
        for m in range(3):
            flat = R[m, 0] * x + R[m, 1] * y + R[m, 2] * z - along * w[N + m * B + at]
            for k in range(3):
                out[k, 10] += area * w[slopes + (3 * k + m) * B + at] * flat


@kernel
def slide_points(c: Rolling, directed: bool) -> bool:
    """Forces of points that all slide; False if a `directed` law has no direction."""
    old, w = c.work[:WIDTH], c.work[WIDTH:]
    for first in range(0, len(c.points), B):
        last = min(first + B, len(c.points))
        if not _slide_block(c, directed, first, last, old, w):
            return False
        for i in range(first, last):
            for k in range(3):
                c.force[i, k] = w[F + k * B + i - first]
    return True


@kernel
def slope_sliding(c: Rolling, directed: bool, local: Floats) -> bool:
    """The same, and their derivatives (p, 3, LOCAL) by the local numbers."""
    old, w = c.work[:WIDTH], c.work[WIDTH:]
    for first in range(0, len(c.points), B):
        last = min(first + B, len(c.points))
        weights = c.weights[first : first + B]
        if not _slide_block(c, directed, first, last, old, w):
            return False
        for i in range(lanes(w)):
            for row in range(0, 3 * WIDTH, B):
                w[T_Z + row + i] = w[T_X + row + i] = 0.0
            for row in range(0, WIDTH, B):
                w[OLD + row + i] = w[HALF + row + i] = 0.0
        slopes_on_slave(0.0, weights, w)
        slopes_by_normal_on_slave(weights, w)
        keep_local(c, first, last, w, local)
    return True


@kernel
def _slide_block(c: Rolling, directed: bool, first: int, last: int, old: Floats, w: Floats) -> bool:
    """Forces F of a block of sliding points."""
    laws = c.laws
    use_lanes(last - first, w)
    c.before[1, first:last] = 0.0
    fill_block(c, first, last, w, old)
    for i in range(lanes(w)):
        w[STATUS + i] = float(SLIP)
    call_block(laws.normal_rate, w, laws.normal, 0.0)
    call_block(laws.limit, w, laws.coefficient, 0.0)
    call_block(laws.rate, w, laws.friction, 0.0)
    if directed:
        for i in range(last - first):
            still = w[U + i] == 0.0 and w[U + B + i] == 0.0 and w[U + 2 * B + i] == 0.0
            if still and w[P + i] > 0.0:
                return False
    join_forces(c.weights[first : first + B], w)
    return True
