"""Time steps and rate form of a pair by its compiled kernel (`contact.evaluate.compiled`).

Forces, history and tangents of a step come from the kernel; tangents of the rate form and reports,
which are asked for less often, from the reference form of the same pair.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fecontact.contact.evaluate.compiled import CompiledPair, Evaluation, compiled_pair
from fecontact.contact.evaluate.elastic import CompiledElasticPair, compiled_elastic_pair
from fecontact.contact.evaluate.eulerian_rate import EulerianRate
from fecontact.contact.evaluate.eulerian_step import EulerianStart, EulerianStep
from fecontact.contact.evaluate.rate import ContactRate, RateTangents
from fecontact.contact.evaluate.step import ContactHistory, ContactStep, StepStart
from fecontact.contact.history import refuse_other_points, refuse_pressed_through
from fecontact.contact.kinematics.prescribed import PrescribedStart, rate_at
from fecontact.contact.laws.base import history_width, stateful
from fecontact.contact.report import ContactReport
from fecontact.typing import Floats, Integers, Tangents

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = [
    "CompiledRate",
    "CompiledStart",
    "CompiledStep",
    "ReferenceStart",
    "begin",
    "kernel_of",
    "rate",
]


def kernel_of(pair: ContactPair) -> CompiledPair | CompiledElasticPair | None:
    """Compiled form of a pair; None if it has none."""
    return compiled_pair(pair) or compiled_elastic_pair(pair)


def begin(
    pair: ContactPair, t: float, q: Floats, v: Floats, history: ContactHistory
) -> CompiledStart | ReferenceStart | PrescribedStart | EulerianStart:
    """Start of a time step, by the compiled kernel where the pair has one."""
    refuse_other_points(pair.name, pair.points, history)
    kernel = kernel_of(pair)
    projected = None if kernel is None else _at(kernel, pair, t).projection_points(q, v)
    if (
        kernel is None
        or projected is None
        or history.z.shape[1] != history_width(pair.normal, pair.friction)
    ):
        return _reference(pair, t, q, v, history)
    fresh = not (history.status.any() or history.slip_totals.any())
    if fresh:
        refuse_pressed_through(pair.name, pair.normal, projected.gap[: pair.points])
    return CompiledStart(pair, kernel, t, q.copy(), v.copy(), history, projected)


def _at(
    kernel: CompiledPair | CompiledElasticPair, pair: ContactPair, t: float
) -> CompiledPair | CompiledElasticPair:
    """The kernel at a time, which matters to prescribed frames only."""
    return kernel.at(t) if pair.in_prescribed_frame else kernel


def _reference(
    pair: ContactPair, t: float, q: Floats, v: Floats, history: ContactHistory
) -> ReferenceStart | PrescribedStart | EulerianStart:
    """Start of a time step in the reference form."""
    if pair.transports_material:
        return EulerianStart.of(pair.spinning_master, t, q, v, history)
    if pair.in_prescribed_frame:
        return PrescribedStart.of(pair, t, q, v, history)
    return ReferenceStart(StepStart.of(pair, q, v, history))


def rate(
    pair: ContactPair, t: float, q: Floats, v: Floats, history: ContactHistory
) -> CompiledRate | ContactRate | EulerianRate:
    """Continuous law, by the compiled kernel where the pair has one."""
    refuse_other_points(pair.name, pair.points, history)
    kernel = kernel_of(pair)
    columns = history_width(pair.normal, pair.friction)
    rated = not getattr(pair.friction, "rateless", True)
    if kernel is not None and rated and history.z.shape[1] == columns:
        found = _at(kernel, pair, t).rate(q, v, history.z, history.status)
        if found is not None:
            return CompiledRate(pair, t, q.copy(), v.copy(), history, found)
    return _reference_rate(pair, t, q, v, history)


def _reference_rate(
    pair: ContactPair, t: float, q: Floats, v: Floats, history: ContactHistory
) -> ContactRate | EulerianRate:
    """Continuous law in the reference form."""
    if pair.transports_material:
        return EulerianRate.of(pair.spinning_master, t, q, v, history)
    if pair.in_prescribed_frame:
        return rate_at(pair, t, q, v, history)
    return ContactRate.of(pair, q, v, history.z, history.status)


@dataclass(frozen=True)
class ReferenceStart:
    """Start of a time step in the reference form; time itself does not matter to it."""

    start: StepStart

    def at(self, t: float, q: Floats, v: Floats, h: float) -> ContactStep:
        """End of a step of length h."""
        return self.start.at(q, v, h)

    def no_slip(self) -> ReferenceStart:
        """Start of the same step for points that never slide."""
        return ReferenceStart(self.start.no_slip())


@dataclass(frozen=True, eq=False)
class CompiledStart:
    """What a pair keeps from the start of a step."""

    pair: ContactPair
    kernel: CompiledPair | CompiledElasticPair
    t: float
    q: Floats
    v: Floats
    history: ContactHistory
    projected: Any
    held: bool = False

    def at(
        self, t: float, q: Floats, v: Floats, h: float
    ) -> CompiledStep | ContactStep | EulerianStep:
        """End of a step of length h."""
        old, kernel = self.history, _at(self.kernel, self.pair, t)
        found = kernel.step(q, v, h, self.projected, old.z, old.status, old.slip_totals)
        if found is None:
            return self.reference.at(t, q, v, h)
        return CompiledStep(self, kernel, t, q.copy(), v.copy(), h, found)

    def no_slip(self) -> CompiledStart:
        """Start of the same step for points that never slide."""
        return replace(self, kernel=self.kernel.no_slip(), held=True)

    @cached_property
    def reference(self) -> ReferenceStart | PrescribedStart | EulerianStart:
        """The start in the reference form."""
        start = _reference(self.pair, self.t, self.q, self.v, self.history)
        return start.no_slip() if self.held else start


@dataclass(frozen=True, eq=False)
class CompiledStep:
    """A pair at the end of a step of length h."""

    start: CompiledStart
    kernel: CompiledPair | CompiledElasticPair
    t: float
    q: Floats
    v: Floats
    h: float
    found: Evaluation

    @property
    def force(self) -> Floats:
        """Generalised force (N,) on slave and master."""
        return self.found.force

    @cached_property
    def history(self) -> ContactHistory:
        """What to keep if the step is accepted."""
        return ContactHistory(self.found.z, self.found.status, self.found.slip_totals)

    def no_slip(self) -> CompiledStep | ContactStep | EulerianStep:
        """The same step with bristles that never yield."""
        return self.start.no_slip().at(self.t, self.q, self.v, self.h)

    def tangents(self) -> Tangents:
        """Derivatives of `force` along an increment of the dofs, and by the velocities."""
        projected, old = self.start.projected, self.start.history
        return self.kernel.tangents(self.q, self.v, self.h, projected, old.z, old.status)

    def report(self) -> ContactReport:
        """What the points do, with mean powers of the step."""
        return self.reference.report()

    @cached_property
    def reference(self) -> ContactStep | EulerianStep:
        """The step in the reference form."""
        return self.start.reference.at(self.t, self.q, self.v, self.h)


@dataclass(frozen=True, eq=False)
class CompiledRate:
    """A pair with the continuous law."""

    pair: ContactPair
    t: float
    q: Floats
    v: Floats
    history: ContactHistory
    found: Evaluation

    @property
    def force(self) -> Floats:
        """Generalised force (N,) on slave and master."""
        return self.found.force

    @property
    def z_rate(self) -> Floats:
        """Rates z' (p, 3) in the frame of the master."""
        return self.found.z

    @property
    def slip_rates(self) -> Floats:
        """Slip power (p,) in W and slip speed (p,) in m/s of closed points."""
        return self.found.slip_totals

    @property
    def resulting_status(self) -> Integers:
        """Modes (p,) that follow from the state."""
        return self.found.status

    @cached_property
    def powers(self) -> tuple[float, float]:
        """Power in W of the dampers, and that of motion which is not in v.

        Normal laws with internal variables, prescribed frames and spins take the reference form.
        """
        if (
            self.pair.in_prescribed_frame
            or self.pair.transports_material
            or stateful(self.pair.normal) is not None
        ):
            return self.reference.powers
        return self.found.lost, 0.0

    def tangents(self) -> RateTangents:
        """Derivatives of force and rates."""
        return self.reference.tangents()

    def report(self) -> ContactReport:
        """What the points do."""
        return self.reference.report()

    @cached_property
    def reference(self) -> ContactRate | EulerianRate:
        """The rate form of the reference."""
        return _reference_rate(self.pair, self.t, self.q, self.v, self.history)
