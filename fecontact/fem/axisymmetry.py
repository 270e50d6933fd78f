"""Whether a body is the same all around an axis.

In the space-fixed frame the matrices of a spinning body are constant only if its shape, elasticity
(in the radial, circumferential and axial direction), density and thickness do not depend on the
angle phi about the axis. For each property a, with its mean A over the body and the shape as a = 1,
A = 0,

    c_n = |int (a - A) exp(i n phi) dV| / int |a| dV = 0,     n = 1, 2, ...

The mean is taken off, so a body of one isotropic or polar material has c_n = 0 on any mesh;
concentric parts on an irregular mesh leave what their polygons differ from circles. A sector of the
angle b whose property differs by the fraction d has c_1 = d sin(b/2)/pi; straight material axes
show up in c_2 and c_4, a square shape in c_4, teeth in their number. Refinement changes none of
them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from skfem.quadrature import get_quadrature

from fecontact.errors import InputError
from fecontact.fem.material import CylindricalAxes, Elastic, stress_rotation
from fecontact.fem.parts import cell_elasticity
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from skfem import Mesh

__all__ = ["check_axisymmetric", "harmonics", "uneven"]

UNEVEN = 0.01
"""Largest c_n of an axisymmetric body: a sector of 4 degrees of another material has as much."""

CELLS_PER_WAVE = 2.0
"""Shorter waves are not looked at, because the mesh cannot tell them from its own roughness."""

MAX_WAVES = 60
"""Highest n looked at: pads or teeth all around."""


def check_axisymmetric(
    mesh: Mesh,
    materials: tuple[list[Elastic], Integers],
    about: CylindricalAxes,
    thickness: Floats | None = None,
) -> None:
    """Raise an `InputError` if the shape or a property of a body changes around an axis.

    Parameters
    ----------
    mesh
        Cells of a solid, or of a plate in the x-y plane.
    materials
        The materials, and for each cell the number of its own.
    about
        Axis of rotation.
    thickness
        Of each cell, for a plate.
    """
    parts, index = materials
    positions, dV = _samples(mesh)
    radius, phi = _polar(positions, about)
    middles, volumes = positions.mean(axis=1), dV.sum(axis=1)
    around = 2.0 * np.pi * np.median(radius.mean(axis=1) / _lengths(mesh))  # cells on a circle
    waves = min(MAX_WAVES, max(4, int(around / CELLS_PER_WAVE)))
    _refuse("shape", harmonics(np.ones((phi.size, 1)), phi.ravel(), dV.ravel(), waves))
    radius, phi = _polar(middles, about)
    off = radius > 1e-9 * radius.max()  # a cell around the axis looks the same from all sides
    T = stress_rotation(about.frames(middles[off]).swapaxes(-1, -2))
    properties = {
        "elasticity": T @ cell_elasticity(parts, index[off], middles[off]) @ T.swapaxes(-1, -2),
        "density": np.array([part.density for part in parts])[index[off]],
    }
    if thickness is not None:
        properties["thickness"] = thickness[off]
    for name, values in properties.items():
        _refuse(name, uneven(values.reshape(len(values), -1), phi[off], volumes[off], waves))


def uneven(values: Floats, phi: Floats, volumes: Floats, waves: int) -> Floats:
    """Fractions c_1, c_2, ... of the harmonics around the axis in values (p, k) at p points.

    Examples
    --------
    >>> phi = 2.0 * np.pi * np.arange(40) / 40
    >>> c = uneven(1.0 + 0.2 * np.cos(3.0 * phi)[:, None], phi, np.ones(40), 4)
    >>> np.round(c, 12).tolist()
    [0.0, 0.0, 0.1, 0.0]
    """
    mean = volumes @ values / volumes.sum()
    size = volumes @ np.linalg.norm(values, axis=1)
    return harmonics(values - mean, phi, volumes, waves) * (volumes.sum() / size)


def harmonics(values: Floats, phi: Floats, volumes: Floats, waves: int) -> Floats:
    """Mean moments |int a exp(i n phi) dV| / V, n = 1 ... waves, of values (p, k) at p points."""
    turn, wave, moments = np.exp(1j * phi), volumes.astype(complex), []
    for _ in range(waves):
        wave = wave * turn
        moments.append(np.linalg.norm(wave @ values))
    return np.array(moments) / volumes.sum()


def _refuse(name: str, fractions: Floats) -> None:
    n = int(np.argmax(fractions))
    if fractions[n] > UNEVEN:
        raise InputError(
            f"rotation in the space-fixed frame needs a body axisymmetric about its axis: its "
            f"{name} changes around the axis, harmonic {n + 1} by the fraction {fractions[n]:.2g}, "
            f"allowed is {UNEVEN}; use the matrices of the turning frame, or more or curved cells "
            "around if the body is axisymmetric"
        )


def _samples(mesh: Mesh) -> tuple[Floats, Floats]:
    """Quadrature points (c, q, 3) and weights (c, q); plane cells have z = 0 and areas."""
    X, weights = get_quadrature(mesh.refdom, 4)
    mapping = mesh._mapping()
    positions = np.zeros((mesh.nelements, len(weights), 3))
    positions[..., : mesh.dim()] = np.moveaxis(np.asarray(mapping.F(X)), 0, -1)
    return positions, np.abs(mapping.detDF(X)) * weights


def _polar(points: Floats, about: CylindricalAxes) -> tuple[Floats, Floats]:
    """Radius and angle (...) of points (..., 3) about an axis."""
    axial = np.asarray(about.axis) / np.linalg.norm(about.axis)
    first = np.cross(axial, np.eye(3)[int(np.argmin(np.abs(axial)))])
    first = first / np.linalg.norm(first)
    arm = points - np.asarray(about.origin)
    x, y = arm @ first, arm @ np.cross(axial, first)
    return np.hypot(x, y), np.arctan2(y, x)


def _lengths(mesh: Mesh) -> Floats:
    """Length (c,) of each cell: the diagonal of the box around its corners."""
    return np.asarray(np.linalg.norm(np.ptp(mesh.p[:, mesh.t], axis=1), axis=0))
