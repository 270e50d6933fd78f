"""Answers that an item may give beside those it must give; see `fecontact.typing.Item`.

A system asks only those items that give an answer themselves (`supports`): items without a
potential, without damping or without a momentum contribute nothing to that sum. An item need not
derive from `Answers`; it is the list of what may be asked, with a default that does no harm.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from fecontact.typing.arrays import Floats, Tangents

if TYPE_CHECKING:
    from fecontact.kernels.lowered import Lowered
    from fecontact.typing.items import Item as Required
else:
    Required = object  # a property of a protocol would be taken for the default of a field

__all__ = ["Answers", "supporting", "supports"]


class Answers(Required):
    """Base of items with a default for each answer that may be left out."""

    def evaluate(self, t: float, q: Floats, v: Floats) -> tuple[Floats, Floats, Floats]:
        """Return f, df/dq and df/dv, from one evaluation of the kinematics if that is faster."""
        return self.force(t, q, v), *self.tangents(t, q, v)

    def lowered(self) -> Lowered | None:
        """Return the item as a compiled function; None if it has no such form."""
        return None

    @property
    def summands(self) -> tuple[Required, ...]:
        """Items on fewer bodies that add up to this one, such as the weight of each body."""
        return (self,)

    def terms(self, t: float, q: Floats, v: Floats) -> Mapping[str, Tangents]:
        """Return parts of (df/dq, df/dv) by name; they add up to `tangents`."""
        return {"": self.tangents(t, q, v)}

    def energy(self, t: float, q: Floats, v: Floats) -> float:
        """Potential energy in J of a joint or a load."""
        return 0.0

    def dissipated_power(self, t: float, q: Floats, v: Floats) -> float:
        """Dissipated power in W, not negative."""
        return 0.0

    # of bodies

    def kinetic_energy(self, q: Floats, v: Floats, t: float = 0.0) -> float:
        """Kinetic energy in J; the time matters to a body in a frame of prescribed motion."""
        return 0.0

    def strain_energy(self, q: Floats) -> float:
        """Energy in J that a body stores in its deformation."""
        return 0.0

    def elastic_force(self, q: Floats) -> Floats:
        """Force (n,) of the deformation of a body alone, which is part of `force`."""
        return np.zeros(0)

    def supplied_power(self, t: float, q: Floats, v: Floats) -> float:
        """Power in W that a drive inside a body brings into its kinetic and strain energy."""
        return 0.0

    def momentum(self, q: Floats, v: Floats, t: float = 0.0) -> tuple[Floats, Floats]:
        """Momentum (3,), and angular momentum (3,) about the origin, in space components."""
        return np.zeros(3), np.zeros(3)

    def validity(self, v: Floats) -> float:
        """Frequency in Hz up to which motion about the velocities v (n,) is valid; may be inf."""
        return np.inf


def supports(item: object, answer: str) -> bool:
    """Whether an item gives an answer itself; the default of `Answers` does not count.

    Examples
    --------
    >>> class Spring(Answers):
    ...     def energy(self, t, q, v):
    ...         return 0.5 * q @ q
    >>> supports(Spring(), "energy"), supports(Spring(), "momentum")
    (True, False)
    """
    own = getattr(type(item), answer, None)
    if own is None:
        return hasattr(item, answer)
    return own is not getattr(Answers, answer, None)


def supporting(items: Iterable[object], answer: str) -> tuple[Any, ...]:
    """Items that give an answer themselves."""
    return tuple(item for item in items if supports(item, answer))
