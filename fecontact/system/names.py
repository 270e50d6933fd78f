"""Names of dofs and constraints, with help for those that do not exist."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from fecontact.errors import InputError
from fecontact.system.assembly import Assembly

__all__ = ["dof_index", "dof_indexs", "no_such"]

SHOWN = 8


def no_such(kind: str, name: str, known: Iterable[str]) -> InputError:
    """Error for a name that does not exist, with those that are close to it.

    Examples
    --------
    >>> print(no_such("dof", "arm.rx", ["arm.rz", "disc.uz"]))
    unknown dof 'arm.rx'; close names: arm.rz
    """
    names = list(known)
    close = get_close_matches(name, names, n=SHOWN, cutoff=0.6) or names[:SHOWN]
    return InputError(f"unknown {kind} '{name}'; close names: {', '.join(close) or 'none'}")


def dof_index(assembly: Assembly, name: str) -> int:
    """Index in v of the dof "body.dof"."""
    if name not in assembly.coordinates:
        raise no_such("dof", name, assembly.coordinates)
    return assembly.coordinates.index(name)


def dof_indexs(assembly: Assembly, name: str) -> Sequence[int]:
    """Indices in v of a dof, or of all dofs of a body."""
    if name in assembly.slices:
        part = assembly.slices[name]
        return range(part.start, part.stop)
    return [dof_index(assembly, name)]
