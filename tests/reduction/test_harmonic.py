from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fecontact.errors import InputError
from fecontact.fem import STEEL, HarmonicPlate
from fecontact.reduction import reduce_harmonic, ritz_harmonic
from fecontact.reduction.basis import orthonormal, static_shapes
from fecontact.reference.structures.annular_plate import annular_plate_frequencies

points = st.tuples(st.floats(0.081, 0.119), st.floats(0.0, 2 * np.pi))


def place(radius, angle):
    return np.array([radius * np.cos(angle)]), np.array([radius * np.sin(angle)])


@pytest.mark.parametrize("name", ["ritz", "fe"])
def test_basis_is_closed_under_rotation(name, request):
    """D W = W Delta at random points, with D W = x W_y - y W_x."""
    model = request.getfixturevalue(name)
    rng = np.random.default_rng(3)
    r, phi = rng.uniform(0.081, 0.119, 20), rng.uniform(0, 2 * np.pi, 20)
    x, y = r * np.cos(phi), r * np.sin(phi)
    shapes = model.shapes(x, y)
    rate = x[:, None] * shapes.gradient[:, 1] - y[:, None] * shapes.gradient[:, 0]
    np.testing.assert_allclose(rate, shapes.value @ model.rotation, atol=1e-12 * np.abs(rate).max())


@given(points)
def test_derivatives_of_shapes(plate, place_):
    """Gradient and Hessian against central differences."""
    model = reduce_harmonic(plate, 0.1, harmonics=3, modes=1)
    x, y = place(*place_)
    shapes = model.shapes(x, y)
    h = 1e-6
    for axis, (dx, dy) in enumerate(((h, 0.0), (0.0, h))):
        ahead, behind = model.shapes(x + dx, y + dy), model.shapes(x - dx, y - dy)
        slope = (ahead.value - behind.value) / (2 * h)
        bend = (ahead.gradient - behind.gradient) / (2 * h)
        scale = np.abs(shapes.gradient).max(), np.abs(shapes.hessian).max()
        inside = np.abs((np.hypot(x, y)[0] - 0.08) / 0.0025 % 1.0 - 0.5) < 0.49
        if inside:  # the curvature jumps at nodes: there the difference is worth nothing
            np.testing.assert_allclose(shapes.gradient[:, axis], slope, atol=1e-6 * scale[0])
            np.testing.assert_allclose(shapes.hessian[:, :, axis], bend, atol=1e-5 * scale[1])


def test_mass_orthonormal(fe):
    expected = np.eye(fe.size)
    np.testing.assert_allclose(fe.mass, expected, atol=1e-10)


def test_lowest_frequencies_are_exact(fe):
    for k in range(5):
        exact = annular_plate_frequencies(0.08, 0.12, 0.005, 210e9, 0.3, 7800.0, k)[0]
        assert fe.frequencies_of(k)[0] == pytest.approx(2 * np.pi * exact, rel=1e-6)


@pytest.mark.parametrize("k", range(5))
def test_static_answer_to_the_ring_load_is_exact(plate, k):
    """The static correction makes the compliance of the contact circle that of the full plate."""
    load = plate.ring_loads(0.1)  # line force and line couple
    full = load.T @ static_shapes(plate.stiffness(k), plate.free, load)
    model = reduce_harmonic(plate, 0.1, harmonics=k, modes=1)
    f = model.radial[k]
    reduced = load.T @ f @ np.linalg.solve(f.T @ (plate.stiffness(k) @ f), f.T @ load)
    np.testing.assert_allclose(reduced, full, rtol=1e-7, atol=1e-10 * np.abs(full).min())


def test_plain_modes_miss_the_ring_load(plate):
    """Without static correction the same number of functions is an order of magnitude worse."""
    from fecontact.reduction.basis import vibration_modes

    K, M = plate.stiffness(0), plate.mass(0)
    load = plate.ring_loads(0.1)[:, :1]
    full = plate.radial_functions(static_shapes(K, plate.free, load))(0.1)[0]
    _, modes = vibration_modes(K, M, plate.free, 4)
    reduced = modes @ np.linalg.solve(modes.T @ (K @ modes), modes.T @ load)
    assert abs(plate.radial_functions(reduced)(0.1)[0] / full - 1.0) > 1e-5


