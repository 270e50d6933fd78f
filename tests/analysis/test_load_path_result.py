"""Load paths of a system as results: on a System, in memory, in a file, continued, interrupted."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.analysis import StaticSystem, linearise, load_path, steady_state
from fecontact.body import FEBody, RigidBody
from fecontact.contact import (
    ContactPair,
    ElastoPlastic,
    PenaltyNormal,
    Plane,
    RigidFace,
    fe_surface,
)
from fecontact.errors import InputError
from fecontact.fem import ElasticSolid, Material
from fecontact.integrate import simulate
from fecontact.joint import Force, Gravity, Line, Spherical, SurfaceLoad
from fecontact.mesh import block
from fecontact.results import BodyGeometry, Result
from fecontact.system import System

SIZE = 0.05
LOADS = [0.25, 0.5, 0.75, 1.0]


@pytest.fixture(scope="module")
def system():
    """A block on the ground, a rod on a ball joint on top of it, pulled along."""
    solid = ElasticSolid(block(SIZE, SIZE, 0.02, (2, 2, 1)), Material(1e7, 0.3, 1000.0))
    body = FEBody("block", solid, seat=(0.0, 0.0, -1e-6))
    rod = RigidBody("rod", 0.1, ("ux", "uy", "uz"), position=(SIZE / 2, SIZE / 2, 0.02 - 1e-6))
    laws = PenaltyNormal(1e10), ElastoPlastic(0.4, 1e9)
    pair = ContactPair(body, fe_surface(body, "z_min"), RigidFace(None, Plane()), *laws)
    ball = Spherical(body, rod, point_a="z_max", name="ball")
    pull = Force(rod, (1.2, 0.0, -3.0), factor=Line(gradient=1.0), name="pull")
    press = SurfaceLoad(body, "z_max", pressure=100.0)
    return System([body, rod], [pair, ball, pull, press, Gravity([body, rod])])


@pytest.fixture(scope="module")
def path(system):
    return load_path(system, LOADS)


def test_system_and_static_system_are_the_same(system, path):
    again = load_path(StaticSystem(system), LOADS)
    np.testing.assert_array_equal(path.x, again.x)
    with pytest.raises(InputError, match="expected a System"):
        load_path("system", LOADS)


def test_result(system, path):
    """Contact fields, histories, reactions of the increments under the names of simulations."""
    result = path.result
    assert (result.method, result.status, len(result)) == ("statics", "finished", 4)
    np.testing.assert_array_equal(result.t, LOADS)
    np.testing.assert_array_equal(
        result["contact.pressure"][-1], path.increments[-1].contacts["contact"].pressure
    )
    weight = 9.80665 * (0.1 + 1000.0 * SIZE**2 * 0.02)
    assert result["contact.normal_force"] == pytest.approx(
        [weight + 100.0 * SIZE**2 + 3.0 * t for t in LOADS], rel=1e-4
    )
    assert result["contact.friction_force"][-1] == pytest.approx([-1.2, 0.0, 0.0], abs=1e-4)
    assert path.reaction("ball").force == pytest.approx([-1.2, 0.0, 3.0 + 0.980665], abs=1e-5)
    assert result["rod.ux"] == pytest.approx(list(result.q[:, -3]))
    state = result.state()
    load = system.reaction(state, "ball").on["block"]
    assert load.force == pytest.approx(-path.reaction("ball").force, rel=1e-9)
    assert "FEBody" in str(system)


def test_file_and_restart(system, path, tmp_path):
    """A file holds the same; a path in two parts is the whole one."""
    file = tmp_path / "path.h5"
    drawn = [BodyGeometry.of(body) for body in system.bodies[:1]]
    load_path(system, LOADS[:2], store=file, geometry=drawn)
    half = Result.load(file, system)
    assert (half.status, len(half)) == ("finished", 2)
    after = load_path(system, LOADS[2:], restart=file)
    whole = Result.load(file, system)
    assert len(whole) == 4
    np.testing.assert_array_equal(whole.t, LOADS)
    np.testing.assert_allclose(after.x[-1], path.x[-1], rtol=0, atol=1e-12)
    for name in ("contact.pressure", "contact.traction", "contact.status", "contact.slip_work"):
        size = np.abs(path.result[name]).max()
        np.testing.assert_allclose(whole[name], path.result[name], rtol=0, atol=1e-7 * size)
    in_memory = load_path(system, LOADS[2:], restart=load_path(system, LOADS[:2]))
    np.testing.assert_allclose(in_memory.x[-1], path.x[-1], rtol=0, atol=1e-12)
    slip = [each.contacts["contact"].slip_work.sum() for each in (in_memory.increments[-1],)]
    assert slip == pytest.approx([path.slip_work()[-1]], rel=1e-6)
    positions = whole.positions(0)
    u = path.displacement(system.bodies[0])
    top = np.argmax(drawn[0].points[:, 2] + drawn[0].points[:, 0])
    moved = positions[-1, top] - drawn[0].points[top]
    nodes = system.bodies[0].model.nodes
    same = int(np.argmin(np.linalg.norm(nodes - drawn[0].points[top], axis=1)))
    np.testing.assert_allclose(moved, u.reshape(-1, 3)[same], atol=1e-12)
    assert not isinstance(whole.geometry[0].shapes, np.ndarray)
    with pytest.raises(InputError, match="expected a load path"):
        load_path(system, LOADS, restart=simulated())


def simulated():
    return simulate(System([RigidBody("mass", 1.0, ("ux",))], []), 0.1, output=0.1)


def test_interrupt_returns_the_part(system, path, tmp_path):
    file = tmp_path / "path.h5"

    def stop(increment):
        if increment.t == LOADS[1]:
            raise KeyboardInterrupt

    part = load_path(system, LOADS, callback=stop, store=file)
    assert not part.complete
    np.testing.assert_array_equal(part.x, path.x[:2])
    assert part.result.status == "interrupted"
    kept = Result.load(file)
    assert (kept.status, len(kept)) == ("interrupted", 2)
    rest = load_path(system, LOADS[2:], restart=file)
    np.testing.assert_allclose(rest.x[-1], path.x[-1], rtol=0, atol=1e-12)


def test_full_bodies_have_statics_only(system):
    """Refused in one line with the cure, before anything is computed."""
    for answer in (
        lambda: simulate(system, 1.0),
        lambda: simulate(system, 1.0, method="explicit"),
        lambda: simulate(system, 1.0, method="ode"),
        lambda: steady_state(system),
        lambda: linearise(system, system.rest()),
        lambda: system.mass_matrix(system.rest().q),
    ):
        with pytest.raises(InputError, match=r"expected statics.*reduce_model") as caught:
            answer()
        assert "\n" not in str(caught.value)
