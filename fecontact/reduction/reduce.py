"""Reduce a finite-element body, with its contact surfaces in view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from fecontact import __version__
from fecontact.errors import InputError, at_least, check, one_of
from fecontact.fem.model import FEModel, FESurface
from fecontact.reduction.attachment import Residual, residual
from fecontact.reduction.basis import check_orthonormal
from fecontact.reduction.craig_bampton import fixed_interface, interface_unknowns
from fecontact.reduction.estimate import (
    StaticResponse,
    contact_compliance,
    frequency_errors,
    traction_gram,
)
from fecontact.reduction.flexibility import Flexibility, Progress, silent
from fecontact.reduction.geometric import geometric_stiffness
from fecontact.reduction.inertia import inertia_integrals
from fecontact.reduction.interfaces import (
    HeldInterface,
    check_joints,
    held_interfaces,
    reduced_interface,
    usable_interfaces,
)
from fecontact.reduction.loads import (
    LoadShapes,
    default_loads,
    load_responses,
    load_vectors,
    reduced_load,
)
from fecontact.reduction.mesh_error import mesh_errors
from fecontact.reduction.methods import (
    ElasticBasis,
    craig_bampton_basis,
    modal_basis,
    with_attachment,
)
from fecontact.reduction.names import METHODS
from fecontact.reduction.origin import remember
from fecontact.reduction.reduced import (
    ContactEstimate,
    Provenance,
    ReducedModel,
    ReducedSurface,
    geometry_hash,
)
from fecontact.reduction.request import (
    check_mesh_error,
    check_model,
    check_static_shapes,
    check_surfaces,
)
from fecontact.typing import Floats

__all__ = ["METHODS", "reduce_model"]


TOLERANCE = 0.01
"""Largest static error by default, energy norm: 1e-4 of the compliance under any of the loads."""

ALL_RESIDUALS = 1e-6
"""Tolerance of the attachment modes that stand for the full residual flexibility."""


def reduce_model(
    model: FEModel,
    contact: str | Sequence[str] = (),
    *,
    method: str = "rubin",
    modes: int = 30,
    loads: Mapping[str, LoadShapes] | None = None,
    interface: str | Sequence[str] = (),
    interface_modes: int | None = None,
    joints: str | Sequence[str] = (),
    tolerance: float | None = None,
    layer: float = 0.0,
    cutoff: float | None = None,
    floating_frame: bool = True,
    mesh_error: bool = False,
    progress: Progress = silent,
) -> ReducedModel:
    """Reduce a finite-element body to few mass-orthonormal shapes.

    Parameters
    ----------
    model
        Finite-element body with its supports.
    contact
        Names of the surfaces that may touch something.
    method
        - "rubin": vibration modes of the body as supported, plus residual attachment modes of
          the contact load shapes. The default: right under contact loads.
        - "free": vibration modes of the body as supported, nothing else.
        - "fixed": as "free" with the interface held too; refused if the body can still move.
        - "craig-bampton": fixed-interface modes and constraint modes of the interface, which is
          the contact unless given; attachment modes of the contact load shapes where these miss
          them.
        - "quasi-static": as "free", and the residual flexibility of the contact load shapes acts
          statically, without coordinates (MacNeal; Waltersberger 5.64-5.67).
    modes
        Number of elastic vibration modes, one more if the last is the first of a pair; rigid
        motions are kept in addition.
    loads
        Load shapes per contact surface; `default_loads` for those not given.
    interface
        Names of the interface of "fixed" and "craig-bampton": surfaces of a solid, edges of a
        plate, stations of a beam. The face of a plate or beam moves with all its unknowns.
    interface_modes
        Second reduction of "craig-bampton": number of characteristic constraint modes; the
        shapes of the contact loads come on top. It must be given if the basis would have more
        than 500 coordinates without it.
    joints
        Names of the interfaces that joints, springs or loads will hold: surfaces, edges of a
        plate, curves of a mesh file. "rubin" and "craig-bampton" get static shapes of the force
        and moment there. The others are kept as well (`ReducedModel.interfaces`), each with its
        error.
    tolerance
        Largest static error (energy norm) under any of the load shapes that "rubin" and
        "craig-bampton" may leave, relative to body and layer; 0.01 unless given.
    layer
        Compliance in m/Pa of the contact layer on the surfaces, 1/c_n of the contact law. What is
        small beside it needs no coordinate: a larger layer gives a smaller basis with lower
        frequencies. The default is zero: every load counts by its own response, however small,
        so that one soft direction of the body hides none of the others.
    cutoff
        Largest circular frequency in rad/s of the static shapes of "rubin" and
        "craig-bampton", for a limited time step; all that `tolerance` asks for unless given. The
        error estimates tell what the shapes left out would have carried.
    floating_frame
        Compute inertia integrals and geometric stiffness, for bodies that move far.
    mesh_error
        Estimate how much the mesh raises the frequencies of the modes of a solid
        (`fecontact.reduction.mesh_error`), for about five times the time of the modes and three
        times the memory. Refused for plates, beams, matrices and Craig-Bampton bases.
    progress
        Called with the name of each stage as it begins.
    """
    check_model(model)
    check("method", method, one_of(METHODS))
    check("modes", modes, at_least(0))
    names, held, joined = _names(contact), _names(interface), _names(joints)
    check_static_shapes(method, names, joined, tolerance, cutoff, layer)
    if mesh_error:
        check_mesh_error(model, method)
    for name in loads or {}:
        check("surface of loads", name, one_of(names))
    check_surfaces(model, method, names, held, modes, interface_modes)
    known = usable_interfaces(model)
    check_joints(model, method, joined, known)
    if method == "fixed":
        flexibility = fixed_interface(model, interface_unknowns(model, held), progress)
    else:
        flexibility = Flexibility(model, progress=progress)
    families = {n: (loads or {}).get(n) or default_loads(model.surface(n)) for n in names}
    contacts = {
        n: _contact(model, flexibility, n, family, layer, progress)
        for n, family in families.items()
    }
    interfaces = held_interfaces(known, flexibility, progress)
    if method == "craig-bampton":
        inside = interface_unknowns(model, held or names)
        basis = craig_bampton_basis(
            model, flexibility.rigid, inside, modes, interface_modes, progress
        )
    else:
        basis = modal_basis(flexibility, modes)
    asked = tolerance or TOLERANCE, cutoff or np.inf
    named = load_responses(model, flexibility)
    of_joints = [interfaces[name].response for name in joined]
    shapes = _with_static_shapes(
        model, method, flexibility.rigid, basis, contacts, [*of_joints, *named.values()], asked
    )
    progress(f"error estimates, {shapes.basis.shapes.shape[1]} shapes")
    reduced = _assemble(model, flexibility, shapes.basis, shapes.judged, contacts)
    reduced = _with_joints(reduced, model, shapes.judged, interfaces, joined, named)
    parameters = {
        "modes": str(modes),
        "contact": ", ".join(names),
        "interface": ", ".join(held),
        "interface_modes": str(interface_modes),
        "joints": ", ".join(joined),
        "tolerance": str(tolerance),
        "layer": str(layer),
        "cutoff": str(cutoff),
        **{f"loads of {name}": repr(family) for name, family in families.items()},
    }
    provenance = replace(reduced.provenance, method=method, parameters=parameters)
    reduced = replace(reduced, residual=shapes.quasi_static, provenance=provenance)
    if mesh_error:
        reduced = _with_mesh_error(reduced, model, shapes.basis, progress)
    if floating_frame:
        reduced = _with_floating_frame(reduced, model, flexibility, progress)
    return remember(reduced, model)


def _names(surfaces: str | Sequence[str]) -> tuple[str, ...]:
    return (surfaces,) if isinstance(surfaces, str) else tuple(surfaces)


@dataclass(frozen=True)
class _Contact:
    """A contact surface with its static response to its load shapes and to a finer family."""

    surface: FESurface
    nominal: StaticResponse
    finer: StaticResponse


def _contact(
    model: FEModel,
    flexibility: Flexibility,
    name: str,
    family: LoadShapes,
    layer: float,
    progress: Progress,
) -> _Contact:
    surface = model.surface(name)
    tractions = family.finer().tractions(surface)
    progress(f"static response of '{name}', {len(tractions)} load shapes")
    forces = load_vectors(surface, tractions)
    gram = traction_gram(surface, tractions)
    finer = StaticResponse(tractions, gram, forces, flexibility.static(forces), layer)
    return _Contact(surface, finer.of(family.tractions(surface)), finer)


class _Shapes(NamedTuple):
    """Basis of a body; the shapes that answer static loads; what acts without coordinates."""

    basis: ElasticBasis
    judged: ElasticBasis
    quasi_static: Residual | None


def _with_static_shapes(
    model: FEModel,
    method: str,
    rigid: Floats,
    basis: ElasticBasis,
    contacts: Mapping[str, _Contact],
    others: Sequence[StaticResponse],
    asked: tuple[float, float],
) -> _Shapes:
    """Add to the modes what contacts, joints and loads ask for: tolerance, highest frequency."""
    if method in ("rubin", "craig-bampton"):
        responses = [contact.nominal for contact in contacts.values()]
        basis = with_attachment(model, rigid, basis, [*responses, *others], *asked)
        return _Shapes(basis, basis, None)
    if method == "quasi-static":
        alone = [replace(contact.nominal, layer=0.0) for contact in contacts.values()]
        judged = with_attachment(model, rigid, basis, alone, ALL_RESIDUALS)
        return _Shapes(basis, judged, _residual(basis, rigid, contacts))
    return _Shapes(basis, basis, None)


def _residual(basis: ElasticBasis, rigid: Floats, contacts: Mapping[str, _Contact]) -> Residual:
    """Flexibility of the contact load shapes beyond the modes."""
    if not contacts:
        raise InputError("the quasi-static method needs a contact surface; name it in `contact`")
    P = np.hstack([c.nominal.forces for c in contacts.values()])
    U = np.hstack([c.nominal.displacement for c in contacts.values()])
    D, E = residual(basis.shapes, basis.omega, P, U)
    labels = tuple(f"{name}: {t}" for name, c in contacts.items() for t in c.nominal.tractions)
    return Residual(labels, D, E, np.hstack([rigid, basis.shapes]).T @ P)


def _assemble(
    model: FEModel,
    flexibility: Flexibility,
    basis: ElasticBasis,
    judged: ElasticBasis,
    contacts: Mapping[str, _Contact],
) -> ReducedModel:
    """Check the basis and collect everything that is known about it but its provenance.

    `judged` are the shapes that answer static loads: the basis, or with it the residual.
    """
    Phi = np.hstack([flexibility.rigid, basis.shapes])
    check_orthonormal(model.mass, Phi)
    zeros = np.zeros(flexibility.rigid.shape[1])
    errors = frequency_errors(flexibility, model.mass, basis.omega, basis.shapes)
    return ReducedModel(
        basis=Phi,
        frequencies=np.concatenate([zeros, basis.omega]),
        rigid=len(zeros),
        exact=basis.exact,
        frequency_error=np.concatenate([zeros, errors]),
        next_frequency=basis.next_frequency,
        geometry=model.geometry,
        surfaces={name: _reduced_surface(c.surface, Phi) for name, c in contacts.items()},
        contact={name: _estimate(c, judged) for name, c in contacts.items()},
        provenance=Provenance("", {}, geometry_hash(model.geometry), __version__),
    )


def _with_joints(
    reduced: ReducedModel,
    model: FEModel,
    judged: ElasticBasis,
    interfaces: Mapping[str, HeldInterface],
    joined: Sequence[str],
    named: Mapping[str, StaticResponse],
) -> ReducedModel:
    """Add what is kept of interfaces and of loads with a name."""
    kept = {
        name: reduced_interface(each, reduced.basis, judged, name in joined)
        for name, each in interfaces.items()
    }
    loads = {n: reduced_load(model, load, reduced.basis, judged) for n, load in named.items()}
    return replace(reduced, interfaces=kept, named_loads=loads)


def _with_mesh_error(
    reduced: ReducedModel, model: FEModel, basis: ElasticBasis, progress: Progress
) -> ReducedModel:
    """Add the mesh error of the modes, if there are any."""
    if not basis.exact:
        return reduced
    shapes, omega = basis.shapes[:, : basis.exact], basis.omega[: basis.exact]
    return replace(reduced, mesh_error=mesh_errors(model, omega, shapes, progress))


def _with_floating_frame(
    reduced: ReducedModel, model: FEModel, flexibility: Flexibility, progress: Progress
) -> ReducedModel:
    """Add inertia integrals and geometric stiffness, or a note why they are absent."""
    progress("inertia integrals and geometric stiffness")
    inertia = inertia_integrals(model, reduced.basis)
    held = _held_beside_the_stress(model, flexibility)
    geometric = None if held else geometric_stiffness(model, flexibility, reduced.basis)
    missing = {
        "no inertia integrals: the model has no mass field": inertia is None,
        "no geometric stiffness: the interface does not hold the plate in its plane": held,
        "no geometric stiffness: the model does not offer it": geometric is None and not held,
    }
    notes = tuple(note for note, absent in missing.items() if absent)
    provenance = replace(reduced.provenance, notes=notes)
    return replace(reduced, inertia=inertia, geometric=geometric, provenance=provenance)


def _held_beside_the_stress(model: FEModel, flexibility: Flexibility) -> bool:
    """Whether a held interface leaves free the in-plane body of a plate, where the stress is."""
    held = len(flexibility.free) < len(model.free)
    return held and hasattr(model, "in_plane") and not getattr(model, "membrane", False)


def _reduced_surface(surface: FESurface, Phi: Floats) -> ReducedSurface:
    shape = np.asarray(surface.shape @ Phi)
    return ReducedSurface(surface.points, surface.weights, surface.normals, shape)


def _estimate(contact: _Contact, basis: ElasticBasis) -> ContactEstimate:
    families = contact.nominal.tractions, contact.finer.tractions
    return ContactEstimate(
        *contact_compliance(
            contact.surface, contact.finer, basis.omega, basis.shapes, basis.exact, families
        )
    )
