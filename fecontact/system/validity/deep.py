"""Contacts of a system whose points are pressed in deep, along a motion or a path."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fecontact.contact.pair import ContactPair
from fecontact.contact.plausibility import deep
from fecontact.system.assembly import Assembly
from fecontact.system.state import State

__all__ = ["pressed_deep"]

SAMPLES = 12
"""States of a motion that are looked at."""


def pressed_deep(system: Assembly, states: Sequence[State]) -> tuple[str, ...]:
    """In words, the contacts that are pressed in by more than a fifth of what they press on."""
    last = len(states) - 1
    picked = sorted({round(last * i / (SAMPLES - 1)) for i in range(SAMPLES)}) if last else [0]
    chosen = [states[k] for k in picked]
    found = []
    for pair in (item for item in system.items if isinstance(item, ContactPair)):
        if not np.isfinite(pair.pressed_into[0]):
            continue
        lowest = min(pair.kinematics(*system.local(pair, at), at.t).gap.min() for at in chosen)
        found.append(deep(pair.name, lowest, pair.pressed_into))
    return tuple(text for text in found if text)
