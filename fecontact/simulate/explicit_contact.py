"""Contacts for the compiled explicit loop: frames of slave and master as functions of q and v."""

from __future__ import annotations

import numpy as np

from fecontact.body.elastic import ElasticBody
from fecontact.body.marker import GroundMarker, Marker, RigidMarker
from fecontact.body.rigid import RigidBody
from fecontact.contact._fused_blocks import FORCE_SUMS
from fecontact.contact.fused import fused
from fecontact.contact.pair import ContactPair
from fecontact.contact.rigid_face import RigidFace
from fecontact.errors import InputError
from fecontact.simulate._explicit_kernels import Contact, Side
from fecontact.simulate.explicit_linear import numbers
from fecontact.system import State, System
from fecontact.typing import Floats, Item

__all__ = ["compiled_contacts"]


def compiled_contacts(system: System, state: State) -> tuple[Contact, ...]:
    """Contacts with the history of a state; an `InputError` names one that cannot be compiled."""
    return tuple(_contact(system, item, state) for item in system.remembering)


def _contact(system: System, item: Item, state: State) -> Contact:
    kernel = fused(item) if isinstance(item, ContactPair) else None
    if kernel is None or not isinstance(item, ContactPair):
        raise _refused(item.name, "its surface or its laws are not those of `contact.fused`")
    q, v = system.local(item, state)
    feet = kernel.feet(q, v)
    if feet is None:
        raise _refused(item.name, "a point lies where the surface has no normal")
    history = system.memory.history(state, item.name)
    return Contact(
        points=kernel.points,
        laws=kernel.laws,
        slave=_slave(system, item),
        master=_master(system, item),
        anchor=feet.anchor,
        old=feet.normal,
        z=history.z.copy(),
        mode=history.mode.copy(),
        wear=history.wear.copy(),
        grip=np.full(kernel.points.size, -1.0),
        sums=np.empty_like(kernel.sums),
        total=np.empty(FORCE_SUMS + kernel.points.modes),
    )


def _slave(system: System, pair: ContactPair) -> Side:
    slave = pair.slave
    if isinstance(slave, RigidBody):
        return _rigid(system, pair.name, slave.marker())
    if isinstance(slave, ElasticBody) and slave.frame == "fixed":
        origin = np.asarray(slave.position, dtype=float)
        first = system.slices[slave.name].start
        return _still(system, origin, np.eye(3))._replace(first=first)
    raise _refused(pair.name, f"'{slave.name}' is not a rigid body or an elastic one held in place")


def _master(system: System, pair: ContactPair) -> Side:
    face = pair.master
    if isinstance(face, RigidFace) and isinstance(face.marker, GroundMarker):
        return _still(system, face.marker.home, face.marker.frame)
    if isinstance(face, RigidFace):
        return _rigid(system, pair.name, face.marker)
    raise _refused(pair.name, "its master is not a rigid surface")


def _rigid(system: System, name: str, marker: Marker) -> Side:
    if not isinstance(marker, RigidMarker) or marker.body.axes.shape[1] > 1:
        raise _refused(name, "a partner turns about more than one axis")
    body = marker.body
    own = numbers(system, body)
    moves, turns = body.directions.shape[1], body.axes.shape[1]
    shift, (angle, spin) = np.zeros((3, system.size)), np.zeros((2, system.size))
    shift[:, own[:moves]] = body.directions
    angle[own[moves : moves + turns]] = 1.0
    spin[own[moves + turns :]] = 1.0
    axis = body.axes[:, 0] if turns else np.zeros(3)
    return _still(system, np.asarray(body.position, dtype=float), marker.frame)._replace(
        shift=shift,
        axis=np.ascontiguousarray(axis, dtype=float),
        angle=angle,
        spin=spin,
        spin_rate=float(body.spin),
        place=np.ascontiguousarray(marker.point, dtype=float),
    )


def _still(system: System, origin: Floats, frame: Floats) -> Side:
    """A frame that does not move."""
    n, zero = system.size, np.zeros(3)
    none = np.zeros(n)
    frame = np.ascontiguousarray(frame, dtype=float)
    return Side(origin.copy(), np.zeros((3, n)), zero, none, none, 0.0, zero, frame, 0)


def _refused(name: str, why: str) -> InputError:
    return InputError(
        f"the compiled explicit loop is not possible for contact '{name}': {why}; use lane='auto' "
        "or 'general'"
    )
