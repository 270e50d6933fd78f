"""What a contact point does, as a number: open, sticking, slipping, in gross slip."""

from __future__ import annotations

__all__ = ["GROSS", "OPEN", "SLIP", "STICK"]

OPEN, STICK, SLIP, GROSS = 0, 1, 2, 3
