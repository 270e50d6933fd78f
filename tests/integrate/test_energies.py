"""Energies of linear items as quadratic forms, against the items themselves."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from fecontact.body import ElasticBody, RigidBody
from fecontact.fem import ElasticSolid, Material
from fecontact.integrate import simulate
from fecontact.integrate.audit import stored_energies
from fecontact.integrate.explicit.energies import linear_energies
from fecontact.integrate.explicit.linear import linear_items
from fecontact.joint import Bearing, Force, Gravity, TorsionSpring
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.system import System


@dataclass(frozen=True, eq=False)
class Charged(Bearing):
    """A bearing that stores what no force tells."""

    def energy(self, t, q, v):
        return super().energy(t, q, v) + 3e4 * float(q @ q) ** 2


@dataclass(frozen=True, eq=False)
class Carried(RigidBody):
    """A body with a part of its kinetic energy that is not in its coordinates."""

    def kinetic_energy(self, q, v, t=0.0):
        return super().kinetic_energy(q, v, t) + 0.7


def machine(bearing=Bearing, body=RigidBody):
    mesh = block(0.1, 0.08, 0.02, cells=(2, 2, 1))
    solid = ElasticSolid(mesh, Material(2e9, 0.3, 2700.0), supports={"z_max": "clamped"})
    slab = ElasticBody("slab", reduce_model(solid, contact="z_min", modes=3), (0.0, 0.0, 0.0),
                       "fixed", damping=0.01)  # fmt: skip
    plate = body("plate", 2.0, ("ux", "uz", "rz"), (0.02, 0.02, 0.03), (0.1, 0.0, 0.3))
    items = [
        Gravity([plate]),
        TorsionSpring(None, plate, 2e3, damping=0.3),
        bearing(plate, 1e6, 3e5, offset=(1e-3, 0.0, 2e-4), radial_damping=20.0),
        Force(plate, (1.0, 0.0, 2.0)),
    ]
    return System([slab, plate], items)


@pytest.mark.parametrize(
    ("parts", "potential", "kinetic"),
    [({}, [], []), ({"bearing": Charged}, ["bearing"], []), ({"body": Carried}, [], ["plate"])],
)
def test_energies_are_those_of_the_items(parts, potential, kinetic):
    """At random states and times; items of another form are asked."""
    system = machine(**parts)
    energies = linear_energies(system, linear_items(system))
    assert [item.name for item in energies.potential.asked] == potential
    assert [body.name for body, _ in energies.asked] == kinetic
    assert energies.strain.asked == ()
    rng = np.random.default_rng(5)
    for size in (1e-5, 1e-2, 1.0):
        rest = system.rest()
        q, v = (x + size * rng.standard_normal(system.size) for x in (rest.q, rest.v))
        state = replace(rest, t=rng.random(), q=q, v=v)
        expected = stored_energies(system, state, {})
        found = energies(state)
        np.testing.assert_allclose(found, expected[[0, 1, 2, 5]], rtol=1e-11)


@pytest.mark.parametrize("parts", [{}, {"bearing": Charged}, {"body": Carried}])
def test_the_audit_of_both_backends(parts):
    """The compiled loop with its forms, the general one with the items."""
    system = machine(**parts)
    start = system.state(q={"plate.uz": 1e-3}, v={"plate.rz": 1.0})
    fast, slow = (
        simulate(system, 2e-3, start, "explicit", 5e-4, step=1e-5, backend=backend)
        for backend in ("compiled", "general")
    )
    size = max(np.ptp(line) for line in slow.energies.values())
    for name, line in slow.energies.items():
        np.testing.assert_allclose(fast.energies[name], line, atol=1e-6 * size, err_msg=name)
