"""Normal laws without history: no tension, derivatives, restitution in closed form."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from fecontact.contact.laws.penalty import PenaltyNormal, winkler_layer
from fecontact.contact.laws.power import PowerNormal
from fecontact.contact.laws.table import TableNormal
from fecontact.errors import InputError

LAWS = {
    "penalty": PenaltyNormal(3.0, 0.2),
    "hertz": PowerNormal(3.0, 1.5),
    "hunt-crossley": PowerNormal(3.0, 1.5, hunt_crossley=0.4),
    "root": PowerNormal(3.0, 1.5, root_damping=0.3),
    "table": TableNormal(np.array([0.0, 0.4, 1.0]), np.array([0.0, 0.5, 3.0]), 0.1),
}
GAPS = st.floats(-2.0, 1.0)


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@given(gap=GAPS, rate=st.floats(-1.0, 1.0))
def test_pushes_only_and_is_differentiable(law, difference, gap, rate):
    p, by_gap, by_rate = law.pressure(np.array([gap]), np.array([rate]))
    assert p[0] >= 0.0
    if gap > 0.0:
        assert p[0] == by_gap[0] == by_rate[0] == 0.0
    away = min(abs(gap), abs(gap + 0.4), abs(gap + 1.0)) > 0.01  # kinks: touching, table
    if not away or 0.0 < p[0] < 0.1 or (gap < 0.0 and p[0] == 0.0):
        return
    found = difference(
        lambda x: law.pressure(x[:1], x[1:])[0], np.array([gap, rate]), np.full(2, 1e-3)
    )
    assert np.abs(found - [by_gap[0], by_rate[0]]).max() < 1e-7 * max(1.0, abs(by_gap[0]))


def rebound(law, mass, speed):
    """Restitution of a mass that hits the law, integrated until it leaves."""

    def rate(t, y):
        return [y[1], law.pressure(y[:1], y[1:])[0][0] / mass]

    def leaves(t, y):
        return law.pressure(y[:1], y[1:])[0][0] - 1e-12 if t > 1e-3 else 1.0

    leaves.terminal, leaves.direction = True, -1.0
    run = solve_ivp(rate, (0.0, 50.0), [-1e-12, -speed], rtol=1e-10, atol=1e-13, events=leaves)
    return run.y[1, -1] / speed


@pytest.mark.parametrize("zeta", [0.05, 0.1, 0.3, 0.6, 0.8])
def test_restitution_of_the_linear_law(zeta):
    """Released where the force ends, not where the surfaces part; in closed form."""
    w = np.sqrt(1.0 - zeta**2)
    exact = np.exp(-zeta / w * (np.pi - np.arctan2(2.0 * zeta * w, 1.0 - 2.0 * zeta**2)))
    assert rebound(PenaltyNormal(1.0, 2.0 * zeta), 1.0, 1.0) == pytest.approx(exact, rel=1e-5)


@pytest.mark.parametrize("alpha", [0.1, 0.5, 1.5])
def test_restitution_of_hunt_and_crossley(alpha):
    """u du/(1 + alpha u) = -(k/m) d^n dd: x - log(1 + x), x = alpha u, ends where it began."""
    e = rebound(PowerNormal(1.0, 1.5, hunt_crossley=alpha), 1.0, 1.0)
    before, after = (x - np.log1p(x) for x in (alpha, -alpha * e))
    assert after == pytest.approx(before, rel=1e-4)


def test_winkler_layer_and_its_limits():
    assert winkler_layer(2.0, 0.5).stiffness == 4.0
    assert winkler_layer(2.0, 0.5, 0.25).stiffness == pytest.approx(4.0 * 0.75 / (1.25 * 0.5))
    assert winkler_layer(2.0, 0.5, loss=0.1).damping == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: PowerNormal(0.0), "stiffness = 0.0"),
        (lambda: PowerNormal(1.0, 0.5), "exponent = 0.5"),
        (lambda: PowerNormal(1.0, hunt_crossley=-1.0), "hunt_crossley = -1.0"),
        (lambda: TableNormal(np.array([0.0, 0.0]), np.array([0.0, 1.0])), "compressions"),
        (lambda: TableNormal(np.array([0.0, 1.0]), np.array([0.0, 1.0, 2.0])), "as many"),
        (lambda: TableNormal(["a", "b"], [0.0, 1.0]), r"compressions = \['a', 'b'\]"),
        (lambda: winkler_layer(1.0, 0.0), "thickness = 0.0"),
        (lambda: winkler_layer(1.0, 1.0, 0.5), "poisson = 0.5"),
    ],
)
def test_bad_input(make, words):
    with pytest.raises(InputError, match=words):
        make()
