"""Force elements: a law between relative coordinates s of two bodies and the loads on them.

    f = -G^T load(t, s, s'),      G = ds/dq,      s' = G v

The tangents are exact: they contain the change of G at fixed load (geometric stiffness) and the
change of s' with the position.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache, cached_property
from typing import Any, ClassVar, Self

from fecontact.body.marker import MarkedBody
from fecontact.joint._kernels import JACOBIAN, element
from fecontact.joint.frames import FrameRows, Frames
from fecontact.joint.marker import MarkerPair
from fecontact.joint.relative import Relative
from fecontact.joint.translation import Coordinates, Translation, translation
from fecontact.kernels.lowered import changed
from fecontact.typing import Floats, Tangents

__all__ = ["Evaluation", "ForceElement", "FrameElement", "Law", "Viscoelastic"]

Law = tuple[Floats, Floats, Floats]
"""Load (k,) and its derivatives (k, k) by s and by s'."""

GEOMETRY = ("_straight", "_free_length", "_frame", "coordinates")
"""What follows from the markers of an element without its law, and is kept with another one."""

Evaluation = tuple[Floats, Floats, Floats]
"""Force (n,) and its derivatives (n, n) by q and by v."""


@cache
def _kept(kind: type[Any]) -> frozenset[str]:
    """What an element keeps with another law: its fields, and what follows from its markers."""
    return frozenset({*(field.name for field in fields(kind)), *GEOMETRY})


class ForceElement(ABC):
    """An item between two bodies, given by its relative coordinates and its law."""

    pair: MarkerPair

    @abstractmethod
    def relative(self, q: Floats, v: Floats) -> Relative:
        """Relative coordinates s (k,) with their derivatives, at t = 0."""

    @abstractmethod
    def load(self, t: float, s: Floats, rate: Floats) -> Law:
        """Load that resists s, with its derivatives."""

    @property
    def bodies(self) -> tuple[MarkedBody, ...]:
        """The bodies a and b without the ground."""
        return self.pair.bodies

    def at(self, t: float, q: Floats, v: Floats) -> Relative:
        """Relative coordinates at time t; they depend on it if a body has a prescribed motion."""
        return self.relative(q, v)

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Generalised force on both bodies."""
        relative = self.at(t, q, v)
        return -relative.jacobian.T @ self.load(t, relative.value, relative.rate)[0]

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of `force`."""
        return self.evaluate(t, q, v)[1:]

    def evaluate(self, t: float, q: Floats, v: Floats) -> Evaluation:
        """`force` and `tangents` in one pass."""
        relative = self.at(t, q, v)
        G = relative.jacobian
        load, by_s, by_rate = self.load(t, relative.value, relative.rate)
        change = G.T @ (by_s @ G + by_rate @ relative.d_rate())
        return -G.T @ load, -change - relative.d_load(load), -G.T @ by_rate @ G


class FrameElement(ForceElement):
    """A force element whose coordinates are those of its two markers.

    Its load is worked out on the frames of the markers, as force and moment on each, and then
    taken to the dofs: the cost depends little on their number. Between bodies that cannot turn
    there are no frames to work out.

    Attributes
    ----------
    LAW
        Fields on which its load alone depends, not its coordinates; `_check_law` checks them.
    """

    LAW: ClassVar[frozenset[str]] = frozenset()

    def _check_law(self) -> None:
        """Raise if a field of its law is impossible."""

    def with_fields(self, values: Mapping[str, Any]) -> Self:
        """The element with other values of some fields; those of its law leave its markers."""
        if not (values.keys() <= self.LAW and "LAW" in vars(type(self))):
            return replace(self, **values)  # type: ignore[type-var]
        self.coordinates  # noqa: B018  # worked out once for all of them
        result = object.__new__(type(self))
        kept = _kept(type(self))
        vars(result).update({k: v for k, v in vars(self).items() if k in kept})
        vars(result).update(values)
        result._check_law()
        return result

    @abstractmethod
    def rows(self, frames: Frames) -> FrameRows:
        """Relative coordinates s (k,) of the two markers."""

    def relative(self, q: Floats, v: Floats) -> Relative:
        """Relative coordinates s (k,) with their derivatives, at t = 0."""
        return self.at(0.0, q, v)

    @property
    def coordinates(self) -> Coordinates | None:
        """Its coordinates as programs see them; None if `rows` alone tells them."""
        return None

    @cached_property
    def _straight(self) -> Translation | None:
        """Its coordinates if its bodies cannot turn; else None."""
        own = None if changed(self, "coordinates", ("rows",)) else self.coordinates
        return None if own is None else translation(self.pair, own)

    def at(self, t: float, q: Floats, v: Floats) -> Relative:
        """Relative coordinates at time t."""
        if self._straight is not None:
            return self._straight.at(self.pair.name, q, v)
        frames = self.pair.motion(q, v, t).frames
        return frames.in_dofs(self.rows(frames))

    def evaluate(self, t: float, q: Floats, v: Floats) -> Evaluation:
        """`force` and `tangents` in one pass."""
        if self._straight is not None:
            return super().evaluate(t, q, v)
        frames = self.pair.motion(q, v, t).frames
        rows = self.rows(frames)
        law = self.load(t, rows.value, rows.rate)
        force, by_q, by_v, wrench = element(
            rows.table,
            *law,
            frames.interpolation,
            frames.d_interpolation,
            frames.load_interpolation(rows.spinning),
        )
        frames.subtract_d_load(by_q, wrench)
        return force, by_q, by_v

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Generalised force on both bodies."""
        if self._straight is not None:
            return super().force(t, q, v)
        frames = self.pair.motion(q, v, t).frames
        rows = self.rows(frames)
        load = self.load(t, rows.value, rows.rate)[0] @ rows.table[:, JACOBIAN]
        return -load @ frames.load_interpolation(rows.spinning)


class Viscoelastic(ForceElement):
    """A force element that stores energy and dissipates power."""

    @abstractmethod
    def potential(self, s: Floats) -> float:
        """Energy in J of the load at s' = 0."""

    def energy(self, t: float, q: Floats, v: Floats) -> float:
        """Stored energy in J."""
        return self.potential(self.at(t, q, v).value)

    def dissipated_power(self, t: float, q: Floats, v: Floats) -> float:
        """Power in W of the load beyond the one at s' = 0; not negative."""
        relative = self.at(t, q, v)
        s, rate = relative.value, relative.rate
        return float(rate @ (self.load(t, s, rate)[0] - self.load(t, s, 0.0 * rate)[0]))
