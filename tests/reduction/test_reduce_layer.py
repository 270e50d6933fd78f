"""A contact layer on the surface: what is small beside it needs no coordinate."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose

from fecontact.fem import STEEL, ElasticSolid
from fecontact.mesh import solid_annulus
from fecontact.reduction import PolynomialLoads, load_reduced, reduce_model, save_reduced

YOUNG, HEIGHT = 210e9, 0.03


@dataclass(frozen=True)
class UniformPressure:
    """One load: unit pressure."""

    def tractions(self, surface):
        return {"pressure": -surface.normals}

    def finer(self):
        return self


@pytest.fixture(scope="module")
def column(solid, block):
    """Block on rollers: under a uniform pressure a column of compliance h/E, closed form."""
    model = solid(block(cells=(2, 2, 2)))
    bottom, y, x = (np.flatnonzero(model.nodes[:, i] == 0.0) for i in (2, 1, 0))
    held = np.concatenate([model.at(bottom, [2]), model.at(y, [1]), model.at(x, [0])])
    parts = model.stiffness, model.mass, model.nodes, model.unknowns, model.surfaces, held
    return type(model)(*parts)


@pytest.mark.parametrize("ratio", [0.0, 1.0, 30.0])
def test_errors_are_those_of_springs_in_series(column, ratio):
    """Without any shape the body is missing: h/E of h/E + s, in energy and displacement."""
    options = {"method": "free", "modes": 0, "loads": {"top": UniformPressure()}}
    reduced = reduce_model(column, "top", layer=ratio * HEIGHT / YOUNG, **options)
    found = reduced.contact["top"].nominal
    assert found.layer == ratio * HEIGHT / YOUNG
    assert found.energy_error == pytest.approx(np.sqrt(1.0 / (1.0 + ratio)), rel=1e-8)
    assert found.missed_by_modes == pytest.approx(found.energy_error, rel=1e-8)
    # sideways the column spreads by nu x p/E and nu y p/E: part of the motion of the surface
    s = column.surface("top")
    mean = s.weights @ np.sum(s.points[:, :2] ** 2, axis=1) / np.sum(s.weights)
    side = 0.3**2 * mean / HEIGHT**2
    expected = np.sqrt((1.0 + side) / ((1.0 + ratio) ** 2 + side))
    assert found.surface_error == pytest.approx(expected, rel=1e-8)
    assert found.missing == pytest.approx(HEIGHT / YOUNG * np.sqrt(1.0 + side), rel=1e-8, abs=0.0)


def test_the_body_stands_alone_unless_a_layer_is_given(column):
    reduced = reduce_model(column, "top", modes=1)
    assert reduced.contact["top"].nominal.layer == 0.0
    assert reduced.contact["top"].nominal.energy_error <= 0.01


@pytest.fixture(scope="module")
def plate():
    """Plate of 3 mm: bending is 1e4 times softer than squeezing."""
    return ElasticSolid(solid_annulus(0.06, 0.11, 0.0, 0.003, 2, 20), STEEL)


def test_a_softer_layer_gives_a_smaller_and_slower_basis(plate):
    layers = (0.0, 1e-13, 1e-11, 1e-8)
    bodies = [reduce_model(plate, "top", layer=s, floating_frame=False) for s in layers]
    sizes = [body.size for body in bodies]
    highest = [body.frequencies[-1] for body in bodies]
    assert np.all(np.diff(sizes) <= 0)
    assert np.all(np.diff(highest) <= 0.0)
    assert sizes[-1] < 0.6 * sizes[0]
    assert highest[-1] < 0.1 * highest[0]
    for body, layer in zip(bodies, layers, strict=True):
        found = body.contact["top"].nominal
        assert found.energy_error <= 0.01 * (1 + 1e-6)
        # static^2 <= (largest + s) t^2, so the energy that is missing has this compliance at most
        assert np.max(np.diag(found.full - found.reduced)) <= 1e-4 * np.max(
            np.diag(found.full) + layer * np.sum(plate.surface("top").weights)
        )


@pytest.mark.parametrize("method", ["rubin", "craig-bampton"])
def test_cutoff(clamped_block, method):
    """Nothing but exact modes above it; what is left out is missing in the estimates."""
    options = {"method": method, "modes": 4, "loads": {"top": PolynomialLoads(2)}}
    whole = reduce_model(clamped_block, "top", **options)
    limit = np.median(whole.frequencies)
    cut = reduce_model(clamped_block, "top", cutoff=limit, **options)
    kept = whole.frequencies <= limit
    assert_allclose(cut.frequencies, whole.frequencies[kept], rtol=1e-12)
    assert_allclose(cut.basis, whole.basis[:, kept], atol=1e-9 * np.max(np.abs(cut.basis)))
    assert cut.contact["top"].nominal.missing > 2.0 * whole.contact["top"].nominal.missing
    low = reduce_model(clamped_block, "top", cutoff=1.0, **options)
    assert low.size == low.rigid + low.exact == (4 if method == "rubin" else 0)


def test_the_layer_is_in_the_file(column, tmp_path):
    reduced = reduce_model(column, "top", modes=2, layer=2e-13)
    save_reduced(reduced, tmp_path / "body.h5")
    assert load_reduced(tmp_path / "body.h5").contact["top"].nominal.layer == 2e-13
