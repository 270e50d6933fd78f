"""Cross-sections of beams: areas, second moments, shear factors and outline.

The beam axis is x; y and z are principal axes of the section through its centroid.

    I_y = int z^2 dA (bending in the x-z plane),   I_z = int y^2 dA (bending in the x-y plane)

Shear factors kappa give the shear stiffness kappa G A: Cowper (1966) at nu = 0.3 for circle and
tube, 5/6 for the rectangle.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from fecontact.errors import NON_NEGATIVE, POSITIVE, InputError, check

__all__ = ["Section"]


@dataclass(frozen=True)
class Section:
    """Section data in SI units.

    Parameters
    ----------
    area
        A in m^2.
    inertia_y, inertia_z
        Second moments I_y, I_z in m^4.
    torsion
        Torsion constant J in m^4; the polar second moment is I_y + I_z.
    shear_y, shear_z
        Shear factors kappa of the two directions; used by the Timoshenko theory only.
    width, height
        Extent in y and z in m, for the faces of the beam.
    """

    area: float
    inertia_y: float
    inertia_z: float
    torsion: float
    shear_y: float = 5.0 / 6.0
    shear_z: float = 5.0 / 6.0
    width: float = 0.0
    height: float = 0.0

    def __post_init__(self) -> None:
        for name in ("area", "inertia_y", "inertia_z", "torsion", "shear_y", "shear_z"):
            check(f"section: {name}", getattr(self, name), POSITIVE)
        for name in ("width", "height"):
            check(f"section: {name}", getattr(self, name), NON_NEGATIVE, "m")

    @classmethod
    def rectangle(cls, width: float, height: float) -> Self:
        """Rectangle of extent `width` in y and `height` in z.

        The torsion constant is Saint-Venant's series,
        J = a b^3 (1/3 - 64/pi^5 b/a sum_odd tanh(n pi a/(2 b))/n^5), a >= b.

        Examples
        --------
        >>> round(Section.rectangle(1.0, 1.0).torsion, 4)
        0.1406
        """
        check("width", width, POSITIVE, "m")
        check("height", height, POSITIVE, "m")
        a, b = max(width, height), min(width, height)
        n = np.arange(1, 40, 2)
        series = float(np.sum(np.tanh(n * np.pi * a / (2.0 * b)) / n**5))
        return cls(
            area=width * height,
            inertia_y=width * height**3 / 12.0,
            inertia_z=height * width**3 / 12.0,
            torsion=a * b**3 * (1.0 / 3.0 - 64.0 / np.pi**5 * b / a * series),
            width=width,
            height=height,
        )

    @classmethod
    def circle(cls, diameter: float) -> Self:
        """Full circle."""
        return cls.tube(diameter, 0.0)

    @classmethod
    def tube(cls, outer_diameter: float, inner_diameter: float) -> Self:
        """Circular tube; shear factor of Cowper at nu = 0.3.

        kappa = 6 (1 + nu)(1 + m^2)^2 / ((7 + 6 nu)(1 + m^2)^2 + (20 + 12 nu) m^2), m = d_i/d_o.

        Examples
        --------
        >>> round(Section.tube(0.02, 0.0).shear_z, 4)
        0.8864
        """
        check("outer_diameter", outer_diameter, POSITIVE, "m")
        check("inner_diameter", inner_diameter, NON_NEGATIVE, "m")
        if inner_diameter >= outer_diameter:
            raise InputError(
                f"invalid inner_diameter = {inner_diameter} m: expected smaller than "
                f"outer_diameter = {outer_diameter} m"
            )
        nu, m2 = 0.3, (inner_diameter / outer_diameter) ** 2
        square = (1.0 + m2) ** 2
        shear = 6.0 * (1.0 + nu) * square / ((7.0 + 6.0 * nu) * square + (20.0 + 12.0 * nu) * m2)
        second = np.pi / 64.0 * (outer_diameter**4 - inner_diameter**4)
        return cls(
            area=np.pi / 4.0 * (outer_diameter**2 - inner_diameter**2),
            inertia_y=second,
            inertia_z=second,
            torsion=2.0 * second,
            shear_y=shear,
            shear_z=shear,
            width=outer_diameter,
            height=outer_diameter,
        )
