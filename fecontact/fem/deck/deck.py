"""Read an Abaqus or CalculiX deck as one finite-element model.

Every type of element becomes a part of an `Assembly`, called by its name (C3D20); its node sets,
surfaces, materials, supports, ties, couplings and equations are those of the deck.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import meshio
import numpy as np

from fecontact.errors import InputError, check, one_of
from fecontact.fem.assembly.assembly import Assembly
from fecontact.fem.assembly.items import AveragingCoupling, Equation, RigidCoupling, Term, Tie
from fecontact.fem.assembly.layout import COMPONENTS
from fecontact.fem.deck.keywords import read_model
from fecontact.fem.deck.model import Bound, Coupled, DeckModel, Elasticity, Section
from fecontact.fem.material import Elastic, Material, Orthotropic
from fecontact.fem.solid.body import ElasticSolid
from fecontact.files import first_line, plain_file
from fecontact.mesh.formats.abaqus import mesh_of_content
from fecontact.mesh.formats.deck import Card
from fecontact.mesh.formats.reader import mesh_from_meshio
from fecontact.mesh.quality import check_mesh
from fecontact.mesh.sets import NodeSet, node_sets, with_node_sets
from fecontact.typing import Integers

__all__ = ["UNITS", "read_deck"]

UNITS = {"m": (1.0, 1.0, 1.0), "mm": (1e-3, 1e6, 1e12)}
"""Length in m, modulus in Pa, density in kg/m^3 of one unit: m, kg, s; mm, t, s (MPa, t/mm^3)."""

CHUNK = 4000
"""Cells whose nodes are matched at a time."""

KINDS = {
    "tetra": ("C3D4", "tet1"),
    "tetra10": ("C3D10", "tet2"),
    "hexahedron": ("C3D8", "hex1"),
    "hexahedron20": ("C3D20", "hexS2"),
}


def read_deck(path: str | Path, units: str = "m") -> Assembly:
    """Model of an Abaqus or CalculiX deck: solids with materials, sections and what joins them.

    Read are nodes, elements (C3D4, C3D8, C3D10, C3D20), sets and surfaces, `*MATERIAL` with
    `*ELASTIC` (isotropic, engineering constants) and `*DENSITY`, `*SOLID SECTION`, `*ORIENTATION`,
    `*BOUNDARY`, `*TIE`, `*COUPLING` (`*KINEMATIC`, `*DISTRIBUTING`), `*RIGID BODY`, `*EQUATION`.
    What else would change the model is refused with its line. Parts are called by their element,
    "C3D20"; points of couplings by the name of the constraint, else "node 17".

    Parameters
    ----------
    path
        The deck.
    units
        "m": m, kg, s, Pa. "mm": mm, t, s, MPa, with densities in t/mm^3. The model is in SI.
    """
    check("units", units, one_of(UNITS))
    file = plain_file(Path(path), "deck", "give the path of a readable .inp file")
    try:
        return _Builder(read_model(file, UNITS[units][0]), units).assembly()
    except InputError as error:
        raise InputError(f"deck '{file}': {str(error).removeprefix('mesh: ')}") from None
    except (ValueError, IndexError, KeyError, OverflowError) as error:
        raise InputError(f"deck '{file}': it cannot be read: {first_line(error)}") from None


@dataclass
class _Part:
    """A solid, and the number of its nodes in the deck."""

    name: str
    solid: ElasticSolid
    numbers: Integers
    supports: dict[str, str]

    @cached_property
    def order(self) -> Integers:
        """Nodes by ascending number."""
        return np.argsort(self.numbers)

    def find(self, numbers: Integers) -> Integers:
        """Nodes of this part among some numbers."""
        place = np.searchsorted(self.numbers[self.order], numbers).clip(max=len(self.order) - 1)
        found = self.order[place]
        return np.asarray(found[self.numbers[found] == numbers], dtype=np.int64)


class _Builder:
    """Builds the assembly of a deck."""

    def __init__(self, model: DeckModel, units: str) -> None:
        self.model, self.content = model, model.mesh
        self.length, self.modulus, self.density = UNITS[units]
        self.content.nodes = [
            np.column_stack([t[:, 0], self.length * t[:, 1:]]) for t in self.content.nodes
        ]
        self.points: dict[int, str] = {}

    def assembly(self) -> Assembly:
        """Parts, then what joins them."""
        if not self.content.elements:
            raise InputError("it has no *ELEMENT")
        self._check_shared_nodes()
        self.parts = {KINDS[kind][0]: self._part(kind) for kind in self.content.elements}
        couplings = self._couplings()
        supports = self._supports()
        equations = [
            Equation([self._term(terms.card, *term) for term in terms.terms])
            for terms in self.model.equations
        ]
        ties = [
            Tie(self._face(t.card, t.slave), self._face(t.card, t.master), t.tolerance)
            for t in self.model.ties
        ]
        solids = {name: self._supported(part) for name, part in self.parts.items()}
        return Assembly(solids, ties, couplings, equations, supports=supports)

    def _check_shared_nodes(self) -> None:
        """Refuse elements of two types that hang together."""
        used = [np.unique(np.vstack(t)[:, 1:]) for t in self.content.elements.values()]
        every = np.concatenate(used)
        if len(np.unique(every)) < len(every):
            names = " and ".join(KINDS[kind][0] for kind in self.content.elements)
            raise InputError(
                f"elements {names} share nodes, which is not read: give each its own nodes and tie "
                "them, or mesh with one type"
            )

    def _part(self, kind: str) -> _Part:
        """Solid of the elements of one type, without supports."""
        name, element = KINDS[kind]
        raw = mesh_of_content(self.content, only=kind)
        mesh = mesh_from_meshio(raw)
        check_mesh(mesh)
        tables = np.vstack(self.content.elements[kind])
        of_cells, sets = dict[str, Elastic](), dict[str, Integers]()
        for section in self.model.sections:
            members = self.content.members("ELSET", self._known("ELSET", section))
            cells = np.flatnonzero(np.isin(tables[:, 0], members))
            if len(cells):
                key = f"{section.elset} (line {section.card.number})"
                sets[key], of_cells[key] = cells, self._material(section)
        if not of_cells:
            raise InputError(f"elements {name} have no *SOLID SECTION")
        kept = node_sets(mesh)
        mesh = with_node_sets(mesh.with_subdomains(sets), kept)
        solid = ElasticSolid(mesh, of_cells, element)
        return _Part(name, solid, _numbers(solid, raw, self._order(kind)), {})

    def _order(self, kind: str) -> Integers:
        """Numbers of the nodes that elements of a type use, in the order of the mesh."""
        table = np.vstack(self.content.nodes)[:, 0].astype(np.int64)
        return table[np.isin(table, np.vstack(self.content.elements[kind])[:, 1:])]

    def _known(self, kind: str, section: Section) -> str:
        if (kind, section.elset.upper()) not in self.content.sets:
            raise InputError(f"{section.card.place()}: unknown element set '{section.elset}'")
        return section.elset

    def _material(self, section: Section) -> Elastic:
        """Material of a section in SI units."""
        given = self.model.materials.get(section.material.upper())
        if given is None:
            raise InputError(f"{section.card.place()}: unknown material '{section.material}'")
        if not given.constants or given.density is None:
            missing = "*ELASTIC" if not given.constants else "*DENSITY"
            raise InputError(f"{given.card.place()}: *MATERIAL {section.material} has no {missing}")
        try:
            return self._of_constants(section, given, given.density)
        except InputError as error:
            raise InputError(f"{given.card.place()}: {error}") from None

    def _of_constants(self, section: Section, given: Elasticity, density: float) -> Elastic:
        name, rho = section.material, self.density * density
        if given.kind == "ISOTROPIC":
            young, poisson = given.constants
            return Material(self.modulus * young, poisson, rho, name)
        axes = None
        if section.orientation is not None:
            axes = self.model.orientations.get(section.orientation.upper())
            if axes is None:
                raise InputError(f"unknown orientation '{section.orientation}'")
        E, nu, G = np.split(np.array(given.constants), [3, 6])
        e1, e2, e3 = (float(self.modulus * x) for x in E)
        n12, n13, n23 = (float(x) for x in nu)
        g12, g13, g23 = (float(self.modulus * x) for x in G)
        material = Orthotropic((e1, e2, e3), (n12, n13, n23), (g12, g13, g23), rho, name=name)
        return material if axes is None else replace(material, axes=axes)

    def _nodes(self, target: str) -> Integers:
        """Numbers of a set of nodes, or of one node."""
        return self.content.members("NSET", target)

    def _couplings(self) -> list[RigidCoupling | AveragingCoupling]:
        found: list[RigidCoupling | AveragingCoupling] = []
        for coupled in self.model.couplings:
            point, at = self._reference(coupled)
            surfaces = self._coupled_faces(coupled)
            if coupled.rigid:
                found.append(RigidCoupling(point, surfaces, at, coupled.directions or "xyz"))
            elif len(surfaces) > 1:
                raise InputError(
                    f"{coupled.card.place()}: a *DISTRIBUTING surface of elements of several types "
                    "is not read"
                )
            else:
                found.append(AveragingCoupling(point, surfaces[0], at))
        return found

    def _reference(self, coupled: Coupled) -> tuple[str, tuple[float, float, float]]:
        """Name and position of a reference node."""
        numbers = self._nodes(coupled.reference)
        if len(numbers) != 1:
            raise InputError(
                f"{coupled.card.place()}: expected one reference node, not {len(numbers)}"
            )
        if any(len(part.find(numbers)) for part in self.parts.values()):
            raise InputError(
                f"{coupled.card.place()}: reference node {numbers[0]} belongs to an element: "
                "expected a node of its own"
            )
        table = np.vstack(self.content.nodes)
        row = np.flatnonzero(table[:, 0] == numbers[0])
        if not len(row):
            raise InputError(f"{coupled.card.place()}: node {numbers[0]} is used but not defined")
        point = self.points.setdefault(int(numbers[0]), coupled.name)
        x, y, z = (float(value) for value in table[row[0], 1:])
        return point, (x, y, z)

    def _coupled_faces(self, coupled: Coupled) -> list[str]:
        """Faces of a coupling, as "part.surface"; of nodes, as node sets that are made for it."""
        name = coupled.surface if coupled.surface is not None else str(coupled.nodes)
        if coupled.nodes is None and name.upper() in self.content.surfaces:
            return self._faces(coupled.card, name)
        if ("NSET", name.upper()) not in self.content.sets:
            raise InputError(f"{coupled.card.place()}: unknown surface or node set '{name}'")
        numbers, found = self._nodes(name), []
        for part in self.parts.values():
            own = part.find(numbers)
            if len(own):
                key = f"nodes of {name}"
                self._add_set(part, key, own)
                found.append(f"{part.name}.{key}")
        if not found:
            raise InputError(f"{coupled.card.place()}: no node of '{name}' belongs to an element")
        return found

    def _faces(self, card: Card, name: str) -> list[str]:
        """A surface of faces, in each part that has it."""
        if name.upper() not in self.content.surfaces:
            raise InputError(f"{card.place()}: unknown surface of faces '{name}'")
        spelled = self.content.spelling[name.upper()]
        parts = self.parts.values()
        return [f"{p.name}.{spelled}" for p in parts if spelled in (p.solid.mesh.boundaries or {})]

    def _face(self, card: Card, name: str) -> str:
        """A surface of faces of one part."""
        found = self._faces(card, name)
        if len(found) != 1:
            raise InputError(
                f"{card.place()}: surface '{name}' has elements of {len(found)} types: expected one"
            )
        return found[0]

    def _term(self, card: Card, target: str, component: int, coefficient: float) -> Term:
        """Term of an equation in SI units: lengths of the deck times angles stay in balance."""
        if not 1 <= component <= 6:
            raise InputError(f"{card.place()}: invalid component {component}: expected 1 to 6")
        numbers = self._nodes(target)
        if len(numbers) != 1:
            raise InputError(f"{card.place()}: '{target}' has {len(numbers)} nodes: expected one")
        scaled = coefficient / self.length if component <= 3 else coefficient
        if int(numbers[0]) in self.points:
            return Term(self.points[int(numbers[0])], COMPONENTS[component - 1], scaled)
        for part in self.parts.values():
            own = part.find(numbers)
            if len(own) and component <= 3:
                return Term((part.name, int(own[0])), COMPONENTS[component - 1], scaled)
        raise InputError(
            f"{card.place()}: component {component} of node {numbers[0]} is no unknown of a solid "
            "or of a reference node"
        )

    def _supports(self) -> dict[str, list[str]]:
        """Supports of points; those of nodes are noted at the parts."""
        of_points: dict[str, list[str]] = {}
        for bound in self.model.bounds:
            numbers = self._nodes(bound.target)
            for number in numbers:
                if int(number) in self.points:
                    names = of_points.setdefault(self.points[int(number)], [])
                    names += [COMPONENTS[k - 1] for k in bound.components]
            self._hold_nodes(bound, numbers)
        return {name: list(dict.fromkeys(held)) for name, held in of_points.items()}

    def _hold_nodes(self, bound: Bound, numbers: Integers) -> None:
        letters = "".join("xyz"[k - 1] for k in bound.components if k <= 3)
        found = sum(int(number) in self.points for number in numbers)
        for part in self.parts.values():
            own = part.find(numbers)
            found += len(own)
            if len(own) and letters:
                key = f"support of line {bound.card.numbers[bound.row]}"
                self._add_set(part, key, own)
                part.supports[key] = letters
        if not found:
            raise InputError(
                f"{bound.card.place(bound.row)}: no node of '{bound.target}' belongs to an element "
                "or to a coupling"
            )

    def _add_set(self, part: _Part, key: str, nodes: Integers) -> None:
        """Give the mesh of a part a set of exactly these nodes."""
        solid = part.solid
        dofs, member = solid.numbering, np.zeros(len(solid.nodes), dtype=bool)
        member[nodes] = True
        of_kind = [dofs.nodal_dofs, dofs.edge_dofs, dofs.facet_dofs]
        chosen = [np.flatnonzero(member[d[0]]) if len(d) else np.zeros(0, int) for d in of_kind]
        sets = node_sets(solid.mesh) | {key: NodeSet(*chosen)}
        part.solid = replace(solid, mesh=with_node_sets(solid.mesh, sets))

    def _supported(self, part: _Part) -> ElasticSolid:
        return replace(part.solid, supports=part.supports)


def _numbers(solid: ElasticSolid, raw: meshio.Mesh, order: Integers) -> Integers:
    """Number in the deck of each node of a solid: that of the same place in the same cell.

    Nodes of different parts may lie at one place; within a cell they do not.
    """
    own, cells = solid.nodal_cells.connectivity, np.asarray(raw.cells[0].data)
    found = np.empty(len(solid.nodes), dtype=np.int64)
    for first in range(0, len(own), CHUNK):
        part = slice(first, first + CHUNK)
        arms = solid.nodes[own[part]][:, :, None] - raw.points[cells[part]][:, None]
        nearest = np.linalg.norm(arms, axis=-1).argmin(axis=2)
        found[own[part]] = order[np.take_along_axis(cells[part], nearest, axis=1)]
    return found
