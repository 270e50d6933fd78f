"""Internal variables of a contact: those of its friction law, then those of its normal law."""

from __future__ import annotations

from fecontact.contact.laws.base.friction import FrictionLaw
from fecontact.contact.laws.base.normal import NormalLaw
from fecontact.contact.laws.point import StateVariable, vector
from fecontact.errors import InputError

__all__ = ["history_states", "history_width", "stateful"]

ELASTIC_SLIP = vector("elastic_slip")
"""The elastic slip in the history of a contact, in the frame of the master."""


def stateful(law: object) -> NormalLaw | None:
    """The normal law if it has internal variables."""
    return law if isinstance(law, NormalLaw) and law.states else None


def history_width(normal: object, friction: object) -> int:
    """Number of internal variables of a point: those of friction, then those of the normal law.

    A law that declares none and is not of this package has the elastic slip alone.
    """
    own = friction.width if isinstance(friction, FrictionLaw) else 3
    return own + (normal.width if isinstance(normal, NormalLaw) else 0)


def history_states(normal: object, friction: object) -> tuple[StateVariable, ...]:
    """Internal variables of a point in the order of its history, by their names in results.

    The elastic slip is the first; a law without friction history has none.
    """
    if not isinstance(friction, FrictionLaw):
        return ()
    declared = (*friction.states, *(normal.states if isinstance(normal, NormalLaw) else ()))
    others = [state for state in declared if state.size == 1]
    vectors = [state.name for state in declared if state.size > 1]
    if len(vectors) > 1:
        raise InputError(
            f"invalid states = {vectors}: expected one vector, the elastic slip, and scalars"
        )
    names = [ELASTIC_SLIP.name, *(state.name for state in others)]
    for name in names:
        if names.count(name) > 1:
            raise InputError(
                f"invalid states = {names}: expected different names, and '{name}' is there twice"
            )
    return (ELASTIC_SLIP, *others)
