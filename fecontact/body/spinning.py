"""Axisymmetric elastic disc that spins at constant speed, described in the space-fixed frame.

A material point moves with v = Omega e_z x x + u_t + Omega D u. With the closed basis W of the
reduced model, D W = W Delta, B = M Delta and S = Delta^T M Delta, the disc obeys

    M q'' + Omega (B - B^T) q' + (K + Omega^2 K_sigma - Omega^2 S) q + C (q' + Omega Delta q) = Q .

K_sigma is the stiffness of the centrifugal stress; Jehle leaves it out. The spectrum in this frame
is omega_k +- k Omega, with omega_k of the plate as stressed. Material damping acts on the material
rate; its part C Omega Delta q is circulatory. Jehle's numbers use C q' alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from fecontact.body.marker import ElasticMarker, Point, Vector
from fecontact.errors import FINITE, NON_NEGATIVE, InputError, check, one_of
from fecontact.reduction.harmonic import HarmonicModel
from fecontact.typing import Floats, Tangents

__all__ = ["DAMPING_RATES", "SpinningDisc"]

DAMPING_RATES = ("material", "partial")
REST = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])


@dataclass(frozen=True, eq=False)
class SpinningDisc:
    """Elastic disc whose carrier spins at a prescribed speed about z.

    Parameters
    ----------
    name
        Name in the system.
    model
        Reduced plate, closed under rotation.
    speed
        Omega in rad/s.
    damping
        Coefficient d_i in N m s of the curvature rates (Jehle 3.40, read as in his chapter 7):
        the damping matrix is d_i times the bending form of unit stiffness.
    damping_rate
        "material": damping of the material rate; "partial": of q' alone, as in the source.
    centrifugal_stress
        Include its stiffness K_sigma; False as in the source. Edges are free in the plane unless
        `held_in_plane` of the plate names them.
    """

    name: str
    model: HarmonicModel
    speed: float
    damping: float = 0.0
    damping_rate: str = "material"
    centrifugal_stress: bool = False
    _force_q: Floats = field(init=False, repr=False)
    _force_v: Floats = field(init=False, repr=False)
    _potential: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check(f"{self.name}: speed", float(self.speed), FINITE, "rad/s")
        check(f"{self.name}: damping", self.damping, NON_NEGATIVE, "N m s")
        check(f"{self.name}: damping_rate", self.damping_rate, one_of(DAMPING_RATES))
        M, Delta, Omega = self.model.mass, self.model.rotation, self.speed
        B, S = M @ Delta, Delta.T @ M @ Delta
        C = self.damping * self.model.curvature_form
        circulatory = Omega * C @ Delta if self.damping_rate == "material" else 0.0
        K = self.model.stiffness - Omega**2 * S
        if self.centrifugal_stress:
            K = K + Omega**2 * self.model.geometric_stiffness
        object.__setattr__(self, "_potential", K)
        object.__setattr__(self, "_force_q", -K - circulatory)
        object.__setattr__(self, "_force_v", -Omega * (B - B.T) - C)

    @property
    def bodies(self) -> tuple[SpinningDisc]:
        """The coordinates it refers to: its own."""
        return (self,)

    @property
    def dofs(self) -> tuple[str, ...]:
        """Names of the reduced coordinates: nodal diameters and a running number."""
        return self.model.names

    @property
    def thickness(self) -> float:
        """Plate thickness in m."""
        return self.model.plate.thickness

    def validity(self, v: Floats) -> float:
        """Frequency in Hz, seen in space, up to which the reduced plate is valid."""
        return self.model.valid_to(self.speed)

    def reference(self) -> Floats:
        """Coordinates of the undeformed disc."""
        return np.zeros(self.model.size)

    def move(self, q: Floats, step: Floats) -> Floats:
        """Coordinates after a step."""
        return q + step

    def rate(self, q: Floats, v: Floats) -> Floats:
        """Rate q' of the coordinates."""
        return v

    def mass_matrix(self, q: Floats) -> Floats:
        """Mass matrix (m, m)."""
        return self.model.mass

    def d_inertia(self, q: Floats, a: Floats) -> Floats:
        """Derivative (n, n) of M a along a step: zero."""
        return np.zeros((self.model.size, self.model.size))

    @property
    def position(self) -> Vector:
        """Where the origin of its points is: the centre of the disc."""
        return (0.0, 0.0, 0.0)

    def marker(self, point: Point, axes: Floats | None = None) -> ElasticMarker:
        """Marker at a point (x, y, z) that is fixed in space, z from the mid-plane.

        The material of the disc passes under it; u = (-z grad w, w), rotation (w_y, -w_x, 0).
        """
        if isinstance(point, str):
            raise InputError(f"{self.name}: point = {point} is not possible: it must be x, y, z")
        x, y, z = (float(value) for value in point)
        shapes = self.model.shapes(np.array([x]), np.array([y]))
        w, (w_x, w_y) = shapes.value[0], shapes.gradient[0]
        return ElasticMarker(
            lambda t, q, v: (np.concatenate([REST, q]), np.concatenate([np.zeros(6), v])),
            slice(6, None),
            np.zeros(3),
            np.array([x, y, z]),
            np.stack([-z * w_x, -z * w_y, w]),
            np.stack([w_y, -w_x, np.zeros(self.model.size)]),
            np.eye(3) if axes is None else np.ascontiguousarray(axes, dtype=float),
            "spins at a prescribed speed, so its angle is not known",
        )

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Elastic, gyroscopic, centrifugal and damping forces."""
        return self._force_q @ q + self._force_v @ v

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of `force`; constant."""
        return self._force_q, self._force_v

    def strain_energy(self, q: Floats) -> float:
        """Potential q (K + Omega^2 K_sigma - Omega^2 S) q/2 in J of the space-fixed frame.

        With q' M q'/2 it is what the disc keeps while its speed is kept up.
        """
        return float(0.5 * q @ self._potential @ q)

    def dissipated_power(self, t: float, q: Floats, v: Floats) -> float:
        """Power in W of the damping, r C r with the rate r that is damped."""
        rate = self._damped_rate(q, v)
        return float(self.damping * rate @ self.model.curvature_form @ rate)

    def supplied_power(self, t: float, q: Floats, v: Floats) -> float:
        """Power in W of the drive against the damping, Omega (Delta q) C r."""
        rate = self._damped_rate(q, v)
        return float(self.damping * (rate - v) @ self.model.curvature_form @ rate)

    def _damped_rate(self, q: Floats, v: Floats) -> Floats:
        """Material or partial rate r."""
        return v + self.speed * self.model.rotation @ q if self.damping_rate == "material" else v

    def terms(self, t: float, q: Floats, v: Floats) -> dict[str, Tangents]:
        """Parts of `tangents`: conservative forces of stiffness and spin, and damping."""
        C = self.damping * self.model.curvature_form
        rotating = self.speed * C @ self.model.rotation
        damping = -rotating if self.damping_rate == "material" else np.zeros_like(C), -C
        rest = self._force_q - damping[0], self._force_v - damping[1]
        return {"stiffness and spin": rest, "material damping": damping}
