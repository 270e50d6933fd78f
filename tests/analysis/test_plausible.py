"""What has no balance is refused before it is searched for; what has one is not."""

from __future__ import annotations

import warnings
from importlib import import_module

import numpy as np
import pytest

from fecontact.analysis import (
    LoadPathError,
    StaticSystem,
    load_path,
    operating_point,
    steady_state,
)
from fecontact.analysis.steady import equilibrium
from fecontact.analysis.steady.plausible import check_system
from fecontact.body import DOFS, ElasticBody, FEBody, RigidBody
from fecontact.contact import (
    ContactPair,
    CoulombSliding,
    ElasticFace,
    ElastoPlastic,
    PenaltyNormal,
    RigidFace,
    Surface,
    elastic_surface,
    fe_surface,
    mesh_surface,
    rectangle,
    ring,
)
from fecontact.contact.master.shape import Plane, Sphere
from fecontact.errors import InputError, SolverError
from fecontact.fem import ElasticSolid, Material
from fecontact.joint import (
    Bearing,
    Force,
    Line,
    NodalLoad,
    SoftStop,
    SpringDamper,
    SupportMotion,
)
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.system import System

LOAD, STIFFNESS = 10.0, 1e7
UP, DOWN = (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)
POINT = Surface(np.zeros((1, 3)), np.ones(1))
TURNED = r"contact.*looks? the same way"
"""Said by the pair where the surface lies on its master, by analyses wherever it is."""
SLIDING, STICKING = CoulombSliding(0.3), ElastoPlastic(0.3, STIFFNESS)


@pytest.fixture
def no_search(monkeypatch):
    """The answer comes before any iteration."""

    def search(*args, **options):
        raise AssertionError("Newton's method was called")

    monkeypatch.setattr(equilibrium, "newton", search)
    monkeypatch.setattr(import_module("fecontact.analysis.statics.load_path"), "newton", search)


def table(normal=UP, belt=0.5, force=-LOAD, dofs=("uz",), surface=POINT, friction=SLIDING):
    """Block on a spinning table, or on one at rest."""
    body = RigidBody("block", 1.0, dofs, inertia=(1.0, 1.0, 1.0), position=(0.1, 0.0, 0.0))
    ground = RigidBody("table", 5.0, ("uz",), spin=belt)
    pair = ContactPair(body, surface, RigidFace(ground, Plane(normal=normal)),
                       PenaltyNormal(STIFFNESS), friction)  # fmt: skip
    return System([body, ground], [pair, Bearing(ground, 1e9, 1e9), Force(body, (0.0, 0.0, force))])


@pytest.mark.usefixtures("no_search")
@pytest.mark.parametrize(("normal", "force"), [(DOWN, -LOAD), (UP, LOAD)])
def test_a_load_that_pulls_apart_is_named(normal, force):
    with pytest.raises(SolverError, match=r"10 N along block\.uz pulls 'contact' apart.*normal"):
        operating_point(table(normal, force=force))
    with pytest.raises(LoadPathError, match=r"10 N along block\.uz pulls 'contact' apart"):
        load_path(StaticSystem(table(normal, 0.0, force, friction=STICKING)), [1.0])


@pytest.mark.usefixtures("no_search")
def test_dofs_that_nothing_holds_are_named():
    free = table(dofs=DOFS, belt=0.0, surface=rectangle(0.1, 0.1))
    with pytest.raises(SolverError, match=r"block\.ux, along block\.uy, along block\.rz: no"):
        steady_state(free)
    mass = RigidBody("mass", 1.0)
    with pytest.raises(SolverError, match=r"nothing holds the system along mass\.ux"):
        steady_state(System([mass], [Force(mass, (1.0, 0.0, 0.0))]))


@pytest.mark.usefixtures("no_search")
def test_coupled_bodies_are_pulled_off_together():
    """Neither coordinate is free by itself: a spring couples them."""
    pad, weight = (RigidBody(name, 1.0, ("uz",), position=(0.1, 0.0, z))
                   for name, z in (("pad", 0.0), ("weight", 0.1)))  # fmt: skip
    pair = ContactPair(pad, POINT, RigidFace(None, Plane()), PenaltyNormal(STIFFNESS), STICKING)
    items = [pair, SpringDamper(pad, weight, 1e5), Force(weight, (0.0, 0.0, LOAD))]
    with pytest.raises(LoadPathError, match=r"along pad\.uz \+ weight\.uz pulls 'contact' apart"):
        load_path(StaticSystem(System([pad, weight], items)), [1.0])


def test_contacts_without_slip_are_named():
    for friction in (SLIDING, STICKING):
        with pytest.raises(SolverError, match=r"contact 'contact' has no slip velocity.*load_path"):
            steady_state(table(belt=0.0, friction=friction))


def test_no_load_is_said():
    with pytest.warns(UserWarning, match="no load acts: contact 'contact' carries nothing"):
        steady_state(table(force=0.0))
    with pytest.warns(UserWarning, match="no load acts: contact 'contact' carries nothing"):
        load_path(StaticSystem(table(belt=0.0, force=0.0, friction=STICKING)), [1.0])


@pytest.mark.usefixtures("no_search")
def test_no_load_is_said_where_round_off_presses():
    """Gaps of 5e-17 m at places of 0.1 m are the last bit; a load as small is none of them."""
    feet = Surface(np.array([[0.1, 0.0, -5e-17], [-0.1, 0.0, 5e-17]]), np.ones(2))
    with pytest.warns(UserWarning, match="no load acts: contact 'contact' carries nothing"):
        found = steady_state(table(force=0.0, surface=feet))
    np.testing.assert_array_equal(found.state.q, 0.0)
    with pytest.raises(AssertionError, match="Newton's method was called"):
        steady_state(table(force=-1e-12, surface=feet))


