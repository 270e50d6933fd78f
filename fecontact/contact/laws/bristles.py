"""Bristle laws of the literature, for comparison with the elasto-plastic one.

z along the slip s, S = mu(|s|) p the sliding friction (Keppler 4.37, 4.38):

    z' = (1 - beta (1 - nu)) s - beta nu |s| c z/S,      T = -(c z + b z') - mu_V p s

    Dahl:    beta = 1, b = 0, mu_V = 0
    LuGre:   beta = 1
    Dupont:  beta = 0 while unloading (z . s <= 0) or d = c|z|/S < d_1; then smooth to 1 at d = 1

Dahl and LuGre have no stick: they creep under any load that varies. At s = 0 |s| has a kink:
there their derivatives are the mean of both sides, and those of Dupont's law of the side that
unloads.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from fecontact.contact.kernels.bristles import bristle_step, sliding_shares
from fecontact.contact.laws.bristle_rates import (
    beyond,
    check_decay,
    d_beyond,
    outer,
    split,
    where_closed,
)
from fecontact.contact.laws.coefficient import (
    Coefficient,
    coefficient_of,
    friction_limit,
    refuse_static,
)
from fecontact.contact.laws.friction import (
    UNLIMITED,
    FrictionFlow,
    FrictionStep,
    FrictionTangent,
)
from fecontact.contact.laws.sliding import CoulombSliding
from fecontact.contact.status import OPEN, SLIP, STICK
from fecontact.errors import NON_NEGATIVE, POSITIVE, InputError, check
from fecontact.typing import Floats, Integers

__all__ = ["Bristles", "dahl", "dupont", "lugre"]

ALWAYS = -1.0
"""Onset of a law that slides at any load."""
NOTHING = 1e-30
"""Deflection S/c in m of sliding bristles from which a point counts as closed: z relaxes with
c |s|/S, which knows no bound for S -> 0."""


@dataclass(frozen=True)
class Bristles:
    """Bristle law on the interface of `ElastoPlastic`; see `dahl`, `lugre` and `dupont`.

    Parameters
    ----------
    mu
        Coefficient of sliding over the speed; a static value beside it is refused.
    stiffness, damping
        c and b per area, line or point.
    viscous
        mu_V in s/m.
    onset
        d_1 of Dupont's law; negative for none.
    decay
        nu, rate of the relaxation against the spring.
    """

    mu: float | Coefficient
    stiffness: float
    damping: float = 0.0
    viscous: float = 0.0
    onset: float = ALWAYS
    decay: float = 1.0
    needs_shift: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check("friction stiffness", self.stiffness, POSITIVE)
        check("friction damping", self.damping, NON_NEGATIVE)
        check("viscous", self.viscous, NON_NEGATIVE, "s/m")
        check_decay(self.decay, self.onset)
        if not self.onset < 1.0:
            raise InputError(f"onset = {self.onset} is not possible: it must be < 1")
        refuse_static(self.coefficient, "bristle laws, which know the value of sliding only")

    @cached_property
    def coefficient(self) -> Coefficient:
        """The friction coefficient as a law."""
        return coefficient_of(self.mu)

    def bristle(self, pressure: Floats) -> tuple[Floats, Floats]:
        """Stiffness and damper (p,), the same under all pressures."""
        return np.full_like(pressure, self.stiffness), np.full_like(pressure, self.damping)

    def traction(self, pressure: Floats, slip: Floats) -> tuple[Floats, Floats, Floats]:
        """Traction of steady sliding: Coulomb and viscous."""
        traction, by_pressure, by_slip = CoulombSliding(self.mu).traction(pressure, slip)
        drag = self._drag(pressure)
        return (
            traction - drag[:, None] * slip,
            by_pressure - np.where(pressure >= 0.0, self.viscous, 0.0)[:, None] * slip,
            by_slip - drag[:, None, None] * np.eye(3),
        )

    def step(
        self,
        z: Floats,
        slip: Floats,
        pressure: Floats,
        mode: Integers,
        h: float,
        shift: Floats | None = None,
    ) -> FrictionStep:
        """Time-discrete law from the trial z = z_n + dx; the modes at t_n do not matter.

        The mean rate of z is half a step late: a stuck contact would swing faster by h b/(4 m).
        So the damper takes, with the end speed s, k = beta nu c/S, and ds = s - dx/h,

            z' = (z - z_n)/h + (1 - beta (1 - nu)) ds - k (|s| - |dx|/h) z - k |z| ds_across

        the law at the end of the step but for the part of ds across z, which fades with the load:
        a sliding z points along dx and does not know that s turned.
        """
        dx = h * slip if shift is None else shift
        limit, trial = self._limit(slip, pressure)[0], z
        z, new = np.array(trial), np.empty(len(limit), dtype=np.int64)
        bristle_step(self.stiffness, self.onset, self.decay, pressure, limit, dx, z, new)
        bent = limit > 0.0
        lost, back = self._slides(trial, dx, np.where(bent, limit, 1.0))
        rate = (z - trial) / h + beyond(z, slip, dx, lost, back, h)
        pull = np.where(bent[:, None], self.stiffness * z + self.damping * rate, 0.0)
        pull += self._drag(pressure)[:, None] * slip
        return FrictionStep(-pull, z, new, np.sum(pull * (trial - z), axis=1))

    def d_step(
        self,
        z: Floats,
        slip: Floats,
        pressure: Floats,
        mode: Integers,
        h: float,
        shift: Floats | None = None,
    ) -> FrictionTangent:
        """Derivatives of the traction of `step`."""
        dx = h * slip if shift is None else shift
        limit, by_speed, by_pressure = self._limit(slip, pressure)
        bent = limit > 0.0
        by_z, by_shift, by_limit, by_slip = self._d_pull(z, dx, slip, np.where(bent, limit, 1.0), h)
        pull = FrictionTangent(
            by_z=-by_z,
            by_slip=-by_slip - outer(by_limit, by_speed),
            by_pressure=-by_limit * by_pressure[:, None],
            by_shift=-by_shift,
        )
        return self._dragged(where_closed(bent, pull), slip, pressure)

    def flow(self, z: Floats, slip: Floats, pressure: Floats, mode: Integers) -> FrictionFlow:
        """Continuous law; a point without friction keeps its deflection and carries no more."""
        limit = self._limit(slip, pressure)[0]
        bent = limit > 0.0
        limit = np.where(bent, limit, 1.0)
        beta, _ = self._share(z, slip, limit)
        back = beta * self.decay * np.linalg.norm(slip, axis=1) * self.stiffness / limit
        rate = (1.0 - beta * (1.0 - self.decay))[:, None] * slip - back[:, None] * z
        rate[~bent] = 0.0
        pull = np.where(bent[:, None], self.stiffness * z + self.damping * rate, 0.0)
        pull += self._drag(pressure)[:, None] * slip
        mode = np.where(pressure > 0.0, np.where(bent & (beta == 0.0), STICK, SLIP), OPEN)
        return FrictionFlow(-pull, rate, mode, np.sum(pull * (slip - rate), axis=1))

    def d_flow(
        self, z: Floats, slip: Floats, pressure: Floats, mode: Integers
    ) -> tuple[FrictionTangent, FrictionTangent]:
        """Derivatives of the traction and of the rate of z."""
        limit, by_speed, by_pressure = self._limit(slip, pressure)
        bent, nu, eye = limit > 0.0, self.decay, np.eye(3)
        limit = np.where(bent, limit, 1.0)
        beta, slope = self._share(z, slip, limit)
        speed, e = split(slip)
        size, along = split(z)
        beta_z = (slope * self.stiffness / limit)[:, None] * along
        beta_limit = -slope * self.stiffness * size / limit**2
        back = nu * speed * self.stiffness / limit
        bend = -((1.0 - nu) * slip + back[:, None] * z)  # rate by beta
        rate_limit = bend * beta_limit[:, None] + (back * beta / limit)[:, None] * z
        rate = FrictionTangent(
            by_z=outer(bend, beta_z) - (back * beta)[:, None, None] * eye,
            by_slip=(1.0 - beta * (1.0 - nu))[:, None, None] * eye
            - outer((nu * beta * self.stiffness / limit)[:, None] * z, e)
            + outer(rate_limit, by_speed),
            by_pressure=rate_limit * by_pressure[:, None],
        )
        traction = FrictionTangent(
            by_z=-self.stiffness * eye - self.damping * rate.by_z,
            by_slip=-self.damping * rate.by_slip,
            by_pressure=-self.damping * rate.by_pressure,
        )
        traction = self._dragged(where_closed(bent, traction), slip, pressure)
        return traction, where_closed(bent, rate)

    def stuck(self) -> Bristles:
        """Bristles that never yield."""
        return replace(self, mu=UNLIMITED)

    def _drag(self, pressure: Floats) -> Floats:
        """Viscous drag (p,) of pressed points over the slip velocity."""
        return self.viscous * np.maximum(pressure, 0.0)

    def _dragged(self, tangent: FrictionTangent, slip: Floats, pressure: Floats) -> FrictionTangent:
        """Tangent of the traction with that of the drag."""
        by_pressure = np.where(pressure >= 0.0, self.viscous, 0.0)[:, None] * slip
        return replace(
            tangent,
            by_slip=tangent.by_slip - self._drag(pressure)[:, None, None] * np.eye(3),
            by_pressure=tangent.by_pressure - by_pressure,
        )

    def _limit(self, slip: Floats, pressure: Floats) -> tuple[Floats, Floats, Floats]:
        """Sliding friction S (p,), its derivatives by the slip (p, 3) and the pressure (p,)."""
        slides = np.full(len(pressure), SLIP)
        limit, by_speed, by_pressure = friction_limit(self.coefficient, slip, pressure, slides)
        limit = np.where(limit > NOTHING * self.stiffness, limit, 0.0)
        return limit, by_speed[:, None] * split(slip)[1], by_pressure

    def _share(self, z: Floats, direction: Floats, limit: Floats) -> tuple[Floats, Floats]:
        """Beta (p,) and its slope over d."""
        load = self.stiffness * np.linalg.norm(z, axis=1) / limit
        along = np.sum(z * direction, axis=1)
        beta = np.empty_like(load)
        sliding_shares(self.onset, load, along, beta)
        turns = (self.onset >= 0.0) & (beta > 0.0) & (load < 1.0)
        slope = 6.0 * (load - self.onset) * (1.0 - load) / (1.0 - self.onset) ** 3
        return beta, np.where(turns, slope, 0.0)

    def _slides(self, z: Floats, dx: Floats, limit: Floats) -> tuple[Floats, Floats]:
        """Share lost of dx (p,), and beta nu c/S in 1/m, of `bristle_step` at a trial."""
        beta, _ = self._share(z, dx, limit)
        lost, path, work = beta * (1.0 - self.decay), np.sum(dx**2, axis=1), np.sum(z * dx, axis=1)
        capped = (lost > 0.0) & (work < lost * path)
        lost = np.where(capped, work / np.where(path > 0.0, path, 1.0), lost)
        return lost, beta * self.decay * self.stiffness / limit

    def _d_pull(
        self, z: Floats, dx: Floats, slip: Floats, limit: Floats, h: float
    ) -> tuple[Floats, Floats, Floats, Floats]:
        """Derivatives of c z_{n+1} + b z' by trial, dx (p, 3, 3), limit (p, 3), slip (p, 3, 3)."""
        c, b, nu, eye = self.stiffness, self.damping, self.decay, np.eye(3)
        beta, slope = self._share(z, dx, limit)
        lost, back = self._slides(z, dx, limit)
        (size, along), (path, e) = split(z), split(dx)
        beta_z = (slope * c / limit)[:, None] * along
        back_z, lost_z = nu * c / limit[:, None] * beta_z, (1.0 - nu) * beta_z
        beta_limit = -slope * c * size / limit**2
        back_limit = nu * c / limit * (beta_limit - beta / limit)
        lost_limit, lost_dx = (1.0 - nu) * beta_limit, np.zeros_like(dx)

        capped = lost < beta * (1.0 - nu)
        square = np.where(path > 0.0, path**2, 1.0)[:, None]
        lost_z = np.where(capped[:, None], dx / square, lost_z)
        lost_dx[capped] = ((z - 2.0 * lost[:, None] * dx) / square)[capped]
        lost_limit = np.where(capped, 0.0, lost_limit)

        share = 1.0 / (1.0 + back * path)
        new = share[:, None] * (z - lost[:, None] * dx)
        inner = share[:, None, None]
        z_z = inner * (eye - outer(dx, lost_z) - outer(new, path[:, None] * back_z))
        z_dx = -inner * (
            lost[:, None, None] * eye + outer(dx, lost_dx) + outer(new, back[:, None] * e)
        )
        z_limit = -share[:, None] * (dx * lost_limit[:, None] + new * (path * back_limit)[:, None])

        by_new, by_lost, by_back, by_ds, by_speed = d_beyond(new, slip, dx, lost, back, h)
        inner = c * eye + b * (eye / h + by_new)
        along_dx = by_ds + outer(by_speed, e)
        return (
            inner @ z_z + b * (outer(by_lost, lost_z) + outer(by_back, back_z) - eye / h),
            inner @ z_dx + b * (outer(by_lost, lost_dx) + (eye - along_dx) / h),
            (inner @ z_limit[:, :, None])[:, :, 0]
            + b * (by_lost * lost_limit[:, None] + by_back * back_limit[:, None]),
            b * (by_ds + outer(by_speed, split(slip)[1])),
        )


def dahl(mu: float | Coefficient, stiffness: float) -> Bristles:
    """Dahl's law (Stamm 2.5): one bristle, smooth and without stick."""
    return Bristles(mu, stiffness)


def lugre(
    mu: float | Coefficient, stiffness: float, damping: float, viscous: float = 0.0
) -> Bristles:
    """LuGre law (Stamm 2.7 to 2.9): Dahl with Stribeck curve, damper and viscosity."""
    return Bristles(mu, stiffness, damping, viscous)


def dupont(
    mu: float | Coefficient,
    stiffness: float,
    damping: float = 0.0,
    viscous: float = 0.0,
    onset: float = 0.99,
    decay: float = 1.0,
) -> Bristles:
    """Elasto-plastic bristles of Dupont (Keppler 4.38): true stick below the onset."""
    check("onset", onset, NON_NEGATIVE)
    return Bristles(mu, stiffness, damping, viscous, onset, decay)
