"""Cosine and sine modes of a round body stay together."""

from __future__ import annotations

import pytest

from fecontact.fem import STEEL, ElasticSolid
from fecontact.mesh import solid_annulus
from fecontact.reduction import reduce_model


@pytest.mark.parametrize(("asked", "kept"), [(1, 2), (2, 2)])
def test_a_pair_is_not_cut(asked, kept):
    """The first elastic modes of a free thin ring are a pair with two nodal diameters."""
    ring = ElasticSolid(solid_annulus(0.06, 0.11, 0.0, 0.002, 2, 24), STEEL)
    model = reduce_model(ring, method="free", modes=asked)
    assert model.exact == kept
    assert model.frequencies[6] == pytest.approx(model.frequencies[7], rel=1e-6)
    assert model.next_frequency > 1.01 * model.frequencies[7]
