"""Time steps and continuous time of a pair by its compiled kernel.

`begin` and `rate` take the kernel of a pair where it has one (`contact.evaluate.compiled.rigid` on
rigid surfaces, `contact.evaluate.compiled.facets` on facets, `contact.evaluate.compiled.on_slave`
where material passes the points), else the reference form (`contact.evaluate.step`,
`contact.evaluate.rate`), which also takes over where a point lies at a position without a normal.
Who evaluates a pair a few times only asks for the reference form (`in_reference_form`): kernels
take seconds to compile on a new machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from fecontact.contact.evaluate.compiled.facets import CompiledFacets, compiled_facets
from fecontact.contact.evaluate.compiled.on_slave import CompiledOnSlave, compiled_on_slave
from fecontact.contact.evaluate.compiled.points import Evaluation
from fecontact.contact.evaluate.compiled.report import rate_report, step_report
from fecontact.contact.evaluate.compiled.rigid import CompiledRigid, compiled_rigid
from fecontact.contact.evaluate.rate import ContactRate, RateTangents
from fecontact.contact.evaluate.step import ContactStart, ContactStep
from fecontact.contact.history import ContactHistory, refuse_other_points, refuse_pressed_through
from fecontact.contact.laws.base import history_width
from fecontact.contact.report import ContactReport
from fecontact.typing import Floats, Integers, Tangents

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = [
    "CompiledRate",
    "CompiledStart",
    "CompiledStep",
    "Start",
    "Step",
    "begin",
    "in_reference_form",
    "kernel_of",
    "rate",
]

Kernel: TypeAlias = CompiledRigid | CompiledFacets | CompiledOnSlave

_seldom: ContextVar[bool] = ContextVar("_seldom", default=False)
"""Whether pairs are to be evaluated in the reference form."""


@contextmanager
def in_reference_form(wanted: bool = True) -> Iterator[None]:
    """Within it, time steps begin and rates are evaluated in the reference form, if wanted."""
    token = _seldom.set(wanted)
    try:
        yield
    finally:
        _seldom.reset(token)


def kernel_of(pair: ContactPair) -> Kernel | None:
    """Compiled form of a pair; None if it has none."""
    return compiled_rigid(pair) or compiled_facets(pair) or compiled_on_slave(pair)


def begin(pair: ContactPair, t: float, q: Floats, v: Floats, history: ContactHistory) -> Start:
    """Start of a time step, by the compiled kernel where the pair has one."""
    refuse_other_points(pair.name, pair.points, history)
    kernel = None if _seldom.get() else kernel_of(pair)
    if kernel is None or history.z.shape[1] != history_width(pair.normal, pair.friction):
        return ContactStart.of(pair, t, q, v, history)
    origin = _at(kernel, pair, t).origin(q, v)
    if origin is None:
        return ContactStart.of(pair, t, q, v, history)
    fresh = not (history.status.any() or history.slip_totals.any())
    if fresh:
        refuse_pressed_through(pair.name, pair.normal, origin.gap[: pair.points])
    return CompiledStart(pair, kernel, t, q.copy(), v.copy(), history, origin)


def rate(
    pair: ContactPair,
    t: float,
    q: Floats,
    v: Floats,
    history: ContactHistory,
    shows: bool = False,
) -> CompiledRate | ContactRate:
    """Continuous law, by the compiled kernel where the pair has one.

    With `shows`, the kernel also shows what the points do, for a report.
    """
    refuse_other_points(pair.name, pair.points, history)
    kernel = None if _seldom.get() else kernel_of(pair)
    columns = history_width(pair.normal, pair.friction)
    rated = not getattr(pair.friction, "rateless", True)
    if kernel is not None and rated and history.z.shape[1] == columns:
        found = _at(kernel, pair, t).rate(q, v, history, shows)
        if found is not None:
            return CompiledRate(pair, kernel, t, q.copy(), v.copy(), history, found)
    return pair.latest_rate(q, v, t, history.z, history.status)


def _at(kernel: Kernel, pair: ContactPair, t: float) -> Kernel:
    """The kernel at a time, which matters to prescribed frames and to what turns past points."""
    changes = pair.in_prescribed_frame or isinstance(kernel, CompiledOnSlave)
    return kernel.at(t) if changes else kernel


@dataclass(frozen=True, eq=False)
class CompiledStart:
    """What a pair keeps from the start of a step."""

    pair: ContactPair
    kernel: Kernel
    t: float
    q: Floats
    v: Floats
    history: ContactHistory
    origin: Any
    held: bool = False

    def at(self, t: float, q: Floats, v: Floats, h: float) -> Step:
        """End of a step of length h."""
        old, kernel = self.history, _at(self.kernel, self.pair, t)
        found = kernel.step(q, v, h, self.origin, old)
        if found is None:
            return self.reference.at(t, q, v, h)
        return CompiledStep(self, kernel, t, q.copy(), v.copy(), h, found)

    def no_slip(self) -> CompiledStart:
        """Start of the same step for points that never slide."""
        return replace(self, kernel=self.kernel.no_slip(), held=True)

    @cached_property
    def reference(self) -> ContactStart:
        """The start in the reference form."""
        start = ContactStart.of(self.pair, self.t, self.q, self.v, self.history)
        return start.no_slip() if self.held else start


@dataclass(frozen=True, eq=False)
class CompiledStep:
    """A pair at the end of a step of length h."""

    start: CompiledStart
    kernel: Kernel
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

    def no_slip(self) -> Step:
        """The same step with bristles that never yield."""
        return self.start.no_slip().at(self.t, self.q, self.v, self.h)

    def tangents(self) -> Tangents:
        """Derivatives of `force` along an increment of the dofs, and by the velocities."""
        origin, old = self.start.origin, self.start.history
        return self.kernel.tangents(self.q, self.v, self.h, origin, old.z, old.status)

    def report(self) -> ContactReport:
        """What the points do, with mean powers of the step."""
        start = self.start
        shown = self.kernel.step(self.q, self.v, self.h, start.origin, start.history, shows=True)
        assert shown is not None
        return step_report(start.pair, shown, self.v, self.h)

    @cached_property
    def reference(self) -> ContactStep:
        """The step in the reference form."""
        return self.start.reference.at(self.t, self.q, self.v, self.h)


@dataclass(frozen=True, eq=False)
class CompiledRate:
    """A pair with the continuous law."""

    pair: ContactPair
    kernel: Kernel
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
        """Rates z' (p, k), those of the elastic slip in its axes."""
        return self.found.z

    @property
    def slip_rates(self) -> Floats:
        """Slip power (p,) in W and slip speed (p,) in m/s of closed points."""
        return self.found.slip_totals

    @property
    def resulting_status(self) -> Integers:
        """Status (p,) that follows from the state."""
        return self.found.status

    @cached_property
    def powers(self) -> tuple[float, float]:
        """Power in W of the dampers, and that of motion which is not in v."""
        moves = self.pair.in_prescribed_frame or self.pair.transports_material
        supplied = float(self.force @ self.v) - self.found.power
        return self.found.lost, supplied if moves else 0.0

    def tangents(self) -> RateTangents:
        """Derivatives of force and rates."""
        return self.reference.tangents()

    def report(self) -> ContactReport:
        """What the points do."""
        found: Evaluation | None = self.found
        if not self.found.shown.size:
            kernel = _at(self.kernel, self.pair, self.t)
            found = kernel.rate(self.q, self.v, self.history, shows=True)
        assert found is not None
        return rate_report(self.pair, found, self.v)

    @cached_property
    def reference(self) -> ContactRate:
        """The same in the reference form."""
        old = self.history
        return ContactRate.of(self.pair, self.t, self.q, self.v, old.z, old.status)


Start: TypeAlias = CompiledStart | ContactStart
"""A pair at the start of a time step."""

Step: TypeAlias = CompiledStep | ContactStep
"""A pair at the end of a time step."""
