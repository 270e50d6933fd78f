"""What a linear model can speak of: the load of its contacts, the validity of its bodies, a band.

The modes of penalty contacts and those of a reduced body beyond its validity are no modes of the
machine. A verdict is therefore given in a band of frequencies, by default up to the validity of the
elastic bodies; rigid bodies have no bound. What grows beyond the band is said beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from fecontact.contact.base import Contact
from fecontact.errors import InputError, numbers, warn_caller
from fecontact.system import State, System
from fecontact.system.validity.frequency import validity
from fecontact.typing import Floats, supporting

__all__ = ["Band", "Scope", "checked_band", "fastest", "grows", "scope_of"]

Band = tuple[float, float]
Mask = npt.NDArray[np.bool_]

LEAST_GROWTH = 1e-9
"""Fraction of |z| above which a mode grows; below, its growth rate is round-off."""


@dataclass(frozen=True)
class Scope:
    """Limits of what modes of a linear model say.

    Attributes
    ----------
    loads
        Contact -> normal force in N; exactly zero if none of its points carries load.
    validity
        Body -> frequency in Hz up to which it is valid; rigid bodies are not in it.
    band
        Lowest and highest frequency in Hz of the verdict; None: up to the validity of all bodies.
    """

    loads: Mapping[str, float] = field(default_factory=dict)
    validity: Mapping[str, float] = field(default_factory=dict)
    band: Band | None = None

    @property
    def valid_to(self) -> float:
        """Frequency in Hz up to which all bodies are valid; infinite for rigid bodies."""
        return min(self.validity.values(), default=np.inf)

    @property
    def limits(self) -> Band:
        """Lowest and highest frequency in Hz of the verdict."""
        return (0.0, self.valid_to) if self.band is None else self.band

    @property
    def unloaded(self) -> bool:
        """Whether there are contacts and none of them carries load."""
        return bool(self.loads) and not any(self.loads.values())

    @property
    def without_load(self) -> str:
        """Sentence on contacts that carry nothing; empty if one does, or if there are none."""
        if not self.unloaded:
            return ""
        names = ", ".join(f"'{name}'" for name in self.loads)
        return f"no contact carries load ({names}): these are modes of bodies that do not touch"

    @property
    def words(self) -> str:
        """The band in words, with what limits it; empty if there is no limit."""
        low, high = self.limits
        if (low, high) == (0.0, np.inf):
            return ""
        span = f"from {low:.4g} Hz on" if high == np.inf else f"from {low:.4g} to {high:.4g} Hz"
        return f"{span} ({self._shortest})" if self.band is None else span

    def inside(self, frequency: Floats) -> Mask:
        """Which frequencies in Hz are in the band.

        Raises
        ------
        InputError
            If the band is empty, because a body is valid at no frequency.
        """
        low, high = self.limits
        if self.band is None and high == 0.0:
            raise InputError(
                f"no verdict: {self._shortest}; keep more modes of it, with its contact surfaces, "
                "or give a band of frequencies"
            )
        return np.asarray((frequency >= low) & (frequency <= high))

    def valid(self, frequency: Floats) -> Mask:
        """Which frequencies in Hz are within the validity of all bodies."""
        return np.asarray(frequency <= self.valid_to)

    def within(self, band: Band | None) -> Scope:
        """The same with another band; None keeps the band."""
        return self if band is None else replace(self, band=checked_band(band))

    def check_loaded(self) -> None:
        """Raise if no contact carries load."""
        if self.unloaded:
            raise InputError(
                f"no verdict: {self.without_load}; press them, or allow it (--open, unloaded=True)"
            )

    def warn_unloaded(self) -> None:
        """Warn if no contact carries load: what is found says nothing of friction."""
        if self.unloaded:
            warn_caller(self.without_load)

    @property
    def _shortest(self) -> str:
        name = min(self.validity, key=lambda name: self.validity[name])
        limit = self.validity[name]
        return f"'{name}' is valid " + (f"to {limit:.4g} Hz" if limit else "at no frequency")


def checked_band(band: Any) -> Band:
    """Two frequencies in Hz, rising from 0 or above; the highest may be infinite."""
    low, high = numbers("band", band) if np.shape(band) == (2,) else (np.nan, np.nan)
    if not 0.0 <= low < high or low == np.inf:
        raise InputError(f"invalid band = {band}: expected two frequencies in Hz, 0 <= low < high")
    return float(low), float(high)


def grows(z: npt.NDArray[np.complex128]) -> Mask:
    """Which eigenvalues in 1/s belong to modes that grow: Re z > 1e-9 |z|."""
    return np.asarray(z.real > LEAST_GROWTH * np.abs(z))


def fastest(z: npt.NDArray[np.complex128], chosen: Mask) -> int:
    """Number of the eigenvalue with the largest growth rate, of those that grow if one does.

    Examples
    --------
    The growth rate of the second one is round-off.

    >>> fastest(np.array([1e-3 + 10j, 1e-2 + 1e9j, 5.0 + 1j]), np.array([True, True, False]))
    0
    """
    growing = chosen & grows(z)
    return int(np.argmax(np.where(growing if growing.any() else chosen, z.real, -np.inf)))


def scope_of(system: System, state: State, band: Band | None = None) -> Scope:
    """Scope of a system at a state; its points that carry nothing are lifted off already."""
    contacts = supporting(system.items, "status")
    loads = {item.name: _load(system, item, state) for item in contacts}
    return Scope(loads, validity(system, state.v)).within(band)


def _load(system: System, item: Contact, state: State) -> float:
    status = item.status(*system.local(item, state), state.t)
    return float(status.normal_force) if np.any(status.pressure) else 0.0
