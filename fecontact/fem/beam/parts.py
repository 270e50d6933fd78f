"""What hangs on the stations of a beam, and the matrices of its rotating frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fecontact.errors import NON_NEGATIVE, check, one_of
from fecontact.fem.beam.element import FIELDS
from fecontact.typing import Floats

if TYPE_CHECKING:
    import scipy.sparse as sp

__all__ = ["BeamRotation", "StationMass", "StationSpring"]


@dataclass(frozen=True)
class StationMass:
    """Rigid mass in kg at a station, with moments of inertia about x, y, z in kg m^2."""

    station: str
    mass: float
    inertia: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        check(f"mass at '{self.station}'", self.mass, NON_NEGATIVE, "kg")
        for moment in self.inertia:
            check(f"inertia at '{self.station}'", moment, NON_NEGATIVE, "kg m^2")

    @property
    def second_moments(self) -> Floats:
        """Integrals of rho r_i^2 about the station, (3,): half the sum of the moments less each."""
        return 0.5 * np.sum(self.inertia) - np.array(self.inertia)


@dataclass(frozen=True)
class StationSpring:
    """Spring to the ground at a station: field ("u_z", ...) -> stiffness in N/m or N m/rad."""

    station: str
    stiffness: Mapping[str, float]

    def __post_init__(self) -> None:
        for name, value in self.stiffness.items():
            check(f"spring at '{self.station}': field", name, one_of(FIELDS))
            check(f"spring at '{self.station}': {name}", value, NON_NEGATIVE)


@dataclass(frozen=True)
class BeamRotation:
    """Matrices of the rotating frame per Omega or Omega^2 (see `fecontact.fem.beam.body`)."""

    gyroscopic: sp.csr_array
    centrifugal: sp.csr_array
    geometric: sp.csr_array
    load: Floats
