"""Bodies whose material changes around the axis have no constant matrices in the fixed frame."""

from dataclasses import replace

import numpy as np
import pytest

from fecontact.errors import InputError
from fecontact.fem import (
    STEEL,
    CartesianAxes,
    CylindricalAxes,
    ElasticSolid,
    KirchhoffPlate,
    Material,
    MindlinPlate,
    Orthotropic,
    RotatingBody,
)
from fecontact.fem.axisymmetry import UNEVEN, uneven
from fecontact.mesh import annulus, disc, rectangle, solid_annulus

INNER, MIDDLE, OUTER = 0.05, 0.075, 0.1
WEAK = Material(21e9, 0.3, 7800.0)
LIGHT = Material(210e9, 0.3, 780.0)
POLAR = Orthotropic((12e9, 15e9, 8e9), (0.3, 0.3, 0.3), (4e9, 4e9, 4e9), 1900.0, CylindricalAxes())
STRAIGHT = replace(POLAR, axes=CartesianAxes())
MESHES = {
    "kirchhoff": annulus(INNER, OUTER, 4, 48),
    "mindlin": annulus(INNER, OUTER, 2, 24, cell="quad", order=2),
    "solid": solid_annulus(INNER, OUTER, 0.0, 0.01, 2, 24),
}


def body(kind, material, mesh=None):
    mesh = MESHES[kind] if mesh is None else mesh
    if kind == "solid":
        return ElasticSolid(mesh, material)
    return {"kirchhoff": KirchhoffPlate, "mindlin": MindlinPlate}[kind](mesh, 0.002, material)


def divided(mesh, chosen):
    """Subdomains `a` and `b` by a predicate of the radius and the angle of the cells."""
    x, y = mesh.p[:2][:, mesh.t].mean(axis=1)
    inside = chosen(np.hypot(x, y), np.mod(np.arctan2(y, x), 2.0 * np.pi))
    return mesh.with_subdomains({"a": np.flatnonzero(inside), "b": np.flatnonzero(~inside)})


def rough(mesh, seed):
    """The mesh with its nodes shifted along their circles at random, by up to 0.3 cells."""
    x, y = mesh.p
    shift = np.random.default_rng(seed).uniform(-0.3, 0.3, len(x)) * 2.0 * np.pi / 48
    r, phi = np.hypot(x, y), np.arctan2(y, x) + shift
    return replace(mesh, doflocs=np.array([r * np.cos(phi), r * np.sin(phi)]))


KINDS = pytest.mark.parametrize("kind", list(MESHES))


@KINDS
def test_straight_material_axes_are_refused_and_polar_ones_not(kind):
    B, S = RotatingBody(body(kind, POLAR)).rotation
    assert B.shape == S.shape
    with pytest.raises(InputError, match=r"its elasticity changes around the axis, harmonic 2"):
        _ = RotatingBody(body(kind, STRAIGHT)).rotation


@KINDS
@pytest.mark.parametrize("share", [1 / 24, 1 / 8, 1 / 2])
@pytest.mark.parametrize(("other", "word"), [(WEAK, "elasticity"), (LIGHT, "density")])
def test_sectors_of_another_material_are_refused(kind, share, other, word):
    mesh = divided(MESHES[kind], lambda r, phi: phi < 2.0 * np.pi * share)
    with pytest.raises(InputError, match=f"its {word} changes around the axis"):
        _ = RotatingBody(body(kind, {"a": other, "b": STEEL}, mesh)).rotation


def test_twelve_pads_are_refused():
    mesh = divided(MESHES["kirchhoff"], lambda r, phi: np.mod(phi, np.pi / 6.0) < np.pi / 12.0)
    with pytest.raises(InputError, match="harmonic 12"):
        _ = RotatingBody(body("kirchhoff", {"a": WEAK, "b": STEEL}, mesh)).rotation


def test_sectors_of_another_thickness_are_refused():
    mesh = divided(MESHES["kirchhoff"], lambda r, phi: phi < np.pi / 2.0)
    with pytest.raises(InputError, match="its thickness changes around the axis"):
        _ = RotatingBody(KirchhoffPlate(mesh, {"a": 0.003, "b": 0.002}, STEEL)).rotation


def without(mesh, chosen):
    return mesh.restrict(divided(mesh, chosen).subdomains["b"])


def test_shapes_are_refused_on_fine_meshes_too():
    """|B + B^T|/|B| falls with the cell size for a body that is not axisymmetric, c_n does not."""
    slot = without(annulus(INNER, OUTER, 16, 192), lambda r, phi: (r > MIDDLE) & (phi < np.pi / 12))
    square = rectangle(0.2, 0.2, (60, 60), cell="tri").translated((-0.1, -0.1))
    for mesh, n in ((slot, 1), (square, 4)):
        with pytest.raises(InputError, match=f"its shape changes around the axis, harmonic {n}"):
            _ = RotatingBody(KirchhoffPlate(mesh, 0.002, STEEL)).rotation


def test_body_beside_its_axis_is_refused():
    with pytest.raises(InputError, match="its shape changes around the axis, harmonic 1"):
        _ = RotatingBody(body("solid", STEEL), origin=(0.01, 0.0, 0.0)).rotation


@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, 2.0, 0.0)])
def test_axis_of_a_solid_may_point_anywhere(axis):
    mesh = MESHES["solid"]
    order = [2, 0, 1] if axis[0] else [1, 2, 0]
    turned = replace(mesh, doflocs=mesh.doflocs[order])
    about = replace(POLAR, axes=CylindricalAxes(axis))
    _ = RotatingBody(body("solid", about, turned), axis).rotation
    with pytest.raises(InputError, match="its elasticity changes around the axis"):
        _ = RotatingBody(body("solid", STRAIGHT, turned), axis).rotation


@KINDS
def test_concentric_parts_are_accepted(kind):
    mesh = divided(MESHES[kind], lambda r, phi: r < MIDDLE)
    _ = RotatingBody(body(kind, {"a": WEAK, "b": POLAR}, mesh)).rotation


@pytest.mark.parametrize("seed", range(5))
def test_irregular_meshes_of_concentric_parts_are_accepted(seed):
    mesh = divided(rough(MESHES["kirchhoff"], seed), lambda r, phi: r < MIDDLE)
    _ = RotatingBody(body("kirchhoff", {"a": WEAK, "b": STEEL}, mesh)).rotation
    _ = RotatingBody(body("kirchhoff", POLAR, mesh)).rotation


def test_full_disc_is_accepted():
    for size in ((3, 16), (6, 32)):
        _ = RotatingBody(KirchhoffPlate(disc(OUTER, *size), 0.002, STEEL)).rotation
        _ = RotatingBody(MindlinPlate(disc(OUTER, *size, cell="quad"), 0.002, STEEL)).rotation


def test_share_of_a_sector_is_that_of_its_fourier_series():
    """c_n = d sin(n b/2)/(n pi) for a sector of the angle b with the value 1 + d, over the mean."""
    phi = 2.0 * np.pi * (np.arange(3600) + 0.5) / 3600
    angle, d = 2.0 * np.pi / 9.0, 0.4
    values = 1.0 + d * (phi < angle)[:, None]
    n = np.arange(1, 6)
    exact = d * np.abs(np.sin(n * angle / 2.0)) / (n * np.pi) / (1.0 + d * angle / (2.0 * np.pi))
    np.testing.assert_allclose(uneven(values, phi, np.ones(3600), 5), exact, rtol=1e-5)
    assert exact[0] > UNEVEN
