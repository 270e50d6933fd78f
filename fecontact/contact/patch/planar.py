"""Elasto-plastic friction of an axisymmetric patch with three states (Keppler 4.2.6).

The patch hangs on the slave by a planar spring and damper, with the deflection kappa = (two shifts,
one angle) along the twist. With the load K kappa, its gauge g (`contact.patch.area`) and d = g/(mu
N),

    kappa' = (1 - beta (1 - nu)) twist - beta nu Gamma K kappa,      t = -K kappa - D kappa'
    beta   = 0                                        d < d_1, or unloading (K kappa . twist <= 0)
           = (d - d_1)^2 (3 - d_1 - 2 d)/(1 - d_1)^3  d_1 <= d <= 1,           1 beyond

    K = c_0 diag(1, 1, s_1),   D = c_1 diag(1, 1, s_1),   Gamma = diag(V/F, V/F, W/M)/(mu N)

The relaxation Gamma makes the steady load K kappa the exact friction vector of the sliding patch at
any ratio of slip and spin. The printed law (4.63) uses |twist|/|t_S| in place of Gamma, mixes m/s
and rad/s in these norms, and forces the friction parallel to the twist: "keppler1", for comparison
only.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fecontact.contact.laws.bristles import NOTHING, check_decay
from fecontact.contact.laws.coefficient import refuse_static
from fecontact.contact.patch.area import AreaFriction, LimitCurve, mean_squares
from fecontact.contact.patch.flat import AxisymmetricPatch
from fecontact.errors import NON_NEGATIVE, POSITIVE, Allowed, InputError, check, one_of, renamed
from fecontact.typing import Floats

__all__ = ["PlanarFriction", "PlanarRate", "PlanarTangent"]

FRACTION = Allowed("between 0 (included) and 1 (excluded)", lambda x: 0.0 <= x < 1.0)
NEAR_AXIS = 1e-6
"""Ratio of slip and spin speed below which a derivative of even order vanishes."""


@dataclass(frozen=True)
class PlanarRate:
    """Friction (F_x, F_y, M_z) on the slave, rate of kappa, sliding fraction, dissipated power."""

    force: Floats
    z_rate: Floats
    sliding: float
    power: float


@dataclass(frozen=True)
class PlanarTangent:
    """Derivatives of force and rate by kappa (3, 3), twist (3, 3) and normal force (3,)."""

    force_by_kappa: Floats
    force_by_twist: Floats
    force_by_normal: Floats
    z_rate_by_kappa: Floats
    z_rate_by_twist: Floats
    z_rate_by_normal: Floats


@dataclass(frozen=True)
class _Relaxation:
    """kappa' = twist - beta m, and what its derivatives need."""

    beta: float
    beta_by_d: float
    d_by_load: Floats
    d_by_limit: float
    m: Floats
    gamma: Floats
    gamma_by_twist: Floats
    limit_by_twist: Floats
    limit_by_normal: float
    limit: float


