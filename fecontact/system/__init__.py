"""The assembled system: one equation of motion for all analyses."""

from fecontact.system.state import State
from fecontact.system.system import System

__all__ = ["State", "System"]
