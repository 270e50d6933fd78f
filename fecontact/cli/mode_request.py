"""What was asked of the command `modes`, and what is refused before a mesh or library is loaded."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fecontact.errors import POSITIVE, InputError, at_least, check, one_of
from fecontact.files import plain_file
from fecontact.reduction.names import METHODS

__all__ = ["Request", "check_request", "pictures_name"]


@dataclass(frozen=True)
class Request:
    """What was typed; see `cli.mode_options`."""

    mesh: Path | None
    material: list[str] | None
    young: list[str] | None
    poisson: list[str] | None
    density: list[str] | None
    fix: list[str] | None
    contact: list[str] | None
    joint: list[str] | None
    interface: list[str] | None
    count: int
    method: str | None
    interface_modes: int | None
    out: Path
    thickness: list[str] | None
    scale: float
    tolerance: float | None
    layer: float | None
    cutoff: float | None
    mesh_error: bool | None
    pictures: bool
    info: Path | None

    @property
    def chosen(self) -> str:
        """Method of reduction."""
        return self.method or ("rubin" if self.contact or self.joint else "free")

    @property
    def constants(self) -> dict[str, list[str]]:
        """Constants of materials that were typed."""
        given = {"young": self.young, "poisson": self.poisson, "density": self.density}
        return {name: texts or [] for name, texts in given.items()}

    def checked_mesh(self) -> Path:
        """The mesh file, if the other options make sense beside it."""
        if self.mesh is None:
            raise InputError("a mesh file is missing: fecontact modes MESH, or --info BODY.h5")
        _check_target(self.out, self.mesh)
        _check_request(self)
        _check_static_shapes(self)
        return plain_file(self.mesh, "mesh file", "give the path of a readable mesh")


def check_request(**options: Any) -> None:
    """Refuse a request that cannot be met, unless a body is only shown."""
    asked = Request(**options)
    if asked.info is None:
        asked.checked_mesh()


def _check_target(out: Path, mesh: Path) -> None:
    """Refuse output that cannot be written or would replace the mesh, before the long work."""
    if not out.parent.is_dir():
        raise InputError(f"folder '{out.parent}' of --out does not exist; create it first")
    if out.is_dir():
        raise InputError(f"--out '{out}' is a folder: give the name of a file in it")
    if out.suffix != ".h5":
        raise InputError(f"invalid --out '{out}': expected a name that ends in .h5")
    written = (out, *(out.with_name(pictures_name(out) + ending) for ending in (".vtu", ".png")))
    if mesh.resolve() in [file.resolve() for file in written]:
        raise InputError(f"--out '{out}' would replace the mesh '{mesh}': choose another name")
    if not os.access(out.parent, os.W_OK):
        raise InputError(f"folder '{out.parent}' of --out is not writable; choose another")


def _check_request(asked: Request) -> None:
    """Refuse options that do not fit together, and name the one that is missing."""
    method, contact, interface = asked.chosen, asked.contact or [], asked.interface or []
    interface_modes, fixed = asked.interface_modes, asked.fix or []
    check("method", method, one_of(METHODS))
    if interface and method not in ("fixed", "craig-bampton"):
        raise InputError(
            f"invalid --interface {interface[0]} with the {method} method: expected --method fixed "
            "or craig-bampton"
        )
    if method == "fixed" and not (fixed or interface):
        raise InputError("the fixed method needs a fixed surface: name it with --fix")
    if method in ("craig-bampton", "quasi-static") and not (contact or interface):
        raise InputError(f"the {method} method needs a contact surface: name it with --contact")
    if interface_modes is not None:
        if method != "craig-bampton":
            raise InputError(
                f"invalid --interface-modes {interface_modes} with the {method} method: expected "
                "--method craig-bampton"
            )
        check("interface-modes", interface_modes, at_least(1))
    for option, named in (("contact", contact), ("joint", asked.joint or [])):
        both = sorted(set(fixed) & set(named))
        if both:
            raise InputError(
                f"surface '{both[0]}' is in --fix and --{option}: what is held cannot give"
            )
    if asked.joint and method not in ("rubin", "craig-bampton"):
        raise InputError(
            f"invalid --joint {asked.joint[0]} with the {method} method: expected --method rubin "
            "or craig-bampton"
        )
    static_shapes = (contact or asked.joint) and method not in ("free", "fixed")
    check("modes", asked.count, at_least(0 if static_shapes else 1))


def _check_static_shapes(asked: Request) -> None:
    """Refuse options of static shapes where there are none, in the units of the command line."""
    method, contact, cutoff = asked.chosen, asked.contact, asked.cutoff
    given = {"tolerance": asked.tolerance, "layer": asked.layer, "cutoff": cutoff}
    for name, value in given.items():
        if value is None:
            continue
        if not (contact or (asked.joint and name != "layer")):
            raise InputError(f"--{name} {value:g} needs a contact surface: name it with --contact")
        if name != "layer" and method not in ("rubin", "craig-bampton"):
            raise InputError(
                f"invalid --{name} {value:g} with the {method} method: expected --method rubin or "
                "craig-bampton"
            )
    if cutoff is not None:
        check("cutoff", cutoff, POSITIVE, "Hz")


def pictures_name(file: Path) -> str:
    """Stem of the picture files; another one than that of the body and, mostly, of the mesh."""
    return f"{file.stem}_modes"
