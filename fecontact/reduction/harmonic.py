"""Reduced axisymmetric plate on a basis that is closed under rotation.

The shapes are products of radial functions and Fourier harmonics,

    W(r, phi) = f(r) cos(k phi)   and   f(r) sin(k phi),    always in pairs,

so that the rotation derivative D = x d/dy - y d/dx = d/dphi stays in the basis: D W = W Delta.
Kept vibration modes alone do not represent the local compliance under a contact load: the
radial functions of a reduction therefore include the static shapes of a line force and of a line
couple on the contact circle.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import numpy.typing as npt
import scipy.linalg as la
import scipy.sparse as sp

from fecontact.errors import InputError, at_least, check
from fecontact.fem.plate.harmonic import HarmonicPlate
from fecontact.reduction.basis import orthonormal, static_shapes, vibration_modes
from fecontact.typing import Complexes, Floats, Integers

if TYPE_CHECKING:
    from scipy.interpolate import CubicHermiteSpline

Vector = TypeVar("Vector", Floats, Complexes)

__all__ = ["HarmonicModel", "PlateShapes", "reduce_harmonic", "ritz_harmonic"]

VALID = 0.05
"""Fraction of a frequency by which a reduced plate may miss it."""


@dataclass(frozen=True)
class PlateShapes:
    """Shape functions at p points: values (p, m), gradients (p, 2, m), Hessians (p, 2, 2, m).

    Components are Cartesian.
    """

    value: Floats
    gradient: Floats
    hessian: Floats


@dataclass(frozen=True, eq=False)
class HarmonicModel:
    """Plate with few coordinates q: w(x, y) = W(x, y) q.

    Coordinates are ordered by harmonic, then by radial function, then cosine before sine.

    Parameters
    ----------
    plate
        The finite-element plate.
    radial
        For each harmonic k = 0, 1, ... the unknowns of its radial functions, shape (n, m_k).
    """

    plate: HarmonicPlate
    radial: tuple[Floats, ...]

    @cached_property
    def size(self) -> int:
        """Number of coordinates."""
        return len(self.harmonic)

    @cached_property
    def harmonic(self) -> Integers:
        """Number of nodal diameters of each coordinate."""
        counts = [_copies(k) * f.shape[1] for k, f in enumerate(self.radial)]
        return np.repeat(np.arange(len(self.radial)), counts)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the coordinates: nodal diameters and a running number."""
        k = self.harmonic
        return tuple(f"k{k[i]}.{np.count_nonzero(k[:i] == k[i])}" for i in range(len(k)))

    @cached_property
    def mass(self) -> Floats:
        """Mass matrix (m, m)."""
        return self._project(self.plate.mass)

    @cached_property
    def heave(self) -> Floats:
        """Inertia (m,) against a translation along the axis: int rho h W dA in kg."""
        plate = self.plate
        one = plate.interpolate(np.ones_like(plate.nodes), np.zeros_like(plate.nodes))
        result = np.zeros(self.size)
        result[self.harmonic == 0] = self.radial[0].T @ (plate.mass(0) @ one)
        return result

    @cached_property
    def stiffness(self) -> Floats:
        """Stiffness matrix (m, m)."""
        return self._project(self.plate.stiffness)

    @cached_property
    def geometric_stiffness(self) -> Floats:
        """Stiffness (m, m) of the centrifugal stress, per Omega^2."""
        return self._project(self.plate.geometric_stiffness)

    @cached_property
    def curvature_form(self) -> Floats:
        """Bending form of unit stiffness (m, m), for damping proportional to curvature rates."""
        return self.stiffness / self.plate.bending_stiffness

    @cached_property
    def rotation(self) -> Floats:
        """Matrix Delta of the rotation derivative: D W = W Delta, exact."""
        Delta = np.zeros((self.size, self.size))
        cosine = np.flatnonzero((self.harmonic > 0) & ~self._is_sine)
        k = self.harmonic[cosine]
        Delta[cosine + 1, cosine] = -k
        Delta[cosine, cosine + 1] = k
        return Delta

    @cached_property
    def frequencies(self) -> Floats:
        """Circular frequencies of the supported plate at rest, rad/s, ascending."""
        return np.sqrt(np.maximum(la.eigh(self.stiffness, self.mass, eigvals_only=True), 0.0))

    def frequencies_of(self, k: int) -> Floats:
        """Circular frequencies with k nodal diameters, rad/s, ascending; each pair once."""
        return self._cosine_modes(k)[0]

    def modes_of(self, k: int) -> Floats:
        """Coordinates (m, count) of the cosine modes with k nodal diameters, of unit modal mass."""
        return self._cosine_modes(k)[1]

    def _cosine_modes(self, k: int) -> tuple[Floats, Floats]:
        """Circular frequencies (count,) and modes (m, count)."""
        part = np.flatnonzero((self.harmonic == k) & ~self._is_sine)
        block, modes = np.ix_(part, part), np.zeros((self.size, len(part)))
        squares, modes[part] = la.eigh(self.stiffness[block], self.mass[block])
        return np.sqrt(np.maximum(squares, 0.0)), modes

    def valid_to(self, speed: float = 0.0) -> float:
        """Frequency in Hz of the first wave of the plate that the basis misses; a rule, no bound.

        A wave with k nodal diameters is missed if no radial function meets its frequency at rest
        to 5 %, or if k is above the highest harmonic. On a plate that spins at a speed in rad/s
        waves run with and against the spin, and space sees the slower at omega - k |speed|.
        """
        k, omega = self._missed
        return float(max(np.min(omega - k * abs(speed)), 0.0) / (2.0 * np.pi))

    @cached_property
    def _missed(self) -> tuple[Integers, Floats]:
        """Nodal diameters, and frequency in rad/s of the first wave that is missed, for each."""
        first = []
        for k, functions in enumerate((*self.radial, np.zeros((0, 0)))):
            K, M, count = self.plate.stiffness(k), self.plate.mass(k), functions.shape[1]
            exact, _ = vibration_modes(K, M, self.plate.free, count + 1)
            own = np.append(self.frequencies_of(k), np.inf) if count else np.array([np.inf])
            first.append(exact[np.argmax(own > (1.0 + VALID) * exact)])
        return np.arange(len(first)), np.array(first)

    def shapes(self, x: Floats, y: Floats) -> PlateShapes:
        """Shape functions with first and second derivatives at points (x, y)."""
        r, phi = np.hypot(x, y), np.arctan2(y, x)
        inner, outer = self.plate.inner_radius, self.plate.outer_radius
        outside = np.maximum(inner - r, r - outer)
        if np.any(outside > 1e-9 * outer):
            raise InputError(
                f"a point at radius {r[np.argmax(outside)]:.6g} m lies outside the plate "
                f"({inner} m to {outer} m)"
            )
        f, f_r, f_rr = self._radial_at(r)
        k, inverse = self.harmonic, 1.0 / r[:, None]
        angle = np.outer(phi, np.arange(len(self.radial)))
        cosine, sine = np.cos(angle), np.sin(angle)
        around = np.hstack([cosine, sine])[:, self._wave]
        d_around = k * np.hstack([-sine, cosine])[:, self._wave]
        slope = f * inverse
        bends = (
            f_rr * around,
            (f_r - slope) * inverse * d_around,
            (f_r - k**2 * slope) * inverse * around,
        )
        gradient, hessian = _to_cartesian(phi, (f_r * around, slope * d_around), bends)
        return PlateShapes(f * around, gradient, hessian)

    def _radial_at(self, r: Floats) -> tuple[Floats, Floats, Floats]:
        """Radial function of each coordinate (p, m) at radii, with two derivatives."""
        breaks, cubics = self._cubics
        number = np.searchsorted(breaks[1:-1], r, side="right")
        a, b, c, value = cubics[:, number]
        d = (r - breaks[number])[:, None]
        ad = a * d
        return ((ad + b) * d + c) * d + value, (3.0 * ad + 2.0 * b) * d + c, 6.0 * ad + 2.0 * b

    def reconstruct(self, q: Vector, points: Floats) -> Vector:
        """Displacement (3, p) of material points (3, p): u = (-z grad w, w), Kirchhoff.

        Coordinates may be real or complex.
        """
        shapes = self.shapes(points[0], points[1])
        w, slope = shapes.value @ q, shapes.gradient @ q
        return np.vstack([-points[2] * slope.T, w])

    @cached_property
    def _is_sine(self) -> npt.NDArray[np.bool_]:
        return np.concatenate(
            [np.tile([False, True][: _copies(k)], f.shape[1]) for k, f in enumerate(self.radial)]
        )

    @cached_property
    def _wave(self) -> Integers:
        """Column of each coordinate among the cosines, then sines, of all harmonics."""
        return np.where(self._is_sine, len(self.radial) + self.harmonic, self.harmonic)

    @cached_property
    def _radial_number(self) -> Integers:
        """Column of the radial function of each coordinate."""
        copies = np.concatenate(
            [np.full(f.shape[1], _copies(k)) for k, f in enumerate(self.radial)]
        )
        return np.repeat(np.arange(len(copies)), copies)

    @cached_property
    def _spline(self) -> CubicHermiteSpline:
        return self.plate.radial_functions(np.hstack(self.radial))

    @cached_property
    def _cubics(self) -> tuple[Floats, Floats]:
        """Radii of the nodes, and the cubics (4, intervals, m) between them, highest power first.

        They count from the inner node of an interval.
        """
        spline = self._spline
        return spline.x, np.ascontiguousarray(spline.c[:, :, self._radial_number])

    @cached_property
    def radial_tables(self) -> tuple[Floats, Floats, Integers, Integers]:
        """Shapes as numbers: radii of the nodes, cubics (intervals, m, 4), harmonics, sines (m,).

        A cubic has its highest power first and counts from the inner node of its interval.
        """
        breaks, cubics = self._cubics
        sine = self._is_sine.astype(np.int64)
        harmonic = self.harmonic.astype(np.int64)
        by_interval = np.ascontiguousarray(cubics.transpose(1, 2, 0))
        return np.ascontiguousarray(breaks), by_interval, harmonic, sine

    def _project(self, matrix: Callable[[int], sp.csr_array]) -> Floats:
        blocks = [
            np.kron(f.T @ (matrix(k) @ f), np.eye(_copies(k))) for k, f in enumerate(self.radial)
        ]
        return la.block_diag(*blocks)


