"""A contact pair with bristles on its slave in continuous time, as compiled programs see it.

Tasks and parts of the memory are those of `contact.evaluate.lowered.rate`, slaves and masters those
of `rolling`. Material that passes along rings couples the rates of all points of a ring: such pairs
have no form here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fecontact.body.lowered.moving_point_slopes import differentiate_points
from fecontact.body.lowered.moving_points import point_frame
from fecontact.contact.evaluate.lowered.memory import (
    COLUMNS,
    LAWS,
    MASTER,
    OTHER,
    POINTS,
    SLAVE,
    gaps_turn,
    laws_of,
    outer_power,
)
from fecontact.contact.evaluate.lowered.on_slave import rolling_laws
from fecontact.contact.evaluate.lowered.rate import (
    RATE_ANSWERS,
    rate_memory,
    rate_parts,
    rate_slopes,
    slope_addresses,
)
from fecontact.contact.evaluate.lowered.rolling import (
    Carried,
    Held,
    Spaces,
    contact_of,
    differentiate,
    load,
    pack_rolling,
    rolling_memory,
    see,
    spaces_of,
)
from fecontact.contact.evaluate.lowered.surface_slopes import (
    by_changes,
    change_of_point,
    start_changes,
)
from fecontact.contact.kernels.eulerian import LOCAL, Rolling, rate_points
from fecontact.contact.kernels.eulerian_rates import LocalRates, slope_rates
from fecontact.contact.kernels.layout import BLOCK
from fecontact.contact.kernels.rate_tangents import DerivativeLaws, RateSlopes, law_slopes_size
from fecontact.contact.kinematics.slip import OnSlave
from fecontact.contact.laws.base import FrictionLaw
from fecontact.kernels.arrays import matrix, part, viewed
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import (
    FAILED,
    LOST,
    PARAMETERS,
    RATES,
    SUPPLIED,
    TANGENTS,
    Lowered,
    Record,
    changed,
    record,
)
from fecontact.kernels.memory import take, take_matrix
from fecontact.typing import Floats

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = ["lowered_on_slave_rate"]


def _contact_rate(pointer: Any, parameters: Any, task: float) -> float:
    """A contact pair with bristles on its slave in continuous time."""
    p = viewed(parameters, PARAMETERS)
    return _evaluated(p, record(pointer, p), int(task))


@kernel(fastmath=True, allocates=True)
def _evaluated(p: Floats, w: Record, task: int) -> float:
    """Fill in the record for a task."""
    n, columns, other = int(p[POINTS]), int(p[COLUMNS]), int(p[OTHER])
    memory, own = rate_memory(n, columns, w.own)
    slopes, own = rate_slopes(n, columns, len(w.force), own)
    of_points, space = _local_rates(n, columns, slopes, own)
    R, space = take_matrix(space, 3, 3)
    gap, space = take(space, (n + BLOCK - 1) // BLOCK * BLOCK)
    gap[:] = 1.0
    memory.rate.z[:], memory.rate.status[:] = memory.given.z, memory.given.status
    nobody = matrix(space, 0, 0, 4)
    held = Held(memory.rate, memory.slip_rates, nobody, gap)
    carried, more = Carried(part(R, 0, 0), part(R, 0, 0)), int(p[other + 2])
    c, space = contact_of(p, laws_of(p, int(p[LAWS])), held, carried, more, space)
    spaces = spaces_of(p, space)
    if not see(p, w, c, spaces):
        return FAILED
    point_frame(p, int(p[SLAVE]), spaces.points, R)
    c.before[:] = 0.0
    if task in (TANGENTS, RATES):
        derivatives = DerivativeLaws(int(p[other]), int(p[other + 1]))
        slope_rates(c, derivatives, R, task == TANGENTS, of_points)
        _differentiate_rates(p, w, c, spaces, of_points, slopes)
    else:
        rate_points(c, R, matrix(space, 0, (n + BLOCK - 1) // BLOCK, 0))
    load(p, w, c, spaces)
    if task == TANGENTS:
        spaces.local[:] = of_points.force
        differentiate(p, w, c, spaces, -1)
    elif task != RATES:
        w.head[LOST], w.head[SUPPLIED] = c.total[10] + c.total[11], outer_power(w, c.total)
    return 0.0


@kernel(fastmath=True)
def _local_rates(n: int, columns: int, slopes: RateSlopes, w: Floats) -> tuple[LocalRates, Floats]:
    """Room for the derivatives point by point, and the memory behind it."""
    force, w = take(w, 3 * LOCAL * n)
    rate, w = take(w, columns * LOCAL * n)
    limit, w = take(w, LOCAL * n)
    pull, w = take(w, 3 * columns * n)
    return LocalRates(
        force.reshape((n, 3, LOCAL)), rate.reshape((n, columns, LOCAL)),
        limit.reshape((n, 1, LOCAL)), pull.reshape((n, 3, columns)), slopes.rate_by_z, slopes.limit,
    ), w  # fmt: skip


@kernel(fastmath=True, allocates=True)
def _differentiate_rates(
    p: Floats, w: Record, c: Rolling, spaces: Spaces, of_points: LocalRates, to: RateSlopes
) -> None:
    """Derivatives of rates and limits by all dofs, and of the force by the internal variables."""
    slave, master, n, N = int(p[SLAVE]), int(p[MASTER]), len(c.z), len(w.v)
    maps, surface, k = spaces.maps, spaces.surface, of_points.pull.shape[2]
    surface.inputs[:] = 0.0
    for i in range(n):
        if i % BLOCK == 0:
            start_changes(p, master, i, min(i + BLOCK, n), c, surface)
        differentiate_points(p, slave, i, w.v, spaces.points, maps)
        change_of_point(p, master, i, c, maps, surface)
        changes, speeds = surface.changes, surface.speeds
        rates_q, rates_v = (
            matrix(to.rate_by_q, i * k * N, k, N), matrix(to.rate_by_v, i * k * N, k, N)
        )  # fmt: skip
        by_changes(of_points.rate[i], -1, maps, changes, speeds, rates_q, rates_v)
        by_q, by_v = matrix(to.limit_by_q, i * N, 1, N), matrix(to.limit_by_v, i * N, 1, N)
        by_changes(of_points.limit[i], -1, maps, changes, speeds, by_q, by_v)
        pull = of_points.pull[i]
        for j in range(N):
            x, y, z = speeds[4, j], speeds[5, j], speeds[6, j]
            for s in range(k):
                to.force_by_z[j, i * k + s] = x * pull[0, s] + y * pull[1, s] + z * pull[2, s]


def lowered_on_slave_rate(pair: ContactPair) -> Lowered | None:
    """A pair with bristles on its slave in continuous time; None if a part has no such form."""
    if changed(pair, "lowered_rate", RATE_ANSWERS) or not isinstance(pair.friction, FrictionLaw):
        return None
    if not isinstance(pair.transport, OnSlave) or gaps_turn(pair):
        return None
    laws = None if pair.transport.rings is not None else rolling_laws(pair, pair.friction)
    addresses = None if laws is None else slope_addresses(pair, laws)
    if laws is None or addresses is None:
        return None
    more = law_slopes_size(laws)
    numbers = pack_rolling(
        pair, laws, pair.transport, lambda packing: packing.add([*addresses, more])
    )
    if numbers is None:
        return None
    points, columns = pair.points, pair.columns
    of_points = (3 + columns + 1) * LOCAL * points + 3 * columns * points
    blocks = -(-points // BLOCK)
    memory = sum(rate_parts(points, columns, int(numbers[1]))) + of_points + 9 + blocks * BLOCK
    return Lowered(_contact_rate, numbers, memory + more + rolling_memory(pair, laws))
