"""Friction of sliding and spinning patches: published vectors, closed forms, convexity, points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import dblquad

from fecontact.contact.laws.coefficient import Coulomb, Stribeck
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.patch.area import AreaFriction, LimitCurve, gauge, mean_squares
from fecontact.contact.patch.flat import (
    AnnulusPatch,
    AxisymmetricPatch,
    HertzPatch,
    PointPatch,
    Rectangle,
)
from fecontact.errors import InputError, SolverError

SEEDS = st.integers(0, 10**6)
PATCHES = {
    "rectangle": Rectangle(0.3, 0.1),
    "hertz": HertzPatch(0.1),
    "annulus": AnnulusPatch(0.06, 0.1),
    "worn": AnnulusPatch(0.06, 0.1, worn=True),
    "disc": AnnulusPatch(0.0, 0.1),
}
ROUND = [name for name in PATCHES if name != "rectangle"]


def random_twist(seed, arm=0.1):
    rng = np.random.default_rng(seed)
    return rng.normal(size=3) * np.array([1.0, 1.0, 10.0 ** rng.uniform(-2, 2) / arm])


def distance_of_kinks(patch, twist):
    """Relative distance of the pole from the rims and edges of the patch."""
    pole = np.array([-twist[1], twist[0]]) / twist[2]
    if isinstance(patch, Rectangle):
        edges = 0.5 * np.array([patch.length_x, patch.length_y])
        takes_over = abs(np.hypot(*pole) / (3.0 * np.hypot(*edges)) - 1.0)
        return min(takes_over, np.abs(np.abs(pole) / edges - 1.0).min())
    rims = [patch.radius] if isinstance(patch, HertzPatch) else [patch.inner, patch.outer]
    return min(abs(np.hypot(*pole) / rim - 1.0) for rim in rims if rim > 0.0)


def ring_points(patch, rings=200, angles=240):
    """Plain polar grid by the midpoint rule, with the pressure of the patch."""
    inner, outer = (
        (0.0, patch.radius) if isinstance(patch, HertzPatch) else (patch.inner, patch.outer)
    )
    dr = (outer - inner) / rings
    r, phi = inner + dr * (np.arange(rings) + 0.5), 2 * np.pi * (np.arange(angles) + 0.5) / angles
    r, phi = (grid.ravel() for grid in np.meshgrid(r, phi))
    if isinstance(patch, HertzPatch):
        pressure = np.sqrt(1.0 - (r / outer) ** 2)
    else:
        pressure = 1.0 / r if patch.worn else np.ones_like(r)
    return PointPatch(np.column_stack([r * np.cos(phi), r * np.sin(phi)]), r * dr, pressure)


def test_block_on_a_disc_as_published():
    """Keppler, example 4.8: a block 2 L x L whose pole lies at (0, L)."""
    L, omega, v_s = 0.4, 3.0, 2.0
    law = AreaFriction(Rectangle(2 * L, L), Stribeck(0.3, 0.5, v_s, exponent=2.0))
    force = law.sliding(np.array([omega * L, 0.0, omega]), 20.0)
    mu = 0.3 + 0.2 * np.exp(-17.0 / 12.0 * (L * omega / v_s) ** 2)
    assert force.limit == pytest.approx(20.0 * mu, rel=1e-14)
    per_limit = force.value / (-20.0 * mu) / np.array([1.0, 1.0, L])
    np.testing.assert_allclose(per_limit, [0.8652, 0.0, 0.2903], atol=5e-5)


@pytest.mark.parametrize("pole", [(0.3, 0.2), (1.3, -0.7), (0.0, 0.0), (1.0, 0.5), (0.0, 4.0)])
def test_rectangle_against_quadrature(pole):
    """Poles inside, outside, on a corner, and far."""
    x_m, y_m = pole
    found, _ = Rectangle(2.0, 1.0).mean(np.array([y_m, -x_m, 1.0]))

    def average(f):
        cuts = [(-1.0, 1.0)] if abs(x_m) >= 1 else [(-1.0, x_m), (x_m, 1.0)]
        rows = [(-0.5, 0.5)] if abs(y_m) >= 0.5 else [(-0.5, y_m), (y_m, 0.5)]
        parts = [
            dblquad(lambda y, x: f(x, y) / np.hypot(x - x_m, y - y_m), *cut, *row, epsabs=1e-10)[0]
            for cut in cuts
            for row in rows
        ]
        return 0.5 * sum(parts)

    exact = [
        average(lambda x, y: y_m - y),
        average(lambda x, y: x - x_m),
        average(lambda x, y: x * (x - x_m) + y * (y - y_m)),
    ]
    np.testing.assert_allclose(found, exact, atol=1e-8)


def test_rectangle_near_and_far_forms_agree():
    """On both sides of the distance where Gauss points take over."""
    patch = Rectangle(0.3, 0.1)
    edge = 3.0 * 0.5 * np.hypot(0.3, 0.1)
    near, far = (patch.mean(np.array([edge * s, 0.02, 1.0])) for s in (1 - 1e-3, 1 + 1e-3))
    for twist in (np.array([0.99 * edge, 0.02, 1.0]), np.array([0.5 * edge, 0.3 * edge, -1.0])):
        closed, points = patch.mean(twist), patch._gauss.mean(twist)
        np.testing.assert_allclose(closed[0], points[0], atol=1e-11)
        np.testing.assert_allclose(closed[1], points[1], atol=1e-9)
    np.testing.assert_allclose(near[0], far[0], atol=1e-3)
    square = Rectangle(0.2, 0.2).mean(np.array([0.0, 0.0, 1.0]))[0]
    assert square[2] == pytest.approx(0.2 * (np.sqrt(2) + np.arcsinh(1)) / 6, rel=1e-13)


@pytest.mark.parametrize("x", [0.05, 0.3, 0.9, 1.0])
def test_hertz_polynomials_against_rings(x):
    """The closed forms of a pole in the patch against the sum over rings."""
    patch = HertzPatch(0.1)
    u = np.polynomial.legendre.leggauss(400)
    # r = a sqrt(1 - u^2), split at the pole and graded towards it on both sides
    t, dt = 0.5 * (1 + u[0]), 0.5 * u[1]
    split = np.sqrt(1 - x**2)
    nodes = np.concatenate([split * (1 - t**3), split + (1 - split) * t**3])
    width = np.concatenate([split * 3 * t**2 * dt, (1 - split) * 3 * t**2 * dt])

    class Rings(HertzPatch):
        def rings(self, pole):
            return 0.1 * np.sqrt(1 - nodes**2), 3 * nodes**2 * width

    by_rings = AxisymmetricPatch.ratios(Rings(0.1), x * 0.1, 1.0)
    np.testing.assert_allclose(patch.ratios(x * 0.1, 1.0), by_rings, rtol=1e-7)


def test_spin_moments():
    """Drilling moments per mu N: 3 pi a/16, 2 a/3, annulus, worn annulus."""
    k = 0.6
    exact = {
        "hertz": 3 * np.pi / 16,
        "disc": 2 / 3,
        "annulus": 2 / 3 * (1 - k**3) / (1 - k**2),
        "worn": 0.5 * (1 + k),
    }
    for name, moment in exact.items():
        found = PATCHES[name].mean(np.array([0.0, 0.0, -2.0]))[0]
        np.testing.assert_allclose(found, [0.0, 0.0, -0.1 * moment], atol=1e-14)


@pytest.mark.parametrize("name", ROUND)
def test_second_moments_are_the_stiffness_of_stick(name):
    """Bristles c spread with the pressure make c (1, 1, s_1)."""
    patch, points = PATCHES[name], ring_points(PATCHES[name])
    np.testing.assert_allclose(
        mean_squares(points) / np.outer([1, 1, 0.1], [1, 1, 0.1]),
        mean_squares(patch) / np.outer([1, 1, 0.1], [1, 1, 0.1]),
        atol=2e-4,
    )
    assert points.area * 2 * np.pi / 240 == pytest.approx(patch.area, rel=1e-12)


def test_disc_with_its_pole_on_the_rim():
    found = AnnulusPatch(0.0, 1.0).mean(np.array([1.0, 0.0, 1.0]))[0]
    np.testing.assert_allclose(found, [8 / (3 * np.pi), 0.0, 8 / (9 * np.pi)], atol=1e-13)


@pytest.mark.parametrize("name", ROUND)
@pytest.mark.parametrize("x", [0.3, 0.8, 1.3, 4.0])
def test_round_patches_against_a_plain_grid(name, x):
    patch = PATCHES[name]
    twist = np.array([0.6 * 0.1 * x, 0.8 * 0.1 * x, 1.0])
    exact, points = patch.mean(twist), ring_points(patch).mean(twist)
    np.testing.assert_allclose(points[0] / [1, 1, 0.1], exact[0] / [1, 1, 0.1], atol=3e-4)


@pytest.mark.parametrize("name", list(PATCHES))
def test_far_pole(name):
    """F -> 1 - s_1/(4 r^2) and M -> s_1/(2 r) for round patches; M/omega stays finite."""
    patch = PATCHES[name]
    s_1 = patch.second_moment
    omega = 1e-5
    found, hessian = patch.mean(np.array([1.0, 0.0, omega]))
    across = 0.3**2 / 12 if name == "rectangle" else s_1 / 2
    if name == "rectangle":
        # a twist along x turns the speed across it only by x: <x^2> = l_x^2/12
        assert found[2] / omega == pytest.approx(across, rel=1e-6)
    else:
        assert 1 - found[0] == pytest.approx(s_1 * omega**2 / 4, rel=1e-2)
        assert found[2] / omega == pytest.approx(across, rel=1e-9)
    assert hessian[2, 2] == pytest.approx(across, rel=1e-6)


@settings(max_examples=10)
@given(seed=SEEDS)
@pytest.mark.parametrize("name", list(PATCHES))
def test_hessian_of_the_mean_speed(name, seed, difference):
    patch, twist = PATCHES[name], random_twist(seed)
    hessian = patch.mean(twist)[1]
    scale = np.array([1.0, 1.0, 10.0])
    near = min(1.0, distance_of_kinks(patch, twist))
    if near < 0.15:
        return  # the Hessian has a kink where the pole crosses the rim
    speed = np.hypot(np.linalg.norm(twist[:2]), 0.1 * twist[2])
    numeric = difference(lambda x: patch.mean(x)[0], twist, 2e-3 * near * speed * scale)
    block = (hessian - numeric) * np.outer(scale, scale)
    assert np.abs(block).max() < 1e-7 * np.abs(hessian * np.outer(scale, scale)).max()
    np.testing.assert_allclose(hessian @ twist, 0.0, atol=1e-10 * np.abs(hessian).max() * speed)


@settings(max_examples=10)
@given(seed=SEEDS)
@pytest.mark.parametrize("name", list(PATCHES))
def test_maximal_dissipation_and_convexity(name, seed):
    """No vector of the limit surface dissipates more at a twist than the friction vector."""
    patch = PATCHES[name]
    twist, other = random_twist(seed), random_twist(seed + 1)
    own, foreign = patch.mean(twist)[0], patch.mean(other)[0]
    middle = patch.mean(twist + other)[0]
    assert own @ twist >= foreign @ twist - 1e-12 * abs(own @ twist)
    sum_of_speeds = own @ twist + foreign @ other
    assert middle @ (twist + other) <= sum_of_speeds * (1 + 1e-12)
    assert np.linalg.eigvalsh(patch.mean(twist)[1]).min() > -1e-12 * np.abs(own @ twist) * 1e3


@settings(max_examples=10)
@given(seed=SEEDS)
@pytest.mark.parametrize("name", list(PATCHES))
def test_gauge_inverts_the_friction_vector(name, seed):
    """On the limit surface the gauge is 1, and the twist that releases is the one that slides."""
    patch, twist = PATCHES[name], random_twist(seed)
    load = patch.mean(twist)[0]
    g, release = gauge(patch, 3.0 * load)
    assert g == pytest.approx(3.0, rel=1e-9)
    assert patch.mean(release)[0] @ release == pytest.approx(1.0, rel=1e-9)
    assert load @ release == pytest.approx(1.0, rel=1e-9)


@settings(max_examples=10)
@given(seed=SEEDS)
@pytest.mark.parametrize("name", ROUND)
def test_limit_curve_is_the_gauge(name, seed):
    patch = PATCHES[name]
    load = np.random.default_rng(seed).normal(size=3) * np.array([1.0, 1.0, 0.1])
    curve = LIMITS[name].gauge(load)
    exact = gauge(patch, load)
    assert curve[0] == pytest.approx(exact[0], rel=2e-8)
    np.testing.assert_allclose((curve[1] - exact[1]) * [1, 1, 0.1], 0.0, atol=1e-5)


LIMITS = {name: LimitCurve(PATCHES[name]) for name in ROUND}


def test_printed_limit_curve_of_hertz():
    """Keppler's closed limit curve is an approximation, within 0.35 % of the spin moment."""
    f, m, *_ = LimitCurve(HertzPatch(1.0)).points.T
    printed = np.sqrt(np.maximum(0.0, 1 - f**2)) * (1 - f**2 / 4)
    assert 1e-3 < np.abs(printed - m).max() < 3.6e-3


