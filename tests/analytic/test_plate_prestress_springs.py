"""Springs in the plane of a plate hold back the stress of its rotation, as they do in a solid."""

import numpy as np
import pytest
from scipy.special import iv, ivp, kv, kvp

from fecontact.errors import InputError
from fecontact.fem import (
    STEEL,
    ElasticSolid,
    Foundation,
    KirchhoffPlate,
    MindlinPlate,
    PointSpring,
    RotatingBody,
    SurfaceSpring,
)
from fecontact.mesh import annulus, solid_annulus

INNER, OUTER, H = 0.05, 0.1, 0.002
AREA = np.pi * (OUTER**2 - INNER**2)
BED = 4.0 * STEEL.young * H / OUTER**2
"""Tangential stiffness per area in N/m^3 whose decay length is half the radius."""

FOUNDATION = [Foundation("top", 1e3, BED)]
SPRING = [SurfaceSpring("bottom", (BED * AREA, BED * AREA, 1e3))]


def kirchhoff(springs):
    return KirchhoffPlate(annulus(INNER, OUTER, 8, 96), H, STEEL, springs=springs)


def mindlin(springs, membrane=False):
    mesh = annulus(INNER, OUTER, 3, 32, cell="quad", order=2)
    return MindlinPlate(mesh, H, STEEL, membrane=membrane, springs=springs)


def stretched(springs):
    return mindlin(springs, membrane=True)


def cone_energy(plate):
    """Work w . K_sigma w of the deflection w = r^2 of the mid-plane, 4 int N_r r^2 dA."""
    w = np.zeros(plate.mass.shape[0])
    if isinstance(plate, KirchhoffPlate):
        dofs = plate.basis.nodal_dofs[0]
        w[dofs] = np.sum(plate.mesh.p**2, axis=0)
    else:
        places = plate.basis.doflocs
        dofs = np.concatenate([plate.basis.nodal_dofs[0], plate.basis.facet_dofs[0]])
        w[dofs] = np.sum(places[:, dofs] ** 2, axis=0)
    return w @ RotatingBody(plate).centrifugal_stiffness @ w


def exact_cone_energy(bed):
    """Plane stress on a bed: u = a I_1(l r) + b K_1(l r) + rho h r/bed, l^2 = bed (1-nu^2)/(E h).

    Unit speed; N_r = E h/(1 - nu^2) (u' + nu u/r) vanishes at both edges.
    """
    nu, stretch = STEEL.poisson, STEEL.young * H / (1.0 - STEEL.poisson**2)
    decay, slope = np.sqrt(bed / stretch), STEEL.density * H / bed

    def tension(f, df, r):
        return stretch * (decay * df(1, decay * r) + nu * f(1, decay * r) / r)

    edges = np.array([INNER, OUTER])
    A = np.column_stack([tension(iv, ivp, edges), tension(kv, kvp, edges)])
    a, b = np.linalg.solve(A, np.full(2, -stretch * (1.0 + nu) * slope))
    x, weights = np.polynomial.legendre.leggauss(40)
    r = 0.5 * (INNER + OUTER) + 0.5 * (OUTER - INNER) * x
    N = a * tension(iv, ivp, r) + b * tension(kv, kvp, r) + stretch * (1.0 + nu) * slope
    return float(0.5 * (OUTER - INNER) * weights @ (8.0 * np.pi * N * r**3))


@pytest.mark.parametrize("springs", [FOUNDATION, SPRING], ids=["foundation", "spring"])
@pytest.mark.parametrize(("make", "error"), [(kirchhoff, 1e-2), (mindlin, 1e-3), (stretched, 1e-3)])
def test_spinning_disc_on_a_tangential_bed(make, error, springs):
    """The bed takes 46 % of the tension of the free disc, so a forgotten one is seen."""
    exact = exact_cone_energy(BED)
    assert cone_energy(make(springs)) == pytest.approx(exact, rel=error)
    assert exact < 0.6 * cone_energy(make([]))


def test_solid_and_plate_agree():
    """Springs on both faces, so that the solid does not bend either."""
    both = [SurfaceSpring(face, (BED * AREA / 2,) * 3) for face in ("bottom", "top")]
    mesh = solid_annulus(INNER, OUTER, -H / 2, H / 2, 3, 32, order=2)
    solid = ElasticSolid(mesh, STEEL, springs=both)
    w = np.zeros((len(solid.nodes), 3))
    w[:, 2] = np.sum(solid.nodes[:, :2] ** 2, axis=1)
    K = RotatingBody(solid).centrifugal_stiffness
    assert w.ravel() @ K @ w.ravel() == pytest.approx(cone_energy(mindlin(both)), rel=5e-3)


def test_point_springs_hold_the_plane_too():
    """Two stiff springs in x across the rim change the stress; one does not, nor two in z."""
    ends = [(OUTER, 0.0, 0.0), (-OUTER, 0.0, 0.0)]
    K, one, two, lifted = (
        RotatingBody(stretched([PointSpring(p, k) for p in places])).centrifugal_stiffness
        for places, k in (
            ([], (0.0, 0.0, 0.0)),
            (ends[:1], (1e12, 0.0, 0.0)),
            (ends, (1e12, 0.0, 0.0)),
            (ends, (0.0, 0.0, 1e12)),
        )
    )
    assert abs(two - K).max() > 0.1 * abs(K).max()
    for same in (one, lifted):
        assert abs(same - K).max() < 1e-9 * abs(K).max()


def test_unknown_face_of_a_spring_is_named():
    with pytest.raises(InputError, match="unknown surface 'rim'; known: bottom, top"):
        _ = kirchhoff([Foundation("rim", 1.0, 1.0)]).in_plane.stiffness
