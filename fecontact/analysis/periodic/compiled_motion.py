"""A system at many instants by its compiled program in continuous time (`samples`)."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg import block_diag

from fecontact.analysis.periodic import samples as loop
from fecontact.analysis.periodic import steps as walk
from fecontact.analysis.periodic.balance import Balance, Balances, Slips
from fecontact.analysis.periodic.harmonics import Harmonics
from fecontact.contact.status import SLIP
from fecontact.errors import SolverError
from fecontact.system.program import Program
from fecontact.system.program.rates import (
    FIRST_Z,
    POINTS,
    STATES,
    STATUS,
    contact_table,
    has_rates,
)
from fecontact.typing import Floats, Integers, supporting

if TYPE_CHECKING:
    from fecontact.analysis.periodic.motion import SystemMotion

__all__ = [
    "CHUNK",
    "FAST",
    "MAX_ITERATIONS",
    "NOT_FINITE",
    "NOT_FOUND",
    "TOLERANCE",
    "CompiledMotion",
]

MAX_ITERATIONS = 30
TOLERANCE = 1e-11
"""Last correction of z, relative to the largest z so far."""
FAST = 0.2
"""Fall of the corrections at which a tangent is kept."""
ROOMS = 4
"""Numbers of samples whose arrays are kept for the next ones."""
SMALL = 64
"""Unknowns of a stage up to which compiled loops are faster than LAPACK called from Python."""
CHUNK = 16
"""Steps that are taken at a time."""
LEAST = 1e-300
"""First of the largest values so far."""
NOT_FINITE = (
    "the elastic slip along the motion is not finite: give a guess of the size of the motion"
)
NOT_FOUND = "the bristles find no balance along the motion: take more samples or a closer guess"


class CompiledMotion:
    """The program of a motion. It has one working space: use it from one thread.

    Where an item cannot be evaluated, answers are None: the motion itself says why, or its
    reference form goes on.
    """

    def __init__(self, motion: SystemMotion) -> None:
        self.motion, self.program = motion, motion.rate_system.rate_program()
        self.rates = _rates(motion, self.program)
        self._rooms: dict[int, loop.Samples] = {}

    @staticmethod
    def of(motion: SystemMotion) -> CompiledMotion | None:
        """The compiled form of a motion; None with constraints, or contacts that have none."""
        if len(motion.kept) or not has_rates(motion.rate_system):
            return None
        return CompiledMotion(motion)

    def balance(self, t: float, q: Floats, v: Floats, a: Floats, z: Floats) -> Balance | None:
        """Balance at one instant."""
        n, s, _ = self.motion.sizes
        at = self._samples(np.array([t]), q[None], v[None], a[None], z[None])
        if loop.evaluate_samples(self.rates, at) != loop.DONE:
            return None
        by_z, none = np.zeros((s, s)), np.zeros((0, n))
        by_z[self._blocks] = at.z_by_z[0]
        return Balance(
            at.residual[0].copy(), at.by_q[0].copy(), at.by_v[0].copy(), at.by_a[0].copy(),
            at.by_z[0].copy(), at.rate[0].copy(), at.z_by_q[0].copy(), at.z_by_v[0].copy(), by_z,
            np.zeros(0), none, none, at.acting[0].copy(),
        )  # fmt: skip

    @cached_property
    def _blocks(self) -> tuple[Integers, Integers]:
        """Rows and columns (s, s) of the derivatives of the rates by z, point by point."""
        sizes = np.repeat(self.rates.contacts[:, STATES] - 1, self.rates.contacts[:, POINTS])
        blocks = block_diag(*(np.ones((m, m)) for m in sizes)) if len(sizes) else np.zeros((0, 0))
        rows, columns = np.nonzero(blocks)
        return rows, columns

    def balances(self, t: Floats, q: Floats, v: Floats, a: Floats, z: Floats) -> Balances | None:
        """Balances at instants (N,)."""
        at = self._samples(t, q, v, a, z)
        if loop.evaluate_samples(self.rates, at) != loop.DONE:
            return None
        return _balances(at)

    def slips(self, t: Floats, q: Floats, v: Floats) -> Slips | None:
        """Slip and limits of undamped bristles at instants."""
        still = np.zeros((len(t), self.motion.sizes[1]))
        at, c = self._samples(t, q, v, np.zeros_like(q), still), self.motion.stiffness
        if loop.evaluate_contacts(self.rates, at) != loop.DONE:
            return None
        limits = at.limit / c, at.limit_by_q / c[:, None], at.limit_by_v / c[:, None]
        return Slips(at.rate.copy(), at.z_by_q.copy(), at.z_by_v.copy(), *limits)

    def march(
        self, base: Harmonics, series: Floats, omega: float, periods: int
    ) -> tuple[Balances, Floats, Floats, Floats] | None:
        """Balances of the last period, elastic slip (N, s), its derivatives by series and omega."""
        count, s = base.samples, self.motion.sizes[1]
        q, v = base.value @ series, omega * (base.slope @ series)
        a = omega**2 * (base.bend @ series)
        at = self._samples(base.phase / omega, q, v, a, np.zeros((count, s)))
        dz = np.zeros((count, s, series.size + 1))
        slow = count * omega / (4.0 * np.pi)
        marching = loop.Marching(
            value=base.value, slope=base.slope, speed=v, dz=dz, column=np.zeros(s),
            factors=np.zeros(at.z_by_z.shape[1]), pivots=np.zeros(s, dtype=np.int64),
            change=np.zeros(s), now=np.zeros(s),
            numbers=np.array([slow, omega, TOLERANCE, FAST, MAX_ITERATIONS, 0.0]),
        )  # fmt: skip
        why = (
            loop.march_samples(self.rates, at, marching, periods)
            if s
            else loop.evaluate_samples(self.rates, at)
        )
        if why == loop.FAILED:
            return None
        if why != loop.DONE:
            raise SolverError(NOT_FINITE if why == loop.NOT_FINITE else NOT_FOUND)
        return _balances(at), at.z.copy(), dz[:, :, :-1], dz[:, :, -1]

    def steps(self, h: float, by_period: float, linear: bool) -> CompiledSteps | None:
        """Steps of the length h in time; None if LAPACK is faster."""
        n, s, _ = self.motion.sizes
        return CompiledSteps(self, h, by_period, linear) if n + s <= SMALL else None

    def _samples(self, t: Floats, q: Floats, v: Floats, a: Floats, z: Floats) -> loop.Samples:
        """Motion at the samples, with room for the balances, which the next samples take over."""
        if len(t) not in self._rooms:
            while len(self._rooms) >= ROOMS:
                self._rooms.pop(next(iter(self._rooms)))
            self._rooms[len(t)] = self._room(len(t))
        at = self._rooms[len(t)]
        self._place(at, t, q, v)
        at.a[:], at.z[:] = a, z
        return at

    def _room(self, count: int) -> loop.Samples:
        """Arrays for so many samples."""
        size, (n, s, _) = self.motion.system.size, self.motion.sizes
        points = int(self.rates.contacts[:, POINTS].sum())
        states = self.rates.contacts[:, STATES] - 1
        blocks = int(self.rates.contacts[:, POINTS] @ states**2)
        shapes = {
            "t": (), "q": (size,), "v": (size,), "a": (n,), "z": (s,),
            "residual": (n,), "acting": (n,), "by_q": (n, n), "by_v": (n, n), "by_a": (n, n),
            "by_z": (n, s), "rate": (s,), "z_by_q": (s, n), "z_by_v": (s, n), "z_by_z": (blocks,),
            "limit": (points,), "limit_by_q": (points, n), "limit_by_v": (points, n),
        }  # fmt: skip
        return loop.Samples(**{name: np.empty((count, *shape)) for name, shape in shapes.items()})

    def _place(self, at: loop.Samples, t: Floats, q: Floats, v: Floats) -> None:
        """Write coordinates and velocities of all dofs, those of driven ones too."""
        motion, start = self.motion, self.motion.start
        late = (t - start.t)[:, None]
        at.t[:], at.q[:], at.v[:] = t, start.q + late * start.v, start.v
        at.q[:, motion.free] = q + late * motion.speeds
        at.v[:, motion.free] = v + motion.speeds


class CompiledSteps:
    """Steps of the length h, a few at a time; `by_period` is the change of h with the period."""

    def __init__(self, owner: CompiledMotion, h: float, by_period: float, linear: bool) -> None:
        (n, s, _), start, system = owner.motion.sizes, owner.motion.start, owner.motion.system
        self._rates, self._at = owner.rates, owner._room(1)
        self._all = len(supporting(system.items, "kinematics")) == len(system.stateful_contacts)
        size, columns, free = 2 * n + s, (2 * n + s + 1) * linear, n + s
        self._run = walk.Steps(
            x=np.zeros((CHUNK + 1, size)), change=np.zeros((CHUNK + 1, size, columns)),
            told=np.zeros((CHUNK + 1, 2)), q=start.q, v=start.v, speeds=owner.motion.speeds,
            weights=walk.WEIGHTS, base=np.zeros(size), y=np.zeros(free), now=np.zeros(size),
            slopes=np.zeros((3, size)), moved=np.zeros((size, columns)),
            turned=np.zeros((3, size, columns)), J=np.zeros((free, free)),
            pivots=np.zeros(free, dtype=np.int64), right=np.zeros(free), column=np.zeros(size),
            numbers=np.array([h, start.t, LEAST, LEAST, 0.0, 0.0, by_period]),
        )  # fmt: skip

    def start(self, x: Floats, change: Floats, y: Floats) -> None:
        """Go on from a state with its derivatives and, as a guess, accelerations and rates z'."""
        self._run.x[0], self._run.change[0], self._run.y[:] = x, change, y
        self._run.numbers[walk.KEPT] = 0.0

    def go(self, first: int, last: int) -> tuple[Floats, Floats, Floats]:
        """States at the next steps, `CHUNK` at most, with their derivatives and what is told.

        `first` and `last` are the numbers of steps before and at the end. The first state is the
        last one of the call before; what is told of points is that none is open, where it is known.
        """
        run, count = self._run, min(last - first, CHUNK)
        passed = walk.pass_steps(self._rates, self._at, run, first, count)
        if not self._all:
            run.told[:, walk.CARRIED] = 0.0
        found = run.x[: passed + 1].copy(), run.change[: passed + 1].copy(), run.told.copy()
        run.x[0], run.change[0] = run.x[passed], run.change[passed]
        return found


