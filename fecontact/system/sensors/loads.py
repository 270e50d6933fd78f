"""Forces and moments of items over many times at once.

A contact tells them by the fields of its points, A (p n + T) on the slave. Of all other items the
generalised force on the dofs of a body is taken: its part along the translations is the force, that
along the rotations the moment about the point which the translations move.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fecontact.errors import InputError, unknown
from fecontact.joint.lowered.rows import lowered_constraint
from fecontact.kernels.lowered import changed
from fecontact.system.assembly import Assembly
from fecontact.system.sensors.points import States
from fecontact.system.sensors.sample import item_numbers
from fecontact.system.sensors.sensor import LoadSensor
from fecontact.typing import Floats

__all__ = [
    "body_of",
    "contact_load",
    "contact_sign",
    "dofs_of_load",
    "item_forces",
    "item_load",
    "point_forces",
]

NAMES = {"force": ("ux", "uy", "uz"), "moment": ("rx", "ry", "rz")}
"""Dofs that tell a load."""


def point_forces(weights: Floats, pressure: Floats, normal: Floats, traction: Floats) -> Floats:
    """Forces (k, p, 3) on the slave in N: A (p n + T)."""
    return np.asarray(weights[:, None] * (pressure[:, :, None] * normal + traction))


def contact_load(sensor: LoadSensor, pair: Any, fields: dict[str, Floats]) -> Floats:
    """Reading (k,) of a sensor of a contact from the fields (k, p, ...) of its points."""
    weights, sign = pair.surface.weights, contact_sign(sensor, pair)
    if sensor.direction == "normal":
        return np.asarray(fields["pressure"] @ weights)
    force = point_forces(weights, fields["pressure"], fields["normal"], fields["traction"])
    if sensor.of == "moment":
        force = np.cross(fields["position"] - np.asarray(sensor.about), force)
    return np.asarray(sign * force.sum(axis=1) @ sensor.along())


def contact_sign(sensor: LoadSensor, pair: Any) -> float:
    """1 on the slave, -1 on the master; another body is refused."""
    names = [body.name for body in pair.bodies]
    on = sensor.on or pair.slave.name
    if on not in names:
        raise unknown(f"body of contact '{pair.name}' in sensor '{sensor.name}'", on, names)
    return 1.0 if on == pair.slave.name else -1.0


def body_of(sensor: LoadSensor, item: Any) -> Any:
    """Body on which the load of an item is read: by default the last one that tells it."""
    bodies = {body.name: body for body in item.bodies}
    if sensor.on is None:
        names = NAMES[sensor.of]
        telling = [body for body in bodies.values() if not {*names}.isdisjoint(body.dofs)]
        return (telling or list(bodies.values()))[-1]
    if sensor.on not in bodies:
        raise unknown(f"body of '{item.name}' in sensor '{sensor.name}'", sensor.on, bodies)
    return bodies[sensor.on]


def dofs_of_load(sensor: LoadSensor, item: Any) -> list[tuple[int, int]]:
    """Component of the load, and the dof of the body that tells it.

    A body without translations and rotations, as one that only deforms, is refused.
    """
    body = body_of(sensor, item)
    names = NAMES[sensor.of]
    dofs = list(body.dofs)
    known = [(i, dofs.index(name)) for i, name in enumerate(names) if name in dofs]
    if not known:
        others = [one.name for one in item.bodies if one.name != body.name]
        cure = f"on='{others[0]}'" if others else "a sensor on a rigid body that it holds"
        raise InputError(
            f"sensor '{sensor.name}': body '{body.name}' has none of the dofs {', '.join(names)}, "
            f"which tell the {sensor.of}: expected {cure}"
        )
    return known


def item_forces(item: Any, states: States, lam: Floats) -> Floats:
    """Generalised forces (k, n) of an item on its bodies; of a constraint A^T lam."""
    m = lam.shape[1]
    if m:
        return _row_forces(item, states, lam)
    lowered = None if changed(item) else item.lowered() if hasattr(item, "lowered") else None
    if lowered is not None and not lowered.in_python:
        return item_numbers(lowered, *states[:3])
    found = [item.force(float(t), q, v) for t, q, v, _ in zip(*states, strict=True)]
    return np.reshape(found, (len(states.t), states.v.shape[1]))


def _row_forces(constraint: Any, states: States, lam: Floats) -> Floats:
    lowered, (k, m) = lowered_constraint(constraint), lam.shape
    if lowered is not None:
        rows = item_numbers(lowered, *states[:3], rows=m)
    else:
        rows = np.array([
            constraint.at(float(t), q, v).jacobian for t, q, v, _ in zip(*states, strict=True)
        ])  # fmt: skip
    return np.einsum("kmn,km->kn", rows.reshape(k, m, -1), lam)


def item_load(
    sensor: LoadSensor, item: Any, assembly: Assembly, states: States, forces: Floats
) -> Floats:
    """Reading (k,) from the generalised forces (k, n) on the bodies of an item."""
    body, first = body_of(sensor, item), 0
    for one in item.bodies:
        if one is body:
            break
        first += len(one.dofs)
    load = np.zeros((len(states.t), 3))
    for component, dof in dofs_of_load(sensor, item):
        load[:, component] = forces[:, first + dof]
    if sensor.of == "moment":
        load = _in_space(body, states.of(assembly, [body.name]).q, load)
    return np.asarray(load @ sensor.along())


def _in_space(body: Any, q: Floats, moment: Floats) -> Floats:
    """Moments (k, 3) in space components; those along rotations are in components of the body."""
    rotation = getattr(body, "rotation", None)
    if rotation is None:
        return moment
    turned = np.array([rotation(own) for own in q]).reshape(-1, 3, 3)
    return np.einsum("kij,kj->ki", turned, moment)
