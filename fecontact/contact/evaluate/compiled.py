"""Fast evaluation of contact pairs: points on a rigid surface, in one compiled pass.

`compiled_pair(pair)` gives the compiled form of a pair, or None if its master, its laws or its
slave are not of those below; the pair is then evaluated in numpy, with the same results.

    slave     rigid bodies; elastic bodies in a free, fixed or prescribed frame
    master    `RigidFace` with Plane, Ring, Sphere, Cylinder, Cone, Torus on the ground or on any
              body; bristles on one that spins without a coordinate stand on the slave
    laws      all that give the functions of a point (`contact.laws.point`)

The shapes of the points are copied once, block by block. With more than one thread (environment
variable FECONTACT_THREADS, by default 1) large surfaces are shared between them; the results are
the same to the last bit. A pair has one working space: callers from several threads take turns.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from weakref import WeakKeyDictionary

import numpy as np

from fecontact.body.base import as_body
from fecontact.body.elastic_points import FloatingMotion
from fecontact.body.motion import MarkerMotion, RigidFrame
from fecontact.contact.evaluate.compiled_laws import packed_laws
from fecontact.contact.evaluate.compiled_tangents import pair_tangents
from fecontact.contact.history import ContactHistory
from fecontact.contact.kernels.block_laws import Laws
from fecontact.contact.kernels.blocks import FORCE_SUMS, PROJECT, RATE, STEP, loaded, pair_blocks
from fecontact.contact.kernels.layout import BLOCK, SHOWN
from fecontact.contact.kernels.motion import Points, relative_frame
from fecontact.contact.kernels.tangents import (
    EXTRA,
    GROUP,
    pair_tangent_blocks,
    tangent_size,
)
from fecontact.contact.laws.base import FrictionLaw
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.surface.points import Surface
from fecontact.errors import InputError
from fecontact.kernels.working import working_array
from fecontact.typing import Floats, Integers, Tangents

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = [
    "CompiledPair",
    "CompiledPoints",
    "Evaluation",
    "SlaveFrame",
    "as_rows",
    "compiled_pair",
    "packed_points",
    "shared",
    "slave_frame",
]

NO_GRIP = np.empty((0, 4))
THREADED_FROM = 20_000
"""Number of points from which threads pay."""


class Evaluation(NamedTuple):
    """Generalised force (N,), and what the task of the kernel leaves for each point.

    `power` is that of the forces on the relative velocity, `lost` that of all dampers in the
    continuous law and 0 in a step, both in W. `shown` (blocks, SHOWN) is what the points do, in
    the frame of the master with `rotation` and `origin`; it has no columns unless asked for.
    """

    force: Floats
    z: Floats
    status: Integers
    slip_totals: Floats
    power: float
    lost: float
    shown: Floats
    rotation: Floats
    origin: Floats


class ProjectionPoints(NamedTuple):
    """Points, and normals at their projections, in the frame of the master, and the gaps.

    (blocks * 3 * BLOCK,) as `Points.places`, gaps (blocks * BLOCK,).
    """

    anchor: Floats
    normal: Floats
    gap: Floats


SlaveFrame = RigidFrame | FloatingMotion
"""Motion of the frame of a slave, its elastic coordinates, and its generalised forces."""


@dataclass(frozen=True, eq=False)
class CompiledPoints:
    """Points and laws of a contact pair as the compiled kernels see them.

    The frames of slave and master are functions of q, v and time.
    """

    points: Points
    laws: Laws
    no_slip_laws: Laws
    slave: Callable[..., SlaveFrame]
    master: Callable[..., Any]

    def at(self, t: float) -> Self:
        """The pair at a time, for prescribed frames."""
        return replace(self, slave=partial(self.slave, t=t), master=partial(self.master, t=t))

    def no_slip(self) -> Self:
        """The pair with bristles that never yield."""
        return replace(self, laws=self.no_slip_laws)


@dataclass(frozen=True, eq=False)
class CompiledPair(CompiledPoints):
    """A contact pair on a rigid surface as the compiled kernels see it."""

    master: Callable[..., MarkerMotion]
    sums: Floats = field(repr=False)
    turn: RLock = field(default_factory=RLock, repr=False)

    def projection_points(self, q: Floats, v: Floats) -> ProjectionPoints | None:
        """Projection points of all points; None if a point lies where the surface has no normal."""
        positions, gap = self.points.positions, self.points.gap
        projected = ProjectionPoints(
            np.empty_like(positions), np.empty_like(positions), np.empty_like(gap)
        )
        none, statuses = np.empty((0, 3)), np.empty(0, dtype=np.int64)
        found = self._run(PROJECT, 0.0, q, v, projected, none, statuses, none)
        return None if found is None else projected

    def step(
        self,
        q: Floats,
        v: Floats,
        h: float,
        projected: ProjectionPoints,
        old: ContactHistory,
        shows: bool = False,
    ) -> Evaluation | None:
        """Contact at the end of a step from an old history, which stays as it is.

        None if a point lies where the surface has no normal. With `shows`, what the points do.
        """
        statuses, slip_totals = old.status.astype(np.int64), as_rows(old.slip_totals)
        return self._run(
            STEP, float(h), q, v, projected, as_rows(old.z), statuses, slip_totals, shows
        )

    def rate(
        self, q: Floats, v: Floats, now: ContactHistory, shows: bool = False
    ) -> Evaluation | None:
        """Continuous law: z is the rate of z, slip_totals the slip power and speed."""
        none = np.empty(0)
        slip_totals = np.empty((self.points.size, 2))
        projected, statuses = (
            ProjectionPoints(none, none, self.points.gap),
            now.status.astype(np.int64),
        )
        return self._run(RATE, 0.0, q, v, projected, as_rows(now.z), statuses, slip_totals, shows)

    def _run(
        self, task: int, h: float, q: Floats, v: Floats, projected: ProjectionPoints,
        z: Floats, status: Integers, slip_totals: Floats, shows: bool = False,
    ) -> Evaluation | None:  # fmt: skip
        slave, master = self.slave(q, v), self.master(q, v)
        frame, blocks, packed = frame_of(slave, master), len(self.sums), self.packed
        size = self.laws.working_size
        shown = np.empty((blocks, SHOWN if shows else 0))

        def part(first: int, last: int) -> bool:
            return pair_blocks(
                *packed, slave.elastic, slave.rate, frame,
                task, h, *projected, z, status, slip_totals, NO_GRIP, self.sums, shown, first, last,
                working_array(size),
            )  # fmt: skip

        total, load = np.empty(self.sums.shape[1]), np.empty(6 + self.points.modes)
        with self.turn:
            if not shared(part, blocks, self.points.size):
                return None
            loaded(self.sums, master.rotation, total, load)
        pull = slave.generalised(load)
        if master.interpolation.shape[1]:
            other = master.jacobian.T @ load[:3] + master.material_angular_jacobian.T @ total[3:6]
            pull = np.concatenate([pull, -other])
        lost = float(total[10] + total[11]) if task == RATE else 0.0
        frames = master.rotation, master.position
        return Evaluation(pull, z, status, slip_totals, float(total[9]), lost, shown, *frames)

    @cached_property
    def packed(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Points and laws as plain tuples."""
        return tuple(self.points), tuple(self.laws)

    @cached_property
    def _tangent_size(self) -> int:
        return tangent_size(self.points, self.laws)

    def tangents(
        self,
        q: Floats,
        v: Floats,
        h: float,
        projected: ProjectionPoints,
        z: Floats,
        status: Integers,
    ) -> Tangents:
        """Derivatives of the force of `step`, along an increment of the dofs and by v."""
        slave, master = self.slave(q, v), self.master(q, v)
        frame, n = frame_of(slave, master), 6 + self.points.modes
        spin = slave.rotation.T @ (master.rotation @ (master.omega + master.spin))
        groups = -(-len(self.sums) // GROUP)
        sums = np.empty((groups, n, 2 * n + EXTRA))
        h, z, status = float(h), as_rows(z), status.astype(np.int64)
        relative, packed, size = slave.omega - spin, self.packed, self._tangent_size

        def part(first: int, last: int) -> bool:
            return pair_tangent_blocks(
                *packed, slave.elastic, slave.rate, frame, relative,
                h, *projected, z, status, sums, first, last, working_array(size),
            )  # fmt: skip

        shared(part, groups, self.points.size)
        return pair_tangents(sums.sum(axis=0), slave, master)


def compiled_pair(pair: ContactPair) -> CompiledPair | None:
    """Return the compiled form of a pair for time steps, made once, or None."""
    if pair not in _known:
        _known[pair] = _made(pair)
    return _known[pair]


def frame_of(slave: SlaveFrame, master: MarkerMotion) -> Floats:
    """Slave's frame as seen from the master's (24,), for the kernels."""
    frame = np.empty(24)
    relative_frame(
        slave.rotation, slave.origin, slave.velocity, slave.omega,
        master.rotation, master.position, master.velocity, master.omega + master.spin, frame,
    )  # fmt: skip
    return frame


def as_rows(values: Floats) -> Floats:
    """Copy of the rows of points as kernels take them, whatever type and layout they come in.

    For another type numba would compile all kernels once more, and keep new states in it.
    """
    return np.array(values, dtype=float, order="C")


def packed_points(surface: Surface) -> Points:
    """Points of a surface, block by block."""
    count = len(surface.points)
    order = np.minimum(np.arange(-(-count // BLOCK) * BLOCK), count - 1)
    shapes = np.zeros((count, 3, 0)) if surface.shapes is None else surface.shapes
    modes = shapes.shape[2]
    blocked = np.empty((len(order) // BLOCK, modes, 3, BLOCK))
    for block, own in zip(blocked, order.reshape(-1, BLOCK), strict=True):
        block[:] = shapes[own].transpose(2, 1, 0)
    weights = np.zeros(len(order))
    weights[:count] = surface.weights
    return Points(
        size=count,
        modes=modes,
        positions=as_rows(surface.points)[order].reshape(-1, BLOCK, 3).transpose(0, 2, 1).ravel(),
        shapes=blocked.ravel(),
        weights=weights,
        gap=np.broadcast_to(np.asarray(surface.gap, dtype=float), count)[order],
    )


def _made(pair: ContactPair) -> CompiledPair | None:
    if not isinstance(pair.friction, FrictionLaw) or not isinstance(pair.master, RigidFace):
        return None
    if pair.transports_material and (pair.transport.rings is not None or _turns(pair)):
        return None
    laws, stuck = (
        packed_laws(pair.master, pair.normal, law, pair.transports_material)
        for law in (pair.friction, pair.friction.no_slip())
    )
    slave = slave_frame(pair)
    if laws is None or stuck is None or slave is None:
        return None
    points = packed_points(pair.surface)
    n_q, n = len(pair.slave.reference()), len(pair.slave.dofs)
    marker = pair.master.marker
    sums = np.empty((len(points.weights) // BLOCK, FORCE_SUMS + points.modes))

    def master(q: Floats, v: Floats, t: float = 0.0) -> MarkerMotion:
        return marker.at(q[n_q:], v[n:], t)

    return CompiledPair(points, laws, stuck, slave, master, sums)


def _turns(pair: ContactPair) -> bool:
    """Whether an initial gap turns past the points (`EulerianPair`)."""
    return pair.time_dependent and not pair.in_prescribed_frame


def slave_frame(pair: ContactPair) -> Callable[..., SlaveFrame] | None:
    """Motion of the slave's frame as a function of the coordinates of the pair, and of time.

    None if the points of the slave do not move with shapes in one frame.
    """
    slave = as_body(pair.slave)
    n_q, n = len(slave.reference()), len(slave.dofs)
    if slave.frame_motion(slave.reference(), np.zeros(n)) is None:
        return None

    def frame(q: Floats, v: Floats, t: float = 0.0) -> SlaveFrame:
        at = slave.frame_motion(q[:n_q], v[:n], t)
        assert at is not None
        return at

    return frame


def shared(part: Callable[[int, int], bool], count: int, points: int) -> bool:
    """Run `part` over `count` pieces of work, shared between threads if there are many points."""
    if THREADS == 1 or points < THREADED_FROM:
        return part(0, count)
    ends = np.linspace(0, count, THREADS + 1).astype(int).tolist()
    return all([*_pool().map(part, ends[:-1], ends[1:])])


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(THREADS, "contact")


def threads_of(text: str) -> int:
    """Number of threads, as the environment variable FECONTACT_THREADS gives it."""
    if not text.strip().isdecimal() or int(text) < 1:
        raise InputError(f"invalid FECONTACT_THREADS = {text}: expected an integer >= 1")
    return int(text)


THREADS = threads_of(os.environ.get("FECONTACT_THREADS", "1"))
_known: WeakKeyDictionary[ContactPair, CompiledPair | None] = WeakKeyDictionary()
