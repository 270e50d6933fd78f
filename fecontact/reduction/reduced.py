"""The reduced body: few coordinates q, M = 1, K = diag(omega^2), and what they move.

    u = Phi q,     q'' + omega^2 q = Phi^T f

The rigid-body modes come first; they are the analytic ones and their frequencies are exactly zero.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from fecontact.errors import POSITIVE, InputError, check, unknown
from fecontact.fem.model import Geometry
from fecontact.reduction.attachment import Residual
from fecontact.reduction.estimate import ContactCompliance, valid_fraction
from fecontact.reduction.inertia import InertiaIntegrals
from fecontact.reduction.interfaces import Interface
from fecontact.reduction.loads import NamedLoad
from fecontact.typing import Floats

__all__ = ["ContactEstimate", "Provenance", "ReducedModel", "ReducedSurface", "geometry_hash"]


@dataclass(frozen=True)
class ReducedSurface:
    """Points of a surface, with areas, outward normals and displacement shapes (3 p, m)."""

    points: Floats
    weights: Floats
    normals: Floats
    shape: Floats


@dataclass(frozen=True)
class ContactEstimate:
    """Compliance under the load shapes of the basis, and under a finer family as a test."""

    nominal: ContactCompliance
    finer: ContactCompliance


@dataclass(frozen=True)
class Provenance:
    """Where a reduced body comes from.

    Attributes
    ----------
    method
        Reduction method.
    parameters
        Its parameters, in words.
    geometry
        SHA-256 of nodes and cells.
    version
        Version of the package.
    notes
        What could not be computed, and why.
    """

    method: str
    parameters: Mapping[str, str]
    geometry: str
    version: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class ReducedModel:
    """Elastic body with few coordinates; made by `reduce_model`.

    Parameters
    ----------
    basis : (n, m)
        Mass-orthonormal shapes Phi in the unknowns of the finite-element body.
    frequencies : (m,)
        Circular frequencies in rad/s, ascending; exactly zero for the rigid-body modes.
    rigid
        Number of rigid-body modes; they come first.
    exact
        Number of elastic coordinates after them that are modes of the full body; zero for
        Craig-Bampton, whose modes are all approximate.
    frequency_error : (m,)
        Bound of |theta^2/omega^2 - 1|: some frequency omega of the full finite-element body lies
        that close (`estimate`); the error of its mesh is not in it, see `mesh_error`.
    next_frequency
        First frequency in rad/s whose mode was left out; infinite if none was. For
        Craig-Bampton it is that of the first fixed-interface mode left out.
    geometry
        Nodes and cells, with the displacement of the nodes per unknown.
    surfaces
        Contact surfaces with their displacement shapes.
    contact
        Error estimates of the contact surfaces.
    provenance
        Method, parameters, mesh, version.
    inertia
        Integrals for the floating frame; None if the model has no mass field, or not wanted.
    geometric : (12, m, m)
        Geometric stiffness per unit inertia load (`geometric.UNIT_LOADS`), or None.
    residual
        Quasi-static flexibility beyond the coordinates (method "quasi-static"), or None.
    mesh_error : (exact,)
        Estimate of f/f_true - 1 of the modes of the full body by its mesh (`mesh_error`); None if
        it was not asked for or does not exist for this body.
    interfaces
        Where joints may hold it: every named surface, edge or curve of the finite-element body, its
        mean motion per coordinate and the error of the answer to a force and a moment there. Empty
        for files of versions before 4.
    named_loads
        Loads that the finite-element body has by name, such as the preload of a bolt.
    """

    basis: Floats
    frequencies: Floats
    rigid: int
    exact: int
    frequency_error: Floats
    next_frequency: float
    geometry: Geometry
    surfaces: Mapping[str, ReducedSurface]
    contact: Mapping[str, ContactEstimate]
    provenance: Provenance
    inertia: InertiaIntegrals | None = None
    geometric: Floats | None = None
    residual: Residual | None = None
    mesh_error: Floats | None = None
    interfaces: Mapping[str, Interface] = field(default_factory=dict)
    named_loads: Mapping[str, NamedLoad] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Number of coordinates."""
        return len(self.frequencies)

    @cached_property
    def mass(self) -> Floats:
        """Mass matrix (m, m): the identity."""
        return np.eye(self.size)

    @cached_property
    def stiffness(self) -> Floats:
        """Stiffness matrix (m, m): diagonal."""
        return np.diag(self.frequencies**2)

    def surface(self, name: str) -> ReducedSurface:
        """Points and displacement shapes of a named surface."""
        if name in self.interfaces and name not in self.surfaces:
            known = ", ".join(sorted(self.surfaces)) or "none"
            raise InputError(
                f"surface '{name}' has no contact points, joints alone can hold it: expected one "
                f"of {known}; name it in `contact` of reduce_model"
            )
        if name not in self.surfaces:
            raise unknown("surface", name, self.surfaces)
        return self.surfaces[name]

    def interface(self, name: str) -> Interface:
        """Mean motion of a named surface, edge or curve, for joints."""
        if name not in self.interfaces:
            raise unknown("surface", name, {**self.surfaces, **self.interfaces})
        return self.interfaces[name]

    def named_load(self, name: str) -> NamedLoad:
        """A load of the finite-element body."""
        if name not in self.named_loads:
            raise unknown("load", name, self.named_loads)
        return self.named_loads[name]

    def reconstruct(self, q: Floats, loads: Floats | None = None) -> Floats:
        """Displacement of the nodes (nodes, 3) for coordinates q.

        With the quasi-static method, `loads` are the amplitudes of the load shapes; their
        residual displacement is added.
        """
        u = self.basis @ self._checked("q", q, self.size)
        if loads is not None:
            if self.residual is None:
                raise InputError("invalid loads: expected a model of method 'quasi-static'")
            count = len(self.residual.labels)
            u = u + self.residual.shapes @ self._checked("loads", loads, count)
        return np.asarray(self.geometry.shape @ u).reshape(-1, 3)

    def plot_modes(self, path: str | Path, count: int = 6) -> Any:
        """Write the first elastic modes as `path`.vtu for ParaView, and their picture `path`.png.

        Returns the names of the files and a sentence on them; without graphics there is no picture.
        """
        from fecontact.view.modes import save_body_modes

        return save_body_modes(self, Path(path), count)

    def validity_frequency(self, tolerance: float = 0.05) -> float:
        """Circular frequency in rad/s up to which the response to contact loads is valid.

        With exact modes the bound of `estimate` holds: for every load of the nominal families
        the error is at most `tolerance` times the static response, in the energy norm. It is
        zero if the static response alone is worse than that. With Craig-Bampton it is the
        highest reduced frequency up to which all frequency errors are within `tolerance`, and
        not above the first fixed-interface mode left out; a rule, not a bound. Loads of the joints
        that the body was reduced for count as those of contacts.
        """
        check("tolerance", tolerance, POSITIVE)
        judged = [estimate.nominal for estimate in self.contact.values()]
        judged += [each.compliance for each in self.interfaces.values() if each.joint]
        nominal = [(c.missed_by_modes, c.energy_error) for c in judged]
        nominal += [(c.missed_by_modes, c.energy_error) for c in self.named_loads.values()]
        if self.provenance.method == "craig-bampton":
            if any(error > tolerance for _, error in nominal):
                return 0.0
            wrong = self.frequencies[self.frequency_error > tolerance]
            below = self.frequencies[self.frequencies < np.min(wrong, initial=np.inf)]
            return float(min(np.max(below, initial=0.0), self.next_frequency))
        if self.next_frequency == np.inf:
            return np.inf
        parts = nominal or [(1.0, 0.0)]
        return self.next_frequency * min(valid_fraction(*part, tolerance) for part in parts)

    @staticmethod
    def _checked(name: str, values: Floats, count: int) -> Floats:
        values = np.asarray(values, dtype=float)
        if values.shape != (count,):
            raise InputError(f"invalid {name} of shape {values.shape}: expected ({count},)")
        return values


def geometry_hash(geometry: Geometry) -> str:
    """SHA-256 of the nodes and cells of a body."""
    digest = hashlib.sha256(np.ascontiguousarray(geometry.points).tobytes())
    for kind in sorted(geometry.cells):
        digest.update(kind.encode())
        digest.update(np.ascontiguousarray(geometry.cells[kind], dtype=np.int64).tobytes())
    return digest.hexdigest()
