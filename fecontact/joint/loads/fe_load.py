"""Loads on full finite-element bodies: given forces on their unknowns, moved supports.

All of them are dead loads k(t) f: they do not depend on the displacement.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from fecontact.body.fe_body import FEBody
from fecontact.body.marker import Vector
from fecontact.errors import InputError, check_kind, numbers
from fecontact.joint.curve import Curve, curve_through
from fecontact.joint.marker import vector
from fecontact.typing import Floats, Tangents

__all__ = ["DeadLoad", "NodalLoad", "SupportMotion", "SurfaceLoad"]


class DeadLoad(ABC):
    """A load k(t) f on the dofs of a full finite-element body."""

    body: FEBody
    name: str
    factor: float | Curve

    @property
    def bodies(self) -> tuple[FEBody]:
        """The loaded body."""
        return (self.body,)

    @property
    @abstractmethod
    def given(self) -> Floats:
        """Force f (n,) on the free unknowns at factor 1."""

    @cached_property
    def _factor(self) -> Curve:
        return curve_through(f"{self.name}: factor", self.factor)

    def _check(self) -> None:
        check_kind(f"{self.name}: body", self.body, FEBody, "others take Force, Torque, Gravity")
        self._factor  # noqa: B018  # refuses an impossible factor

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Load in the dofs of the body."""
        return np.asarray(self._factor.value(t) * self.given)

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of `force`: none."""
        none = np.broadcast_to(0.0, (len(q), len(q)))
        return none, none

    def energy(self, t: float, q: Floats, v: Floats) -> float:
        """Potential -k f . u in J."""
        return -float(self._factor.value(t) * (self.given @ q))


@dataclass(frozen=True, eq=False)
class NodalLoad(DeadLoad):
    """Force k(t) f on the unknowns of a full finite-element body.

    Parameters
    ----------
    body
        The loaded body.
    vector : (all unknowns,)
        f in N on all unknowns of the model; supports bear what acts on theirs. Or the name of a
        load that the model has: the preload of a bolt of an `Assembly`, for 1 N.
    factor
        k, or a curve of it over time.
    """

    body: FEBody
    vector: Floats | str
    name: str = "nodal load"
    factor: float | Curve = 1.0

    def __post_init__(self) -> None:
        self._check()
        self.given  # noqa: B018  # refuses another length

    @cached_property
    def given(self) -> Floats:
        """Force f (n,) on the free unknowns."""
        if isinstance(self.vector, str):
            return self.body.named_load(self.vector)
        return _of_all(self.name, "vector", self.body, self.vector)[self.body.model.free]


@dataclass(frozen=True, eq=False)
class SurfaceLoad(DeadLoad):
    """Load spread evenly over a named surface of a full finite-element body.

    Parameters
    ----------
    body, surface
        Body, and the name of a surface of its model.
    vector : (3,)
        Total force in N, in space components.
    pressure
        In Pa, along the inner normals of the undeformed surface; it adds to the force.
    factor
        k, or a curve of it over time.
    """

    body: FEBody
    surface: str
    vector: Vector = (0.0, 0.0, 0.0)
    pressure: float = 0.0
    name: str = "surface load"
    factor: float | Curve = 1.0
    _total: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._check()
        object.__setattr__(self, "_total", vector(f"{self.name}: vector", self.vector, "N"))
        if not np.isfinite(self.pressure):
            raise InputError(f"{self.name}: invalid pressure = {self.pressure}: expected Pa")

    @cached_property
    def given(self) -> Floats:
        """Force f (n,) on the free unknowns."""
        on = self.body.model.surface(self.surface)
        area = on.weights[:, None]
        forces = area * (self._total / on.weights.sum() - self.pressure * on.normals)
        return np.asarray(on.shape.T @ forces.ravel())[self.body.model.free]


@dataclass(frozen=True, eq=False)
class SupportMotion(DeadLoad):
    """Displacement k(t) d of the supports of a full finite-element body: f = -K d.

    Parameters
    ----------
    body
        The body.
    displacement : (all unknowns,)
        d in m, zero at free unknowns. Contact points on moved supports stay where they are.
    factor
        k, or a curve of it over time.
    """

    body: FEBody
    displacement: Floats
    name: str = "support motion"
    factor: float | Curve = 1.0

    def __post_init__(self) -> None:
        self._check()
        moved = _of_all(self.name, "displacement", self.body, self.displacement)
        if moved[self.body.model.free].any():
            raise InputError(
                f"{self.name}: invalid displacement of free unknowns: expected motion of supports "
                f"of '{self.body.name}' only"
            )

    @cached_property
    def given(self) -> Floats:
        """Force f (n,) on the free unknowns."""
        return -self._by_supports[self.body.model.free]

    def displaced(self, t: float) -> Floats:
        """Displacement k d of all unknowns."""
        return np.asarray(self._factor.value(t) * self.displacement)

    def energy(self, t: float, q: Floats, v: Floats) -> float:
        """Strain energy (u + k d) . K (u + k d)/2 less that of u alone, in J."""
        own = 0.5 * self._factor.value(t) ** 2 * float(self.displacement @ self._by_supports)
        return super().energy(t, q, v) + own

    @cached_property
    def _by_supports(self) -> Floats:
        """K d on all unknowns."""
        return np.asarray(self.body.model.stiffness @ self.displacement)


def _of_all(name: str, what: str, body: FEBody, given: Floats) -> Floats:
    """Values of all unknowns of a body."""
    return numbers(f"{name}: {what}", given, (body.model.stiffness.shape[0],))
