"""Up to which frequency the bodies of a system are valid."""

from __future__ import annotations

from fecontact.system.assembly import Assembly
from fecontact.typing import Floats, supporting

__all__ = ["validity"]


def validity(assembly: Assembly, v: Floats) -> dict[str, float]:
    """Body -> frequency in Hz up to which it is valid about the velocities v (n,) of the system.

    Rigid bodies, and elastic ones that do not know it (`ModalBody`), are left out.
    """
    bodies = supporting(assembly.bodies, "validity")
    return {body.name: body.validity(v[assembly.slices[body.name]]) for body in bodies}
