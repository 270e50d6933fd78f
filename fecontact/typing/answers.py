"""Answers that an item may give; without them it contributes nothing to that sum."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from fecontact.typing.arrays import Floats, Tangents

__all__ = [
    "HasDissipation",
    "HasElasticForce",
    "HasEnergy",
    "HasEvaluate",
    "HasKineticEnergy",
    "HasMass",
    "HasMomentum",
    "HasRotation",
    "HasStrainEnergy",
    "HasSupply",
    "HasTerms",
    "HasValidity",
]


@runtime_checkable
class HasEvaluate(Protocol):
    """An item that gives force and tangents from one evaluation of its kinematics."""

    def evaluate(self, t: float, q: Floats, v: Floats) -> tuple[Floats, Floats, Floats]:
        """Return f, df/dq and df/dv."""
        ...


@runtime_checkable
class HasTerms(Protocol):
    """An item that names the parts of its tangents, so that a balance of power can say why."""

    def terms(self, t: float, q: Floats, v: Floats) -> Mapping[str, Tangents]:
        """Return parts of (df/dq, df/dv) by name; they add up to `tangents`."""
        ...


@runtime_checkable
class HasKineticEnergy(Protocol):
    """A body that knows its kinetic energy."""

    def kinetic_energy(self, q: Floats, v: Floats, t: float = 0.0) -> float:
        """Kinetic energy in J; the time matters to a body in a frame of prescribed motion."""
        ...


@runtime_checkable
class HasStrainEnergy(Protocol):
    """A body that stores energy in its deformation."""

    def strain_energy(self, q: Floats) -> float:
        """Strain energy in J."""
        ...


@runtime_checkable
class HasElasticForce(Protocol):
    """A body whose own forces balance each other: its deformation against its inertia."""

    def elastic_force(self, q: Floats) -> Floats:
        """Force (n,) of the deformation alone, which is part of `force`."""
        ...


@runtime_checkable
class HasMomentum(Protocol):
    """A body that knows its momentum."""

    def momentum(self, q: Floats, v: Floats, t: float = 0.0) -> tuple[Floats, Floats]:
        """Momentum (3,), and angular momentum (3,) about the origin, in space components."""
        ...


@runtime_checkable
class HasEnergy(Protocol):
    """A joint or load with a potential."""

    def energy(self, t: float, q: Floats, v: Floats) -> float:
        """Potential energy in J."""
        ...


@runtime_checkable
class HasDissipation(Protocol):
    """An item that dissipates."""

    def dissipated_power(self, t: float, q: Floats, v: Floats) -> float:
        """Dissipated power in W, not negative."""
        ...


@runtime_checkable
class HasSupply(Protocol):
    """A body with a drive inside that keeps its motion up."""

    def supplied_power(self, t: float, q: Floats, v: Floats) -> float:
        """Power in W that the drive brings into the balance of kinetic and strain energy."""
        ...


@runtime_checkable
class HasMass(Protocol):
    """A body with a total mass."""

    @property
    def mass(self) -> float:
        """Mass in kg."""
        ...


@runtime_checkable
class HasRotation(Protocol):
    """A body with a frame that turns."""

    def rotation(self, q: Floats) -> Floats:
        """Rotation matrix (3, 3) from body to space components."""
        ...


@runtime_checkable
class HasValidity(Protocol):
    """A body with few coordinates that knows up to which frequency they are enough."""

    def validity(self, v: Floats) -> float:
        """Frequency in Hz up to which motion about the velocities v (n,) is valid; may be inf."""
        ...
