"""Beams: Euler-Bernoulli and Timoshenko, planar and spatial, chains with rigid offsets.

    M q'' + K q = f,       in a frame that turns with Omega about an axis a through the origin:
    M q'' + Omega G q' + (K + Omega^2 (K_sigma - K_c)) q = Omega^2 f_c

    G_ij = 2 int rho u_i . (a x u_j),   (K_c)_ij = int rho u_i . P u_j,   P = 1 - a a^T,
    (f_c)_i = int rho u_i . P x,
    (K_sigma)_ij = int N (u_y,i' u_y,j' + u_z,i' u_z,j' + i^2 theta_x,i' theta_x,j') dx + turning,
    N: tension of the supported beam under f_c,    turning: second-order motion of the sections

(Waltersberger 5.78-5.114; the centrifugal tension is ours.) The elements are in `beam_element`,
the joints in `beam_chain`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from fecontact.errors import InputError, check, one_of, unknown
from fecontact.fem.beam.chain import Chain, Segment
from fecontact.fem.beam.element import FIELDS, GAUSS, BeamElements, turning_matrix
from fecontact.fem.beam.faces import beam_geometry, face_segments, segment_face
from fecontact.fem.beam.inertia import section_fields, station_fields
from fecontact.fem.beam.parts import BeamRotation, StationMass, StationSpring
from fecontact.fem.beam.section import Section
from fecontact.fem.mass_field import MassField, join_fields
from fecontact.fem.material import Material
from fecontact.fem.model import FESurface, Geometry
from fecontact.fem.prestress import STRAINS
from fecontact.fem.rigid import determinate_support, free_rigid_body_modes
from fecontact.solvers.linear import factorise
from fecontact.typing import Floats, Integers

__all__ = ["BEAM_SUPPORTS", "Beam", "BeamRotation", "StationMass", "StationSpring", "straight_beam"]

THEORIES = ("euler_bernoulli", "timoshenko")
MOTIONS = {"spatial": FIELDS, "planar": ("u_x", "u_z", "theta_y")}
BEAM_SUPPORTS = {
    "clamped": FIELDS,
    "pinned": ("u_x", "u_y", "u_z", "theta_x"),
    "roller": ("u_y", "u_z", "theta_x"),
    "guided": ("u_x", "theta_x", "theta_y", "theta_z"),
}


@dataclass(frozen=True)
class Beam:
    """Beam of straight segments along x, joined where their ends meet.

    Parameters
    ----------
    segments
        Pieces with section, material, offset and number of elements.
    supports
        Station -> "clamped", "pinned" (turns in bending, no displacement), "roller" (free to
        slide along x), "guided" (free to move sideways, no rotation), or a tuple of fields.
    stations
        Names of further joints by their x; "left" and "right" are always known.
    theory
        "timoshenko" (shear strain and rotary inertia) or "euler_bernoulli" (neither).
    motion
        "spatial", or "planar" for motion in the x-z plane.
    masses, springs
        Lumped parts at stations.

    Examples
    --------
    >>> from fecontact.fem import STEEL, Section
    >>> beam = straight_beam(1.0, Section.rectangle(0.02, 0.01), STEEL, {"left": "clamped"})
    >>> beam.stiffness.shape, len(beam.free)
    ((126, 126), 120)
    """

    segments: Sequence[Segment]
    supports: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    stations: Mapping[str, float] = field(default_factory=dict)
    theory: str = "timoshenko"
    motion: str = "spatial"
    masses: Sequence[StationMass] = ()
    springs: Sequence[StationSpring] = ()

    def __post_init__(self) -> None:
        check("theory", self.theory, one_of(THEORIES))
        check("motion", self.motion, one_of(MOTIONS))
        _ = self.chain  # refuses segments that do not hang together
        used = [mass.station for mass in self.masses] + [s.station for s in self.springs]
        for station in (*used, *self.supports):
            self.station_node(station)
        for station in self.supports:
            self._held_fields(station)

    @cached_property
    def chain(self) -> Chain:
        """Nodes and joints of the segments."""
        return Chain(tuple(self.segments))

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """Names of the unknowns of a node."""
        return MOTIONS[self.motion]

    @cached_property
    def elements(self) -> BeamElements:
        """Matrices of the single elements."""
        return self.chain.elements(shear=self.theory == "timoshenko")

    @cached_property
    def stiffness(self) -> sp.csr_array:
        """Stiffness matrix of all unknowns, springs included."""
        elastic = self._select(self.chain.assemble(self.elements.stiffness))
        return sp.csr_array(elastic + self.spring_stiffness)

    @cached_property
    def spring_stiffness(self) -> sp.csr_array:
        """Part of the springs and the elastic foundation in the stiffness matrix."""
        grounded = np.zeros((len(self.chain.body_nodes), 6))
        for spring in self.springs:
            for name, value in spring.stiffness.items():
                grounded[self.station_node(spring.station), FIELDS.index(name)] += value
        foundation = self._select(self.chain.assemble(self.elements.foundation_stiffness))
        return sp.csr_array(foundation + self._diagonal(grounded))

    @cached_property
    def mass(self) -> sp.csr_array:
        """Consistent mass matrix of all unknowns, point masses included."""
        return self.mass_field.form(np.eye(3))

    @cached_property
    def mass_field(self) -> MassField:
        """Sections and point masses, with the displacement they get from the unknowns."""
        parts = section_fields(self.chain, self.elements)
        if self.masses:
            nodes = np.array([self.station_node(part.station) for part in self.masses])
            parts += station_fields(self.chain, nodes, self.masses)
        whole = join_fields(*parts)
        return replace(whole, shape=sp.csr_array(whole.shape[:, self._kept]))

    @cached_property
    def free(self) -> Integers:
        """Unknowns that the supports leave free."""
        fixed = [
            len(self.fields) * self.station_node(station) + self.fields.index(name)
            for station in self.supports
            for name in self._held_fields(station)
            if name in self.fields
        ]
        return np.setdiff1d(np.arange(len(self._kept)), fixed)

    @cached_property
    def geometry(self) -> Geometry:
        """Boxes around the sections that move with them, or lines if a section has no outline."""
        whole = beam_geometry(self.chain)
        return Geometry(whole.points, whole.cells, sp.csr_array(whole.shape[:, self._kept]))

    def surface(self, name: str) -> FESurface:
        """Line on the "top" (+z) or "bottom" (-z) face, or of one segment: "upper.bottom".

        Points are the ends and middles of the elements with Simpson weights (lengths in m). Where
        segments lie above each other, "top" and "bottom" take the outermost.
        """
        numbers, side = face_segments(self.segments, name)
        faces = [segment_face(self.chain, self.elements, i, side) for i in numbers]
        return FESurface(
            points=np.concatenate([face.points for face in faces]),
            weights=np.concatenate([face.weights for face in faces]),
            normals=np.concatenate([face.normals for face in faces]),
            shape=sp.csr_array(sp.vstack([face.shape for face in faces])[:, self._kept]),
        )

    def rigid_body_modes(self) -> Floats:
        """Translations along x, y, z and rotations about them through the origin; planar: 3."""
        nodes = self.chain.body_nodes
        modes = np.zeros((len(nodes), 6, 6))
        modes[:, :3, :3] = modes[:, 3:, 3:] = np.eye(3)
        modes[:, :3, 3:] = np.cross(np.eye(3), nodes[:, None, :]).transpose(0, 2, 1)
        columns = [FIELDS.index(name) for name in self.fields]
        return np.ascontiguousarray(modes.reshape(-1, 6)[self._kept][:, columns])

    def tension_stiffness(self, tension: float | Floats) -> sp.csr_array:
        """Stiffness of an axial force N (tension positive): int N (u_y'^2 + u_z'^2) dx.

        Parameters
        ----------
        tension
            In N: one value, one per element in the order of the segments, or (elements, 4) at the
            Gauss points.
        """
        values = np.asarray(tension, dtype=float)
        values = values[:, None] if values.ndim == 1 else values
        at_gauss = np.broadcast_to(values, (self.chain.first_element[-1], len(GAUSS)))
        return self._select(self.chain.assemble(self.elements.tension_form(at_gauss)))

    def buckling_load(self) -> float:
        """Smallest axial force in N, the same everywhere, that makes the beam buckle (Euler).

        K x = P K_1 x,     K_1: stiffness of the tension 1 N
        """
        if free_rigid_body_modes(self).shape[1]:
            raise InputError("invalid supports: expected a beam that is held; it moves freely")
        K, K_1 = (self.of_free_dofs(A) for A in (self.stiffness, self.tension_stiffness(1.0)))
        return float(1.0 / la.eigh(K_1, K, eigvals_only=True)[-1])

    def of_free_dofs(self, matrix: sp.csr_array) -> Floats:
        """Rows and columns of a matrix (n, n) that belong to unknowns left free, as an array."""
        return np.asarray(matrix[self.free][:, self.free].toarray())

    def geometric_stiffness(self, displacement: Floats, strain: str = "biot") -> sp.csr_array:
        """Stiffness of the axial forces E A u_x' of a static displacement (n,).

        `strain` is the same for all: the form has slopes and twist, no stretch (`prestress`).
        """
        check("strain", strain, one_of(STRAINS))
        return self.tension_stiffness(self._axial_forces(displacement))

    def inertia_stiffness(
        self, offset: Floats, slope: Floats, strain: str = "biot"
    ) -> sp.csr_array:
        """Stiffness of the inertia loads in a frame with the acceleration field a(x).

            a = offset + slope x,    load -rho a per volume

        Its parts are the tension, exact inside the elements, and the turning of sections and
        station masses (`turning_matrix`). A beam that can move freely is in equilibrium with its
        rigid acceleration. Bending moments, shear forces and the second-order motion of rigid
        offsets are left out.

        Parameters
        ----------
        offset, slope
            (3,) in m/s^2 and (3, 3) in 1/s^2.
        strain
            As in `geometric_stiffness`.
        """
        check("strain", strain, one_of(STRAINS))
        offset, slope = self._relieved(offset, slope)
        tension = self.tension_stiffness(self._tension(offset, slope))
        return sp.csr_array(tension + self._turning_stiffness(slope))

    def rotation(self, axis: Sequence[float]) -> BeamRotation:
        """Rotating-frame matrices for an axis through the origin, per unit speed."""
        a = np.asarray(axis, dtype=float)
        if a.shape != (3,) or not np.isclose(np.linalg.norm(a), 1.0):
            raise InputError(f"invalid axis = {tuple(axis)}: expected a unit vector")
        P = np.eye(3) - np.outer(a, a)
        spin = np.cross(a, np.eye(3)).T
        return BeamRotation(
            gyroscopic=self.mass_field.form(2.0 * spin),
            centrifugal=self.mass_field.form(P),
            geometric=self.inertia_stiffness(np.zeros(3), -P),
            load=self.mass_field.inertia_load(np.zeros(3), -P),
        )

    @cached_property
    def joining_parts(self) -> dict[str, Integers]:
        """Unknowns of the stations, where the beam may be joined to other bodies."""
        fields = np.arange(len(self.fields))
        names = ("left", "right", *self.stations)
        return {name: len(fields) * self.station_node(name) + fields for name in names}

    def station_node(self, name: str) -> int:
        """Body node of a station."""
        joints = self.chain.joints
        known = {"left": joints[0], "right": joints[-1], **self.stations}
        if name not in known:
            raise unknown("station", name, known)
        node = int(self.chain.joint_number(np.array(known[name])))
        if abs(joints[node] - known[name]) > 1e-9 * (joints[-1] - joints[0]):
            raise InputError(
                f"invalid station '{name}' at x = {known[name]} m: expected the end of a "
                "segment; split the segment there"
            )
        return node

    def _held_fields(self, station: str) -> Sequence[str]:
        kind = self.supports[station]
        if isinstance(kind, str):
            check(f"support of station '{station}'", kind, one_of(BEAM_SUPPORTS))
            return BEAM_SUPPORTS[kind]
        for name in kind:
            check(f"support of station '{station}'", name, one_of(FIELDS))
        return kind

    @cached_property
    def _kept(self) -> Integers:
        """Unknowns of the motion among the six of every node."""
        local = np.array([FIELDS.index(name) for name in self.fields])
        return np.asarray((6 * np.arange(len(self.chain.body_nodes))[:, None] + local).ravel())

    def _select(self, matrix: sp.csr_array) -> sp.csr_array:
        return sp.csr_array(matrix[self._kept][:, self._kept])

    def _diagonal(self, values: Floats) -> sp.dia_array:
        return sp.diags_array(values.ravel()[self._kept])

    def _axial_forces(self, displacement: Floats) -> Floats:
        """Mean axial force of each element."""
        u = (self.chain.followers[:, self._kept] @ displacement).reshape(-1, 6)[:, 0]
        stretch = np.diff(u[self.chain.connectivity])[:, 0] / self.elements.length
        return np.asarray(self.elements.rigidity[:, 0] * stretch)

    def _relieved(self, offset: Floats, slope: Floats) -> tuple[Floats, Floats]:
        """Acceleration field with the rigid acceleration that its load gives to the beam."""
        rigid, load = self._statics[0], self.mass_field.inertia_load(offset, slope)
        motion = np.zeros(6)
        kept = [FIELDS.index(name) for name in self.fields]
        motion[kept] = np.linalg.lstsq(self.rigid_body_modes(), rigid @ (rigid.T @ load))[0]
        return offset + motion[:3], slope + np.cross(motion[3:], np.eye(3)).T

    def _tension(self, offset: Floats, slope: Floats) -> Floats:
        """Axial forces (elements, 4) at the Gauss points: mean and what the load adds."""
        _, inside, solve = self._statics
        displacement = np.zeros(self.mass.shape[0])
        displacement[inside] = solve(self.mass_field.inertia_load(offset, slope)[inside])
        ends = self.chain.segment_nodes[self.chain.connectivity]
        force = -self.elements.inertia[:, :1] * (offset[0] + ends @ slope[0])
        first, rise = force[:, :1], force[:, 1:] - force[:, :1]
        shape = first * (0.5 - GAUSS) + 0.5 * rise * (1.0 / 3.0 - GAUSS**2)
        return self._axial_forces(displacement)[:, None] + self.elements.length[:, None] * shape

    @cached_property
    def _statics(self) -> tuple[Floats, Integers, Callable[[Floats], Floats]]:
        """Free rigid-body modes, unknowns without a support that excludes them, their solver."""
        rigid = free_rigid_body_modes(self)
        inside = np.setdiff1d(self.free, self.free[determinate_support(rigid[self.free])])
        return rigid, inside, factorise(self.stiffness[inside][:, inside])

    def _turning_stiffness(self, slope: Floats) -> sp.csr_array:
        """Stiffness of sections and station masses that turn in an acceleration field."""
        whole = self.chain.assemble(self.elements.turning_form(slope))
        blocks = np.zeros((len(self.chain.body_nodes), 6, 6))
        for part in self.masses:
            turning = turning_matrix(slope, part.second_moments)
            blocks[self.station_node(part.station), 3:, 3:] += turning
        return self._select(sp.csr_array(whole + sp.block_diag(blocks)))


def straight_beam(
    length: float,
    section: Section,
    material: Material,
    supports: Mapping[str, str | Sequence[str]] | None = None,
    *,
    elements: int = 20,
    stations: Mapping[str, float] | None = None,
    theory: str = "timoshenko",
    motion: str = "spatial",
    masses: Sequence[StationMass] = (),
    springs: Sequence[StationSpring] = (),
) -> Beam:
    """Uniform beam from x = 0 to `length`, split at the stations so that each is a node.

    The elements are shared out to the pieces in proportion to their length, one at least.
    """
    inner = [x for x in (stations or {}).values() if 0.0 < x < length]
    cuts = np.unique([0.0, *inner, float(length)])
    counts = np.maximum(1, np.round(elements * np.diff(cuts) / length)).astype(int)
    segments = [
        Segment(float(a), float(b), section, material, int(n))
        for a, b, n in zip(cuts[:-1], cuts[1:], counts, strict=True)
    ]
    return Beam(segments, supports or {}, stations or {}, theory, motion, masses, springs)
