"""Full finite-element bodies of a system, condensed on what contacts and joints need of them.

Kept are the unknowns u_c of contacts. Markers, w = B u, add attachment shapes: the displacement of
the other unknowns, with u_c held, under loads on the markers,

    u_i = -K_ii^-1 K_ic u_c + A a + K_ii^-1 f_i,      A = K_ii^-1 B_i^T V .

All equilibria are of this form, so that nothing is lost; both kinds of shapes are orthogonal in
energy, and A^T K_ii A is diagonal. V leaves out combinations of loads that do not deform the body:
markers at held nodes, or two of them in one place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from fecontact.analysis.statics.marker_body import MarkerBody, points_of
from fecontact.analysis.statics.nodal_contact import touched
from fecontact.body.base import as_body
from fecontact.body.fe_body import FEBody
from fecontact.contact.pair import ContactPair
from fecontact.errors import InputError
from fecontact.joint.loads.fe_load import DeadLoad, SupportMotion
from fecontact.joint.loads.load import Gravity
from fecontact.reduction.condensation import Interior
from fecontact.system import System
from fecontact.typing import Floats, Integers

__all__ = ["CondensedPart", "Layout", "condensed_parts"]

DEPENDENT = 1e-13
"""Compliance of a combination of marker loads, each of compliance 1, that counts as none."""

HELD = 1e-6
"""Energy of a rigid motion, relative to the stiffness, below which supports may not hold it."""


class Attached(NamedTuple):
    """Attachment shapes (inner, r), their stiffness (r,), and K_ii^-1 B_i^T (inner, 6 k)."""

    shapes: Floats
    stiffness: Floats
    flexibility: Floats


@dataclass(frozen=True, eq=False)
class CondensedPart:
    """A full body in the unknowns of its contacts and the amplitudes of its attachment shapes.

    Attributes
    ----------
    body
        The body.
    kept : (m,)
        Its dofs that are unknowns, sorted.
    loads
        Dead loads on it, each with the slice of its force that belongs to this body.
    markers
        Where joints and other loads hold it; None if there are none.
    """

    body: FEBody
    kept: Integers
    loads: Sequence[tuple[DeadLoad | Gravity, slice]]
    markers: MarkerBody | None = None
    _last: dict[float, tuple[Floats, Floats]] = field(init=False, repr=False, default_factory=dict)

    @cached_property
    def size(self) -> int:
        """Number m + r of its unknowns."""
        return len(self.kept) + len(self._attached.stiffness)

    @cached_property
    def stiffness(self) -> Floats:
        """Stiffness (m + r, m + r): K_s, then the diagonal one of the attachment shapes."""
        return np.asarray(la.block_diag(self._condensed[0], np.diag(self._attached.stiffness)))

    @cached_property
    def marker_stiffness(self) -> float:
        """Force in N per m on the marker that yields most; 0 without one."""
        motion, flexibility = self._inner_motion, self._attached.flexibility
        yields = np.asarray(motion.multiply(flexibility.T).sum(axis=1)).reshape(-1, 6)[:, :3]
        largest = float(yields.max(initial=0.0))
        return 1.0 / largest if largest > 0.0 else 0.0

    @cached_property
    def translations(self) -> Floats:
        """Unknowns (m + r, 3) per translation along x, y, z."""
        return self.padded(self.body.translations[self.kept])

    def padded(self, kept: Floats) -> Floats:
        """Kept unknowns with zero amplitudes of attachment shapes."""
        return np.concatenate([kept, np.zeros((self.size - len(kept), *kept.shape[1:]))])

    @cached_property
    def marker_motion(self) -> Floats:
        """W (6 k, m + r): coordinates of the markers per unknown."""
        if self.markers is None:
            return np.zeros((0, self.size))
        inside, flexibility = self._condensed[1], self._attached.flexibility
        own = self.markers.motion[:, self.kept].toarray() - flexibility.T @ inside.coupling
        return np.hstack([own, self._inner_motion @ self._attached.shapes])

    def marker_shift(self, t: float) -> Floats:
        """w_0 (6 k,): coordinates of the markers that dead loads give with all unknowns held."""
        return np.asarray(self._attached.flexibility.T @ self._at(t)[1][self._condensed[1].inner])

    def load(self, t: float) -> Floats:
        """Load f_s on the unknowns; that on attachment shapes is in the shift of the markers."""
        return self.padded(self._at(t)[0])

    def displacement(self, t: float, y: Floats) -> Floats:
        """Displacement of all dofs of the body from its unknowns."""
        return self._displaced(t, y)[self.body.model.free]

    def all_unknowns(self, t: float, y: Floats) -> Floats:
        """Displacement of all unknowns of the model, those that supports move included."""
        return self._displaced(t, y) + self.supports_at(t)

    def supports_at(self, t: float) -> Floats:
        """Displacement of all unknowns of the model that supports move."""
        moved = np.zeros(self.body.model.stiffness.shape[0])
        for load, _ in self.loads:
            if isinstance(load, SupportMotion):
                moved += load.displaced(t)
        return moved

    def _displaced(self, t: float, y: Floats) -> Floats:
        inside, m = self._condensed[1], len(self.kept)
        full = inside.displacement(y[:m], self._at(t)[1])
        full[inside.inner] += self._attached.shapes @ y[m:]
        return full

    @cached_property
    def _condensed(self) -> tuple[Floats, Interior]:
        return self.body.condensed(self.body.model.free[self.kept])

    @cached_property
    def _inner_motion(self) -> sp.csr_array:
        """B_i (6 k, inner)."""
        free, inner = self.body.model.free, self._condensed[1].inner
        if self.markers is None:
            return sp.csr_array((0, len(inner)))
        return sp.csr_array(self.markers.motion[:, np.searchsorted(free, inner)])

    @cached_property
    def _attached(self) -> Attached:
        inside, B = self._condensed[1], self._inner_motion
        X = inside.solve(B.T.toarray()) if B.nnz else np.zeros(B.shape[::-1])
        compliance = B @ X
        own = np.diag(compliance)
        scale = np.where(own > 0.0, 1.0 / np.sqrt(np.where(own > 0.0, own, 1.0)), 0.0)
        values, V = la.eigh(0.5 * (compliance + compliance.T) * np.outer(scale, scale))
        good = values > DEPENDENT
        V = scale[:, None] * V[:, good]
        shapes = X @ V
        largest = np.abs(shapes).max(axis=0, initial=0.0)
        return Attached(shapes / largest, values[good] / largest**2, X)

    def _at(self, t: float) -> tuple[Floats, Floats]:
        """Load on the kept and on all unknowns of the model; that of the last t is kept."""
        if t not in self._last:
            force = np.zeros(self.body.model.stiffness.shape[0])
            for load, part in self.loads:
                q = np.concatenate([body.reference() for body in load.bodies])
                force[self.body.model.free] += load.force(t, q, np.zeros(len(q)))[part]
            given = self._condensed[1].load(force) if force.any() else np.zeros(len(self.kept))
            self._last.clear()
            self._last[t] = given, force
        return self._last[t]


@dataclass(frozen=True, eq=False)
class Layout:
    """Unknowns of a system with condensed bodies.

    Attributes
    ----------
    q, v
        Body name -> its part of the coordinates and of the dofs that are kept.
    size
        Number of kept dofs.
    reference
        Coordinates of the reference position.
    """

    q: dict[str, slice]
    v: dict[str, slice]
    size: int
    reference: Floats

    @staticmethod
    def of(system: System, full: Mapping[str, CondensedPart]) -> Layout:
        """Bodies in the order of the system."""
        parts = {body.name: body.reference() for body in system.bodies}
        parts |= {name: part.padded(parts[name][part.kept]) for name, part in full.items()}
        dofs = {b.name: len(b.dofs) for b in system.bodies}
        dofs |= {name: part.size for name, part in full.items()}
        v = _slices(dofs)
        q = _slices({name: len(part) for name, part in parts.items()})
        return Layout(q, v, sum(dofs.values()), np.concatenate(list(parts.values())))


def _slices(sizes: Mapping[str, int]) -> dict[str, slice]:
    ends = np.cumsum([0, *sizes.values()]).tolist()
    return {name: slice(a, b) for name, a, b in zip(sizes, ends[:-1], ends[1:], strict=True)}


class Members(NamedTuple):
    """Full bodies by name, and what acts beside their contacts and dead loads."""

    full: dict[str, CondensedPart]
    acting: list[Any]


def condensed_parts(system: System, pairs: Sequence[ContactPair]) -> Members:
    """Full finite-element bodies of a system, with the dead loads and markers on them."""
    full = {
        body.name: own
        for body in system.bodies
        if (own := as_body(body).finite_elements) is not None
    }
    loads: dict[str, list[tuple[DeadLoad | Gravity, slice]]] = {name: [] for name in full}
    acting: list[Any] = []
    for item in system.items[len(system.bodies) :]:
        on = [body.name for body in item.bodies if body.name in full]
        if isinstance(item, ContactPair):
            continue
        if not on or not isinstance(item, DeadLoad | Gravity):
            acting.append(item)
            continue
        parts = _slices({body.name: len(body.dofs) for body in item.bodies})
        for name in on:
            loads[name].append((item, parts[name]))
        others = [body for body in item.bodies if body.name not in full]
        if others and isinstance(item, Gravity):
            acting.append(replace(item, bodies=others))
    points = points_of([*acting, *system.constraints], {id(body): body for body in full.values()})
    kept: dict[str, list[Integers]] = {name: [np.zeros(0, dtype=np.int64)] for name in full}
    for pair in pairs:
        for name, dofs in touched(pair):
            kept[name].append(dofs.astype(np.int64))
    found = {}
    for name, body in full.items():
        markers = MarkerBody(body, points[name]) if points[name] else None
        if markers is not None:
            _refuse_moved_supports(markers, loads[name])
        unknowns = _holding(body, np.unique(np.concatenate(kept[name])))
        found[name] = CondensedPart(body, unknowns, loads[name], markers)
    return Members(found, acting)


def _holding(body: FEBody, kept: Integers) -> Integers:
    """Kept dofs, with those of a free body that hold it while the others are eliminated."""
    free = body.model.rigid_body_modes()[body.model.free]
    size = np.linalg.norm(free, axis=0)
    moves = free[:, size > 0.0] / size[size > 0.0]
    energy, turn = la.eigh(moves.T @ (body.stiffness @ moves))
    loose = moves @ turn[:, energy < HELD * sp.linalg.norm(body.stiffness)]
    rank = np.linalg.matrix_rank(loose[kept], tol=HELD * np.sqrt(len(kept) / max(len(free), 1)))
    if rank == loose.shape[1]:
        return kept
    pivots = la.qr(loose.T, mode="r", pivoting=True)[1][: loose.shape[1]]
    return np.union1d(kept, pivots).astype(np.int64)


def _refuse_moved_supports(
    markers: MarkerBody, loads: Sequence[tuple[DeadLoad | Gravity, slice]]
) -> None:
    """Refuse a marker that a `SupportMotion` would have to carry along."""
    body = markers.full
    for load, _ in loads:
        if not isinstance(load, SupportMotion):
            continue
        for point in markers.points:
            moved = body.motion_by_all(point) @ load.displacement
            if np.any(moved):
                raise InputError(
                    f"{load.name}: invalid point {point} of '{body.name}', which moved supports "
                    "hold: expected joints and loads at free nodes"
                )
