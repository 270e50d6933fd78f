"""Contact pairs whose bristles stand on the slave, in one compiled pass over their points.

`compiled_on_slave(pair)` gives the compiled form of a pair, or None if it has none: its transport
is `contact.kinematics.slip.OnSlave`, its laws give the functions of a point. The slave is any
body that knows the motion of its points; it may spin through them, and initial gaps may turn past
them. On a plate (`PlateFace`) normals, gaps and velocities are compiled too; of other masters they
are those of the pair's kinematics.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import ReferenceType, ref

import numpy as np

from fecontact.body.base import as_body
from fecontact.body.motion import SpinFrame
from fecontact.contact.evaluate.compiled.laws import not_compiled, point_laws
from fecontact.contact.evaluate.compiled.points import Evaluation, made_once
from fecontact.contact.evaluate.compiled.seen_points import (
    Seen,
    SeenOnPlate,
    SeenOnSurface,
    SeenRigidOnPlate,
)
from fecontact.contact.history import ContactHistory
from fecontact.contact.kernels.block_laws import Laws
from fecontact.contact.kernels.eulerian import (
    LOCAL,
    Rolling,
    begin_step,
    rate_points,
    rolling_size,
    slope_points,
    step_points,
)
from fecontact.contact.kernels.layout import BLOCK, SHOWN
from fecontact.contact.kernels.plate.points import (
    PlateSurface,
)
from fecontact.contact.kinematics.slip import OnSlave, spin_angle
from fecontact.contact.laws.base import FrictionLaw
from fecontact.contact.master.plate_face import PlateFace
from fecontact.typing import Floats, Integers, Tangents

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = [
    "CompiledOnSlave",
    "compiled_on_slave",
    "plate_surface",
    "rolling",
    "why_not_rolling",
]


class SlipStart(NamedTuple):
    """Start of a step: slip velocities (p, 3) in the axes of the slave, angle of its spin, gaps."""

    slip: Floats
    angle: float
    gap: Floats


@dataclass(frozen=True, eq=False)
class CompiledOnSlave:
    """A contact with bristles on its slave, as the compiled kernels see it.

    `contact` and `face` are working space: callers from several threads take turns. It does not
    keep its pair.
    """

    owner: ReferenceType[Any]
    contact: Rolling
    no_slip_laws: Laws
    face: PlateSurface | None
    t: float = 0.0
    turn: RLock = field(default_factory=RLock, repr=False)

    def at(self, t: float) -> CompiledOnSlave:
        """The pair at a time."""
        return replace(self, t=t)

    def no_slip(self) -> CompiledOnSlave:
        """The pair with bristles that never yield."""
        return replace(self, contact=self.contact._replace(laws=self.no_slip_laws))

    def origin(self, q: Floats, v: Floats) -> SlipStart | None:
        """What a step starts from; None if a point has no projection on the plate."""
        c, axes = self.contact, self._axes(q, v)
        with self.turn:
            if self._seen(q, v, False) is None:
                return None
            begin_step(c, axes.rotation)
            return SlipStart(c.before[1].copy(), spin_angle(axes, self.t), c.distance.copy())

    def step(
        self,
        q: Floats,
        v: Floats,
        h: float,
        origin: SlipStart,
        old: ContactHistory,
        shows: bool = False,
    ) -> Evaluation | None:
        """Contact at the end of a step from an old history, which stays as it is.

        None if a point has no projection on the plate. With `shows`, what the points do.
        """
        c, axes = self.contact, self._axes(q, v)
        shown = self._shown(shows)
        with self.turn:
            seen = self._seen(q, v, shows)
            if seen is None:
                return None
            angle = self._begin(origin, axes, h, old.z, old.status)
            c.slip_totals[:] = old.slip_totals
            step_points(c, axes.rotation, float(h), angle, shown, False)
            return self._evaluation(seen, shown, 0.0)

    def rate(
        self, q: Floats, v: Floats, now: ContactHistory, shows: bool = False
    ) -> Evaluation | None:
        """Continuous law: z is the rate of z, slip_totals the slip power and speed."""
        c, axes, shown = self.contact, self._axes(q, v), self._shown(shows)
        with self.turn:
            seen = self._seen(q, v, True)
            if seen is None:
                return None
            c.z[:], c.status[:] = now.z, now.status
            rate_points(c, axes.rotation, shown)
            found = self._evaluation(seen, shown, float(c.total[10] + c.total[11]))
        rings = self._pair.transport.rings
        if rings is not None:
            found.z[:, :3] -= axes.spin * rings.derivative(now.z[:, :3])
        return found

    def tangents(
        self, q: Floats, v: Floats, h: float, origin: SlipStart, z: Floats, status: Integers
    ) -> Tangents:
        """Derivatives of the force of `step`, along an increment of the dofs and by v."""
        c, axes = self.contact, self._axes(q, v)
        local = np.empty((len(c.z), 3, LOCAL))
        with self.turn:
            seen = self._seen(q, v, False)
            assert seen is not None
            angle = self._begin(origin, axes, h, z, status)
            spun = self._spun(axes, h, angle)
            slope_points(c, axes.rotation, float(h), angle, spun, local)
            return seen.tangents(c, local, axes)

    @property
    def _pair(self) -> ContactPair:
        pair: ContactPair | None = self.owner()
        assert pair is not None
        return pair

    def _axes(self, q: Floats, v: Floats) -> SpinFrame:
        """Axes of the elastic slip, and the spin of the slave's material."""
        transport = self._pair.transport
        assert isinstance(transport, OnSlave)
        axes = transport.frame(self.t, q, v)
        return axes._replace(rotation=np.ascontiguousarray(axes.rotation))

    def _seen(self, q: Floats, v: Floats, powers: bool) -> Seen | None:
        """Kinematics of the points to the working space."""
        c, pair, t = self.contact, self._pair, self.t
        if pair.time_dependent:
            c.gap[:], c.gap_drift[:], c.gap_speed[:] = (
                pair.gap(t),
                pair.gap_drift(t),
                pair.gap_rate(t),
            )
        if self.face is None:
            return SeenOnSurface.of(pair, c, t, q, v, powers)
        kind = SeenRigidOnPlate if as_body(pair.slave).rigid else SeenOnPlate
        seen = kind(pair, self.face, t, q, v)
        return seen if seen.see(c, powers) else None

    def _begin(
        self, start: SlipStart, axes: SpinFrame, h: float, z: Floats, status: Integers
    ) -> float:
        """Take the history at the start of a step, with the status of the material here now.

        Returns the angle in rad by which the material passes.
        """
        c, rings, angle = self.contact, self._pair.transport.rings, 0.0
        if rings is not None:
            status = rings.nearest(status, start.angle, spin_angle(axes, self.t))
            angle = axes.angle - start.angle if axes.by_step.any() else h * axes.spin
        c.z[:], c.status[:] = z, status
        c.before[0], c.before[1] = z[:, :3], start.slip
        c.gap_before[: len(z)] = start.gap
        return angle

    def _spun(self, axes: SpinFrame, h: float, angle: float) -> Floats:
        """Derivatives (2, p, 3) of what the material carries by the angle of a free spin."""
        c, rings = self.contact, self._pair.transport.rings
        if rings is None or not axes.by_step.any():
            return np.zeros_like(c.before)
        half = 0.5 * h * c.before[1]
        parts = [
            rings.derivative(rings.shifted(part, angle)) for part in (c.before[0] + half, half)
        ]
        return -np.array(parts)

    def _shown(self, shows: bool) -> Floats:
        """Rows for what the points do, without columns if nobody asks."""
        return np.empty((len(self.contact.weights) // BLOCK, SHOWN if shows else 0))

    def _evaluation(self, seen: Seen, shown: Floats, lost: float) -> Evaluation:
        """What the kernels left in the working space."""
        c = self.contact
        power, force = float(c.total[9]), seen.load(c)
        history = c.z.copy(), c.status.copy(), c.slip_totals.copy()
        return Evaluation(force, *history, power, lost, shown, np.eye(3), np.zeros(3))


@made_once
def compiled_on_slave(pair: ContactPair) -> CompiledOnSlave | None:
    """Return the compiled form of a pair, or None if it has none."""
    law = pair.friction
    if not isinstance(law, FrictionLaw) or not isinstance(pair.transport, OnSlave):
        return None
    no_slip = point_laws(pair.normal, law.no_slip(), moves_with_slave=True)
    if no_slip is None or not_compiled(pair.normal, law) is not None:
        return None
    contact = rolling(pair, ContactHistory.fresh(pair.points, pair.columns))
    face = plate_surface(pair) if isinstance(pair.master, PlateFace) else None
    return CompiledOnSlave(ref(pair), contact, no_slip, face)


def why_not_rolling(pair: ContactPair) -> str | None:
    """What keeps a pair from the compiled loop of the explicit method; None if nothing does."""
    if not as_body(pair.slave).rigid:
        return f"its slave '{pair.slave.name}' is not rigid"
    if not isinstance(pair.master, PlateFace):
        return "its master is not a PlateFace"
    law = not_compiled(pair.normal, pair.friction)
    if law is not None:
        return law
    if getattr(pair, "master_gap", None) is not None or np.ptp(pair.surface.gap) > 0.0:
        return "its initial gap is not the same for all points"
    coefficient = getattr(pair.friction, "coefficient", None)
    if pair.transport.rings is not None and getattr(coefficient, "static", None) is not None:
        return "its static friction travels with the material"
    return None


def rolling(pair: ContactPair, history: ContactHistory) -> Rolling:
    """Working space of a pair with a copy of a history; its points are not yet placed."""
    laws = point_laws(pair.normal, pair.friction, moves_with_slave=True)
    assert laws is not None
    points, rings = np.ascontiguousarray(pair.surface.points), pair.transport.rings
    count = len(points)
    weights = np.zeros(-(-count // BLOCK) * BLOCK)
    weights[:count] = pair.surface.weights
    order = np.arange(count)[:, None] if rings is None else rings.order
    angle = np.arctan2(points[:, 1], points[:, 0])
    return Rolling(
        laws=laws, weights=weights, springs_in_space=pair.transport.springs_in_space,
        points=points, gap=np.array(np.broadcast_to(pair.surface.gap, count), dtype=float),
        gap_drift=np.zeros(count), gap_speed=np.zeros(count),
        order=np.ascontiguousarray(order, dtype=np.int64),
        direction=np.column_stack([np.cos(angle), np.sin(angle)]),
        z=history.z.copy(), status=history.status.copy(), slip_totals=history.slip_totals.copy(),
        grip=np.empty((count, 4)), position=np.zeros((count, 3)), normal=np.empty((count, 3)),
        distance=np.empty(count), motion=np.empty((2, count, 3)), before=np.empty((2, count, 3)),
        gap_before=np.ones_like(weights), turn=np.full(1, np.nan), carry=np.empty(order.shape[1]),
        force=np.empty((count, 3)), total=np.empty(12), work=np.zeros(rolling_size(laws)),
    )  # fmt: skip


def plate_surface(pair: ContactPair) -> PlateSurface:
    """The plate of a pair as the kernels take it, with working space."""
    face = pair.master
    assert isinstance(face, PlateFace)
    packed, points = face.plate, pair.surface.points
    size, harmonics = len(packed.harmonic), int(packed.harmonic.max(initial=0)) + 1
    fields = np.zeros((4, len(packed.cubics), harmonics, 2, 4))
    return PlateSurface(
        plate=packed, size=float(np.abs(points).max()), projected=np.zeros((len(points), 2)),
        field=fields[0], rate=fields[1], drift=fields[2], load=fields[3],
        rolled=np.empty(size), force=np.empty(size),
    )  # fmt: skip
