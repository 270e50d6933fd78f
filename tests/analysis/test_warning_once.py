"""Warnings of analyses: at the line of the caller, once for each cause."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import fecontact
from fecontact.analysis import (
    Branch,
    MapAxis,
    critical_value,
    stability_map,
    steady_state,
    sweep,
    track_modes,
)
from fecontact.body import ElasticBody, RigidBody
from fecontact.case.registry import load_module
from fecontact.contact import ContactPair, CoulombSliding, RigidFace, rectangle, winkler_layer
from fecontact.contact.master.shape import Plane
from fecontact.errors import PlausibilityWarning, warn_caller, warning_once
from fecontact.fem import ElasticSolid, Material
from fecontact.joint import Bearing, Force, Gravity
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.system import System

coupling = load_module("classic/mode_coupling")
PAD = rectangle(0.02, 0.02, (2, 2))
LAYER = winkler_layer(modulus=1e8, thickness=1e-3)


def sinking(share, spin=3.0, names=("contact",)):
    """Pads on a spinning table, each pressed into its layer by a share of its thickness."""
    table = RigidBody("table", 1.0, (), spin=spin)
    parts, items = [], []
    for number, name in enumerate(names):
        pad = RigidBody(f"block {number}", 1.0, ("uz",), position=(0.1, 0.0, 0.0))
        face = RigidFace(table, Plane())
        items += [
            ContactPair(pad, PAD, face, LAYER, CoulombSliding(0.3), name=name),
            Force(pad, (0.0, 0.0, -share * 1e8 * PAD.measure), name=f"load {number}"),
        ]
        parts.append(pad)
    return System([*parts, table], items)


def said(work):
    """Warnings of some work, whatever the filters."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        work()
    return found


def test_a_sweep_says_it_once_and_where_it_was_called():
    found = said(lambda: sweep(sinking, np.linspace(0.25, 0.3, 12), "load"))
    assert [re.findall("pressed in by.* m, 25% of the layer", str(w.message)) for w in found] == [
        ["pressed in by 0.00025 m, 25% of the layer"]
    ]
    assert found[0].filename == __file__
    assert found[0].category is UserWarning


def test_each_contact_is_a_cause_of_its_own():
    names = ("pad 1", "pad 2")
    found = said(lambda: sweep(lambda x: sinking(x, names=names), [0.25, 0.3], "load"))
    assert sorted(re.findall("contact '(.*?)'", str(w.message))[0] for w in found) == list(names)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_map_says_it_once_wherever_its_points_are_evaluated(jobs):
    """Deep from the middle on: neither the first point nor that of any process tells it alone."""
    x, y = MapAxis("share", 0.1, 0.3), MapAxis("spin", 1.0, 2.0)
    found = said(lambda: stability_map(sinking, x, y, seed=(10, 10), levels=0, jobs=jobs))
    mine = [w for w in found if "pressed in by" in str(w.message)]
    assert len(mine) == 1
    assert mine[0].filename == __file__


def test_values_that_a_build_gives_are_said_once_at_their_line():
    def build(mu):
        p = coupling.ModeCoupling(friction=0.9)
        CoulombSliding(mu).coefficient  # noqa: B018
        return coupling.build(p)

    found = said(lambda: sweep(build, [30.0, 31.0, 32.0], "mu"))
    assert [w.category for w in found] == [PlausibilityWarning]
    assert "mu = 30" in str(found[0].message)


class Narrow(RigidBody):
    """A body that is valid up to 100 Hz."""

    def validity(self, v):
        return 100.0 + 1e-3 * float(np.abs(v).sum())


def two(mu):
    """Mode coupling at 225 Hz, beyond the validity of a mass that swings at 8 Hz."""
    system = coupling.build(coupling.ModeCoupling(friction=mu, damping=20.0))
    mass = Narrow("mass", 1.0, ("uy",))
    hold = Bearing(mass, 2500.0, 0.0, radial_damping=1.0, name="hold")
    forces = system.items[len(system.bodies) :]
    return System([*system.bodies, mass], [*forces, hold, *system.constraints])


def test_modes_that_grow_outside_the_band_are_said_once():
    for work in (
        lambda: sweep(two, np.linspace(0.8, 0.9, 8), "mu"),
        lambda: track_modes(Branch(two), np.linspace(0.8, 0.9, 4)),
    ):
        found = said(work)
        assert ["grow outside the band" in str(w.message) for w in found] == [True]
        assert found[0].filename == __file__


def test_a_search_for_the_boundary_says_it_once():
    def build(mu):
        return coupling.build(coupling.ModeCoupling(friction=mu, damping=20.0))

    def loud(mu):
        warn_caller(f"mu = {mu} is asked for")
        return build(mu)

    quiet, boundary = Branch(build), []
    found = said(lambda: boundary.append(critical_value(Branch(loud), 0.1, 0.9).value))
    assert len(found) == 1
    assert boundary == [critical_value(quiet, 0.1, 0.9).value]
    assert len(quiet.points) > 5


def test_what_one_search_said_the_next_says_again():
    for _ in range(2):
        assert len(said(lambda: sweep(sinking, [0.25, 0.3], "load"))) == 1


def test_names_and_lines_tell_causes_apart():
    def work():
        with warning_once():
            for name in ("G_12", "G_13", "'disc 1'", "'disc 2'"):
                for value in (4.0, 5e-7):
                    warn_caller(f"{name} = {value} Pa is soft")
            warn_caller("G_12 = 4.0 Pa is soft")

    assert len(said(work)) == 5


def test_warnings_have_one_way_out():
    """Only `errors` warns; the kernels' warning has no caller."""
    root = Path(fecontact.__file__).parent
    texts = {path.relative_to(root).as_posix(): path.read_text() for path in root.rglob("*.py")}
    assert {name for name, text in texts.items() if "warnings.warn" in text} == {
        "errors.py",
        "kernels/store.py",
    }


@pytest.mark.parametrize(("strain", "loud"), [(0.15, True), (0.05, False)])
def test_a_steady_state_says_that_its_bodies_are_strained(strain, loud):
    """A bar that hangs: rho g L/E at its support, less half a cell of ten, with all its modes."""
    length, material = 10.0, Material(young=1e7, poisson=0.0, density=1000.0)
    guides = {"x_min": "x", "x_max": "x", "y_min": "y", "y_max": "y", "z_max": "z"}
    solid = ElasticSolid(block(2.0, 2.0, length, (1, 1, 10)), material, "hex1", supports=guides)
    body = ElasticBody("bar", reduce_model(solid, method="free", modes=10), frame="fixed")
    pull = Gravity([body], (0.0, 0.0, -strain * 1e7 / (1000.0 * length)))
    states = []
    found = said(lambda: states.append(steady_state(System([body], [pull]))))
    told = [w for w in found if "strains up to" in str(w.message)]
    assert len(told) == len(states[0].advice) == int(loud)
    if loud:
        assert str(told[0].message).startswith("bar: strains up to 14 %")  # 0.95 of 15 %
        assert told[0].filename == __file__