@renamed(flow="rate")
@dataclass(frozen=True)
class PlanarFriction:
    """Planar law of one patch; the deflection is its state.

    Parameters
    ----------
    friction
        Friction of the sliding patch; the patch must be axisymmetric. A static value beside that
        of sliding is refused.
    stiffness
        c_0 in N/m.
    damping
        c_1 in N s/m.
    onset
        d_1, fraction of the limit up to which the patch only sticks.
    decay
        nu; less than 1 slows the relaxation down against the spring, and more than
        1/(1 - onset) would create energy.
    law
        "consistent", or "keppler1" as printed.

    Examples
    --------
    >>> from fecontact.contact.patch.flat import HertzPatch
    >>> law = PlanarFriction(AreaFriction(HertzPatch(0.1), 0.5), stiffness=50.0)
    >>> law.rate(np.array([1e-3, 0.0, 0.0]), np.array([0.1, 0.0, 0.0]), 1.0).force[0].item()
    -0.05
    """

    friction: AreaFriction
    stiffness: float
    damping: float = 0.0
    onset: float = 0.99
    decay: float = 1.0
    law: str = "consistent"

    def __post_init__(self) -> None:
        check("friction stiffness", self.stiffness, POSITIVE, "N/m")
        check("friction damping", self.damping, NON_NEGATIVE, "N s/m")
        check("onset", self.onset, FRACTION)
        check_decay(self.decay, self.onset)
        check("law", self.law, one_of(("consistent", "keppler1")))
        if not isinstance(self.friction.patch, AxisymmetricPatch):
            raise InputError(
                f"invalid patch = {self.friction.patch} with the planar law: expected "
                "axisymmetric; use friction points for other outlines"
            )
        where = "the planar law, which knows the value of sliding only"
        refuse_static(self.friction.coefficient, where)

    @cached_property
    def patch(self) -> AxisymmetricPatch:
        """The patch."""
        patch = self.friction.patch
        assert isinstance(patch, AxisymmetricPatch)
        return patch

    @cached_property
    def curve(self) -> LimitCurve:
        """Limit curve of the patch."""
        return LimitCurve(self.patch)

    @cached_property
    def shape(self) -> Floats:
        """Diagonal (1, 1, s_1) of stiffness and damping."""
        return np.array([1.0, 1.0, self.patch.second_moment])

    def energy(self, kappa: Floats) -> float:
        """Energy of the spring in J."""
        return float(0.5 * self.stiffness * self.shape @ kappa**2)

    def rate(self, kappa: Floats, twist: Floats, normal_force: float) -> PlanarRate:
        """Friction and rate of kappa under a normal force > 0.

        Without friction, mu = 0, the patch keeps its deflection and carries no more than the drag.
        """
        relax = self._relaxation(kappa, twist, normal_force)
        drag = normal_force * self._drag @ twist
        if relax is None:
            return PlanarRate(-drag, np.zeros(3), 1.0, float(drag @ twist))
        rate = twist - relax.beta * relax.m
        load = self.stiffness * self.shape * kappa
        force = -load - self.damping * self.shape * rate - drag
        return PlanarRate(force, rate, relax.beta, float(-force @ twist - load @ rate))

    def tangent(self, kappa: Floats, twist: Floats, normal_force: float) -> PlanarTangent:
        """Derivatives of force and rate."""
        r = self._relaxation(kappa, twist, normal_force)
        if r is None:
            zero = np.zeros((3, 3))
            force_by = zero, -normal_force * self._drag, -self._drag @ twist
            return PlanarTangent(*force_by, zero, zero, np.zeros(3))
        K, D = self.stiffness * self.shape, self.damping * self.shape
        load = K * kappa
        d_by_twist = r.d_by_limit * r.limit_by_twist
        d_by_normal = r.d_by_limit * r.limit_by_normal
        m_by_twist = (1.0 - self.decay) * np.eye(3) + self.decay * (
            load[:, None] * r.gamma_by_twist
        )
        m_by_normal = -self.decay * r.gamma * load * r.limit_by_normal / r.limit
        by_kappa = -r.beta_by_d * np.outer(r.m, r.d_by_load * K)
        by_kappa -= r.beta * self.decay * np.diag(r.gamma * K)
        by_twist = np.eye(3) - r.beta * m_by_twist - r.beta_by_d * np.outer(r.m, d_by_twist)
        by_normal = -r.beta * m_by_normal - r.beta_by_d * d_by_normal * r.m
        return PlanarTangent(
            force_by_kappa=-np.diag(K) - D[:, None] * by_kappa,
            force_by_twist=-D[:, None] * by_twist - normal_force * self._drag,
            force_by_normal=-D * by_normal - self._drag @ twist,
            z_rate_by_kappa=by_kappa,
            z_rate_by_twist=by_twist,
            z_rate_by_normal=by_normal,
        )

    @cached_property
    def _drag(self) -> Floats:
        """Viscous force per twist and normal force (3, 3)."""
        return self.friction.viscous * mean_squares(self.patch)

    def _relaxation(self, kappa: Floats, twist: Floats, normal_force: float) -> _Relaxation | None:
        """Relaxation of the deflection; None without friction."""
        check("normal force", normal_force, POSITIVE, "N")
        load = self.stiffness * self.shape * kappa
        limit, limit_by_twist, limit_by_normal = self.friction.limit(twist, normal_force)
        if not limit > NOTHING * self.stiffness:
            return None
        g, direction = self.curve.gauge(load)
        d, onset = g / limit, self.onset
        along = load if self.law == "consistent" else kappa
        beta, by_d = 0.0, 0.0
        if d > onset and along @ twist > 0.0:
            level = min(d, 1.0)
            beta = (level - onset) ** 2 * (3.0 - onset - 2.0 * level) / (1.0 - onset) ** 3
            by_d = 6.0 * (level - onset) * (1.0 - level) / (1.0 - onset) ** 3
        gamma, by_twist = np.zeros(3), np.zeros((3, 3))
        if beta > 0.0 and twist.any():
            form = self._consistent if self.law == "consistent" else self._printed
            gamma, by_twist = form(twist)
            by_twist = (by_twist - np.outer(gamma, limit_by_twist / limit)) / limit
            gamma = gamma / limit
        m = (1.0 - self.decay) * twist + self.decay * gamma * load
        return _Relaxation(
            beta, by_d, direction / limit, -d / limit, m, gamma, by_twist,
            limit_by_twist, limit_by_normal, limit,
        )  # fmt: skip

    def _consistent(self, twist: Floats) -> tuple[Floats, Floats]:
        """V/F, V/F, W/M and their derivatives by the twist (3, 3)."""
        v, omega = twist[:2], float(twist[2])
        V, W = float(np.linalg.norm(v)), abs(omega)
        force, moment, c = self.patch.ratios(V, W)
        arm = np.sqrt(self.patch.second_moment)
        force_by, moment_by = np.array([0.0, 0.0, -c * omega]), np.array([*(-c * v), 0.0])
        if NEAR_AXIS * arm * W < V:
            force_by[:2] = (c * W**2 - force) * v / V**2
        if arm * W > NEAR_AXIS * V:
            moment_by[2] = (c * V**2 - moment) * omega / W**2
        gamma = np.array([1.0 / force, 1.0 / force, 1.0 / moment])
        by_twist = np.array([force_by, force_by, moment_by])
        return gamma, -(gamma**2)[:, None] * by_twist

    def _printed(self, twist: Floats) -> tuple[Floats, Floats]:
        """|twist|/|t_S| of the print for all components, and its derivatives."""
        direction, hessian = self.patch.mean(twist)
        square = float(direction @ direction)
        ratio = float(np.linalg.norm(twist) / np.sqrt(square))
        change = ratio * (twist / float(twist @ twist) - hessian @ direction / square)
        return np.full(3, ratio), np.tile(change, (3, 1))
