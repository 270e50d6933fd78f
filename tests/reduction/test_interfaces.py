"""Interfaces of reduced bodies: joints against the full finite-element body, bounds, files."""

from __future__ import annotations

import json
import warnings
from dataclasses import fields

import h5py
import numpy as np
import pytest

from fecontact.analysis import load_path
from fecontact.body import DOFS, ElasticBody, FEBody, RigidBody
from fecontact.errors import InputError
from fecontact.fem import STEEL, ElasticSolid, KirchhoffPlate, Material, MindlinPlate
from fecontact.fem.mean_motion import fit_rows
from fecontact.joint import Bushing, Force, RigidJoint
from fecontact.mesh import annulus, block, edges_on_nodes, solid_annulus, with_node_sets
from fecontact.reduction import load_reduced, reduce_model, save_reduced
from fecontact.reduction.file import _checksum, _collect
from fecontact.reduction.flexibility import Flexibility
from fecontact.system import System

SOFT = Material(2e9, 0.3, 1000.0)
SOLID = ElasticSolid(block(0.1, 0.03, 0.02, (3, 2, 1)), SOFT, supports={"x_min": "clamped"})
FREE = ElasticSolid(SOLID.mesh, SOFT)
NAMES = ["x_max", "x_min", "y_max", "y_min", "z_max", "z_min"]


@pytest.fixture(scope="module")
def held():
    return reduce_model(SOLID, "z_max", modes=6, joints="x_max")


def unit_answer(solid, name):
    """Compliance (6, 6) of the mean motion of a surface under unit forces and moments."""
    _, rows, _ = fit_rows(solid.surface(name).points, solid.surface(name).weights)
    R = rows @ solid.surface(name).shape
    return R @ Flexibility(solid).static(R.T)


@pytest.mark.parametrize("solid", [SOLID, FREE], ids=["held", "free"])
def test_compliance_is_that_of_the_full_body(solid):
    """Full and reduced answer to a force and a moment; the stated error is a bound for each."""
    asked = reduce_model(solid, "z_max", modes=6, joints="x_max")
    rng = np.random.default_rng(1)
    assert sorted(asked.interfaces) == NAMES
    for name, interface in asked.interfaces.items():
        expected = unit_answer(solid, name)
        size = np.sqrt(np.outer(np.diag(expected), np.diag(expected))) + 1e-300
        given = interface.compliance
        np.testing.assert_allclose(given.full / size, expected / size, atol=1e-9)
        motion = interface.motion[:, asked.rigid :]
        reduced = motion / asked.frequencies[asked.rigid :] ** 2 @ motion.T
        np.testing.assert_allclose(given.reduced / size, reduced / size, atol=1e-9)
        for c in rng.standard_normal((20, 6)) / np.sqrt(np.diag(size)):
            missing = (c @ (expected - reduced) @ c) / (c @ expected @ c + 1e-300)
            assert missing <= given.energy_error**2 * (1 + 1e-6) + 1e-9


def test_named_joint_has_static_shapes(held):
    without = reduce_model(SOLID, "z_max", modes=6)
    assert held.interfaces["x_max"].joint
    assert not held.interfaces["y_min"].joint
    assert held.interfaces["x_max"].compliance.energy_error < 0.01
    assert without.interfaces["x_max"].compliance.energy_error > 0.02
    assert held.size > without.size
    assert held.provenance.parameters["joints"] == "x_max"
    # the basis is right for the joint only where it was asked for
    alone = reduce_model(SOLID, modes=6)
    joined = reduce_model(SOLID, modes=6, joints="x_max", tolerance=1e-3)
    assert joined.interfaces["x_max"].compliance.energy_error < 1e-3
    assert alone.size == 6 < joined.size <= 12
    estimate = joined.interfaces["x_max"].compliance
    assert joined.validity_frequency(0.05) > 0.0
    assert estimate.missed_by_modes > 0.1  # so that the validity frequency speaks of the joint
    assert joined.validity_frequency(0.05) < alone.next_frequency


def test_joint_on_a_surface_without_contact(held):
    """A rigid part on a spring, joined to the free end: statics of reduced and full body agree."""
    found = []
    bodies = [
        ElasticBody("bar", held, frame="fixed"),
        FEBody("bar", SOLID),
    ]
    for bar in bodies:
        end = RigidBody("end", 0.1, DOFS, (1e-4,) * 3, (0.1, 0.015, 0.01))
        joint = RigidJoint(bar, end, point_a="x_max", name="joint")
        spring = Bushing(None, end, (0.0, 0.0, 2e4, 0.0, 0.0, 0.0))
        system = System([bar, end], [joint, spring, Force(end, (3.0, 0.0, -5.0))])
        path = load_path(system, [1.0])
        found.append(np.concatenate([path.reaction("joint").force, path.reaction("joint").moment]))
    np.testing.assert_allclose(found[0], found[1], rtol=0, atol=1e-3 * np.abs(found[1]).max())
    assert abs(found[1][2]) > 1.0


