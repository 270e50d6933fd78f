"""Options that hold for a whole mesh or for its named volumes: `VALUE`, or `VOLUME=VALUE`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from skfem import Mesh

from fecontact.errors import InputError, unknown
from fecontact.fem import material
from fecontact.fem.material import Elastic

__all__ = ["materials", "per_volume", "said_of_materials", "thicknesses"]

Value = TypeVar("Value")


def per_volume(
    option: str, given: Sequence[str], mesh: Mesh, read: Callable[[str], Value]
) -> Value | dict[str, Value]:
    """One value for all cells, or volume name -> value.

    Parameters
    ----------
    option
        Name of the option for messages: "--material".
    given
        Texts of the command line: one `VALUE`, or `VOLUME=VALUE` for each volume.
    mesh
        Its subdomains are the named volumes.
    read
        Value of a text.

    Examples
    --------
    >>> from skfem import MeshTri
    >>> mesh = MeshTri().with_subdomains({"carrier": [0], "facing": [1]})
    >>> per_volume("--thickness", ["carrier=0.002", "facing=0.008"], mesh, float)
    {'carrier': 0.002, 'facing': 0.008}
    >>> per_volume("--thickness", ["0.002"], mesh, float)
    0.002
    """
    if len(given) == 1 and "=" not in given[0]:
        return read(given[0])
    volumes = mesh.subdomains or {}
    values: dict[str, Value] = {}
    for text in given:
        name, equals, value = text.rpartition("=")
        if not equals:
            raise InputError(
                f"{option} {text} is not possible beside another {option}: give one value for the "
                "whole mesh, or VOLUME=VALUE for each volume"
            )
        if name not in volumes:
            raise unknown(f"volume of {option}", name, volumes)
        if name in values:
            raise InputError(f"{option} is given twice for volume '{name}'")
        values[name] = read(value)
    return values


def materials(given: Sequence[str], mesh: Mesh) -> Elastic | dict[str, Elastic]:
    """Materials by their names."""
    return per_volume("--material", given, mesh, material)


def thicknesses(given: Sequence[str], mesh: Mesh) -> float | dict[str, float]:
    """Thicknesses of a plate in m."""
    return per_volume("--thickness", given, mesh, _metres)


def _metres(text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise InputError(
            f"--thickness {text} is not possible: it must be a number in m, or VOLUME=NUMBER"
        ) from error


def said_of_materials(given: Sequence[str], mesh: Mesh) -> tuple[str, ...]:
    """Sentence on the materials of a mesh with several volumes; nothing to say for one."""
    volumes = sorted(mesh.subdomains or {})
    if len(volumes) < 2:
        return ()
    if isinstance(materials(given, mesh), Mapping):
        return (f"materials: {', '.join(given)}",)
    return (f"one material, {given[0]}, for all volumes: {', '.join(volumes)}",)
