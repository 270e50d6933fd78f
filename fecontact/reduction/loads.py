"""Load shapes of a contact surface: smooth pressure and traction fields.

A contact presses and drags with smooth fields on its surface. The static displacements under a
few such fields (attachment modes) give the reduced body the compliance that its vibration modes
lack. Each family of fields is a product basis,

    harmonic     {1, cos k phi, sin k phi} P_d(r),   about the z axis, for rings
    polynomial   P_a(s) P_b(t),  a + b <= degree,    s, t principal axes of the surface

with Legendre polynomials P of the coordinate scaled to -1..1, times three directions: the
normal and two tangents. The fields of a family are nested: `finer()` contains all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.polynomial import legendre

from fecontact.errors import POSITIVE, InputError, at_least, check
from fecontact.fem.model import FEModel, FESurface
from fecontact.reduction.estimate import StaticResponse
from fecontact.reduction.flexibility import Flexibility
from fecontact.reduction.methods import ElasticBasis
from fecontact.typing import Floats

__all__ = [
    "CombinedLoads",
    "HarmonicLoads",
    "LoadShapes",
    "NamedLoad",
    "PatchLoads",
    "PolynomialLoads",
    "default_loads",
    "load_responses",
    "load_vectors",
    "reduced_load",
]

BALANCED = 1e-9
"""Resultant of a load, relative to the sum of its parts, that counts as none."""

SEPARATOR = " | "


class LoadShapes(Protocol):
    """A family of traction fields on a surface."""

    def tractions(self, surface: FESurface) -> dict[str, Floats]:
        """Named traction fields in Pa, each of shape (p, 3)."""
        ...

    def finer(self) -> LoadShapes:
        """Return a larger family that contains this one, to test a basis beyond it."""
        ...


@dataclass(frozen=True)
class HarmonicLoads:
    """Fourier harmonics about the z axis times polynomials in the radius (height on a cylinder).

    Parameters
    ----------
    harmonics
        Highest number k of nodal diameters.
    degree
        Highest degree of the polynomial.
    """

    harmonics: int = 4
    degree: int = 2

    def __post_init__(self) -> None:
        check("harmonics", self.harmonics, at_least(0))
        check("degree", self.degree, at_least(0))

    def tractions(self, surface: FESurface) -> dict[str, Floats]:
        """Directions: normal, circumferential, and across both (radial on a flat ring)."""
        x, y, z = surface.points.T
        phi, r = np.arctan2(y, x), np.hypot(x, y)
        across = r if np.ptp(r) >= np.ptp(z) else z
        around = np.column_stack([-np.sin(phi), np.cos(phi), np.zeros_like(phi)])
        fields: dict[str, Floats] = {}
        for k in range(self.harmonics + 1):
            waves = (
                {"cos": np.cos(k * phi), "sin": np.sin(k * phi)}
                if k
                else {"cos": np.ones_like(phi)}
            )
            for d, polynomial in enumerate(_legendre(across, self.degree, r.max())):
                fields |= {f"{wave} {k} degree {d}": f * polynomial for wave, f in waves.items()}
        return _with_directions(fields, surface, around)

    def finer(self) -> HarmonicLoads:
        """One harmonic and one degree more."""
        return HarmonicLoads(self.harmonics + 1, self.degree + 1)


@dataclass(frozen=True)
class PolynomialLoads:
    """Polynomials in the principal axes of the surface, for surfaces that are not rings.

    Parameters
    ----------
    degree
        Highest total degree.
    """

    degree: int = 4

    def __post_init__(self) -> None:
        check("degree", self.degree, at_least(0))

    def tractions(self, surface: FESurface) -> dict[str, Floats]:
        """Directions: normal, and two tangents along the principal axes."""
        weights = surface.weights / surface.weights.sum()
        arms = surface.points - weights @ surface.points
        _, axes = np.linalg.eigh((weights * arms.T) @ arms)
        long, wide = axes[:, 2], axes[:, 1]
        extent = float(np.max(np.abs(arms), initial=np.finfo(float).tiny))
        first = _legendre(arms @ long, self.degree, extent)
        second = _legendre(arms @ wide, self.degree, extent)
        fields = {
            f"degree {a} {b}": first[a] * second[b]
            for a in range(len(first))
            for b in range(len(second))
            if a + b <= self.degree
        }
        return _with_directions(fields, surface, np.broadcast_to(long, arms.shape))

    def finer(self) -> PolynomialLoads:
        """Return the family of one degree more."""
        return PolynomialLoads(self.degree + 1)


@dataclass(frozen=True)
class PatchLoads:
    """Local loads (1 - d^2/a^2)^2 within the distance d < a of given centres.

    Parameters
    ----------
    centres
        Positions in m, shape (c, 3).
    radius
        Radius a of the patches in m; at least one surface point must lie in each.
    """

    centres: tuple[tuple[float, float, float], ...]
    radius: float

    def __post_init__(self) -> None:
        check("patch radius", self.radius, POSITIVE, "m")

    def tractions(self, surface: FESurface) -> dict[str, Floats]:
        """Directions: normal and two tangents."""
        fields = {}
        for i, centre in enumerate(self.centres):
            distance = np.linalg.norm(surface.points - np.asarray(centre), axis=1)
            fields[f"patch {i}"] = np.maximum(0.0, 1.0 - (distance / self.radius) ** 2) ** 2
            if not np.any(fields[f"patch {i}"]):
                raise InputError(
                    f"patch {i} at {centre} m has no surface point within {self.radius} m"
                )
        least = np.argmin(np.abs(surface.weights @ surface.normals))
        return _with_directions(fields, surface, np.broadcast_to(np.eye(3)[least], (1, 3)))

    def finer(self) -> PatchLoads:
        """Return the same patches: there is no natural larger family."""
        return self


@dataclass(frozen=True)
class CombinedLoads:
    """Several families together, for example harmonics and the patch under a finger."""

    families: tuple[LoadShapes, ...]

    def tractions(self, surface: FESurface) -> dict[str, Floats]:
        """Fields of all families, numbered by family."""
        return {
            f"{i}: {name}": field
            for i, family in enumerate(self.families)
            for name, field in family.tractions(surface).items()
        }

    def finer(self) -> CombinedLoads:
        """Return the finer families together."""
        return CombinedLoads(tuple(family.finer() for family in self.families))


@dataclass(frozen=True)
class NamedLoad:
    """Load of the finite-element body that the reduced one can be put under, by name.

    Attributes
    ----------
    force : (m,)
        Generalised force Phi^T f on the coordinates.
    resultant : (r,)
        Work of the load on the rigid-body modes of the body: for a solid force in N and moment
        about the origin in N m. Zero for a preload.
    energy_error
        Error of the static answer in the energy norm, relative to the full answer.
    missed_by_modes
        The same error of the exact modes of the basis alone.
    """

    force: Floats
    resultant: Floats
    energy_error: float
    missed_by_modes: float


def load_responses(model: FEModel, flexibility: Flexibility) -> dict[str, StaticResponse]:
    """Full answer to each load that a body has by name."""
    given: Mapping[str, Floats] = getattr(model, "named_loads", {})
    found = {}
    for name, f in given.items():
        force, none = f[:, None], np.zeros((1, 3))
        gram = np.zeros((1, 1))
        found[name] = StaticResponse({name: none}, gram, force, flexibility.static(force))
    return found


def reduced_load(
    model: FEModel, response: StaticResponse, Phi: Floats, basis: ElasticBasis
) -> NamedLoad:
    """What a reduced body of shapes Phi knows of a load; `basis` answers static loads."""
    f, R = response.forces[:, 0], model.rigid_body_modes()
    resultant = R.T @ f
    resultant[np.abs(resultant) <= BALANCED * (np.abs(R).T @ np.abs(f))] = 0.0
    full = float(f @ response.displacement[:, 0])
    parts = (basis.shapes.T @ f / basis.omega) ** 2
    missed = [1.0 - parts[:count].sum() / full if full > 0.0 else 0.0
              for count in (len(parts), basis.exact)]  # fmt: skip
    errors = np.sqrt(np.maximum(missed, 0.0))
    return NamedLoad(Phi.T @ f, resultant, float(errors[0]), float(errors[1]))


def default_loads(surface: FESurface) -> LoadShapes:
    """Harmonic fields for a closed ring about the z axis, else polynomials."""
    x, y = surface.points[:, 0], surface.points[:, 1]
    r, phi = np.hypot(x, y), np.sort(np.arctan2(y, x))
    gaps = np.diff(phi, append=phi[0] + 2.0 * np.pi)
    ring = r.min() > 0.05 * r.max() and gaps.max() < np.pi / 4.0
    return HarmonicLoads() if ring else PolynomialLoads()


def load_vectors(surface: FESurface, tractions: dict[str, Floats]) -> Floats:
    """Nodal forces (n, fields) of traction fields: f = N^T A t, consistent with the surface."""
    if np.min(surface.weights) < 0.0:
        raise InputError(
            "a contact surface has a negative area weight: take its quadrature points, not the "
            "nodes of its quadratic facets"
        )
    forces = [(surface.weights[:, None] * field).ravel() for field in tractions.values()]
    return np.asarray(surface.shape.T @ np.column_stack(forces))


def _with_directions(
    fields: dict[str, Floats], surface: FESurface, along: Floats
) -> dict[str, Floats]:
    """Each scalar field times the normal, the tangent nearest to `along`, and their product."""
    n = surface.normals
    tangent = along - n * np.sum(n * along, axis=1, keepdims=True)
    length = np.linalg.norm(tangent, axis=1, keepdims=True)
    if np.min(length) < 1e-3:
        raise InputError(
            "the load shapes have no tangent direction on part of the surface: its normal turns "
            "too far; split the surface or choose another family of load shapes"
        )
    tangent = tangent / length
    directions = {"normal": n, "tangent": tangent, "across": np.cross(tangent, n)}
    return {
        direction + SEPARATOR + name: field[:, None] * vector
        for direction, vector in directions.items()
        for name, field in fields.items()
    }


def _legendre(x: Floats, degree: int, extent: float) -> Floats:
    """Legendre polynomials of x scaled to -1..1, (degree + 1, p); only P_0 if x is constant.

    `extent` is the size of the surface in m, with which the range of x is compared.
    """
    low, high = x.min(), x.max()
    if high - low <= 1e-6 * extent:
        return np.ones((1, len(x)))
    scaled = (2.0 * x - low - high) / (high - low)
    return legendre.legvander(scaled, degree).T
