"""What each item adds to the linearised forces, by named terms.

An item may name the parts of its tangents (`terms` of `typing.Answers`); of all others there is one
part without a name. Constraints add the part by which their reactions turn, d(A^T lam)/dq.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from fecontact.analysis.stability.linearise import FrictionStates, LinearModel
from fecontact.analysis.stability.slip_states import with_steady_slip
from fecontact.system import State, System
from fecontact.system.loaded import loaded_system
from fecontact.typing import Complexes, Floats, Integers, Item, Tangents

__all__ = ["Contribution", "contributions"]


@dataclass(frozen=True)
class Contribution:
    """One term of one item.

    Attributes
    ----------
    item, term
        Names; the term is empty if the item does not name its parts.
    indices
        The item's part of the n dofs.
    by_q, by_v
        df/dq and df/dv in the dofs of the item.
    by_slip
        Derivative by the components of the elastic slip, where it is kept as internal variables.
    """

    item: str
    term: str
    indices: slice | Integers
    by_q: Floats
    by_v: Floats
    by_slip: Floats | None = None

    @property
    def label(self) -> str:
        """Item and term in one text."""
        return f"{self.item}, {self.term}" if self.term else self.item

    def forms(self, model: LinearModel, y: Complexes) -> tuple[complex, complex]:
        """Return y^H (D + G) y and y^H (K + N) y of this term, for amplitudes y."""
        x = model.dofs(y)[self.indices]
        rate = -np.vdot(x, self.by_v @ x)
        position = -np.vdot(x, self.by_q @ x)
        if model.turned is not None:
            position -= np.vdot(x, self.by_v @ (model.turned @ y)[self.indices])
        return complex(rate), complex(position)

    def slip_form(self, model: LinearModel, y: Complexes, slip: Complexes | None) -> complex:
        """Return y^H F_z zeta of this term: power of the elastic slip."""
        if self.by_slip is None or slip is None:
            return 0.0
        return complex(np.vdot(model.dofs(y)[self.indices], self.by_slip @ slip))


def contributions(
    system: System, state: State, friction: FrictionStates | None = None
) -> tuple[Contribution, ...]:
    """All terms of all items about a state; their matrices add up to those of `linearise`.

    Parameters
    ----------
    system, state
        The system and its steady state.
    friction
        Of the linear model: the elastic slip, if it is kept as internal variables. Contacts with
        history then have the terms "fixed elastic slip" and "elastic slip".
    """
    system = loaded_system(system, state)
    items = _of_items(system, state) if friction is None else _of_rates(system, state, friction)
    return tuple(items) + tuple(_of_constraints(system, state))


def _of_items(system: System, state: State, but: Collection[str] = ()) -> Iterator[Contribution]:
    for item in system.items:
        if item.name in but:
            continue
        for term, (by_q, by_v) in _terms(item, state.t, *system.local(item, state)).items():
            if by_q.any() or by_v.any():
                both = (system.fold(item.name, part, 0, 1) for part in (by_q, by_v))
                yield Contribution(item.name, term, system.dof_indices(item.name), *both)


def _of_rates(system: System, state: State, friction: FrictionStates) -> Iterator[Contribution]:
    contact_rates = system.rate_form(with_steady_slip(system, state)).contact_rates
    yield from _of_items(system, state, contact_rates)
    for name, rates in contact_rates.items():
        by, indices = rates.tangents(), system.dof_indices(name)
        by_q, by_v = (system.fold(name, part, 0, 1) for part in (by.force_by_q, by.force_by_v))
        none = np.zeros_like(by_q)
        by_z = system.fold(name, by.force_by_z, 0)
        slip = by_z @ friction.directions[system.history_layout.z[name]]
        yield Contribution(name, "fixed elastic slip", indices, by_q, by_v)
        yield Contribution(name, "elastic slip", indices, none, none, slip)


def _terms(item: Item, t: float, q: Floats, v: Floats) -> dict[str, Tangents]:
    terms = getattr(item, "terms", None)
    return {"": item.tangents(t, q, v)} if terms is None else dict(terms(t, q, v))


def _of_constraints(system: System, state: State) -> Iterator[Contribution]:
    for part in system.constraint(state).parts:
        by_q = part.now.d_load(state.lam[part.rows])
        if by_q.any():
            name = part.constraint.name
            yield Contribution(name, "reaction", part.columns, by_q, np.zeros_like(by_q))