def reduce_harmonic(
    plate: HarmonicPlate, contact_radius: float, harmonics: int = 4, modes: int = 2
) -> HarmonicModel:
    """Reduce a plate to its lowest modes per harmonic and the static shapes of a ring load.

    Parameters
    ----------
    plate
        Supported annular plate.
    contact_radius
        Radius of the contact circle in m; the static shapes of a line force and of a line
        couple on it are part of the basis.
    harmonics
        Highest number of nodal diameters.
    modes
        Vibration modes kept for each harmonic.

    Examples
    --------
    >>> from fecontact.fem import STEEL
    >>> plate = HarmonicPlate(0.08, 0.12, 0.005, STEEL, {"outer": "simply_supported"})
    >>> model = reduce_harmonic(plate, contact_radius=0.1)
    >>> model.size
    36
    >>> (model.frequencies[:3] / (2 * np.pi)).round(1).tolist()
    [557.9, 1099.7, 1099.7]
    """
    check("harmonics", harmonics, at_least(0))
    check("modes", modes, at_least(1))
    if not plate.inner_radius < contact_radius < plate.outer_radius:
        raise InputError(
            f"invalid contact_radius = {contact_radius} m: expected one between "
            f"inner_radius = {plate.inner_radius} m and outer_radius = {plate.outer_radius} m"
        )
    if not plate.supports:
        raise InputError("the plate has no support: the static shapes need one, fix an edge")
    loads = plate.ring_loads(contact_radius)
    radial = []
    for k in range(harmonics + 1):
        K, M = plate.stiffness(k), plate.mass(k)
        _, vibration = vibration_modes(K, M, plate.free, modes)
        static = static_shapes(K, plate.free, loads)
        radial.append(np.hstack([vibration, orthonormal(M, static, vibration)]))
    return HarmonicModel(plate, tuple(radial))


