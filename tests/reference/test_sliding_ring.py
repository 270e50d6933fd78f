"""Friction of a sliding ring against its expansions."""

from __future__ import annotations

import pytest

from fecontact.reference import sliding_ring


def test_near_the_centre():
    """f = -w/2 - w^3/16, M = 1 - w^2/4 (expansion of the integrands)."""
    w = 1e-2
    assert sliding_ring(w) == pytest.approx([-w / 2 - w**3 / 16, 1.0 - w**2 / 4], abs=1e-8)


def test_far_from_the_centre():
    """Pure translation: f = -1 + 1/(4 w^2), M = 1/(2 w)."""
    w = 100.0
    assert sliding_ring(w) == pytest.approx([-1.0 + 0.25 / w**2, 0.5 / w], abs=1e-6)
