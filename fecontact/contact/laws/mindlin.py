"""Friction of a Hertz point whose tangential spring follows the contact radius (Waehrisch 4.4).

Under the normal force N the contact radius a and with it spring and damper of stick are

    a = (3 N R/(4 E*))^(1/3),      c_x = 2 G* a,      b_x = kappa sqrt(c_x)      (3.16, 4.2, 4.5)

and the force is that of the elasto-plastic law, T = -a_x min(1, mu N/|a_x|), a_x = c_x z + b_x s.
It has the first slope and the limit of Cattaneo and Mindlin, without their partial slip. A spring
that stiffens while it is bent gains the energy c_x' z^2/2: under a normal force that varies the law
is not passive.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fecontact.contact.laws.coefficient import Coefficient, friction_limit
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.laws.friction import FrictionFlow, FrictionTangent
from fecontact.contact.laws.yielding import Yielding, refuse_undamped
from fecontact.contact.patch.hertz import HertzPoint
from fecontact.contact.status import OPEN
from fecontact.errors import NON_NEGATIVE, POSITIVE, InputError, check
from fecontact.typing import Floats, Integers

__all__ = ["MindlinFriction"]


@dataclass(frozen=True)
class _Trial:
    """Trial force of closed points, and its derivatives by the normal force."""

    c: Floats
    b: Floats
    a: Floats
    size: Floats
    by_force: Floats


@dataclass(frozen=True)
class MindlinFriction(Yielding):
    """Tangential force element of a ball on a plane; the contact point has the weight 1.

    Parameters
    ----------
    ball
        The Hertz contact; its `law()` is the normal law of the same point.
    mu
        Friction coefficient, a number or a law of `contact.laws.coefficient`.
    load
        Normal force in N at which `stiffness` and `damping` are stated.
    root_damping
        kappa in kg^(1/2): b_x = kappa sqrt(c_x).

    Examples
    --------
    >>> from fecontact.contact.patch.hertz import ContactModuli
    >>> ball = HertzPoint(ContactModuli(210e9, 0.3), radius=0.01)
    >>> law = MindlinFriction(ball, mu=0.2, load=100.0)
    >>> round(law.stiffness / 1e6, 2), round(float(ball.stiffness(ball.approach(100.0))) / 1e6, 2)
    (35.47, 43.07)
    """

    ball: HertzPoint
    mu: float | Coefficient
    load: float
    root_damping: float = 0.0

    def __post_init__(self) -> None:
        if not isinstance(self.ball, HertzPoint):
            raise InputError(f"ball = {self.ball} is not possible: it must be a HertzPoint")
        check("load", self.load, POSITIVE, "N")
        check("root_damping", self.root_damping, NON_NEGATIVE, "kg^(1/2)")
        self.coefficient  # noqa: B018  # refuses an impossible mu

    @cached_property
    def stiffness(self) -> float:
        """Stiffness c_x of stick in N/m under `load`."""
        return float(self.bristle(np.array([self.load]))[0][0])

    @cached_property
    def damping(self) -> float:
        """Damper b_x in N s/m under `load`."""
        return float(self.bristle(np.array([self.load]))[1][0])

    def bristle(self, pressure: Floats) -> tuple[Floats, Floats]:
        """Stiffness and damper (p,) under normal forces."""
        stiffness = self.ball.tangential_stiffness(self.ball.approach(np.maximum(pressure, 0.0)))
        c = np.asarray(stiffness, dtype=float)
        return c, self.root_damping * np.sqrt(c)

    def d_step(
        self,
        z: Floats,
        slip: Floats,
        pressure: Floats,
        mode: Integers,
        h: float,
        shift: Floats | None = None,
    ) -> FrictionTangent:
        """Derivatives of the traction; the length of the step does not matter."""
        limit, by_speed, by_force = friction_limit(self.coefficient, slip, pressure, mode)
        trial = self._trial(z, slip, pressure)
        closed, slides = limit > 0.0, trial.size > limit
        size = np.where(slides, trial.size, 1.0)
        e = np.where(slides[:, None], trial.a / size[:, None], 0.0)
        share = np.where(closed, np.where(slides, limit / size, 1.0), 0.0)
        flat = -share[:, None, None] * (np.eye(3) - e[:, :, None] * e[:, None, :])
        e = np.where(closed[:, None], e, 0.0)
        speed = np.linalg.norm(slip, axis=1)
        along = (by_speed / np.where(speed > 0.0, speed, 1.0))[:, None] * slip
        return FrictionTangent(
            by_z=trial.c[:, None, None] * flat,
            by_slip=trial.b[:, None, None] * flat - e[:, :, None] * along[:, None, :],
            by_pressure=(flat @ trial.by_force[:, :, None])[:, :, 0] - by_force[:, None] * e,
        )

    def flow(self, z: Floats, slip: Floats, pressure: Floats, mode: Integers) -> FrictionFlow:
        """Continuous law; an open point keeps its deflection and carries nothing."""
        held = self.step(z, slip, pressure, mode, np.inf, np.zeros_like(z))
        if self.root_damping == 0.0:
            return FrictionFlow(held.traction, None, held.mode, None)
        c, b = self.bristle(pressure)
        closed = held.mode != OPEN
        rate = -(held.traction + c[:, None] * z) / np.where(closed, b, 1.0)[:, None]
        rate[~closed] = 0.0
        power = -np.sum(held.traction * (slip - rate), axis=1)
        return FrictionFlow(held.traction, rate, held.mode, np.where(closed, power, 0.0))

    def d_flow(
        self, z: Floats, slip: Floats, pressure: Floats, mode: Integers
    ) -> tuple[FrictionTangent, FrictionTangent]:
        """Derivatives of the traction and of the rate z' = -(T + c_x z)/b_x."""
        refuse_undamped(self.root_damping)
        by = self.d_step(z, slip, pressure, mode, np.inf)
        flow, (c, b) = self.flow(z, slip, pressure, mode), self.bristle(pressure)
        closed = flow.mode != OPEN
        free = np.where(closed, 1.0 / np.where(closed, b, 1.0), 0.0)
        c_force, b_force = self._slopes(c, b, pressure)
        assert flow.rate is not None
        lost = by.by_pressure + c_force[:, None] * z + b_force[:, None] * flow.rate
        rate = FrictionTangent(
            by_z=-free[:, None, None] * (by.by_z + c[:, None, None] * np.eye(3)),
            by_slip=-free[:, None, None] * by.by_slip,
            by_pressure=-free[:, None] * lost,
        )
        return by, rate

    def stuck(self) -> ElastoPlastic:
        """Bristles of the stated load that never yield."""
        return ElastoPlastic(0.0, self.stiffness, self.damping).stuck()

    def _trial(self, z: Floats, slip: Floats, force: Floats) -> _Trial:
        c, b = self.bristle(force)
        c_force, b_force = self._slopes(c, b, force)
        a = c[:, None] * z + b[:, None] * slip
        by_force = c_force[:, None] * z + b_force[:, None] * slip
        return _Trial(c, b, a, np.linalg.norm(a, axis=1), by_force)

    @staticmethod
    def _slopes(c: Floats, b: Floats, force: Floats) -> tuple[Floats, Floats]:
        """Derivatives of c_x ~ N^(1/3) and b_x ~ N^(1/6)."""
        safe = np.where(force > 0.0, force, 1.0)
        return c / (3.0 * safe), b / (6.0 * safe)
