"""Masing's rule against a sum of spring-sliders that are followed step by step."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.reference import masing


def test_parallel_sliders():
    limits, stiffness = np.array([0.2, 0.7, 1.5]), 2.0
    way = np.linspace(1.0, -1.0, 81)
    path = 1.1 * np.concatenate([np.linspace(0.0, 1.0, 41), way[1:], -way[1:]])
    force, followed = np.zeros(3), [0.0]
    for step in np.diff(path):
        force = np.clip(force + stiffness * step, -limits, limits)
        followed.append(force.sum())

    def first(x):
        return np.minimum(stiffness * x[:, None], limits).sum(axis=1)

    assert masing(first, path) == pytest.approx(np.array(followed), abs=1e-12)
