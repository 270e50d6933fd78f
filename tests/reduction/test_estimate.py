from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg as la
from numpy.testing import assert_allclose

from fecontact.fem import STEEL, ElasticSolid, MindlinPlate
from fecontact.mesh import annulus, solid_annulus
from fecontact.reduction import PolynomialLoads, reduce_model
from fecontact.reduction.attachment import acting, compliance_spectrum
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
    options = {"method": "free", "modes": 8, "loads": {"top": family}, "layer": 0.0}
    reduced = reduce_model(clamped_block, "top", **options)
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
    assert compliance.full[0, 0] == pytest.approx(area * height / young, rel=1e-9, abs=0.0)
    assert compliance.reduced[0, 0] == pytest.approx(area * height / young, rel=1e-9, abs=0.0)


def test_dependent_loads_are_left_out():
    F = np.array([[2.0, 2.0, 0.0], [2.0, 2.0, 0.0], [0.0, 0.0, 0.0]])
    parts, loads = compliance_spectrum(0.25 * F, F)
    assert_allclose(parts, [0.25])
    assert_allclose(loads.T @ F @ loads, [[1.0]])


def test_a_stiff_load_is_not_a_dependent_load():
    """Twelve decades stiffer than the others, and independent: it counts in full."""
    F = np.diag([1.0, 1e-6, 1e-12])
    parts, _ = compliance_spectrum(np.diag([0.0, 0.0, 0.8e-12]), F)
    assert_allclose(parts, [0.0, 0.0, 0.8], atol=1e-15)


def test_a_thin_free_plate_is_squeezed_by_a_uniform_pressure():
    """The stress falls from p to 0 across the thickness and does not bend the plate.

    Free to spread sideways its compliance is A h/3 E, held from spreading A h/3 E' with
    E' = E (1 - nu)/((1 + nu)(1 - 2 nu)). The body lies between, and so must its reduction.
    """
    h, young, poisson = 2e-4, STEEL.young, STEEL.poisson
    plate = ElasticSolid(solid_annulus(0.06, 0.11, 0.0, h, 2, 20), STEEL)
    options = {"layer": 0.0, "tolerance": 0.01, "floating_frame": False}
    reduced = reduce_model(plate, "top", modes=20, **options)
    found = reduced.contact["top"].nominal
    pressure = found.labels.index("normal | cos 0 degree 0")
    area = np.sum(plate.surface("top").weights)
    confined = young * (1.0 - poisson) / ((1.0 + poisson) * (1.0 - 2.0 * poisson))
    squeezing = found.reduced[pressure, pressure]
    assert area * h / (3.0 * confined) < squeezing < area * h / (3.0 * young)
    assert squeezing == pytest.approx(found.full[pressure, pressure], rel=1e-4, abs=0.0)
    assert found.energy_error < 1e-2


def test_what_follows_rigidly_is_no_load_on_a_plate():
    """A free plate without thickness strain: uniform pressure only accelerates it."""
    plate = MindlinPlate(annulus(0.06, 0.11, 3, 24, "quad"), 2e-4, STEEL)
    options = {"layer": 0.0, "tolerance": 0.01, "floating_frame": False}
    found = reduce_model(plate, "top", modes=10, **options).contact["top"].nominal
    inert = np.setdiff1d(np.arange(len(found.labels)), acting(found.full))
    assert [found.labels[i] for i in inert] == ["normal | cos 0 degree 0"]
    assert found.energy_error < 1e-2
    assert found.surface_error < 1e-2


def test_validity_of_craig_bampton_ends_below_the_first_wrong_frequency(clamped_block):
    reduced = reduce_model(clamped_block, "top", method="craig-bampton", modes=2)
    frequencies = np.arange(1.0, reduced.size + 1.0)
    error = np.zeros(reduced.size)
    error[[3, 5]] = 0.2, 0.04
    made = replace(reduced, frequencies=frequencies, frequency_error=error, next_frequency=1e9)
    assert made.validity_frequency(0.3) == reduced.size
    assert made.validity_frequency(0.05) == 3.0
    assert replace(made, next_frequency=2.5).validity_frequency(0.05) == 2.5
    error[0] = 1.0
    assert made.validity_frequency(0.05) == 0.0


def test_validity_of_craig_bampton_on_a_block(clamped_block):
    """Up to it every frequency is that of the full model, to the tolerance; one above is not."""
    f = clamped_block.free
    matrices = (A[f][:, f].toarray() for A in (clamped_block.stiffness, clamped_block.mass))
    true = np.sqrt(la.eigvalsh(*matrices))
    reduced = reduce_model(clamped_block, "top", method="craig-bampton", modes=5)
    valid = reduced.validity_frequency(0.05)
    within = np.count_nonzero(reduced.frequencies <= valid)
    assert 3 <= within < reduced.size
    assert valid < reduced.next_frequency < reduced.frequencies[-1]
    assert np.all(np.abs(reduced.frequencies[:within] ** 2 / true[:within] ** 2 - 1.0) < 0.05)


def test_validity_grows_with_modes_and_is_zero_for_modes_alone(clamped_block):
    few, more = (reduce_model(clamped_block, "top", modes=n) for n in (3, 20))
    assert 0.0 < few.validity_frequency() < more.validity_frequency() < more.next_frequency
    plain = reduce_model(clamped_block, "top", method="free", modes=20)
    assert plain.validity_frequency() == 0.0
