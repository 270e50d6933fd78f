"""Batched integrals against the forms of scikit-fem."""

import numpy as np
import pytest
from skfem import (
    Basis,
    BilinearForm,
    ElementQuad1,
    ElementQuad2,
    ElementTriP2,
    ElementVector,
    MeshQuad,
    MeshTri,
)

from fecontact.fem._forms import assemble, sample_matrix


def basis():
    """Fields (w, u) on crooked quadrilaterals."""
    mesh = MeshQuad().refined(1)
    p = mesh.p + 0.05 * np.random.default_rng(0).uniform(-1, 1, mesh.p.shape)
    return Basis(MeshQuad(p, mesh.t), ElementQuad1() * ElementVector(ElementQuad2()), intorder=5)


def test_symmetric_form_with_a_stiffness_per_point():
    where = basis()
    x, y = where.global_coordinates()
    C = np.empty((*x.shape, 2, 2))
    C[..., 0, 0], C[..., 1, 1], C[..., 0, 1], C[..., 1, 0] = 2 + x, 3 + y, x * y, x * y
    found = assemble(where, lambda w, u: [w.grad[0] + u[0], u.grad[0, 1] - u.grad[1, 0]], C)

    @BilinearForm
    def form(w, u, w_, u_, p):
        a, b = w.grad[0] + u[0], u.grad[0, 1] - u.grad[1, 0]
        a_, b_ = w_.grad[0] + u_[0], u_.grad[0, 1] - u_.grad[1, 0]
        x, y = p.x
        return (2 + x) * a * a_ + (3 + y) * b * b_ + x * y * (a * b_ + b * a_)

    expected = form.assemble(where)
    assert abs(found - expected).max() < 1e-13 * abs(expected).max()


def test_form_of_two_operators_has_the_test_function_on_the_left():
    where = Basis(MeshTri().refined(2), ElementTriP2(), intorder=4)
    found = assemble(where, lambda u: [np.asarray(u)], np.ones((1, 1)), lambda u: [u.grad[1]])
    expected = BilinearForm(lambda u, v, p: v * u.grad[1]).assemble(where)
    assert abs(found - expected).max() < 1e-13 * abs(expected).max()


def test_samples_are_the_values_at_the_points():
    where = basis()
    unknowns = np.random.default_rng(1).standard_normal(where.N)
    w, u = where.interpolate(unknowns)
    found = sample_matrix(where, lambda w, u: [np.asarray(w), u.grad[1, 0]]) @ unknowns
    expected = np.stack([np.asarray(w), u.grad[1, 0]], axis=-1)
    assert found == pytest.approx(expected.ravel())
