"""Segments of a beam, and how their nodes follow the unknowns of the body.

All segments run parallel to x; segments whose ends have the same x are rigidly joined there. The
joint is a node on the x axis; an end at the offset (y, z) follows it as part of a rigid section,

    u_end = u_joint + theta_joint x (0, y, z),     theta_end = theta_joint.

Two parallel segments between the same joints are a delamination (Waltersberger 5.143-5.146: the
axial motion of the sub-beams' ends is the offset times the rotation of the intact section).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from fecontact.errors import FINITE, NON_NEGATIVE, InputError, at_least, check
from fecontact.fem.beam.element import BeamElements
from fecontact.fem.beam.section import Section
from fecontact.fem.material import Material, check_isotropic
from fecontact.typing import Floats, Integers

__all__ = ["Chain", "Segment"]


@dataclass(frozen=True)
class Segment:
    """Straight piece of a beam with constant section.

    Parameters
    ----------
    start, end
        x of the ends in m.
    section, material
        Of this piece.
    elements
        Number of elements.
    offset
        y and z of its axis in m.
    name
        For the names of its faces, such as "upper.bottom".
    foundation
        Stiffness of an elastic foundation per length in N/m^2, against motion in y and z.
    """

    start: float
    end: float
    section: Section
    material: Material
    elements: int = 10
    offset: tuple[float, float] = (0.0, 0.0)
    name: str = ""
    foundation: float = 0.0

    def __post_init__(self) -> None:
        where = f"segment '{self.name}': " if self.name else "segment: "
        check(where + "start", self.start, FINITE, "m")
        check(where + "end", self.end, FINITE, "m")
        check(where + "elements", self.elements, at_least(1))
        check(where + "foundation", self.foundation, NON_NEGATIVE, "N/m^2")
        check_isotropic(where + "material", self.material)
        if not self.start < self.end:
            raise InputError(
                f"invalid {where}end = {self.end} m: expected greater than start = {self.start} m"
            )


@dataclass(frozen=True)
class Chain:
    """Nodes and elements of joined segments.

    Body nodes carry the unknowns: the joints on the x axis first, then the inner nodes of each
    segment. Segment nodes are the ends of the elements, one segment after the other.
    """

    segments: tuple[Segment, ...]

    def __post_init__(self) -> None:
        if not self.segments:
            raise InputError("invalid segments = (): expected at least one segment")
        starts, ends = (self.joint_number(x) for x in self._ends)
        graph = sp.coo_array((np.ones(len(starts)), (starts, ends)), shape=2 * (len(self.joints),))
        if connected_components(graph, directed=False)[0] > 1:
            raise InputError("the segments are not connected: let their ends meet at the same x")

    @property
    def _ends(self) -> tuple[Floats, Floats]:
        return (
            np.array([s.start for s in self.segments]),
            np.array([s.end for s in self.segments]),
        )

    @cached_property
    def joints(self) -> Floats:
        """Ascending x of the joints; ends within 1e-9 of the whole length count as the same x."""
        x = np.sort(np.concatenate(self._ends))
        keep = np.diff(x, prepend=-np.inf) > 1e-9 * (x[-1] - x[0])
        return x[keep]

    def joint_number(self, x: Floats) -> Integers:
        """Numbers of the nearest joints."""
        return np.argmin(np.abs(np.subtract.outer(x, self.joints)), axis=-1)

    @cached_property
    def first_node(self) -> Integers:
        """First segment node of each segment, and the total number at the end."""
        return np.cumsum([0] + [s.elements + 1 for s in self.segments])

    @cached_property
    def first_element(self) -> Integers:
        """First element of each segment, and the total number at the end."""
        return np.cumsum([0] + [s.elements for s in self.segments])

    @cached_property
    def connectivity(self) -> Integers:
        """Segment nodes of the elements, (e, 2)."""
        first = np.concatenate(
            [
                n + np.arange(s.elements)
                for n, s in zip(self.first_node, self.segments, strict=False)
            ]
        )
        return np.column_stack([first, first + 1])

    @cached_property
    def segment_nodes(self) -> Floats:
        """Positions of the segment nodes, (m, 3)."""
        parts = []
        for s in self.segments:
            part = np.zeros((s.elements + 1, 3))
            part[:, 0] = np.linspace(s.start, s.end, s.elements + 1)
            part[:, 1:] = s.offset
            parts.append(part)
        return np.concatenate(parts)

    @cached_property
    def body_node(self) -> Integers:
        """Body node that each segment node follows, (m,)."""
        parts, used = [], len(self.joints)
        for s in self.segments:
            inner = used + np.arange(s.elements - 1)
            start, end = self.joint_number(np.array([s.start, s.end]))
            parts.append(np.concatenate([[start], inner, [end]]))
            used += s.elements - 1
        return np.concatenate(parts)

    @cached_property
    def body_nodes(self) -> Floats:
        """Positions of the nodes that carry unknowns, (N, 3)."""
        points = np.zeros((self.body_node.max() + 1, 3))
        points[self.body_node] = self.segment_nodes
        points[: len(self.joints)] = np.column_stack([self.joints, np.zeros((len(self.joints), 2))])
        return points

    @cached_property
    def followers(self) -> sp.csr_array:
        """Motion of the segment nodes from that of the body nodes, (6 m, 6 N)."""
        lever = self.segment_nodes - self.body_nodes[self.body_node]
        blocks = np.tile(np.eye(6), (len(lever), 1, 1))
        blocks[:, :3, 3:] = -_cross(lever)
        rows = np.arange(len(lever) + 1)
        matrix = sp.bsr_array(
            (blocks, self.body_node, rows), shape=(6 * len(lever), 6 * len(self.body_nodes))
        )
        return sp.csr_array(matrix)

    def elements(self, shear: bool) -> BeamElements:
        """Element data; `shear` selects Timoshenko."""
        counts = [s.elements for s in self.segments]
        length = [(s.end - s.start) / s.elements for s in self.segments]
        rigidity = [_rigidity(s.section, s.material) for s in self.segments]
        inertia = [
            s.material.density
            * np.array([s.section.area, s.section.inertia_z, s.section.inertia_y])
            for s in self.segments
        ]
        return BeamElements(
            np.repeat(length, counts),
            np.repeat(rigidity, counts, axis=0),
            np.repeat(inertia, counts, axis=0),
            np.repeat([s.foundation for s in self.segments], counts),
            shear,
        )

    def assemble(self, matrices: Floats) -> sp.csr_array:
        """Sum element matrices (e, 12, 12) to the unknowns of the body nodes, (6 N, 6 N)."""
        dofs = (6 * self.connectivity[:, :, None] + np.arange(6)).reshape(-1, 12)
        rows = np.repeat(dofs, 12, axis=1).ravel()
        columns = np.tile(dofs, (1, 12)).ravel()
        size = 6 * self.first_node[-1]
        local = sp.coo_array((matrices.ravel(), (rows, columns)), shape=(size, size)).tocsr()
        return sp.csr_array(self.followers.T @ local @ self.followers)

    def scatter(self, rows: Floats, element: Integers) -> sp.csr_array:
        """Rows (p, c, 12) in the unknowns of given elements (p,) as a matrix (p c, 6 N)."""
        p, c, _ = rows.shape
        dofs = (6 * self.connectivity[element][:, :, None] + np.arange(6)).reshape(p, 1, 12)
        columns = np.broadcast_to(dofs, rows.shape).ravel()
        ends = np.arange(0, p * c * 12 + 1, 12)
        local = sp.csr_array((rows.ravel(), columns, ends), shape=(p * c, 6 * self.first_node[-1]))
        return sp.csr_array(local @ self.followers)


def _cross(vectors: Floats) -> Floats:
    """Matrices of r x ( ), shape (n, 3, 3)."""
    return np.cross(vectors[:, None, :], np.eye(3)).transpose(0, 2, 1)


def _rigidity(section: Section, material: Material) -> Floats:
    E, A = material.young, section.area
    G = E / (2.0 * (1.0 + material.poisson))
    return np.array(
        [
            E * A,
            section.shear_y * G * A,
            section.shear_z * G * A,
            G * section.torsion,
            E * section.inertia_y,
            E * section.inertia_z,
        ]
    )
