"""Contacts for the compiled explicit loop: frames of slave and master as functions of q and v."""

from __future__ import annotations

import numpy as np

from fecontact.body.base import as_body
from fecontact.body.motion import FrameParts
from fecontact.contact.eulerian_pair import EulerianPair
from fecontact.contact.evaluate.compiled.on_slave import (
    plate_surface,
    rolling,
    why_not_rolling,
)
from fecontact.contact.evaluate.compiled.rigid import compiled_rigid
from fecontact.contact.kernels.blocks import FORCE_SUMS, SMALLEST
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.pair import ContactPair
from fecontact.contact.report import ContactReport
from fecontact.contact.status import STICK
from fecontact.errors import InputError
from fecontact.integrate.explicit._kernels import Contact, Side
from fecontact.integrate.explicit._rolling import RollingContact, set_down
from fecontact.integrate.explicit.linear import item_dofs
from fecontact.system import State, System
from fecontact.typing import Body, Floats, Item

__all__ = ["compiled_contacts", "first_grip"]


def compiled_contacts(
    system: System, state: State
) -> tuple[tuple[Contact, ...], tuple[RollingContact, ...]]:
    """Contacts with the history of a state; an `InputError` names one that cannot be compiled.

    They are points on rigid surfaces, or Eulerian ones on plates.
    """
    contacts, rolling = [], []
    for index, item in enumerate(system.stateful_contacts):
        if isinstance(item, EulerianPair):
            rolling.append(_rolling(system, index, item, state))
        else:
            contacts.append(_contact(system, index, item, state))
    return tuple(contacts), tuple(rolling)


def first_grip(system: System, state: State, name: str, report: ContactReport) -> Floats:
    """Friction and force of the dampers (p, 4) of a contact at a start, in the compiled frame.

    Friction is negative where points stick.
    """
    item = next(item for item in system.stateful_contacts if item.name == name)
    assert report.bristles is not None
    damper, friction = report.bristles.damper, report.bristles.friction
    if not isinstance(item, EulerianPair):  # on a rigid surface: in the frame of the master
        assert isinstance(item, ContactPair)
        kernel = compiled_rigid(item)
        assert kernel is not None
        damper = damper @ kernel.master(*system.local(item, state)).rotation
    stuck = system.history_layout.history(state, name).status == STICK
    size = np.linalg.norm(friction, axis=1)
    return np.column_stack([np.where(stuck, -np.maximum(size, SMALLEST), size), damper])


def _rolling(system: System, index: int, pair: EulerianPair, state: State) -> RollingContact:
    why = why_not_rolling(pair)
    if why is not None:
        raise _refused(pair.name, why)
    contact = rolling(pair, system.history_layout.history(state, pair.name))
    slave = _slave(system, pair)
    first = system.slices[pair.master.bodies[0].name].start
    result = RollingContact(index, contact, plate_surface(pair), slave, first)
    if not set_down(result, state.q, state.v):
        raise _refused(pair.name, "a point has no projection point on the plate")
    return result


def _contact(system: System, index: int, item: Item, state: State) -> Contact:
    kernel = compiled_rigid(item) if isinstance(item, ContactPair) else None
    if kernel is None or not isinstance(item, ContactPair):
        raise _refused(item.name, "its master is no rigid surface, or its laws are not compiled")
    q, v = system.local(item, state)
    origin = kernel.origin(q, v)
    if origin is None:
        raise _refused(item.name, "a point lies where the surface has no normal")
    history = system.history_layout.history(state, item.name)
    return Contact(
        rank=index,
        points=kernel.points,
        laws=kernel.laws,
        slave=_slave(system, item),
        master=_master(system, item),
        anchor=origin.anchor,
        old=origin.normal,
        gap=origin.gap,
        z=history.z.copy(),
        status=history.status.copy(),
        slip_totals=history.slip_totals.copy(),
        grip=np.empty((kernel.points.size, 4)),
        sums=np.empty_like(kernel.sums),
        total=np.empty(FORCE_SUMS + kernel.points.modes),
        work=np.zeros(kernel.laws.working_size),
    )


def _slave(system: System, pair: ContactPair) -> Side:
    slave = as_body(pair.slave)
    parts = slave.frame_parts()
    if parts is None and not slave.rigid:
        why = f"'{slave.name}' is not a rigid body or an elastic one held in place"
        raise _refused(pair.name, why)
    return _side(system, pair.name, pair.slave, parts)


def _master(system: System, pair: ContactPair) -> Side:
    face = pair.master
    if not isinstance(face, RigidFace):
        raise _refused(pair.name, "its master is not a rigid surface")
    return _side(system, pair.name, face.body, face.marker.frame_parts())


def _side(system: System, name: str, body: Body | None, parts: FrameParts | None) -> Side:
    """Frame of a slave or of a master in the dofs of the system; a body of None is the ground."""
    if parts is None or parts.turn > 1:
        raise _refused(name, "a partner turns about more than one axis")
    shift, (angle, spin) = np.zeros((3, system.size)), np.zeros((2, system.size))
    first = 0
    if body is not None:
        own = item_dofs(system, body)
        shift[:, own], spin[own] = parts.shift, parts.spin
        angle[own] = np.any(parts.axes != 0.0, axis=0)
        first = system.slices[body.name].start
    axis = parts.axes.sum(axis=1)  # at most one column is not zero
    point, frame = (np.ascontiguousarray(part, dtype=float) for part in (parts.point, parts.frame))
    return Side(parts.origin.copy(), shift, axis, angle, spin, parts.spin_rate, point, frame, first)


def _refused(name: str, why: str) -> InputError:
    return InputError(
        f"invalid contact '{name}' in the compiled explicit loop: expected backend='auto' or "
        f"'general', as {why}"
    )
