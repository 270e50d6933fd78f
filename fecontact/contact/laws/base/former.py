"""Former names of the methods of laws."""

from __future__ import annotations

from fecontact.errors import warn_caller

__all__ = ["take_former_methods"]


def take_former_methods(law: type) -> None:
    """Let a law of one's own with former names of methods have the present ones, with a warning."""
    for old, new in (("flow", "rate"), ("d_flow", "d_rate")):  # former names
        if old in vars(law):
            text = f"{law.__name__}.{old} is now called {new}"
            warn_caller(text, DeprecationWarning)
            setattr(law, new, vars(law)[old])
