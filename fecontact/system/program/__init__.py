"""The lowered system: items as compiled functions over one working array."""

from fecontact.system.program.program import Program

__all__ = ["Program"]
