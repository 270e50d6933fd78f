"""State of a system."""

from __future__ import annotations

from dataclasses import dataclass

from fecontact.typing import Floats

__all__ = ["State"]


@dataclass(frozen=True)
class State:
    """Time, coordinates and velocities."""

    t: float
    q: Floats
    v: Floats