def test_stick():
    law = AreaFriction(HertzPatch(0.1), Coulomb(0.4, static=0.5))
    spin = 0.5 * 10.0 * 3 * np.pi / 16 * 0.1
    assert law.sticks(np.array([0.0, 4.99, 0.0]), 10.0)
    assert not law.sticks(np.array([0.0, 5.01, 0.0]), 10.0)
    assert law.sticks(np.array([0.0, 0.0, 0.999 * spin]), 10.0)
    assert not law.sticks(np.array([0.0, 0.0, -1.001 * spin]), 10.0)
    assert law.sticks(np.zeros(3), 10.0)
    assert not law.sticks(np.array([3.0, 3.0, 0.6 * spin]), 10.0)


@settings(max_examples=20)
@given(seed=SEEDS)
def test_derivatives_with_stribeck_and_viscosity(seed, difference):
    rng = np.random.default_rng(seed)
    points = PointPatch(rng.normal(size=(30, 2)), rng.uniform(0.5, 1, 30), rng.uniform(0, 1, 30))
    law = AreaFriction(points, Stribeck(0.3, 0.5, 2.0, exponent=2.0), viscous=0.05)
    twist, N = rng.normal(size=3), 7.0
    near = np.linalg.norm(
        np.column_stack([twist[0] - twist[2] * points.points[:, 1],
                         twist[1] + twist[2] * points.points[:, 0]]), axis=1
    ).min()  # fmt: skip
    force = law.sliding(twist, N)
    step = np.full(3, 1e-2 * min(near, 0.3))
    numeric = difference(lambda x: law.sliding(x, N).value, twist, step)
    np.testing.assert_allclose(force.by_twist, numeric, atol=1e-7 * np.abs(numeric).max())
    by_normal = difference(lambda x: law.sliding(twist, x[0]).value, np.array([N]), [0.1])
    np.testing.assert_allclose(force.by_normal, by_normal[:, 0], atol=1e-9)


