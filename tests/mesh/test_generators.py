"""Generated meshes: closed-form sizes with convergence order, names, validity, symmetry."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fecontact.errors import InputError
from fecontact.mesh import (
    Towards,
    annulus,
    beam,
    block,
    check_mesh,
    disc,
    measure,
    rectangle,
    ring_sector,
    scaled_jacobian,
    solid_annulus,
    solid_disc,
    solid_ring_sector,
)
from fecontact.mesh.grading import divisions

INNER, OUTER, HEIGHT, ANGLE = 0.06, 0.11, 0.02, 1.2
RING_AREA = np.pi * (OUTER**2 - INNER**2)
DISC_AREA = np.pi * OUTER**2
PLANE = ("tri", "quad")
SOLID = ("tet", "hex")

# name -> builder(refinement, cell, order), exact size, exact sizes of the surfaces
CURVED_PLANE = {
    "annulus": (
        lambda n, cell, order: annulus(INNER, OUTER, 2 * n, 16 * n, cell, order),
        RING_AREA,
        {"inner": 2 * np.pi * INNER, "outer": 2 * np.pi * OUTER},
    ),
    "disc": (
        lambda n, cell, order: disc(OUTER, 2 * n, 16 * n, cell, order),
        DISC_AREA,
        {"outer": 2 * np.pi * OUTER},
    ),
    "ring_sector": (
        lambda n, cell, order: ring_sector(INNER, OUTER, ANGLE, 2 * n, 3 * n, cell, order),
        RING_AREA * ANGLE / (2 * np.pi),
        {
            "inner": ANGLE * INNER,
            "outer": ANGLE * OUTER,
            "start": OUTER - INNER,
            "end": OUTER - INNER,
        },
    ),
}
CURVED_SOLID = {
    "solid_annulus": (
        lambda n, cell, order: solid_annulus(
            INNER, OUTER, -HEIGHT, 0.0, 2 * n, 16 * n, n, cell, order
        ),
        RING_AREA * HEIGHT,
        {
            "inner": 2 * np.pi * INNER * HEIGHT,
            "outer": 2 * np.pi * OUTER * HEIGHT,
            "bottom": RING_AREA,
            "top": RING_AREA,
        },
    ),
    "solid_disc": (
        lambda n, cell, order: solid_disc(OUTER, 0.0, HEIGHT, n, 16 * n, n, cell, order),
        DISC_AREA * HEIGHT,
        {"outer": 2 * np.pi * OUTER * HEIGHT, "bottom": DISC_AREA, "top": DISC_AREA},
    ),
    "solid_ring_sector": (
        lambda n, cell, order: solid_ring_sector(
            INNER, OUTER, ANGLE, 0.0, HEIGHT, 2 * n, 3 * n, n, cell, order
        ),
        RING_AREA * HEIGHT * ANGLE / (2 * np.pi),
        {
            "inner": ANGLE * INNER * HEIGHT,
            "outer": ANGLE * OUTER * HEIGHT,
            "start": (OUTER - INNER) * HEIGHT,
            "end": (OUTER - INNER) * HEIGHT,
            "bottom": RING_AREA * ANGLE / (2 * np.pi),
            "top": RING_AREA * ANGLE / (2 * np.pi),
        },
    ),
}
CURVED = [(name, cell) for name in CURVED_PLANE for cell in PLANE] + [
    (name, cell) for name in CURVED_SOLID for cell in SOLID
]


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize(("name", "cell"), CURVED)
def test_sizes_of_round_bodies_converge(name: str, cell: str, order: int) -> None:
    """Chords err with h^2, parabolas through three points of a circle with h^4."""
    build, size, surfaces = (CURVED_PLANE | CURVED_SOLID)[name]
    coarse, fine = build(1, cell, order), build(2, cell, order)
    check_mesh(coarse)
    check_mesh(fine)
    assert set(fine.boundaries) == set(surfaces)
    pairs = [(measure(coarse), measure(fine), size)]
    pairs += [(measure(coarse, s), measure(fine, s), exact) for s, exact in surfaces.items()]
    for first, second, exact in pairs:
        errors = abs(first / exact - 1), abs(second / exact - 1)
        if errors[1] < 1e-12:  # a straight side is exact
            continue
        assert np.log2(errors[0] / errors[1]) == pytest.approx(2 * order, abs=0.1)


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("cell", ["tri", "quad", "tet", "hex"])
def test_straight_bodies_are_exact(cell: str, order: int) -> None:
    lengths = np.array([0.3, 0.2, 0.05])
    if cell in PLANE:
        mesh = rectangle(0.3, 0.2, (5, 3), cell, order, (2.0, Towards((0.1,))))
    else:
        mesh = block(0.3, 0.2, 0.05, (4, 3, 2), cell, order, (0.5, 3.0, Towards((0.0, 0.05))))
    check_mesh(mesh)
    sizes = lengths[: mesh.dim()]
    assert measure(mesh) == pytest.approx(np.prod(sizes), rel=1e-13)
    for k, axis in enumerate("xyz"[: mesh.dim()]):
        for side in ("min", "max"):
            area = np.prod(sizes) / sizes[k]
            assert measure(mesh, f"{axis}_{side}") == pytest.approx(area, rel=1e-13)
            where = mesh.p[k, mesh.facets[:, mesh.boundaries[f"{axis}_{side}"]]]
            assert np.all(where == (sizes[k] if side == "max" else 0.0))
    assert sum(map(len, mesh.boundaries.values())) == len(mesh.boundary_facets())


def test_beam_ends() -> None:
    mesh = beam(0.4, 5, grading=3.0)
    assert mesh.p[0, mesh.facets[0, mesh.boundaries["start"]]] == 0.0
    assert mesh.p[0, mesh.facets[0, mesh.boundaries["end"]]] == 0.4
    assert np.diff(mesh.p[0])[-1] / np.diff(mesh.p[0])[0] == pytest.approx(3.0)


@pytest.mark.parametrize("cell", ["tri", "quad", "tet", "hex"])
@pytest.mark.parametrize("order", [1, 2])
def test_annulus_is_invariant_under_rotation_by_one_cell(cell: str, order: int) -> None:
    """The rotated cells are cells again, with all their nodes."""
    around = 9
    if cell in PLANE:
        mesh = annulus(INNER, OUTER, 2, around, cell, order, grading=2.0)
    else:
        mesh = solid_annulus(INNER, OUTER, 0.0, HEIGHT, 2, around, 2, cell, order)
    assert _cells(mesh, 0.0) == _cells(mesh, 2 * np.pi / around)


@pytest.mark.parametrize("cell", ["tri", "quad", "tet", "hex"])
def test_disc_is_invariant_under_rotation_by_90_degrees(cell: str) -> None:
    if cell in PLANE:
        mesh = disc(OUTER, 2, 16, cell, order=2)
    else:
        mesh = solid_disc(OUTER, 0.0, HEIGHT, 2, 16, 2, cell, order=2)
    assert _cells(mesh, 0.0) == _cells(mesh, np.pi / 2)
    assert np.any(np.all(np.abs(mesh.p) < 1e-15, axis=0)), "no node at the centre"


def _cells(mesh, angle: float) -> set[frozenset[tuple[int, ...]]]:
    """Cells as sets of rounded node positions, after a rotation about z."""
    turn = np.eye(mesh.dim())
    turn[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    places = np.round((turn @ mesh.p).T / 1e-9).astype(int)
    return {frozenset(map(tuple, places[cell])) for cell in mesh.dofs.element_dofs.T}


@pytest.mark.parametrize(("name", "cell"), CURVED)
def test_second_order_nodes_lie_on_the_cylinders(name: str, cell: str) -> None:
    build, _, surfaces = (CURVED_PLANE | CURVED_SOLID)[name]
    mesh = build(1, cell, 2)
    for surface, radius in (("inner", INNER), ("outer", OUTER)):
        if surface in surfaces:
            nodes = mesh.dofs.get_facet_dofs(mesh.boundaries[surface]).flatten()
            assert len(nodes) > len(np.unique(mesh.facets[:, mesh.boundaries[surface]]))
            np.testing.assert_allclose(np.hypot(*mesh.p[:2, nodes]), radius, rtol=1e-13)


@settings(max_examples=60, deadline=None)
@given(
    ratio=st.floats(0.05, 0.98),
    radial=st.integers(1, 4),
    around=st.integers(3, 20),
    cell=st.sampled_from(PLANE + SOLID),
    order=st.sampled_from([1, 2]),
    grading=st.floats(0.1, 10.0),
)
def test_all_rings_are_valid(
    ratio: float, radial: int, around: int, cell: str, order: int, grading: float
) -> None:
    if cell in PLANE:
        check_mesh(annulus(ratio, 1.0, radial, around, cell, order, grading))
        check_mesh(ring_sector(ratio, 1.0, 2.0, radial, around, cell, order, grading, grading))
    else:
        check_mesh(
            solid_annulus(ratio, 1.0, 0.0, 0.1, radial, around, 2, cell, order, grading, grading)
        )


@settings(max_examples=40, deadline=None)
@given(
    radial=st.integers(1, 8),
    eighth=st.integers(1, 5),
    cell=st.sampled_from(PLANE),
    order=st.sampled_from([1, 2]),
    grading=st.floats(0.2, 5.0),
)
def test_all_discs_are_well_shaped(
    radial: int, eighth: int, cell: str, order: int, grading: float
) -> None:
    mesh = disc(0.1, radial, 8 * eighth, cell, order, grading)
    check_mesh(mesh)
    if cell == "quad" and order == 1:
        assert scaled_jacobian(mesh).min() > 0.5


@settings(max_examples=80, deadline=None)
@given(
    cells=st.integers(4, 40),
    ratio=st.floats(1.1, 50.0),
    places=st.lists(st.floats(-1.0, 3.0), min_size=1, max_size=3, unique=True),
)
def test_division_towards_places(cells: int, ratio: float, places: list[float]) -> None:
    x = divisions(-1.0, 3.0, cells, Towards(tuple(places), ratio))
    assert len(x) == cells + 1
    assert np.all(np.diff(x) > 0)
    assert set(places) <= set(x.tolist())
    assert (x[0], x[-1]) == (-1.0, 3.0)


def test_division_towards_a_place_reaches_the_ratio() -> None:
    steps = np.diff(divisions(0.0, 1.0, 2000, Towards((0.25,), ratio=7.0)))
    assert steps.max() / steps.min() == pytest.approx(7.0, rel=0.01)


@settings(max_examples=50, deadline=None)
@given(cells=st.integers(2, 50), grading=st.floats(0.01, 100.0))
def test_geometric_division(cells: int, grading: float) -> None:
    steps = np.diff(divisions(2.0, 5.0, cells, grading))
    assert steps[-1] / steps[0] == pytest.approx(grading, rel=1e-6)
    np.testing.assert_allclose(steps[1:] / steps[:-1], grading ** (1 / (cells - 1)), rtol=1e-6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: annulus(0.1, 0.1), "inner_radius = 0.1 m"),
        (lambda: annulus(0.05, 0.1, radial=0), "radial = 0"),
        (lambda: annulus(0.05, 0.1, circumferential=2), "circumferential = 2"),
        (lambda: annulus(0.05, 0.1, cell="hex"), "cell = hex.* one of tri, quad"),
        (lambda: solid_annulus(0.05, 0.1, 0.0, 0.1, cell="tri"), "one of tet, hex"),
        (lambda: annulus(0.05, 0.1, order=3), "order = 3.* 1 or 2"),
        (lambda: annulus(0.05, 0.1, grading=-1.0), "grading = -1.0"),
        (lambda: annulus(0.05, float("nan")), "outer_radius = nan m.* finite"),
        (lambda: solid_annulus(0.05, 0.1, 0.2, 0.1), "height"),
        (lambda: ring_sector(0.05, 0.1, 7.0), "angle = 7.0 rad"),
        (lambda: ring_sector(0.05, 0.1, 6.0, circumferential=2), "circumferential = 2.* 120 deg"),
        (lambda: disc(0.1, circumferential=20), "circumferential = 20.* multiple of 8"),
        (lambda: block(0.1, 0.1, 0.0), "height = 0.0 m"),
        (lambda: block(0.1, -0.1, 0.1), "width = -0.1 m"),
        (lambda: rectangle(0.1, 0.1, (0, 1)), r"cells\[0\] = 0"),
        (lambda: beam(0.0), "length = 0.0 m"),
        (lambda: beam(1.0, 4, Towards((2.0,))), "positions = .2.0,..* between 0.0 and 1.0"),
        (lambda: beam(1.0, 2, Towards((0.2, 0.4, 0.6))), "cells = 2.* >= 4"),
        (lambda: Towards((0.1,), ratio=1.0), "ratio = 1.0.* > 1"),
        (lambda: Towards(()), "positions"),
    ],
)
def test_impossible_input_is_refused(call, message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()
