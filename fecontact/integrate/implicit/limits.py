"""Limits of Newton's method and of the choice of steps, for the general and the compiled loop."""

from __future__ import annotations

__all__ = [
    "ALIKE",
    "FAST",
    "HALVINGS",
    "KINK",
    "KINK_ORDER",
    "KINK_STEP",
    "MAX_ITERATIONS",
    "MAX_WITH_CONTACTS",
    "ORDER",
    "ROUNDED",
    "ROUND_OFF",
    "STALLED",
    "TOLERANCE",
    "WORTH",
]

ORDER = 2
MAX_ITERATIONS = 12
MAX_WITH_CONTACTS = 40
TOLERANCE = 1e-11
"""Correction relative to the size of the positions."""
ROUND_OFF = 1e-8
"""A correction of this size that falls no more is round-off."""
STALLED = 0.5
"""Fall of corrections, or of the imbalance by a new tangent, that is none: what is left is
round-off."""
ROUNDED = 1e-4
"""Fraction of the acting forces that may be left where it falls no more, if round-off is less."""
FAST = 0.1
"""Fall of the corrections at which the tangent is kept."""
ALIKE = 0.1
"""Relative change of the step at which the tangent of an earlier one is tried."""
HALVINGS = 7
WORTH = 1.2
"""Factor from which a step grows; below it the factorised tangent is worth more."""
KINK, KINK_ORDER, KINK_STEP = 10.0, 1, 1e-4
"""Error allowed where contacts change, its order in the step, and the step (relative to the longest
one so far) at which such a step is taken as it is."""