def test_mean_squares_are_the_viscous_part():
    rng = np.random.default_rng(0)
    patch = PointPatch(rng.normal(size=(9, 2)), rng.uniform(0.5, 1, 9))
    twist = rng.normal(size=3)
    x, y = patch.points.T
    u = np.array([twist[0] - twist[2] * y, twist[1] + twist[2] * x])
    mean = np.array(
        [u[0] @ patch.fractions, u[1] @ patch.fractions, (x * u[1] - y * u[0]) @ patch.fractions]
    )
    np.testing.assert_allclose(mean_squares(patch) @ twist, mean, atol=1e-14)
    assert twist @ mean_squares(patch) @ twist == pytest.approx(
        (u**2).sum(axis=0) @ patch.fractions
    )


@pytest.mark.parametrize(
    "twist", [(0.2, 0.1, 0.0), (0.0, 0.0, 3.0), (0.1, 0.0, 1.0), (0.02, 0.05, -2.0)]
)
def test_bristles_on_a_rigid_patch(twist):
    """Elasto-plastic points under steady sliding sum up to the vector of the patch."""
    patch = ring_points(HertzPatch(0.1), 60, 64)
    twist, mu, N = np.array(twist), 0.4, 50.0
    x, y = patch.points.T
    slip = np.column_stack([twist[0] - twist[2] * y, twist[1] + twist[2] * x, np.zeros_like(x)])
    share = N * patch.fractions
    law = ElastoPlastic(mu, stiffness=1e4)
    z, status, h = np.zeros_like(slip), np.ones(len(x), dtype=np.int64), 0.01
    for _ in range(150):
        step = law.step(z + h * slip, slip, share, status, h)
        z, status = step.z, step.status
    T = step.traction
    total = np.array([T[:, 0].sum(), T[:, 1].sum(), x @ T[:, 1] - y @ T[:, 0]])
    exact = AreaFriction(HertzPatch(0.1), mu).sliding(twist, N).value
    np.testing.assert_allclose(total / [1, 1, 0.1], exact / [1, 1, 0.1], atol=1e-3 * mu * N)
    same_points = AreaFriction(patch, mu).sliding(twist, N).value
    np.testing.assert_allclose(total / [1, 1, 0.1], same_points / [1, 1, 0.1], atol=1e-9 * mu * N)


