"""Masing's rule and the work of a loop against spring-sliders that are followed step by step."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.reference import jenkins_work, masing


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


def test_work_of_a_slider_between_turning_points():
    """The area of the loop of a slider that is followed step by step, over half a cycle."""
    amplitude, stiffness, limit = 0.8, 5.0, 1.5
    path = amplitude * np.cos(np.linspace(0.0, 4.0 * np.pi, 40001))
    force = np.empty_like(path)
    force[0] = 0.0
    for k, step in enumerate(np.diff(path)):
        force[k + 1] = np.clip(force[k] + stiffness * step, -limit, limit)
    second = slice(20000, 40001)
    loop = np.trapezoid(force[second], path[second])
    work = jenkins_work(np.array([amplitude, 0.9 * limit / stiffness]), stiffness, limit)
    assert work == pytest.approx([0.5 * loop, 0.0], rel=1e-6)
