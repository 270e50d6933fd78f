import numpy as np
import pytest
import scipy.linalg as la
from numpy.testing import assert_allclose

from fecontact.reduction import PolynomialLoads, reduce_model
from fecontact.reduction.attachment import compliance_spectrum
from fecontact.reduction.estimate import valid_fraction
from fecontact.reduction.loads import load_vectors


@pytest.mark.parametrize("rho", [0.0, 0.03, 1.0])
@pytest.mark.parametrize("eps", [0.0, 1e-3, 0.04])
@pytest.mark.parametrize("tolerance", [0.05, 0.3])
def test_validity_solves_the_bound(rho, eps, tolerance):
    x = valid_fraction(rho, eps, tolerance)
    if rho == eps == 0.0:
        assert x == pytest.approx(1.0)
    else:
        assert rho * x**2 / (1 - x**2) + eps / np.sqrt(1 - x**2) == pytest.approx(tolerance)


def test_bounds_are_attained(clamped_block):
    """The worst load of the family reaches the bound: the estimate is sharp, not only safe."""
    family = PolynomialLoads(1)
    reduced = reduce_model(clamped_block, "top", method="free", modes=8, loads={"top": family})
    s, free = clamped_block.surface("top"), clamped_block.free
    P = load_vectors(s, family.tractions(s))
    U = np.zeros_like(P)
    U[free] = la.solve(clamped_block.stiffness[free][:, free].toarray(), P[free])
    D = U - reduced.basis @ ((reduced.basis.T @ P) / reduced.frequencies[:, None] ** 2)
    K = clamped_block.stiffness
    worst = la.eigh(D.T @ (K @ D), U.T @ (K @ U), eigvals_only=True)[-1]
    found = reduced.contact["top"].nominal
    assert found.energy_error == pytest.approx(np.sqrt(worst), rel=1e-8)
    assert_allclose(found.full, P.T @ U, rtol=1e-9, atol=1e-12 * np.max(found.full))


def test_uniform_pressure_on_a_bonded_block_is_hooke(solid, block):
    """Compliance of a block of E, nu = 0.3 on frictionless rollers: h / E, closed form."""
    model = solid(block(cells=(3, 3, 3)))
    bottom, y, x = (np.flatnonzero(model.nodes[:, i] == 0.0) for i in (2, 1, 0))
    held = np.concatenate([model.at(bottom, [2]), model.at(y, [1]), model.at(x, [0])])
    supported = type(model)(
        model.stiffness, model.mass, model.nodes, model.unknowns, model.surfaces, held
    )
    loads = {"top": PolynomialLoads(0)}
    reduced = reduce_model(supported, "top", modes=0, loads=loads)
    area, height, young = 0.10 * 0.06, 0.03, 210e9
    compliance = reduced.contact["top"].nominal
    assert compliance.labels[0] == "normal | degree 0 0"
    assert compliance.full[0, 0] == pytest.approx(area * height / young, rel=1e-9)
    assert compliance.reduced[0, 0] == pytest.approx(area * height / young, rel=1e-9)


def test_dependent_loads_are_left_out():
    F = np.array([[2.0, 2.0, 0.0], [2.0, 2.0, 0.0], [0.0, 0.0, 0.0]])
    parts, loads = compliance_spectrum(0.25 * F, F)
    assert_allclose(parts, [0.25])
    assert_allclose(loads.T @ F @ loads, [[1.0]])


def test_validity_grows_with_modes_and_is_zero_for_modes_alone(clamped_block):
    few, more = (reduce_model(clamped_block, "top", modes=n) for n in (3, 20))
    assert 0.0 < few.validity_frequency() < more.validity_frequency() < more.next_frequency
    plain = reduce_model(clamped_block, "top", method="free", modes=20)
    assert plain.validity_frequency() == 0.0
