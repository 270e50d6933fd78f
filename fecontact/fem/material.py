"""Linear elastic materials: isotropic, and orthotropic with straight or cylindrical axes.

Stress and strain are ordered xx, yy, zz, yz, xz, xy (Voigt), shear strains doubled:

    sigma = D epsilon,      D symmetric positive definite .
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from fecontact.errors import POISSON, POSITIVE, InputError, check, unknown, warn_unusual
from fecontact.typing import Floats

__all__ = [
    "ALUMINIUM",
    "CAST_IRON",
    "FACING",
    "STEEL",
    "CartesianAxes",
    "CylindricalAxes",
    "Elastic",
    "Material",
    "Orthotropic",
    "check_isotropic",
    "material",
    "stress_rotation",
]

SOFTEST, STIFFEST = 1e6, 1.5e12
"""Pa; outside, a modulus was probably not given in Pa: rubber has E = 1e6 Pa at the least (and
G = E/3), diamond 1.2e12 Pa."""

LIGHTEST, HEAVIEST = 10.0, 3e4
"""kg/m^3; outside, a density was probably given in another unit: foams start at about 10 kg/m^3,
osmium has 2.26e4 kg/m^3."""


class Elastic(Protocol):
    """What a finite-element model asks of a material."""

    @property
    def density(self) -> float:
        """Mass per volume in kg/m^3."""
        ...

    def elasticity(self, points: Floats) -> Floats:
        """Voigt matrix D at points (..., 3) in the global axes, shape (6, 6) or (..., 6, 6)."""
        ...


@dataclass(frozen=True)
class Material:
    """Isotropic: Young's modulus in Pa, Poisson's ratio, density in kg/m^3.

    Examples
    --------
    >>> Material(young=70e9, poisson=0.33, density=2700.0).shear / 1e9
    26.31578947368421
    """

    young: float
    poisson: float
    density: float
    name: str = ""

    def __post_init__(self) -> None:
        check("young", self.young, POSITIVE, "Pa")
        check("poisson", self.poisson, POISSON)
        check("density", self.density, POSITIVE, "kg/m^3")
        _warn_units(self.density, {"young": self.young})

    @property
    def shear(self) -> float:
        """Shear modulus G = E / (2 (1 + nu)) in Pa."""
        return self.young / (2.0 * (1.0 + self.poisson))

    def bending_stiffness(self, thickness: float) -> float:
        """Plate stiffness D = E h^3 / (12 (1 - nu^2)) in N m (Jehle 3.35).

        Examples
        --------
        >>> round(STEEL.bending_stiffness(0.005), 1)
        2403.8
        """
        check("thickness", thickness, POSITIVE, "m")
        return self.young * thickness**3 / (12.0 * (1.0 - self.poisson**2))

    def elasticity(self, points: Floats) -> Floats:
        """Voigt matrix (6, 6), the same at all points: lambda tr(eps) 1 + 2 G eps."""
        lame = self.young * self.poisson / ((1.0 + self.poisson) * (1.0 - 2.0 * self.poisson))
        D = np.diag([2.0, 2.0, 2.0, 1.0, 1.0, 1.0]) * self.shear
        D[:3, :3] += lame
        return D


def check_isotropic(name: str, given: object) -> None:
    """Raise an `InputError` unless a material is isotropic, for theories that need E and nu."""
    if not isinstance(given, Material):
        raise InputError(f"invalid {name} = {type(given).__name__}: expected an isotropic Material")


@dataclass(frozen=True)
class CartesianAxes:
    """Straight material axes; the third is normal to the first two.

    `first` is taken as it is, of `second` only the part normal to it.
    """

    first: tuple[float, float, float] = (1.0, 0.0, 0.0)
    second: tuple[float, float, float] = (0.0, 1.0, 0.0)

    def __post_init__(self) -> None:
        if np.linalg.norm(np.cross(self.first, self.second)) < 1e-9:
            raise InputError(
                f"invalid material axes {self.first} and {self.second}: expected neither parallel "
                "nor zero"
            )

    def frames(self, points: Floats) -> Floats:
        """Material axes as columns of a rotation matrix (3, 3)."""
        third = np.cross(self.first, self.second)
        second = np.cross(third, self.first)
        axes = np.column_stack([self.first, second, third])
        return axes / np.linalg.norm(axes, axis=0)


@dataclass(frozen=True)
class CylindricalAxes:
    """Material axes 1 = radial, 2 = circumferential, 3 = axial, about a line in space."""

    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        check("length of the cylinder axis", float(np.linalg.norm(self.axis)), POSITIVE)

    def frames(self, points: Floats) -> Floats:
        """Material axes at points (..., 3) as columns of rotation matrices (..., 3, 3)."""
        axial = np.asarray(self.axis) / np.linalg.norm(self.axis)
        arm = points - np.asarray(self.origin)
        radial = arm - (arm @ axial)[..., None] * axial
        radius = np.linalg.norm(radial, axis=-1, keepdims=True)
        if np.any(radius <= 1e-12 * max(1.0, float(np.abs(arm).max()))):
            raise InputError("invalid cylindrical material axes: expected points off the axis")
        radial = radial / radius
        return np.stack(
            [radial, np.cross(axial, radial), np.broadcast_to(axial, radial.shape)], axis=-1
        )


@dataclass(frozen=True)
class Orthotropic:
    """Three moduli, Poisson's ratios and shear moduli in the material axes 1, 2, 3.

    Compliance (Lekhnitskii, Theory of Elasticity of an Anisotropic Body, 1963)

        eps_1 = sigma_1/E_1 - nu_12 sigma_2/E_1 - nu_13 sigma_3/E_1, ...,  gamma_12 = tau_12/G_12

    with nu_12/E_1 = nu_21/E_2. The stored energy must be positive; the check says if it is not.

    Parameters
    ----------
    young
        E_1, E_2, E_3 in Pa.
    poisson
        nu_12, nu_13, nu_23.
    shear
        G_12, G_13, G_23 in Pa.
    density
        kg/m^3.
    axes
        `CartesianAxes` or `CylindricalAxes` (a friction facing wound around the clutch axis).
    """

    young: tuple[float, float, float]
    poisson: tuple[float, float, float]
    shear: tuple[float, float, float]
    density: float
    axes: CartesianAxes | CylindricalAxes = field(default_factory=CartesianAxes)
    name: str = ""

    def __post_init__(self) -> None:
        moduli = {f"young E_{k}": E for k, E in enumerate(self.young, 1)}
        for pair, G in zip(("12", "13", "23"), self.shear, strict=True):
            moduli[f"shear G_{pair}"] = G
        for name, modulus in moduli.items():
            check(name, modulus, POSITIVE, "Pa")
        check("density", self.density, POSITIVE, "kg/m^3")
        _warn_units(self.density, moduli)
        if np.linalg.eigvalsh(self._compliance)[0] <= 0.0:
            raise InputError(
                f"invalid poisson = {self.poisson} with young = {self.young} Pa: expected a "
                "positive stored energy (for each pair nu_ij^2 < E_i/E_j, and jointly)"
            )

    def elasticity(self, points: Floats) -> Floats:
        """Voigt matrix in the global axes, (6, 6) or one per point (..., 6, 6)."""
        T = stress_rotation(self.axes.frames(points))
        return T @ np.linalg.inv(self._compliance) @ T.swapaxes(-1, -2)

    @property
    def _compliance(self) -> Floats:
        (E1, E2, E3), (nu12, nu13, nu23), (G12, G13, G23) = self.young, self.poisson, self.shear
        S = np.diag([1.0 / E1, 1.0 / E2, 1.0 / E3, 1.0 / G23, 1.0 / G13, 1.0 / G12])
        S[0, 1] = S[1, 0] = -nu12 / E1
        S[0, 2] = S[2, 0] = -nu13 / E1
        S[1, 2] = S[2, 1] = -nu23 / E2
        return S


def stress_rotation(R: Floats) -> Floats:
    """Matrix (..., 6, 6) that turns Voigt stresses from material to global axes (Bond 1943)."""
    p, q = np.array([0, 1, 2, 1, 0, 0]), np.array([0, 1, 2, 2, 2, 1])
    straight = R[..., p[:, None], p] * R[..., q[:, None], q]
    crossed = R[..., p[:, None], q] * R[..., q[:, None], p]
    return np.where(p == q, straight, straight + crossed)


def _warn_units(density: float, moduli: Mapping[str, float]) -> None:
    """Warn on the usual unit slips; the values stay as they are."""
    for name, modulus in moduli.items():
        if modulus < (SOFTEST / 3.0 if name.startswith("shear") else SOFTEST):
            slip = ("GPa", 1e9) if modulus < 1e4 else ("MPa", 1e6)
            _warn(f"{name} = {modulus} Pa is softer than rubber", modulus, *slip)
        if modulus > STIFFEST:
            slip = ("dyn/cm^2", 0.1) if modulus < 10.0 * STIFFEST else ("mPa", 1e-3)
            _warn(f"{name} = {modulus} Pa is stiffer than diamond", modulus, *slip)
    if density < LIGHTEST:
        slip = ("g/cm^3", 1e3) if density > 1e-3 else ("t/mm^3", 1e12)
        _warn(f"density = {density} kg/m^3 is lighter than foam", density, *slip)
    if density > HEAVIEST:
        _warn(f"density = {density} kg/m^3 is heavier than any metal", density, "g/m^3", 1e-3)


def _warn(what: str, value: float, unit: str, factor: float) -> None:
    """Warn the caller of a material's constructor."""
    warn_unusual(what, f"given in {unit}? Then write {value * factor:g}")


