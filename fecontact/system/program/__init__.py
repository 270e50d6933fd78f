"""The lowered system: items as compiled functions over one working array."""

from fecontact.system.program.program import Program, is_called_back

__all__ = ["Program", "is_called_back"]
