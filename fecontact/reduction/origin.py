"""Which finite-element model a reduced body was made from, as long as it lives in this process.

Files of reduced bodies have no finite elements: of a body read from one, the model must be given.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from fecontact.fem.model import FEModel
from fecontact.reduction.reduced import ReducedModel

__all__ = ["origin", "remember"]

_known: WeakKeyDictionary[ReducedModel, FEModel] = WeakKeyDictionary()


def remember(reduced: ReducedModel, model: FEModel) -> ReducedModel:
    """Note the origin of a reduced body, and return that body."""
    _known[reduced] = model
    return reduced


def origin(reduced: ReducedModel) -> FEModel | None:
    """Finite-element model of a reduced body; None if this process has not reduced it."""
    return _known.get(reduced)
