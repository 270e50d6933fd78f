r"""Mortar integrals of two faces whose meshes do not match, over the common parts of their facets.

The tie u_slave = u_master holds in the weak sense, for a multiplier at each node of the slave face,

    int lambda_i (u_slave - u_master) dA = 0 .

Every pair of facets is projected on the mean plane of the slave facet, clipped, and the common
polygon cut in triangles with Gauss points (Puso and Laursen, Comput. Methods Appl. Mech. Eng. 193
(2004) 601). The slave face moves by u = sum phi_i d_i: at corners phi is linear (bilinear) and
d = u, at middle nodes phi is the quadratic shape function and d the departure of u from the mean
of the ends. All phi have positive integrals. The multipliers are dual to them,

    int lambda_i phi_j dA = delta_ij D_i,     lambda = A phi,  A = diag(int phi) (int phi phi^T)^-1

per facet (Wohlmuth, SIAM J. Numer. Anal. 38 (2000) 989; the change of basis: Popp, Wohlmuth,
Gitterle and Wall, SIAM J. Sci. Comput. 34 (2012) B421), integrated over the covered part of the
facet only (Cichosz and Bischoff, Comput. Methods Appl. Mech. Eng. 200 (2011) 1317). They add up to
one there, so that a constant pressure is carried exactly, and each node has its own equation,

    D_i d_i = sum_j M_ij u_j(master).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.spatial import cKDTree
from skfem.quadrature import get_quadrature
from skfem.refdom import RefTri

from fecontact.errors import InputError
from fecontact.fem.assembly.clipping import clip, counter_clockwise, fans
from fecontact.fem.assembly.facets import Facets, Pieces
from fecontact.typing import Floats, Integers

__all__ = ["MortarIntegrals", "mortar_integrals"]

ORDER = 8
"""Polynomial degree up to which the common triangles are integrated."""
COVERED = 0.02
"""Part of a slave facet below which what is common with the master is left out."""
SMALL = 1e-12
"""Area of a triangle, relative to the slave facet, that counts as nothing."""


@dataclass(frozen=True)
class MortarIntegrals:
    """Integrals of one tie, by nodes of the two bodies.

    Attributes
    ----------
    nodes : (k,)
        Nodes of the slave face.
    weights, full : (k,)
        D_i, and what it would be if the master covered all facets, in m^2.
    ends
        For each node the corners from whose mean d departs; none for a corner.
    masters : (p,)
        Nodes of the master face.
    of_masters : (k, p) sparse
        M.
    neighbours : (k, k) sparse
        Whether two nodes share a facet that is covered.
    largest_gap
        Largest distance of the faces along the normal, at points where they are tied, in m.
    """

    nodes: Integers
    weights: Floats
    full: Floats
    ends: tuple[tuple[int, ...], ...]
    masters: Integers
    of_masters: sp.csr_array
    neighbours: sp.csr_array
    largest_gap: float

    @property
    def covered(self) -> float:
        """Part of the slave face that faces the master."""
        corners = np.array([not each for each in self.ends])
        return float(self.weights[corners].sum() / self.full[corners].sum())


class _Points(NamedTuple):
    """Gauss points (t, q) of the common triangles, by pair of facets."""

    slave: Integers
    master: Integers
    xi: Floats
    eta: Floats
    areas: Floats
    gap: Floats


def mortar_integrals(slave: Facets, master: Facets, gap: float | None = None) -> MortarIntegrals:
    """Integrate a tie; faces farther apart than `gap`, by default a fifth of a facet, are free."""
    points = _common_points(slave, master, gap)
    if not len(points.slave):
        raise InputError(
            "the faces do not face each other within the largest gap: look at the positions of the "
            "parts, name the right surfaces, or give a larger gap in m"
        )
    phi, of, counts = slave.hierarchical(points.xi), points.slave, len(slave.nodes)
    weighted = points.areas[..., None] * phi
    masses = _summed(of, np.einsum("tqc,tqd->tcd", weighted, phi), counts)
    sums, full = _summed(of, weighted.sum(axis=1), counts), _full_weights(slave)
    corners = slice(slave.corner_count)
    good = sums[:, corners].sum(axis=1) > COVERED * full[:, corners].sum(axis=1)
    dual = np.zeros(masses.shape)
    dual[good] = sums[good][:, :, None] * np.linalg.inv(masses[good])
    sums[~good] = 0.0
    across = np.einsum("tqc,tqm->tcm", weighted, master.values(points.eta))
    kept = good[of]
    values = dual[of[kept]] @ across[kept]
    gap_found = float(np.max(np.abs(points.gap[kept]), initial=0.0))
    nodes, row = np.unique(slave.nodes.ravel(), return_inverse=True)
    row = row.reshape(slave.nodes.shape)
    masters, target = np.unique(master.nodes.ravel(), return_inverse=True)
    target = target.reshape(master.nodes.shape)
    k, a = len(nodes), slave.nodes.shape[1]
    near = row[good]
    return MortarIntegrals(
        nodes=nodes,
        weights=_added(row, sums, k),
        full=_added(row, full, k),
        ends=_ends(slave, row, k),
        masters=masters,
        of_masters=_sparse(row[of[kept]], target[points.master[kept]], values, (k, len(masters))),
        neighbours=_sparse(near, near, np.ones((len(near), a, a)), (k, k)),
        largest_gap=gap_found,
    )


def _ends(slave: Facets, row: Integers, count: int) -> tuple[tuple[int, ...], ...]:
    """Corner nodes of whose mean each node departs; none for corners."""
    found: list[tuple[int, ...]] = [()] * count
    for m, of in enumerate(slave.ends):
        for facet, number in enumerate(row[:, slave.corner_count + m]):
            found[number] = tuple(int(node) for node in slave.nodes[facet, list(of)])
    return tuple(found)


def _common_points(slave: Facets, master: Facets, gap: float | None) -> _Points:
    """Gauss points of all common triangles of facets that face each other."""
    own, other = slave.pieces, master.pieces
    first, second = _candidates(slave, master, gap)
    normal = own.area_vector / np.linalg.norm(own.area_vector, axis=1, keepdims=True)
    axes = _plane_axes(normal)
    flat = np.einsum("scx,six->sci", own.corners - own.centre[:, None], axes)
    arms = other.corners[second] - own.centre[first][:, None]
    flat_other = np.einsum("pcx,pix->pci", arms, axes[first])
    common, count = clip(counter_clockwise(flat)[first], counter_clockwise(flat_other))
    triangles, pair = fans(common, count)
    sides = triangles[:, 1:] - triangles[:, :1]
    area = 0.5 * np.abs(sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0])
    large = area > SMALL * np.linalg.norm(own.area_vector, axis=1)[first[pair]]
    triangles, pair, area = triangles[large], pair[large], area[large]
    ref, weights = get_quadrature(RefTri, ORDER)
    L = np.stack([1.0 - ref[0] - ref[1], ref[0], ref[1]], axis=-1)
    x = L @ triangles
    s, m = first[pair], second[pair]
    own_xi, other_xi = _coordinates(flat[s], x), _coordinates(flat_other[pair], x)
    height = _height(own.corners[s] - own.centre[s][:, None], normal[s], own_xi)
    height_other = _height(other.corners[m] - own.centre[s][:, None], normal[s], other_xi)
    distance = height_other - height
    limit = _limit(own, gap)[s]
    near = np.abs(distance).mean(axis=1) <= limit
    found = _Points(
        own.facet[s], other.facet[m],
        own.origin[s][:, None] + np.einsum("tij,tqj->tqi", own.steps[s], own_xi),
        other.origin[m][:, None] + np.einsum("tij,tqj->tqi", other.steps[m], other_xi),
        2.0 * area[:, None] * weights, distance,
    )  # fmt: skip
    return _Points(*(each[near] for each in found))


def _limit(pieces: Pieces, gap: float | None) -> Floats:
    """Largest distance along the normal at which a piece is tied."""
    if gap is not None:
        return np.full(len(pieces.facet), gap)
    return 0.2 * np.sqrt(np.linalg.norm(pieces.area_vector, axis=1))


def _candidates(slave: Facets, master: Facets, gap: float | None) -> tuple[Integers, Integers]:
    """Pairs of pieces that are near each other, with normals against each other."""
    own, other = slave.pieces, master.pieces
    reach = own.radius + other.radius.max() + _limit(own, gap)
    found = cKDTree(other.centre).query_ball_point(own.centre, reach)
    first = np.repeat(np.arange(len(found)), [len(each) for each in found])
    second = np.array([number for each in found for number in each], dtype=np.int64)
    distance = np.linalg.norm(own.centre[first] - other.centre[second], axis=1)
    near = distance <= own.radius[first] + other.radius[second] + _limit(own, gap)[first]
    out = slave.outward[own.facet][:, None] * own.area_vector
    out_other = master.outward[other.facet][:, None] * other.area_vector
    against = np.sum(out[first] * out_other[second], axis=1) < 0.0
    return first[near & against], second[near & against]


def _plane_axes(normal: Floats) -> Floats:
    """Two unit vectors (s, 2, 3) across each normal."""
    least = np.eye(3)[np.abs(normal).argmin(axis=1)]
    along = np.cross(normal, least)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    return np.stack([along, np.cross(normal, along)], axis=1)


def _coordinates(corners: Floats, x: Floats) -> Floats:
    """Coordinates (t, q, 2) on the unit triangle or square of points in flat pieces (t, c, 2)."""
    a, b = corners[:, 1] - corners[:, 0], corners[:, -1] - corners[:, 0]
    arms = x - corners[:, :1]
    if corners.shape[1] == 3:
        sides = np.stack([a, b], axis=-1)[:, None]
        return np.asarray(np.linalg.solve(sides, arms[..., None])[..., 0], dtype=float)
    twist = corners[:, 2] - corners[:, 1] - corners[:, 3] + corners[:, 0]
    xi = np.full(x.shape, 0.5)
    for _ in range(20):
        s, t = xi[..., :1], xi[..., 1:]
        rest = arms - s * a[:, None] - t * b[:, None] - s * t * twist[:, None]
        J = np.stack([a[:, None] + t * twist[:, None], b[:, None] + s * twist[:, None]], axis=-1)
        step = np.linalg.solve(J, rest[..., None])[..., 0]
        xi = xi + step
        if np.max(np.abs(step), initial=0.0) < 1e-14:
            break
    return xi


def _height(corners: Floats, normal: Floats, xi: Floats) -> Floats:
    """Height (t, q) over the plane of points at own coordinates xi of pieces."""
    h = np.einsum("tcx,tx->tc", corners, normal)
    s, t = xi[..., 0], xi[..., 1]
    if corners.shape[1] == 3:
        return (1.0 - s - t) * h[:, :1] + s * h[:, 1:2] + t * h[:, 2:]
    around = (1.0 - s) * (1.0 - t), s * (1.0 - t), s * t, (1.0 - s) * t
    return np.asarray(sum(f * h[:, k : k + 1] for k, f in enumerate(around)))


def _full_weights(slave: Facets) -> Floats:
    """Integrals (f, a) of phi over whole facets, on the planes of their pieces."""
    pieces, refdom = slave.pieces, slave.element.refdom
    xi, weights = get_quadrature(refdom, ORDER)
    at = pieces.origin[:, None] + np.einsum("sij,qj->sqi", pieces.steps, xi.T)
    areas = np.linalg.norm(pieces.area_vector, axis=1) / weights.sum()
    each = areas[:, None] * np.einsum("q,sqc->sc", weights, slave.hierarchical(at))
    return _summed(pieces.facet, each, len(slave.nodes))


def _summed(index: Integers, values: Floats, count: int) -> Floats:
    """Sum values (t, ...) by index."""
    result = np.zeros((count, *values.shape[1:]))
    np.add.at(result, index, values)
    return result


def _added(index: Integers, values: Floats, count: int) -> Floats:
    return np.asarray(np.bincount(index.ravel(), values.ravel(), minlength=count), dtype=float)


def _sparse(
    rows: Integers, columns: Integers, values: Floats, shape: tuple[int, int]
) -> sp.csr_array:
    """Matrix of blocks (t, r, c) at rows (t, r) and columns (t, c)."""
    i = np.broadcast_to(rows[:, :, None], values.shape).ravel()
    j = np.broadcast_to(columns[:, None, :], values.shape).ravel()
    return sp.csr_array(sp.coo_array((values.ravel(), (i, j)), shape=shape))
