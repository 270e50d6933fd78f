"""Bolts: springs in series, gaps that close, preload by name on full and reduced bodies."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fecontact.analysis import StaticSystem, load_path
from fecontact.body import ElasticBody, FEBody, RigidBody
from fecontact.contact import (
    ContactPair,
    ElastoPlastic,
    PenaltyNormal,
    Plane,
    RigidFace,
    elastic_surface,
    fe_surface,
)
from fecontact.errors import InputError
from fecontact.fem import (
    Assembly,
    Bolt,
    ElasticSolid,
    Material,
    RigidCoupling,
    static_displacement,
)
from fecontact.joint import Line, NodalLoad
from fecontact.joint.loads.generalised_force import GeneralisedForce
from fecontact.mesh import block
from fecontact.reduction import load_reduced, reduce_model, save_reduced
from fecontact.system import System

YOUNG, EDGE, LENGTH = 2e9, 0.02, 0.1
BAR_K = YOUNG * EDGE**2 / LENGTH
PLASTIC = Material(YOUNG, 0.0, 1000.0)
BOLT_K = 0.5 * BAR_K


def bar(shift=0.0, held="x_min"):
    mesh = block(LENGTH, EDGE, EDGE, (4, 1, 1)).translated((shift, 0.0, 0.0))
    return ElasticSolid(mesh, PLASTIC, supports={held: "clamped"})


@pytest.fixture(scope="module")
def two_bars():
    """Two bars with a gap of 1 mm between them, drawn together by a bolt across it."""
    parts = {"left": bar(), "right": bar(LENGTH + 1e-3, "x_max")}
    return Assembly(parts, bolts=[Bolt("bolt", "left.x_max", "right.x_min", BOLT_K)])


def test_springs_in_series(two_bars):
    """Members k_m = k/2 and bolt k_b: the gap closes by F_0/(k_b + k_m)."""
    preload, members = 100.0, BAR_K / 2.0
    u = static_displacement(two_bars, preload * two_bars.named_loads["bolt"])
    closing = preload / (BOLT_K + members)
    left = two_bars.part_displacement("left", u).reshape(-1, 3)
    right = two_bars.part_displacement("right", u).reshape(-1, 3)
    found = left[:, 0].max() - right[:, 0].min()
    assert found == pytest.approx(closing, rel=1e-9)
    force = preload - BOLT_K * closing
    assert BAR_K * left[:, 0].max() == pytest.approx(force, rel=1e-9)
    assert force == pytest.approx(preload * members / (BOLT_K + members), rel=1e-12)


def test_rigid_motion_does_not_load_it():
    """An axis across the line of the ends: still no force under a rotation."""
    free = {"a": ElasticSolid(bar().mesh, PLASTIC),
            "b": ElasticSolid(bar(0.2).mesh, PLASTIC)}  # fmt: skip
    bolt = Bolt("bolt", "a.x_max", "b.x_min", 1e6, axis=(1.0, 2.0, -1.0))
    body = Assembly(free, bolts=[bolt])
    modes = body.rigid_body_modes()
    assert np.abs(body.named_loads["bolt"] @ modes).max() < 1e-12
    assert np.abs(body.stiffness @ modes).max() < 1e-9 * abs(body.stiffness).max()


@pytest.fixture(scope="module")
def to_ground():
    """A bar that a bolt draws to a point held in space, beyond a wall."""
    plate = ElasticSolid(
        block(0.01, EDGE, EDGE, (1, 1, 1)).translated((2 * LENGTH, 0.0, 0.0)), PLASTIC,
    )  # fmt: skip
    return Assembly(
        {"bar": bar(), "anchor": plate},
        couplings=[RigidCoupling("ground", "anchor.x_min")],
        bolts=[Bolt("bolt", "bar.x_max", "ground", BOLT_K)],
        supports={"ground": "clamped"},
    )


def named(body, preload):
    """The preload as a load of a full or a reduced body."""
    kind = NodalLoad if isinstance(body, FEBody) else GeneralisedForce
    return kind(body, "bolt", factor=Line(gradient=preload))


@pytest.mark.parametrize("preload", [20.0, 400.0])
def test_preload_survives_reduction(to_ground, preload, tmp_path):
    """The reduced body under the load by name closes as the full one and the closed form."""
    reduced = reduce_model(to_ground, modes=4, joints="bar.x_max")
    save_reduced(reduced, tmp_path / "bar.h5")
    reduced = load_reduced(tmp_path / "bar.h5")
    load = reduced.named_loads["bolt"]
    assert load.energy_error < 0.01
    expected = preload / (BAR_K + BOLT_K)
    for body in (ElasticBody("bar", reduced, frame="fixed"), FEBody("bar", to_ground)):
        problem = StaticSystem(System([body], [named(body, preload)]))
        last = load_path(problem, [1.0]).increments[-1]
        full = isinstance(body, FEBody)
        q = problem.displacement(last, body)[to_ground.free] if full else last.x
        moved = body.marker("bar.x_max").displacement @ q
        assert moved[0] == pytest.approx(expected, rel=2e-4)


@pytest.mark.filterwarnings("ignore:contact")
@pytest.mark.parametrize("preload", [20.0, 400.0])
def test_preload_closes_a_gap(to_ground, preload):
    """(k + k_b) d + k_c (d - g)+ = F_0: open under 20 N, closed under 400 N; full and reduced."""
    gap, penalty = 1e-5, 1e11
    reduced = reduce_model(to_ground, "bar.x_max", modes=6)
    found = []
    for body in (ElasticBody("bar", reduced, frame="fixed"), FEBody("bar", to_ground)):
        face = (fe_surface if isinstance(body, FEBody) else elastic_surface)(body, "bar.x_max")
        wall = RigidFace(None, Plane((LENGTH + gap, 0.0, 0.0), (-1.0, 0.0, 0.0)))
        pair = ContactPair(body, face, wall, PenaltyNormal(penalty), ElastoPlastic(0.0, 1e6))
        last = load_path(
            System([body], [pair, named(body, preload)]), np.linspace(0.2, 1.0, 5)
        ).increments[-1]
        found.append(last)
    stiffness, contact = BAR_K + BOLT_K, penalty * EDGE**2
    free = preload / stiffness
    expected = contact * (preload - stiffness * gap) / (stiffness + contact) if free > gap else 0.0
    assert (expected > 0.0) == (preload > 100.0)
    for last in found:
        force = last.contacts["contact"].force
        np.testing.assert_allclose(np.abs(force[0]), expected, rtol=2e-3, atol=1e-9)


def test_refusals(to_ground):
    parts = {"bar": bar()}
    bad = {
        "stiffness of bolt 'b' = -1": lambda: Bolt("b", "bar.x_min", "bar.x_max", -1.0),
        "direction other than 0": lambda: Bolt("b", "a", "c", 1.0, (0.0, 0.0, 0.0)),
        "both ends at one place: expected its axis": lambda: Assembly(
            parts, bolts=[Bolt("b", "bar.x_max", "bar.x_max", 1.0)]
        ),
        "unknown surface 'rim'": lambda: Assembly(
            parts, bolts=[Bolt("b", "rim", "bar.x_max", 1.0)]
        ),
        "two bolts with the name 'b'": lambda: Assembly(
            parts, bolts=[Bolt("b", "bar.x_min", "bar.x_max", 1.0)] * 2
        ),
    }
    for message, make in bad.items():
        with pytest.raises(InputError, match=message):
            make()
    reduced = reduce_model(to_ground, modes=2)
    body = ElasticBody("bar", reduced, frame="fixed")
    with pytest.raises(InputError, match="unknown load 'screw'; known: bolt"):
        GeneralisedForce(body, "screw").force(0.0, body.reference(), body.reference())
    with pytest.raises(InputError, match="unknown load 'screw'; known: bolt"):
        NodalLoad(FEBody("bar", to_ground), "screw")
    with pytest.raises(InputError, match="unknown load of end 'bolt'; known: none"):
        GeneralisedForce(RigidBody("end", 1.0, ("ux",)), "bolt")
    load = replace(reduced.named_loads["bolt"], resultant=np.ones(6))
    assert ElasticBody("bar", reduced).named_load("bolt").shape == (6 + reduced.size,)
    floating = ElasticBody("bar", replace(reduced, named_loads={"bolt": load}))
    with pytest.raises(InputError, match="'bolt' in a moving frame: expected one without force"):
        GeneralisedForce(floating, "bolt")
