"""Numbers that decide what counts as closed, at rest or sliding in Moreau's method."""

from __future__ import annotations

__all__ = ["CORRECTIONS", "HELD", "LAST", "LEFT", "PUSHED", "SLIDES", "SLOW", "STUCK", "TOUCHING"]

LAST = 1e-6
"""Fraction of a step that is not worth a step of its own before an output time."""

TOUCHING = 1e-12
"""Gap in m up to which a contact is closed: the round-off of a contact at rest."""

SLOW = 1e-12
"""Approach in m/s that is the round-off of a contact at rest, and no impact."""

SLIDES = 1e-6
"""Fraction of the largest velocity of all rows from which a contact slides in a direction."""

STUCK = 1e-9
"""Fraction of the friction limit that is missing at a sticking point."""

PUSHED = 1e-12
"""Fraction of the largest impulse of a step from which a contact is pushed in it."""

LEFT = 1e-10
"""Depth in m that a correction of positions leaves, so that the contact stays closed."""

HELD = 1e-12
"""Fraction of the largest mobility below which a contact cannot move and is left where it is."""

CORRECTIONS = 5
"""Corrections of positions in a step."""
