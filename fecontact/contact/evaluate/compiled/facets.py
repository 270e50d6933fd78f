"""Contact pairs on the facets of an elastic body, in one compiled pass over their points.

`compiled_facets(pair)` gives the compiled form of a pair, or None if it has none: the master is an
`ElasticFace`, slave and laws are those of `contact.evaluate.compiled.rigid`. Deformed nodes of the
master are formed once per evaluation, its facets taken as polynomials. What an evaluation leaves
in between is kept in arrays of the pair, so callers from several threads take turns.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.spatial import cKDTree

from fecontact.body.points.elastic_points import FloatingMotion
from fecontact.contact.evaluate.compiled.facet_tangents import facet_tangents
from fecontact.contact.evaluate.compiled.laws import point_laws
from fecontact.contact.evaluate.compiled.points import (
    CompiledPoints,
    Evaluation,
    SlaveFrame,
    Task,
    as_rows,
    made_once,
    motion_of,
    packed_points,
    seen_from,
    shared,
    slave_frame,
)
from fecontact.contact.kernels.block_laws import Laws
from fecontact.contact.kernels.blocks import FORCE_SUMS, PROJECT, RATE
from fecontact.contact.kernels.facets.blocks import (
    facet_size,
    load_bodies,
    load_size,
    move_nodes,
    pair_blocks,
)
from fecontact.contact.kernels.facets.polynomials import Face, PointsOnFacets
from fecontact.contact.kernels.facets.projection import NEIGHBOURS, Starts
from fecontact.contact.kernels.facets.search import FacetMesh
from fecontact.contact.kernels.facets.tangents import (
    GROUP,
    facet_tangent_size,
    pair_tangent_blocks,
)
from fecontact.contact.kernels.layout import BLOCK
from fecontact.contact.kernels.motion import Points
from fecontact.contact.laws.base import FrictionLaw
from fecontact.contact.master.elastic_face import ElasticFace
from fecontact.contact.master.facets import Facets
from fecontact.contact.master.search import look_up
from fecontact.contact.surface.points import Surface
from fecontact.kernels.working import working_array
from fecontact.typing import Floats, Integers, Tangents

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

NO_GRIP = np.empty((0, 4))

__all__ = ["CompiledFacets", "compiled_facets", "polynomials"]


@dataclass(frozen=True, eq=False)
class CompiledFacets(CompiledPoints):
    """A contact pair with an elastic master as the compiled kernels see it.

    `nodes` are the nodes of the master with their shapes, `on_nodes` (n, 4) the forces on them;
    `found` and `force` are projection points (without normals and gaps) and forces of the points at
    the last evaluation.
    """

    master: Callable[..., FloatingMotion]
    shapes: Floats = field(repr=False)
    nodes: Points = field(repr=False)
    face: Face = field(repr=False)
    tree: cKDTree = field(repr=False)
    starts: Starts = field(repr=False)
    sums: Floats = field(repr=False)
    on_nodes: Floats = field(repr=False)
    found: PointsOnFacets = field(repr=False)
    force: Floats = field(repr=False)
    turn: RLock = field(default_factory=RLock, repr=False)

    @staticmethod
    def of(
        points: Points,
        laws: Laws,
        no_slip: Laws,
        slave: Callable[..., SlaveFrame],
        master: Callable[..., FloatingMotion],
        face: ElasticFace,
    ) -> CompiledFacets:
        """Compiled form, with an empty cache of the search."""
        count, facets = len(points.weights), face.facets
        near, wide = np.full((2, count), -1.0)
        around = np.full((count, NEIGHBOURS), -1, dtype=np.int64)
        starts = Starts(np.zeros(3 * count), near, wide, around)
        nodes = packed_points(Surface(facets.nodes, np.ones(len(facets.nodes)), face.shapes))
        positions, rates, on_nodes = np.zeros((3, len(facets.nodes), 4))
        members = np.ascontiguousarray(facets.connectivity, dtype=np.int64)
        mesh = FacetMesh(positions, members, *facets.around, facets.boundary, facets.sharp)
        centres, angular = np.ascontiguousarray(facets.centres), bool(facets.sharp.any())
        packed = Face(mesh, rates, polynomials(facets), centres, angular)
        return CompiledFacets(
            points, laws, no_slip, slave, master, np.ascontiguousarray(face.shapes), nodes, packed,
            cKDTree(facets.centres), starts,
            np.empty((count // BLOCK, FORCE_SUMS + points.modes)), on_nodes, _no_projections(count),
            np.empty_like(points.positions),
        )  # fmt: skip

    def origin(self, q: Floats, v: Floats) -> PointsOnFacets:
        """What a step starts from: the projection points of all points."""
        none, statuses = np.empty((0, 3)), np.empty(0, dtype=np.int64)
        projected = _no_projections(len(self.points.weights))
        task = Task(PROJECT, 0.0, projected, none, statuses, none)
        with self.turn:
            self._run(task, self.slave(q, v), self.master(q, v), projected, self._shown(False))
        return projected

    def tangents(
        self, q: Floats, v: Floats, h: float, origin: PointsOnFacets, z: Floats, status: Integers
    ) -> Tangents:
        """Derivatives of the force of `step`, along an increment of the dofs and by v."""
        slave, master = self.slave(q, v), self.master(q, v)
        n, own = 6 + self.points.modes + self.shapes.shape[2], 6 + self.points.modes
        groups = -(-len(self.sums) // GROUP)
        stiff, damped = np.empty((2, groups, n, n))
        loads, turns = np.empty((groups, n)), np.empty((groups, 3, own))
        motion = motion_of(slave, _frame(slave, master))
        states = as_rows(z), status.astype(np.int64)
        size = facet_tangent_size(n, self.shapes.shape[2], self.laws)
        contact, face, _, _ = self._packed

        def part(first: int, last: int) -> bool:
            return pair_tangent_blocks(
                contact, (face, self.shapes), track, motion, (float(h), first, last), states,
                (stiff, damped, loads, turns), working_array(size),
            )  # fmt: skip

        with self.turn:  # the face stays as the search for the projection points has moved it
            track = tuple(origin), tuple(self.origin(q, v))
            shared(part, groups, self.points.size)
        total, turn = stiff.sum(axis=0), turns.sum(axis=0)
        total[3:6, :own] += turn
        total[6:own, 3:6] += turn[:, 6:].T
        return facet_tangents(total, damped.sum(axis=0), loads.sum(axis=0), slave, master)

    def _no_origin(self) -> PointsOnFacets:
        return self._nowhere

    def _evaluate(self, task: Task, q: Floats, v: Floats, shows: bool) -> Evaluation:
        slave, master, shown = self.slave(q, v), self.master(q, v), self._shown(shows)
        total, load = np.empty(self.sums.shape[1]), np.empty(6 + self.points.modes)
        other = np.empty(6 + self.nodes.modes)
        _, face, _, nodes = self._packed
        forces = self.points.size, self.force, self.on_nodes
        size = load_size(self.nodes, self.face)
        with self.turn:
            self._run(task, slave, master, self.found, shown)
            load_bodies(
                nodes, face, tuple(self.found), forces, master.rotation, self.sums,
                (total, load, other), working_array(size),
            )  # fmt: skip
        pull = np.concatenate([slave.generalised(load), other[master.kept]])
        lost = float(total[10] + total[11]) if task.kind == RATE else 0.0
        history, frame = (task.z, task.status, task.slip_totals), (master.rotation, master.origin)
        return Evaluation(pull, *history, float(total[9]), lost, shown, *frame)

    def _run(
        self,
        task: Task,
        slave: SlaveFrame,
        master: FloatingMotion,
        new: PointsOnFacets,
        shown: Floats,
    ) -> None:
        """Run the kernel over all blocks, which leaves the forces of the points in `force`."""
        contact, face, starts, nodes = self._packed
        motion, size = motion_of(slave, _frame(slave, master)), facet_size(self.face, self.laws)
        search, states = (starts, (tuple(task.origin), tuple(new))), (task.z, task.status)
        results = task.slip_totals, self.force, self.sums, shown, NO_GRIP
        move_nodes(
            nodes, np.ascontiguousarray(master.elastic), np.ascontiguousarray(master.rate),
            self.face.mesh.nodes, self.face.rates, working_array(size),
        )  # fmt: skip

        def part(first: int, last: int) -> bool:
            job = task.kind, task.h, blocks[first:last]
            return pair_blocks(
                contact, face, search, motion, job, states, results, working_array(size)
            )

        blocks = np.arange(len(self.sums))
        while not shared(part, len(blocks), self.points.size):
            blocks = -1 - blocks[blocks < 0]
            look_up(self.tree, self.starts, BLOCK)

    @cached_property
    def _nowhere(self) -> PointsOnFacets:
        """No projections; the gaps before are not used, but read."""
        return _no_projections(0)._replace(gap=self.points.gap)

    @cached_property
    def _packed(self) -> tuple[tuple[Any, ...], ...]:
        """Points with laws, facets, cache of the search, and nodes, as plain tuples."""
        contact, mesh = (tuple(self.points), tuple(self.laws)), tuple(self.face.mesh)
        return contact, (mesh, *self.face[1:]), tuple(self.starts), tuple(self.nodes)


def _frame(slave: SlaveFrame, master: FloatingMotion) -> Floats:
    """Slave's frame as seen from the master's (24,), for the kernels."""
    return seen_from(slave, master.rotation, master.origin, master.velocity, master.omega)


def _no_projections(count: int) -> PointsOnFacets:
    """Arrays for the projection points of points."""
    facet, state = np.empty((2, count), dtype=np.int64)
    return PointsOnFacets(facet, state, np.empty(2 * count), np.empty(3 * count), np.empty(count))


def polynomials(facets: Facets) -> Floats:
    """Coefficients (k, 9) of xi^a eta^b, at 3 a + b, of the shape functions of facets.

    All of them are multiples of 1/4.
    """
    grid = np.array([-1.0, 0.0, 1.0])
    xi, eta = (part.ravel() for part in np.meshgrid(grid, grid, indexing="ij"))
    powers = np.stack([xi**a * eta**b for a in range(3) for b in range(3)], axis=1)
    values = facets.sample(np.column_stack([xi, eta]))[:, 0]
    return np.ascontiguousarray(np.round(4.0 * np.linalg.solve(powers, values)).T / 4.0)


@made_once
def compiled_facets(pair: ContactPair) -> CompiledFacets | None:
    """Return the compiled form of a pair, or None if it is not of a known family."""
    face = pair.master
    if pair.transports_material:
        return None
    if type(face) is not ElasticFace or not isinstance(pair.friction, FrictionLaw):
        return None
    friction = pair.friction, pair.friction.no_slip()
    laws, no_slip = (point_laws(pair.normal, law) for law in friction)
    slave = slave_frame(pair)
    if laws is None or no_slip is None or slave is None:
        return None
    n_q, n = len(pair.slave.reference()), len(pair.slave.dofs)

    def master(q: Floats, v: Floats, t: float = 0.0) -> FloatingMotion:
        return face.body.frame_motion(q[n_q:], v[n:], t)

    return CompiledFacets.of(packed_points(pair.surface), laws, no_slip, slave, master, face)
