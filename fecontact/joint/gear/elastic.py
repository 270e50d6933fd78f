"""Elastic gear mesh: springs and dampers on both flanks with backlash (Jehle 3.78).

    N = max(0, c delta + d delta')   where delta = -g > 0,   else 0

for the gap g of the front and of the rear flank (`joint.gear.gap`). Inside the backlash no force
acts. The gaps follow from the positions of the bodies, up to whole base pitches: so the mesh needs
no counter of revolutions and takes all bodies, also those with quaternions, rotors with the dof
"spin", and rotors with a prescribed spin, whose angle is the spin times t. Teeth that overlap by
more than a quarter of a base pitch are refused: the next tooth could not be told from the last one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from math import remainder

import numpy as np

from fecontact.body.marker import MarkedBody
from fecontact.errors import NON_NEGATIVE, POSITIVE, InputError, SolverError, check, one_of
from fecontact.joint.element import Law, Viscoelastic
from fecontact.joint.gear.gap import FLANKS, FlankGaps
from fecontact.joint.gear.geometry import GearPair
from fecontact.joint.gear.lowered import lowered_gear
from fecontact.joint.marker import Axis, MarkerPair, Point
from fecontact.joint.relative import Relative
from fecontact.kernels.lowered import Lowered
from fecontact.typing import Floats

__all__ = ["ElasticGearMesh"]

REFERENCES = {"centred": 0.0, "front": -1.0, "rear": 1.0}
"""B in the reference position, in half backlashes."""


@dataclass(frozen=True, eq=False)
class ElasticGearMesh(Viscoelastic):
    """Force element between two gears on parallel axes.

    Parameters
    ----------
    a, b
        Bodies of gear 1 and gear 2; None is the ground.
    gears
        Their geometry, with the backlash at the given centre distance.
    stiffness
        c along the normal in N/m; with `per_width` in N/m per m of face width. The stiffness in the
        transverse plane, c_gamma of ISO 6336 times the width, is c cos(beta_b)^2.
    damping
        d along the normal in N s/m, or per m of face width.
    per_width
        Whether stiffness and damping are those of one metre of face width.
    reference
        How the teeth stand in the reference position (and at t = 0, for prescribed spins):
        "centred" in the backlash, or just touching on the "front" or "rear" flank.
    axis, point_a, point_b
        As of `GearMesh`.
    """

    a: MarkedBody | None
    b: MarkedBody | None
    gears: GearPair
    stiffness: float
    damping: float = 0.0
    per_width: bool = False
    reference: str = "centred"
    axis: Axis = "z"
    point_a: Point = (0.0, 0.0, 0.0)
    point_b: Point = (0.0, 0.0, 0.0)
    name: str = "gear mesh"
    pair: MarkerPair = field(init=False, repr=False)
    _gaps: FlankGaps = field(init=False, repr=False)

    def __post_init__(self) -> None:
        unit = " per m" if self.per_width else ""
        check(f"{self.name}: stiffness", self.stiffness, POSITIVE, f"N/m{unit}")
        check(f"{self.name}: damping", self.damping, NON_NEGATIVE, f"N s/m{unit}")
        check(f"{self.name}: reference", self.reference, one_of(REFERENCES))
        pitch = self.gears.normal_base_pitch
        if self.gears.backlash >= 0.5 * pitch:
            raise InputError(
                f"{self.name}: invalid backlash = {self.gears.backlash} m: expected below half a "
                f"base pitch, {0.5 * pitch:.6g} m"
            )
        pair = MarkerPair(self.name, self.a, self.b, self.point_b, self.point_a)
        object.__setattr__(self, "pair", pair)
        object.__setattr__(self, "_gaps", FlankGaps(pair, self.gears, self.axis))

    def relative(self, q: Floats, v: Floats) -> Relative:
        """Gaps (2,) of both flanks at t = 0."""
        return self.at(0.0, q, v)

    def at(self, t: float, q: Floats, v: Floats) -> Relative:
        """Gaps (2,) of both flanks, of the teeth that are next to each other."""
        gaps = self._gaps.at(t, q, v).shifted(self._origin)
        pitch = self.gears.normal_base_pitch
        half_play, error = gaps.value
        value = np.array([half_play, remainder(error, pitch)])
        overlap = -float((FLANKS @ value).min())
        if overlap > 0.25 * pitch:
            raise SolverError(
                f"{self.name}: the teeth overlap by {overlap:.3g} m, more than a quarter of a base "
                "pitch; stiffen the mesh, reduce the load or the step"
            )
        return replace(gaps, value=value).mapped(FLANKS)

    def load(self, t: float, s: Floats, rate: Floats) -> Law:
        """Loads -N (2,) of both flanks."""
        c, d = self._constants
        load = np.where(s < 0.0, np.minimum(c * s + d * rate, 0.0), 0.0)
        loaded = np.diag((load < 0.0).astype(float))
        return load, c * loaded, d * loaded

    def lowered(self) -> Lowered | None:
        """The mesh as a compiled function; None if a body has none."""
        return lowered_gear(self._gaps, *self._constants, self._origin)

    def potential(self, s: Floats) -> float:
        """Elastic energy in J."""
        return float(0.5 * self._constants[0] * np.sum(np.minimum(s, 0.0) ** 2))

    def supplied_power(self, t: float, q: Floats, v: Floats) -> float:
        """Power in W of prescribed motions, spins and frames: what they close the gaps with."""
        relative = self.at(t, q, v)
        load = self.load(t, relative.value, relative.rate)[0]
        return float(load @ relative.rate + self.force(t, q, v) @ v)

    def gap(self, t: float, q: Floats) -> Floats:
        """Gaps (2,) in m of the front and the rear flank; their sum is the backlash."""
        return self.at(t, q, np.zeros(sum(len(body.dofs) for body in self.bodies))).value

    def tooth_force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Normal forces N (2,) in N on the front and the rear flank, not negative."""
        relative = self.at(t, q, v)
        return -self.load(t, relative.value, relative.rate)[0]

    @cached_property
    def _origin(self) -> Floats:
        """E and B (2,) that belong to zero gaps."""
        half_play = 0.5 * self.gears.backlash
        start = np.array([half_play, REFERENCES[self.reference] * half_play])
        return self._gaps.reference - start

    @property
    def _constants(self) -> tuple[float, float]:
        width = self.gears.width if self.per_width else 1.0
        return width * self.stiffness, width * self.damping
