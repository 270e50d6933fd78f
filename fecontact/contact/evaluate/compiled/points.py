"""What the compiled forms of contacts share: their points and laws as numbers, and threads.

A form knows the points of one family of pairs: `contact.evaluate.compiled.rigid` on rigid surfaces,
`contact.evaluate.compiled.facets` on facets, `contact.evaluate.compiled.on_slave` where material
passes the points. The shapes of the points are copied once, block by block. With more than one
thread (environment variable FECONTACT_THREADS, by default 1) large surfaces are shared between
them; the results are the same to the last bit.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial, wraps
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from fecontact.body.base import as_body
from fecontact.body.motion import RigidFrame
from fecontact.body.points.elastic_points import FloatingMotion
from fecontact.contact.history import ContactHistory
from fecontact.contact.kernels.block_laws import Laws
from fecontact.contact.kernels.blocks import RATE, STEP
from fecontact.contact.kernels.layout import BLOCK, SHOWN
from fecontact.contact.kernels.motion import Points, relative_frame
from fecontact.contact.surface.points import Surface
from fecontact.errors import InputError
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = [
    "CompiledPoints",
    "Evaluation",
    "SlaveFrame",
    "Task",
    "as_rows",
    "made_once",
    "motion_of",
    "packed_points",
    "seen_from",
    "shared",
    "slave_frame",
    "threads_of",
]

THREADED_FROM = 20_000
"""Number of points from which threads pay."""

Described = TypeVar("Described")
Form = TypeVar("Form")

SlaveFrame = RigidFrame | FloatingMotion
"""Motion of the frame of a slave, its elastic coordinates, and its generalised forces."""


class Task(NamedTuple):
    """What a kernel evaluates.

    Attributes
    ----------
    kind, h
        STEP over the time h, RATE or PROJECT (`contact.kernels.blocks`).
    origin
        What a step starts from, as the form keeps it.
    z, status, slip_totals
        History of the points, which the kernel replaces.
    """

    kind: int
    h: float
    origin: Any
    z: Floats
    status: Integers
    slip_totals: Floats


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


@dataclass(frozen=True, eq=False)
class CompiledPoints(ABC):
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

    def step(
        self,
        q: Floats,
        v: Floats,
        h: float,
        origin: Any,
        old: ContactHistory,
        shows: bool = False,
    ) -> Evaluation | None:
        """Contact at the end of a step from an old history, which stays as it is.

        None if a point lies where the surface has no normal. With `shows`, what the points do.
        """
        status, slip_totals = old.status.astype(np.int64), as_rows(old.slip_totals)
        task = Task(STEP, float(h), origin, as_rows(old.z), status, slip_totals)
        return self._evaluate(task, q, v, shows)

    def rate(
        self, q: Floats, v: Floats, now: ContactHistory, shows: bool = False
    ) -> Evaluation | None:
        """Continuous law: z is the rate of z, slip_totals the slip power and speed."""
        status, slip_totals = now.status.astype(np.int64), np.empty((self.points.size, 2))
        task = Task(RATE, 0.0, self._no_origin(), as_rows(now.z), status, slip_totals)
        return self._evaluate(task, q, v, shows)

    @abstractmethod
    def _no_origin(self) -> Any:
        """In place of what a step starts from, where there is none."""

    @abstractmethod
    def _evaluate(self, task: Task, q: Floats, v: Floats, shows: bool) -> Evaluation | None:
        """Run the kernel over all points and take their forces to the bodies."""

    def _shown(self, shows: bool) -> Floats:
        """Rows for what the points do, without columns if nobody asks."""
        return np.empty((len(self._nobody), SHOWN)) if shows else self._nobody

    @cached_property
    def _nobody(self) -> Floats:
        return np.empty((len(self.points.weights) // BLOCK, 0))


def made_once(make: Callable[[Described], Form]) -> Callable[[Described], Form]:
    """Keep what a function makes of an object as long as that is in use.

    What is made must not refer to the object.
    """
    known: WeakKeyDictionary[Described, Form] = WeakKeyDictionary()

    @wraps(make)
    def kept(described: Described) -> Form:
        if described not in known:
            known[described] = make(described)
        return known[described]

    return kept


def seen_from(
    slave: SlaveFrame, rotation: Floats, origin: Floats, velocity: Floats, omega: Floats
) -> Floats:
    """Slave's frame as seen from that of the master (24,), for the kernels."""
    frame = np.empty(24)
    own = slave.rotation, slave.origin, slave.velocity, slave.omega
    relative_frame(own, (rotation, origin, velocity, omega), frame)
    return frame


def motion_of(slave: SlaveFrame, frame: Floats) -> tuple[Floats, Floats, Floats]:
    """`SlaveMotion` of a frame as seen from that of the master, as a plain tuple."""
    return slave.elastic, slave.rate, frame


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