@pytest.mark.parametrize(
    ("k", "frequency"), [(0, 574.2), (1, 1104.4), (2, 2046.3), (3, 3181.8), (4, 4529.5)]
)
def test_ritz_frequencies_of_the_source(ritz, k, frequency):
    """Digest Jehle T5, Ritz column for h = 5 mm."""
    assert ritz.frequencies_of(k)[0] / (2 * np.pi) == pytest.approx(frequency, abs=0.06)


def test_ritz_matrices_in_closed_form(ritz):
    """Digest Jehle 2.5.4: r0*, s_k."""
    ro, ri, h, nu = 0.12, 0.08, 0.005, 0.3
    r0 = ro * (ro - ri) ** 3 / 3 - (ro - ri) ** 4 / 4
    r1 = np.log(ro / ri)
    r2, r3 = r1 + (ri - ro) / ri, r1 + (3 * ri - ro) * (ri - ro) / (2 * ri**2)
    k = ritz.harmonic
    s = r1 - 2 * r2 * k**2 + r3 * k**4 + 2 * (1 - nu) * k**2 * (ro**2 - ri**2) / (2 * ri**2)
    around = np.where(k == 0, 2 * np.pi, np.pi)
    np.testing.assert_allclose(np.diag(ritz.mass), 7800 * h * r0 * around, rtol=1e-10)
    np.testing.assert_allclose(np.diag(ritz.curvature_form), around * s, rtol=1e-9)
    assert r0 == pytest.approx(1.92e-6)


def test_reconstruction_is_kirchhoff(fe):
    rng = np.random.default_rng(0)
    q = rng.standard_normal(fe.size)
    point = np.array([[0.1], [0.02], [0.002]])
    u = fe.reconstruct(q, point)
    shapes = fe.shapes(point[0], point[1])
    assert u[2] == pytest.approx(shapes.value @ q)
    np.testing.assert_allclose(u[:2, 0], -0.002 * (shapes.gradient @ q)[0])
    complex_u = fe.reconstruct(q + 2j * q, point)
    np.testing.assert_allclose(complex_u, (1 + 2j) * u)


def test_orthonormal_drops_dependent_shapes(plate):
    M = plate.mass(1)
    rng = np.random.default_rng(0)
    shapes = rng.standard_normal((plate.basis.N, 3))
    basis = orthonormal(M, np.column_stack([shapes, shapes @ [1.0, 2.0, 3.0]]))
    assert basis.shape[1] == 3
    np.testing.assert_allclose(basis.T @ (M @ basis), np.eye(3), atol=1e-12)


def test_point_outside_the_plate(fe):
    with pytest.raises(InputError, match=r"0.13 m lies outside the plate"):
        fe.shapes(np.array([0.1, 0.13]), np.zeros(2))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"contact_radius": 0.13}, "contact_radius = 0.13 m"),
        ({"contact_radius": 0.1, "modes": 0}, "modes = 0"),
        ({"contact_radius": 0.1, "harmonics": -1}, "harmonics = -1"),
    ],
)
def test_bad_input(plate, arguments, words):
    with pytest.raises(InputError, match=words):
        reduce_harmonic(plate, **arguments)


def test_free_plate_has_no_static_shapes():
    free = HarmonicPlate(0.08, 0.12, 0.005, STEEL)
    with pytest.raises(InputError, match="support"):
        reduce_harmonic(free, 0.1)
    assert ritz_harmonic(free).size == 9


@pytest.mark.parametrize("name", ["ritz", "fe"])
@pytest.mark.parametrize("k", [0, 2])
def test_modes_of_a_harmonic(name, k, request):
    """Unit modal mass, their frequencies, and k waves along the circumference."""
    model = request.getfixturevalue(name)
    omega, modes = model.frequencies_of(k), model.modes_of(k)
    np.testing.assert_allclose(modes.T @ model.mass @ modes, np.eye(len(omega)), atol=1e-9)
    squares = np.diag(modes.T @ model.stiffness @ modes)
    np.testing.assert_allclose(squares, omega**2, rtol=1e-9)
    phi = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
    first = model.shapes(0.1 * np.cos(phi), 0.1 * np.sin(phi)).value @ modes[:, 0]
    np.testing.assert_allclose(first, first[0] * np.cos(k * phi), atol=1e-9 * abs(first[0]))
