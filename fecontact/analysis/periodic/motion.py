"""Equations of motion in the form that periodic solutions need, with all derivatives.

    r = M(q) a - f(t, q, v, z) - A^T lam = 0,      z' = Z(t, q, v, z),      0 = c'(t, q, v)

q are the free coordinates, z the elastic slip of stateful contacts. A `Motion` answers for one
instant; `Oscillator` is given by formulas, `SystemMotion` is a system.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Protocol, TypeVar, cast

import numpy as np
from scipy.linalg import block_diag

from fecontact.analysis.periodic.balance import Balance, Balances
from fecontact.analysis.periodic.closing import Closing, ContactGaps
from fecontact.analysis.periodic.compiled_motion import CompiledMotion
from fecontact.analysis.periodic.undamped import Undamped
from fecontact.contact.laws.coefficient import refuse_static
from fecontact.contact.status import SLIP
from fecontact.errors import (
    InputError,
    renamed,
)
from fecontact.joint import PrescribedMotion
from fecontact.system import State, System
from fecontact.system.rate import SystemRate
from fecontact.system.validity import validity
from fecontact.typing import Floats, Integers

__all__ = [
    "Balance",
    "Balances",
    "Motion",
    "Oscillator",
    "SystemMotion",
    "YieldingMotion",
    "beyond_validity",
    "kept_motions",
    "yielding",
]

KEPT = 4
"""Values of a parameter whose motions are kept."""

STEADY = 1e-8
"""Fraction of its speed by which a driven coordinate may leave uniform motion."""


class Motion(Protocol):
    """Equations of motion with n coordinates, s internal variables and m constraint rows."""

    @property
    def sizes(self) -> tuple[int, int, int]:
        """n, s and m."""
        ...

    def residual(
        self, t: float, q: Floats, v: Floats, a: Floats, z: Floats, lam: Floats
    ) -> tuple[Floats, Floats, Floats]:
        """r, z' and c'."""
        ...

    def evaluate(
        self, t: float, q: Floats, v: Floats, a: Floats, z: Floats, lam: Floats
    ) -> Balance:
        """All of it with derivatives."""
        ...

    def bound(self, t: float, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """What the constraints ask of q and v: values (k,), derivatives (k, 2 n)."""
        ...


AnyMotion = TypeVar("AnyMotion", bound=Motion)


class YieldingMotion(Motion):
    """A motion whose bristles have no damper, if `undamped`: they hold up to a limit, then slide.

    Its rate z' is then the slip velocity s of the points, and its force that of bristles which hold
    (T = -c_t z); the return to the limit, |z| <= mu p/c_t, is left to who follows z in time.
    """

    @property
    def undamped(self) -> bool:
        """Whether this holds."""
        return False

    @property
    @abstractmethod
    def points(self) -> Integers:
        """Contact point (s,) to which each component of z belongs."""

    @abstractmethod
    def limit(self, t: float, q: Floats, v: Floats) -> tuple[Floats, Floats, Floats]:
        """Largest elastic slip mu p/c_t of the points (p,), its derivatives by q and v (p, n)."""


def beyond_validity(motion: Motion, frequency: float) -> str:
    """Sentence on a periodic motion faster than its elastic bodies are valid; else empty."""
    if not isinstance(motion, SystemMotion):
        return ""
    limits = validity(motion.system, motion.start.v)
    name = min(limits, key=lambda name: limits[name], default="")
    if not name or frequency <= limits[name]:
        return ""
    return (
        f"the motion at {frequency:.5g} Hz is beyond the validity of '{name}', {limits[name]:.4g} "
        "Hz: keep more modes of it"
    )


def kept_motions(motion: Callable[[float], AnyMotion]) -> Callable[[float], AnyMotion]:
    """The same function of a parameter, which keeps the motions at the last values.

    Equations ask for the motion several times at a value, and then near it.
    """
    return motion if hasattr(motion, "cache_info") else lru_cache(KEPT)(motion)


def yielding(motion: Motion) -> YieldingMotion | None:
    """Return the motion if its bristles have no damper; it need not derive from the class."""
    return cast("YieldingMotion", motion) if getattr(motion, "undamped", False) else None


Force = Callable[[float, Floats, Floats], tuple[Floats, Floats, Floats]]


@dataclass(frozen=True, eq=False)
class Oscillator:
    """Equations M a = f(t, q, v) given by formulas.

    Parameters
    ----------
    mass : (n, n)
        M.
    force
        f (n,), df/dq and df/dv (n, n) at (t, q, v).
    """

    mass: Floats
    force: Force

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Coordinates, no internal variables, no rows."""
        return len(self.mass), 0, 0

    def residual(
        self, t: float, q: Floats, v: Floats, a: Floats, z: Floats, lam: Floats
    ) -> tuple[Floats, Floats, Floats]:
        """M a - f, and nothing else."""
        return self.mass @ a - self.force(t, q, v)[0], np.zeros(0), np.zeros(0)

    def evaluate(
        self, t: float, q: Floats, v: Floats, a: Floats, z: Floats, lam: Floats
    ) -> Balance:
        """M a - f with derivatives."""
        n, none = len(q), np.zeros(0)
        f, by_q, by_v = self.force(t, q, v)
        wide, tall = np.zeros((0, n)), np.zeros((n, 0))
        return Balance(
            self.mass @ a - f, -by_q, -by_v, self.mass, tall,
            none, wide, wide, np.zeros((0, 0)), none, wide, wide,
        )  # fmt: skip

    def bound(self, t: float, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Nothing."""
        return np.zeros(0), np.zeros((0, 2 * len(q)))


@renamed(number="index")
class SystemMotion(YieldingMotion, Closing):
    """A system, with the elastic slip of its contacts by the continuous friction law.

    Coordinates that a `PrescribedMotion` drives at constant speed run with it; the others are free.
    Of the elastic slip the parts along the surfaces at the start are kept: what a surface that
    tilts adds is of second order in the tilt. Bristles without damper have no rate: harmonic
    balance takes their return map (`YieldingMotion`), shooting refuses them.

    Parameters
    ----------
    system
        Without bodies of three rotations. Friction coefficients must not depend on whether a point
        sticks: instead of a static value, a `Stribeck` law falls with the speed.
    start
        On the constraints; by default the consistent state nearest to the reference position.
    speeds
        Mean speeds of free coordinates that run on, such as "shaft.spin": their deviation from
        uniform motion is what is periodic, and what q and v stand for.

    Attributes
    ----------
    free, driven
        Indices of the free and driven dofs.
    kept
        Indices of the constraint rows that remain.
    """

    def __init__(
        self, system: System, start: State | None = None, speeds: Mapping[str, float] | None = None
    ) -> None:
        self.system = system
        layout = system.history_layout
        state = system.consistent(layout.filled(system.rest())).state if start is None else start
        self.start = layout.filled(state)
        if len(state.q) != system.size:
            raise InputError(
                "periodic solutions need vector coordinates: a body with three rotations has none; "
                "use the dofs of a rotor (rx, ry, spin)"
            )
        for item in system.stateful_contacts:
            _refuse_static(item)
        self._held = Undamped.of(system)
        self._rate_system = system if self._held is None else self._held.system
        self.status = np.full_like(self.start.status, SLIP)
        self.directions = self._along_surfaces()
        self._gaps = ContactGaps(system)
        self.driven, self.kept = self._driven()
        self.free = np.setdiff1d(np.arange(system.size), self.driven)
        self.speeds = np.zeros(len(self.free))
        for name, speed in (speeds or {}).items():
            self.speeds[self.index(name)] = speed

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Free coordinates, components of elastic slip, rows."""
        return len(self.free), self.directions.shape[1], len(self.kept)

    @property
    def undamped(self) -> bool:
        """Whether the bristles have no damper, see `YieldingMotion`."""
        return self._held is not None

    @cached_property
    def compiled(self) -> CompiledMotion | None:
        """The motion at many instants by a compiled program; None if a part has no such form."""
        return CompiledMotion.of(self)

    @property
    def rate_system(self) -> System:
        """The system whose contacts are those of the rate form, see `YieldingMotion`."""
        return self._rate_system

    @property
    def stiffness(self) -> Floats:
        """Stiffness (p,) of undamped bristles, see `limit`; without them none."""
        return np.zeros(0) if self._held is None else self._held.stiffness

    @cached_property
    def points(self) -> Integers:
        """Contact point (s,) to which each component of z belongs."""
        return np.asarray(np.abs(self.directions).argmax(axis=0) // 3)

    def limit(self, t: float, q: Floats, v: Floats) -> tuple[Floats, Floats, Floats]:
        """Largest elastic slip of the points, and its derivatives, of undamped bristles."""
        assert self._held is not None
        state = self.state(t, q, v, np.zeros(self.directions.shape[1]))
        value, by_q, by_v = self._held.limit(state)
        return value, by_q[:, self.free], by_v[:, self.free]

    def index(self, name: str) -> int:
        """Index of a free coordinate by its name "body.dof"."""
        names = [self.system.coordinates[i] for i in self.free]
        if name not in names:
            raise InputError(f"unknown free coordinate '{name}'; known: {', '.join(names)}")
        return names.index(name)

    def state(self, t: float, q: Floats, v: Floats, z: Floats) -> State:
        """State of the system for free coordinates, velocities and components of z."""
        start, full_q, full_v = self.start, self.start.q.copy(), self.start.v.copy()
        full_q += (t - start.t) * full_v
        full_q[self.free] = q + (t - start.t) * self.speeds
        full_v[self.free] = v + self.speeds
        return replace(start, t=t, q=full_q, v=full_v, z=self.directions @ z, status=self.status)

    def packed(self, state: State) -> Floats:
        """Free coordinates, velocities and components of z of a state, in one row."""
        z, way = self.system.history_layout.filled(state).z, (state.t - self.start.t) * self.speeds
        q, v = state.q[self.free] - way, state.v[self.free] - self.speeds
        return np.concatenate([q, v, self.directions.T @ z])

    def residual(
        self, t: float, q: Floats, v: Floats, a: Floats, z: Floats, lam: Floats
    ) -> tuple[Floats, Floats, Floats]:
        """r, z' and c'."""
        known = None if self.compiled is None else self.compiled.balance(t, q, v, a, z)
        if known is not None:
            return known.residual, known.rate, known.rows
        rates = self._rate_system.rate_form(self.state(t, q, v, z))
        mass = self.system.mass_matrix(rates.state.q)[np.ix_(self.free, self.free)]
        residual = mass @ a - rates.force[self.free]
        rate, rows = self._rate(rates), np.zeros(0)
        if len(self.kept):
            now = self.system.constraint(rates.state)
            residual -= now.jacobian[self.kept][:, self.free].T @ lam
            rows = now.rate[self.kept]
        return residual, rate, rows

    def evaluate(
        self, t: float, q: Floats, v: Floats, a: Floats, z: Floats, lam: Floats
    ) -> Balance:
        """r, z' and c' with derivatives."""
        known = None if self.compiled is None else self.compiled.balance(t, q, v, a, z)
        if known is not None:
            return known
        system, free, T = self.system, self.free, self.directions
        rates = self._rate_system.rate_form(self.state(t, q, v, z))
        state, by, both = rates.state, rates.tangents(), np.ix_(free, free)
        mass, full_a = system.mass_matrix(state.q)[both], np.zeros(system.size)
        full_a[free] = a
        by_q = (system.d_inertia(state.q, full_a) - by.force_by_q)[both]
        residual = mass @ a - rates.force[free]
        acting = np.abs(mass) @ np.abs(a) + np.abs(rates.forces[:, free]).sum(axis=0)
        rows, rows_by_q, rows_by_v = np.zeros(0), *np.zeros((2, 0, len(free)))
        if len(self.kept):
            now, full = system.constraint(state), np.zeros(len(system.rows))
            full[self.kept] = lam
            rows_by_q, rows_by_v = (
                part[self.kept][:, free] for part in (now.d_rate(), now.jacobian)
            )
            by_q = by_q - now.d_load(full)[both]
            residual, rows = residual - rows_by_v.T @ lam, now.rate[self.kept]
            acting += np.abs(rows_by_v).T @ np.abs(lam)
        return Balance(
            residual, by_q, -by.force_by_v[both], mass, -by.force_by_z[free] @ T,
            self._rate(rates), T.T @ by.z_rate_by_q[:, free], T.T @ by.z_rate_by_v[:, free],
            T.T @ by.z_rate_by_z @ T, rows, rows_by_q, rows_by_v, acting,
        )  # fmt: skip

    def bound(self, t: float, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Rows c = 0 of position level and c' = 0 of all kept rows, with derivatives."""
        nothing = np.zeros(self.directions.shape[1])
        now = self.system.constraint(self.state(t, q, v, nothing))
        A, turned = (part[self.kept][:, self.free] for part in (now.jacobian, now.d_rate()))
        positional = self.system.position_rows[self.kept]
        values = np.concatenate([now.value[self.kept][positional], now.rate[self.kept]])
        return values, np.block([[A[positional], np.zeros_like(A[positional])], [turned, A]])

    def gaps(self, t: float, q: Floats) -> Floats:
        """Gaps (p,) in m of the contact points."""
        return self._gaps.at(self._on_constraints(t, q))

    def gap_change(self, t: float, q: Floats, index: int) -> tuple[Floats, float]:
        """Derivatives of one gap by the free coordinates (n,) and by time."""
        row = self._gaps.change(self._on_constraints(t, q), index)
        return row[self.free], float(row[self.driven] @ self.start.v[self.driven])

    def _on_constraints(self, t: float, q: Floats) -> State:
        """State at coordinates, without velocities of its own."""
        return self.state(t, q, self.start.v[self.free], np.zeros(self.directions.shape[1]))

    def _rate(self, rates: SystemRate) -> Floats:
        return self.directions.T @ rates.z_rate if self.directions.size else np.zeros(0)

    def _along_surfaces(self) -> Floats:
        """Orthonormal columns (z, s): elastic slip along the surfaces, and states of layers."""
        layout, blocks = self.system.history_layout, []
        for name, report in self.system.rate_form(self.start).reports().items():
            columns = layout.shapes[name][1]
            for normal in report.normal:
                across = np.zeros((columns, 1))
                across[:3, 0] = normal
                blocks.append(np.linalg.qr(across, mode="complete")[0][:, 1:])
        if not blocks:
            return np.zeros((0, 0))
        return np.asarray(block_diag(*blocks), dtype=float)

    def _driven(self) -> tuple[Integers, Integers]:
        """Dofs that a motor alone drives, and the rows that remain."""
        system, start = self.system, self.start
        if not system.rows:
            return np.zeros(0, dtype=int), np.zeros(0, dtype=int)
        bound, prescribed = system.constraint(start).jacobian != 0.0, np.zeros(len(system.rows))
        for item in system.constraints:
            prescribed[system.row_slices[item.name]] = isinstance(item, PrescribedMotion)
        single = np.flatnonzero((bound.sum(axis=1) == 1) & (prescribed > 0))
        dofs, first = np.unique(bound[single].argmax(axis=1), return_index=True)
        single = single[first]
        later = replace(start, t=start.t + 1.0, q=start.q + start.v)
        off = np.abs(system.constraint(later).rate[single])
        if np.any(off > STEADY * np.abs(start.v).max(initial=1.0)):
            name = system.rows[single[int(np.argmax(off))]]
            raise InputError(
                f"{name}: invalid motion of a driven coordinate: expected constant speed; for "
                "another motion drive it through a spring with a periodic load"
            )
        return dofs, np.setdiff1d(np.arange(len(system.rows)), single)


def _refuse_static(item: object) -> None:
    """Friction that jumps when a point lets go has no smooth return to the start of a period."""
    law = getattr(getattr(item, "friction", None), "coefficient", None)
    if law is not None:
        refuse_static(law, "periodic solutions", f"{getattr(item, 'name', 'contact')}: ")
