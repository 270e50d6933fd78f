"""Smooth forces of a step: all items of the program that are no rigid contacts.

`assemble` gives the matrix and the load of the step equation of `integrate.moreau.method`,

    S = M - theta^2 h^2 K - theta h D,      h (f + K s),

`balance` adds up work, losses and supplies over a step, as `integrate.audit`.
"""

from __future__ import annotations

from fecontact.integrate.moreau.kernels.blocks import invert
from fecontact.kernels.arrays import Bundle, after, part
from fecontact.kernels.calls import call_at
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import (
    D_INERTIA,
    LOST,
    MASS,
    POWERS,
    RECORD,
    STORED,
    SUPPLIED,
    TANGENTS,
)
from fecontact.system.program.kernels import (
    ADDRESS,
    DOFS,
    ITEM,
    PARAMETERS,
    RECORDS,
    SIZE,
    V_INDICES,
    call_item,
)
from fecontact.typing import Floats, Integers

__all__ = [
    "CARRIED",
    "DISSIPATES",
    "LOAD",
    "SPUN",
    "Smooth",
    "assemble",
    "balance",
    "evaluate",
    "inverse",
    "masses",
    "shift_potentials",
]

LOAD, CARRIED, SPUN, DISSIPATES = 1, 2, 4, 8
"""How an item is balanced: all its work is supplied; a prescribed motion carries it; it knows
what is supplied; it dissipates."""


class Smooth(Bundle):
    """Arrays of the smooth forces.

    Attributes
    ----------
    table, indices, work
        See `system.program.kernels`; contacts have address 0.
    moving, time_dependent
        Rows of bodies whose mass depends on q, and of potentials that change with time.
    role : (items,)
        How they are balanced.
    works : (items + 1,), lost, given
        Sums as in `EnergyAudit`; `given` of carried bodies without their strain energy.
    first : (items + 1,), dof, place
        Where the forces of an item begin, dofs that they belong to, and for each index of a dof its
        force.
    force, power : (items, 2)
        Forces, dissipated and supplied power, at last.
    new_force, new_power
        The same at the end of the step.
    stored : (rows,), shift : (items,)
        Potentials there, and their change by time alone.
    block_first, block_dofs, block_of, block_place, block_start
        See `kernels.blocks.Blocks`.
    constant_mass
        Masses that do not depend on q, by blocks.
    mass, step : (3, size)
        Mass matrix, and S.
    left
        Working space.
    """

    table: Integers
    indices: Integers
    work: Floats
    moving: Integers
    time_dependent: Integers
    role: Integers
    works: Floats
    lost: Floats
    given: Floats
    first: Integers
    dof: Integers
    place: Integers
    force: Floats
    power: Floats
    new_force: Floats
    new_power: Floats
    stored: Floats
    shift: Floats
    block_first: Integers
    block_dofs: Integers
    block_of: Integers
    block_place: Integers
    block_start: Integers
    constant_mass: Floats
    mass: Floats
    step: Floats
    left: Floats


@kernel(fastmath=True)
def masses(s: Smooth, q: Floats, v: Floats, values: Floats) -> bool:
    """Mass matrix, by blocks; False if a body fails."""
    constant, moving = s.constant_mass, s.moving
    for k in range(len(constant)):
        values[k] = constant[k]
    table, indices, work = s.table, s.indices, s.work
    for k in range(len(moving)):
        i = moving[k]
        if call_item(table, i, indices, work, 0.0, q, v, MASS) != 0.0:
            return False
        n = table[i, DOFS]
        at = table[i, RECORDS] + RECORD + table[i, SIZE] + 2 * n
        own = indices[table[i, V_INDICES] : table[i, V_INDICES] + n]
        if not _add(s, own, part(work, at, n * n), 1.0, values):
            return False
    return True


@kernel(fastmath=True)
def inverse(s: Smooth, matrix: Floats) -> int:
    """Bring the inverse of a matrix up to date, see `blocks.invert`."""
    return invert(s.block_first, s.block_start, matrix, s.left)


@kernel(fastmath=True)
def assemble(
    s: Smooth, t: float, q: Floats, v: Floats, h: float, theta: float, shift: Floats,
    load: Floats,
) -> bool:  # fmt: skip
    """Matrix S, and load (n,); False if an item fails, or couples what is not coupled."""
    table, indices, work, values = s.table, s.indices, s.work, s.step[0]
    if not masses(s, q, v, values):
        return False
    for i in range(len(load)):
        load[i] = 0.0
    for i in range(len(table)):
        if table[i, ADDRESS] == 0:
            continue
        if call_item(table, i, indices, work, t, q, v, TANGENTS) != 0.0:
            return False
        n = table[i, DOFS]
        at = table[i, RECORDS] + RECORD + table[i, SIZE] + n
        own = indices[table[i, V_INDICES] : table[i, V_INDICES] + n]
        by_q, by_v = part(work, at + n, n * n), part(work, at + n + n * n, n * n)
        for k in range(n):
            total = work[at + k]
            for m in range(n):
                total += by_q[n * k + m] * shift[own[m]]
            load[own[k]] += h * total
        if not _add(s, own, by_q, -((h * theta) ** 2), values):
            return False
        if not _add(s, own, by_v, -h * theta, values):
            return False
    return True


