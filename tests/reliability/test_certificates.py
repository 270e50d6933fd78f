"""Certificates of 100 random assemblies: how many modes get none."""

from __future__ import annotations

from pathlib import Path

import pytest

from fecontact.case.registry import load_module
from fecontact.errors import SolverError

RANDOM = load_module(str(Path(__file__).with_name("random_certificates.py")))


def over(count):
    """Certificates of the first assemblies that have a steady state."""
    found, seed = [], 0
    while len(found) < count:
        try:
            found.append(RANDOM.judged(seed))
        except SolverError:
            assert seed < 1.3 * count + 3
        seed += 1
    return found


@pytest.mark.parametrize("count", [4, pytest.param(100, marks=pytest.mark.slow)])
def test_few_modes_are_not_certifiable(count):
    found = over(count)
    assert not any(each.wrong.any() for each in found)
    refused, judged = sum(each.refused for each in found), sum(len(each.modes) for each in found)
    assert refused < 0.2 * (refused + judged)
    assert sum(each.error[each.error > each.least].size for each in found) > 2 * count
