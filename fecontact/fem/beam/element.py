"""Two-node spatial beam elements, all elements of a body at once.

Unknowns of a node: displacement u and rotation theta of the section. In a bending plane with
deflection w and slope s the element interpolates w by a cubic and s by a quadratic that solve the
static Timoshenko equations exactly (Przemieniecki 1968; Friedman and Kosmatka 1993),

    Phi = 12 E I/(kappa G A L^2),   Phi = 0: Hermite cubic with s = w' (Euler-Bernoulli),

so that there is no shear locking and nodal values under end loads are exact. Frequencies converge
with order 4 without shear and, because the shear strain is constant in an element, with order 2 and
a factor of the order of Phi with it. Axial motion and torsion are linear. The section moves as a
rigid plane, u(x, y, z) = u + theta x (0, y, z), which gives every inertia form (mass, Coriolis,
centrifugal) from one integral.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fecontact.typing import Floats

__all__ = ["FIELDS", "BeamElements", "turning_matrix"]

FIELDS = ("u_x", "u_y", "u_z", "theta_x", "theta_y", "theta_z")

_XI, _WEIGHT = np.polynomial.legendre.leggauss(4)
GAUSS = 0.5 * (_XI + 1.0)
GAUSS_WEIGHTS = 0.5 * _WEIGHT


def turning_matrix(slope: Floats, second: Floats) -> Floats:
    """Stiffness against small rotations theta of rigid parts in the acceleration field slope x.

        theta . Q theta = int rho (slope r) . (theta x (theta x r)) dV,
        Q = (S Z + Z S^T)/2 - trace(S Z) 1,    S: slope,   Z = diag(int rho r_i^2)

    It is the work of the load -rho a on the second-order motion of the points r of the part:
    gyroscopic stiffness of a disc on a shaft, propeller moment of a blade.

    Parameters
    ----------
    slope : (3, 3)
        In 1/s^2.
    second : (..., 3)
        Second moments int rho r_i^2 about the centre.

    Examples
    --------
    >>> thin_disc = np.array([0.0, 1.0, 1.0])  # about x
    >>> centrifugal = -np.diag([0.0, 1.0, 1.0])  # turning about x with unit speed
    >>> np.diag(turning_matrix(centrifugal, thin_disc)).tolist()
    [2.0, 1.0, 1.0]
    """
    product = slope * second[..., None, :]
    trace = np.trace(product, axis1=-2, axis2=-1)[..., None, None]
    return np.asarray(0.5 * (product + product.swapaxes(-1, -2)) - trace * np.eye(3))


@dataclass(frozen=True)
class BeamElements:
    """Matrices of e elements; the 12 local unknowns are the six of each end.

    Attributes
    ----------
    length : (e,)
        In m.
    rigidity : (e, 6)
        E A, kappa_y G A, kappa_z G A, G J, E I_y, E I_z.
    inertia : (e, 3)
        rho A, rho int y^2 dA = rho I_z, rho int z^2 dA = rho I_y.
    foundation : (e,)
        Stiffness of an elastic foundation per length, against u_y and u_z, in N/m^2.
    shear
        True for Timoshenko: shear strain and rotary inertia; False for Euler-Bernoulli.
    """

    length: Floats
    rigidity: Floats
    inertia: Floats
    foundation: Floats
    shear: bool

    @cached_property
    def stiffness(self) -> Floats:
        """Stiffness matrices (e, 12, 12) without the elastic foundation."""
        u, du = self.motion(GAUSS)
        strain = du.copy()
        strain[:, :, 1] = du[:, :, 1] - u[:, :, 5]
        strain[:, :, 2] = du[:, :, 2] + u[:, :, 4]
        weights = self._weights[:, :, None] * self.rigidity[:, None]
        return np.asarray(np.einsum("egij,egi,egik->ejk", strain, weights, strain, optimize=True))

    @cached_property
    def foundation_stiffness(self) -> Floats:
        """Stiffness matrices (e, 12, 12) of the elastic foundation."""
        side, load = self.motion(GAUSS)[0][:, :, 1:3], self._weights * self.foundation[:, None]
        return np.asarray(np.einsum("egij,eg,egik->ejk", side, load, side, optimize=True))

    def tension_form(self, tension: Floats) -> Floats:
        """Forms int N (u_y'^2 + u_z'^2 + i^2 theta_x'^2) dx for axial forces N (e, g).

        i is the polar radius of gyration of the section: its outer fibres are screws.
        """
        slope = self.motion(GAUSS)[1][:, :, 1:4].copy()
        slope[:, :, 2] *= np.sqrt(self.inertia[:, 1:].sum(axis=1) / self.inertia[:, 0])[
            :, None, None
        ]
        weights = self._weights * tension
        return np.einsum("egij,eg,egik->ejk", slope, weights, slope, optimize=True)

    def turning_form(self, slope: Floats) -> Floats:
        """Stiffness (e, 12, 12) of the sections in an acceleration field that changes by slope x.

        See `turning_matrix`; Euler-Bernoulli's sections turn by torsion only.
        """
        turn = self.motion(GAUSS)[0][:, :, 3:].copy()
        if not self.shear:
            turn[:, :, 1:] = 0.0
        second = np.zeros((*self._weights.shape, 3))
        second[:, :, 1:] = self.section_weights[:, :, 1:]
        Q = turning_matrix(slope, second)
        return np.einsum("egai,egab,egbj->eij", turn, Q, turn, optimize=True)

    @cached_property
    def section_fields(self) -> Floats:
        """Displacement u_0 + y u_1 + z u_2 of the section at the Gauss points, (e, g, 3, 3, 12)."""
        u, _ = self.motion(GAUSS)
        none = np.zeros_like(u[:, :, 0])
        rotary = 1.0 if self.shear else 0.0
        along_y = np.stack([-rotary * u[:, :, 5], none, u[:, :, 3]], axis=2)
        along_z = np.stack([rotary * u[:, :, 4], -u[:, :, 3], none], axis=2)
        return np.stack([u[:, :, :3], along_y, along_z], axis=2)

    @property
    def section_weights(self) -> Floats:
        """Mass, int rho y^2 and int rho z^2 of the sections at the Gauss points, (e, g, 3)."""
        return self._weights[:, :, None] * self.inertia[:, None]

    def motion(self, xi: Floats) -> tuple[Floats, Floats]:
        """Displacement and rotation at xi in [0, 1] and their x-derivatives, (e, p, 6, 12) each."""
        e, p = len(self.length), len(xi)
        u, du = np.zeros((2, e, p, 6, 12))
        linear = np.stack([1.0 - xi, xi], axis=-1)
        rise = np.array([-1.0, 1.0]) / self.length[:, None, None]
        for field in (0, 3):
            u[:, :, field, [field, field + 6]] = linear
            du[:, :, field, [field, field + 6]] = rise
        xy, dxy = self._bending(xi, stiffness=5, shear=1)
        u[:, :, [[1], [5]], [1, 5, 7, 11]] = xy
        du[:, :, [[1], [5]], [1, 5, 7, 11]] = dxy
        # bending in x-z: the slope of u_z is -theta_y
        turn = np.array([1.0, -1.0])[:, None] * np.array([1.0, -1.0, 1.0, -1.0])
        xz, dxz = self._bending(xi, stiffness=4, shear=2)
        u[:, :, [[2], [4]], [2, 4, 8, 10]] = turn * xz
        du[:, :, [[2], [4]], [2, 4, 8, 10]] = turn * dxz
        return u, du

    def _bending(self, xi: Floats, stiffness: int, shear: int) -> tuple[Floats, Floats]:
        """Deflection and slope of (w_1, s_1, w_2, s_2), and x-derivatives, (e, p, 2, 4) each."""
        L = self.length[:, None]
        Phi = np.zeros_like(L)
        if self.shear:
            ratio = self.rigidity[:, stiffness] / self.rigidity[:, shear]
            Phi = 12.0 * ratio[:, None] / L**2
        c, h, x = 1.0 / (1.0 + Phi), 0.5 * Phi, xi[None, :]
        step = c * (x * x * (3.0 - 2.0 * x) + Phi * x)
        d_step = c * (6.0 * x * (1.0 - x) + Phi)
        start = c * L * x * (x * x - (2.0 + h) * x + 1.0 + h)
        d_start = c * L * (3.0 * x * x - (4.0 + Phi) * x + 1.0 + h)
        stop = c * L * x * (x * x - (1.0 - h) * x - h)
        d_stop = c * L * (3.0 * x * x - (2.0 - Phi) * x - h)
        swing = 6.0 * c / L * x * (1.0 - x)
        d_swing = 6.0 * c / L * (1.0 - 2.0 * x)
        first = c * (3.0 * x * x - (4.0 + Phi) * x + 1.0 + Phi)
        d_first = c * (6.0 * x - 4.0 - Phi)
        last = c * (3.0 * x * x - (2.0 - Phi) * x)
        d_last = c * (6.0 * x - 2.0 + Phi)
        w = np.stack([1.0 - step, start, step, stop], axis=-1)
        s = np.stack([-swing, first, swing, last], axis=-1)
        dw = np.stack([-d_step, d_start, d_step, d_stop], axis=-1)
        ds = np.stack([-d_swing, d_first, d_swing, d_last], axis=-1)
        return np.stack([w, s], axis=2), np.stack([dw, ds], axis=2) / L[:, None, None]

    @property
    def _weights(self) -> Floats:
        """Gauss weights times length, (e, g)."""
        return self.length[:, None] * GAUSS_WEIGHTS