def test_held_surface_moves_with_the_frame():
    """A joint on a clamped surface holds the frame itself; there is no error and no warning."""
    body = reduce_model(SOLID, "z_max", modes=4)
    clamped = body.interfaces["x_min"]
    assert not clamped.motion.any()
    assert clamped.compliance.energy_error == 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        marker = ElasticBody("bar", body, (0.0, 0.0, 1.0)).marker("x_min")
    np.testing.assert_allclose(marker.home, [0.0, 0.015, 1.01], atol=1e-12)
    q = np.concatenate([[0.1, 0.2, 0.3, 1.0, 0.0, 0.0, 0.0], np.full(body.size, 1e-3)])
    at = marker.at(q, np.zeros(6 + body.size))
    np.testing.assert_allclose(at.position, marker.home + q[:3], atol=1e-12)
    np.testing.assert_allclose(at.rotation, np.eye(3), atol=1e-12)
    with pytest.raises(InputError, match="joint at 'x_min': expected an interface that can move"):
        reduce_model(SOLID, modes=4, joints="x_min")


def test_doubtful_joint_is_told():
    poor = reduce_model(SOLID, modes=2)
    with pytest.warns(UserWarning, match=r"'y_max' with an error of up to \d+%: .*joints='y_max'"):
        ElasticBody("bar", poor, frame="fixed").marker("y_max")


def test_what_is_not_possible(held):
    bar = ElasticBody("bar", held, frame="fixed")
    with pytest.raises(InputError, match=r"'x_max' has no contact points.*one of z_max; .*contact"):
        bar.attachments.shapes("x_max")
    with pytest.raises(InputError, match="unknown surface 'rim'; known: x_max, x_min, y_max"):
        bar.marker("rim")
    with pytest.raises(InputError, match="unknown interface 'rim'; known: x_max, x_min"):
        reduce_model(SOLID, modes=4, joints="rim")
    for method in ("free", "quasi-static"):
        with pytest.raises(InputError, match=f"joints = x_max with method '{method}'"):
            reduce_model(SOLID, "z_max", method=method, modes=4, joints="x_max")


def test_curves_edges_and_lines():
    """A curve of a solid has a displacement and two rotations; plates have edges."""
    mesh = SOLID.mesh
    line = np.flatnonzero((mesh.p[0] == 0.1) & (mesh.p[2] == 0.0))
    named = with_node_sets(mesh, {"line": edges_on_nodes(mesh, line)})
    solid = ElasticSolid(named, SOFT, supports={"x_min": "clamped"})
    curve = reduce_model(solid, modes=4, joints="line").interfaces["line"]
    np.testing.assert_allclose(curve.position, [0.1, 0.015, 0.0], atol=1e-12)
    assert not curve.defined
    assert curve.compliance.energy_error < 0.01
    assert curve.compliance.full[4, 4] == 0.0  # about the line itself
    disc = annulus(0.05, 0.1, 3, 24)
    for plate in (KirchhoffPlate(disc, 0.002, STEEL, {"inner": "clamped"}),
                  MindlinPlate(annulus(0.05, 0.1, 3, 24, cell="quad"), 0.002, STEEL,
                               {"inner": "clamped"})):  # fmt: skip
        body = reduce_model(plate, "top", modes=6, joints="outer")
        rim = body.interfaces["outer"]
        np.testing.assert_allclose(rim.position, 0.0, atol=1e-12)
        assert rim.compliance.energy_error < 0.01
        assert rim.compliance.full[2, 2] > 0.0
        assert not body.interfaces["inner"].motion.any()
        heave = plate.rigid_body_modes()[:, 0]
        rows = fit_rows(plate.interfaces["outer"].points, plate.interfaces["outer"].weights)[1]
        shape = plate.interfaces["outer"].shape
        np.testing.assert_allclose(rows @ (shape @ heave), [0, 0, 1, 0, 0, 0], atol=1e-12)


def test_craig_bampton_takes_joints():
    ring = ElasticSolid(solid_annulus(0.06, 0.11, 0.0, 0.01, 1, 12), STEEL)
    body = reduce_model(
        ring, "top", method="craig-bampton", modes=4, interface_modes=12, joints="inner"
    )
    assert body.interfaces["inner"].compliance.energy_error < 0.01


def test_file(held, tmp_path):
    """Interfaces survive; a file of version 3 has none and says what it has."""
    path = tmp_path / "body.h5"
    save_reduced(held, path)
    again = load_reduced(path)
    assert list(again.interfaces) == list(held.interfaces)
    for name, interface in held.interfaces.items():
        other = again.interfaces[name]
        np.testing.assert_array_equal(other.position, interface.position)
        np.testing.assert_array_equal(other.motion, interface.motion)
        assert (other.joint, other.defined) == (interface.joint, interface.defined)
        for field in fields(interface.compliance):
            a, b = (getattr(i.compliance, field.name) for i in (other, interface))
            np.testing.assert_array_equal(a, b)
    with h5py.File(path, "r+") as file:
        about = json.loads(file["about"].asstr()[()])
        del about["interfaces"], file["interfaces"], file["about"]
        arrays, text = {}, json.dumps(about)
        file.visititems(lambda name, item: _collect(arrays, name, item))
        file["about"], file.attrs["version"] = text, 3
        file.attrs["checksum"] = _checksum(text, arrays)
    old = load_reduced(path)
    assert not old.interfaces
    assert old.geometric is not None
    body = ElasticBody("bar", old, frame="fixed")
    body.marker("z_max")
    with pytest.raises(InputError, match="unknown surface 'x_max'; known: z_max"):
        body.marker("x_max")
