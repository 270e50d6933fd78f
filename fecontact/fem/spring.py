"""Springs to ground: on a surface, per area or in total, and at a point.

A spring works on any finite-element body, because it only uses the displacement of surface
points and nodes that every body offers:

    K_spring = sum_p w_p  Phi_p^T k_p Phi_p .

On the face of a plate Phi contains the lever of the face: u = u_mid -+ h/2 grad w. A tangential
spring there resists the tilt of the plate with k_t (h/2)^2 per area, also if the plate has no
motion in its plane: its mid-plane then rests and the face still slides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import scipy.sparse as sp

from fecontact.errors import NON_NEGATIVE, InputError, check
from fecontact.fem.model import FESurface, Geometry
from fecontact.typing import Floats

__all__ = ["Foundation", "PointSpring", "Spring", "SurfaceSpring", "spring_matrix"]


class _Supported(Protocol):
    """The part of a finite-element body that springs use."""

    @property
    def geometry(self) -> Geometry: ...

    def surface(self, name: str) -> FESurface: ...


class Spring(Protocol):
    """A linear spring between a body and ground."""

    def stiffness_matrix(self, model: _Supported) -> sp.csr_array:
        """Return its stiffness in the unknowns of the body, shape (n, n)."""
        ...

    def in_plane(self) -> Spring:
        """Return its part along x and y, for the plane of a plate that it is fixed to."""
        ...


@dataclass(frozen=True)
class Foundation:
    """Elastic foundation (Winkler): stiffness per area, normal and tangential to the surface.

    Attributes
    ----------
    surface
        Name of the surface.
    normal, tangential
        In N/m^3.
    """

    surface: str
    normal: float
    tangential: float = 0.0

    def __post_init__(self) -> None:
        check("normal foundation stiffness", self.normal, NON_NEGATIVE, "N/m^3")
        check("tangential foundation stiffness", self.tangential, NON_NEGATIVE, "N/m^3")

    def stiffness_matrix(self, model: _Supported) -> sp.csr_array:
        """Integral of k_n (n.u)^2 + k_t |u - n n.u|^2 over the surface."""
        face = model.surface(self.surface)
        nn = face.normals[:, :, None] * face.normals[:, None, :]
        blocks = self.normal * nn + self.tangential * (np.eye(3) - nn)
        return _on_points(face.shape, face.weights[:, None, None] * blocks)

    def in_plane(self) -> Foundation:
        """Tangential part; the faces of a plate are normal to z."""
        return replace(self, normal=0.0)


@dataclass(frozen=True)
class SurfaceSpring:
    """Total stiffness in x, y, z in N/m, spread evenly over a surface."""

    surface: str
    stiffness: tuple[float, float, float]

    def __post_init__(self) -> None:
        _check_three(self.stiffness)

    def stiffness_matrix(self, model: _Supported) -> sp.csr_array:
        """Stiffness per area times the area of each point."""
        face = model.surface(self.surface)
        fraction = face.weights / face.weights.sum()
        return _on_points(face.shape, fraction[:, None, None] * np.diag(self.stiffness))

    def in_plane(self) -> SurfaceSpring:
        """Part in x and y."""
        return replace(self, stiffness=(*self.stiffness[:2], 0.0))


@dataclass(frozen=True)
class PointSpring:
    """Lumped spring in x, y, z in N/m at a node.

    Attributes
    ----------
    point
        Position in m; a node must lie there within `reach`.
    stiffness
        In N/m.
    reach
        Largest distance to the node in m.
    """

    point: tuple[float, float, float]
    stiffness: tuple[float, float, float]
    reach: float = 1e-6

    def __post_init__(self) -> None:
        _check_three(self.stiffness)

    def stiffness_matrix(self, model: _Supported) -> sp.csr_array:
        """Diagonal stiffness at the nearest node."""
        geometry = model.geometry
        distance = np.linalg.norm(geometry.points - np.asarray(self.point), axis=1)
        node = int(np.argmin(distance))
        if distance[node] > self.reach:
            x, y, z = geometry.points[node]
            raise InputError(
                f"invalid point spring at {self.point} m: expected a node within {self.reach:g} m; "
                f"the nearest is at ({x:.6g}, {y:.6g}, {z:.6g}) m, {distance[node]:.3g} m away"
            )
        rows = geometry.shape[3 * node : 3 * node + 3]
        for letter, k, moves in zip("xyz", self.stiffness, np.diff(rows.indptr), strict=True):
            if k > 0.0 and not moves:
                raise InputError(
                    f"invalid point spring at {self.point} m with stiffness {k} N/m in {letter}: "
                    f"expected 0, as the body has no motion in {letter} there"
                )
        return _on_points(rows, np.diag(self.stiffness)[None])

    def in_plane(self) -> PointSpring:
        """Part in x and y."""
        return replace(self, stiffness=(*self.stiffness[:2], 0.0))


def spring_matrix(model: _Supported, springs: Sequence[Spring]) -> sp.csr_array:
    """Stiffness (n, n) of all springs of a body together."""
    n = model.geometry.shape.shape[1]
    return sum((s.stiffness_matrix(model) for s in springs), sp.csr_array((n, n)))


def _on_points(shape: sp.csr_array, blocks: Floats) -> sp.csr_array:
    """Phi^T k Phi with one 3 x 3 block k per point."""
    points = len(blocks)
    k = sp.bsr_array((blocks, np.arange(points), np.arange(points + 1)))
    return sp.csr_array(shape.T @ (k.tocsr() @ shape))


def _check_three(stiffness: Sequence[float]) -> None:
    for letter, k in zip("xyz", stiffness, strict=True):
        check(f"spring stiffness in {letter}", k, NON_NEGATIVE, "N/m")