@pytest.mark.parametrize("obstacle", ["stop", "ball", "plane"])
def test_what_stops_the_body_later_is_found(obstacle):
    """Falling from 30 mm on a stop, on a ball of 4 mm, on a plane: u = -0.03 - F/c."""
    body = RigidBody("block", 1.0, ("uz",), position=(0.0, 0.0, 0.0))
    turning = RigidBody("table", 1.0, (), spin=3.0)
    items = {
        "stop": lambda: SoftStop(None, body, STIFFNESS, 0.03, axis=DOWN),
        "ball": lambda: ContactPair(
            body, Surface(np.array([[1e-9, 0.0, 0.0]]), np.ones(1)),
            RigidFace(turning, Sphere(0.004, (0.0, 0.0, -0.034))), PenaltyNormal(STIFFNESS),
            SLIDING,
        ),
        "plane": lambda: ContactPair(
            body, ring(0.1, 4), RigidFace(turning, Plane((0.0, 0.0, -0.03))),
            PenaltyNormal(STIFFNESS / (0.2 * np.pi)), SLIDING,
        ),
    }  # fmt: skip
    system = System([body, turning], [items[obstacle](), Force(body, (0.0, 0.0, -LOAD))])
    check_system(system, system.rest())
    near = np.array([-0.0300005]) if obstacle == "ball" else None  # Newton's steps jump over it
    found = steady_state(system, near)
    assert found.state.q[0] == pytest.approx(-0.03 - LOAD / STIFFNESS, rel=1e-6)


@pytest.fixture(scope="module")
def cube():
    solid = ElasticSolid(block(0.05, 0.05, 0.05, cells=(1, 1, 1)), Material(7e10, 0.3, 2700.0))
    return reduce_model(solid, ("z_min", "z_max"), modes=0)


@pytest.mark.usefixtures("no_search")
@pytest.mark.parametrize("points", ["elastic", "parts", "rigid", "facets"])
def test_a_slave_behind_its_master_is_refused(cube, points):
    """Facets of the slave look against the normal of the master, whatever the load is."""
    body = ElasticBody("cube", cube)
    if points == "rigid":
        mesh = block(0.05, 0.05, 0.05)
        body = RigidBody.from_mesh("cube", mesh, 2700.0)
        surface = {name: mesh_surface(mesh, name) for name in ("z_min", "z_max")}
    else:
        parts = 2 if points == "parts" else None
        surface = {name: elastic_surface(body, name, parts=parts) for name in ("z_min", "z_max")}
    if points == "facets":
        low = ElasticBody("low", cube, position=(0.0, 0.0, -0.05))
        master = {1: ElasticFace(low, "z_max"), -1: ElasticFace(low, "z_min")}
    else:
        master = {k: RigidFace(None, Plane(normal=(0.0, 0.0, k))) for k in (1, -1)}
    for name, side in (("z_max", 1), ("z_min", -1)):
        for find in (steady_state, lambda system: load_path(StaticSystem(system), [1.0])):
            with pytest.raises(InputError, match=TURNED):
                find(pressed(body, surface[name], master[side]))


def pressed(body, surface, master):
    pair = ContactPair(body, surface, master, PenaltyNormal(1e10), STICKING)
    bodies = list(dict.fromkeys([body, *pair.bodies]))
    return System(bodies, [pair, Force(body, (0.0, 0.0, -LOAD))])


def cork_cube(normal, move, supports, force=0.0, seat=(0.0, 0.0, 0.0)):
    model = ElasticSolid(block(1.0, 1.0, 1.0, (1, 1, 1)), Material(1e6, 0.0, 200.0),
                         supports=supports)  # fmt: skip
    top = (model.nodes[:, 2] > 1.0 - 1e-9)[:, None] * np.array(UP)
    body, rise = FEBody("cube", model, seat), Line(gradient=1.0)
    loads = [SupportMotion(body, (move * top).ravel(), factor=rise)] if supports else []
    if force:
        loads.append(NodalLoad(body, (force / top[:, 2].sum() * top).ravel(), factor=rise))
    points, ground = fe_surface(body, "z_min", parts=1), RigidFace(None, Plane(normal=normal))
    contact = ContactPair(body, points, ground, PenaltyNormal(1e8), STICKING)
    return StaticSystem(System([body], [contact, *loads]))


HELD, PRESSED = {"z_max": "clamped"}, (0.0, 0.0, -1e-4)


def test_fe_statics_before_the_search(no_search):
    for problem in ((DOWN, -0.02, HELD), (DOWN, 0.0, {}, -LOAD, PRESSED)):
        with pytest.raises(InputError, match=TURNED):
            load_path(cork_cube(*problem), [1.0])
    with pytest.raises(LoadPathError, match="10 N along z of 'cube' pulls 'contact' apart"):
        load_path(cork_cube(UP, 0.0, {}, LOAD, PRESSED), [0.0, 1.0])


def test_fe_statics_that_never_touches_is_said():
    with pytest.warns(UserWarning, match="contact 'contact' touches nowhere along the path"):
        load_path(cork_cube(UP, 0.02, HELD), [1.0])
    with pytest.warns(UserWarning, match="no load acts"):
        load_path(cork_cube(UP, 0.0, HELD), [1.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        path = load_path(cork_cube(UP, -0.02, HELD), [0.0, 1.0])
        free = load_path(cork_cube(UP, 0.0, {}, -LOAD, PRESSED), [0.0, 1.0])
    np.testing.assert_allclose(path.force()[-1], [0.0, 0.0, 0.02 / (1e-6 + 1e-8)], atol=1e-6)
    np.testing.assert_allclose(free.force()[-1], [0.0, 0.0, LOAD], atol=1e-6)
