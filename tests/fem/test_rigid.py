"""Rigid-body modes that supports and springs leave free."""

import numpy as np
import pytest

from fecontact.fem import (
    STEEL,
    Beam,
    ElasticSolid,
    Foundation,
    KirchhoffPlate,
    MatrixModel,
    MindlinPlate,
    Section,
    Segment,
    StationSpring,
    straight_beam,
)
from fecontact.fem.rigid import (
    determinate_support,
    free_rigid_body_modes,
    rigid_body_modes_of_parts,
)
from fecontact.mesh import annulus, block, rectangle

BAR = Section.rectangle(0.02, 0.01)


def kirchhoff(foundation):
    return KirchhoffPlate(annulus(0.08, 0.12, 2, 16), 0.005, STEEL, foundation=foundation)


def mindlin(foundation):
    return MindlinPlate(rectangle(0.2, 0.1, (3, 2), order=2), 0.01, STEEL, foundation=foundation)


def solid(foundation):
    springs = (Foundation("z_min", foundation),) if foundation else ()
    return ElasticSolid(block(0.1, 0.1, 0.02, (2, 2, 1)), STEEL, springs=springs)


def founded_beam(foundation):
    return Beam([Segment(0.0, 0.5, BAR, STEEL, 5, foundation=foundation)])


def sprung_beam(spring):
    springs = [StationSpring("left", {"u_z": spring})] if spring else []
    return straight_beam(0.5, BAR, STEEL, elements=5, springs=springs)


# a bed resists heave and two tilts; that of the beam two translations and two rotations
@pytest.mark.parametrize("stiffness", [1e-3, 1.0, 1e9])
@pytest.mark.parametrize(
    ("make", "free", "left"),
    [(kirchhoff, 3, 0), (mindlin, 3, 0), (solid, 6, 3), (founded_beam, 6, 2), (sprung_beam, 6, 5)],
)
def test_the_softest_spring_counts(make, free, left, stiffness):
    assert free_rigid_body_modes(make(0.0)).shape[1] == free
    model = make(stiffness)
    R = free_rigid_body_modes(model)
    assert R.shape[1] == left
    np.testing.assert_allclose(R.T @ (model.mass @ R), np.eye(left), atol=1e-12)


def test_uncoupled_motions_of_a_beam_are_no_loose_parts():
    beam = sprung_beam(0.0)
    assert rigid_body_modes_of_parts(beam, beam.free) == 6


def test_motions_that_are_the_same_count_once():
    """Nodes on a line that is no axis: three rotations, but only two of them move the nodes."""
    nodes = np.outer(np.arange(3.0), [1.0, 2.0, 3.0])
    unknowns = np.column_stack([np.repeat(np.arange(3), 3), np.tile(np.arange(3), 3)])
    model = MatrixModel(np.zeros((9, 9)), np.eye(9), nodes, unknowns)
    assert free_rigid_body_modes(model).shape[1] == 5


def test_a_determinate_support_excludes_the_motions_and_no_more():
    R = solid(0.0).rigid_body_modes()
    held = determinate_support(R)
    assert len(held) == 6
    assert np.linalg.matrix_rank(R[held]) == 6
