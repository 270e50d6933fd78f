"""Plane-stress constants, named volumes and their errors, on both plates."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from skfem import MeshQuad, MeshTri

from fecontact.errors import InputError
from fecontact.fem import (
    ALUMINIUM,
    STEEL,
    CartesianAxes,
    CylindricalAxes,
    HarmonicPlate,
    KirchhoffPlate,
    MindlinPlate,
    Orthotropic,
    Section,
    straight_beam,
)
from fecontact.fem.plate.section import plane_stress, transverse_shear
from fecontact.mesh import load_mesh, rectangle

E1, E2, NU12, G12, G13, G23 = 40e9, 10e9, 0.25, 5e9, 4e9, 3e9


def ply(axes=None):
    """Glass-epoxy-like sheet."""
    return Orthotropic(
        (E1, E2, 9e9), (NU12, 0.3, 0.35), (G12, G13, G23), 1900.0, axes or CartesianAxes()
    )


def halves(mesh):
    """Cells left and right of the middle."""
    left = mesh.p[0, mesh.t].mean(axis=0) < 0.5
    sets = {"left half": np.flatnonzero(left), "right half": np.flatnonzero(~left)}
    return mesh.with_subdomains({**sets, "all": np.arange(mesh.nelements)})


KIRCHHOFF = halves(MeshTri().refined(2).with_defaults())
MINDLIN = halves(MeshQuad().refined(2).with_defaults())
PLATES = [(KirchhoffPlate, KIRCHHOFF), (MindlinPlate, MINDLIN)]


class TestPlaneStress:
    def test_constants_are_the_engineering_ones(self):
        """Q_11 = E_1/(1 - nu_12 nu_21), Q_12 = nu_21 Q_11, Q_66 = G_12; E_3 drops out."""
        Q = plane_stress(ply().elasticity(np.zeros(3)))
        nu21 = NU12 * E2 / E1
        scale = 1 / (1 - NU12 * nu21)
        expected = [[E1 * scale, nu21 * E1 * scale, 0], [NU12 * E2 * scale, E2 * scale, 0]]
        np.testing.assert_allclose(Q, [*expected, [0, 0, G12]], rtol=1e-12, atol=1e-3)

    @pytest.mark.parametrize("degrees", [0.0, 30.0, -75.0, 90.0])
    def test_turned_axes(self, degrees):
        """Jones, Mechanics of Composite Materials (2.80): stiffness at an angle to the fibres."""
        c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        Q = plane_stress(ply().elasticity(np.zeros(3)))
        axes = CartesianAxes((c, s, 0.0), (-s, c, 0.0))
        turned = plane_stress(ply(axes).elasticity(np.zeros(3)))
        q11, q12, q22, q66 = Q[0, 0], Q[0, 1], Q[1, 1], Q[2, 2]
        mixed = 2 * (q12 + 2 * q66) * s**2 * c**2
        expected = {
            (0, 0): q11 * c**4 + mixed + q22 * s**4,
            (1, 1): q11 * s**4 + mixed + q22 * c**4,
            (0, 1): (q11 + q22 - 4 * q66) * s**2 * c**2 + q12 * (s**4 + c**4),
            (2, 2): (q11 + q22 - 2 * q12 - 2 * q66) * s**2 * c**2 + q66 * (s**4 + c**4),
            (0, 2): (q11 - q12 - 2 * q66) * s * c**3 + (q12 - q22 + 2 * q66) * s**3 * c,
        }
        for place, value in expected.items():
            assert turned[place] == pytest.approx(value, rel=1e-10, abs=1.0)

    def test_cylindrical_axes_turn_with_the_point(self):
        D = ply(CylindricalAxes()).elasticity(np.array([[2.0, 0.0, 0.0], [0.0, 3.0, 0.0]]))
        Q, G = plane_stress(D), transverse_shear(D)
        assert Q[0, 0, 0] == pytest.approx(Q[1, 1, 1])
        assert Q[0, 1, 1] == pytest.approx(Q[1, 0, 0])
        assert np.allclose(G, [np.diag([G13, G23]), np.diag([G23, G13])])


@pytest.mark.parametrize(("plate", "mesh"), PLATES)
class TestVolumes:
    def test_equal_halves_are_one_plate(self, plate, mesh):
        parts = {"left half": STEEL, "right half": STEEL}
        whole, split = plate(mesh, 0.01, STEEL), plate(mesh, dict.fromkeys(parts, 0.01), parts)
        for A, B in ((whole.stiffness, split.stiffness), (whole.mass, split.mass)):
            assert abs(A - B).max() <= 1e-14 * abs(A).max()

    def test_parts_have_their_own_mass_and_faces(self, plate, mesh):
        """Heave moves rho_1 h_1/2 + rho_2 h_2/2 on the unit square."""
        body = plate(
            mesh,
            {"left half": 0.01, "right half": 0.02},
            {"left half": STEEL, "right half": ALUMINIUM},
        )
        heave = body.rigid_body_modes()[:, 0]
        expected = 0.5 * (STEEL.density * 0.01 + ALUMINIUM.density * 0.02)
        assert heave @ body.mass @ heave == pytest.approx(expected)
        x, _, z = body.surface("top").points.T
        assert np.allclose(z[x < 0.49], 0.005)
        assert np.allclose(z[x > 0.51], 0.01)

    def test_face_of_a_volume(self, plate, mesh):
        """Its area, level and side; together the faces of all volumes load as the whole face."""
        body = plate(mesh, {"left half": 0.01, "right half": 0.02}, STEEL)
        for half, level, low, high in (
            ("left half", 0.005, 0.0, 0.5),
            ("right half", 0.01, 0.5, 1),
        ):
            for name, side in (("top", 1.0), ("bottom", -1.0)):
                face = body.surface(f"{half}.{name}")
                assert face.weights.sum() == pytest.approx(0.5, rel=1e-12)
                assert face.weights.min() > 0.0
                assert low <= face.points[:, 0].min() < face.points[:, 0].max() <= high
                assert_allclose(face.points[:, 2], side * level, rtol=1e-12)
                assert_allclose(face.normals, np.tile([0.0, 0.0, side], (len(face.points), 1)))
        whole, *parts = (body.surface(name) for name in ("top", "left half.top", "right half.top"))
        pressures = [
            face.shape[2::3].T @ (face.weights * (1.0 + face.points[:, 0] * face.points[:, 1]))
            for face in (whole, *parts)
        ]
        assert_allclose(pressures[1] + pressures[2], pressures[0], atol=1e-12)

    @pytest.mark.parametrize("name", ["outer.top", "left half", ".top", "left half.side", "moon"])
    def test_unknown_faces_list_the_known_ones(self, plate, mesh, name):
        body = plate(mesh, 0.01, STEEL)
        with pytest.raises(InputError, match=r"surface '.*'; known: .*left half\.top.* top$"):
            body.surface(name)

    def test_rigid_motions_cost_nothing_in_a_stepped_plate(self, plate, mesh):
        parts = {"left half": ply(CylindricalAxes(origin=(-1.0, 0.0, 0.0))), "right half": STEEL}
        body = plate(mesh, {"left half": 0.01, "right half": 0.02}, parts)
        R = body.rigid_body_modes()
        assert np.abs(body.stiffness @ R).max() < 1e-13 * np.abs(body.stiffness).max()

    @pytest.mark.parametrize(
        ("thickness", "material", "message"),
        [
            (0.01, {"hub": STEEL}, "invalid subdomain = hub:.* all, left half"),
            (0.01, {"left half": STEEL}, r"\d+ cells have no material"),
            (0.01, {"left half": STEEL, "all": STEEL}, "'all': some of its cells have two values"),
            ({"left half": 0.01}, STEEL, "cells have no thickness"),
            ({"left half": 0.01, "right half": 0.0}, STEEL, "thickness of 'right half' = 0.0 m"),
            (
                0.01,
                ply(CartesianAxes((1.0, 0.0, 1.0))),
                "expected the third to be normal to the x-y plane",
            ),
        ],
    )
    def test_bad_input_is_named(self, plate, mesh, thickness, material, message):
        with pytest.raises(InputError, match=message):
            plate(mesh, thickness, material)


def test_clutch_disc_of_steel_and_facing():
    """Mass of the shipped mesh: areas of its triangles times rho h of their part."""
    mesh = load_mesh("meshes/clutch_disc.msh")
    facing = ply(CylindricalAxes())
    plate = KirchhoffPlate(
        mesh,
        {"carrier": 0.002, "facing": 0.008},
        {"carrier": STEEL, "facing": facing},
        {"hub": "clamped"},
    )
    a, b, c = (mesh.p[:, corner] for corner in mesh.t)
    area = 0.5 * np.abs((b - a)[0] * (c - a)[1] - (b - a)[1] * (c - a)[0])
    expected = 0.002 * STEEL.density * area[mesh.subdomains["carrier"]].sum()
    expected += 0.008 * facing.density * area[mesh.subdomains["facing"]].sum()
    heave = plate.rigid_body_modes()[:, 0]
    assert heave @ plate.mass @ heave == pytest.approx(expected)


def test_theories_that_need_one_modulus_say_so():
    words = "material = Orthotropic: expected an isotropic Material"
    for theory in ("timoshenko", "euler"):
        with pytest.raises(InputError, match=words):
            straight_beam(1.0, Section.rectangle(0.02, 0.01), ply(), theory=theory)
    with pytest.raises(InputError, match=words):
        HarmonicPlate(0.08, 0.12, 0.005, ply())


def test_thickness_in_mm_is_named():
    with pytest.warns(UserWarning, match=r"thickness = 4 m of a plate that spans 0.22 m.*0.004"):
        MindlinPlate(rectangle(0.22, 0.1, (2, 1)), 4.0, STEEL)
    parts = rectangle(0.22, 0.1, (2, 1)).with_subdomains({"rim": [0], "web": [1]})
    with pytest.warns(UserWarning, match="thickness of 'web' = 2 m"):
        MindlinPlate(parts, {"rim": 0.002, "web": 2.0}, STEEL)
