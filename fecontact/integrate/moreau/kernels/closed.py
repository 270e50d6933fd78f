"""Closed contacts of a step: their rows, laws, responses and velocities."""

from __future__ import annotations

from fecontact.integrate.moreau.kernels import rows
from fecontact.integrate.moreau.kernels.blocks import respond
from fecontact.integrate.moreau.kernels.motion import Motion
from fecontact.integrate.moreau.kernels.rows import (
    Contacts,
    close,
    find_gaps,
    place_frames,
    set_rows,
)
from fecontact.integrate.moreau.kernels.smooth import Smooth
from fecontact.kernels.decorators import kernel
from fecontact.solvers.contact_graph.friction import CONSTANT
from fecontact.solvers.contact_graph.problem import Graph, set_blocks
from fecontact.typing import Floats

__all__ = ["closed_contacts", "row_velocities", "set_laws", "set_responses"]


@kernel(fastmath=True)
def closed_contacts(c: Contacts, g: Graph, q: Floats, within: float, slide: bool) -> int:
    """Rows of the conditions that are closed at coordinates q; -1 where a point has no normal."""
    place_frames(c, q)
    if not find_gaps(c, q):
        return -1
    count = close(c, within)
    set_rows(c, g, count, slide)
    return count


@kernel(fastmath=True)
def set_laws(m: Motion, c: Contacts, g: Graph, count: int) -> bool:
    """Laws of the closed contacts; whether a coefficient is not constant."""
    table, contact, closed = c.table, c.contact, c.closed
    given, restitution = c.numbers, m.restitution
    law, place = g.law, g.place
    constants, friction = g.constants, g.friction
    found = False
    for k in range(count):
        own = contact[closed[k]]
        law[k], place[k] = table[own, rows.LAW], table[own, rows.PARAMETERS]
        constants[k] = friction[k] = given[own, 0]
        restitution[k] = given[own, 1]
        found = found or law[k] != CONSTANT
    return found


@kernel(fastmath=True)
def set_responses(c: Contacts, g: Graph, s: Smooth, matrix: Floats, count: int) -> None:
    """Responses of the closed contacts by the inverse of a matrix, and their blocks."""
    table, contact, closed = c.table, c.contact, c.closed
    blocks, slides = c.blocks, g.slides
    jacobian, response = g.jacobian, g.response
    first, start = s.block_first, s.block_start
    values = matrix[2]
    for k in range(count):
        row = table[contact[closed[k]]]
        at = row[rows.FIRST_BLOCK]
        chosen = blocks[at : at + row[rows.BLOCK_COUNT]]
        for a in range(3 if slides[k] else 1):
            respond(first, start, values, chosen, jacobian[k, a], response[k, a])
    set_blocks(g, count)


@kernel(fastmath=True)
def row_velocities(c: Contacts, g: Graph, v: Floats, count: int, u: Floats) -> None:
    """Velocities u (m, 3) of the rows at velocities v (n,), with their drift."""
    jacobian, drift, dofs = g.jacobian, c.drift, g.dofs
    first, size, slides = g.first, g.size, g.slides
    for k in range(count):
        J, at = jacobian[k], first[k]
        u[k, 1] = u[k, 2] = 0.0
        for a in range(3 if slides[k] else 1):
            total = drift[k, a]
            for j in range(size[k]):
                total += J[a, j] * v[dofs[at + j]]
            u[k, a] = total
