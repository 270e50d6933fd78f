"""Friction coefficients over sliding speed and pressure, and static ones, in contact problems.

Over a step the slip goes from s_0 to s_1, and a sliding contact has the coefficient

    mu = mu_k(|(1 - theta) s_0 + theta s_1|, p)

with the weight theta of the end: 1 at an impact. A contact that sticks at the start keeps its
static coefficient as long as it need not slide with it, and slides with mu_k if it must. A sliding
contact comes to rest within a step if its slip turns by more than a right angle: it then sticks if
its static coefficient can hold it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from fecontact.typing import Floats, Integers

__all__ = ["CoefficientSearch", "FrictionCurve", "StatusRounds", "slip_velocities"]

REPEATS = 4
"""Differences of one sign, one after the other, with which a chord is kept."""

Booleans = npt.NDArray[np.bool_]
Evaluate = Callable[[Integers, Floats, Floats, Booleans], tuple[Floats, Floats, Floats]]
"""Coefficients, and their derivatives by speed and normal impulse, each (c,): of contacts by their
numbers, at speeds and normal impulses, sticking or not."""


@dataclass(frozen=True)
class FrictionCurve:
    """Friction coefficients of c contacts.

    Attributes
    ----------
    evaluate
        The coefficients.
    contacts : (c,)
        Indices of the contacts, for `evaluate`.
    sticks : (c,)
        Whether they stick at the start.
    before : (c, 2)
        Slip velocities at the start in m/s.
    theta
        Weight of the end.
    """

    evaluate: Evaluate
    contacts: Integers
    sticks: Booleans
    before: Floats
    theta: float

    def some(self, which: Booleans | Integers) -> FrictionCurve:
        """Those of some of the contacts."""
        return replace(
            self, contacts=self.contacts[which], sticks=self.sticks[which],
            before=self.before[which],
        )  # fmt: skip


def slip_velocities(tangent: Integers, u: Floats) -> Floats:
    """Slip velocities (c, 2) from those u (r,) of the rows.

    `tangent` (c,) has the first of two rows of each contact; -1: none, and no slip.
    """
    slip = np.column_stack([u[tangent], u[tangent + 1]])
    return np.where(tangent[:, None] >= 0, slip, 0.0)


class StatusRounds:
    """Which contacts have their static coefficient, from round to round.

    Each contact comes to rest at most once and breaks away at most once, so the rounds end.

    Parameters
    ----------
    curve
        The coefficients.
    slow
        Speed in m/s up to which a contact does not slide.
    """

    def __init__(self, curve: FrictionCurve, slow: float) -> None:
        self.curve, self.slow = curve, slow
        self.static = curve.sticks.copy()
        self.broken = np.zeros(len(self.static), dtype=bool)

    def first(self, held: Floats) -> Floats:
        """Coefficients (c,) at the start, with normal impulses (c,)."""
        return self._at(np.linalg.norm(self.curve.before, axis=1), held)[0]

    def coefficients(self, slip: Floats, held: Floats) -> tuple[Floats, Floats]:
        """Coefficients (c,) at slip velocities (c, 2) of the end, and slopes (c, 3) of the limits.

        The slopes are those of `equations` of the contact solver.
        """
        theta = self.curve.theta
        mean = (1.0 - theta) * self.curve.before + theta * slip
        speed = np.linalg.norm(mean, axis=1)
        mu, by_speed, by_impulse = self._at(speed, held)
        along = mean / np.where(speed > 0.0, speed, 1.0)[:, None]
        faster = (theta * np.where(self.static, 0.0, by_speed) * held)[:, None] * along
        return mu, np.column_stack([faster, by_impulse * held])

    def changed(self, slip: Floats) -> bool:
        """Whether slip velocities (c, 2) of the end change the choice, which then is changed."""
        slides = np.linalg.norm(slip, axis=1) > self.slow
        back = np.einsum("ci,ci->c", slip, self.curve.before) <= 0.0
        rests = slides & back & ~self.static & ~self.broken
        breaks = slides & self.static
        self.static = (self.static | rests) & ~breaks
        self.broken |= breaks
        return bool(np.any(rests | breaks))

    def _at(self, speed: Floats, held: Floats) -> tuple[Floats, Floats, Floats]:
        curve = self.curve
        return curve.evaluate(curve.contacts, np.where(self.static, 0.0, speed), held, self.static)


class CoefficientSearch:
    """Next coefficients from those that were tried and those that the law then has.

    Too high a coefficient slows the slip. A law that falls with the speed then has a higher one
    still: taking it in turn ends. One that rises has a lower one, and the turns may never end; so
    a contact whose difference (law less tried) had both signs takes the root of the chord, by the
    rule of Illinois. The other end of the chord is forgotten after REPEATS differences of one sign:
    other contacts may have moved the root beyond it.
    """

    def __init__(self, contacts: int) -> None:
        self.tried, self.left = np.full((2, contacts), np.nan), np.full((2, contacts), np.nan)
        self.side, self.repeats = np.full(contacts, -1), np.zeros(contacts, dtype=np.int64)

    def next(self, friction: Floats, law: Floats) -> Floats:
        """Coefficients (c,) to try after `friction` gave motions in which the law has `law`."""
        difference, each = law - friction, np.arange(len(law))
        side = (difference < 0.0).astype(np.int64)
        self.repeats = np.where(side == self.side, self.repeats + 1, 0)
        self.left[1 - side, each] *= np.where(self.repeats > 0, 0.5, 1.0)
        self.left[1 - side, each] += np.where(self.repeats > REPEATS, np.nan, 0.0)
        self.tried[side, each], self.left[side, each], self.side = friction, difference, side
        (low, high), (rises, falls) = self.tried, self.left
        between = np.isfinite(rises) & np.isfinite(falls)
        span = np.where(between, rises - falls, 1.0)
        chord = low + (high - low) * rises / np.where(span > 0.0, span, 1.0)
        return np.where(between, chord, law)
