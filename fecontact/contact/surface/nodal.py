"""Contact points of a full finite-element body: their displacement is a sparse matrix."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from fecontact.body.fe_body import FEBody, NodalPoints
from fecontact.contact.master.nodal_face import fe_facets
from fecontact.contact.surface.points import Surface, outward
from fecontact.errors import InputError, at_least, check, check_kind
from fecontact.fem.model import FESurface
from fecontact.typing import Floats

__all__ = ["NodalSurface", "fe_surface"]

RIGID = "surfaces of reduced bodies are those of elastic_surface, of rigid ones mesh_surface"


@dataclass(frozen=True, eq=False)
class NodalSurface(Surface):
    """Surface whose points move with the unknowns of a full finite-element body.

    `interpolation` (3 p, n) is their displacement per free unknown.
    """

    interpolation: sp.csr_array = field(default_factory=lambda: sp.csr_array((0, 0)))

    @property
    def material(self) -> NodalPoints:  # type: ignore[override]
        """The points as the body takes them."""
        return NodalPoints(self.points, self.interpolation)


def fe_surface(
    body: FEBody,
    surface: str | FESurface,
    *,
    parts: int | None = None,
    near: Callable[[Floats], npt.NDArray[np.bool_]] | None = None,
) -> NodalSurface:
    """Contact points of a full finite-element body.

    Parameters
    ----------
    body
        The body.
    surface
        Name of a surface of its model, or points of it, such as `solid.surface("top", "nodes")`.
    parts
        Gauss points of the facets of a solid, each divided in parts x parts pieces; by default the
        points of the model.
    near
        Function of positions (k, 3) of points, with `parts` of the centres of facets: which of them
        may touch; by default all. Few points make few contact unknowns.

    Examples
    --------
    >>> from fecontact.fem import ElasticSolid, Material
    >>> from fecontact.mesh import block
    >>> solid = ElasticSolid(block(1.0, 1.0, 1.0, (1, 1, 1)), Material(1e6, 0.0, 200.0))
    >>> face = fe_surface(FEBody("cube", solid), "z_min")
    >>> round(face.measure, 9), face.interpolation.shape
    (1.0, (27, 60))
    """
    check_kind("fe_surface: body", body, FEBody, RIGID)
    if parts is None:
        on = body.model.surface(surface) if isinstance(surface, str) else surface
        chosen = np.ones(len(on.points), dtype=bool) if near is None else near(on.points)
        if not chosen.any():
            raise InputError(f"{body.name}: invalid near: expected a function that chooses points")
        interpolation = sp.csr_array(on.shape[np.repeat(chosen, 3)][:, body.model.free])
        return NodalSurface(
            on.points[chosen],
            on.weights[chosen],
            normals=on.normals[chosen],
            interpolation=interpolation,
        )
    check("parts", parts, at_least(1))
    if not isinstance(surface, str):
        raise InputError(f"fe_surface: invalid parts = {parts}: expected none with given points")
    facets, nodes = fe_facets(body, surface, near)
    N = facets.sample(facets.rule(parts)[0])[:, 0]
    q, k = N.shape
    count = len(facets.connectivity)
    columns = np.repeat(facets.connectivity, q, axis=0).ravel()
    shape = (count * q, len(facets.nodes))
    values = np.tile(N.ravel(), count)
    weights = sp.csr_array((values, columns, k * np.arange(count * q + 1)), shape)
    interpolation = sp.csr_array(sp.kron(weights, sp.eye_array(3), format="csr") @ nodes)
    positions, areas = facets.quadrature(parts)
    return NodalSurface(
        positions, areas, normals=outward(facets, parts), interpolation=interpolation
    )
