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
import numpy.typing as npt

from fecontact.contact.eulerian_pair import EulerianPair
from fecontact.contact.pair import ContactPair
from fecontact.errors import SolverError
from fecontact.typing import Floats

__all__ = ["lifted"]

ROUND_OFF = 16.0 * np.finfo(float).eps
"""Fraction of the size of a position to which a gap is known."""
LIFTED = 1.0
"""Gap in m of a point that is lifted off."""


def lifted(pair: ContactPair, q: Floats, v: Floats, t: float) -> ContactPair:
    """Return the pair with the points lifted off that touch and carry nothing, or the pair."""
    touching = _touching(pair, q, v, t)
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


def _touching(pair: ContactPair, q: Floats, v: Floats, t: float) -> npt.NDArray[np.bool_]:
    """Points (p,) at the kink: closed tangents without a load."""
    now = pair.sliding(q, v, t)
    at, (pressure, by_gap, by_rate) = now.kinematics, now.pressure
    sizes = np.abs(at.slave.position).max(axis=1)
    unloaded = np.abs(pressure) <= ROUND_OFF * sizes * np.abs(by_gap)
    return np.asarray(unloaded & ((by_gap != 0.0) | (by_rate != 0.0)))


def _with_gap(pair: ContactPair, gap: Any) -> ContactPair:
    return replace(pair, surface=pair.surface.with_gap(gap))
