"""The reduction methods over every finite-element model of the package, free and supported.

References are dense and independent: all eigenvalues of the full model, and the static
displacement with the inertia forces of the analytic rigid-body modes R as a saddle-point problem,

    [ K        M R ] [u]   [f]
    [ (M R)^T   0  ] [a] = [0] .
"""

import numpy as np
import pytest
import scipy.linalg as la
from numpy.testing import assert_allclose

from fecontact.errors import InputError
from fecontact.fem import (
    STEEL,
    Beam,
    ElasticSolid,
    KirchhoffPlate,
    MindlinPlate,
    Section,
    Segment,
    straight_beam,
)
from fecontact.mesh import annulus, block, rectangle
from fecontact.reduction import reduce_model
from fecontact.reduction.basis import check_orthonormal
from fecontact.reduction.craig_bampton import interface_unknowns
from fecontact.reduction.loads import default_loads, load_vectors

BAR = Section.rectangle(0.02, 0.01)


def solid(element):
    mesh = block(0.10, 0.06, 0.03, cells=(2, 2, 1), cell=element[:3])
    return lambda **supports: ElasticSolid(mesh, STEEL, element, supports=supports)


def kirchhoff(**supports):
    return KirchhoffPlate(annulus(0.08, 0.12, 2, 16), 0.005, STEEL, supports)


def mindlin(**supports):
    mesh = rectangle(0.2, 0.1, cells=(3, 2), order=2)
    return MindlinPlate(mesh, 0.01, STEEL, supports, membrane=True)


def beam(**supports):
    return straight_beam(0.5, BAR, STEEL, supports, elements=8)


# name -> model, its contact surface, its clamped support, number of rigid-body modes
BODIES = {
    "tet2": (solid("tet2"), "z_max", {"x_min": "clamped"}, 6),
    "hexS2": (solid("hexS2"), "z_max", {"x_min": "clamped"}, 6),
    "kirchhoff": (kirchhoff, "top", {"inner": "clamped"}, 3),
    "mindlin": (mindlin, "top", {"x_min": "clamped"}, 6),
    "beam": (beam, "top", {"left": "clamped"}, 6),
}
EVERY = [(name, held) for name in BODIES for held in (False, True)]


def build(name, held):
    """Model, surface, analytic rigid-body modes that it is free to make."""
    make, surface, supports, rigid = BODIES[name]
    model = make(**(supports if held else {}))
    R = model.rigid_body_modes()
    assert R.shape[1] == rigid
    return model, surface, R[:, :0] if held else R


def full_frequencies(model):
    f = model.free
    K, M = (A[f][:, f].toarray() for A in (model.stiffness, model.mass))
    return np.sqrt(np.maximum(la.eigh(K, M, eigvals_only=True), 0.0))


def full_static(model, R, forces):
    f, r = model.free, R.shape[1]
    K = model.stiffness[f][:, f].toarray()
    size = np.sqrt(np.diag(K))
    MR = (model.mass @ R)[f] / size[:, None]
    MR /= np.linalg.norm(MR, axis=0)
    A = np.block([[K / np.outer(size, size), MR], [MR.T, np.zeros((r, r))]])
    u = np.zeros_like(forces)
    right = np.vstack([forces[f] / size[:, None], np.zeros((r, forces.shape[1]))])
    u[f] = la.solve(A, right)[: len(f)] / size[:, None]
    return u


def random_forces(surface, family, count=3):
    P = load_vectors(surface, family.tractions(surface))
    return P @ np.random.default_rng(0).standard_normal((P.shape[1], count))


def elastic_response(reduced, forces):
    Phi, omega = reduced.basis[:, reduced.rigid :], reduced.frequencies[reduced.rigid :]
    return Phi @ ((Phi.T @ forces) / omega[:, None] ** 2)


@pytest.mark.parametrize("method", ["free", "rubin"])
@pytest.mark.parametrize(("name", "held"), EVERY)
def test_modes_are_those_of_the_full_model(name, held, method):
    model, surface, R = build(name, held)
    reduced = reduce_model(model, surface, method=method, modes=6, floating_frame=False)
    check_orthonormal(model.mass, reduced.basis)
    r = reduced.rigid
    assert r == R.shape[1]
    assert np.all(reduced.frequencies[:r] == 0.0)
    true = full_frequencies(model)
    assert_allclose(reduced.frequencies[r : r + 6], true[r : r + 6], rtol=1e-6)
    kept = reduced.basis @ (reduced.basis.T @ (model.mass @ R))
    assert_allclose(kept, R, atol=1e-9)  # every rigid motion is in the basis
    K = reduced.basis.T @ (model.stiffness @ reduced.basis)
    assert_allclose(K, np.diag(reduced.frequencies**2), atol=1e-7 * np.max(K))


