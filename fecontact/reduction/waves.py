"""Waves of a reduced body around its axis: how its coordinates turn when a pattern turns.

A field on the body, in cylindrical components, is fitted by

    u(r, phi, z) = Re sum_k U_k(r, z) exp(i k phi),      U_k: polynomials in r and z,

by least squares over the nodes. The pattern turned by an angle psi has U_k exp(-i k psi). The
generator of the turn is found in one of two ways.

Cyclic mesh. If the nodes turned by a = 2 pi/N meet nodes, and the coordinates with them, the turn
by a is a matrix T of the coordinates, known without a fit. Of its directions with the eigenvalue
exp(i n a), divided by frequency, each runs with the waves k = -n + j N that it has most of: the
generator is -i k, exact at multiples of a. Those of n = N/2 stand in the body, as a pair that
splits: they do not turn, and ride with the material.

Any mesh. Each coordinate belongs to the harmonic k with most of its squares. Those of one harmonic
turn among each other: with V their U_k, and H = Im V^H V, which is skew, the generator is k J, J
the orthogonal factor of the polar decomposition of H (J J = -1). It is exact if the coordinates are
pure waves in pairs, as those of a body of revolution. What is left of V J + i V measures how far
the body is from one, and so do the frequencies of a pair that split.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy.linalg as la
from scipy.spatial import cKDTree

from fecontact.errors import InputError
from fecontact.reduction.reduced import ReducedModel
from fecontact.typing import Complexes, Floats, Integers

__all__ = ["Waves", "waves_around"]

HIGHEST = 16
"""Highest number of nodal diameters that is looked for."""

RADIAL, AXIAL = 5, 2
"""Polynomials in r and z of the fit."""

NODES = 6000
"""Nodes of the fit, at most."""

RANK = 1e-6
"""Singular values of the fit below this fraction of the largest do not count."""

MOST_SECTORS = 72
"""Largest number of equal sectors that is looked for."""

MET = 1e-7
"""Distance of turned nodes, relative to the size of the body, up to which they meet nodes."""

TURNED = 1e-5
"""Part of the turned coordinates, and of their matrix from a rotation, that may be left."""

PAIRED = 1e-3
"""Singular value of H, as a fraction of the squares, below which a coordinate has no partner."""


@dataclass(frozen=True, eq=False)
class Waves:
    """Elastic coordinates (m,) of a body as waves around the z axis.

    Attributes
    ----------
    generator : (m, m)
        Derivative of the coordinates as the pattern turns; skew, its eigenvalues are i k.
    harmonic : (m,)
        Nodal diameters k of each coordinate; 0 for those without a partner.
    pure : (m,)
        Fraction of the squares of its field that is in this harmonic and turns in a pair.
    split : (m,)
        Relative difference of the frequencies of each coordinate and of its partner.
    sectors
        Number of equal sectors of a cyclic mesh; 1 where waves are fitted.
    fields
        Amplitudes U_k (c, m), k = 0, 1, ...
    """

    generator: Floats
    harmonic: Integers
    pure: Floats
    split: Floats
    sectors: int
    fields: tuple[Complexes, ...]

    def parts(self, q: Complexes) -> dict[int, float]:
        """Squares of a field Re(q exp(i w t)) by its waves exp(i k phi), k of both signs."""
        found = {0: float(np.sum(np.abs(self.fields[0] @ q) ** 2))}
        for k, U in enumerate(self.fields[1:], 1):
            found[k] = float(np.sum(np.abs(U @ q) ** 2)) / 4.0
            found[-k] = float(np.sum(np.abs(U.conj() @ q) ** 2)) / 4.0
        return found

    @property
    def worst(self) -> float:
        """Smallest of `pure`."""
        return float(self.pure.min(initial=1.0))


@lru_cache(maxsize=8)
def waves_around(model: ReducedModel) -> Waves:
    """Waves of the elastic coordinates of a reduced body around the z axis of its mesh.

    Examples
    --------
    >>> from fecontact.fem import STEEL, ElasticSolid
    >>> from fecontact.mesh import solid_annulus
    >>> from fecontact.reduction import reduce_model
    >>> mesh = solid_annulus(0.08, 0.12, -0.002, 0.002, 2, 24)
    >>> solid = ElasticSolid(mesh, STEEL, supports={"inner": "clamped"})
    >>> waves_around(reduce_model(solid, modes=5)).harmonic.tolist()
    [0, 1, 1, 2, 2]
    """
    fields, total = _fields(model)
    squares = np.array([_squares(U, k) for k, U in enumerate(fields)])
    harmonic = np.argmax(squares, axis=0)
    cyclic = _cyclic(model, fields)
    if cyclic is not None:
        generator, sectors = cyclic
        pure = squares[harmonic, np.arange(len(total))] / total
    else:
        generator, pure = _fitted(fields, squares, total, harmonic)
        sectors = 1
    split = _split(model, generator)
    return Waves(generator, harmonic, np.minimum(pure, 1.0), split, sectors, tuple(fields))


def _fitted(
    fields: list[Complexes], squares: Floats, total: Floats, harmonic: Integers
) -> tuple[Floats, Floats]:
    """Generator from the fit, and how pure the waves are; who has no partner gets harmonic 0."""
    size = len(total)
    generator, pure = np.zeros((size, size)), squares[0] / total
    for k in range(1, len(fields)):
        own = np.flatnonzero(harmonic == k)
        if not len(own):
            continue
        V = fields[k][:, own] / np.sqrt(total[own])
        J, alone = _paired(V)
        generator[np.ix_(own, own)] = k * J
        left = np.sum(np.abs(V @ J + 1j * V) ** 2, axis=0) / 4.0  # all of V if J has a wrong sense
        pure[own] = np.maximum(_squares(V, k) - left, 0.0)
        harmonic[own[alone]] = 0
    return generator, pure


def _cyclic(model: ReducedModel, fields: list[Complexes]) -> tuple[Floats, int] | None:
    """Generator of a cyclic mesh and its number of sectors; None if there are less than three."""
    points = model.geometry.points
    u = np.asarray(model.geometry.shape @ model.basis[:, model.rigid :])
    u = u.reshape(len(points), 3, -1)
    few = points[:: max(1, len(points) // 400)]
    tree, size = cKDTree(points), float(np.ptp(points))
    for sectors in range(MOST_SECTORS, 2, -1):
        R = _about_z(2.0 * np.pi / sectors)
        if np.max(tree.query(few @ R.T)[0]) > MET * size:
            continue
        away, index = (np.asarray(part) for part in tree.query(points @ R.T))
        if away.max() > MET * size or len(np.unique(index)) < len(index):
            continue
        turned = np.empty_like(u)
        turned[index] = R @ u
        flat, there = u.reshape(-1, u.shape[2]), turned.reshape(-1, u.shape[2])
        T = np.linalg.lstsq(flat, there, rcond=None)[0]
        left = np.linalg.norm(flat @ T - there, axis=0) / np.linalg.norm(flat, axis=0)
        if left.max() > TURNED or np.abs(T @ T.T - np.eye(len(T))).max() > TURNED:
            continue
        return _generator(T, sectors, model.frequencies[model.rigid :] ** 2, fields), sectors
    return None


def _generator(T: Floats, sectors: int, omega2: Floats, fields: list[Complexes]) -> Floats:
    """Generator with exp(2 pi/N J) = T, but for the waves with n = N/2, which do not turn."""
    values, vectors = la.schur(T, output="complex")
    numbers = np.round(np.angle(np.diag(values)) * sectors / (2.0 * np.pi)).astype(int)
    J = np.zeros_like(T)
    for n in range(1, (sectors + 1) // 2):
        V = vectors[:, numbers == n]
        if not V.shape[1]:
            continue
        _, modes = la.eigh(V.conj().T @ (omega2[:, None] * V))
        for x in (V @ modes).T:
            k = _strongest(x, fields, n, sectors)
            J -= 2.0 * k * np.real(1j * np.outer(x, x.conj()))
    return np.where(np.abs(J) > TURNED, J, 0.0)


def _strongest(x: Complexes, fields: list[Complexes], n: int, sectors: int) -> int:
    """Wave k = -n + j N with most of the squares of a field."""
    highest = len(fields) - 1
    waves = [k for k in range(-highest, highest + 1) if (k + n) % sectors == 0]
    if not waves:
        return -n

    def squares(k: int) -> float:
        U = fields[abs(k)]
        return float(np.sum(np.abs((U if k >= 0 else U.conj()) @ x) ** 2))

    return max(waves, key=squares)


def _about_z(angle: float) -> Floats:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _paired(V: Complexes) -> tuple[Floats, Integers]:
    """Orthogonal factor J of the skew Im V^H V, zero where there is no partner, and who has none.

    The fields turned by psi are V exp(-i k psi) = V (1 + psi k J + ...), so V J = -i V.
    """
    H = np.imag(V.conj().T @ V)
    H = 0.5 * (H - H.T)
    left, singular, right = np.linalg.svd(H)
    counts = singular > PAIRED
    if np.count_nonzero(counts) % 2:  # round-off: singular values of a skew matrix are pairs
        counts[np.count_nonzero(counts) - 1] = False
    J = left[:, counts] @ right[counts]
    return J, np.flatnonzero(np.diag(-J @ J) < 0.5)


def _squares(U: Complexes, k: int) -> Floats:
    """Mean square over the circle of fields (c, m) with k nodal diameters."""
    return np.sum(np.abs(U) ** 2, axis=0) * (0.5 if k else 1.0)


def _split(model: ReducedModel, generator: Floats) -> Floats:
    """Relative difference of the frequencies of each coordinate and of the one it turns into."""
    omega2 = model.frequencies[model.rigid :] ** 2
    weights = generator**2
    turned = weights.sum(axis=0)
    partner = np.where(turned > 0.0, weights.T @ omega2 / np.where(turned, turned, 1.0), omega2)
    return np.abs(np.sqrt(partner / omega2) - 1.0)


def _fields(model: ReducedModel) -> tuple[list[Complexes], Floats]:
    """Amplitudes U_k (c, m) in orthonormal polynomials, k = 0, 1, ..., and squares of the fields.

    Squares are means over the nodes.
    """
    points = model.geometry.points
    off = np.flatnonzero(np.hypot(points[:, 0], points[:, 1]) > 1e-9 * np.ptp(points[:, :2]))
    if not len(off):
        raise InputError("invalid body on the z axis alone: expected a body around the axis")
    chosen = off[:: max(1, len(off) // NODES)]
    u = np.asarray(model.geometry.shape @ model.basis[:, model.rigid :])
    u = u.reshape(len(points), 3, -1)[chosen]
    r, phi = np.hypot(*points[chosen, :2].T), np.arctan2(points[chosen, 1], points[chosen, 0])
    c, s = np.cos(phi)[:, None], np.sin(phi)[:, None]
    polar = np.stack([c * u[:, 0] + s * u[:, 1], c * u[:, 1] - s * u[:, 0], u[:, 2]], axis=1)
    polynomials = _polynomials(r, points[chosen, 2])
    angles = np.outer(phi, np.arange(HIGHEST + 1))
    waves = np.hstack([np.cos(angles), np.sin(angles[:, 1:])])
    design = (waves[:, :, None] * polynomials[:, None]).reshape(len(chosen), -1)
    flat = polar.reshape(len(chosen), -1)
    found = np.linalg.lstsq(design, flat, rcond=RANK)[0]
    found = found.reshape(waves.shape[1], polynomials.shape[1], 3, -1)
    found = found.reshape(waves.shape[1], -1, found.shape[-1])
    fields = [found[0].astype(complex)]
    fields += [found[k] - 1j * found[HIGHEST + k] for k in range(1, HIGHEST + 1)]
    return fields, np.mean(np.sum(polar**2, axis=1), axis=0)


def _polynomials(r: Floats, z: Floats) -> Floats:
    """Products (p, c) of polynomials in r and z, orthonormal over the nodes."""
    x, y = (2.0 * (a - a.min()) / (np.ptp(a) or 1.0) - 1.0 for a in (r, z))
    raw = np.stack([x**i * y**j for i in range(RADIAL) for j in range(AXIAL)], axis=1)
    left, singular, _ = np.linalg.svd(raw, full_matrices=False)
    return np.asarray(left[:, singular > RANK * singular[0]] * np.sqrt(len(r)))
