"""Balance of condensed finite-element bodies with several contacts: what `load_path` solves.

r(u) = f(t) + sum L^T Q(X + L u) - K u = 0
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fecontact.analysis.statics.coupling import Coupling
from fecontact.analysis.statics.load_path import ContactResult, Increment, round_off
from fecontact.analysis.steady.plausible import Held, Ray, check_facing, check_held
from fecontact.contact.depth import thinnest
from fecontact.contact.evaluate.step import ContactStep
from fecontact.contact.kinematics.relative import Approach
from fecontact.typing import Floats

__all__ = ["PartsBalance", "StaticParts"]


class StaticParts(ABC):
    """Bodies with a stiffness matrix of their contact unknowns, and contacts between them."""

    @property
    @abstractmethod
    def couplings(self) -> Mapping[str, Coupling]:
        """Contact name -> contact in the unknowns."""

    @property
    @abstractmethod
    def stiffness(self) -> Floats:
        """Stiffness K (m, m) of all unknowns."""

    @abstractmethod
    def guess(self) -> Floats:
        """Unknowns (m,) from which the first increment begins."""

    @abstractmethod
    def load(self, t: float) -> Floats:
        """Given load f (m,)."""

    @abstractmethod
    def energy(self, t: float, u: Floats) -> float:
        """Strain energy in J."""

    def start(self) -> Increment:
        """First guess, points that never touched; penalties that do not fit are warned of.

        A slave that lies behind its master is refused.
        """
        u = self.guess()
        steps = {name: coupling.fresh(u) for name, coupling in self.couplings.items()}
        for name, step in steps.items():
            check_facing(name, self.couplings[name].pair.surface.normals, step.approach)
            self.couplings[name].judge(step)
        contacts = {name: ContactResult.of(step, None) for name, step in steps.items()}
        return Increment(0.0, u, contacts, self.energy(0.0, u))

    def rays(self, t: float) -> Sequence[Ray]:
        """Translations of free bodies, with the load along them; none by default."""
        return ()

    @property
    def pressed_into(self) -> dict[str, tuple[float, str]]:
        """Contact name -> smallest length in m that it is pressed into, and what it is."""
        pairs = {name: coupling.pair for name, coupling in self.couplings.items()}
        return {name: thinnest(p.normal, p.surface, ()) for name, p in pairs.items()}

    def check_first(self, before: Increment, t: float) -> bool:
        """Raise if a load pulls a free body off; else return whether there is a load."""

        def contacts(step: Floats) -> dict[str, Approach]:
            steps = self.at(before, t, before.x + step).steps
            return {name: each.approach for name, each in steps.items()}

        held = Held(lambda step: self.at(before, t, before.x + step).residual[0], contacts, False)
        check_held(held, self.rays(t))
        return bool(self.load(t).any())

    def at(self, before: Increment, t: float, x: Floats) -> PartsBalance:
        """Forces at contact unknowns x."""
        steps = {
            name: coupling.step(before.contacts[name].history, (before.t, before.x), (t, x))
            for name, coupling in self.couplings.items()
        }
        return PartsBalance(self, before, t, x, steps)

    def move(self, x: Floats, step: Floats) -> Floats:
        """Contact unknowns after a step."""
        return x + step


@dataclass(frozen=True, eq=False)
class PartsBalance:
    """Forces at trial displacements."""

    problem: StaticParts
    before: Increment
    t: float
    u: Floats
    steps: Mapping[str, ContactStep]

    @cached_property
    def residual(self) -> tuple[Floats, float, float]:
        """Loads and contacts less elastic force."""
        given, elastic = self.problem.load(self.t), self.problem.stiffness @ self.u
        force, terms = given - elastic, np.abs(given) + np.abs(elastic)
        for name, step in self.steps.items():
            contact = self.problem.couplings[name].force(step)
            force, terms = force + contact, terms + np.abs(contact)
        return force, float(np.linalg.norm(force)), float(np.linalg.norm(terms))

    @property
    def round_off(self) -> float:
        """Round-off of the contact forces."""
        return sum(round_off(step) for step in self.steps.values())

    def tangent(self, stuck: bool) -> Floats:
        """Derivative (m, m) of the residual."""
        result = -self.problem.stiffness
        for name, step in self.steps.items():
            step = step.no_slip() if stuck else step
            change = self.problem.couplings[name].tangent(step).tocoo()
            result[change.row, change.col] += change.data
        return result

    def increment(self) -> Increment:
        """Accept the trial."""
        contacts = {
            name: ContactResult.of(step, self.before.contacts[name])
            for name, step in self.steps.items()
        }
        return Increment(self.t, self.u, contacts, self.problem.energy(self.t, self.u))
