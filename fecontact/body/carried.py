"""Elastic disc that spins on a carrier which is free to translate: a clutch disc with its hub.

The carrier has the displacement c = (ux, uy, uz); the disc deflects by w = W q relative to it. The
material velocity is c' + Omega e_z x (x - c) + u_t + Omega D u, so that spin and elasticity act on
q alone, as in `SpinningDisc`, and c is coupled with the axisymmetric part of q by inertia only,

    m c'' + e_z b . q'' = F,      M q'' + b uz'' + ... = Q,      b = int rho h W dA .

Without elastic coordinates it is a rigid disc that spins and does not tilt.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fecontact.body.marker import Point, RigidMarker, Vector
from fecontact.body.motion import MarkerMotion
from fecontact.body.rigid import RigidBody
from fecontact.body.spinning import SpinningDisc
from fecontact.errors import NON_NEGATIVE, check
from fecontact.typing import Floats, Tangents

__all__ = ["CarriedDisc", "CarrierMarker"]


@dataclass(frozen=True, eq=False)
class CarriedDisc:
    """Spinning elastic disc on a carrier with the dofs ux, uy, uz.

    Parameters
    ----------
    disc
        The disc; its supports belong to the carrier. It is a part of this body, not another one.
    carrier_mass
        Mass of the carrier in kg, without the disc.

    Examples
    --------
    >>> from fecontact.fem import STEEL, HarmonicPlate
    >>> from fecontact.reduction import reduce_harmonic
    >>> plate = HarmonicPlate(0.06, 0.12, 0.004, STEEL, {"inner": "clamped"}, elements=4)
    >>> disc = SpinningDisc("clutch", reduce_harmonic(plate, 0.1, 2, 1), 300.0)
    >>> clutch = CarriedDisc(disc, 0.2)
    >>> clutch.dofs[:4], round(clutch.mass, 4)
    (('ux', 'uy', 'uz', 'k0.0'), 1.2586)
    """

    disc: SpinningDisc
    carrier_mass: float

    def __post_init__(self) -> None:
        check(f"{self.name}: carrier_mass", self.carrier_mass, NON_NEGATIVE, "kg")

    @property
    def name(self) -> str:
        """Name in the system: that of the disc."""
        return self.disc.name

    @property
    def bodies(self) -> tuple[CarriedDisc]:
        """The coordinates it refers to: its own."""
        return (self,)

    @property
    def speed(self) -> float:
        """Omega in rad/s."""
        return self.disc.speed

    @cached_property
    def dofs(self) -> tuple[str, ...]:
        """Translation of the carrier, then the coordinates of the disc."""
        return ("ux", "uy", "uz", *self.disc.dofs)

    @cached_property
    def mass(self) -> float:
        """Mass of carrier and disc in kg."""
        return self.carrier_mass + self.disc.model.plate.total_mass

    def validity(self, v: Floats) -> float:
        """Frequency in Hz, seen in space, up to which the reduced plate is valid."""
        return self.disc.validity(v[3:])

    def reference(self) -> Floats:
        """Coordinates of the undeformed disc."""
        return np.zeros(len(self.dofs))

    def move(self, q: Floats, step: Floats) -> Floats:
        """Coordinates after a step."""
        return q + step

    def rate(self, q: Floats, v: Floats) -> Floats:
        """Rate q' of the coordinates."""
        return v

    def mass_matrix(self, q: Floats) -> Floats:
        """Mass matrix (3 + m, 3 + m), constant."""
        return self._mass

    def d_inertia(self, q: Floats, a: Floats) -> Floats:
        """Derivative (n, n) of M a along a step: zero."""
        return np.zeros_like(self._mass)

    @property
    def position(self) -> Vector:
        """Where the origin of its points is: the centre of the disc."""
        return (0.0, 0.0, 0.0)

    def marker(self, point: Point = (0.0, 0.0, 0.0), axes: Floats | None = None) -> CarrierMarker:
        """Marker at a point (x, y, z) of the carrier; it translates and does not turn."""
        return CarrierMarker(self._carrier.marker(point, axes), self.disc.model.size)

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Forces of the disc on its own coordinates; none on the carrier."""
        return np.concatenate([np.zeros(3), self.disc.force(t, q[3:], v[3:])])

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of `force`; constant."""
        return self._padded(self.disc.tangents(t, q[3:], v[3:]))

    def strain_energy(self, q: Floats) -> float:
        """Potential of the disc in J, see `SpinningDisc.strain_energy`."""
        return self.disc.strain_energy(q[3:])

    def dissipated_power(self, t: float, q: Floats, v: Floats) -> float:
        """Power in W of the damping."""
        return self.disc.dissipated_power(t, q[3:], v[3:])

    def supplied_power(self, t: float, q: Floats, v: Floats) -> float:
        """Power in W of the drive against the damping."""
        return self.disc.supplied_power(t, q[3:], v[3:])

    def terms(self, t: float, q: Floats, v: Floats) -> dict[str, Tangents]:
        """Parts of `tangents`."""
        terms = self.disc.terms(t, q[3:], v[3:])
        return {name: self._padded(part) for name, part in terms.items()}

    @cached_property
    def _carrier(self) -> RigidBody:
        """The rigid part, as a body of its own."""
        return RigidBody(self.name, self.mass, ("ux", "uy", "uz"), spin=self.speed)

    @cached_property
    def _mass(self) -> Floats:
        model = self.disc.model
        M = np.zeros((3 + model.size, 3 + model.size))
        M[:3, :3] = self.mass * np.eye(3)
        M[3:, 3:] = model.mass
        M[2, 3:] = M[3:, 2] = model.heave
        return M

    @staticmethod
    def _padded(tangents: Tangents) -> Tangents:
        by_q, by_v = (np.pad(part, ((3, 0), (3, 0))) for part in tangents)
        return by_q, by_v


@dataclass(frozen=True, eq=False)
class CarrierMarker:
    """Marker on a carrier: the rigid one, and `elastic` coordinates that do not move it."""

    rigid: RigidMarker
    elastic: int

    @property
    def home(self) -> Floats:
        """Position in space in the reference position."""
        return self.rigid.home

    @property
    def axes(self) -> Floats:
        """Axes about which it can turn: none."""
        return self.rigid.axes

    @property
    def no_angle(self) -> str:
        """Why its rotation is not known."""
        return self.rigid.no_angle

    def at(self, q: Floats, v: Floats, t: float = 0.0) -> MarkerMotion:
        """Motion of the marker."""
        own, wider = len(v) - self.elastic, ((0, 0), (0, self.elastic))
        motion = self.rigid.at(q[:own], v[:own], t)

        def d_load(force: Floats, moment: Floats) -> Floats:
            return np.pad(motion.d_load(force, moment), (0, self.elastic))

        return motion._replace(
            lift=np.pad(motion.lift, wider),
            d_lift=np.pad(motion.d_lift, wider),
            d_load=d_load,
            spin_lift=None if motion.spin_lift is None else np.pad(motion.spin_lift, wider),
        )
