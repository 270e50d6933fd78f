"""Refuse requests of a reduction that make no sense, before any work.

An option that a method would ignore is refused too: who sets it expects an effect.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from fecontact.errors import NON_NEGATIVE, POSITIVE, Allowed, InputError, at_least, check
from fecontact.fem.model import FEModel
from fecontact.fem.solid.body import ElasticSolid
from fecontact.reduction.craig_bampton import interface_unknowns, joining_parts, surface_unknowns

__all__ = ["check_mesh_error", "check_model", "check_static_shapes", "check_surfaces"]

FRACTION = Allowed("above 0 and at most 1 (100 %)", lambda x: 0.0 < x <= 1.0)

LARGEST_CRAIG_BAMPTON = 500
"""Coordinates of a Craig-Bampton basis above which `interface_modes` must be given."""


def check_static_shapes(
    method: str,
    contact: tuple[str, ...],
    joints: tuple[str, ...],
    tolerance: float | None,
    cutoff: float | None,
    layer: float,
) -> None:
    """Refuse impossible numbers, and options of static shapes where there are none."""
    given = ("tolerance", tolerance, FRACTION, ""), ("cutoff", cutoff, POSITIVE, "rad/s")
    for name, value, allowed, unit in given:
        if value is None:
            continue
        check(name, value, allowed, unit)
        if method not in ("rubin", "craig-bampton"):
            raise InputError(
                f"invalid {name} = {value} with method '{method}': expected 'rubin' or "
                "'craig-bampton', which choose static shapes of contact loads"
            )
        if not (contact or joints):
            raise InputError(
                f"invalid {name} = {value}: expected a contact surface or a joint; name it in "
                "`contact` or `joints`"
            )
    check("layer", layer, NON_NEGATIVE, "m/Pa")
    if layer and not contact:
        raise InputError(
            f"invalid layer = {layer}: expected a contact surface; name it in `contact`"
        )


def check_mesh_error(model: FEModel, method: str) -> None:
    """Refuse to estimate the mesh error where there is no estimate."""
    if not isinstance(model, ElasticSolid):
        raise InputError(
            f"invalid mesh_error of a {type(model).__name__}: expected an ElasticSolid, for which "
            "there is an estimate; compare with a finer mesh"
        )
    if method == "craig-bampton":
        raise InputError(
            "invalid mesh_error with method 'craig-bampton', whose coordinates are no modes of the "
            "body: expected method 'free'"
        )


def check_model(model: FEModel) -> None:
    """Refuse what has no matrices of its unknowns."""
    if not sp.issparse(getattr(model, "stiffness", None)):
        raise InputError(
            f"invalid model = a {type(model).__name__}: expected a finite-element body such as "
            "ElasticSolid, MindlinPlate or MatrixModel; a HarmonicPlate takes reduce_harmonic"
        )


def check_surfaces(
    model: FEModel,
    method: str,
    contact: tuple[str, ...],
    held: tuple[str, ...],
    modes: int,
    interface_modes: int | None,
) -> None:
    """Refuse contact surfaces and interfaces that do not fit the method or the model."""
    _check_interface(method, held, interface_modes)
    for name in contact:
        _check_moving(model, name, held if method == "fixed" else ())
    names = (held or contact) if method == "craig-bampton" else held
    if names:
        size = len(interface_unknowns(model, names))
        _check_inside(model, names, len(model.free) - size)
        if method == "craig-bampton" and interface_modes is None:
            _check_size(size, modes)


def _check_interface(method: str, held: tuple[str, ...], interface_modes: int | None) -> None:
    """Refuse an interface, or modes of it, with a method that has none."""
    if held and method not in ("fixed", "craig-bampton"):
        raise InputError(
            f"invalid interface = {', '.join(held)} with method '{method}': expected 'fixed' or "
            "'craig-bampton', which have an interface"
        )
    if interface_modes is not None:
        if method != "craig-bampton":
            raise InputError(
                f"invalid interface_modes = {interface_modes} with method '{method}': expected "
                "'craig-bampton', which reduces its interface"
            )
        check("interface_modes", interface_modes, at_least(1))


def _check_moving(model: FEModel, name: str, held: tuple[str, ...]) -> None:
    """Refuse a contact surface without a free unknown: what is held cannot give."""
    moving = np.intersect1d(model.free, surface_unknowns(model, name))
    if not len(np.setdiff1d(moving, interface_unknowns(model, held))):
        raise InputError(
            f"contact surface '{name}' is held everywhere and cannot give; release it or name "
            "another surface"
        )


def _check_inside(model: FEModel, names: tuple[str, ...], inside: int) -> None:
    """Refuse an interface that leaves nothing inside, such as the face of a plate or beam."""
    if inside:
        return
    parts = ", ".join(sorted(joining_parts(model)))
    cure = f"`interface` may be {parts}" if parts else "name a smaller one"
    raise InputError(
        f"invalid interface {', '.join(names)}: expected unknowns inside, but it moves with all of "
        f"the body; {cure}, or use method 'rubin'"
    )


def _check_size(interface: int, modes: int) -> None:
    """Refuse constraint modes in a number that no simulation can carry."""
    if interface + modes > LARGEST_CRAIG_BAMPTON:
        raise InputError(
            f"the Craig-Bampton basis would have {interface + modes} coordinates, {interface} of "
            f"them unknowns of the interface; allowed are {LARGEST_CRAIG_BAMPTON}. Reduce the "
            "interface with interface_modes (--interface-modes), about 100, or use method 'rubin'"
        )
