"""Contact pairs on a rigid surface, in one compiled pass over their points.

`compiled_rigid(pair)` gives the compiled form of a pair, or None if its master, its laws or its
slave are not of those below; the pair is then evaluated in numpy, with the same results.

    slave     rigid bodies; elastic bodies in a free, fixed or prescribed frame
    master    `RigidFace` with Plane, Ring, Sphere, Cylinder, Cone, Torus on the ground or on any
              body; bristles on one that spins without a coordinate stand on the slave
    laws      all that give the functions of a point (`contact.laws.point`)

A pair has one working space: callers from several threads take turns.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, Any

import numpy as np

from fecontact.body.motion import MarkerMotion
from fecontact.contact.evaluate.compiled.laws import packed_laws
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
from fecontact.contact.evaluate.compiled.rigid_tangents import rigid_tangents
from fecontact.contact.kernels.blocks import FORCE_SUMS, PROJECT, RATE, loaded, pair_blocks
from fecontact.contact.kernels.layout import BLOCK
from fecontact.contact.kernels.motion import StepStart
from fecontact.contact.kernels.tangents import (
    EXTRA,
    GROUP,
    pair_tangent_blocks,
    tangent_size,
)
from fecontact.contact.laws.base import FrictionLaw
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.kernels.working import working_array
from fecontact.typing import Floats, Integers, Tangents

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = ["CompiledRigid", "compiled_rigid", "frame_of"]

NO_GRIP = np.empty((0, 4))


@dataclass(frozen=True, eq=False)
class CompiledRigid(CompiledPoints):
    """A contact pair on a rigid surface as the compiled kernels see it."""

    master: Callable[..., MarkerMotion]
    sums: Floats = field(repr=False)
    turn: RLock = field(default_factory=RLock, repr=False)

    def origin(self, q: Floats, v: Floats) -> StepStart | None:
        """What a step starts from; None if a point lies where the surface has no normal."""
        positions, gap = self.points.positions, self.points.gap
        # lanes behind the points are not written, but kept with the others
        found = StepStart(np.zeros_like(positions), np.zeros_like(positions), np.zeros_like(gap))
        none, statuses = np.empty((0, 3)), np.empty(0, dtype=np.int64)
        task = Task(PROJECT, 0.0, found, none, statuses, none)
        with self.turn:
            good = self._run(task, self.slave(q, v), self.master(q, v), self._shown(False))
        return found if good else None

    def tangents(
        self, q: Floats, v: Floats, h: float, origin: StepStart, z: Floats, status: Integers
    ) -> Tangents:
        """Derivatives of the force of `step`, along an increment of the dofs and by v."""
        slave, master = self.slave(q, v), self.master(q, v)
        frame, n = frame_of(slave, master), 6 + self.points.modes
        groups = -(-len(self.sums) // GROUP)
        sums = np.empty((groups, n, 2 * n + EXTRA))
        h, z, status = float(h), as_rows(z), status.astype(np.int64)
        motion, packed, size = motion_of(slave, frame), self.packed, self._tangent_size
        start, states = tuple(origin), (z, status)

        def part(first: int, last: int) -> bool:
            return pair_tangent_blocks(
                packed, motion, h, start, states, (first, last), sums, working_array(size)
            )

        shared(part, groups, self.points.size)
        return rigid_tangents(sums.sum(axis=0), slave, master)

    def loads(self, slave: SlaveFrame, master: MarkerMotion) -> tuple[Floats, Floats]:
        """Generalised force (N,) of the forces that a kernel left in `sums`, and their sum."""
        total, load = np.empty(self.sums.shape[1]), np.empty(6 + self.points.modes)
        loaded(self.sums, master.rotation, total, load)
        pull = slave.generalised(load)
        if master.interpolation.shape[1]:
            other = master.jacobian.T @ load[:3] + master.material_angular_jacobian.T @ total[3:6]
            pull = np.concatenate([pull, -other])
        return pull, total

    def _no_origin(self) -> StepStart:
        none = np.empty(0)
        return StepStart(none, none, self.points.gap)

    def _evaluate(self, task: Task, q: Floats, v: Floats, shows: bool) -> Evaluation | None:
        slave, master, shown = self.slave(q, v), self.master(q, v), self._shown(shows)
        with self.turn:
            if not self._run(task, slave, master, shown):
                return None
            pull, total = self.loads(slave, master)
        lost = float(total[10] + total[11]) if task.kind == RATE else 0.0
        history, frame = (task.z, task.status, task.slip_totals), (master.rotation, master.position)
        return Evaluation(pull, *history, float(total[9]), lost, shown, *frame)

    def _run(self, task: Task, slave: SlaveFrame, master: MarkerMotion, shown: Floats) -> bool:
        """Run the kernel over all blocks; False if a point lies where there is no normal."""
        motion, packed = motion_of(slave, frame_of(slave, master)), self.packed
        start, states, size = tuple(task.origin), (task.z, task.status), self.laws.working_size
        results = task.slip_totals, NO_GRIP, self.sums, shown

        def part(first: int, last: int) -> bool:
            job = task.kind, task.h, first, last
            return pair_blocks(packed, motion, job, start, states, results, working_array(size))

        return shared(part, len(self.sums), self.points.size)

    @cached_property
    def packed(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Points and laws as plain tuples."""
        return tuple(self.points), tuple(self.laws)

    @cached_property
    def _tangent_size(self) -> int:
        return tangent_size(self.points, self.laws)


def frame_of(slave: SlaveFrame, master: MarkerMotion) -> Floats:
    """Slave's frame as seen from that of the master's material (24,), for the kernels."""
    omega = master.omega + master.spin
    return seen_from(slave, master.rotation, master.position, master.velocity, omega)


@made_once
def compiled_rigid(pair: ContactPair) -> CompiledRigid | None:
    """Return the compiled form of a pair for time steps, or None."""
    if not isinstance(pair.friction, FrictionLaw) or not isinstance(pair.master, RigidFace):
        return None
    if pair.transports_material and (pair.transport.rings is not None or _turns(pair)):
        return None
    laws, no_slip = (
        packed_laws(pair.master, pair.normal, law, pair.transports_material)
        for law in (pair.friction, pair.friction.no_slip())
    )
    slave = slave_frame(pair)
    if laws is None or no_slip is None or slave is None:
        return None
    points = packed_points(pair.surface)
    n_q, n = len(pair.slave.reference()), len(pair.slave.dofs)
    marker = pair.master.marker
    sums = np.empty((len(points.weights) // BLOCK, FORCE_SUMS + points.modes))

    def master(q: Floats, v: Floats, t: float = 0.0) -> MarkerMotion:
        return marker.at(q[n_q:], v[n:], t)

    return CompiledRigid(points, laws, no_slip, slave, master, sums)


def _turns(pair: ContactPair) -> bool:
    """Whether an initial gap turns past the points (`EulerianPair`)."""
    return pair.time_dependent and not pair.in_prescribed_frame
