"""Contacts for the compiled explicit loop: frames of slave and master as functions of q and v."""

from __future__ import annotations

import numpy as np

from fecontact.body.elastic import ElasticBody
from fecontact.body.marker import GroundMarker, Marker, RigidMarker
from fecontact.body.rigid import RigidBody
from fecontact.contact.evaluate.compiled import stepped
from fecontact.contact.evaluate.eulerian import EulerianPair
from fecontact.contact.evaluate.eulerian_compiled import rolling, why_not_rolling
from fecontact.contact.kernels.blocks import FORCE_SUMS, SMALLEST
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.pair import ContactPair
from fecontact.contact.status import STICK
from fecontact.errors import InputError
from fecontact.integrate.explicit._kernels import Contact, Side
from fecontact.integrate.explicit._rolling import RollingContact, set_down
from fecontact.integrate.explicit.linear import numbers
from fecontact.system import State, System
from fecontact.typing import ContactReport, Floats, Item

__all__ = ["compiled_contacts", "first_grip"]


def compiled_contacts(
    system: System, state: State
) -> tuple[tuple[Contact, ...], tuple[RollingContact, ...]]:
    """Contacts with the history of a state; an `InputError` names one that cannot be compiled.

    All of a system are of one kind: points on rigid surfaces, or Eulerian ones on plates.
    """
    rolls = [item for item in system.remembering if isinstance(item, EulerianPair)]
    if not rolls:
        return tuple(_contact(system, item, state) for item in system.remembering), ()
    for item in system.remembering:
        if item not in rolls:
            raise _refused(item.name, f"'{rolls[0].name}' is of another kind, EulerianPair")
    return (), tuple(_rolling(system, item, state) for item in rolls)


def first_grip(system: System, state: State, name: str, report: ContactReport) -> Floats:
    """Friction and force of the dampers (p, 4) of a contact at a start, in the compiled frame.

    Friction is negative where points stick.
    """
    item = next(item for item in system.remembering if item.name == name)
    assert report.bristles is not None
    damper, friction = report.bristles.damper, report.bristles.friction
    if not isinstance(item, EulerianPair):  # on a rigid surface: in the frame of the master
        assert isinstance(item, ContactPair)
        kernel = stepped(item)
        assert kernel is not None
        damper = damper @ kernel.master(*system.local(item, state)).rotation
    stuck = system.memory.history(state, name).mode == STICK
    size = np.linalg.norm(friction, axis=1)
    return np.column_stack([np.where(stuck, -np.maximum(size, SMALLEST), size), damper])


def _rolling(system: System, pair: EulerianPair, state: State) -> RollingContact:
    why = why_not_rolling(pair)
    if why is not None:
        raise _refused(pair.name, why)
    contact = rolling(pair, system.memory.history(state, pair.name))
    slave = _rigid(system, pair.name, pair.slave.marker())
    first = system.slices[pair.master.bodies[0].name].start
    result = RollingContact(contact, slave, first)
    if not set_down(result, state.q, state.v):
        raise _refused(pair.name, "a point has no foot on the plate")
    return result


def _contact(system: System, item: Item, state: State) -> Contact:
    kernel = stepped(item) if isinstance(item, ContactPair) else None
    if kernel is None or not isinstance(item, ContactPair):
        raise _refused(
            item.name, "its surface or its laws are not those of `contact.evaluate.compiled`"
        )
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
        gap=feet.gap,
        z=history.z.copy(),
        mode=history.mode.copy(),
        wear=history.wear.copy(),
        grip=np.empty((kernel.points.size, 4)),
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