def test_point_patch_of_lists():
    patch = PointPatch([[0, 0], [1, 1]], [1, 1], [1, 3])
    np.testing.assert_array_equal(patch.centre, [0.75, 0.75])


def test_bad_input():
    with pytest.raises(InputError, match=r"patch = None.* such as HertzPatch"):
        AreaFriction(None, 0.3)
    with pytest.raises(InputError, match=r"load = .*nan.* shape \(3,\)"):
        gauge(HertzPatch(0.1), (1.0, np.nan, 0.0))
    with pytest.raises(InputError, match="outer radius"):
        AnnulusPatch(0.2, 0.1)
    with pytest.raises(InputError, match="expected >= 0, some > 0"):
        PointPatch(np.zeros((2, 2)), np.zeros(2))
    with pytest.raises(InputError, match=r"patch: invalid weights = \[1.0, 1.0\].* shape \(3,\)"):
        PointPatch(np.zeros((3, 2)), np.ones(2))
    with pytest.raises(InputError, match=r"patch: invalid pressure = 1.0"):
        PointPatch(np.zeros((3, 2)), np.ones(3), 1.0)
    with pytest.raises(InputError, match=r"patch: invalid points = \[\[nan, nan\]\].* finite"):
        PointPatch(np.full((1, 2), np.nan), np.ones(1))
    with pytest.raises(InputError, match=r"patch: invalid points.* shape \(p, 2\)"):
        PointPatch(np.zeros((2, 3)), np.ones(2))
    with pytest.raises(InputError, match="normal force = -1"):
        AreaFriction(HertzPatch(0.1), 0.3).sliding(np.ones(3), -1.0)
    for patch in PATCHES.values():
        with pytest.raises(SolverError, match="twist is zero"):
            patch.mean(np.zeros(3))
