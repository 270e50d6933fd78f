"""Points that touch and carry nothing: at the kink of a normal law they have no stiffness.

At g = 0, N = 0 the laws give the derivatives of the closed contact, by which Newton's method finds
a contact from a touching start. Small motions about such a state are another question: half of them
lift the point off, and no force holds it. It counts as open. A gap is a difference of positions: a
pressure that their round-off explains is none. A point that adheres at g = 0 carries tension.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from fecontact.contact.eulerian_pair import EulerianPair
from fecontact.contact.pair import ContactPair
from fecontact.errors import SolverError
from fecontact.typing import Floats

__all__ = ["lifted"]

LIFTED = 1.0
"""Gap in m of a point that is lifted off."""


def lifted(pair: ContactPair, q: Floats, v: Floats, t: float) -> ContactPair:
    """Return the pair with the points lifted off that touch and carry nothing, or the pair."""
    touching = pair.sliding(q, v, t).touching
    if not touching.any():
        return pair
    if touching.all():
        return _with_gap(pair, LIFTED)
    if isinstance(pair, EulerianPair) and pair.rings is not None:
        raise SolverError(
            f"{pair.name}: {np.count_nonzero(touching)} points of a spinning surface touch and "
            "carry nothing: the linearisation has a kink there; change the load a little"
        )
    return _with_gap(pair, np.where(touching, LIFTED, 0.0))


def _with_gap(pair: ContactPair, gap: Any) -> ContactPair:
    return replace(pair, surface=pair.surface.with_gap(gap))
