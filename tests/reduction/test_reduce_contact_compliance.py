"""Ten random smooth pressure fields, contact displacement within 1 % of full FE."""

import numpy as np
import pytest
from skfem import ElementHex2

from fecontact.mesh import solid_annulus
from fecontact.reduction import CombinedLoads, HarmonicLoads, PatchLoads, reduce_model
from fecontact.reduction.loads import load_vectors


def smooth_pressures(surface, count, seed=2024):
    """Random pressures: harmonics k <= 4 times monomials of degree <= 2 in the radius."""
    rng = np.random.default_rng(seed)
    x, y = surface.points[:, :2].T
    r, phi = np.hypot(x, y), np.arctan2(y, x)
    scaled = (r - r.min()) / np.ptp(r)
    fields = []
    for _ in range(count):
        radial = rng.standard_normal((9, 3)) @ scaled ** np.arange(3)[:, None]
        waves = [np.ones_like(phi)] + [f(k * phi) for k in range(1, 5) for f in (np.cos, np.sin)]
        fields.append(np.sum(radial * waves, axis=0)[:, None] * -surface.normals)
    return {f"pressure {i}": field for i, field in enumerate(fields)}


def full_response(model, forces):
    """Elastic response by a bordered direct solution: independent of `Flexibility`."""
    f = model.free
    K, M = model.stiffness[f][:, f], model.mass[f][:, f]
    R = model.rigid_body_modes()[f] if len(f) == model.mass.shape[0] else np.zeros((len(f), 0))
    MR = M @ R
    bordered = np.block([[K.toarray(), MR], [MR.T, np.zeros((R.shape[1],) * 2)]])
    scale = np.sqrt(np.abs(np.diag(bordered)[: len(f)]).max())
    u = np.zeros_like(forces)
    right = np.vstack([forces[f], np.zeros((R.shape[1], forces.shape[1]))])
    bordered[len(f) :] *= scale
    bordered[:, len(f) :] *= scale
    u[f] = np.linalg.solve(bordered, right)[: len(f)]
    return u


def surface_motion(reduced, model, forces):
    """Missing and full displacement of the surface, root of the mean square, for each load."""
    s = model.surface("top")
    elastic = slice(reduced.rigid, None)
    Phi, omega = reduced.basis[:, elastic], reduced.frequencies[elastic, None]
    expected = s.shape @ full_response(model, forces)
    found = s.shape @ (Phi @ ((Phi.T @ forces) / omega**2))
    weights = np.repeat(s.weights, 3)[:, None]
    return [np.sqrt(np.sum(weights * u**2, axis=0)) for u in (found - expected, expected)]


def surface_errors(reduced, model, forces):
    """Relative mean-square error of the surface displacement for each load."""
    return np.divide(*surface_motion(reduced, model, forces))


@pytest.fixture(scope="module", params=["free", "inner", "bottom"])
def body(request, solid):
    """Annulus of quadratic hexahedra: free, on its hub, or bonded on a rigid carrier."""
    mesh = solid_annulus(0.06, 0.11, 0.0, 0.01, radial=2, circumferential=20)
    fix = () if request.param == "free" else (request.param,)
    return request.param, solid(mesh, fix=fix, element=ElementHex2())


def test_default_reduction_is_within_one_percent(body):
    support, model = body
    s = model.surface("top")
    pressures = smooth_pressures(s, 10)
    forces = load_vectors(s, pressures)
    default = reduce_model(model, "top")
    plain = reduce_model(model, "top", method="free", modes=default.size - default.rigid)
    missed, moved = surface_motion(default, model, forces)
    modal = surface_errors(plain, model, forces)
    assert plain.size - default.size in (0, 1)  # a pair is not cut
    assert np.max(missed / moved) < 0.01
    nominal = default.contact["top"].nominal
    size = np.sqrt([s.weights @ np.sum(t**2, axis=1) for t in pressures.values()])
    round_off = 1e-9 * moved
    assert np.all(missed <= nominal.missing * size * (1 + 1e-6) + round_off)
    assert np.all(missed <= nominal.surface_error * (moved + nominal.layer * size) + round_off)
    assert np.max(modal) > np.max(missed / moved)
    if support == "bottom":  # modes of a bonded layer hardly see its compression
        assert np.min(modal) > 0.05


def test_every_load_counts(body):
    """The error relative to each load alone, however stiff, is below the tolerance of 1 %."""
    _, model = body
    s = model.surface("top")
    forces = load_vectors(s, HarmonicLoads().tractions(s))
    reduced = reduce_model(model, "top")
    u = full_response(model, forces)
    Phi, omega = reduced.basis[:, reduced.rigid :], reduced.frequencies[reduced.rigid :, None]
    error = u - Phi @ ((Phi.T @ forces) / omega**2)
    squares = [np.einsum("ij,ij->j", v, model.stiffness @ v) for v in (error, u)]
    assert np.all(np.sqrt(squares[0] / squares[1]) < 0.01)
    pressures = load_vectors(s, smooth_pressures(s, 10))
    plain = reduce_model(model, "top", method="free", modes=reduced.size - reduced.rigid)
    errors, modal = (surface_errors(r, model, pressures) for r in (reduced, plain))
    assert np.max(modal) > 10.0 * np.max(errors)


def test_patch_loads_as_static_correction(body):
    """A local load is poorly represented by smooth shapes, and well when asked for."""
    _, model = body
    s = model.surface("top")
    centre = tuple(s.points[np.argmin(np.linalg.norm(s.points - [0.085, 0.0, 0.01], axis=1))])
    patch = PatchLoads((centre,), 0.02)
    forces = load_vectors(s, patch.tractions(s))[:, :1]
    smooth = HarmonicLoads(harmonics=2, degree=1)
    both = CombinedLoads((smooth, patch))
    without, with_patch = (
        surface_errors(reduce_model(model, "top", modes=10, loads={"top": family}), model, forces)[
            0
        ]
        for family in (smooth, both)
    )
    assert with_patch < 0.01 < without


def test_full_reference_is_independent(ring):
    """The bordered reference fulfils the balance of the supported problem to round-off."""
    s = ring.surface("top")
    forces = load_vectors(s, smooth_pressures(s, 1))
    u = full_response(ring, forces)
    R = ring.rigid_body_modes()
    a = np.linalg.solve(R.T @ (ring.mass @ R), R.T @ forces)
    residual = ring.stiffness @ u - (forces - ring.mass @ R @ a)
    assert np.max(np.abs(residual)) < 1e-6 * np.max(np.abs(forces))
