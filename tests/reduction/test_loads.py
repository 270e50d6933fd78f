import numpy as np
import pytest
from numpy.testing import assert_allclose

from fecontact.errors import InputError
from fecontact.reduction.loads import (
    HarmonicLoads,
    PatchLoads,
    PolynomialLoads,
    default_loads,
    load_vectors,
)


def test_family_follows_the_surface(ring, free_block):
    assert isinstance(default_loads(ring.surface("top")), HarmonicLoads)
    assert isinstance(default_loads(free_block.surface("top")), PolynomialLoads)


def test_number_of_fields(ring, free_block):
    assert len(HarmonicLoads(4, 2).tractions(ring.surface("top"))) == 3 * 9 * 3
    assert len(PolynomialLoads(4).tractions(free_block.surface("top"))) == 3 * 15


@pytest.mark.parametrize("family", [HarmonicLoads(2, 1), PolynomialLoads(2)])
def test_finer_family_contains_the_family(ring, family):
    surface = ring.surface("top")
    fields, finer = family.tractions(surface), family.finer().tractions(surface)
    assert set(fields) < set(finer)
    for name, field in fields.items():
        assert_allclose(finer[name], field, atol=1e-14)


def test_uniform_pressure_has_the_force_of_the_area(ring):
    surface = ring.surface("top")
    uniform = HarmonicLoads(0, 0).tractions(surface)
    force = ring.rigid_body_modes()[:, :3].T @ load_vectors(surface, uniform)
    area = np.sum(surface.weights)
    assert_allclose(force[:, 0], [0.0, 0.0, area], atol=1e-12 * area)  # along the normal
    assert_allclose(force[:, 1], 0.0, atol=1e-12 * area)  # circumferential: no force ...
    torque = ring.rigid_body_modes()[:, 5] @ load_vectors(surface, uniform)[:, 1]
    radius = np.hypot(*surface.points[:, :2].T)
    assert torque == pytest.approx(np.sum(surface.weights * radius), rel=1e-12)  # ... but a torque


def test_directions_are_orthogonal_unit_vectors(ring):
    fields = list(HarmonicLoads(0, 0).tractions(ring.surface("top")).values())
    products = np.einsum("apc,bpc->pab", np.array(fields), np.array(fields))
    assert_allclose(products, np.broadcast_to(np.eye(3), products.shape), atol=1e-12)


def test_polynomials_on_a_line_have_one_coordinate(free_block):
    surface = free_block.surface("top")
    line = surface.points[:, 1] == 0.0
    thin = type(surface)(
        surface.points[line], surface.weights[line], surface.normals[line], surface.shape
    )
    assert len(PolynomialLoads(2).tractions(thin)) == 3 * 3


def test_patch_is_local_and_must_touch(free_block):
    surface = free_block.surface("top")
    centre = tuple(surface.points[0])
    field = PatchLoads((centre,), 0.025).tractions(surface)["normal | patch 0"]
    far = np.linalg.norm(surface.points - surface.points[0], axis=1) >= 0.025
    assert np.any(field)
    assert not np.any(field[far])
    with pytest.raises(InputError, match="no surface point within"):
        PatchLoads(((9.0, 9.0, 9.0),), 0.01).tractions(surface)


def test_bad_parameters():
    with pytest.raises(InputError, match="harmonics = -1"):
        HarmonicLoads(harmonics=-1)
    with pytest.raises(InputError, match="patch radius"):
        PatchLoads(((0.0, 0.0, 0.0),), 0.0)
