"""A system as the compiled loop of Moreau's method sees it: numbers, indices and addresses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from fecontact.body.base import as_body
from fecontact.body.motion import FrameParts
from fecontact.contact.evaluate.compiled.laws import packed_surface
from fecontact.contact.kernels.layout import BLOCK
from fecontact.contact.kernels.layout import GAP as DISTANCE
from fecontact.contact.laws.base.blocks import address
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.rigid.contact import RigidContact
from fecontact.errors import InputError, SolverError
from fecontact.integrate.audit import EnergyAudit
from fecontact.integrate.moreau.kernels import rows, smooth
from fecontact.integrate.moreau.kernels.blocks import Blocks, unknown_inverse
from fecontact.integrate.moreau.kernels.rows import Contacts
from fecontact.integrate.moreau.kernels.smooth import Smooth
from fecontact.solvers.contact_graph.friction import CONSTANT
from fecontact.system import State, System
from fecontact.system.dofs import Dofs
from fecontact.system.program.kernels import ADDRESS, DOFS, ITEM, V_INDICES, moved
from fecontact.typing import Body, Floats, Integers, Item, supports

__all__ = [
    "PackedContacts",
    "coupled_blocks",
    "packed_contacts",
    "packed_moves",
    "packed_smooth",
    "refused",
]

SIZES = (1e-6, 1e-3, 1.0, 1e3)
"""Sizes of the motions, in m, rad, m/s and rad/s, at which couplings are looked for."""
SURFACE_NUMBERS = 5
NOTHING: Floats = np.zeros(0)


def refused(name: str, why: str) -> InputError:
    """What is said of a system that the compiled loop does not know."""
    return InputError(
        f"invalid backend = compiled: '{name}' {why}; expected 'auto' or 'general' for this system"
    )


def packed_moves(system: System) -> tuple[Integers, Integers]:
    """How coordinates move along dofs; an `InputError` names a body that has its own way."""
    moves, rest = Dofs(system).moves, system.rest().q
    step = np.random.default_rng(0).standard_normal(system.size)
    probe = np.empty_like(rest)
    moved(rest, step, *moves, probe)
    known = np.isclose(probe, system.move(rest, step), rtol=0.0, atol=1e-12)
    for body in system.bodies:
        if not known[system.q_slices[body.name]].all():
            raise refused(body.name, "moves its coordinates in a way of its own")
    return moves


def coupled_blocks(system: System) -> Blocks:
    """Dofs that masses and tangents of forces couple, at random motions of several sizes.

    An item written in Python couples all its dofs. A coupling that shows up later, such as that of
    a stop, is none of these blocks; steps with it are left to the general backend.
    """
    pattern = np.eye(system.size, dtype=bool)
    probes = _probes(system)
    for item in system.items:
        if item.name not in system.history_layout.names:
            own = np.arange(system.size)[system.dof_indices(item.name)]
            pattern[np.ix_(own, own)] |= _coupled(system, item, probes)
    for low, body in zip(system.program.lowered, system.bodies, strict=False):
        part = system.slices[body.name]
        pattern[part, part] |= True if low.mass is None else low.mass != 0.0
    labels = connected_components(csr_array(pattern), directed=False)[1]
    return Blocks.of(labels.astype(np.int64))


def _probes(system: System) -> list[State]:
    """States at random motions from the reference position."""
    rng, rest, probes = np.random.default_rng(0), system.rest().q, []
    for size in 2 * SIZES:
        step, v = size * rng.standard_normal((2, system.size))
        probes.append(State(0.0, system.move(rest, step), v))
    return probes


def _coupled(system: System, item: Item, probes: list[State]) -> Any:
    """Which of its dofs the tangents of an item couple: a matrix, or True for all."""
    if item.name in system.program.in_python:
        return True
    found: Any = False
    for probe in probes:
        try:
            with np.errstate(all="ignore"):
                by_q, by_v = item.tangents(probe.t, *system.local(item, probe))
        except (InputError, SolverError):
            continue
        coupled = ((by_q != 0.0) | (by_v != 0.0)).astype(float)
        found = found | (system.fold(item.name, coupled, 0, 1) != 0.0)
    return found


def packed_smooth(system: System, audit: EnergyAudit, blocks: Blocks) -> Smooth:
    """All items that are no rigid contacts, and the sums of the audit."""
    program, items, n = system.program, len(system.items), blocks.largest
    table, indices = program.table.copy(), program.indices
    place, dofs, first = np.zeros_like(indices), [], [0]
    for i, item in enumerate(system.items):
        own = np.arange(system.size)[system.dof_indices(item.name)]
        if item.name in system.history_layout.names:
            table[table[:, ITEM] == i, ADDRESS], own = 0, own[:0]
        at = np.zeros(system.size, dtype=np.int64)
        at[own] = first[-1] + np.arange(len(own))
        for row in table[table[:, ITEM] == i]:
            part = slice(row[V_INDICES], row[V_INDICES] + row[DOFS])
            place[part] = at[indices[part]]
        dofs += own.tolist()
        first.append(first[-1] + len(own))
    moving = [i for i in range(len(system.bodies)) if program.lowered[i].mass is None]
    shapes = {
        "works": (items + 1,), "lost": (items,), "given": (items + 1,), "force": (first[-1],),
        "new_force": (first[-1],), "power": (items, 2), "new_power": (items, 2),
        "stored": (len(table),), "shift": (items,), "left": (n, n),
    }  # fmt: skip
    return Smooth(
        table=table, indices=indices, work=program.work.copy(), moving=_whole(moving),
        time_dependent=_time_dependent(system, audit), role=_roles(system, audit),
        first=_whole(first), dof=_whole(dofs), place=place,
        block_first=blocks.first, block_dofs=blocks.dofs,
        block_of=blocks.block, block_place=blocks.place, block_start=blocks.start,
        constant_mass=_constant_mass(system, blocks), mass=unknown_inverse(blocks),
        step=unknown_inverse(blocks), **{name: np.zeros(shape) for name, shape in shapes.items()},
    )  # fmt: skip


def _roles(system: System, audit: EnergyAudit) -> Integers:
    """How the items are balanced."""
    roles = np.where(audit.loads, smooth.LOAD, 0).astype(np.int64)
    roles[audit.carried] |= smooth.CARRIED
    roles[audit.spun] |= smooth.SPUN
    roles[[i for i, _ in system.dissipating]] |= smooth.DISSIPATES
    return roles


def _time_dependent(system: System, audit: EnergyAudit) -> Integers:
    """Rows of potentials that may change with time."""
    program, bodies = system.program, len(system.bodies)
    rows_of_items = zip(program.table[:, ITEM].tolist(), program.lowered, strict=True)
    return _whole([
        k for k, (i, low) in enumerate(rows_of_items)
        if i >= bodies and low.time_dependent and supports(system.items[i], "energy")
        and system.items[i].name not in system.history_layout.names and i not in audit.spun
    ])  # fmt: skip


def _constant_mass(system: System, blocks: Blocks) -> Floats:
    """Masses that do not depend on q, by blocks."""
    mass = np.zeros(int(blocks.start[-1]))
    for low, body in zip(system.program.lowered, system.bodies, strict=False):
        if low.mass is None:
            continue
        first = system.slices[body.name].start
        row, column = np.nonzero(low.mass)
        b = blocks.block[first + row]
        at = blocks.start[b] + np.diff(blocks.first)[b] * blocks.place[first + row]
        mass[at + blocks.place[first + column]] = low.mass[row, column]
    return mass


@dataclass
class _Frames:
    """Frames of bodies and of the ground, collected."""

    system: System
    indices: dict[str, int] = field(default_factory=dict)
    parts: list[tuple[FrameParts, str]] = field(default_factory=list)

    @cached_property
    def coordinates(self) -> dict[int, int]:
        """Coordinates of all dofs that have one of their own."""
        return dict(Dofs(self.system).moves[0].tolist())

    def add(self, body: Body | None, parts: FrameParts) -> int:
        """Index of a frame; all faces of a body have the same."""
        name = "" if body is None else body.name
        if name and name in self.indices:
            return self.indices[name]
        self.indices[name] = len(self.parts)
        self.parts.append((parts, name))
        return len(self.parts) - 1

    def columns(self, index: int) -> Integers:
        """Dofs of the body that move a frame."""
        parts = self.parts[index][0]
        moves = parts.shift.any(axis=0) | parts.axes.any(axis=0) | (parts.spin != 0.0)
        return np.flatnonzero(moves)

    def packed(self) -> dict[str, Any]:
        """Arrays of `Contacts` by name."""
        f = len(self.parts)
        origin, axis, position = np.zeros((3, f, 3))
        turn, spin = np.zeros((f, 2), dtype=np.int64), np.zeros(f)
        first, dofs, places, maps = [0], [], [], [np.zeros((0, 6))]
        for i, (parts, name) in enumerate(self.parts):
            q, v = 0, 0
            if name:
                q, v = self.system.q_slices[name].start, self.system.slices[name].start
            own = self.columns(i).tolist()
            origin[i], spin[i] = parts.origin, parts.spin_rate
            turn[i] = parts.turn, q + parts.place
            if parts.turn == 1:
                axis[i] = parts.axes.sum(axis=1)  # one column is not zero
            material = parts.axes.copy()
            material[2] += parts.spin
            first.append(first[-1] + len(own))
            dofs += [v + dof for dof in own]
            places += [self.coordinates.get(v + dof, -1) for dof in own]
            maps.append(np.vstack([parts.shift, material])[:, own].T)
        rotation = np.tile(np.eye(3).ravel(), (f, 1))
        return {
            "origin": origin, "axis": axis, "turn": turn, "column": _whole(first),
            "dof": _whole(dofs), "coordinate": _whole(places), "maps": np.vstack(maps),
            "spin": spin, "position": position, "rotation": rotation,
        }  # fmt: skip


class PackedContacts(NamedTuple):
    """Rigid contacts as the kernels take them.

    Attributes
    ----------
    contacts
        Their arrays.
    dofs
        Lists of dofs of the contacts.
    parameters
        Numbers of their friction laws.
    """

    contacts: Contacts
    dofs: Integers
    parameters: Floats


def packed_contacts(
    system: System, contacts: Sequence[RigidContact], blocks: Blocks
) -> PackedContacts:
    """All contacts of a system; an `InputError` names one that cannot be compiled."""
    for contact in contacts:
        if contact.not_compiled is not None:
            raise refused(contact.name, f"has no compiled rows ({contact.not_compiled})")
    return _Packing(system, contacts, blocks).packed()


class _Packing:
    """Contacts of a system, packed one after the other."""

    def __init__(self, system: System, contacts: Sequence[RigidContact], blocks: Blocks) -> None:
        self.system, self.contacts, self.blocks = system, contacts, blocks
        self.frames = _Frames(system)
        self.table = np.zeros((len(contacts), rows.COLUMNS), dtype=np.int64)
        self.dofs: list[int] = []
        self.spots: list[int] = []
        self.chosen: list[int] = []
        self.parameters: list[float] = []
        self.gather: list[Floats] = [NOTHING]
        self.shapes: list[Floats] = [NOTHING]

    def packed(self) -> PackedContacts:
        """All of them."""
        contacts, c = self.contacts, len(self.contacts)
        marker, axes, shape = np.zeros((c, 3)), np.zeros((c, 9)), np.zeros((c, SURFACE_NUMBERS))
        p = m = 0
        for k, contact in enumerate(contacts):
            count = contact.points if contact.averages is None else len(contact.averages)
            marker[k], axes[k], own = self._row(k, contact, p, m, count)
            shape[k, : len(own)] = own
            p, m = p + contact.points, m + count
        means = _Means.of(contacts)
        constants = [[each.constant or 0.0, each.restitution] for each in contacts]
        gaps = [np.broadcast_to(each.surface.gap, each.points) for each in contacts]
        points = np.vstack([np.zeros((0, 3)), *(each.surface.points for each in contacts)])
        conditions = self.table[:, rows.LAST_CONDITION] - self.table[:, rows.FIRST_CONDITION]
        shapes = {
            "local": (p, 3), "normal": (p, 3), "gap": (p,), "axes": (p, 3, 3), "mean_gap": (m,),
            "drift": (m, 3), "block_work": (DISTANCE + BLOCK,), "z": (p, 3), "slip_totals": (p, 2),
            "total": (m, 3), "ending": (m, 3), "friction": (m,), "slip": (m, 2), "work": (c, 3),
        }  # fmt: skip
        packed = Contacts(
            table=self.table, numbers=np.array(constants, dtype=float).reshape(c, 2),
            marker=marker, face=axes, surface=shape, points=points,
            initial_gap=np.concatenate([NOTHING, *gaps]), shapes=np.concatenate(self.shapes),
            mean=means.first, member=means.point, weight=means.weight,
            contact=np.repeat(np.arange(c), conditions), seat=means.seat,
            area=np.concatenate([NOTHING, *(each.areas for each in contacts)]), owner=means.owner,
            gather=np.concatenate(self.gather), spots=_whole(self.spots),
            blocks=_whole(self.chosen), closed=_whole([0] * m), status=_whole([0] * p),
            statuses=_whole([0] * m), **self.frames.packed(),
            **{name: np.zeros(each) for name, each in shapes.items()},
        )  # fmt: skip
        return PackedContacts(packed, _whole(self.dofs), np.array(self.parameters))

    def _row(
        self, k: int, contact: RigidContact, points: int, conditions: int, count: int
    ) -> tuple[Floats, Floats, Floats]:
        """Fill the row of a contact; returns marker, axes and numbers of its surface."""
        row, face, slave = self.table[k], contact.master, as_body(contact.slave)
        assert isinstance(face, RigidFace)
        parts, other = slave.frame_parts(), face.marker.frame_parts()
        surface = packed_surface(face)
        assert parts is not None
        assert other is not None
        assert surface is not None
        row[rows.SLAVE] = self.frames.add(contact.slave, parts)
        row[rows.MASTER] = self.frames.add(face.body, other)
        row[rows.FIRST_POINT], row[rows.LAST_POINT] = points, points + contact.points
        row[rows.FIRST_CONDITION], row[rows.LAST_CONDITION] = conditions, conditions + count
        row[rows.SHAPE], row[rows.SLIDES] = surface[0], contact.slides
        row[rows.ITEM] = self.system.item_indices[contact.name]
        row[rows.GATHERING] = rows.NO_AVERAGES
        if contact.averages is not None:
            row[rows.GATHERING] = sum(map(len, self.gather))
            forces = np.linalg.pinv(np.asarray(contact.averages, dtype=float).T)
            self.gather.append(forces.ravel().astype(float))
        self._shapes(row, contact)
        self._dofs(row, contact)
        self._law(row, contact)
        return other.point, other.frame.ravel(), surface[1]

    def _shapes(self, row: Integers, contact: RigidContact) -> None:
        """Elastic shapes of the points; their coordinates are the last of the slave."""
        shapes, q = contact.surface.shapes, self.system.q_slices[contact.slave.name]
        row[rows.FIRST_SHAPE] = sum(map(len, self.shapes))
        if shapes is not None and shapes.shape[2]:
            row[rows.MODES], row[rows.ELASTIC] = shapes.shape[2], q.stop - shapes.shape[2]
            self.shapes.append(np.ascontiguousarray(shapes).ravel())

    def _dofs(self, row: Integers, contact: RigidContact) -> None:
        """Dofs of all blocks that a contact moves, and where its columns are among them."""
        blocks, system = self.blocks, self.system
        names = [contact.slave.name, *(body.name for body in contact.master.bodies)]
        starts = [system.slices[name].start for name in names] + [0]
        last = system.slices[names[0]].stop
        own = [
            starts[0] + self.frames.columns(int(row[rows.SLAVE])),
            starts[1] + self.frames.columns(int(row[rows.MASTER])),
            np.arange(last - row[rows.MODES], last),
        ]
        chosen = np.unique(blocks.block[np.concatenate(own)]).tolist()
        dofs = [
            dof for b in chosen
            for dof in blocks.dofs[blocks.first[b] : blocks.first[b + 1]].tolist()
        ]  # fmt: skip
        where = {dof: place for place, dof in enumerate(dofs)}
        row[rows.DOFS], row[rows.SIZE] = len(self.dofs), len(dofs)
        row[rows.FIRST_BLOCK], row[rows.BLOCK_COUNT] = len(self.chosen), len(chosen)
        self.dofs += dofs
        self.chosen += chosen
        columns = rows.SLAVE_SPOTS, rows.MASTER_SPOTS, rows.ELASTIC_SPOTS
        for column, part in zip(columns, own, strict=True):
            row[column] = len(self.spots)
            self.spots += [where[dof] for dof in part.tolist()]

    def _law(self, row: Integers, contact: RigidContact) -> None:
        """Friction law, unless the coefficient is constant."""
        row[rows.LAW], row[rows.PARAMETERS] = CONSTANT, len(self.parameters)
        if contact.constant is None:
            law = contact.coefficient
            assert law.point is not None
            row[rows.LAW] = address("coefficient_of_one", law.point, 0, 0)
            self.parameters += np.asarray(law.parameters, dtype=float).tolist()


@dataclass(frozen=True)
class _Means:
    """Conditions as weighted means over points, see `rows`."""

    first: Integers
    point: Integers
    weight: Floats
    seat: Integers
    owner: Integers

    @staticmethod
    def of(contacts: Sequence[RigidContact]) -> _Means:
        """Conditions of all contacts; without averages one for each point."""
        counts: list[int] = []
        point: list[int] = []
        seat: list[int] = []
        owner: list[int] = []
        weight: list[float] = []
        points = 0
        for contact in contacts:
            row = column = most = np.arange(contact.points)
            weights = np.ones(contact.points)
            if contact.averages is not None:
                h = np.asarray(contact.averages, dtype=float)
                row, column = np.nonzero(h)
                weights, most = h[row, column], np.argmax(h, axis=1)
            owner += (len(counts) + contact.owner).tolist()
            seat += (points + most).tolist()
            point += (points + column).tolist()
            weight += weights.tolist()
            counts += np.bincount(row).tolist()
            points += contact.points
        return _Means(
            _whole([0, *np.cumsum(counts)]), _whole(point), np.array(weight), _whole(seat),
            _whole(owner),
        )  # fmt: skip


def _whole(values: Sequence[Any]) -> Integers:
    return np.array(values, dtype=np.int64)
