"""Several finite-element parts as one body: an `FEModel` of its own.

    u = T w,      K = T^T diag(K_1, K_2, ...) T,      M = T^T diag(M_1, M_2, ...) T

u are the unknowns of all parts and points; T eliminates ties, couplings and equations
(`relations`). Supports are those of the parts, and of points. The result is reduced, held, loaded
and looked at as any other body; its surfaces are called "part.surface".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from fecontact.errors import InputError, check, one_of, unknown
from fecontact.fem.assembly.bolt import Bolt
from fecontact.fem.assembly.items import AveragingCoupling, Equation, RigidCoupling, Tie
from fecontact.fem.assembly.layout import COMPONENTS, Layout, rigid_rows
from fecontact.fem.assembly.mortar import MortarIntegrals
from fecontact.fem.assembly.relations import Relations
from fecontact.fem.assembly.tie import apply_tie
from fecontact.fem.mass_field import MassField, join_fields, mass_field
from fecontact.fem.mean_motion import fit_rows, interface_of, interfaces_of
from fecontact.fem.model import FEModel, FESurface, Geometry
from fecontact.typing import Floats, Integers

__all__ = ["Assembly"]

Coupling = RigidCoupling | AveragingCoupling


@dataclass(frozen=True, eq=False)
class Assembly:
    """Finite-element parts joined by ties, couplings and equations; an `FEModel`.

    Parameters
    ----------
    parts
        Name -> body, in common coordinates. Names hold no point.
    ties
        Bonds of faces that need not match.
    couplings
        Surfaces that follow points, points that follow surfaces. The points are named by them.
    equations
        Linear equations between displacements.
    bolts
        Springs between surfaces or points, with their preload as a load by name.
    supports
        Point -> directions held, "clamped" or names out of ux, uy, uz, rx, ry, rz. Supports of
        parts are those of their models.

    Examples
    --------
    >>> from fecontact.fem import STEEL, ElasticSolid
    >>> from fecontact.mesh import block
    >>> left = ElasticSolid(block(0.1, 0.02, 0.02, (4, 2, 2)), STEEL, supports={"x_min": "clamped"})
    >>> right = ElasticSolid(block(0.1, 0.02, 0.02, (3, 3, 1)).translated((0.1, 0.0, 0.0)), STEEL)
    >>> bar = Assembly({"left": left, "right": right}, [Tie("right.x_min", "left.x_max")])
    >>> len(bar.free) == len(left.free) + len(right.free) - 3 * 18  # nodes of a face
    True
    """

    parts: Mapping[str, FEModel]
    ties: Sequence[Tie] = ()
    couplings: Sequence[Coupling] = ()
    equations: Sequence[Equation] = ()
    bolts: Sequence[Bolt] = ()
    supports: Mapping[str, str | Sequence[str]] | None = None

    def __post_init__(self) -> None:
        if not self.parts:
            raise InputError("invalid parts of an assembly: expected at least one body")
        for name in self.parts:
            if not name or "." in name:
                raise InputError(f"invalid name of a part '{name}': expected one without a point")
        names = [bolt.name for bolt in self.bolts]
        for name in names:
            if names.count(name) > 1:
                raise InputError(f"two bolts with the name '{name}': expected different names")
        for bolt in self.bolts:
            bolt.elongation(self.layout)  # refuses unknown ends
        self.transformation  # noqa: B018  # refuses what cannot be joined

    @cached_property
    def layout(self) -> Layout:
        """Unknowns of parts and points."""
        plain = Layout(self.parts, {})
        points: dict[str, Floats] = {}
        for coupling in self.couplings:
            at = _position(coupling, plain)
            name = coupling.point
            if name in self.parts or name in plain.names:
                raise InputError(
                    f"invalid point '{name}': expected another name than that of a part"
                )
            if name in points and coupling.at is not None and np.any(points[name] != at):
                raise InputError(f"point '{name}' has two positions, {points[name]} and {at}")
            points.setdefault(name, at)
        return Layout(self.parts, points)

    @cached_property
    def _joined(self) -> tuple[Relations, dict[str, MortarIntegrals]]:
        """Relations between the unknowns, and what is known of the ties."""
        relations = Relations(self.layout.size, self._held)
        rules = [*self.couplings, *self.equations]
        for number, item in enumerate(rules):
            item.apply(self.layout, relations, number)
        found = {}
        for number, tie in enumerate(self.ties, start=len(rules)):
            found[f"{tie.slave} to {tie.master}"] = apply_tie(tie, self.layout, relations, number)
        return relations, found

    @property
    def tied(self) -> dict[str, MortarIntegrals]:
        """Integrals of each tie, "slave to master": its covered part, its largest gap."""
        return self._joined[1]

    @cached_property
    def transformation(self) -> sp.csr_array:
        """T: unknowns of parts and points from those of the assembly."""
        return self._joined[0].transformation()

    @cached_property
    def stiffness(self) -> sp.csr_array:
        """Stiffness matrix, bolts and springs of the parts included."""
        blocks = [sp.csr_array(part.stiffness) for part in self.parts.values()]
        K = self._projected(blocks)
        for bolt in self.bolts:
            row = sp.csr_array(bolt.elongation(self.layout) @ self.transformation)
            K = sp.csr_array(K + bolt.stiffness * (row.T @ row))
        return sp.csr_array(0.5 * (K + K.T))

    @cached_property
    def mass(self) -> sp.csr_array:
        """Mass matrix; points have none of their own."""
        M = self._projected([sp.csr_array(part.mass) for part in self.parts.values()])
        return sp.csr_array(0.5 * (M + M.T))

    @cached_property
    def spring_stiffness(self) -> sp.csr_array:
        """Part of the springs to ground of the parts in the stiffness."""
        return self._projected(
            [
                sp.csr_array(getattr(part, "spring_stiffness", sp.csr_array(part.stiffness.shape)))
                for part in self.parts.values()
            ]
        )

    @cached_property
    def free(self) -> Integers:
        """Unknowns that the supports leave free."""
        return np.flatnonzero(~self._held[self._joined[0].independent])

    @property
    def material(self) -> Any:
        """Material, if all parts have the same."""
        found = [getattr(part, "material", None) for part in self.parts.values()]
        return found[0] if all(each is found[0] for each in found) else None

    @cached_property
    def geometry(self) -> Geometry:
        """Nodes and cells of all parts."""
        points, cells, shapes, start = [], dict[str, list[Integers]](), [], 0
        for name, part in self.parts.items():
            drawn = part.geometry
            points.append(drawn.points)
            for kind, connectivity in drawn.cells.items():
                cells.setdefault(kind, []).append(connectivity + start)
            shapes.append(self._moved(self.layout.widened(drawn.shape, name)))
            start += len(drawn.points)
        joined = {kind: np.concatenate(parts) for kind, parts in cells.items()}
        return Geometry(np.concatenate(points), joined, sp.csr_array(sp.vstack(shapes)))

    @cached_property
    def mass_field(self) -> MassField | None:
        """Mass points of all parts; None if one of them does not tell."""
        fields = []
        for name, part in self.parts.items():
            of_part = mass_field(part)
            if of_part is None:
                return None
            shape = self._moved(self.layout.widened(of_part.shape, name))
            fields.append(replace(of_part, shape=shape))
        return join_fields(*fields)

    def surface(self, name: str, *given: Any) -> FESurface:
        """Contact points of "part.surface", or of a surface that one part alone has."""
        part, own = self.layout.place(name)
        body: Any = self.parts[part]
        on: FESurface = body.surface(own, *given)
        return replace(on, shape=self._moved(self.layout.widened(on.shape, part)))

    @property
    def interfaces(self) -> dict[str, FESurface]:
        """Points, and surfaces of all parts, "part.surface" if there are several, for joints."""
        found = {}
        for part, body in self.parts.items():
            for name, on in interfaces_of(body).items():
                shape = self._moved(self.layout.widened(on.shape, part))
                full = f"{part}.{name}" if len(self.parts) > 1 else name
                found[full] = replace(on, shape=shape)
        return found | {name: self._around(name) for name in self.layout.points}

    @cached_property
    def named_loads(self) -> dict[str, Floats]:
        """Load vectors (n,) by name: the preload of each bolt, 1 N."""
        return {bolt.name: self._preload(bolt) for bolt in self.bolts}

    def rigid_body_modes(self) -> Floats:
        """Three translations and three rotations about the origin."""
        modes = [part.rigid_body_modes() for part in self.parts.values()]
        if any(each.shape[1] != 6 for each in modes):
            raise InputError(
                "invalid parts of an assembly: expected bodies with six rigid-body modes, such as "
                "solids"
            )
        for position in self.layout.points.values():
            own = np.eye(6)
            for axis in range(3):
                own[:3, 3 + axis] = np.cross(np.eye(3)[axis], position)
            modes.append(own)
        return self._joined[0].slots(np.vstack(modes))

    def geometric_stiffness(self, displacement: Floats, strain: str = "green") -> sp.csr_array:
        """Stiffness (n, n) of the stress of a static displacement (n,); see `prestress`."""
        whole, blocks = self.transformation @ displacement, []
        for name, part in self.parts.items():
            body: Any = part
            if not hasattr(body, "geometric_stiffness"):
                raise InputError(f"part '{name}' has no geometric stiffness of a displacement")
            start, size = self.layout.first[name], part.stiffness.shape[0]
            of_part = body.geometric_stiffness(whole[start : start + size], strain)
            blocks.append(sp.csr_array(of_part))
        return self._projected(blocks)

    def part_displacement(self, name: str, w: Floats) -> Floats:
        """Displacement of the unknowns of a part from that of the assembly (n,) or (n, k)."""
        check("part", name, one_of(sorted(self.parts)))
        start, size = self.layout.first[name], self.parts[name].stiffness.shape[0]
        return np.asarray(self.transformation[start : start + size] @ w)

    @cached_property
    def _held(self) -> Any:
        """Which unknowns of parts and points supports hold."""
        held = np.zeros(self.layout.size, dtype=bool)
        for name, part in self.parts.items():
            own = np.setdiff1d(np.arange(part.stiffness.shape[0]), part.free)
            held[self.layout.first[name] + own] = True
        for name, given in (self.supports or {}).items():
            if name not in self.layout.points:
                raise unknown("point", name, self.layout.points)
            components = COMPONENTS if given == "clamped" else given
            for component in (components,) if isinstance(components, str) else components:
                check(f"support of '{name}'", component, one_of(COMPONENTS))
                held[self.layout.of_point(name)[COMPONENTS.index(component)]] = True
        return held

    def _projected(self, blocks: list[sp.csr_array]) -> sp.csr_array:
        """T^T diag(blocks, 0) T."""
        T = self.transformation[: self.layout.size_of_parts]
        return sp.csr_array(T.T @ sp.csr_array(sp.block_diag(blocks)) @ T)

    def _moved(self, shape: sp.csr_array) -> sp.csr_array:
        return sp.csr_array(shape @ self.transformation)

    def _around(self, name: str) -> FESurface:
        """A point as six points around it that move rigidly with it, of the size of the body."""
        position, motion, _ = self.layout.motion(name)
        reach = 0.05 * max(float(np.ptp(part.geometry.points)) for part in self.parts.values())
        arms = reach * np.vstack([np.eye(3), -np.eye(3)])
        rows = sp.csr_array(rigid_rows(arms).reshape(18, 6))
        shape = self._moved(sp.csr_array(rows @ motion))
        return FESurface(position + arms, np.full(6, 1.0 / 6.0), np.zeros((6, 3)), shape)

    def _preload(self, bolt: Bolt) -> Floats:
        row = bolt.elongation(self.layout) @ self.transformation
        return -np.asarray(sp.csr_array(row).toarray()).ravel()


def _position(coupling: Coupling, layout: Layout) -> Floats:
    """Position of the point of a coupling: as given, or the middle of its first surface."""
    if coupling.at is not None:
        at = np.asarray(coupling.at, dtype=float)
        if at.shape != (3,) or not np.isfinite(at).all():
            raise InputError(
                f"invalid position of '{coupling.point}' = {coupling.at}: expected three lengths"
            )
        return at
    part, name = layout.place(coupling.names[0])
    on = interface_of(layout.parts[part], name)
    return fit_rows(on.points, on.weights)[0]
