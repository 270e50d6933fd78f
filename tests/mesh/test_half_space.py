"""Blocks around a contact: their size, their symmetry, and small cells where the contact is."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact import InputError, half_space
from fecontact.mesh import check_mesh, measure

RADIUS, EDGE = 1e-3, 0.1


@pytest.mark.parametrize("above", [False, True])
@pytest.mark.parametrize(("part", "blocks"), [("quarter", 1), ("half", 2)])
def test_volume_and_position(part, blocks, above):
    mesh = half_space(RADIUS, EDGE, 6, above=above, part=part)
    check_mesh(mesh)
    assert measure(mesh) == pytest.approx(blocks * EDGE**3)
    low, high = mesh.p.min(axis=1), mesh.p.max(axis=1)
    assert low == pytest.approx([(1 - blocks) * EDGE, 0.0, 0.0 if above else -EDGE])
    assert high == pytest.approx([EDGE, EDGE, EDGE if above else 0.0])


@pytest.mark.parametrize("above", [False, True])
def test_cells_are_small_at_the_contact(above):
    mesh = half_space(RADIUS, EDGE, 8, above=above)
    for axis in range(3):
        lines = np.unique(mesh.p[axis].round(12))
        widths = np.diff(lines)
        at_contact = widths[-1 if axis == 2 and not above else 0]
        assert at_contact < 2.0 * RADIUS
        assert widths.max() > 20.0 * at_contact


def test_a_half_is_symmetric_about_the_origin():
    x = np.unique(half_space(RADIUS, EDGE, 6, part="half").p[0].round(12))
    assert x == pytest.approx(-x[::-1], abs=1e-9)


def test_the_contact_is_smaller_than_the_block():
    with pytest.raises(InputError, match="edge"):
        half_space(0.2, EDGE, 6)
