"""Isotropic linear elastic material."""

from __future__ import annotations

from dataclasses import dataclass

from fecontact.errors import POISSON, POSITIVE, check

__all__ = ["STEEL", "Material"]


@dataclass(frozen=True)
class Material:
    """Young's modulus in Pa, Poisson's ratio, density in kg/m^3."""

    young: float
    poisson: float
    density: float
    name: str = ""

    def __post_init__(self) -> None:
        check("young", self.young, POSITIVE, "Pa")
        check("poisson", self.poisson, POISSON)
        check("density", self.density, POSITIVE, "kg/m^3")

    def bending_stiffness(self, thickness: float) -> float:
        """Plate stiffness D = E h^3 / (12 (1 - nu^2)) in N m (Jehle 3.35).

        Examples
        --------
        >>> round(STEEL.bending_stiffness(0.005), 1)
        2403.8
        """
        check("thickness", thickness, POSITIVE, "m")
        return self.young * thickness**3 / (12.0 * (1.0 - self.poisson**2))


STEEL = Material(young=210e9, poisson=0.3, density=7800.0, name="steel")
