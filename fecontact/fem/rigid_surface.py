"""A finite-element body one of whose surfaces is rigid: glued to a stiff part, or held by a bolt.

The unknowns u_s that move the surface follow six others, the displacement of its centroid and its
rotation vector w,

    u_s = R w,      K' = T^T K T,      u = T u' ,

the constraint of an RBE2 element. A joint on the surface then holds it as a whole; on a surface
that is not rigid it holds the mean motion (`body.marker`), the distribution of an RBE3 element.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from fecontact.errors import InputError
from fecontact.fem.mean_motion import interfaces_of
from fecontact.fem.model import FEModel, FESurface, Geometry
from fecontact.typing import Floats, Integers

__all__ = ["RigidSurface", "rigid_surface"]


@dataclass(frozen=True, eq=False)
class RigidSurface:
    """A body with one rigid surface, as a body of its own; an `FEModel`.

    Its unknowns are those of the body that do not move the surface, then six of the surface.

    Attributes
    ----------
    model
        The body.
    rigid
        Name of its rigid surface.
    """

    model: FEModel
    rigid: str

    def __post_init__(self) -> None:
        held = np.setdiff1d(self._tied, self.model.free)
        if len(held):
            raise InputError(
                f"invalid rigid surface '{self.rigid}': expected one without supports; {len(held)} "
                "of its unknowns are held"
            )

    @property
    def material(self) -> Any:
        """Material of the body, if it tells."""
        return getattr(self.model, "material", None)

    @cached_property
    def stiffness(self) -> sp.csr_array:
        """Stiffness matrix."""
        return self._reduced(self.model.stiffness)

    @cached_property
    def mass(self) -> sp.csr_array:
        """Mass matrix."""
        return self._reduced(self.model.mass)

    @cached_property
    def free(self) -> Integers:
        """Unknowns that the supports leave free."""
        kept = np.flatnonzero(np.isin(self._others, self.model.free))
        return np.concatenate([kept, len(self._others) + np.arange(6)]).astype(np.int64)

    @cached_property
    def geometry(self) -> Geometry:
        """Nodes and cells, which move with the unknowns of this body."""
        drawn = self.model.geometry
        return Geometry(drawn.points, drawn.cells, sp.csr_array(drawn.shape @ self.spread))

    def surface(self, name: str, *given: Any) -> FESurface:
        """Contact points of a named surface."""
        model: Any = self.model
        on: FESurface = model.surface(name, *given)
        return replace(on, shape=sp.csr_array(on.shape @ self.spread))

    @property
    def interfaces(self) -> dict[str, FESurface]:
        """Surfaces, edges and curves of the body, where joints may hold."""
        every = interfaces_of(self.model).items()
        return {n: replace(on, shape=sp.csr_array(on.shape @ self.spread)) for n, on in every}

    def rigid_body_modes(self) -> Floats:
        """Rigid-body modes in the unknowns."""
        modes = self.model.rigid_body_modes()
        own = np.eye(6)
        for axis in range(3):
            own[:3, 3 + axis] = np.cross(np.eye(3)[axis], self._centre)
        return np.vstack([modes[self._others], own[:, : modes.shape[1]]])

    @cached_property
    def spread(self) -> sp.csr_array:
        """T: unknowns of the body from those of this one."""
        count, modes = len(self._others), self.model.rigid_body_modes()
        about = np.array(modes[self._tied])
        for axis in range(3):
            about[:, 3 + axis] -= modes[self._tied, :3] @ np.cross(np.eye(3)[axis], self._centre)
        ones = sp.coo_array(
            (np.ones(count), (self._others, np.arange(count))),
            shape=(len(modes), count + 6),
        )
        rows = np.repeat(self._tied, 6)
        columns = np.tile(count + np.arange(6), len(self._tied))
        tied = sp.coo_array((about.ravel(), (rows, columns)), shape=ones.shape)
        return sp.csr_array(ones + tied)

    @cached_property
    def _tied(self) -> Integers:
        """Unknowns that move the surface."""
        shape = sp.csr_array(self.model.surface(self.rigid).shape)
        return np.unique(shape.indices[np.abs(shape.data) > 0.0]).astype(np.int64)

    @cached_property
    def _others(self) -> Integers:
        every = np.arange(self.model.stiffness.shape[0], dtype=np.int64)
        return np.setdiff1d(every, self._tied)

    @cached_property
    def _centre(self) -> Floats:
        """Centroid of the surface."""
        on = self.model.surface(self.rigid)
        return np.asarray(on.weights @ on.points / on.weights.sum())

    def _reduced(self, matrix: sp.csr_array) -> sp.csr_array:
        return sp.csr_array(self.spread.T @ sp.csr_array(matrix) @ self.spread)


def rigid_surface(model: FEModel, name: str) -> RigidSurface:
    """Make a surface of a finite-element body rigid.

    Examples
    --------
    >>> from fecontact.fem import ElasticSolid, Material
    >>> from fecontact.mesh import block
    >>> solid = ElasticSolid(block(0.2, 0.02, 0.02, (4, 1, 1)), Material(2e9, 0.3, 1000.0),
    ...                      supports={"x_min": "clamped"})
    >>> stiff = rigid_surface(solid, "x_max")
    >>> len(solid.free), len(stiff.free)
    (144, 126)
    """
    if model.rigid_body_modes().shape[1] != 6:
        raise InputError(
            f"invalid rigid surface '{name}': expected a body with six rigid-body modes, such as a "
            "solid or a beam in space"
        )
    return RigidSurface(model, name)
