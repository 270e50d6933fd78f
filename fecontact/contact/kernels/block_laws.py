"""The laws of one block of points in their order, for every kernel that knows gaps and normals.

A kernel finds gap, gap rate, normal N and slip velocity U of its points on its own surface; from
there on all go the same way: pressure, friction limit, then slip. Laws are called by their address.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from fecontact.contact.kernels.lanes import lanes
from fecontact.contact.kernels.layout import (
    BLOCK,
    GAP,
    GAP_BEFORE,
    OLD,
    OLD_SLIP,
    ROWS,
    SHIFT,
    SHOWN_GAP,
    SHOWN_LOST,
    SHOWN_N,
    SHOWN_OLD_SLIP,
    SHOWN_P,
    SHOWN_SHIFT,
    SHOWN_SPRING,
    SHOWN_STORED,
    SHOWN_T,
    SHOWN_U,
    SHOWN_WORK,
    SHOWN_Y,
    SHOWN_Z,
    SLID,
    SPRING,
    STATES,
    STATUS,
    WORK,
    F,
    N,
    P,
    U,
    Y,
    Z,
)
from fecontact.contact.kernels.motion import (
    WIDTH,
    Points,
    StepStart,
    bring_slip,
    copy_rows,
    flatten_slip,
    try_slip,
    turn_back,
    turn_slip,
)
from fecontact.contact.status import SLIP
from fecontact.kernels.arrays import after, part
from fecontact.kernels.calls import call_block
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = [
    "ContactPoints",
    "Laws",
    "PointStates",
    "fetch_history",
    "join_forces",
    "keep_history",
    "keep_rates",
    "named",
    "normal_loss",
    "press_block",
    "rate_block",
    "slope_block",
    "step_block",
    "trial_block",
]

B = BLOCK


class Laws(NamedTuple):
    """Shape of a rigid surface, and the laws of a contact: parameters and addresses.

    Attributes
    ----------
    shape, shape_par
        Code and parameters of the surface, see `contact.kernels.shapes`.
    normal, coefficient, friction
        Parameters of the laws.
    normal_step, normal_rate, balance, limit, step, slopes, rate
        Addresses of their block functions, see `contact.laws.base.blocks`.
    friction_states, normal_states
        Number of internal variables besides the elastic slip.
    sticks
        Whether a static coefficient counts while a point sticks.
    moves_with_slave
        Whether bristles stand on the slave, in whose frame the elastic slip is kept, and slip is
        the trapezoidal integral of the slip velocity: on a master that spins without a coordinate.
        Else they stand on the master, and slip is the path of a point from its anchor there.
    """

    shape: int
    shape_par: Floats
    normal: Floats
    coefficient: Floats
    friction: Floats
    normal_step: int
    normal_rate: int
    balance: int
    limit: int
    step: int
    slopes: int
    rate: int
    friction_states: int
    normal_states: int
    sticks: bool
    moves_with_slave: bool

    @property
    def working_size(self) -> int:
        """Length of the working array of a block."""
        return (ROWS + self.friction_states + self.normal_states) * BLOCK


class ContactPoints(NamedTuple):
    """Points of a slave, and the laws of their contact."""

    points: Points
    laws: Laws


class PointStates(NamedTuple):
    """Internal variables (p, k) and status (p,) of points."""

    z: Floats
    status: Integers


@kernel(fastmath=True)
def named(contact: tuple[Any, Any]) -> ContactPoints:
    """Points and laws from plain tuples, which Python hands over faster than named ones.

    As all that returns arrays of somebody else: for kernels that do not allocate.
    """
    return ContactPoints(Points(*contact[0]), Laws(*contact[1]))


@kernel(fastmath=True)
def fetch_history(laws: Laws, z: Floats, status: Integers, before: Floats, w: Floats) -> None:
    """Internal variables and status of the points to their rows; none where there is no point."""
    count, others = len(z), laws.friction_states + laws.normal_states
    for i in range(count):
        w[Z + i], w[Z + B + i], w[Z + 2 * B + i] = z[i, 0], z[i, 1], z[i, 2]
        w[STATUS + i] = float(status[i]) if laws.sticks else float(SLIP)
        for k in range(others):
            w[STATES + k * B + i] = z[i, 3 + k]
    for i in range(count, lanes(w)):
        w[Z + i] = w[Z + B + i] = w[Z + 2 * B + i] = w[STATUS + i] = 0.0
        for k in range(others):
            w[STATES + k * B + i] = 0.0
    for i in range(lanes(w)):
        w[GAP_BEFORE + i] = before[i]


@kernel(fastmath=True)
def press_block(laws: Laws, h: float, w: Floats) -> None:
    """Pressure at the end of a step, its slopes, new states of the normal law, friction limit."""
    call_block(laws.normal_step, w, laws.normal, h)
    call_block(laws.limit, w, laws.coefficient, h)


@kernel(fastmath=True)
def step_block(laws: Laws, h: float, weights: Floats, w: Floats, shown: Floats) -> None:
    """Forces F, internal variables and status at the end of a step, from the trial slip.

    If `shown` is not empty, it takes what the points do (`contact.kernels.layout`).
    """
    call_block(laws.step, w, laws.friction, h)
    if len(shown) > 0:
        _show(w, shown)
    join_forces(weights, w)


@kernel(fastmath=True)
def _show(w: Floats, shown: Floats) -> None:
    """Copy what the points do, with the traction still in F."""
    for i in range(lanes(w)):
        shown[SHOWN_GAP + i], shown[SHOWN_P + i] = w[GAP + i], w[P + i]
        shown[SHOWN_SPRING + i], shown[SHOWN_WORK + i] = w[SPRING + i], w[WORK + i]
    copy_rows(w, N, after(shown, SHOWN_N))
    copy_rows(w, F, after(shown, SHOWN_T))
    copy_rows(w, U, after(shown, SHOWN_U))
    copy_rows(w, Y, after(shown, SHOWN_Y))
    copy_rows(w, Z, after(shown, SHOWN_Z))
    copy_rows(w, OLD_SLIP, after(shown, SHOWN_OLD_SLIP))
    copy_rows(w, SHIFT, after(shown, SHOWN_SHIFT))


@kernel(fastmath=True)
def rate_block(laws: Laws, frame: Floats, weights: Floats, w: Floats, shown: Floats) -> float:
    """Forces F and rates of the internal variables in continuous time.

    Returns the power of the dampers of the bristles, -(T + c z) . z'. `shown` as in `step_block`;
    its elastic slip is the rate, and the old one the slip itself.
    """
    call_block(laws.normal_rate, w, laws.normal, 1.0)
    call_block(laws.limit, w, laws.coefficient, 1.0)
    if laws.moves_with_slave:
        turn_slip(frame, w)
    flatten_slip(w)
    copy_rows(w, Z, part(w, OLD_SLIP, WIDTH))
    call_block(laws.rate, w, laws.friction, 1.0)
    power = 0.0
    for k in range(0, 3 * B, B):
        for i in range(lanes(w)):
            pulled = w[F + k + i] + w[SPRING + i] * w[OLD_SLIP + k + i]
            power -= weights[i] * pulled * w[Z + k + i]
    if len(shown) > 0:
        _show(w, shown)
    join_forces(weights, w)
    if laws.moves_with_slave:
        turn_back(frame, lanes(w), part(w, Z, WIDTH))
    return power


@kernel(fastmath=True)
def trial_block(laws: Laws, h: float, frame: Floats, start: StepStart, w: Floats) -> None:
    """Trial slip at the end of a step."""
    if laws.moves_with_slave:
        bring_slip(h, frame, start.anchor, w)
    else:
        try_slip(start.anchor, start.normal, w)


@kernel(fastmath=True)
def join_forces(weights: Floats, w: Floats) -> None:
    """From the traction T to the force A (p n + T)."""
    for k in range(0, 3 * B, B):
        for i in range(lanes(w)):
            w[F + k + i] = weights[i] * (w[P + i] * w[N + k + i] + w[F + k + i])


@kernel(fastmath=True)
def keep_history(
    laws: Laws, weights: Floats, z: Floats, status: Integers, slip_totals: Floats, w: Floats
) -> None:
    """Take internal variables and status to the points; slip work and path grow."""
    _keep_states(laws, z, w)
    for i in range(len(z)):
        status[i] = int(w[STATUS + i])
        slip_totals[i, 0] += weights[i] * w[WORK + i]
        slip_totals[i, 1] += w[SLID + i] if (w[P + i] > 0.0 and w[SLID + i] >= 0.0) else 0.0


@kernel(fastmath=True)
def keep_rates(
    laws: Laws, weights: Floats, z: Floats, status: Integers, slip_totals: Floats, w: Floats
) -> None:
    """Take rates and status to the points; `slip_totals` becomes slip power and speed."""
    _keep_states(laws, z, w)
    for i in range(len(z)):
        status[i] = int(w[STATUS + i])
        slip_totals[i, 0], slip_totals[i, 1] = weights[i] * w[WORK + i], w[SLID + i]


@kernel(fastmath=True)
def _keep_states(laws: Laws, z: Floats, w: Floats) -> None:
    others = laws.friction_states + laws.normal_states
    for i in range(len(z)):
        z[i, 0], z[i, 1], z[i, 2] = w[Z + i], w[Z + B + i], w[Z + 2 * B + i]
        for k in range(others):
            z[i, 3 + k] = w[STATES + k * B + i]


@kernel(fastmath=True)
def normal_loss(laws: Laws, weights: Floats, w: Floats, shown: Floats) -> float:
    """Power of the normal dampers; it takes the rows of slip work and path.

    If `shown` is not empty, it takes energy and loss per area.
    """
    call_block(laws.balance, w, laws.normal, 1.0)
    power = 0.0
    for i in range(lanes(w)):
        power += weights[i] * w[SLID + i]
    if len(shown) > 0:
        for i in range(lanes(w)):
            shown[SHOWN_STORED + i], shown[SHOWN_LOST + i] = w[WORK + i], w[SLID + i]
    return power


@kernel(fastmath=True)
def slope_block(
    laws: Laws, h: float, frame: Floats, start: StepStart, states: PointStates, weights: Floats,
    w: Floats,
) -> None:  # fmt: skip
    """Forces F at the end of a step and the derivatives of all laws; see `trial_block`."""
    fetch_history(laws, states.z, states.status, start.gap, w)
    press_block(laws, h, w)
    copy_rows(w, Z, part(w, OLD, WIDTH))
    trial_block(laws, h, frame, start, w)
    call_block(laws.slopes, w, laws.friction, h)
    step_block(laws, h, weights, w, part(w, 0, 0))
