"""Planar law with three states: steady sliding, stick, derivatives, dissipation, break-away."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from fecontact.contact.laws.coefficient import Coulomb, Stribeck
from fecontact.contact.patch.area import AreaFriction
from fecontact.contact.patch.flat import AnnulusPatch, HertzPatch, Rectangle
from fecontact.contact.patch.planar import PlanarFriction
from fecontact.errors import InputError

SEEDS = st.integers(0, 10**6)
A = 0.1
SCALE = np.array([1.0, 1.0, 1.0 / A])


def planar(law="consistent", patch=None, mu=0.5, damping=0.0, **options):
    friction = AreaFriction(patch or HertzPatch(A), mu, options.pop("viscous", 0.0))
    return PlanarFriction(friction, 50.0, damping, law=law, **options)


LAWS = [
    planar(onset=0.3),
    planar(
        onset=0.3, decay=0.4, mu=Stribeck(0.3, 0.6, 0.2, exponent=2.0), damping=2.0, viscous=0.1
    ),
    planar("keppler1", onset=0.3, decay=0.7, damping=1.0),
    planar(patch=AnnulusPatch(0.05, A), onset=0.3, mu=Stribeck(0.4, 0.6, 0.3, exponent=2.0)),
]


def random_state(law, seed):
    """Deflections around the limit and twists of all ratios of slip and spin."""
    rng = np.random.default_rng(seed)
    kappa, twist = rng.normal(size=3) * SCALE, rng.normal(size=3) * SCALE
    twist[2] *= 10.0 ** rng.uniform(-1.5, 1.5)
    N = rng.uniform(0.5, 2.0)
    g, _ = law.curve.gauge(law.stiffness * law.shape * kappa)
    kappa *= rng.uniform(0.2, 1.3) * law.friction.limit(twist, N)[0] / g
    if law.shape * kappa @ twist < 0.0:
        twist = -twist
    return kappa, twist, N


def steady(law, twist, N=1.0):
    end = 40.0 * law.friction.limit(twist, N)[0] / law.stiffness / np.linalg.norm(twist / SCALE)
    rate = lambda t, kappa: law.rate(kappa, twist, N).z_rate  # noqa: E731
    found = solve_ivp(rate, (0.0, end), np.zeros(3), method="LSODA", rtol=1e-10, atol=1e-14)
    return law.rate(found.y[:, -1], twist, N).force


@pytest.mark.parametrize(
    "twist", [(0.1, 0, 1.0), (0.3, 0.4, 0.0), (0, 0, -2.0), (0.02, 0.01, 3.0), (0.3, -0.1, 0.5)]
)
def test_steady_sliding_is_the_exact_vector(twist):
    law, twist = planar(), np.array(twist)
    exact = law.friction.sliding(twist, 1.0).value
    np.testing.assert_allclose(steady(law, twist) * SCALE, exact * SCALE, atol=1e-9)


def test_printed_law_forces_friction_parallel_to_the_twist():
    """The print is right in pure sliding and pure spin only."""
    law = planar("keppler1")
    for twist in (np.array([0.2, 0.1, 0.0]), np.array([0.0, 0.0, 2.0])):
        np.testing.assert_allclose(steady(law, twist), law.friction.sliding(twist, 1.0).value,
                                   atol=1e-9)  # fmt: skip
    twist = np.array([0.1, 0.0, 1.0])
    exact = law.friction.sliding(twist, 1.0).value
    np.testing.assert_allclose(exact, [-0.441786, 0.0, -0.011045], atol=1e-6)
    kappa = twist / np.linalg.norm(twist) * np.linalg.norm(exact) / (50.0 * law.shape)
    rates = law.rate(kappa, twist, 1.0)
    assert rates.sliding == pytest.approx(1.0)
    np.testing.assert_allclose(rates.z_rate, 0.0, atol=1e-13)
    np.testing.assert_allclose(rates.force, [-0.043973, 0.0, -0.439731], atol=1e-6)


def test_stick_is_a_spring():
    """K = c_0 diag(1, 1, s_1): bristles spread with the pressure; no drift below the onset."""
    law = planar(damping=3.0)
    kappa = np.array([2e-3, -1e-3, 0.02])
    twist = np.array([0.01, 0.02, -0.3])
    rates = law.rate(kappa, twist, 1.0)
    shape = np.array([1.0, 1.0, 0.4 * A**2])
    np.testing.assert_array_equal(rates.z_rate, twist)
    np.testing.assert_allclose(rates.force, -50.0 * shape * kappa - 3.0 * shape * twist, rtol=1e-14)
    assert law.energy(kappa) == pytest.approx(25.0 * shape @ kappa**2)


@settings(max_examples=10)
@given(seed=SEEDS)
@pytest.mark.parametrize("law", LAWS, ids=["coulomb", "stribeck", "printed", "annulus"])
def test_derivatives(law, seed, difference):
    kappa, twist, N = random_state(law, seed)
    d = law.curve.gauge(law.stiffness * law.shape * kappa)[0] / law.friction.limit(twist, N)[0]
    pole = np.hypot(*twist[:2]) / (A * abs(twist[2]))
    edges = [1.0, 0.5]
    power = kappa * law.shape @ twist, kappa @ twist
    if min(abs(d - 0.3), abs(d - 1.0)) < 0.05 or min(abs(pole - e) for e in edges) < 0.1:
        return  # kinks
    if min(power) < 0.1 * np.linalg.norm(kappa * law.shape) * np.linalg.norm(twist):
        return
    tangent = law.tangent(kappa, twist, N)
    speed = np.linalg.norm(twist / SCALE)
    sizes = {
        "kappa": (1e-3 * np.linalg.norm(kappa / SCALE) * SCALE, kappa),
        "twist": (1e-3 * speed * SCALE, twist),
        "normal": (np.array([1e-3]), np.array([N])),
    }
    for what in ("force", "z_rate"):
        rows = SCALE if what == "force" else 1.0 / SCALE
        for by, (step, at) in sizes.items():

            def value(x, by=by, what=what):
                state = {"kappa": kappa, "twist": twist, "normal": N} | {by: x}
                N_now = float(np.ravel(state["normal"])[0])
                return getattr(law.rate(state["kappa"], state["twist"], N_now), what)

            columns = step / step[0]
            exact = getattr(tangent, f"{what}_by_{by}").reshape(3, -1)
            numeric = difference(value, at, step)
            block = rows[:, None] * exact * columns
            error = np.abs(block - rows[:, None] * numeric * columns).max()
            size = max(np.abs(block).max(), 1e-6 * np.abs(rows * value(at)).max() / step[0])
            assert error < 1e-7 * size, (what, by)


@settings(max_examples=25)
@given(seed=SEEDS, onset=st.floats(0.0, 0.9), share=st.floats(0.05, 1.0))
@pytest.mark.parametrize("patch", [HertzPatch(A), AnnulusPatch(0.05, A)], ids=["ball", "ring"])
def test_any_decay_dissipates(patch, seed, onset, share):
    """K kappa . (twist - kappa') >= 0: by the test of unloading, and by nu <= 1/(1 - d_1)."""
    law = planar(patch=patch, decay=share / (1.0 - onset), onset=onset)
    kappa, twist, N = random_state(law, seed)
    rates = law.rate(kappa, twist, N)
    load = law.stiffness * law.shape * kappa
    assert rates.power >= -1e-14 * np.linalg.norm(load * SCALE) * np.linalg.norm(twist)
    assert rates.power == pytest.approx(
        load @ (twist - rates.z_rate), abs=1e-12 * np.abs(load @ twist)
    )


def test_break_away_moment():
    """Keppler's patch under a force of 0.49 mu N: slow twisting breaks it loose at 0.482 a mu N."""
    law, f = planar(mu=Coulomb(1.0)), 0.49

    def rate(t, kappa):
        slip = (f - 50.0 * kappa[0]) / 0.5  # a light dashpot lets x follow the force 0.49
        return law.rate(kappa, np.array([slip, 0.0, 0.05]), 1.0).z_rate

    start = np.array([f / 50.0, 0.0, 0.0])
    found = solve_ivp(rate, (0.0, 30.0), start, method="LSODA", rtol=1e-9, atol=1e-12)
    moment = 50.0 * law.shape[2] * found.y[2]
    assert found.y[0, -1] == pytest.approx(f / 50.0, rel=0.02)
    assert law.curve.gauge(np.array([50.0 * found.y[0, -1], 0.0, moment[-1]]))[0] == pytest.approx(
        1.0
    )
    approximate = 3 * np.pi / 16 * A * np.sqrt(1 - f**2) * (1 - f**2 / 4)
    assert moment.max() == pytest.approx(approximate, rel=8e-3)


def test_bad_input():
    with pytest.raises(InputError, match="axisymmetric"):
        PlanarFriction(AreaFriction(Rectangle(1.0, 1.0), 0.3), 50.0)
    with pytest.raises(InputError, match="law = printed"):
        planar("printed")
    with pytest.raises(InputError, match="onset = 1"):
        planar(onset=1.0)
    with pytest.raises(InputError, match="normal force = 0"):
        planar().rate(np.zeros(3), np.ones(3), 0.0)
    with pytest.raises(InputError, match=r"decay = 3.0 with onset = 0.0.* create energy"):
        planar(onset=0.0, decay=3.0)
    with pytest.raises(InputError, match=r"invalid static mu = 0.5 with the planar law.* 0.3;"):
        planar(mu=Coulomb(0.3, static=0.5))
    assert planar(onset=0.7, decay=3.0).decay == 3.0


@pytest.mark.parametrize("law", ["consistent", "keppler1"])
def test_patch_without_friction_carries_its_drag(law):
    """mu = 0: neither a division by zero nor a force of the spring."""
    smooth = planar(law, mu=0.0, viscous=0.1, damping=2.0)
    kappa, twist = np.array([2e-3, -1e-3, 0.02]), np.array([0.3, 0.1, -2.0])
    rates, by = smooth.rate(kappa, twist, 2.0), smooth.tangent(kappa, twist, 2.0)
    drag = smooth.friction.sliding(twist, 2.0)
    np.testing.assert_array_equal(rates.force, drag.value)
    np.testing.assert_array_equal(rates.z_rate, 0.0)
    assert rates.power == pytest.approx(-drag.value @ twist)
    np.testing.assert_array_equal(by.force_by_twist, drag.by_twist)
    np.testing.assert_array_equal(by.force_by_normal, drag.by_normal)
    for zero in (by.force_by_kappa, by.z_rate_by_kappa, by.z_rate_by_twist, by.z_rate_by_normal):
        np.testing.assert_array_equal(zero, 0.0)
