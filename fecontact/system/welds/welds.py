"""Which bodies of a system follow others: rigid bodies that a `RigidJoint` welds to a carrier.

Such a body needs no multipliers: its six coordinates are a function of those of its carrier
(`welds.kernels`). It may carry others in turn. State, forces, energies and reports stay those of
the bodies that the system was built from; the force of a weld is what its body lacks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from fecontact.body import DOFS
from fecontact.body.lowered import frame_size, pack_marker
from fecontact.body.marker import MarkedBody, Marker
from fecontact.joint.constraint import RigidJoint
from fecontact.kernels.lowered import Packing, changed
from fecontact.system.assembly import Assembly
from fecontact.system.welds.kernels import WeldTable, follow
from fecontact.typing import Constraint, Floats

__all__ = ["Welds"]

JOINT = ("at", "held", "rows", "bias")
"""What a class of one's own may not change if it is to be a weld."""


class _Weld(NamedTuple):
    """A body that follows a marker of its carrier; None is the ground."""

    body: MarkedBody
    carrier: MarkedBody | None
    marker: Marker


@dataclass(frozen=True, eq=False)
class Welds:
    """Welds of a system.

    Attributes
    ----------
    assembly
        The system.
    table
        Its welds as kernels see them.
    names
        Welded bodies and their carriers ("ground" for none), in the order of the table.
    others
        Constraints that are no such welds.
    """

    assembly: Assembly
    table: WeldTable
    names: tuple[tuple[str, str], ...]
    others: tuple[Constraint, ...] = ()

    @staticmethod
    def of(assembly: Assembly) -> Welds | None:
        """Welds of a system; None if it has a constraint that is no weld of a rigid body.

        A system without constraints has no welds: its table is empty.
        """
        welds = Welds.partly(assembly)
        return None if welds.others else welds

    @staticmethod
    def partly(assembly: Assembly) -> Welds:
        """Welds of a system beside its other constraints."""
        found, others = _ordered(assembly)
        known: dict[str, int] = {}
        packing, rows, offsets = Packing(0.0), [], []
        free = np.ones(assembly.size, dtype=np.int64)
        for k, (body, carrier, marker) in enumerate(found):
            at = pack_marker(packing, marker)
            assert at is not None
            begin = [0, 0, 0, 0]
            if carrier is not None:
                q, v = assembly.q_slices[carrier.name], assembly.slices[carrier.name]
                begin = [q.start, q.stop - q.start, v.start, v.stop - v.start]
            own = assembly.slices[body.name]
            free[own] = 0
            carried_by = -1 if carrier is None else known.get(carrier.name, -1)
            rows.append([*begin, assembly.q_slices[body.name].start, own.start, at, carried_by])
            home = np.asarray(body.position, dtype=float)
            offsets.append(np.concatenate([home - marker.home, home]))
            known[body.name] = k
        n, widest = assembly.size, max((row[3] for row in rows), default=0)
        count = 6 * len(rows)
        table = WeldTable(
            table=np.array(rows, dtype=np.int64).reshape(-1, 8),
            numbers=packing.numbers,
            offsets=np.array(offsets).reshape(-1, 6),
            free=free,
            frame=np.zeros(frame_size(widest)),
            **{name: np.zeros((count, n)) for name in ("maps", "changes", "slopes")},
        )
        names = tuple((w.body.name, "ground" if w.carrier is None else w.carrier.name)
                      for w in found)  # fmt: skip
        return Welds(assembly, table, names, others)

    def basis(self, t: float, q: Floats) -> Floats:
        """Velocities of all dofs by those of the free ones, (n, free), at coordinates."""
        table, n = self.table, len(self.table.free)
        follow(table, t, q.copy(), np.zeros(n))
        full = np.eye(n)
        for k, row in enumerate(table.table):
            full[row[5] : row[5] + 6] = table.maps[6 * k : 6 * k + 6]
        return full[:, table.free == 1]


def _ordered(assembly: Assembly) -> tuple[list[_Weld], tuple[Constraint, ...]]:
    """Welds such that a carrier that is welded itself comes before its body, and what is left."""
    pending: list[Any] = [joint for joint in assembly.constraints if _is_weld(joint)]
    found: list[_Weld] = []
    merged: set[str] = set()
    done: set[str] = set()
    # bodies that cannot follow begin; what hangs on them follows
    fixed = {body.name for body in assembly.bodies if not _may_follow(assembly, body.name)}
    while pending:
        joint = next((j for j in pending if _settled(j, fixed | done)), None)
        if joint is None:  # rigid bodies among themselves: one of them carries the others
            fixed.add(pending[0].bodies[0].name)
            continue
        pending.remove(joint)
        a, b = joint.pair.markers
        ends = (joint.b, joint.a, a), (joint.a, joint.b, b)
        body, carrier, marker = ends[0] if _is_settled(joint.a, fixed | done) else ends[1]
        if body is None or body.name in fixed | done or not _may_carry(carrier, marker):
            fixed |= {each.name for each in joint.bodies} - done
            continue
        found.append(_Weld(body, carrier, marker))
        done.add(body.name)
        merged.add(joint.name)
    return found, tuple(c for c in assembly.constraints if c.name not in merged)


def _is_weld(joint: Any) -> bool:
    return isinstance(joint, RigidJoint) and not changed(joint, "held", JOINT)


def _is_settled(body: MarkedBody | None, names: set[str]) -> bool:
    return body is None or body.name in names


def _settled(joint: RigidJoint, names: set[str]) -> bool:
    """Whether one end of a joint is where other bodies lead it."""
    return _is_settled(joint.a, names) or _is_settled(joint.b, names)


def _may_follow(assembly: Assembly, name: str) -> bool:
    """Whether a body is a rigid one with all six dofs and no contact of its own with a history."""
    body: Any = next(body for body in assembly.bodies if body.name == name)
    if tuple(body.dofs) != DOFS or not getattr(body, "rigid", False):
        return False
    return not any(body is each for item in assembly.stateful_contacts for each in item.bodies)


def _may_carry(carrier: MarkedBody | None, marker: Marker) -> bool:
    """Whether the rotation of a marker is known and comes from coordinates."""
    if pack_marker(Packing(0.0), marker) is None:
        return False
    if carrier is None:
        return True
    turns = [name for name in carrier.dofs if name in DOFS[3:]]
    return not marker.no_angle and "spin" not in carrier.dofs and len(turns) != 2
