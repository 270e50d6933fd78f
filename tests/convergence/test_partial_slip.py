"""Cattaneo and Mindlin by finite elements: stick radius and slip work with the mesh.

The closed form lets all points slide along the force, which is exact for a Poisson's ratio of zero.
The mesh is even on 1.25 contact radii and grows from there. Penalty and bristles stiffen with the
square of the number of cells: what they add to the approach falls from 1.5 % to 0.4 %.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq

from fecontact.case.registry import load_module
from fecontact.mesh import block

SPAN, OUTER = 1.25, 5
STEPS = 12


def grown(first, end, cells, growth=0):
    """Divisions from 0 to `end`: each cell larger than the last one by the same factor."""
    powers = np.arange(growth, cells + growth)
    factor = brentq(lambda g: first * np.sum(g**powers) - end, 1.0 + 1e-9, 1e3)
    return np.r_[0.0, np.cumsum(first * factor**powers)]


def mesh_of(a, edge, cells):
    """Quarter block: `cells` even cells on SPAN contact radii a, then OUTER ones that grow."""
    size = SPAN * a / cells
    even = np.linspace(0.0, SPAN * a, cells + 1)
    side = np.r_[even, SPAN * a + grown(size, edge - SPAN * a, OUTER, growth=1)[1:]]
    down = edge - grown(size, edge, cells // 2 + 6)[::-1]
    down[0] = 0.0
    counts = len(side) - 1, len(side) - 1, len(down) - 1
    mesh = block(1.0, 1.0, 1.0, counts)
    places = [np.interp(x, np.linspace(0.0, 1.0, len(to)), to)
              for x, to in zip(mesh.p, (side, side, down), strict=True)]  # fmt: skip
    return replace(mesh, doflocs=np.array(places))


@pytest.mark.slow
def test_stick_radius_and_slip_work_converge(monkeypatch):
    case = load_module("classic/cattaneo_mindlin")
    errors = []
    for cells in (4, 6, 8):
        p = replace(case.Mindlin(), poisson=0.0, penalty_error=0.24 / cells**2)
        edge = p.far * p.contact_radius
        mesh = mesh_of(p.contact_radius, edge, cells)
        monkeypatch.setattr(case.fc, "block", lambda *size, mesh=mesh, **options: mesh)
        body = case.pair(p, cells)
        values = case.measured(p, body, *case.sheared(p, body, STEPS))
        errors.append([abs(values[name][0] / values[name][1] - 1.0) for name in ("stick", "work")])
    errors = np.array(errors)
    assert np.all(np.diff(errors, axis=0) < 0.0)
    assert np.all(errors[-1] < 0.015)
