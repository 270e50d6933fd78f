"""Stiffness and mass of a plate per area: orthotropic, in several parts.

A plate has no stress normal to its mid-plane. With the compliance S of the material in the
order xx, yy, zz, yz, xz, xy and the rows and columns p = (xx, yy, xy),

    Q = (S_pp)^-1,   N = h Q eps,   moments = h^3/12 Q kappa,   shear forces = k h G gamma

(Jones, Mechanics of Composite Materials, ch. 2), isotropic: Q_11 = E/(1 - nu^2). A plane of
symmetry of the material must be parallel to the mid-plane, else stretching and shear are coupled.
The parts lie symmetrically to one mid-plane; a facing on one side only is not such a plate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fecontact.errors import POSITIVE, InputError, check, warn_unusual
from fecontact.fem.material import Elastic
from fecontact.fem.parts import cell_elasticity, cell_parts
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from skfem import Basis, Mesh

__all__ = ["PlateSection", "plane_stress", "transverse_shear"]

IN_PLANE = np.array([0, 1, 5])
"""Voigt numbers of xx, yy, xy."""

TRANSVERSE = np.array([4, 3])
"""Voigt numbers of xz, yz."""

THICK = 0.5
"""Thickness over span from which on a body is no plate; Mindlin's theory ends at about 0.2."""

TILTED = 1e-9
"""Coupling of stretching and transverse shear, relative to the stiffness, that counts as none."""


def plane_stress(D: Floats) -> Floats:
    """Stiffness Q (..., 3, 3) of xx, yy, xy without normal stress, from D (..., 6, 6).

    Examples
    --------
    >>> from fecontact.fem import STEEL
    >>> Q = plane_stress(STEEL.elasticity(np.zeros(3)))
    >>> bool(np.isclose(Q[0, 0], 210e9 / (1 - 0.3**2)))
    True
    """
    S = np.linalg.inv(D)
    return np.asarray(np.linalg.inv(S[..., IN_PLANE[:, None], IN_PLANE]))


def transverse_shear(D: Floats) -> Floats:
    """Shear moduli (..., 2, 2) of xz, yz, from D (..., 6, 6)."""
    coupling = np.abs(D[..., TRANSVERSE[:, None], [0, 1, 2, 5]]).max()
    if coupling > TILTED * np.abs(D).max():
        raise InputError(
            "invalid material axes for a plate: expected the third to be normal to the x-y plane"
        )
    return np.asarray(D[..., TRANSVERSE[:, None], TRANSVERSE])


@dataclass(frozen=True)
class PlateSection:
    """Materials and thicknesses of the cells of a plate.

    Values per cell have the shape (c, 1), to go with values at the points (c, q).

    Parameters
    ----------
    mesh
        Cells in the x-y plane; its subdomains are the named volumes.
    thickness
        In m: one value, or volume name -> value.
    material
        One material, or volume name -> material.
    """

    mesh: Mesh
    thickness: float | Mapping[str, float]
    material: Elastic | Mapping[str, Elastic]

    def __post_init__(self) -> None:
        given = self.thickness
        values = given if isinstance(given, Mapping) else {"": given}
        for name, value in values.items():
            check(f"thickness of '{name}'" if name else "thickness", value, POSITIVE, "m")
        centre = self._points(self.mesh.p[:, self.mesh.t[:, 0]].mean(axis=1))
        for part in self.parts[0]:
            transverse_shear(part.elasticity(centre))
        self.heights  # noqa: B018  # every cell must have one thickness
        self._warn_if_thick(values)

    def _warn_if_thick(self, thicknesses: Mapping[str, float]) -> None:
        """Warn of a plate that is no plate: mostly a thickness in mm."""
        span = float(np.ptp(self.mesh.p, axis=1).max())
        for name, h in thicknesses.items():
            if h > THICK * span:
                where = f" of '{name}'" if name else ""
                warn_unusual(
                    f"thickness{where} = {h:g} m of a plate that spans {span:.4g} m",
                    f"given in mm? Then write {1e-3 * h:g}",
                )

    @cached_property
    def parts(self) -> tuple[list[Elastic], Integers]:
        """Materials, and the number of the material of each cell."""
        return cell_parts(self.mesh, self.material, "material")

    @cached_property
    def heights(self) -> Floats:
        """Thickness of each cell in m, (c, 1)."""
        values, index = cell_parts(self.mesh, self.thickness, "thickness")
        return np.array(values, dtype=float)[index, None]

    @cached_property
    def densities(self) -> Floats:
        """Mass per volume of each cell in kg/m^3, (c, 1)."""
        parts, index = self.parts
        return np.array([part.density for part in parts])[index, None]

    @property
    def surface_density(self) -> Floats:
        """Mass per area of each cell, rho h, (c, 1)."""
        return self.densities * self.heights

    @property
    def rotary_inertia(self) -> Floats:
        """Inertia of the rotations per area of each cell, rho h^3/12, (c, 1)."""
        return self.densities * self.heights**3 / 12.0

    def stretching(self, basis: Basis) -> Floats:
        """Stiffness h Q at the quadrature points of a basis, (c, q, 3, 3)."""
        return self._scaled(self.heights, plane_stress(self._elasticity(basis)))

    def bending(self, basis: Basis) -> Floats:
        """Stiffness h^3/12 Q at the quadrature points of a basis, (c, q, 3, 3)."""
        return self._scaled(self.heights**3 / 12.0, plane_stress(self._elasticity(basis)))

    def shearing(self, basis: Basis) -> Floats:
        """Stiffness h G at the quadrature points of a basis, (c, q, 2, 2)."""
        return self._scaled(self.heights, transverse_shear(self._elasticity(basis)))

    def _elasticity(self, basis: Basis) -> Floats:
        """Voigt matrices at the quadrature points; (6, 6) if they are all the same."""
        return cell_elasticity(*self.parts, self._points(basis.global_coordinates()))

    @staticmethod
    def _scaled(factor: Floats, stiffness: Floats) -> Floats:
        """Stiffness (s, s) or (c, q, s, s) times a factor per cell."""
        return factor[..., None, None] * stiffness

    @staticmethod
    def _points(plane: Floats) -> Floats:
        """Points (..., 3) of the mid-plane from coordinates (2, ...)."""
        return np.stack([*plane, np.zeros(plane.shape[1:])], axis=-1)