STEEL = Material(young=210e9, poisson=0.3, density=7800.0, name="steel")
ALUMINIUM = Material(young=70e9, poisson=0.33, density=2700.0, name="aluminium")
"""EN 1999-1-1, 3.2.5: E = 70 GPa, 2700 kg/m^3; nu of wrought alloys 0.33 (code value 0.3)."""
CAST_IRON = Material(young=110e9, poisson=0.26, density=7200.0, name="cast iron")
"""Grey iron EN-GJL-250, EN 1561 annex A: E = 103 to 118 GPa, nu = 0.26, 7.2 g/cm^3."""

FACING = Material(young=0.3e9, poisson=0.25, density=2000.0, name="facing")
"""Friction material of a dry clutch, Abdullah and Schlattmann, ISRN Mech. Eng. 2013, 495918."""

_KNOWN = {m.name: m for m in (STEEL, ALUMINIUM, CAST_IRON, FACING)}


def material(name: str) -> Material:
    """Look up a material by its name; spaces, dashes and underscores are the same.

    Examples
    --------
    >>> material("cast-iron").young
    110000000000.0
    """
    key = name.strip().lower().replace("-", " ").replace("_", " ")
    if key not in _KNOWN:
        raise unknown("material", name, _KNOWN)
    return _KNOWN[key]
