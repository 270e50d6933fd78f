"""Whether the material of a body is the same all around an axis.

In the space-fixed frame the matrices of a spinning body are constant only if elasticity (in the
radial, circumferential and axial direction), density and thickness do not depend on the angle phi
about the axis. For each property a with the mean A over the body, sampled in the middle of cells,

    c_n = |int (a - A) exp(i n phi) dV| / int |a| dV = 0,     n = 1, 2, ...

The mean is taken off, so a body of one isotropic or polar material has c_n = 0 on any mesh;
concentric parts on an irregular mesh leave what their polygons differ from circles. A sector of the
angle b whose property differs by the share d has c_1 = d sin(b/2)/pi; straight material axes show
up in c_2 and c_4. Whether the shape is axisymmetric is another question (`RotatingBody.rotation`).
"""

from __future__ import annotations

import numpy as np
from skfem import Mesh
from skfem.quadrature import get_quadrature

from fecontact.errors import InputError
from fecontact.fem.material import CylindricalAxes, Elastic, stress_rotation
from fecontact.fem.parts import cell_elasticity
from fecontact.typing import Floats, Integers

__all__ = ["check_axisymmetric", "uneven"]

UNEVEN = 0.01
"""Largest c_n of an axisymmetric body: a sector of 4 degrees of another material has as much."""

CELLS_PER_WAVE = 2.0
"""Shorter waves are not looked at, because the mesh cannot tell them from its own roughness."""

MOST_WAVES = 60
"""Highest n looked at: pads or teeth all around."""


def check_axisymmetric(
    mesh: Mesh,
    materials: tuple[list[Elastic], Integers],
    about: CylindricalAxes,
    thickness: Floats | None = None,
) -> None:
    """Raise an `InputError` if a property of a body changes around an axis.

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
    parts, number = materials
    points, volumes = _middles(mesh)
    arm = points - np.asarray(about.origin)
    axial = np.asarray(about.axis) / np.linalg.norm(about.axis)
    radius = np.linalg.norm(np.cross(axial, arm), axis=1)
    off = radius > 1e-9 * radius.max()  # a cell around the axis looks the same from all sides
    frames = about.frames(points[off])
    T = stress_rotation(frames.swapaxes(-1, -2))
    properties = {
        "elasticity": T @ cell_elasticity(parts, number[off], points[off]) @ T.swapaxes(-1, -2),
        "density": np.array([part.density for part in parts])[number[off]],
    }
    if thickness is not None:
        properties["thickness"] = thickness[off]
    side = _helper_direction(axial)
    radial = frames[..., 0]
    phi = np.arctan2(radial @ np.cross(axial, side), radial @ side)
    around = 2.0 * np.pi * np.median(radius / _lengths(mesh))  # cells on a circle
    waves = max(4, int(around / CELLS_PER_WAVE))
    for name, values in properties.items():
        found = uneven(values.reshape(len(phi), -1), phi, volumes[off], waves)
        n = int(np.argmax(found))
        if found[n] > UNEVEN:
            raise InputError(
                f"rotation in the space-fixed frame needs a body axisymmetric about its axis: its "
                f"{name} changes around the axis, harmonic {n + 1} has the share {found[n]:.2g}, "
                f"allowed is {UNEVEN}; use the matrices of the turning frame"
            )


def uneven(values: Floats, phi: Floats, volumes: Floats, waves: int) -> Floats:
    """Shares c_1, c_2, ... of the harmonics around the axis in values (p, k) at p points.

    Examples
    --------
    >>> phi = 2.0 * np.pi * np.arange(40) / 40
    >>> c = uneven(1.0 + 0.2 * np.cos(3.0 * phi)[:, None], phi, np.ones(40), 4)
    >>> np.round(c, 12).tolist()
    [0.0, 0.0, 0.1, 0.0]
    """
    mean = volumes @ values / volumes.sum()
    n = np.arange(1, min(waves, MOST_WAVES) + 1)
    moments = (volumes * np.exp(1j * n[:, None] * phi)) @ (values - mean)
    size = volumes @ np.linalg.norm(values, axis=1)
    return np.asarray(np.linalg.norm(moments, axis=1) / size)


def _middles(mesh: Mesh) -> tuple[Floats, Floats]:
    """Middle (c, 3) and volume (c,) of each cell; plane cells have z = 0 and an area."""
    X, _ = get_quadrature(mesh.refdom, 1)
    fine, weights = get_quadrature(mesh.refdom, 4)
    mapping = mesh._mapping()
    points = np.zeros((mesh.nelements, 3))
    points[:, : mesh.dim()] = np.asarray(mapping.F(X)).mean(axis=2).T
    return points, np.abs(mapping.detDF(fine)) @ weights


def _lengths(mesh: Mesh) -> Floats:
    """Length (c,) of each cell: the diagonal of the box around its corners."""
    return np.asarray(np.linalg.norm(np.ptp(mesh.p[:, mesh.t], axis=1), axis=0))


def _helper_direction(axial: Floats) -> Floats:
    """Return a unit vector normal to the axis."""
    across = np.cross(axial, np.eye(3)[int(np.argmin(np.abs(axial)))])
    return np.asarray(across / np.linalg.norm(across))
