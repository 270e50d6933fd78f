"""Turn of reduced coordinates by a sector: against waves of a round body, and its own meaning."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg as la

from fecontact.case import mesh_folder
from fecontact.fem import STEEL, ElasticSolid
from fecontact.mesh import load_mesh, solid_annulus
from fecontact.reduction import ReducedModel, reduce_model
from fecontact.reduction.sectors import sector_generator
from fecontact.reduction.waves import waves_around


def ring() -> ReducedModel:
    mesh = solid_annulus(0.08, 0.12, -0.002, 0.002, 2, 24)
    return reduce_model(ElasticSolid(mesh, STEEL, supports={"inner": "clamped"}), modes=9)


def test_round_body_turns_as_its_waves() -> None:
    """Below half of the repeats the sectors and the fitted waves turn alike."""
    model = ring()
    np.testing.assert_allclose(
        sector_generator(model, 24), waves_around(model).generator, atol=1e-5
    )


def test_a_turn_by_a_sector_maps_the_displacement() -> None:
    """Displacement of exp(J theta) q at turned nodes is the turned displacement of q."""
    mesh = load_mesh(mesh_folder() / "clutch_plate.msh")
    model = reduce_model(ElasticSolid(mesh, STEEL, supports={"teeth": "clamped"}), modes=12)
    J = sector_generator(model, 8)
    assert J is not None
    np.testing.assert_allclose(J, -J.T, atol=1e-6)  # mass-orthonormal shapes
    k = np.abs(np.linalg.eigvals(J).imag).round().astype(int)
    assert k.max() == 3
    angle, q = np.pi / 4.0, np.random.default_rng(0).standard_normal(model.size)
    c = s = np.sqrt(0.5)
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    nodes = model.geometry.points
    there = np.array([np.argmin(np.sum((nodes - R @ x) ** 2, axis=1)) for x in nodes[:200]])
    waves = np.flatnonzero(np.diag(-J @ J) > 0.5)  # those of no class turn with the body
    q[np.setdiff1d(np.arange(model.size), waves)] = 0.0
    before, after = model.reconstruct(q), model.reconstruct(la.expm(angle * J) @ q)
    np.testing.assert_allclose(after[there], before[:200] @ R.T, atol=1e-6 * np.abs(before).max())


@pytest.mark.parametrize("repeats", [5, 7])
def test_a_body_that_does_not_repeat_so(repeats: int) -> None:
    assert sector_generator(ring(), repeats) is None
