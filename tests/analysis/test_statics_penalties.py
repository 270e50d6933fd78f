"""Penalties that do not fit their bodies: statics warns of them, or refuses the path."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest

from fecontact.analysis import LoadPathError, StaticSystem, load_path
from fecontact.body import FEBody, RigidBody
from fecontact.contact import (
    ContactPair,
    FEFace,
    PenaltyNormal,
    RigidFace,
    fe_surface,
    winkler_layer,
)
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.master.shape import Plane
from fecontact.contact.patch.hertz import ContactModuli
from fecontact.fem import ElasticSolid, Material, Orthotropic
from fecontact.joint import DofCoordinate, Line, PrescribedMotion, Speed, SurfaceLoad
from fecontact.mesh import block
from fecontact.reduction import condense
from fecontact.system import System

STEEL, CORK = Material(210e9, 0.3, 7800.0), Material(1e8, 0.0, 200.0)
SIZE, DEPTH = (0.1, 0.08, 0.05), 1e-7
PLATE = Plane((0.0, 0.0, SIZE[2]), (0.0, 0.0, -1.0))
SIDES = {name: name[0] for name in ("x_min", "x_max", "y_min", "y_max")}
RADIUS = np.sqrt(SIZE[0] * SIZE[1] / np.pi)


def column(normal, material=STEEL, **more):
    """Confined column, pressed by a rigid plate."""
    supports = {"z_min": "clamped"} | SIDES | more
    solid = ElasticSolid(block(*SIZE, (3, 2, 2)), material, supports=supports)
    body, plate = FEBody("column", solid), RigidBody("plate", 1.0, ("uz",))
    laws = normal, ElastoPlastic(0.2, 1e13)
    pair = ContactPair(body, fe_surface(body, "z_max"), RigidFace(plate, PLATE), *laws)
    push = PrescribedMotion(DofCoordinate(plate, "uz"), Speed(-DEPTH))
    return StaticSystem(System([body, plate], [pair, push]))


def stack(stiffness):
    """Cork on steel; the cork carries the points."""
    low = ElasticSolid(block(*SIZE, (2, 2, 1)), STEEL, supports={"z_min": "clamped"})
    mesh = block(*SIZE, (2, 2, 1)).translated((0.0, 0.0, SIZE[2]))
    high = ElasticSolid(mesh, CORK, supports={"z_max": "clamped"})
    return joined(low, high, (PenaltyNormal(stiffness), ElastoPlastic(0.2, stiffness)))


def joined(low, high, laws):
    """Two bodies; the upper one carries the points."""
    below, above = FEBody("below", low), FEBody("above", high)
    points, face = fe_surface(above, "z_min", parts=1), FEFace(below, "z_max")
    pair = ContactPair(above, points, face, *laws, name="joint")
    return StaticSystem(System([below, above], [pair]))


def share(stiffness, pair):
    """E*/(pi a c): share of the approach, with the radius of the whole surface."""
    return pair.modulus / (np.pi * RADIUS * stiffness)


def silent(problem):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        problem.start()


def test_too_soft():
    pair = ContactModuli(210e9, 0.3, np.inf, 0.0)
    words = re.escape(f"too soft: it adds {share(1e12, pair):.0%} to the approach of half-spaces")
    advised = f"{share(1.0, pair) / 0.005:.2g}"
    with pytest.warns(UserWarning, match=rf"^contact: stiffness 1e\+12 N/m\^3 is {words}") as found:
        load_path(column(PenaltyNormal(1e12)), [1.0])
    assert f"penalty_for() gives {advised}" in str(found[0].message)
    silent(column(PenaltyNormal(float(advised))))
    silent(column(PenaltyNormal(1.1 * share(1.0, pair) / 0.1)))


def test_too_stiff():
    """Above a thousand times the cells; 3 x 2 facets of 8 nodes are 29 nodes with 54 points."""
    least = SIZE[0] * SIZE[1] / 6 * (5 / 18) ** 2  # Gauss point in the corner of a facet
    limit = 1e3 * 210e9 / 0.91 / np.sqrt(least * 54 / 29)
    with pytest.warns(UserWarning, match="^contact: stiffness.* pressures will oscillate"):
        column(PenaltyNormal(1.01 * limit)).start()
    silent(column(PenaltyNormal(0.99 * limit)))


def test_two_bodies():
    """The softer body decides: what is right on cork is too soft between twice steel."""
    pair = ContactModuli(1e8, 0.0, 210e9, 0.3)
    silent(stack(1.1 * share(1.0, pair) / 0.1))
    with pytest.warns(UserWarning, match="^joint: stiffness.* too soft"):
        stack(0.9 * share(1.0, pair) / 0.1).start()
    with pytest.warns(UserWarning, match="^joint: stiffness.* oscillate"):
        stack(1e15).start()


def test_matching_pairs():
    """Two steel bodies have half the modulus: half the share."""
    solid = ElasticSolid(block(*SIZE, (3, 2, 2)), STEEL, supports={"z_min": "clamped"} | SIDES)
    one, _ = condense(solid, "z_max")
    both = one.against(one.mirrored())
    for model, modulus in ((one, 210e9 / 0.91), (both, 0.5 * 210e9 / 0.91)):
        body = FEBody("body", model)
        laws = PenaltyNormal(1e8), ElastoPlastic(0.2, 1e13)
        points = fe_surface(body, "z_max")
        pair = ContactPair(body, points, RigidFace(None, PLATE), *laws)
        added = modulus / (np.pi * RADIUS * 1e8)
        with pytest.warns(UserWarning, match=f"adds {added:.0%} to"):
            load_path(StaticSystem(System([body], [pair])), [1.0])


def test_what_is_not_judged():
    """A layer is as soft as it is; a held surface cannot give way; materials without E and nu."""
    silent(column(winkler_layer(1e6, 0.01)))
    silent(column(PenaltyNormal(1e6), z_max="z"))
    wood = Orthotropic((1e10, 1e9, 1e9), (0.3, 0.3, 0.3), (1e9, 1e9, 1e9), 500.0)
    silent(column(PenaltyNormal(1e6), wood))


@pytest.mark.filterwarnings("ignore:contact. stiffness")
def test_round_off_of_a_stiff_penalty_is_refused():
    """p = u/(1/c + h/E_c) as long as a path is returned; at 1e22 N/m^3 it was 1 % of the forces."""
    nu = STEEL.poisson
    confined = STEEL.young * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu))
    for stiffness in (1e14, 1e16, 1e18):
        force = load_path(column(PenaltyNormal(stiffness)), [1.0]).force()[-1, 2]
        exact = DEPTH * SIZE[0] * SIZE[1] / (1.0 / stiffness + SIZE[2] / confined)
        assert -force == pytest.approx(exact, rel=1e-4)  # the share that may be left
    words = r"^the contact is too stiff: .*softer penalty"
    with pytest.raises(LoadPathError, match=words) as error:
        load_path(column(PenaltyNormal(1e22)), [1.0])
    assert error.value.path.increments == []


def test_increments_without_load_are_not_refused():
    """A free body on its seat: no force but round-off at first, then 200 N."""
    solid = ElasticSolid(block(*SIZE, (2, 2, 1)), STEEL, supports=SIDES)
    body = FEBody("body", solid, seat=(0.0, 0.0, -1.234567e-7))
    load = SurfaceLoad(body, "z_max", (0.0, 0.0, -200.0), factor=Line(gradient=1.0))
    laws = PenaltyNormal(3e14), ElastoPlastic(0.2, 3e14)
    points = fe_surface(body, "z_min", parts=1)
    pair = ContactPair(body, points, RigidFace(None, Plane()), *laws)
    problem = StaticSystem(System([body], [pair, load]))
    path = load_path(problem, [0.0, 0.5, 1.0, 0.0])
    assert path.force()[:, 2] == pytest.approx([0.0, 100.0, 200.0, 0.0], abs=0.02)
    for loads in ([0.0], [0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1e-6, 1.0]):
        path = load_path(problem, loads)
        assert path.force()[:, 2] == pytest.approx(200.0 * np.array(loads), abs=0.02)


@pytest.mark.filterwarnings("ignore:joint. stiffness")
def test_round_off_does_not_depend_on_the_numbers_of_facets():
    """Two steel blocks: fine masters have facets of high numbers, and no more round-off."""
    allowed = []
    for cells in (2, 6):
        low = ElasticSolid(block(*SIZE, (cells, cells, 1)), STEEL, supports={"z_min": "clamped"},
                           element="hex1")  # fmt: skip
        mesh = block(*SIZE, (2, 2, 1)).translated((0.0, 0.0, SIZE[2] - 1e-9))
        high = ElasticSolid(mesh, STEEL, supports={"z_max": "clamped"}, element="hex1")
        problem = joined(low, high, (PenaltyNormal(3e14), ElastoPlastic(0.2, 3e14)))
        start = problem.start()
        allowed.append(problem.at(start, 1.0, start.x).round_off)
        last = load_path(problem, [1.0]).increments[-1]
        assert last.imbalance < 1e-6 * last.forces
    assert allowed[0] == pytest.approx(allowed[1], rel=0.1)
