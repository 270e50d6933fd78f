"""Elastic disc on a carrier that translates and whose spin is free: a clutch disc on its shaft.

As `CarriedDisc`, but the spin Omega = phi' is a dof. In coordinates that are fixed in space the
material rate of the deflection is r = q' + Omega Delta q. With B = M Delta and S = Delta^T M Delta,
both of which commute with rotations (B^T = -B), the kinetic energy

    T = m c'^2/2 + J Omega^2/2 + uz' b . q' + r M r/2

gives, with the damping C = d_i times the bending form,

    m c'' + e_z b . q'' = F
    (J + q S q) Omega' + (B q) . q'' + 2 Omega q' S q + (Delta q) C r = M_z
    M q'' + B q Omega' + b uz'' + 2 Omega B q' - Omega^2 S q + K q + C r = Q .

The mass matrix depends on q: where the deflection stands in space, spin moves material up and
down. M_z is the moment of the loads about the axis plus (Delta q) . Q, so that q drops out of
the balance of angular momentum: J Omega' is the moment.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fecontact.body.carried import CarrierMarker
from fecontact.body.marker import Point, Vector
from fecontact.body.rigid import TRANSLATIONS, RigidBody
from fecontact.errors import NON_NEGATIVE, check
from fecontact.reduction.harmonic import HarmonicModel
from fecontact.typing import Floats, Tangents

__all__ = ["CarriedRotor"]

SPIN = len(TRANSLATIONS)
"""Number of the dof "spin"; the coordinates of the disc follow."""


@dataclass(frozen=True, eq=False)
class CarriedRotor:
    """Elastic disc on a carrier with the dofs ux, uy, uz and "spin".

    Parameters
    ----------
    name
        Name in the system.
    model
        Reduced plate, closed under rotation; its supports belong to the carrier.
    carrier_mass, carrier_inertia
        Mass in kg and moment of inertia about the axis in kg m^2 of the carrier, without the disc.
    damping
        Coefficient d_i in N m s of the curvature rates, see `SpinningDisc`; it acts on the
        material rate.

    Examples
    --------
    >>> from fecontact.fem import STEEL, HarmonicPlate
    >>> from fecontact.reduction import reduce_harmonic
    >>> plate = HarmonicPlate(0.06, 0.12, 0.004, STEEL, {"inner": "clamped"}, elements=4)
    >>> clutch = CarriedRotor("clutch", reduce_harmonic(plate, 0.1, 2, 1), 0.2, 1e-3)
    >>> clutch.dofs[:5], round(clutch.mass, 4), round(clutch.inertia, 6)
    (('ux', 'uy', 'uz', 'spin', 'k0.0'), 1.2586, 0.010527)
    """

    name: str
    model: HarmonicModel
    carrier_mass: float
    carrier_inertia: float
    damping: float = 0.0

    def __post_init__(self) -> None:
        check(f"{self.name}: carrier_mass", self.carrier_mass, NON_NEGATIVE, "kg")
        check(f"{self.name}: carrier_inertia", self.carrier_inertia, NON_NEGATIVE, "kg m^2")
        check(f"{self.name}: damping", self.damping, NON_NEGATIVE, "N m s")

    @property
    def bodies(self) -> tuple[CarriedRotor]:
        """The coordinates it refers to: its own."""
        return (self,)

    @cached_property
    def dofs(self) -> tuple[str, ...]:
        """Translation and spin of the carrier, then the coordinates of the disc."""
        return (*TRANSLATIONS, "spin", *self.model.names)

    @cached_property
    def mass(self) -> float:
        """Mass of carrier and disc in kg."""
        return self.carrier_mass + self.model.plate.total_mass

    @cached_property
    def inertia(self) -> float:
        """Moment of inertia about the axis of carrier and undeformed disc in kg m^2."""
        return self.carrier_inertia + self.model.plate.polar_inertia

    def validity(self, v: Floats) -> float:
        """Frequency in Hz, seen in space, up to which the reduced plate is valid at its spin."""
        return self.model.valid_to(float(v[SPIN]))

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
        """Mass matrix (4 + m, 4 + m)."""
        M, w = self._rest_mass.copy(), q[SPIN + 1 :]
        M[SPIN, SPIN] += w @ self._centrifugal @ w
        M[SPIN, SPIN + 1 :] = M[SPIN + 1 :, SPIN] = self._convective @ w
        return M

    def d_inertia(self, q: Floats, a: Floats) -> Floats:
        """Derivative (n, n) of M a along a step."""
        result, (w, turn, bend) = np.zeros_like(self._rest_mass), _parts(q, a)
        around = 2.0 * turn * (self._centrifugal @ w) + self._convective.T @ bend
        result[SPIN, SPIN + 1 :] = around
        result[SPIN + 1 :, SPIN + 1 :] = turn * self._convective
        return result

    @property
    def position(self) -> Vector:
        """Where the origin of its points is: the centre of the disc."""
        return (0.0, 0.0, 0.0)

    def marker(self, point: Point = (0.0, 0.0, 0.0), axes: Floats | None = None) -> CarrierMarker:
        """Marker at a point (0, 0, z) of the carrier's axis; it translates, material spins."""
        return CarrierMarker(self._carrier.marker(point, axes), self.model.size)

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Elastic, inertia and damping forces."""
        return self._conservative(q, v) + self._damping(q, v)

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of `force`."""
        rest, damping = self.terms(t, q, v).values()
        return rest[0] + damping[0], rest[1] + damping[1]

    def strain_energy(self, q: Floats) -> float:
        """Strain energy in J."""
        w = q[SPIN + 1 :]
        return float(0.5 * w @ self.model.stiffness @ w)

    def kinetic_energy(self, q: Floats, v: Floats, t: float = 0.0) -> float:
        """Kinetic energy in J."""
        return float(0.5 * v @ self.mass_matrix(q) @ v)

    def dissipated_power(self, t: float, q: Floats, v: Floats) -> float:
        """Power in W of the damping, r C r."""
        return float(-v @ self._damping(q, v))

    def terms(self, t: float, q: Floats, v: Floats) -> dict[str, Tangents]:
        """Parts of `tangents`: conservative forces of stiffness and inertia, and damping."""
        w, spin, rate = _parts(q, v)
        B, S = self._convective, self._centrifugal
        inertia = self._filled(-2.0 * spin * (S @ rate), spin**2 * S - self.model.stiffness)
        by_rate = self._filled(-2.0 * spin * (S @ w), -2.0 * spin * B)
        by_rate[SPIN, SPIN] = -2.0 * rate @ S @ w
        by_rate[SPIN + 1 :, SPIN] = 2.0 * spin * (S @ w) - 2.0 * (B @ rate)
        C, Delta = self.damping * self.model.curvature_form, self.model.rotation
        turned = Delta @ w
        pull = Delta.T @ C @ (rate + 2.0 * spin * turned)
        lost, lost_rate = self._filled(-pull, -spin * C @ Delta), self._filled(-C @ turned, -C)
        lost_rate[SPIN, SPIN] = -turned @ C @ turned
        lost_rate[SPIN + 1 :, SPIN] = -C @ turned
        return {"stiffness and spin": (inertia, by_rate), "material damping": (lost, lost_rate)}

    def _conservative(self, q: Floats, v: Floats) -> Floats:
        w, spin, rate = _parts(q, v)
        Sw = self._centrifugal @ w
        own = spin**2 * Sw - 2.0 * spin * (self._convective @ rate) - self.model.stiffness @ w
        return np.concatenate([np.zeros(SPIN), [-2.0 * spin * rate @ Sw], own])

    def _damping(self, q: Floats, v: Floats) -> Floats:
        w, spin, rate = _parts(q, v)
        turned = self.model.rotation @ w
        own = -self.damping * self.model.curvature_form @ (rate + spin * turned)
        return np.concatenate([np.zeros(SPIN), [turned @ own], own])

    def _filled(self, row: Floats, block: Floats) -> Floats:
        """Matrix (n, n) with the row of the spin and the block of the disc."""
        result = np.zeros_like(self._rest_mass)
        result[SPIN, SPIN + 1 :], result[SPIN + 1 :, SPIN + 1 :] = row, block
        return result

    @cached_property
    def _carrier(self) -> RigidBody:
        """The rigid part, as a body of its own."""
        return RigidBody(self.name, self.mass, (*TRANSLATIONS, "spin"), (self.inertia,) * 3)

    @cached_property
    def _rest_mass(self) -> Floats:
        """Mass matrix of the undeformed disc."""
        M = np.diag([self.mass] * SPIN + [self.inertia] + [0.0] * self.model.size)
        M[SPIN + 1 :, SPIN + 1 :] = self.model.mass
        M[SPIN - 1, SPIN + 1 :] = M[SPIN + 1 :, SPIN - 1] = self.model.heave
        return M

    @cached_property
    def _convective(self) -> Floats:
        """B = M Delta, skew."""
        return self.model.mass @ self.model.rotation

    @cached_property
    def _centrifugal(self) -> Floats:
        """S = Delta^T M Delta."""
        return self.model.rotation.T @ self._convective


def _parts(q: Floats, v: Floats) -> tuple[Floats, float, Floats]:
    """Coordinates of the disc, spin, and rates of the disc."""
    return q[SPIN + 1 :], float(v[SPIN]), v[SPIN + 1 :]
