"""Facets whose nodes move one by one, as a master surface: for unreduced finite elements.

A slave point depends on the k nodes of the facet under its projection point, and on the k nodes of
the facet on which it was at the start of the step. Derivatives have these 6 k columns for each
point, not those of all nodes.

Both forces act at the slave point, at the height g over its projection point. The material there
follows the facet with its normal, x = sum N_a x_a + g n, so that the nodes bear

    Q_a = N_a F - g n (N_a,b a^bc t_c . F) .

The sum of the nodal forces is F, their moment that of F at the slave point: action and reaction
balance with their moments.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from fecontact.body.fe_body import FEBody
from fecontact.body.points.elastic_points import FloatingMotion
from fecontact.contact.kernels.facets.search import FOUND
from fecontact.contact.master.base import Master, MaterialMaster
from fecontact.contact.master.elastic_facets import solid_facets
from fecontact.contact.master.facet_projection import FacetProjection
from fecontact.contact.master.facets import Facets
from fecontact.contact.master.search import NearestCentre
from fecontact.errors import InputError, check_kind
from fecontact.mesh.cells import CELL_TYPES
from fecontact.typing import Body, Floats, Integers

__all__ = ["FEFace", "NodalFace", "NodalProjection", "fe_facets"]

ORIGIN = np.zeros(3)
BENDS = np.array([[3, 5], [5, 4]])
"""Rows of the second derivatives N_,ab among the sampled shape functions."""

MARGIN = 0.01
"""How far, in local coordinates, points go over an inner edge before they change the facet."""


@dataclass(frozen=True, eq=False)
class NodalFace(MaterialMaster):
    """Facets on which slave points are projected; its coordinates are the positions of the nodes.

    With `held` (p,) the points keep these facets as long as they are not beyond an inner edge by
    more than `MARGIN`. A point on the edge of two tilted facets would else change its normal from
    one trial to the next, and no equilibrium would be found. That remains for points that slide
    along an edge from facet to facet within one increment: there the surface has no normal.
    """

    facets: Facets
    held: Integers | None = None

    @property
    def bodies(self) -> tuple[Body, ...]:
        """None: the nodes belong to whoever moves them."""
        return ()

    @cached_property
    def search(self) -> NearestCentre:
        """Where the search for projection points begins."""
        return NearestCentre(self.facets.centres)

    def project(self, x: Floats, q: Floats, v: Floats, t: float = 0.0) -> NodalProjection:
        """Project slave points x (p, 3) on facets whose nodes are at q (3 n,), at rest."""
        nodes = q.reshape(-1, 3)
        still = np.zeros(6 * self.facets.connectivity.shape[1])
        frame = FloatingMotion(ORIGIN, np.eye(3), ORIGIN, ORIGIN, still, still, slice(6, None))
        if self.held is None:
            projected = self.facets.projection_points(x, self.search(x), nodes)
        else:
            projected = self.facets.projection_points(x, self.held, nodes, margin=MARGIN)
        return NodalProjection(self.facets, frame, x, nodes, np.zeros_like(nodes), projected)

    def carried(self, anchor: Floats, q: Floats, t: float = 0.0) -> Floats:
        """Position (p, 3) of anchors."""
        return self.facets.carried(anchor, np.ascontiguousarray(q).reshape(-1, 3))

    def d_carried(self, anchor: Floats, q: Floats, t: float = 0.0) -> Floats:
        """Its derivative (p, 3, 6 k): the nodes of an anchor are the last k."""
        own = _shapes(self.facets.sample(anchor[:, 1:])[:, 0])
        return np.concatenate([np.zeros_like(own), own], axis=2)


@dataclass(frozen=True, eq=False)
class FEFace(Master):
    """Named surface of a full finite-element body on which slave points are projected.

    It serves statics: the body is at rest there. Reduce a body that moves (`ElasticFace`).

    Parameters
    ----------
    body
        A solid.
    surface
        Name of a surface of its model.
    near
        Function of points (f, 3): facets with a centre there may touch; by default all.
    """

    body: FEBody
    surface: str
    near: Callable[[Floats], npt.NDArray[np.bool_]] | None = None
    facets: Facets = field(init=False, repr=False)
    interpolation: sp.csr_array = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_kind("FEFace: body", self.body, FEBody, "a reduced one has an ElasticFace")
        facets, interpolation = fe_facets(self.body, self.surface, self.near)
        object.__setattr__(self, "facets", facets)
        object.__setattr__(self, "interpolation", interpolation)

    @property
    def bodies(self) -> tuple[FEBody]:
        """The body."""
        return (self.body,)

    @cached_property
    def nodal(self) -> NodalFace:
        """The facets with nodes that move one by one."""
        return NodalFace(self.facets)

    def project(self, x: Floats, q: Floats, v: Floats, t: float = 0.0) -> NodalProjection:
        """Project slave points x (p, 3) on the deformed facets, at rest.

        Derivatives are those by the nodes; statics takes them to the unknowns.
        """
        if np.any(v):
            raise InputError(
                f"surface '{self.surface}' of '{self.body.name}': invalid motion of a full finite-"
                "element master: expected statics; reduce the body and take an ElasticFace"
            )
        nodes = self.facets.nodes + (self.interpolation @ q).reshape(-1, 3)
        return self.nodal.project(x, nodes.ravel(), v)


def fe_facets(
    body: FEBody, name: str, near: Callable[[Floats], npt.NDArray[np.bool_]] | None = None
) -> tuple[Facets, sp.csr_array]:
    """Facets of a surface, and the displacement (3 nodes, n) of their nodes per free unknown."""
    geometry = body.model.geometry
    if {CELL_TYPES[kind].dim for kind in geometry.cells if kind in CELL_TYPES} != {3}:
        raise InputError(
            f"surface '{name}' of '{body.name}': invalid cells {', '.join(geometry.cells)}: "
            "expected a solid of volume cells; reduce plates and beams"
        )
    on = body.model.surface(name)
    every = solid_facets(geometry, on.points, on.normals, f"'{name}' of {body.name}")
    chosen = np.ones(len(every.centres), bool) if near is None else near(every.centres)
    if not chosen.any():
        raise InputError(f"{body.name}: invalid near: expected a function that chooses facets")
    used, index = np.unique(every.connectivity[chosen], return_inverse=True)
    connectivity = np.ascontiguousarray(index.reshape(-1, every.connectivity.shape[1]))
    rows = (3 * used[:, None] + np.arange(3)).ravel()
    interpolation = sp.csr_array(geometry.shape[rows][:, body.model.free])
    return Facets(every.nodes[used], connectivity), interpolation


@dataclass(frozen=True)
class NodalProjection(FacetProjection):
    """Kinematics of slave points at rest; derivatives (p, ., 3 + 6 k) of each by its own nodes."""

    @property
    def members(self) -> Integers:
        """Nodes (p, k) of the facets under the projection points."""
        return self._members

    @cached_property
    def jacobian(self) -> Floats:
        """Displacement (p, 3, 6 k) of the material at the slave points."""
        tilt = np.einsum("pba,pbi->pai", self._shape[:, 1:3], self._duals)
        own = np.einsum("p,pai,pj->piaj", self._over, tilt, self._normal)
        result = self._Phi.copy()
        result[:, :, : own.shape[2] * 3] -= own.reshape(len(own), 3, -1)
        return result

    def d_load(self, force: Floats, slave: Floats) -> Floats:
        """Derivative (p, 6 k, 3 + 6 k) of Q = J^T F at fixed F (p, 3), for each point."""
        n, k = self._normal, self._shape.shape[2]
        s = np.einsum("pbi,pi->pb", self._duals, force)
        first, second = self._shape[:, 1:3], self._shape[:, BENDS]
        d_s = self._d_covariant(force, s)
        tilt = np.einsum("pba,pb->pa", first, s)
        d_tilt = np.einsum("pbca,pb,pcy->pay", second, s, self._d_local, optimize=True)
        d_tilt += np.einsum("pba,pby->pay", first, d_s)
        d_over = np.where(self._found[:, None], self.d_gap, 0.0)
        moved = np.einsum("pba,pby->pay", first, self._d_local)
        result = moved[:, :, None, :] * force[:, None, :, None]
        scaled = tilt[:, :, None] * d_over[:, None, :] + self._over[:, None, None] * d_tilt
        result -= scaled[:, :, None, :] * n[:, None, :, None]
        turned = (self._over[:, None] * tilt)[:, :, None, None]
        result -= turned * self.d_normal[:, None, :, :]
        flat = result.reshape(len(n), 3 * k, -1)
        return np.concatenate([flat, np.zeros_like(flat)], axis=1)

    def _d_covariant(self, force: Floats, s: Floats) -> Floats:
        """Derivative (p, 2, 3 + 6 k) of s_b = a^bc t_c . F: a ds = dt . (F . n) n - t . (dt s)."""
        t, n = self._slopes, self._normal
        d_t = self._bends @ self._d_local[:, None]
        for c, Phi_c in enumerate(self._d_Phi):
            d_t[:, c, :, 3:] += Phi_c
        across = np.einsum("pi,pi->p", force, n)
        right = np.einsum("p,pi,pciy->pcy", across, n, d_t, optimize=True)
        right -= t @ np.einsum("pbiy,pb->piy", d_t, s)
        return np.asarray(np.linalg.solve(t @ t.transpose(0, 2, 1), right))

    @cached_property
    def _found(self) -> npt.NDArray[np.bool_]:
        return self.projected.state == FOUND

    @cached_property
    def _over(self) -> Floats:
        """Height (p,) over the projection point, zero where there is no contact."""
        return np.where(self._found, self._height, 0.0)

    @cached_property
    def _duals(self) -> Floats:
        """Vectors a^bc t_c (p, 2, 3)."""
        t = self._slopes
        return np.asarray(np.linalg.solve(t @ t.transpose(0, 2, 1), t))

    @cached_property
    def _Phi(self) -> Floats:
        return self._padded(0)

    @cached_property
    def _d_Phi(self) -> tuple[Floats, Floats]:
        return self._padded(1), self._padded(2)

    def _padded(self, row: int) -> Floats:
        """Shapes (p, 3, 6 k) of the nodes under the projection, zero for those of the start."""
        own = _shapes(self._shape[:, row])
        return np.concatenate([own, np.zeros_like(own)], axis=2)


def _shapes(values: Floats) -> Floats:
    """Displacement (p, 3, 3 k) per displacement of k nodes, from shape functions (p, k)."""
    return np.einsum("pa,ij->piaj", values, np.eye(3)).reshape(len(values), 3, -1)
