"""Energies of linear items as quadratic forms, so that an output does not ask each item.

An item with the force f = f_0 - K q - D v and a stored energy has, with x = q - q_r and the
reference position q_r,

    E(q) = E(q_r) - f(q_r, 0) . x + x . K x/2,

a body the kinetic energy v . M v/2. That is checked at the random states at which the forces are
(`linear`); items for which it does not hold, such as bodies in a frame of prescribed motion, are
asked at each output.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fecontact.integrate.explicit.linear import TOLERANCE, LinearItems, probes
from fecontact.system import State, System
from fecontact.typing import Answers, Floats

__all__ = ["LinearEnergies", "linear_energies"]


class Form(NamedTuple):
    """Energy of some items, constant + gradient . x + x . curvature x/2, and those to be asked."""

    constant: float
    gradient: Floats
    curvature: Floats
    asked: tuple[Answers, ...]

    def __call__(self, x: Floats) -> float:
        """Value at x (n,), without the items to be asked."""
        return self.constant + float((self.gradient + 0.5 * (self.curvature @ x)) @ x)


@dataclass(frozen=True)
class LinearEnergies:
    """Kinetic, strain and potential energy of a linear system."""

    system: System
    mass: Floats
    reference: Floats
    strain: Form
    potential: Form
    asked: tuple[tuple[Answers, slice], ...]

    def __call__(self, state: State) -> tuple[float, float, float, float]:
        """Kinetic, strain and potential energy, and v . M v/2, in J."""
        system, x, v = self.system, state.q - self.reference, state.v
        moving = 0.5 * float(v @ self.mass @ v)
        kinetic = moving + sum(
            body.kinetic_energy(*system.local(body, state), state.t) - _own(self.mass, part, v)
            for body, part in self.asked
        )
        strain = self.strain(x) + sum(_strain(system, i, state) for i in self.strain.asked)
        potential = self.potential(x)
        potential += sum(_potential(system, i, state) for i in self.potential.asked)
        return kinetic, strain, potential, moving


def linear_energies(system: System, items: LinearItems) -> LinearEnergies:
    """Energies of a system whose items without history are linear."""
    states = list(probes(system))
    asked = []
    for body in system.kinetic:
        part = system.slices[body.name]
        for state in states:
            found = body.kinetic_energy(*system.local(body, state), state.t)
            own = _own(items.mass, part, state.v)
            if abs(found - own) > TOLERANCE * own:
                asked.append((body, part))
                break
    return LinearEnergies(
        system,
        items.mass,
        system.rest().q,
        _form(system, items, system.straining, _strain, states),
        _form(system, items, system.storing, _potential, states),
        tuple(asked),
    )


def _form(
    system: System,
    items: LinearItems,
    storing: Sequence[Answers],
    energy: Callable[[System, Answers, State], float],
    states: Sequence[State],
) -> Form:
    """Sum of the energies of items; those without this form are to be asked."""
    rest, n = system.rest(), system.size
    constant, gradient, curvature, asked = 0.0, np.zeros(n), np.zeros((n, n)), []
    for item in storing:
        i = system.item_indices[item.name]
        K = items.stiffnesses[i]
        own = Form(energy(system, item, rest), K @ rest.q - items.constants[i], K, ())
        if all(_agrees(own, energy(system, item, s), s.q - rest.q) for s in states):
            constant, gradient = constant + own.constant, gradient + own.gradient
            curvature = curvature + own.curvature
        else:
            asked.append(item)
    return Form(constant, gradient, curvature, tuple(asked))


def _agrees(form: Form, value: float, x: Floats) -> bool:
    """Whether an energy has the value of a form, relative to its terms."""
    size = np.abs(x)
    terms = abs(form.constant) + np.abs(form.gradient) @ size
    terms += 0.5 * size @ np.abs(form.curvature) @ size
    return abs(form(x) - value) <= TOLERANCE * float(terms)


def _own(mass: Floats, part: slice, v: Floats) -> float:
    """Energy v . M v/2 of the body with this part of v."""
    return 0.5 * float(v[part] @ mass[part, part] @ v[part])


def _strain(system: System, body: Answers, state: State) -> float:
    return body.strain_energy(system.local(body, state)[0])


def _potential(system: System, item: Answers, state: State) -> float:
    return item.energy(state.t, *system.local(item, state))
