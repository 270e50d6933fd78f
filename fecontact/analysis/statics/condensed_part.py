"""Full finite-element bodies of a system, condensed on the unknowns of its contacts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from fecontact.analysis.statics.nodal_contact import touched
from fecontact.body.base import as_body
from fecontact.body.fe_body import FEBody
from fecontact.contact.pair import ContactPair
from fecontact.errors import InputError
from fecontact.joint.fe_load import DeadLoad, SupportMotion
from fecontact.joint.load import Gravity
from fecontact.reduction.condensation import Interior
from fecontact.system import System
from fecontact.typing import Floats, Integers

__all__ = ["CondensedPart", "Layout", "condensed_parts"]


@dataclass(frozen=True, eq=False)
class CondensedPart:
    """A full body in the unknowns of its contacts.

    Attributes
    ----------
    body
        The body.
    kept : (m,)
        Its dofs that are unknowns, sorted.
    loads
        Dead loads on it, each with the slice of its force that belongs to this body.
    """

    body: FEBody
    kept: Integers
    loads: Sequence[tuple[DeadLoad | Gravity, slice]]
    _last: dict[float, tuple[Floats, Floats]] = field(init=False, repr=False, default_factory=dict)

    @property
    def stiffness(self) -> Floats:
        """K_s (m, m)."""
        return self._condensed[0]

    @cached_property
    def translations(self) -> Floats:
        """Kept unknowns (m, 3) per translation along x, y, z."""
        return self.body.translations[self.kept]

    def load(self, t: float) -> Floats:
        """Load f_s (m,) on the kept unknowns."""
        return self._at(t)[0]

    def displacement(self, t: float, u: Floats) -> Floats:
        """Displacement of all dofs of the body from that of the kept ones."""
        full = self._condensed[1].displacement(u, self._at(t)[1])
        return full[self.body.model.free]

    def all_unknowns(self, t: float, u: Floats) -> Floats:
        """Displacement of all unknowns of the model, those that supports move included."""
        full = self._condensed[1].displacement(u, self._at(t)[1])
        for load, _ in self.loads:
            if isinstance(load, SupportMotion):
                full = full + load.displaced(t)
        return full

    @cached_property
    def _condensed(self) -> tuple[Floats, Interior]:
        return self.body.condensed(self.body.model.free[self.kept])

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
    small
        Those of the bodies that are not condensed.
    reference
        Coordinates of the reference position.
    """

    q: dict[str, slice]
    v: dict[str, slice]
    size: int
    small: Integers
    reference: Floats

    @staticmethod
    def of(system: System, kept: Mapping[str, Integers]) -> Layout:
        """Bodies in the order of the system."""
        parts = {body.name: body.reference() for body in system.bodies}
        parts |= {name: parts[name][own] for name, own in kept.items()}
        dofs = {b.name: len(kept.get(b.name, b.dofs)) for b in system.bodies}
        v = _slices(dofs)
        small = [np.r_[part] for name, part in v.items() if name not in kept]
        numbers = np.concatenate([np.zeros(0, dtype=np.int64), *small]).astype(np.int64)
        q = _slices({name: len(part) for name, part in parts.items()})
        return Layout(q, v, sum(dofs.values()), numbers, np.concatenate(list(parts.values())))


def _slices(sizes: Mapping[str, int]) -> dict[str, slice]:
    ends = np.cumsum([0, *sizes.values()]).tolist()
    return {name: slice(a, b) for name, a, b in zip(sizes, ends[:-1], ends[1:], strict=True)}


def condensed_parts(system: System, pairs: Sequence[ContactPair]) -> dict[str, CondensedPart]:
    """Full finite-element bodies of a system; what acts on them beside contacts are dead loads."""
    full = {
        body.name: own
        for body in system.bodies
        if (own := as_body(body).finite_elements) is not None
    }
    loads: dict[str, list[tuple[DeadLoad | Gravity, slice]]] = {name: [] for name in full}
    for constraint in system.constraints:
        _refuse_on([body.name for body in constraint.bodies if body.name in full], constraint.name)
    for item in system.items[len(system.bodies) :]:
        on = [body.name for body in item.bodies if body.name in full]
        if isinstance(item, ContactPair) or not on:
            continue
        if not isinstance(item, DeadLoad | Gravity):
            _refuse_on(on, item.name)
            continue
        if len(on) < len(item.bodies):
            raise InputError(
                f"{item.name}: invalid bodies: expected full finite-element ones or others, not "
                f"both; give '{on[0]}' a load of its own"
            )
        parts = _slices({body.name: len(body.dofs) for body in item.bodies})
        for name, part in parts.items():
            loads[name].append((item, part))
    kept: dict[str, list[Integers]] = {name: [np.zeros(0, dtype=np.int64)] for name in full}
    for pair in pairs:
        for name, dofs in touched(pair).items():
            kept[name].append(dofs.astype(np.int64))
    return {
        name: CondensedPart(body, np.unique(np.concatenate(kept[name])), loads[name])
        for name, body in full.items()
    }


def _refuse_on(bodies: Sequence[str], name: str) -> None:
    """Only dead loads and contacts act on full bodies."""
    if bodies:
        raise InputError(
            f"{name}: invalid body '{bodies[0]}': expected a dead load (NodalLoad, SurfaceLoad, "
            "SupportMotion, Gravity) on a full finite-element body; reduce the body for joints"
        )