@pytest.mark.parametrize(("name", "held"), EVERY)
def test_rubin_is_exact_for_its_load_shapes(name, held):
    model, surface, R = build(name, held)
    family = default_loads(model.surface(surface))
    forces = random_forces(model.surface(surface), family)
    expected = full_static(model, R, forces)
    reduced = reduce_model(
        model, surface, modes=4, loads={surface: family}, tolerance=1e-6, floating_frame=False
    )
    found = elastic_response(reduced, forces)
    assert_allclose(found, expected, atol=1e-5 * np.max(np.abs(expected)))


@pytest.mark.parametrize(("name", "held"), EVERY)
def test_quasi_static_deflection_is_exact(name, held):
    model, surface, R = build(name, held)
    family = default_loads(model.surface(surface))
    reduced = reduce_model(
        model,
        surface,
        method="quasi-static",
        modes=3,
        loads={surface: family},
        floating_frame=False,
    )
    amplitudes = np.random.default_rng(1).standard_normal(len(reduced.residual.labels))
    s = model.surface(surface)
    force = load_vectors(s, family.tractions(s)) @ amplitudes
    expected = full_static(model, R, force[:, None])[:, 0]
    found = elastic_response(reduced, force[:, None])[:, 0] + reduced.residual.shapes @ amplitudes
    assert_allclose(found, expected, atol=1e-6 * np.max(np.abs(expected)))


@pytest.mark.parametrize("held", [False, True])
@pytest.mark.parametrize("name", ["tet2", "hexS2"])
def test_craig_bampton_of_solids(name, held):
    """Exact for static loads on the interface; frequencies from above, exact with all modes."""
    model, surface, R = build(name, held)
    forces = random_forces(model.surface(surface), default_loads(model.surface(surface)))
    expected = full_static(model, R, forces)
    true = full_frequencies(model)[R.shape[1] :]
    interior = len(model.free) - len(interface_unknowns(model, (surface,)))
    for modes, upper in ((10, np.inf), (interior, 1.0 + 1e-8)):
        reduced = reduce_model(
            model, surface, method="craig-bampton", modes=modes, floating_frame=False
        )
        found = elastic_response(reduced, forces)
        assert_allclose(found, expected, atol=1e-8 * np.max(np.abs(expected)))
        ratio = reduced.frequencies[reduced.rigid :][:6] / true[:6]
        assert np.all((ratio > 1.0 - 1e-9) & (ratio < upper))


def test_craig_bampton_of_a_beam_with_its_tip_as_interface():
    pieces = [
        Segment(0.0, 0.4, BAR, STEEL, 6, name="shaft"),
        Segment(0.4, 0.5, BAR, STEEL, 2, name="tip"),
    ]
    model = Beam(pieces, {"left": "clamped"})
    reduced = reduce_model(model, "tip.top", method="craig-bampton", modes=8)
    ratio = reduced.frequencies[:6] / full_frequencies(model)[:6]
    assert np.all((ratio > 1.0 - 1e-7) & (ratio < 1.01))


@pytest.mark.parametrize("name", ["kirchhoff", "mindlin", "beam"])
def test_an_interface_that_is_the_whole_body_is_refused(name):
    """The face of a plate or beam moves with all its unknowns; the message names its edges."""
    model, surface, _ = build(name, held=True)
    edges = {
        "kirchhoff": "inner, outer",
        "mindlin": "x_max, x_min, y_max, y_min",
        "beam": "left, right",
    }[name]
    with pytest.raises(InputError, match=f"interface {surface}.* may be {edges}, or.* 'rubin'"):
        reduce_model(model, surface, method="craig-bampton", modes=2)
    with pytest.raises(InputError, match=f"invalid interface {surface}"):
        reduce_model(model, method="fixed", interface=surface, modes=2)
    with pytest.raises(InputError, match=f"'moon'; known: .*; as interface also {edges}"):
        reduce_model(model, method="fixed", interface="moon", modes=2)
