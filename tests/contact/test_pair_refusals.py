"""What a contact refuses, or warns of, in one line that names the cure."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

from fecontact.body import ElasticBody, RigidBody
from fecontact.contact import (
    ContactHistory,
    ContactModuli,
    ContactPair,
    ContactStart,
    Coulomb,
    CoulombSliding,
    ElasticFace,
    ElastoPlastic,
    FrictionTable,
    HertzPoint,
    JKRContact,
    MindlinFriction,
    PenaltyNormal,
    Plane,
    RigidFace,
    Sphere,
    Surface,
    TableNormal,
    Torus,
    check_penalty,
    conical,
    elastic_surface,
    winkler_layer,
)
from fecontact.contact.evaluate.compiled.points import threads_of
from fecontact.errors import InputError
from fecontact.fem import ElasticSolid, Material
from fecontact.mesh import block
from fecontact.reduction import reduce_model

BLOCK = RigidBody("block", 1.0, ("ux", "uz"))
POINT = Surface(np.zeros((1, 3)), np.ones(1))
STEEL = ContactModuli(210e9, 0.3)


def pair(normal, master=None):
    return ContactPair(BLOCK, POINT, master or RigidFace(None, Plane()), normal,
                       ElastoPlastic(0.3, 1e3))  # fmt: skip


def test_zero_area():
    with pytest.raises(InputError, match=r"smallest weight 0.0.* a positive area"):
        Surface(np.zeros((2, 3)), np.array([1.0, 0.0]))
    with pytest.raises(InputError, match="surface of 0 points"):
        Surface(np.zeros((0, 3)), np.zeros(0))


@pytest.mark.parametrize("law", [CoulombSliding, lambda mu: ElastoPlastic(mu, 1.0)])
def test_negative_mu(law):
    with pytest.raises(InputError, match=r"mu = -0.1.* expected >= 0"):
        law(-0.1)


def test_mu_table_not_monotone():
    with pytest.raises(InputError, match=r"speeds =.* expected rising values"):
        FrictionTable(np.array([0.0, 2.0, 1.0]), np.ones(3))


def test_penalty_too_soft_or_too_stiff():
    with pytest.warns(UserWarning, match="too soft: it adds"):
        check_penalty(1e13, STEEL, 1e-3)
    with pytest.warns(UserWarning, match="pressures will oscillate"):
        check_penalty(1e20, STEEL, 1e-3, cell=1e-4)


def test_missing_master():
    with pytest.raises(InputError, match=r"invalid master = None:.* RigidFace"):
        ContactPair(BLOCK, POINT, None, PenaltyNormal(1.0), CoulombSliding(0.3))


def test_initial_penetration_larger_than_the_layer():
    layer = pair(winkler_layer(modulus=1e6, thickness=1e-3))
    deep, still = np.array([0.0, -1.1e-3]), np.zeros(2)
    with pytest.raises(InputError, match=r"0.0011 m deep in a layer of 0.001 m: move the bodies"):
        ContactStart.of(layer, 0.0, deep, still, ContactHistory.fresh(1))
    with pytest.raises(InputError, match=r"0.0011 m deep in a layer of 0.001 m: move the bodies"):
        layer.begin(0.0, deep, still, ContactHistory.fresh(1))
    ContactStart.of(layer, 0.0, np.array([0.0, -0.9e-3]), still, ContactHistory.fresh(1))
    ContactStart.of(pair(PenaltyNormal(1e9)), 0.0, deep, still, ContactHistory.fresh(1))
    with pytest.raises(InputError, match="thickness = 0"):
        PenaltyNormal(1.0, thickness=0.0)


def test_start_beyond_the_table_of_a_facing():
    """Its last slope continues, so that it is a warning."""
    facing = pair(TableNormal(np.array([0.0, 1e-3]), np.array([0.0, 1e3])))
    deep, still = np.array([0.0, -1.1e-3]), np.zeros(2)
    with pytest.warns(UserWarning, match=r"0.0011 m deep,.* table.* ends at 0.001 m"):
        facing.begin(0.0, deep, still, ContactHistory.fresh(1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        facing.begin(0.0, 0.8 * deep, still, ContactHistory.fresh(1))


@pytest.mark.parametrize("points", [1, 3])
def test_history_of_another_number_of_points(points):
    """Compiled kernels would take what they find."""
    one, rest = pair(PenaltyNormal(1e6, 10.0)), np.zeros(2)
    two = replace(one, surface=Surface(np.eye(3)[:2], np.ones(2)))
    for answer in (two.begin, two.rate):
        with pytest.raises(InputError, match=f"history of {points} points: expected 2"):
            answer(0.0, rest, rest, ContactHistory.fresh(points))


def test_contact_with_itself():
    """A rigid body does not touch itself, and no surface touches itself."""
    with pytest.raises(InputError, match="expected two bodies"):
        pair(PenaltyNormal(1e3), RigidFace(BLOCK, Plane((0.0, 0.0, -0.1))))
    mesh = block(0.1, 0.1, 0.1, cells=(1, 1, 1))
    model = reduce_model(
        ElasticSolid(mesh, Material(1e9, 0.3, 1000.0), element="hex1"),
        contact=["z_min", "z_max"], modes=1, method="free",
    )  # fmt: skip
    body = ElasticBody("cube", model)
    with pytest.raises(InputError, match="expected two surfaces"):
        ContactPair(body, elastic_surface(body, "z_max"), ElasticFace(body, "z_max"),
                    PenaltyNormal(1e3), ElastoPlastic(0.3, 1e3))  # fmt: skip


SPEEDS, MU = np.array([0.0, 1.0]), np.array([0.4, 0.3])
BALL = HertzPoint(STEEL, 0.01)
NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: FrictionTable(np.array([0.0, NAN]), MU), r"speeds = .*2 finite numbers"),
        (lambda: FrictionTable(np.array([0.0]), MU[:1]), r"speeds = .*2 finite numbers"),
        (lambda: FrictionTable(np.array([]), MU[:0]), r"speeds = .*2 finite numbers"),
        (lambda: FrictionTable(SPEEDS, MU[:, None], np.array([INF])), r"pressures = .*finite"),
        (lambda: FrictionTable(SPEEDS, MU, static=0.35), r"static mu = 0.35.* least mu = 0.4"),
        (lambda: ElastoPlastic("0.3", 1e3), r"mu = '0.3'.* a number >= 0 or a law"),
        (lambda: ElastoPlastic(None, 1e3), "mu = None"),
        (lambda: ElastoPlastic(0.3, "1"), "invalid friction stiffness = 1"),
        (lambda: ElastoPlastic(0.3, np.float32(INF)), "stiffness = inf.* a finite number"),
        (lambda: Surface(np.zeros((1, 3)), np.array([INF])), "largest inf"),
        (lambda: Plane(point=(0.0, NAN, 0.0)), "plane: invalid point"),
        (lambda: Plane(normal=(0.0, INF, 0.0)), "plane: invalid normal"),
        (lambda: Sphere(1.0, (NAN, 0.0, 0.0)), "sphere: invalid centre"),
        (lambda: Torus(0.1, 0.2), r"torus: invalid section = 0.2 m.* <= radius = 0.1"),
        (lambda: conical(-0.1, 0.2, 1e-3), "conical inner = -0.1 m"),
        (lambda: pair(None), r"normal = None.* PenaltyNormal\(stiffness\)"),
        (lambda: pair(BALL.law), r"normal = HertzPoint.law without brackets"),
        (lambda: pair(PenaltyNormal), r"normal = PenaltyNormal without brackets"),
        (lambda: pair(BALL), r"normal = HertzPoint\(.* or the law\(\) of HertzPoint"),
        (lambda: pair(PenaltyNormal(1.0), RigidFace), "master = RigidFace without brackets"),
        (lambda: ElastoPlastic(Coulomb, 1e3), r"mu = Coulomb without brackets.* Coulomb\(mu\)"),
        (lambda: FrictionTable(["a", "b"], MU), r"speeds = \['a', 'b'\].* numbers"),
        (lambda: FrictionTable(SPEEDS, ["x", 0.2]), r"coefficients = \['x', 0.2\]"),
        (lambda: replace(pair(PenaltyNormal(1.0)), slave=None), "slave = None.* EulerianPair"),
        (lambda: replace(pair(PenaltyNormal(1.0)), surface=np.zeros((1, 3))), "type Surface"),
        (lambda: threads_of("abc"), "FECONTACT_THREADS = abc.* an integer >= 1"),
        (lambda: threads_of("0"), "FECONTACT_THREADS = 0"),
        (lambda: JKRContact(STEEL, 0.01, 0.05).law(0.0), "bond_time = 0.0 s"),
    ],
)
def test_impossible_values(make, words):
    with pytest.raises(InputError, match=words) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_missing_friction():
    with pytest.raises(InputError, match="friction = None"):
        ContactPair(BLOCK, POINT, RigidFace(None, Plane()), PenaltyNormal(1.0), None)


def test_numbers_of_numpy_are_numbers():
    law = ElastoPlastic(np.float32(0.25), np.float32(1e3))
    assert law.coefficient == Coulomb(0.25)


@pytest.mark.parametrize("law", [ElastoPlastic(0.3, 1e3), MindlinFriction(BALL, 0.3, 1.0)])
def test_continuous_law_without_damping(law):
    still, status = np.zeros((1, 3)), np.ones(1, dtype=int)
    with pytest.raises(InputError, match=r"friction damping = 0.* time steps do without"):
        law.d_rate(still, still, np.ones(1), status)


@pytest.mark.parametrize("shape", [Plane(), Plane(normal=(0.0, 0.0, -1.0))], ids=["up", "down"])
@pytest.mark.parametrize("face", ["z_min", "z_max"])
def test_a_face_that_looks_away_from_its_master(face: str, shape: Plane) -> None:
    """A block lies on a floor with its bottom, and hangs under a ceiling with its top.

    A floor that the top will only touch when the block has turned over is no mistake.
    """
    soft = Material(1e7, 0.3, 1000.0)
    solid = ElasticSolid(block(0.2, 0.2, 0.1, cells=(1, 1, 1), order=2), soft)
    body = ElasticBody("brick", reduce_model(solid, face, modes=2, method="free"))
    surface, height = elastic_surface(body, face), 0.0 if face == "z_min" else 0.1
    where = RigidBody("rest", 1.0, ("uz",), position=(0.0, 0.0, height))
    laws = PenaltyNormal(1e6), CoulombSliding(0.3)
    if (face == "z_min") == (shape.normal[2] > 0.0):
        ContactPair(body, surface, RigidFace(where, shape), *laws)
    else:
        with pytest.raises(InputError, match=r"contact: invalid normal .* towards 'brick'"):
            ContactPair(body, surface, RigidFace(where, shape), *laws)
        far = RigidBody("far", 1.0, ("uz",), position=(0.0, 0.0, height - 0.2 * shape.normal[2]))
        ContactPair(body, surface, RigidFace(far, shape), *laws)
