"""Mass, centre of mass and inertia of a volume mesh.

    m = rho int dV,    c = int x dV / V,    J = rho int ((x - c).(x - c) 1 - (x - c)(x - c)^T) dV

by Gauss quadrature in each cell, of the degree of x x det J for the map of the cell: exact for
tetrahedra and hexahedra with straight edges and with quadratic ones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from skfem import Basis, ElementHex0, ElementTetP0, Mesh, MeshHex1, MeshHex2, MeshTet1, MeshTet2

from fecontact.errors import POSITIVE, InputError, check
from fecontact.typing import Floats

__all__ = ["MassProperties", "mass_properties"]

DEGREE = {MeshTet1: 2, MeshTet2: 7, MeshHex1: 4, MeshHex2: 9}
"""Degree of x x det J; in each variable for hexahedra."""


class MassProperties(NamedTuple):
    """Mass in kg, centre of mass (3,) in m, and inertia (3, 3) about it in kg m^2."""

    mass: float
    centre: Floats
    inertia: Floats


def mass_properties(mesh: Mesh, density: float) -> MassProperties:
    """Mass properties of a mesh of tetrahedra or hexahedra, density in kg/m^3.

    Examples
    --------
    >>> from fecontact.mesh import block
    >>> found = mass_properties(block(0.3, 0.2, 0.1, cells=(1, 1, 1)), 1000.0)
    >>> round(found.mass, 9), found.centre.round(9).tolist()
    (6.0, [0.15, 0.1, 0.05])
    >>> np.diag(found.inertia).round(9).tolist()
    [0.025, 0.05, 0.065]
    """
    check("density", density, POSITIVE, "kg/m^3")
    if type(mesh) not in DEGREE:
        raise InputError(
            f"invalid mesh of type {type(mesh).__name__} for a rigid body: expected a volume mesh "
            "of tetrahedra or hexahedra"
        )
    element = ElementHex0() if isinstance(mesh, MeshHex1) else ElementTetP0()
    basis = Basis(mesh, element, intorder=DEGREE[type(mesh)])
    x = np.asarray(basis.global_coordinates()).reshape(3, -1)
    weight = density * np.asarray(basis.dx).ravel()
    mass = float(weight.sum())
    centre = x @ weight / mass
    arm = x - centre[:, None]
    second = (arm * weight) @ arm.T
    return MassProperties(mass, centre, np.trace(second) * np.eye(3) - second)
