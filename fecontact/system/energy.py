"""Energies and momenta of a system at a state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from fecontact.system.assembly import Assembly
from fecontact.system.state import State
from fecontact.typing import Floats, supporting

__all__ = ["Energies", "energies", "momentum"]


@dataclass(frozen=True)
class Energies:
    """Energy in J and dissipated power in W by item; items without an answer are not listed.

    Attributes
    ----------
    kinetic, strain
        Of the bodies.
    potential
        Of force elements and loads.
    dissipated_power
        Of all items.
    """

    kinetic: Mapping[str, float]
    strain: Mapping[str, float]
    potential: Mapping[str, float]
    dissipated_power: Mapping[str, float]

    @property
    def total(self) -> float:
        """Kinetic, strain and potential energy in J."""
        return sum(sum(part.values()) for part in (self.kinetic, self.strain, self.potential))


def energies(assembly: Assembly, state: State) -> Energies:
    """Energies of all items at a state."""
    t, local = state.t, {item.name: assembly.local(item, state) for item in assembly.items}
    kinetic = {i.name: i.kinetic_energy(*local[i.name], t) for i in assembly.kinetic}
    strain = {i.name: i.strain_energy(local[i.name][0]) for i in assembly.straining}
    potential = {i.name: i.energy(t, *local[i.name]) for i in assembly.storing}
    dissipated = {i.name: i.dissipated_power(t, *local[i.name]) for _, i in assembly.dissipating}
    return Energies(kinetic, strain, potential, dissipated)


def momentum(assembly: Assembly, state: State, about: Floats) -> tuple[Floats, Floats]:
    """Momentum (3,), and angular momentum (3,) about a point, in space components."""
    linear, angular = np.zeros((2, 3))
    for body in supporting(assembly.bodies, "momentum"):
        own_linear, own_angular = body.momentum(*assembly.local(body, state), state.t)
        linear += own_linear
        angular += own_angular
    return linear, angular - np.cross(about, linear)
