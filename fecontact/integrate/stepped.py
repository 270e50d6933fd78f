"""Programs of systems in the compiled step loops.

The loops of `implicit.march` and `explicit.lowered_march` have them in common.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from fecontact.contact.evaluate.compiled.points import made_once
from fecontact.contact.pair import ContactPair
from fecontact.contact.report import ContactReport
from fecontact.errors import SolverError
from fecontact.integrate.audit import EnergyAudit, Stored, stored_energies, with_contacts
from fecontact.integrate.loop import motion as loop
from fecontact.integrate.loop.contacts import SteppedContacts
from fecontact.solvers.dense import lu_factorise
from fecontact.system import State, System
from fecontact.system.dofs import Dofs
from fecontact.system.program import Program
from fecontact.system.program.kernels import moved
from fecontact.typing import Floats, supports

__all__ = [
    "new_motion",
    "not_stepped",
    "program_stores",
    "stepped_items",
]

NEAR = 1e-3
"""Size in m and rad of the displacements at which energies are compared."""


@made_once
def not_stepped(system: System) -> str:
    """Why the items of a system have no compiled loop; empty if they have one."""
    dofs, rest = Dofs(system), system.rest().q
    step = np.random.default_rng(0).standard_normal(system.size)
    probe = np.empty_like(rest)
    moved(rest, step, *dofs.moves, probe)
    if not np.allclose(probe, system.move(rest, step), rtol=0.0, atol=1e-12):
        return "bodies that move in a way of their own"
    for item in system.stateful_contacts:
        if not isinstance(item, ContactPair) or item.lowered_steps() is None:
            return f"contact '{item.name}'"
    return ""


def stepped_items(
    system: System, program: Program, contacts: SteppedContacts, audit: EnergyAudit,
    dofs: Dofs,
) -> loop.Items:  # fmt: skip
    """The program of a system as the loops see it."""
    rows = []
    for contact, kept in zip(contacts, contacts.kept_starts, strict=True):
        parts = contact.parts
        rows.append(
            [contact.index, parts["status0"].start, parts["status"].start, contact.item.points,
             parts["z0"].start, contact.length, kept]
        )  # fmt: skip
    stateful = {contact.index for contact in contacts}
    bodies = len(system.bodies)
    dissipating, changing = np.zeros((2, len(program.table)), dtype=np.int64)
    for i, item in enumerate(program.summands):
        if i in stateful:
            continue
        dissipating[i] = supports(item, "dissipated_power")
        potential = (
            i >= bodies and supports(item, "energy") and not supports(item, "supplied_power")
        )
        changing[i] = potential and program.lowered[i].time_dependent
    loads, driven, supplying = np.zeros((3, len(system.items)), dtype=np.int64)
    loads[:], driven[audit.carried], supplying[audit.spun] = audit.loads, 1, 1
    dissipating[:bodies] |= (driven | supplying)[:bodies]
    plain, turns = dofs.moves
    return loop.Items(
        table=program.table, indices=program.indices, work=program.work, moving=program.moving,
        plain=plain, turns=turns, contacts=np.array(rows, dtype=np.int64).reshape(-1, 7),
        kept=np.zeros(contacts.kept_length), dissipating=dissipating, time_dependent=changing,
        loads=loads, driven=driven, supplying=supplying,
    )  # fmt: skip


def new_motion(system: System, program: Program, q: Floats, dofs: Dofs) -> loop.Motion:
    """State of a loop and its working space; the mass matrix is that at coordinates q."""
    n, count, n_q = system.size, len(system.items), len(q)
    mass = program.mass_matrix(q)
    factors, pivots = mass.copy(), np.zeros(n, dtype=np.int64)
    lu_factorise(factors, pivots)
    v, by_item = (n,), (count,)
    shapes = {
        "numbers": (16,), "q": (n_q,), "v": v, "a": v, "rate": v, "change": v, "scale_q": v,
        "scale_v": v, "tangent": (n, n), "by_q": (n, n), "by_v": (n, n), "forces": (count, n),
        "before": (count, n), "works": by_item, "lost": by_item, "given": by_item,
        "powers": (4, count), "q1": (n_q,), "q0": (n_q,), "rows": (loop.ROWS, n),
    }  # fmt: skip
    return loop.Motion(
        counts=np.zeros(loop.SWITCHES + 4, dtype=np.int64),
        angles=dofs.angles.astype(np.int64),
        mass=mass,
        mass_factors=factors,
        mass_pivots=pivots,
        pivots=np.zeros(n, dtype=np.int64),
        **{name: np.zeros(shape) for name, shape in shapes.items()},
    )


def program_stores(system: System, program: Program, state: State) -> Stored | None:
    """`stored_energies` by the program; None if it does not know all energies.

    That is seen at a random state near the given one; nearer where teeth would be out of mesh.
    """

    def stored(state: State, reports: Mapping[str, ContactReport]) -> Floats:
        t, q, v = state.t, state.q, state.v
        moving = 0.5 * float(v @ program.mass_matrix(q) @ v)
        return with_contacts(moving, *program.stored(t, q, v), moving, state, reports)

    path, v = np.random.default_rng(0).standard_normal((2, system.size))
    for near in (NEAR, 1e-3 * NEAR):
        probe = replace(state, q=system.move(state.q, near * path), v=state.v + v)
        try:
            found, expected = stored(probe, {}), stored_energies(system, probe, {})
        except SolverError:
            continue
        return stored if np.allclose(found, expected, 1e-9, 1e-9 * np.abs(expected).max()) else None
    return None
