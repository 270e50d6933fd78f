"""Impact laws against closed forms: paradoxes, chains, and the balance of energy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fecontact.errors import InputError
from fecontact.integrate.moreau.impact import fremond, impact
from fecontact.solvers.complementarity import ContactProblem

seeds = st.integers(0, 2**32 - 1)
CHAIN = np.array([[-1.0, 1.0, 0.0], [0.0, -1.0, 1.0]])
ARRIVES = np.array([1.0, 0.0, 0.0])


def frictionless(J, v, M=None):
    inverse = np.eye(J.shape[1]) if M is None else np.linalg.inv(M)
    return ContactProblem.frictionless(J @ inverse @ J.T, J @ v)


def after(law, J, v, e, M=None, **options):
    inverse = np.eye(J.shape[1]) if M is None else np.linalg.inv(M)
    jump = impact(law, frictionless(J, v, M), e, **options)
    return v + inverse @ J.T @ jump.impulses, jump


def test_two_carts_no_contact_pulls():
    """Waltersberger example 1.1 b: cart 1 leaves cart 2 when that is stopped."""
    M = np.array([[1.0, -1.0], [-1.0, 2.0]])
    v, jump = after("newton", np.eye(2), np.array([0.0, -1.0]), 0.0, M)
    np.testing.assert_allclose(v, [1.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(jump.impulses, [0.0, 1.0], atol=1e-12)


def test_elastic_and_plastic_stop_at_once():
    v, jump = after("newton", np.ones((2, 1)), np.array([-2.0]), np.array([0.0, 0.7]))
    np.testing.assert_allclose(v, [1.4], rtol=1e-12)
    np.testing.assert_allclose(jump.impulses, [0.0, 3.4], atol=1e-12)


@pytest.mark.parametrize(
    ("law", "e", "expected"),
    [
        ("newton", 1.0, (-1 / 3, 2 / 3, 2 / 3)),
        ("newton", 0.0, (1 / 3, 1 / 3, 1 / 3)),
        ("newton", 0.5, (0.0, 0.5, 0.5)),
        ("poisson", 1.0, (-1 / 3, 2 / 3, 2 / 3)),
        ("poisson", 0.5, (0.0, 0.5, 0.5)),
        ("sequential", 1.0, (0.0, 0.0, 1.0)),
        ("sequential", 0.5, (0.203125, 0.234375, 0.5625)),
    ],
)
def test_three_masses_in_a_row(law, e, expected):
    """Waltersberger figures 5.2, 5.3 and 5.6; fractions by hand."""
    np.testing.assert_allclose(after(law, CHAIN, ARRIVES, e)[0], expected, atol=1e-10)


@given(st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_poisson_in_closed_form(e1, e2):
    v = after("poisson", CHAIN, ARRIVES, np.array([e1, e2]))[0]
    first, second = (4.0 * e1 - e2) / 3.0, 2.0 * (e2 - e1) / 3.0
    if second < 0.0:
        first, second = e1, 0.0
    elif first < 0.0:
        first, second = 0.0, second + first / 2.0
    np.testing.assert_allclose(np.diff(v), [first, second], atol=1e-9)


def test_plastic_sequence_ends_in_a_common_speed():
    v, jump = after("sequential", CHAIN, ARRIVES, 0.0)
    np.testing.assert_allclose(v, 1 / 3, atol=1e-9)
    assert jump.finished


def test_endless_sequence_is_cut_off():
    """Waltersberger example 5.5: elastic discs on a closed track hand the impulse on for ever."""
    ring = np.array([[-1.0, 1.0, 0.0], [0.0, -1.0, 1.0], [1.0, 0.0, -1.0]])
    jump = after("sequential", ring, ARRIVES, 1.0, stages=50)[1]
    assert not jump.finished
    assert jump.stages == 50


@pytest.mark.parametrize(("m", "speed"), [(0.5, 0.0), (1.0, 0.0), (3.0, 0.5), (1e9, 1.0)])
def test_fremond_on_a_wall(m, speed):
    v, _ = fremond(np.eye(1), np.ones((1, 1)), m, np.array([-1.0]))
    np.testing.assert_allclose(v, [speed], atol=3e-9)


def system(seed, contacts=5):
    """Random masses and contacts that all approach."""
    rng = np.random.default_rng(seed)
    n, c = int(rng.integers(1, 7)), int(rng.integers(1, contacts))
    A = rng.normal(size=(n, n))
    M, v = A @ A.T + np.eye(n), rng.normal(size=n)
    J = rng.normal(size=(c, n))
    J[J @ v > 0.0] *= -1.0
    return M, J, v, rng.uniform(0.0, 1.0, c)


@given(seeds)
def test_newton_takes_energy_as_its_identity_says(seed):
    M, J, v, e = system(seed)
    now, jump = after("newton", J, v, e, M)
    change = now @ M @ now - v @ M @ v
    identity = jump.impulses @ ((1.0 - e) * (J @ v))
    assert change <= 1e-9 * (v @ M @ v)
    np.testing.assert_allclose(change, identity, atol=1e-8 * (v @ M @ v))
    assert (J @ now + e * (J @ v)).min() >= -1e-8


@given(seeds)
def test_elastic_impact_keeps_energy(seed):
    M, J, v, _ = system(seed)
    now, _ = after("newton", J, v, 1.0, M)
    np.testing.assert_allclose(now @ M @ now, v @ M @ v, rtol=1e-8)


@given(seeds, st.floats(0.0, 1.0))
def test_poisson_gives_back_at_most_its_share(seed, e):
    """T+ <= T_c + e^2 (T - T_c) with T_c after a plastic impact; equal if nothing presses again."""
    M, J, v, _ = system(seed)
    now, _ = after("poisson", J, v, e, M)
    pressed, plastic = after("newton", J, v, 0.0, M)
    before, least = v @ M @ v, pressed @ M @ pressed
    most = least + e**2 * (before - least)
    assert now @ M @ now <= most + 1e-9 * before
    back = pressed + e * np.linalg.solve(M, J.T @ plastic.impulses)
    if (J @ back).min() >= 0.0:
        np.testing.assert_allclose(now @ M @ now, most, atol=1e-8 * before)


@given(seeds)
def test_sequence_takes_energy(seed):
    M, J, v, e = system(seed, contacts=3)
    now, _ = after("sequential", J, v, e, M)
    assert now @ M @ now <= v @ M @ v * (1.0 + 1e-9)


def test_unknown_law_is_refused():
    with pytest.raises(InputError, match="impact law = hertz"):
        impact("hertz", frictionless(CHAIN, ARRIVES), 1.0)
