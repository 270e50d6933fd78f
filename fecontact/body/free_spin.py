"""Elastic disc on a hub that translates and whose spin is free.

The spin Omega = phi' is a dof. In coordinates that are fixed in space the material rate of the
deflection is r = q' + Omega Delta q. With B = M Delta and S = Delta^T M Delta, both of which
commute with rotations (B^T = -B), the kinetic energy

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
from typing import TYPE_CHECKING

import numpy as np

from fecontact.typing import Floats, Tangents

if TYPE_CHECKING:
    from fecontact.reduction.harmonic import HarmonicModel

__all__ = ["SPIN", "FreeSpin"]

SPIN = 3
"""Index of the dof "spin"; the coordinates of the disc follow."""


@dataclass(frozen=True, eq=False)
class FreeSpin:
    """Inertia, stiffness and damping of a disc with the dofs c, phi and q.

    Parameters
    ----------
    model
        Reduced plate.
    mass, inertia
        Mass and moment of inertia about the axis of hub and undeformed disc.
    damping
        Coefficient d_i; it acts on the material rate.
    """

    model: HarmonicModel
    mass: float
    inertia: float
    damping: float

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

    def conservative_force(self, q: Floats, v: Floats) -> Floats:
        """Force (n,) of stiffness and inertia."""
        w, spin, rate = _parts(q, v)
        Sw = self._centrifugal @ w
        own = spin**2 * Sw - 2.0 * spin * (self._convective @ rate) - self.model.stiffness @ w
        return np.concatenate([np.zeros(SPIN), [-2.0 * spin * rate @ Sw], own])

    def damping_force(self, q: Floats, v: Floats) -> Floats:
        """Force (n,) of the damping; its power is -r C r."""
        w, spin, rate = _parts(q, v)
        turned = self.model.rotation @ w
        own = -self.damping * self.model.curvature_form @ (rate + spin * turned)
        return np.concatenate([np.zeros(SPIN), [turned @ own], own])

    def terms(self, q: Floats, v: Floats) -> dict[str, Tangents]:
        """Derivatives of both forces."""
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

    def _filled(self, row: Floats, block: Floats) -> Floats:
        """Matrix (n, n) with the row of the spin and the block of the disc."""
        result = np.zeros_like(self._rest_mass)
        result[SPIN, SPIN + 1 :], result[SPIN + 1 :, SPIN + 1 :] = row, block
        return result

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