@kernel(fastmath=True)
def _add(s: Smooth, own: Integers, given: Floats, factor: float, values: Floats) -> bool:
    """Add a matrix over some dofs; False if it couples blocks."""
    first, start = s.block_first, s.block_start
    block, place = s.block_of, s.block_place
    n = len(own)
    for k in range(n):
        b = block[own[k]]
        at = start[b] + (first[b + 1] - first[b]) * place[own[k]]
        for m in range(n):
            value = given[n * k + m]
            if value != 0.0:
                if block[own[m]] != b:
                    return False
                values[at + place[own[m]]] += factor * value
    return True


@kernel(fastmath=True)
def evaluate(s: Smooth, t: float, q: Floats, v: Floats) -> bool:
    """New forces and powers of all items at a state; False if an item fails."""
    table, indices, work = s.table, s.indices, s.work
    force, place, stored = s.new_force, s.place, s.stored
    power, role, moving = s.new_power, s.role, s.moving
    for k in range(len(force)):
        force[k] = 0.0
    for i in range(len(role)):
        power[i, 0] = power[i, 1] = 0.0
    for i in range(len(table)):
        if table[i, ADDRESS] == 0:
            continue
        if call_item(table, i, indices, work, t, q, v, POWERS) != 0.0:
            return False
        start, n, own, item = table[i, RECORDS], table[i, DOFS], table[i, V_INDICES], table[i, ITEM]
        at = start + RECORD + table[i, SIZE] + n
        for k in range(n):
            force[place[own + k]] += work[at + k]
        power[item, 0] += work[start + LOST] if role[item] & DISSIPATES else 0.0
        power[item, 1] += work[start + SUPPLIED] if role[item] & SPUN else 0.0
        stored[i] = work[start + STORED]
    good = True
    for k in range(len(moving)):
        good = good and _add_inertia(s, moving[k], v)
    return good


@kernel(fastmath=True)
def _add_inertia(s: Smooth, i: int, v: Floats) -> bool:
    """Add half of v . M' v to the force of a body; False if it fails."""
    table, indices, work = s.table, s.indices, s.work
    n, own, start = table[i, DOFS], table[i, V_INDICES], table[i, RECORDS]
    at, force, place = start + RECORD + table[i, SIZE] + n, s.new_force, s.place
    for k in range(n):
        work[at + k] = v[indices[own + k]]
    if (
        call_at(table[i, ADDRESS], after(work, start), table[i, PARAMETERS], float(D_INERTIA))
        != 0.0
    ):
        return False
    for k in range(n):
        for m in range(n):
            force[place[own + k]] += 0.5 * work[at + n + n * k + m] * v[indices[own + m]]
    return True


@kernel(fastmath=True)
def shift_potentials(
    s: Smooth, t: float, q: Floats, v: Floats, before: float, q_before: Floats, v_before: Floats
) -> bool:
    """Change of potentials by time alone, at the mean of both ends of a step, after `evaluate`.

    False if an item fails.
    """
    table, indices, work = s.table, s.indices, s.work
    shift, time_dependent, stored = s.shift, s.time_dependent, s.stored
    for i in range(len(shift)):
        shift[i] = 0.0
    for k in range(len(time_dependent)):
        i = time_dependent[k]
        at = table[i, RECORDS] + STORED
        if call_item(table, i, indices, work, before, q, v, POWERS) != 0.0:
            return False
        change = stored[i] - work[at]
        if change == 0.0:
            continue
        if call_item(table, i, indices, work, t, q_before, v_before, POWERS) != 0.0:
            return False
        change += work[at]
        if call_item(table, i, indices, work, before, q_before, v_before, POWERS) != 0.0:
            return False
        shift[table[i, ITEM]] += 0.5 * (change - work[at])
    return True


@kernel(fastmath=True)
def balance(s: Smooth, h: float, path: Floats) -> None:
    """Add a step of the dofs to the sums; the new forces and powers become the last ones."""
    first, dof, role = s.first, s.dof, s.role
    force, new_force, shift = s.force, s.new_force, s.shift
    power, new_power = s.power, s.new_power
    works, losses, gifts = s.works, s.lost, s.given
    for i in range(len(role)):
        work = 0.0
        for k in range(first[i], first[i + 1]):
            work += 0.5 * (force[k] + new_force[k]) * path[dof[k]]
            force[k] = new_force[k]
        lost = 0.5 * h * (power[i, 0] + new_power[i, 0])
        given = 0.5 * h * (power[i, 1] + new_power[i, 1])
        if role[i] & LOAD:
            given = work
        elif role[i] & CARRIED:
            given = work + lost
        works[i] += work
        losses[i] += lost
        gifts[i] += given + shift[i]
        power[i, 0], power[i, 1] = new_power[i, 0], new_power[i, 1]
