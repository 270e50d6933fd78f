"""What a contact point does, as a number: open, sticking, slipping, in gross slip."""

from __future__ import annotations

__all__ = ["APART", "GROSS", "OPEN", "SLIP", "STICK"]

OPEN, STICK, SLIP, GROSS = 0, 1, 2, 3

APART = -1e-300
"""Pressure, as good as none, that tells tangents of a point which is open from one that touches."""