def ritz_harmonic(plate: HarmonicPlate, harmonics: int = 4) -> HarmonicModel:
    """One radial function for all harmonics, f = r_o - r (Jehle 3.50).

    The Hermite elements contain this function exactly, so the Ritz ansatz of the source is a
    reduction of the same finite-element plate; its coordinates are slopes, without unit.
    """
    check("harmonics", harmonics, at_least(0))
    distance = plate.outer_radius - plate.nodes
    function = plate.interpolate(distance, np.full_like(distance, -1.0))[:, None]
    return HarmonicModel(plate, (function,) * (harmonics + 1))


def _copies(k: int) -> int:
    """Cosine and sine, or the single axisymmetric function."""
    return 1 if k == 0 else 2


def _to_cartesian(
    phi: Floats, slopes: tuple[Floats, Floats], bends: tuple[Floats, Floats, Floats]
) -> tuple[Floats, Floats]:
    """Gradient (p, 2, m) and Hessian (p, 2, 2, m) from their polar components (p, m)."""
    c, s = np.cos(phi)[:, None], np.sin(phi)[:, None]
    slope_r, slope_p = slopes
    rr, rp, pp = bends
    cc, ss, cs = c * c, s * s, c * s
    gradient = np.empty((len(phi), 2, slope_r.shape[1]))
    gradient[:, 0] = c * slope_r - s * slope_p
    gradient[:, 1] = s * slope_r + c * slope_p
    hessian = np.empty((len(phi), 2, 2, slope_r.shape[1]))
    turned = 2.0 * cs * rp
    hessian[:, 0, 0] = cc * rr - turned + ss * pp
    hessian[:, 0, 1] = hessian[:, 1, 0] = cs * (rr - pp) + (cc - ss) * rp
    hessian[:, 1, 1] = ss * rr + turned + cc * pp
    return gradient, hessian
