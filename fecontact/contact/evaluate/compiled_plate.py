"""Fast evaluation of contacts of a rigid slave with a spinning plate, in one compiled pass.

The slave may spin through its points; initial gaps may turn past them. Laws have no internal
variables besides the elastic slip.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from weakref import ReferenceType, WeakKeyDictionary, ref

import numpy as np

from fecontact.body.base import Body, as_body
from fecontact.body.motion import RigidFrame, SpinFrame
from fecontact.body.spinning import SpinningDisc
from fecontact.contact.evaluate.compiled import Evaluation
from fecontact.contact.evaluate.compiled_laws import not_compiled, point_laws
from fecontact.contact.history import ContactHistory
from fecontact.contact.kernels.block_laws import Laws
from fecontact.contact.kernels.eulerian import (
    Frame,
    Rolling,
    begin_step,
    locate_points,
    try_step,
)
from fecontact.contact.kernels.layout import BLOCK, SHOWN
from fecontact.contact.kernels.plate import Plate
from fecontact.contact.kernels.plate_tangents import (
    ANGLE,
    FIELD,
    INPUTS,
    SPEED,
    PlateTangents,
    plate_tangents,
)
from fecontact.contact.kinematics.rings import Rings
from fecontact.contact.kinematics.transport import spin_angle
from fecontact.contact.laws.base import FrictionLaw
from fecontact.contact.master.plate_face import PlateFace
from fecontact.typing import Floats, Integers, Tangents

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = ["CompiledPlate", "compiled_plate", "rolling", "why_not_rolling"]


class SlipStart(NamedTuple):
    """Start of a step: slip velocities (p, 3) in the axes of the slave, angle of its spin, gaps."""

    slip: Floats
    angle: float
    gap: Floats


@dataclass(frozen=True, eq=False)
class TurningGaps:
    """Initial gaps of a pair, and their rates, as functions of time; it does not keep the pair."""

    pair: ReferenceType[Any]

    def __call__(self, t: float) -> tuple[Floats | float, Floats | float, Floats | float]:
        """Gaps, their rates as the material of the slave sees them, and those at the points."""
        pair: Any = self.pair()
        return pair.gap(t), pair.gap_drift(t), pair.gap_rate(t)


@dataclass(frozen=True, eq=False)
class CompiledPlate:
    """A contact with a plate as the compiled kernels see it.

    `contact` is working space: callers from several threads take turns.
    """

    slave: Body
    disc: SpinningDisc
    rings: Rings | None
    gaps: TurningGaps | None
    contact: Rolling
    stuck_laws: Laws
    t: float = 0.0
    turn: RLock = field(default_factory=RLock, repr=False)

    def at(self, t: float) -> CompiledPlate:
        """The pair at a time."""
        return replace(self, t=t)

    def no_slip(self) -> CompiledPlate:
        """The pair with bristles that never yield."""
        return replace(self, contact=self.contact._replace(laws=self.stuck_laws))

    def projection_points(self, q: Floats, v: Floats) -> SlipStart | None:
        """What a step starts from; None if a point has no projection on the plate."""
        c, frame, spin, own = self._moved(q, v)
        with self.turn:
            if not self._placed(frame, own):
                return None
            c.z[:] = 0.0
            begin_step(c, frame, v[len(self.slave.dofs) :], 2.0)
            return SlipStart(c.before[1].copy(), spin_angle(spin, self.t), c.distance.copy())

    def step(
        self,
        q: Floats,
        v: Floats,
        h: float,
        projected: SlipStart,
        old: ContactHistory,
        shows: bool = False,
    ) -> Evaluation | None:
        """Contact at the end of a step from an old history, which stays as it is.

        None if a point has no projection on the plate. With `shows`, what the points do.
        """
        c, frame, spin, own = self._moved(q, v)
        shown = np.empty((len(c.weights) // BLOCK, SHOWN if shows else 0))
        with self.turn:
            if not self._placed(frame, own):
                return None
            self._begin(projected, spin, h, old.z, old.status)
            c.slip_totals[:] = old.slip_totals
            angle = self._angle(spin, projected, h)
            try_step(c, frame, v[len(self.slave.dofs) :], float(h), angle, shown)
            load = np.concatenate([c.total[:3], c.total[6:9]])
            force = np.concatenate([self._frame(q, v).generalised(load), -c.force])
            z, status, slip_totals = c.z.copy(), c.status.copy(), c.slip_totals.copy()
            power = float(c.total[9])
        return Evaluation(force, z, status, slip_totals, power, 0.0, shown, np.eye(3), np.zeros(3))

    def rate(self, q: Floats, v: Floats, now: ContactHistory, shows: bool = False) -> None:
        """Continuous law: not compiled."""
        return

    def tangents(
        self, q: Floats, v: Floats, h: float, projected: SlipStart, z: Floats, status: Integers
    ) -> Tangents:
        """Derivatives of the force of `step`, along an increment of the dofs and by v."""
        c, frame, spin, own = self._moved(q, v)
        m = len(c.force)
        sums = PlateTangents(
            np.empty((6, INPUTS)), np.empty((2, 6, m)), np.empty((m, INPUTS)), np.empty((2, m, m))
        )
        angle = self._angle(spin, projected, h)
        with self.turn:
            self._placed(frame, own)
            self._begin(projected, spin, h, z, status)
            spun = self._spun(spin, angle)
            plate_v = v[len(self.slave.dofs) :]
            plate_tangents(c, frame, plate_v, float(h), angle, spun, sums)
            self._begin(projected, spin, h, z, status)
            try_step(c, frame, plate_v, float(h), angle, np.empty((len(c.weights) // BLOCK, 0)))
            load = np.concatenate([c.total[:3], c.total[6:9]])
        return self._assembled(sums, self._frame(q, v), spin, load)

    def _assembled(
        self, sums: PlateTangents, slave: RigidFrame, spin: SpinFrame, load: Floats
    ) -> Tangents:
        """From local numbers to the dofs of slave and plate."""
        step, rate, change = slave.maps()
        moved = self.disc.speed * self.disc.model.rotation
        rows = np.concatenate([rate.T @ sums.rigid, sums.plate_by_rigid])
        by_plate = np.concatenate([rate.T @ sums.rigid_by_plate, sums.plate], axis=1)
        by_slave = rows[:, :FIELD] @ step + rows[:, SPEED : SPEED + 6] @ change
        by_slave += rows[:, ANGLE, None] * spin.by_step
        by_slave[: len(step.T)] += slave.d_load(load)
        by_q = np.concatenate([by_slave, by_plate[0] + by_plate[1] @ moved], axis=1)
        by_v = np.concatenate([rows[:, SPEED : SPEED + 6] @ rate, by_plate[1]], axis=1)
        return by_q, by_v

    def _frame(self, q: Floats, v: Floats) -> RigidFrame:
        n_q, n = len(self.slave.reference()), len(self.slave.dofs)
        return cast("RigidFrame", self.slave.frame_motion(q[:n_q], v[:n]))

    def _moved(self, q: Floats, v: Floats) -> tuple[Rolling, Frame, SpinFrame, Floats]:
        """Working space, motion of the slave, spin of its material, coordinates of the plate."""
        at, (n_q, n) = self._frame(q, v), (len(self.slave.reference()), len(self.slave.dofs))
        spin = self.slave.spin_frame(q[:n_q], v[:n])
        assert spin is not None
        given = 0.0 if spin.by_step.any() else spin.spin
        frame = Frame(
            np.ascontiguousarray(at.rotation), np.ascontiguousarray(at.origin),
            np.ascontiguousarray(at.velocity), np.ascontiguousarray(at.omega), float(given),
        )  # fmt: skip
        return self.contact, frame, spin, np.ascontiguousarray(q[n_q:])

    def _placed(self, frame: Frame, plate: Floats) -> bool:
        """Place the points; each looks for its projection from its own position."""
        c = self.contact
        if self.gaps is not None:
            c.gap[:], c.gap_drift[:], c.gap_speed[:] = self.gaps(self.t)
        c.projected[:] = c.position[:, :2]
        return locate_points(c, frame, plate)

    def _begin(
        self, start: SlipStart, spin: SpinFrame, h: float, z: Floats, status: Integers
    ) -> None:
        """Take the history at the start of a step, with the status of the material here now."""
        c = self.contact
        if self.rings is not None:
            status = self.rings.nearest(status, start.angle, spin_angle(spin, self.t))
        c.z[:], c.status[:] = z, status
        c.before[0], c.before[1] = z, 0.5 * h * start.slip

    def _angle(self, spin: SpinFrame, start: SlipStart, h: float) -> float:
        """Angle in rad by which the material passes in a step."""
        if self.rings is None:
            return 0.0
        return spin.angle - start.angle if spin.by_step.any() else h * spin.spin

    def _spun(self, spin: SpinFrame, angle: float) -> Floats:
        """Derivatives (2, p, 3) of the carried vectors by the angle of a free spin."""
        c, rings = self.contact, self.rings
        if rings is None or not spin.by_step.any():
            return np.zeros_like(c.before)
        half = c.before[1]
        parts = [
            rings.derivative(rings.shifted(part, angle)) for part in (c.before[0] + half, half)
        ]
        return -np.array(parts)


def compiled_plate(pair: ContactPair) -> CompiledPlate | None:
    """Return the compiled form of a pair, made once; None if it has none."""
    if pair not in _known:
        _known[pair] = _made(pair)
    return _known[pair]


def _made(pair: ContactPair) -> CompiledPlate | None:
    face, law = pair.master, pair.friction
    if not isinstance(face, PlateFace) or not isinstance(law, FrictionLaw):
        return None
    if why_not_rolling(pair, turning=True) is not None or pair.in_prescribed_frame:
        return None
    stuck = point_laws(pair.normal, law.no_slip())
    if stuck is None:
        return None
    rings = pair.transport.rings
    contact = rolling(pair, ContactHistory.fresh(pair.points))
    gaps = TurningGaps(ref(pair)) if pair.time_dependent else None
    return CompiledPlate(as_body(pair.slave), face.body, rings, gaps, contact, stuck)


def why_not_rolling(pair: ContactPair, turning: bool = False) -> str | None:
    """What keeps a pair from being compiled; None if nothing does.

    `turning`: gaps and status that travel with the material are known at each step, as they are not
    in the explicit loop.
    """
    if not as_body(pair.slave).rigid:
        return f"its slave '{pair.slave.name}' is not rigid"
    if not isinstance(pair.master, PlateFace):
        return "its master is not a PlateFace"
    if _laws(pair) is None:
        why = not_compiled(pair.normal, pair.friction)
        return why or "its laws have internal variables besides the elastic slip"
    if turning:
        return None
    if getattr(pair, "master_gap", None) is not None or np.ptp(pair.surface.gap) > 0.0:
        return "its initial gap is not the same for all points"
    coefficient = getattr(pair.friction, "coefficient", None)
    if pair.transport.rings is not None and getattr(coefficient, "static", None) is not None:
        return "its static friction travels with the material"
    return None


def rolling(pair: ContactPair, history: ContactHistory) -> Rolling:
    """Compiled form of a pair with a copy of a history; its points are not yet placed."""
    laws, face, rings = _laws(pair), pair.master, pair.transport.rings
    assert laws is not None
    assert isinstance(face, PlateFace)
    points, plate = np.ascontiguousarray(pair.surface.points), packed_plate(face.body)
    count, size = len(points), len(plate.harmonic)
    weights = np.zeros(-(-count // BLOCK) * BLOCK)
    weights[:count] = pair.surface.weights
    order = np.arange(count)[:, None] if rings is None else rings.order
    angle = np.arctan2(points[:, 1], points[:, 0])
    fields = np.zeros((4, len(plate.cubics), int(plate.harmonic.max(initial=0)) + 1, 2, 4))
    return Rolling(
        plate=plate, laws=laws, points=points, weights=weights,
        size=float(np.abs(points).max()),
        gap=np.array(np.broadcast_to(pair.surface.gap, count), dtype=float),
        gap_drift=np.zeros(count), gap_speed=np.zeros(count),
        order=np.ascontiguousarray(order, dtype=np.int64),
        direction=np.column_stack([np.cos(angle), np.sin(angle)]),
        z=history.z.copy(), status=history.status.copy(), slip_totals=history.slip_totals.copy(),
        grip=np.empty((count, 4)), position=np.zeros((count, 3)), projected=np.zeros((count, 2)),
        normal=np.empty((count, 3)), distance=np.empty(count),
        motion=np.empty((2, count, 3)), before=np.empty((2, count, 3)),
        turn=np.full(1, np.nan), carry=np.empty(order.shape[1]),
        field=fields[0], rate=fields[1], drift=fields[2], load=fields[3],
        rolled=np.empty(size), total=np.empty(12), force=np.empty(size),
    )  # fmt: skip


def _laws(pair: ContactPair) -> Laws | None:
    """Laws without internal variables besides the elastic slip; None for others."""
    laws = point_laws(pair.normal, pair.friction)
    known = laws is not None and laws.friction_states + laws.normal_states == 0
    return laws if known else None


def packed_plate(disc: SpinningDisc) -> Plate:
    """Shapes of a disc as numbers."""
    model = disc.model
    spline, columns = model._spline, model._radial_number
    return Plate(
        breaks=np.ascontiguousarray(spline.x),
        cubics=np.ascontiguousarray(spline.c[:, :, columns].transpose(1, 2, 0)),
        harmonic=model.harmonic.astype(np.int64),
        sine=model._is_sine.astype(np.int64),
        speed=float(disc.speed),
        lever=0.5 * disc.thickness,
    )


_known: WeakKeyDictionary[ContactPair, CompiledPlate | None] = WeakKeyDictionary()
