"""Bodies with one soft direction: the default must keep the compliance of all the others.

Weak springs, a slender shape or a facing that is soft in shear move 1e3 times further and more than
the compression of the contact surface, which a basis must not lose beside them.
"""

import numpy as np
import pytest
import scipy.sparse.linalg as sla

from fecontact.fem import (
    STEEL,
    CylindricalAxes,
    ElasticSolid,
    Material,
    Orthotropic,
    SurfaceSpring,
)
from fecontact.mesh import block, solid_annulus
from fecontact.reduction import reduce_model
from fecontact.reduction.loads import load_vectors

FACING = Orthotropic(
    young=(1e10, 1e10, 4e8),
    poisson=(0.3, 0.3, 0.3),
    shear=(3.8e9, 1e5, 1e5),
    density=2200.0,
    axes=CylindricalAxes(),
)
PAD = Material(young=2e9, poisson=0.25, density=2500.0)


def weak_tangential_springs():
    """Ring on an axial bearing, centred by springs."""
    mesh = solid_annulus(0.06, 0.11, 0.0, 0.01, 3, 24, 1)
    springs = [SurfaceSpring("bottom", (1e7, 1e7, 0.0))]
    return ElasticSolid(mesh, STEEL, supports={"bottom": "z"}, springs=springs), "top"


def slender_column():
    """Pressed at its end; a shear moves it L^2/h^2 = 900 times further."""
    mesh = block(0.01, 0.01, 0.3, (2, 2, 10))
    return ElasticSolid(mesh, STEEL, supports={"z_min": "clamped"}), "z_max"


def facing_soft_in_shear():
    """Bonded to a rigid carrier, on a cushion that slides easily: E_3 / G = 4000."""
    mesh = solid_annulus(0.06, 0.11, 0.0, 0.003, 3, 24, 1)
    return ElasticSolid(mesh, FACING, supports={"bottom": "xyz"}), "top"


def pad_with_clip_springs():
    """Brake pad: backed by the piston, held in its plane by soft clips."""
    mesh = block(0.1, 0.05, 0.012, (6, 3, 2))
    springs = [SurfaceSpring("x_min", (1e4, 1e4, 1e4)), SurfaceSpring("x_max", (1e4, 1e4, 1e4))]
    return ElasticSolid(mesh, PAD, supports={"z_min": "z"}, springs=springs), "z_max"


BODIES = [weak_tangential_springs, slender_column, facing_soft_in_shear, pad_with_clip_springs]


def smooth_pressures(surface, count=10):
    """Uniform pressure, and random ones: on a ring harmonics k <= 4, else polynomials."""
    rng = np.random.default_rng(7)
    x, y = surface.points[:, :2].T
    r, phi = np.hypot(x, y), np.arctan2(y, x)
    if r.min() > 0.05 * r.max():
        s = (r - r.min()) / np.ptp(r)
        waves = [np.ones_like(phi), *(f(k * phi) for k in range(1, 5) for f in (np.cos, np.sin))]
        terms = [wave * s**d for wave in waves for d in range(3)]
    else:
        s, t = ((v - v.min()) / np.ptp(v) for v in (x, y))
        terms = [s**a * t**b for a in range(5) for b in range(5 - a)]
    random = rng.standard_normal((count - 1, len(terms))) @ terms
    fields = [np.ones_like(x), *random]
    return {str(i): -field[:, None] * surface.normals for i, field in enumerate(fields)}


def errors(model, contact, pressures, reduced):
    """Mean-square error of all components, and of the normal one, for each pressure."""
    s = model.surface(contact)
    forces = load_vectors(s, pressures)
    f = model.free
    u = np.zeros_like(forces)
    u[f] = sla.splu(model.stiffness[f][:, f].tocsc()).solve(forces[f])
    Phi, omega = reduced.basis, reduced.frequencies[:, None]
    full = (s.shape @ u).reshape(len(s.weights), 3, -1)
    found = (s.shape @ (Phi @ ((Phi.T @ forces) / omega**2))).reshape(full.shape)
    for component in (np.eye(3), s.normals[0][None]):
        missed, moved = (
            np.einsum("p,kc,pcl->kl", s.weights, component**2, v**2).sum(axis=0)
            for v in (found - full, full)
        )
        yield np.sqrt(missed / moved)


@pytest.mark.parametrize("modes", [5, 30])
@pytest.mark.parametrize("body", BODIES)
def test_default_is_within_one_percent(body, modes):
    model, contact = body()
    reduced = reduce_model(model, contact, modes=modes, floating_frame=False)
    assert reduced.rigid == 0
    pressures = smooth_pressures(model.surface(contact))
    every, normal = errors(model, contact, pressures, reduced)
    assert np.max(every) < 0.01
    assert np.max(normal) < 0.01
