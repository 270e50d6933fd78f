"""Way out of penetrations at the end of a step."""

from __future__ import annotations

from fecontact.integrate.moreau.kernels.closed import closed_contacts, set_responses
from fecontact.integrate.moreau.kernels.motion import SWEEPS, Motion
from fecontact.integrate.moreau.kernels.rows import Contacts
from fecontact.integrate.moreau.kernels.smooth import Smooth, inverse, masses
from fecontact.integrate.moreau.limits import CORRECTIONS, HELD, LEFT, TOUCHING
from fecontact.kernels.decorators import kernel
from fecontact.solvers.contact_graph.problem import Graph
from fecontact.solvers.contact_graph.solver import FAILED, solve
from fecontact.system.program.kernels import moved

__all__ = ["project"]


@kernel(fastmath=True)
def project(m: Motion, c: Contacts, g: Graph, s: Smooth, sweeps: int) -> bool:
    """Take `new_q` out of penetrations, by the shortest motions in the metric of M.

    The path goes on with them. False if there is no way out.
    """
    new_q, other_q, path = m.new_q, m.other_q, m.path
    x, new_v, kept = g.change, m.new_v, m.kept
    for _ in range(CORRECTIONS):
        deep = closed_contacts(c, g, new_q, TOUCHING - 2.0 * LEFT, False)
        if deep < 0:
            return False
        if deep == 0:
            break
        if not masses(s, new_q, new_v, s.mass[0]) or inverse(s, s.mass) < 0:
            return False
        set_responses(c, g, s, s.mass, deep)
        chosen = _loose(c, g, deep)
        done = kept[SWEEPS]
        found = solve(g, chosen, 1e-6, sweeps, kept[SWEEPS : SWEEPS + 1])
        kept[SWEEPS] = done
        if found == FAILED:
            return False
        moves = False
        for i in range(len(x)):
            path[i] += x[i]
            moves = moves or x[i] != 0.0
        if not moves:
            break
        for i in range(len(new_q)):
            other_q[i] = new_q[i]
        moved(other_q, x, m.plain, m.turns, new_q)
    closed_contacts(c, g, m.middle, TOUCHING, True)  # back to the contacts of the step
    return True


@kernel(fastmath=True)
def _loose(c: Contacts, g: Graph, deep: int) -> int:
    """Choose the penetrations of contacts that can move; returns how many there are."""
    block, impulse, b = g.block, g.impulse, g.free
    floor, chosen = g.floor, g.chosen
    gap, closed = c.mean_gap, c.closed
    largest, count = 0.0, 0
    for k in range(deep):
        largest = max(largest, block[k, 0, 0])
    for k in range(deep):
        impulse[k, 0] = floor[k] = 0.0
        b[k, 0] = gap[closed[k]] + LEFT
        if block[k, 0, 0] > HELD * largest:
            chosen[count] = k
            count += 1
    return count
