"""The sample meshes that are shipped: size, names, areas of the real parts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import cKDTree
from skfem import MeshHex2, MeshTet2, MeshTri1

from fecontact.mesh import load_mesh, measure, scaled_jacobian

FOLDER = Path(__file__).parents[2] / "meshes"


@pytest.mark.parametrize(
    ("file", "kind", "surfaces", "volumes"),
    [
        (
            "lamella.msh",
            MeshTet2,
            {"friction_bottom", "friction_top", "inner", "outer", "teeth"},
            {"lamella"},
        ),
        (
            "pressure_plate.msh",
            MeshHex2,
            {"friction_face", "spring_seat", "back", "lugs", "inner", "outer"},
            {"pressure_plate"},
        ),
        (
            "clutch_plate.msh",
            MeshHex2,
            {"facing_flywheel", "facing_pressure", "facing_edges", "core_faces"}
            | {"teeth", "bore", "slots", "outer"},
            {"core", "facing_flywheel_side", "facing_pressure_side"},
        ),
        ("clutch_disc.msh", MeshTri1, {"hub", "outer", "slots"}, {"carrier", "facing"}),
        ("beam.inp", MeshHex2, {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"}, set()),
    ],
)
def test_sample(file: str, kind: type, surfaces: set[str], volumes: set[str]) -> None:
    mesh = load_mesh(FOLDER / file)
    assert type(mesh) is kind
    assert set(mesh.boundaries) == surfaces
    assert set(mesh.subdomains or {}) == volumes
    named = np.concatenate(list(mesh.boundaries.values()))
    assert np.array_equal(np.sort(named), mesh.boundary_facets()), "surfaces overlap or leave gaps"
    assert scaled_jacobian(mesh).min() > 0.05
    assert (FOLDER / file).stat().st_size < 700_000


def test_lamella_has_the_size_of_the_part() -> None:
    """Ring plus 18 teeth of 8 mm width with flat tips at 58 mm.

    A parabola through the ends and the middle of an arc theta cuts off r^2 theta^5 / 960.
    """
    mesh = load_mesh(FOLDER / "lamella.msh")
    inner, outer, half_width = 0.062, 0.082, 0.004
    half = np.arcsin(half_width / inner)
    tooth = inner**2 * half + half_width * inner * np.cos(half) - 2 * half_width * 0.058
    face = np.pi * (outer**2 - inner**2) + 18 * tooth
    for radius, surface, angle in (
        (outer, "outer", 2 * np.pi),
        (-inner, "inner", 2 * np.pi - 36 * half),
    ):
        arcs = len(mesh.boundaries[surface]) // 2  # two triangles through the thickness
        face -= np.sign(radius) * arcs * radius**2 * (angle / arcs) ** 5 / 960
    assert measure(mesh, "friction_top") == pytest.approx(face, rel=2e-8)
    assert measure(mesh) == pytest.approx(0.002 * face, rel=2e-8)
    assert measure(mesh, "outer") == pytest.approx(2 * np.pi * outer * 0.002, rel=1e-6)


def test_pressure_plate_has_the_size_of_the_part() -> None:
    mesh = load_mesh(FOLDER / "pressure_plate.msh")
    assert measure(mesh, "inner") == pytest.approx(2 * np.pi * 0.075 * 0.014, rel=1e-5)
    seat = np.pi * (0.116**2 - 0.108**2)
    assert measure(mesh, "spring_seat") == pytest.approx(seat, rel=1e-4)
    assert measure(mesh) == pytest.approx(0.014 * measure(mesh, "friction_face"), rel=1e-10)


def test_clutch_plate_has_the_size_of_the_part() -> None:
    """Whole rings as facings, a core with eight slots of 3 degrees, teeth in half of the bore.

    The parabola of an arc theta cuts off r^2 theta^5 / 960, see above.
    """
    mesh = load_mesh(FOLDER / "clutch_plate.msh")
    slot, teeth = np.radians([3.0]), np.radians([11.25, 11.25])
    paddle = np.radians([4.125, 5.625, 5.625, 4.125])  # between slot, teeth and next sector

    def area(inner: float, outer: float, *arcs: np.ndarray) -> float:
        theta = np.concatenate(arcs)
        return 8 * (outer**2 - inner**2) * float(np.sum(theta / 2 - theta**5 / 960))

    ring = area(0.080, 0.120, slot, teeth, paddle)
    for side in ("flywheel", "pressure"):
        assert measure(mesh, f"facing_{side}") == pytest.approx(ring, rel=2e-8)
    core = area(0.036, 0.040, teeth) + area(0.062, 0.120, teeth, paddle)
    core += area(0.040, 0.062, slot, teeth, paddle)
    assert measure(mesh) == pytest.approx(0.003 * core + 2 * 0.0025 * ring, rel=2e-8)


def test_clutch_plate_repeats_itself() -> None:
    """Turned by 45 degrees its nodes, cells and named faces are themselves."""
    mesh = load_mesh(FOLDER / "clutch_plate.msh")
    c = s = np.sqrt(0.5)
    turned = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ mesh.doflocs
    distance, partner = cKDTree(mesh.doflocs.T).query(turned.T)
    assert distance.max() < 1e-9
    assert len(set(partner)) == len(partner)
    cells = {frozenset(cell) for cell in mesh.t.T}
    assert {frozenset(partner[cell]) for cell in mesh.t.T} == cells
    for name, facets in mesh.boundaries.items():
        corners = {frozenset(mesh.facets[:, f]) for f in facets}
        assert {frozenset(partner[list(face)]) for face in corners} == corners, name


def test_clutch_disc_has_the_size_of_the_part() -> None:
    """Chords of 6 mm on circles: the deficit is below (h / r)^2 / 6."""
    mesh = load_mesh(FOLDER / "clutch_disc.msh")
    assert measure(mesh, "hub") == pytest.approx(2 * np.pi * 0.020, rel=0.3**2 / 6)
    slot = 2 * 0.05 + 0.004  # two flanks and the end, the edge of the disc as a chord
    assert measure(mesh, "slots") == pytest.approx(8 * slot, rel=1e-3)


def test_beam_has_the_size_of_the_part() -> None:
    mesh = load_mesh(FOLDER / "beam.inp")
    assert measure(mesh) == pytest.approx(0.4 * 0.02 * 0.004, rel=1e-9)
    x = np.unique(mesh.p[0, mesh.t].round(9))
    steps = np.diff(x)
    assert steps[-1] / steps[0] == pytest.approx(4.0, rel=0.1)
