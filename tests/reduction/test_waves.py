"""Reduced bodies as waves around their axis."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm

from fecontact.errors import InputError
from fecontact.fem import STEEL, ElasticSolid
from fecontact.mesh import block, solid_annulus
from fecontact.reduction import reduce_model, waves_around

AROUND = 24


def model_of(slots, modes, contact=()):
    mesh = solid_annulus(0.08, 0.12, -0.002, 0.002, 3, AROUND)
    if slots:
        x, y, _ = mesh.p[:, mesh.t].mean(axis=1)
        angle = np.mod(np.arctan2(y, x), 2.0 * np.pi / slots)
        mesh = mesh.restrict(
            np.flatnonzero((angle > 2.0 * np.pi / AROUND * 1.01) | (np.hypot(x, y) < 0.1))
        )
    solid = ElasticSolid(mesh, STEEL, supports={"inner": "clamped"})
    return reduce_model(solid, contact, modes=modes)


def turned_fields(model, parts):
    """Nodal fields (3 nodes, m), and those turned by a part of the circle, at the same nodes."""
    points = model.geometry.points
    u = np.asarray(model.geometry.shape @ model.basis).reshape(len(points), 3, -1)
    c, s = np.cos(2.0 * np.pi / parts), np.sin(2.0 * np.pi / parts)
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    there = points @ R.T
    index = [int(np.argmin(np.sum((points - x) ** 2, axis=1))) for x in there]
    assert np.abs(points[index] - there).max() < 1e-9
    turned = np.empty_like(u)
    turned[index] = R @ u
    return u.reshape(-1, u.shape[2]), turned.reshape(-1, u.shape[2])


@pytest.mark.parametrize(("slots", "modes", "contact"), [(0, 9, ()), (0, 5, "top"), (8, 7, ())])
def test_the_generator_turns_the_fields(slots, modes, contact):
    """By the angle from cell to cell, or from slot to slot, it is the true turn of all nodes."""
    model, parts = model_of(slots, modes, contact), slots or AROUND
    waves = waves_around(model)
    own, turned = turned_fields(model, parts)
    expected = own @ expm(2.0 * np.pi / parts * waves.generator)
    low = np.flatnonzero(waves.pure > 0.9)
    scale = np.abs(own).max()
    np.testing.assert_allclose(expected[:, low], turned[:, low], atol=2e-3 * scale)
    assert np.abs(waves.generator + waves.generator.T).max() < 1e-9
    k = np.linalg.eigvals(waves.generator).imag
    np.testing.assert_allclose(k, np.round(k), atol=1e-9)


def test_a_body_of_revolution_has_pure_pairs():
    waves = waves_around(model_of(0, 9))
    assert waves.harmonic.tolist() == [0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert waves.worst > 0.999
    assert waves.split.max() < 1e-6


def test_slots_split_the_pair_with_half_as_many_diameters():
    """The frequencies of this pair, and of no other below, differ."""
    model = model_of(8, 11)
    waves, omega = waves_around(model), model.frequencies
    split = np.flatnonzero((waves.harmonic == 4) & (waves.split > 0.01))
    assert len(split) == 2
    ratio = omega[split[1]] / omega[split[0]] - 1.0
    assert waves.split[split[0]] == pytest.approx(ratio, rel=0.3)
    assert waves.split[waves.harmonic < 4].max() < 1e-6


def test_a_coordinate_without_partner_stands():
    """Of the 22 shapes of contact loads some belong to no pair; they do not turn."""
    model = model_of(0, 9)
    half = model.basis[:, :-1], model.frequencies[:-1]
    alone = type(model)(
        half[0], half[1], model.rigid, model.exact - 1, model.frequency_error[:-1],
        model.next_frequency, model.geometry, {}, {}, model.provenance,
    )  # fmt: skip
    waves = waves_around(alone)
    assert waves.harmonic[-1] == 0
    assert waves.pure[-1] < 0.6
    assert not waves.generator[-1].any()


def test_a_body_on_the_axis_is_refused():
    solid = ElasticSolid(block(1e-12, 1e-12, 1.0, cells=(1, 1, 2)), STEEL)
    model = reduce_model(ElasticSolid(block(0.1, 0.1, 1.0, cells=(1, 1, 2)), STEEL), modes=1)
    points = np.zeros_like(model.geometry.points)
    geometry = type(model.geometry)(points, model.geometry.cells, model.geometry.shape)
    object.__setattr__(model, "geometry", geometry)
    assert solid is not None
    with pytest.raises(InputError, match="invalid body on the z axis alone"):
        waves_around(model)
