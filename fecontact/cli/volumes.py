"""Options that hold for a whole mesh or for its named volumes: `VALUE`, or `VOLUME=VALUE`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

from skfem import Mesh

from fecontact.errors import InputError, unknown
from fecontact.fem import Material, material
from fecontact.fem.material import Elastic, check_isotropic

__all__ = ["materials", "per_volume", "said_of_materials", "thicknesses"]

Value = TypeVar("Value")

DEFAULT = "steel"
"""Material if none is given."""

CONSTANTS = ("young", "poisson", "density")
"""Options of an isotropic material."""

UNITS = {"young": "Pa", "density": "kg/m^3", "thickness": "m"}


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
                f"invalid {option} {text} beside another {option}: expected one value for the "
                "whole mesh, or VOLUME=VALUE for each volume"
            )
        if name not in volumes:
            raise unknown(f"volume of {option}", name, volumes)
        if name in values:
            raise InputError(f"{option} is given twice for volume '{name}'")
        values[name] = read(value)
    return values


def materials(
    given: Sequence[str], mesh: Mesh, constants: Mapping[str, Sequence[str]] | None = None
) -> Elastic | dict[str, Elastic]:
    """Materials by their names, by their constants, or named ones with other constants.

    Parameters
    ----------
    given
        Texts of --material; steel if nothing is given here and in `constants`.
    mesh
        Its subdomains are the named volumes.
    constants
        "young", "poisson", "density" -> texts of the option of that name. Without a named material
        all three are needed: none is guessed.

    Examples
    --------
    >>> from skfem import MeshTet
    >>> materials([], MeshTet(), {"young": ["7e10"], "poisson": ["0.33"], "density": ["2700"]})
    Material(young=70000000000.0, poisson=0.33, density=2700.0, name='')
    """
    texts = {name: list(words) for name, words in (constants or {}).items() if words}
    if not texts:
        return per_volume("--material", given or [DEFAULT], mesh, material)
    values = {n: per_volume(f"--{n}", words, mesh, _number(n)) for n, words in texts.items()}
    named = per_volume("--material", given, mesh, material) if given else None
    given_parts = [part for part in (named, *values.values()) if part is not None]
    by_volume = [part for part in given_parts if isinstance(part, Mapping)]
    if not by_volume:
        return _substance("", _of(named, ""), {n: _of(v, "") for n, v in values.items()})
    everywhere = (mesh.subdomains or {}) if len(by_volume) < len(given_parts) else {}
    chosen = sorted({*everywhere, *(name for part in by_volume for name in part)})
    own = {v: {name: _of(value, v) for name, value in values.items()} for v in chosen}
    return {volume: _substance(volume, _of(named, volume), own[volume]) for volume in chosen}


def _of(value: Any, volume: str) -> Any:
    """Value for a volume, None if it has none."""
    return value.get(volume) if isinstance(value, Mapping) else value


def _substance(volume: str, named: Elastic | None, values: Mapping[str, float | None]) -> Elastic:
    """Material of a volume; what is not given comes from the named material, else is refused."""
    found = {name: value for name, value in values.items() if value is not None}
    if named is None:
        missing = [f"--{name}" for name in CONSTANTS if name not in found]
        if missing:
            where = f" for volume '{volume}'" if volume else ""
            raise InputError(
                f"{' and '.join(missing)} missing{where}: give --young, --poisson and --density "
                "together, or name the --material whose other constants hold"
            )
        return Material(found["young"], found["poisson"], found["density"])
    if not found:
        return named
    check_isotropic("--material with --young, --poisson or --density", named)
    return replace(cast("Material", named), name="", **found)


def _number(name: str) -> Callable[[str], float]:
    """Reader of the numbers of an option."""

    def read(text: str) -> float:
        try:
            return float(text)
        except ValueError as error:
            unit = f" in {UNITS[name]}" if name in UNITS else ""
            raise InputError(
                f"invalid --{name} {text}: expected a number{unit}, or VOLUME=NUMBER"
            ) from error

    return read


def thicknesses(given: Sequence[str], mesh: Mesh) -> float | dict[str, float]:
    """Thicknesses of a plate in m."""
    return per_volume("--thickness", given, mesh, _number("thickness"))


def said_of_materials(
    given: Sequence[str], mesh: Mesh, constants: Mapping[str, Sequence[str]] | None = None
) -> tuple[str, ...]:
    """Sentence on the materials of a mesh with several volumes; nothing to say for one."""
    volumes = sorted(mesh.subdomains or {})
    if len(volumes) < 2:
        return ()
    texts = [f"{name} {word}" for name, words in (constants or {}).items() for word in words]
    words = ", ".join([*(given or ([] if texts else [DEFAULT])), *texts])
    if isinstance(materials(given, mesh, constants), Mapping):
        return (f"materials: {words}",)
    return (f"one material, {words}, for all volumes: {', '.join(volumes)}",)
