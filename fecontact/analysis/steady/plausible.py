"""Before Newton's method: loads that nothing balances, and contacts the wrong way round.

A direction d in which no spring or joint holds a body can only be balanced by contacts. Two things
make that impossible, whatever the solver does, and both are seen on the ray q + s d:

- no force, no gap and no slip velocity changes along it: nothing holds the body there,
- the load pushes along it, and nothing pushes back at any distance s: the load pulls the contacts
  apart, or the normal of a master points the wrong way.

Distances go up to 10 m or 3 rad, from 1 mm on in steps of 15 %: what is smaller than that fraction
of its distance is passed over.
Directions are the single coordinates, and common translations of all bodies that are coupled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from fecontact.body.base import as_body
from fecontact.body.rigid import TRANSLATIONS
from fecontact.contact.kinematics.relative import ContactKinematics
from fecontact.contact.pair import ContactPair
from fecontact.errors import InputError, SolverError, warn_caller
from fecontact.system import State, System
from fecontact.typing import Floats

__all__ = [
    "Held",
    "Ray",
    "check_facing",
    "check_held",
    "check_normals",
    "check_system",
    "no_slip",
    "only_friction",
    "resting",
    "warn_never_closed",
    "warn_no_load",
]

NEAR = (1e-6, 1e-3, 0.1)
"""Distances in m or rad that are looked at first."""

FAR = (*np.geomspace(1e-6, 1e-3, 11).tolist(), *np.geomspace(1e-3, 10.0, 67)[1:].tolist())
"""Distances that are looked at before something is refused."""

LARGEST_TURN = 3.0
"""Largest angle in rad."""

SAME = 1e-6
"""Relative change of a force that is none; change of a gap per distance."""

FREE = 1e-12
"""Fraction of the stiffness below which a direction has none."""

FACING = 0.5
"""Cosine between the normals of slave and master from which they point the same way."""


@dataclass(frozen=True, eq=False)
class Ray:
    """A direction in which only contacts can hold.

    Attributes
    ----------
    name
        In words: "along block.uz".
    step
        Change of the unknowns per m or rad.
    push
        Load in N or N m along it, without contacts.
    turns
        Whether it is a rotation.
    touches
        Whether what moves has a contact: friction that sticks may hold it.
    """

    name: str
    step: Floats
    push: float
    turns: bool = False
    touches: bool = True

    def distances(self, ladder: Sequence[float]) -> Iterator[float]:
        """Those that make sense."""
        return (s for s in ladder if not self.turns or s <= LARGEST_TURN)


@dataclass(frozen=True, eq=False)
class Held:
    """What holds a problem along rays from its first guess.

    Attributes
    ----------
    force
        All forces at a change of the unknowns; a `SolverError` if the contact refuses it.
    contacts
        Kinematics of each contact at a change of the unknowns.
    sliding
        Whether friction has its sliding value, so that it holds nothing in place.
    """

    force: Callable[[Floats], Floats]
    contacts: Callable[[Floats], Mapping[str, ContactKinematics]]
    sliding: bool

    def unresisted(self, ray: Ray) -> bool:
        """Whether the load pushes along a ray and is balanced at no distance."""
        direction = ray.step if ray.push > 0.0 else -ray.step
        enough = (1.0 - SAME) * abs(ray.push)

        def pushes(s: float) -> bool:
            try:
                return bool(self.force(s * direction) @ direction >= enough)
            except SolverError:  # a contact is pressed, or left
                return False

        return all(pushes(s) for ladder in (NEAR, FAR) for s in ray.distances(ladder))

    def indifferent(self, ray: Ray) -> bool:
        """Whether no force, gap or slip changes along a ray, to both sides."""
        here, at = self.force(0.0 * ray.step), self.contacts(0.0 * ray.step)
        size = SAME * max(float(np.linalg.norm(here)), abs(ray.push))

        def same(s: float) -> bool:
            try:
                force, there = self.force(s * ray.step), self.contacts(s * ray.step)
            except SolverError:
                return False
            moved = any(_differ(at[name], there[name], SAME * abs(s)) for name in at)
            return not moved and float(np.linalg.norm(force - here)) <= size

        ladders = (NEAR, FAR)
        return all(same(s) and same(-s) for each in ladders for s in ray.distances(each))

    def opened(self, ray: Ray) -> list[str]:
        """Names of the contacts whose gaps the load opens along a ray."""
        s = NEAR[0]
        direction = ray.step if ray.push > 0.0 else -ray.step
        here, there = self.contacts(0.0 * direction), self.contacts(s * direction)
        return [name for name in here if _growth(here[name], there[name]) > SAME * s]


def _growth(here: ContactKinematics, there: ContactKinematics) -> float:
    """Largest growth in m of the gap of a point."""
    both = np.isfinite(here.gap) & np.isfinite(there.gap)
    return float(np.max(there.gap[both] - here.gap[both], initial=0.0))


def _differ(here: ContactKinematics, there: ContactKinematics, allowed: float) -> bool:
    """Whether a gap or a slip velocity has changed."""
    open_here, open_there = np.isinf(here.gap), np.isinf(there.gap)
    if np.any(open_here != open_there):
        return True
    change = np.abs(np.where(open_here, 0.0, there.gap) - np.where(open_here, 0.0, here.gap))
    speed = float(np.abs(here.slip).max(initial=0.0))
    slip = np.abs(there.slip - here.slip).max(initial=0.0)
    return bool(change.max(initial=0.0) > allowed or slip > SAME * speed)


def check_held(held: Held, rays: Sequence[Ray]) -> None:
    """Raise if nothing balances the load along a ray."""
    for ray in rays:
        if ray.push and held.unresisted(ray):
            names = held.opened(ray)
            if names:
                contacts = ", ".join(f"'{name}'" for name in names)
                raise SolverError(
                    f"the load of {abs(ray.push):.3g} {_unit(ray)} {ray.name} pulls {contacts} "
                    "apart, and nothing else holds it; reverse the load, or the normal of the "
                    "master, which points out of its material to the slave (Plane(normal=...))"
                )
            if held.sliding or not ray.touches:
                raise _not_held([ray])
    if held.sliding:
        free = [ray for ray in rays if held.indifferent(ray)]
        if free:
            raise _not_held(free)


def _unit(ray: Ray) -> str:
    return "N m" if ray.turns else "N"


def _not_held(rays: Sequence[Ray]) -> SolverError:
    names = ", ".join(ray.name for ray in rays)
    return SolverError(
        f"nothing holds the system {names}: no spring, joint or contact has a stiffness there, and "
        "sliding friction has none; add one (Bearing, Bushing, a joint), prescribe the motion, or "
        "leave out the dof"
    )


def resting(system: System, state: State) -> list[str]:
    """Names of contacts with friction none of whose points slips: it has no direction there."""
    names = []
    for pair in (item for item in system.items if isinstance(item, ContactPair)):
        slip = pair.kinematics(*system.local(pair, state), state.t).slip
        if slip.any():
            continue
        try:
            pair.friction.traction(np.ones(len(slip)), slip)
        except SolverError:
            names.append(pair.name)
    return names


def no_slip(names: Sequence[str]) -> SolverError:
    """Error for contacts at rest in a steady state that slides."""
    shown = ", ".join(f"'{name}'" for name in names)
    return SolverError(
        f"no sliding state: contact {shown} has no slip velocity, and friction no direction; "
        "give the bodies different speeds (spin=, PrescribedMotion, a MovingFrame), or find the "
        "balance at rest by load_path(system, ...) with ElastoPlastic friction"
    )


def check_facing(name: str, normals: Floats | None, at: ContactKinematics) -> None:
    """Raise if all facets of a slave look the way the normal of the master does.

    Parameters
    ----------
    name
        Of the contact.
    normals : (p, 3) or None
        Outward normals of the slave at its points, in space; None if they are not known.
    at
        Kinematics of the points.
    """
    if normals is None or not np.isfinite(at.gap).any():
        return
    cosine = np.einsum("pi,pi->p", normals, at.normal)[np.isfinite(at.gap)]
    if cosine.min() > FACING:
        x, y, z = (float(value) for value in at.normal.mean(axis=0).round(3) + 0.0)
        raise InputError(
            f"contact '{name}': the facets of the slave look the same way as the master, whose "
            f"normal is ({x:g}, {y:g}, {z:g}); it must point out of the master's material to the "
            "slave: turn it round (Plane(normal=...)), or take the opposite face"
        )


def warn_no_load(names: Sequence[str]) -> None:
    """Warn of contacts that carry nothing because there is no load."""
    if names:
        shown = ", ".join(f"'{name}'" for name in names)
        warn_caller(
            f"no load acts: contact {shown} carries nothing; press the bodies together with a "
            "Force, Gravity, a spring's preload or a prescribed motion"
        )


def warn_never_closed(names: Sequence[str]) -> None:
    """Warn of contacts that never touch along a path of loads."""
    if names:
        shown = ", ".join(f"'{name}'" for name in names)
        warn_caller(
            f"contact {shown} touches nowhere along the path and carries nothing: is the gap too "
            "large, or the sign of the load, of the motion or of the master's normal wrong?"
        )


def check_system(
    system: System, state: State, basis: Floats | None = None, sliding: bool = True
) -> None:
    """Raise if a system cannot be in balance near a first guess, before it is searched for.

    Parameters
    ----------
    system, state
        The system at the first guess.
    basis : (n, k)
        Motions that the constraints leave; all by default.
    sliding
        Whether friction slides; else it may hold a body in place.
    """
    pairs = [item for item in system.items if isinstance(item, ContactPair)]
    rays = _rays(system, state, pairs, basis)

    def moved(step: Floats) -> State:
        return replace(state, q=system.move(state.q, step))

    def contacts(step: Floats) -> dict[str, ContactKinematics]:
        there = moved(step)
        return {p.name: p.kinematics(*system.local(p, there), there.t) for p in pairs}

    check_held(Held(lambda step: system.force(moved(step)), contacts, sliding), rays)


def only_friction(system: System, state: State, basis: Floats | None = None) -> list[str]:
    """Names of directions in which neither spring nor joint nor pressure holds, only friction."""
    pairs = [item for item in system.items if isinstance(item, ContactPair)]

    def gaps(step: Floats) -> list[Floats]:
        there = replace(state, q=system.move(state.q, step))
        return [p.kinematics(*system.local(p, there), there.t).gap for p in pairs]

    here = gaps(np.zeros(system.size))
    return [
        ray.name
        for ray in _rays(system, state, pairs, basis)
        if ray.touches and _same_gaps(here, gaps(NEAR[1] * ray.step), SAME * NEAR[1])
    ]


def _same_gaps(here: Sequence[Floats], there: Sequence[Floats], allowed: float) -> bool:
    """Whether all gaps are those that they were."""
    pairs = zip(here, there, strict=True)
    return all(np.allclose(a, b, rtol=0.0, atol=allowed) for a, b in pairs)


def check_normals(system: System, state: State) -> None:
    """Raise if a slave lies behind its master; see `check_facing`."""
    for pair in (item for item in system.items if isinstance(item, ContactPair)):
        normals = _normals(system, pair, state)
        if normals is not None:
            at = pair.kinematics(*system.local(pair, state), state.t)
            check_facing(pair.name, normals, at)


def _normals(system: System, pair: ContactPair, state: State) -> Floats | None:
    """Outward normals (p, 3) of the slave in space, if they are known."""
    normals, slave = pair.surface.normals, pair.slave
    if normals is None:
        return None
    frame = as_body(slave).frame_motion(*system.local(slave, state), state.t)
    return None if frame is None else normals @ frame.rotation.T


def _rays(
    system: System, state: State, pairs: Sequence[ContactPair], basis: Floats | None
) -> list[Ray]:
    """Single coordinates and common translations without a stiffness but that of contacts."""
    none = {
        pair.name: (
            np.zeros(count := sum(len(body.dofs) for body in pair.bodies)),
            *np.zeros((2, count, count)),
        )
        for pair in pairs
    }
    force, stiffness, _ = system.evaluate(state, none)
    largest = np.abs(stiffness).max(initial=0.0)
    found = []
    for names, step in _directions(system):
        stiff = np.abs(stiffness @ step).max() > FREE * largest
        if stiff or not _allowed(step, basis):
            continue
        turns = len(names) == 1 and names[0].rsplit(".", 1)[1] not in TRANSLATIONS
        push = float(force @ step)
        size = float(np.abs(force) @ np.abs(step))
        moving = {name.rsplit(".", 1)[0] for name in names}
        touches = any(body.name in moving for pair in pairs for body in pair.bodies)
        pushed = push if abs(push) > SAME * size else 0.0
        found.append(Ray(f"along {' + '.join(names)}", step, pushed, turns, touches))
    return found


def _directions(system: System) -> Iterator[tuple[list[str], Floats]]:
    """Unit steps of coordinates of frames and rigid bodies, and of groups of coupled bodies."""
    names = system.coordinates
    rigid = (*TRANSLATIONS, "rx", "ry", "rz", "spin")
    for i, name in enumerate(names):
        if name.rsplit(".", 1)[1] in rigid:
            yield [name], np.eye(len(names))[i]
    for group in _groups(system):
        for axis in TRANSLATIONS:
            members = [k for k, name in enumerate(names) if name in {f"{b}.{axis}" for b in group}]
            if len(members) > 1:
                step = np.zeros(len(names))
                step[members] = 1.0
                yield [names[k] for k in members], step


def _groups(system: System) -> list[set[str]]:
    """Names of bodies that joints and springs, not contacts, couple."""
    groups = [{body.name} for body in system.bodies]
    items = [item.bodies for item in system.items if not isinstance(item, ContactPair)]
    for bodies in (*items, *(constraint.bodies for constraint in system.constraints)):
        touched = {body.name for body in bodies}
        joined = [group for group in groups if group & touched]
        groups = [group for group in groups if not group & touched]
        groups.append(set().union(*joined))
    return groups


def _allowed(step: Floats, basis: Floats | None) -> bool:
    """Whether constraints leave a motion."""
    if basis is None:
        return True
    along = basis @ np.linalg.lstsq(basis, step, rcond=None)[0]
    return bool(np.linalg.norm(along - step) <= SAME * np.linalg.norm(step))
