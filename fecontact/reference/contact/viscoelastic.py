"""Creep of a Hertz contact on a standard linear solid (Keppler 4.1.2).

A spring E_2 beside a spring E_1 in series with a damper eta has the creep function

    K(t) = (1 + (E_1/E_2)(1 - exp(-alpha t)))/(E_1 + E_2),      alpha = E_1 E_2/(eta (E_1 + E_2))

Three equations for the approach delta of a rigid ball under the force F(t), with
C = (3/(4 E* sqrt R))^(2/3), E* = (E_1 + E_2)/(1 - nu^2):

    lee-radok   w' + alpha w = c_h (K(0) F' + (K'(0) + alpha K(0)) F),   delta = w^(2/3)
    corrected   delta' + alpha delta = C F^(-1/3) ((2/3) F' + (E_1/eta) F)
    printed     delta' + alpha delta = C F^(-1/3) ((2/3) F' + E_1^2/(eta (E_1 + E_2)) F)

Only the first one ends at the elastic contact of E_2. The second is the source's own hereditary
integral over F^(2/3), the third its misprinted derivative.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.integrate import quad, solve_ivp

from fecontact.errors import POSITIVE, Allowed, check, one_of
from fecontact.typing import Floats

__all__ = ["HertzCreep"]

HALF = Allowed("between 0 and 0.5", lambda x: 0.0 <= x <= 0.5)
LAWS = ("lee-radok", "corrected", "printed")


@dataclass(frozen=True)
class HertzCreep:
    """Rigid ball on a half space of a standard linear solid.

    Parameters
    ----------
    fast_modulus, modulus
        E_1 and E_2 in Pa.
    viscosity
        eta in Pa s.
    poisson
        Constant in time.
    radius
        Of the ball, in m.
    """

    fast_modulus: float
    modulus: float
    viscosity: float
    poisson: float
    radius: float

    def __post_init__(self) -> None:
        for name in ("fast_modulus", "modulus", "viscosity", "radius"):
            check(name, getattr(self, name), POSITIVE)
        check("poisson", self.poisson, HALF)

    @property
    def alpha(self) -> float:
        """Rate of creep in 1/s."""
        E_1, E_2 = self.fast_modulus, self.modulus
        return E_1 * E_2 / (self.viscosity * (E_1 + E_2))

    def creep(self, t: float | Floats) -> float | Floats:
        """Creep function K in 1/Pa."""
        E_1, E_2 = self.fast_modulus, self.modulus
        return (1.0 - E_1 / E_2 * np.expm1(-self.alpha * np.asarray(t))) / (E_1 + E_2)

    def elastic(self, force: float, modulus: float) -> float:
        """Approach in m of an elastic half space of Young's modulus `modulus`."""
        stiffness = 4.0 / 3.0 * modulus / (1.0 - self.poisson**2) * np.sqrt(self.radius)
        return float((force / stiffness) ** (2 / 3))

    def constant_load(self, t: Floats, force: float, law: str = "lee-radok") -> Floats:
        """Approach under a constant force, in m.

        "lee-radok" starts at the fast elastic contact. The other two start at 0, as in the source.
        """
        check("law", law, one_of(LAWS))
        E_1, E_2 = self.fast_modulus, self.modulus
        if law == "lee-radok":
            return self.elastic(force, 1.0) * np.asarray(self.creep(t)) ** (2 / 3)
        fraction = (E_1 + E_2) / E_2 if law == "corrected" else E_1 / E_2
        return -self.elastic(force, E_1 + E_2) * fraction * np.expm1(-self.alpha * np.asarray(t))

    def growing_load(self, t: float, force: float, law: str = "lee-radok") -> float:
        """Approach in m after the time t of F = force (1 - exp(-t)), by an ODE."""

        def rate(s: float, y: Floats) -> list[float]:
            return [self.rate(y[0], -force * np.expm1(-s), force * np.exp(-s), law)]

        found = solve_ivp(rate, (0.0, t), [0.0], method="LSODA", rtol=1e-9, atol=1e-14)
        return float(found.y[0, -1] ** (2 / 3 if law == "lee-radok" else 1.0))

    def hereditary(self, t: float, force: float, law: str = "lee-radok") -> float:
        """Approach of `growing_load` by quadrature of int K(t - s) d(F^n)/ds ds, n = 1 or 2/3.

        "lee-radok" has n = 1 and gives delta^(3/2), "corrected" n = 2/3 and delta. With s = u^3 the
        start of F^(2/3) is smooth.
        """
        check("law", law, one_of(LAWS[:2]))
        n = 1.0 if law == "lee-radok" else 2.0 / 3.0

        def rate(u: float) -> float:
            s = u**3
            slope = n * (-np.expm1(-s)) ** (n - 1.0) * np.exp(-s) * 3.0 * u**2 if u > 0.0 else 0.0
            return float(self.creep(t - s)) * slope

        E = self.fast_modulus + self.modulus
        total = quad(rate, 0.0, t ** (1 / 3), limit=200)[0] * E
        return float(self.elastic(force, E) * total ** (2 / 3 if law == "lee-radok" else 1.0))

    def rate(self, state: float, force: float, force_rate: float, law: str = "lee-radok") -> float:
        """Rate of the state under a force that varies: delta, or w = delta^(3/2) of "lee-radok"."""
        check("law", law, one_of(LAWS))
        E_1, E = self.fast_modulus, self.fast_modulus + self.modulus
        if law == "lee-radok":
            c_h = self.elastic(1.0, 1.0) ** 1.5
            load = force_rate / E + (E_1**2 / (self.viscosity * E**2) + self.alpha / E) * force
            return c_h * load - self.alpha * state
        if force == 0.0:
            return -self.alpha * state
        slow = E_1 / self.viscosity * (1.0 if law == "corrected" else E_1 / E)
        C = self.elastic(1.0, E)
        return float(
            C * force ** (-1 / 3) * (2.0 / 3.0 * force_rate + slow * force) - self.alpha * state
        )

    def force_rate(self, approach: float, speed: float, force: float) -> float:
        """Rate of the force in N/s for a given approach in m and its speed, by "lee-radok"."""
        E_1, E = self.fast_modulus, self.fast_modulus + self.modulus
        c_h = self.elastic(1.0, 1.0) ** 1.5
        w_rate = 1.5 * np.sqrt(approach) * speed
        slow = E_1**2 / (self.viscosity * E) + self.alpha
        return float(E / c_h * (w_rate + self.alpha * approach**1.5) - slow * force)