def _balances(at: loop.Samples) -> Balances:
    """Copy them out of the room."""
    parts = (
        at.residual, at.by_q, at.by_v, at.by_a, at.by_z, at.rate, at.z_by_q, at.z_by_v, at.acting
    )  # fmt: skip
    return Balances(*(each.copy() for each in parts))


def _rates(motion: SystemMotion, program: Program) -> loop.Rates:
    """Program, contacts, directions and working space."""
    system, n = motion.rate_system, motion.system.size
    table, directions = _contacts(motion, contact_table(system, program))
    for row in table:
        program.work[row[STATUS] : row[STATUS] + row[POINTS]].view(np.int64)[:] = SLIP
    free = np.full(n, -1, dtype=np.int64)
    free[motion.free] = np.arange(len(motion.free))
    return loop.Rates(
        table=program.table, indices=program.indices, work=program.work, moving=program.moving,
        contacts=table, free=free, directions=directions, constant_mass=program.mass,
        mass=np.zeros((n, n)), turned=np.zeros((n, n)), a=np.zeros(n),
        by_item=np.zeros((len(program.items), n)),
    )  # fmt: skip


def _contacts(motion: SystemMotion, known: Integers) -> tuple[Integers, Floats]:
    """Rows of the contacts with the columns of `samples`, and the directions of their points."""
    rows, parts = [], [np.zeros(0)]
    first = places = blocks = 0
    for row in known.tolist():
        points, k, at = row[POINTS], row[STATES], row[FIRST_Z]
        rows.append([*row, first, places, blocks])
        for p in range(points):
            one = motion.directions[at + p * k : at + (p + 1) * k]
            parts.append(one[:, first + p * (k - 1) : first + (p + 1) * (k - 1)].ravel())
        first, places = first + points * (k - 1), places + points * k * (k - 1)
        blocks += points * (k - 1) ** 2
    table = np.array(rows, dtype=np.int64).reshape(-1, known.shape[1] + 3)
    return table, np.concatenate(parts)
