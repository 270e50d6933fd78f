"""Names of the methods of reduction."""

from __future__ import annotations

__all__ = ["METHODS"]

METHODS = ("rubin", "free", "fixed", "craig-bampton", "quasi-static")
