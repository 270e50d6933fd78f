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


def test_the_pair_with_half_as_many_diameters_as_slots_rides():
    """Its frequencies differ: two standing waves that turn with the material."""
    model = model_of(8, 11)
    waves = waves_around(model)
    assert waves.sectors == 8
    riding = np.flatnonzero(waves.harmonic == 4)
    assert len(riding) == 2
    assert model.frequencies[riding[1]] > 1.1 * model.frequencies[riding[0]]
    assert not waves.generator[riding].any()
    others = np.flatnonzero(waves.harmonic % 4)
    assert np.all(np.abs(waves.generator[others]).max(axis=0)[others] > 0.9)
    assert waves.split.max() < 1e-6


def test_an_uneven_body_splits_its_pairs():
    """Without sectors the waves are fitted; a pair has two frequencies."""
    mesh = solid_annulus(0.08, 0.12, -0.002, 0.002, 3, AROUND)
    x, y, _ = mesh.p[:, mesh.t].mean(axis=1)
    gone = (np.abs(np.arctan2(y, x) - 0.5) < 0.3) & (np.hypot(x, y) > 0.1)
    solid = ElasticSolid(mesh.restrict(np.flatnonzero(~gone)), STEEL, supports={"inner": "clamped"})
    model = reduce_model(solid, modes=5)
    waves = waves_around(model)
    assert waves.sectors == 1
    assert waves.split.max() > 0.002
    assert waves.worst < 0.98
    np.testing.assert_allclose(waves.generator, -waves.generator.T, atol=1e-12)


def test_a_coordinate_without_partner_stands():
    model = model_of(0, 9)
    alone = type(model)(
        model.basis[:, :-1], model.frequencies[:-1], model.rigid, model.exact - 1,
        model.frequency_error[:-1], model.next_frequency, model.geometry, {}, {}, model.provenance,
    )  # fmt: skip
    waves = waves_around(alone)
    assert not waves.generator[-1].any()
    assert np.abs(waves.generator).max(axis=0).tolist() == pytest.approx(
        [0, 1, 1, 2, 2, 3, 3, 0], abs=1e-3
    )


def test_parts_of_a_running_wave():
    """A wave exp(i k phi) alone has all its squares in k."""
    model = model_of(0, 5)
    waves = waves_around(model)
    for sign in (1, -1):
        values, vectors = np.linalg.eig(waves.generator)
        mode = vectors[:, np.argmin(np.abs(values - sign * 2j))]
        parts = waves.parts(mode)
        assert parts[-sign * 2] > 0.999 * sum(parts.values())


def test_a_body_on_the_axis_is_refused():
    model = reduce_model(ElasticSolid(block(0.1, 0.1, 1.0, cells=(1, 1, 2)), STEEL), modes=1)
    points = np.zeros_like(model.geometry.points)
    geometry = type(model.geometry)(points, model.geometry.cells, model.geometry.shape)
    object.__setattr__(model, "geometry", geometry)
    with pytest.raises(InputError, match="invalid body on the z axis alone"):
        waves_around(model)
