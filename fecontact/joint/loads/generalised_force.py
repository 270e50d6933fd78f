"""Load on the dofs of any body, as a vector: modal forces, forces that another program computed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fecontact.body.base import Body
from fecontact.errors import InputError, check_kind, numbers
from fecontact.joint.curve import Curve, curve_through
from fecontact.joint.lowered.elements import lowered_dead_load
from fecontact.kernels.lowered import Lowered
from fecontact.typing import Floats, Tangents

__all__ = ["GeneralisedForce"]


@dataclass(frozen=True, eq=False)
class GeneralisedForce:
    """Force k(t) f on the dofs of a body.

    Parameters
    ----------
    body
        The loaded body.
    vector : (n,)
        f, one number per dof: in N along a displacement, in N m about an angle, and modal forces
        for elastic coordinates. Or the name of a load that the body has: the preload of a bolt of
        its `Assembly`, for 1 N.
    factor
        k, or a curve of it over time in s.

    Examples
    --------
    >>> from fecontact import ModalBody
    >>> beam = ModalBody("beam", np.array([100.0, 300.0]))
    >>> GeneralisedForce(beam, np.array([2.0, -1.0]), factor=0.5).force(0.0, *np.zeros((2, 2)))
    array([ 1. , -0.5])
    """

    body: Body
    vector: Floats | str
    name: str = "generalised force"
    factor: float | Curve = 1.0

    def __post_init__(self) -> None:
        check_kind(f"{self.name}: body", self.body, Body, "a body of the system")
        if self._given.shape != (len(self.body.dofs),):
            raise InputError(
                f"{self.name}: invalid vector of shape {self._given.shape}: expected "
                f"({len(self.body.dofs)},), one number per dof of {self.body.name}"
            )
        self._factor  # noqa: B018  # refuses an impossible factor

    @cached_property
    def _given(self) -> Floats:
        if isinstance(self.vector, str):
            return self.body.named_load(self.vector)
        return numbers(f"{self.name}: vector", self.vector)

    @cached_property
    def _factor(self) -> Curve:
        return curve_through(f"{self.name}: factor", self.factor)

    @property
    def bodies(self) -> tuple[Body, ...]:
        """The loaded body."""
        return (self.body,)

    def lowered(self) -> Lowered | None:
        """The load as a compiled function; None if its factor is written in Python."""
        return lowered_dead_load(len(self.body.reference()), self._given, self._factor)

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Load in the dofs of the body."""
        return np.asarray(self._factor.value(t) * self._given)

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of `force`: none."""
        none = np.zeros((len(v), len(v)))
        return none, none
