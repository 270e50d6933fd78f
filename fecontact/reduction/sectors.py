"""Turn of the coordinates of a reduced body that repeats itself N times around the z axis.

A turn by a sector, theta = 2 pi/N, maps nodes to nodes, so the coordinates of a turned pattern are
T q with T known exactly. T has the eigenvalues exp(i k theta), |k| <= N/2, and

    exp(J theta) = T,      J = V diag(i k) V^-1,

is the generator of patterns of the class k: its waves have k, k - N, k + N, ... nodal diameters.
Matrices of the body commute with T, so with J, and are constant for patterns that stand in space.
Patterns of the class N/2 have no sense of rotation and ride with the body (k = 0); they couple with
no others.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.spatial import cKDTree

from fecontact.reduction.reduced import ReducedModel
from fecontact.typing import Floats

__all__ = ["sector_generator"]

SAME = 1e-6
"""Distance of nodes relative to the size, and error of turned shapes, up to which they repeat."""


@lru_cache(maxsize=8)
def sector_generator(model: ReducedModel, repeats: int) -> Floats | None:
    """J (m, m) of the elastic coordinates; None if the body does not repeat itself so.

    Examples
    --------
    >>> from fecontact.fem import STEEL, ElasticSolid
    >>> from fecontact.mesh import solid_annulus
    >>> from fecontact.reduction import reduce_model
    >>> mesh = solid_annulus(0.08, 0.12, -0.002, 0.002, 2, 24)
    >>> model = reduce_model(ElasticSolid(mesh, STEEL, supports={"inner": "clamped"}), modes=5)
    >>> np.linalg.eigvals(sector_generator(model, 24)).imag.round(6).tolist()
    [0.0, 1.0, -1.0, 2.0, -2.0]
    >>> sector_generator(model, 7) is None
    True
    """
    angle, nodes = 2.0 * np.pi / repeats, model.geometry.points
    c, s = np.cos(angle), np.sin(angle)
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    distance, there = cKDTree(nodes).query(nodes @ R.T)
    if distance.max() > SAME * np.ptp(nodes, axis=0).max() or len(set(there)) < len(nodes):
        return None
    U = np.asarray(model.geometry.shape @ model.basis[:, model.rigid :])
    turned = np.empty_like(U).reshape(len(nodes), 3, -1)
    turned[there] = np.einsum("ij,njk->nik", R, U.reshape(turned.shape))
    T, *_ = np.linalg.lstsq(U, turned.reshape(U.shape), rcond=None)
    if np.abs(U @ T - turned.reshape(U.shape)).max() > SAME * np.abs(U).max():
        return None
    values, V = np.linalg.eig(T)
    k = np.round(np.angle(values) / angle)
    k[2.0 * np.abs(k) >= repeats] = 0.0
    return np.asarray((V * (1j * k) @ np.linalg.inv(V)).real)
