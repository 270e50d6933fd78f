"""Stateful friction as internal variables against the friction of sliding points."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest

from fecontact.analysis import complex_modes, linearise, operating_point, steady_state
from fecontact.analysis.stability.response import frequency_response
from fecontact.analysis.stability.slip_states import active_directions, with_steady_slip
from fecontact.body import RigidBody
from fecontact.case.registry import load_module
from fecontact.contact import ContactPair, ElastoPlastic, PenaltyNormal, Plane, RigidFace, Surface
from fecontact.contact.laws.point import NormalRateSlopes, scalar
from fecontact.errors import InputError, SolverError
from fecontact.joint import Bearing, DofCoordinate, Force, PrescribedMotion, Speed
from fecontact.system import System
from fecontact.system.rate import SystemRateTangents

coupling = load_module("classic/mode_coupling")
MASS, STIFFNESS, MU, LOAD, SPEED = 2.0, 8e5, 0.4, 50.0, 0.2
PENALTY = PenaltyNormal(1e6, 0.0)


def system(c_t=1e9, beta=1.0, normal=PENALTY):
    """Block on a belt; across the belt it is held by a spring."""
    block = RigidBody("block", MASS)
    belt = RigidBody("belt", 1.0, ("ux",))
    drive = PrescribedMotion(
        DofCoordinate(belt, "ux"), Speed(SPEED), level="velocity", name="drive"
    )
    contact = ContactPair(
        block, Surface(np.zeros((1, 3)), np.ones(1)), RigidFace(belt, Plane()),
        normal, ElastoPlastic(MU, c_t, beta),
    )  # fmt: skip
    bearing = Bearing(block, STIFFNESS, 1e-9)
    return System([block, belt], [drive, bearing, Force(block, (0.0, 0.0, -LOAD)), contact])


def across(point):
    """Eigenvalue of the motion across the belt."""
    share = np.abs(point.modes.vectors[1]) ** 2 * MASS
    found = point.modes.eigenvalues
    return found[np.argmax(np.where(found.imag > 0.0, share, 0.0))]


def closed_form(c_t, beta):
    """Roots with Im > 0: a spring c_t and a dashpot beside a dashpot that slides with SPEED.

    T = -r (c z + beta y'), z' = (r - 1) c z/beta + r y', r = mu p/(mu p + beta |s|).
    """
    r = MU * LOAD / (MU * LOAD + beta * SPEED)
    relax = c_t * SPEED / (MU * LOAD + beta * SPEED)  # (1 - r) c/beta
    # (m z^2 + k + r beta z)(z + relax) + r c r z = 0
    polynomial = np.polyadd(
        np.polymul([MASS, r * beta, STIFFNESS], [1.0, relax]), [r**2 * c_t, 0.0]
    )
    roots = np.roots(polynomial)
    return roots[np.argmax(roots.imag)]


def test_steady_slip_is_at_the_friction_limit():
    made = system(c_t=1e7)
    steady = steady_state(made)
    state = with_steady_slip(made, steady.state)
    rates = made.rate_form(state)
    assert np.abs(rates.z_rate).max() < 1e-9
    assert np.linalg.norm(state.z) == pytest.approx(MU * LOAD / 1e7)
    np.testing.assert_allclose(rates.force, made.force(steady.state), atol=1e-9 * LOAD)
    assert with_steady_slip(made, state) is state


@pytest.mark.parametrize(("c_t", "beta"), [(1e6, 1e-3), (1e6, 30.0), (1e8, 1.0)])
def test_closed_form(c_t, beta):
    found = across(operating_point(system(c_t, beta), friction="state"))
    assert found == pytest.approx(closed_form(c_t, beta), rel=1e-8)


@pytest.mark.parametrize("beta", [1.0, 1e-3])
def test_state_tends_to_coulomb_with_first_order(beta):
    """The direction of friction lags by mu p/(c_t |s|): the eigenvalues differ by O(1/c_t)."""
    exact = across(operating_point(system()))
    error = [
        abs(across(operating_point(system(c_t, beta), friction="state")) - exact)
        for c_t in (1e7, 1e8, 1e9, 1e10)
    ]
    np.testing.assert_allclose(np.diff(np.log10(error)), -1.0, atol=0.1)
    assert error[-1] < 1e-5 * abs(exact)


def test_one_direction_of_slip_has_no_lag():
    """In the plane friction cannot turn: both forms are the same for any c_t."""
    p = coupling.ModeCoupling(damping=20.0, tangential_stiffness=1e6)
    exact = operating_point(coupling.build(p)).modes
    found = operating_point(coupling.build(p), friction="state").modes
    moving = found.eigenvalues[found.eigenvalues.imag > 1.0]
    np.testing.assert_allclose(moving, exact.eigenvalues, rtol=1e-9)


def test_tangents_of_the_state_model_are_exact(difference):
    """First-order matrix against differences of the equation of motion itself."""
    made = system(c_t=1e7)
    state = with_steady_slip(made, steady_state(made).state)
    by = made.rate_form(state).tangents()
    for value, names in (
        ("q", ("force_by_q", "z_rate_by_q")),
        ("z", ("force_by_z", "z_rate_by_z")),
    ):
        x = getattr(state, value)

        def both(y, value=value):
            rates = made.rate_form(replace(state, **{value: y}))
            return np.concatenate([rates.force, rates.z_rate])

        step = np.full(len(x), 1e-9)
        found = difference(both, x, step)
        expected = np.vstack([getattr(by, name) for name in names])
        for part in np.split(np.arange(len(found)), [made.size]):
            size = max(np.abs(expected[part]).max(), 1.0)
            assert np.abs(found[part] - expected[part]).max() < 1e-6 * size


def test_response_eliminates_the_slip():
    made = system(c_t=1e7)
    model = linearise(made, steady_state(made).state, friction="state")
    f = np.array([50.0, 200.0])
    load = np.array([0.3, 1.0, 0.0, 0.0])
    x = frequency_response(model, f, load)
    k, slip = len(model.mass), model.friction
    for row, omega in zip(x, 2 * np.pi * f, strict=True):
        s = 1j * omega
        y = model.basis.T @ model.dof_mass @ row
        zeta = np.linalg.solve(
            s * np.eye(len(slip.by_slip)) - slip.by_slip, (slip.by_position + s * slip.by_rate) @ y
        )
        left = (s**2 * model.mass + s * model.by_rate + model.by_position) @ y - slip.force @ zeta
        np.testing.assert_allclose(left, model.basis.T @ load, atol=1e-9)
    assert k == 3


def test_modes_count_the_bristles():
    """One point: two tangential components beside the three motions; no zero of the normal one."""
    made = system(c_t=1e7)
    modes = complex_modes(linearise(made, steady_state(made).state, friction="state"))
    pairs = np.count_nonzero(modes.eigenvalues.imag > 0.0)
    assert 2 * pairs + np.count_nonzero(modes.eigenvalues.imag == 0.0) == 8
    assert np.abs(modes.eigenvalues).min() > 1.0


def test_idle_directions_that_drive_others_count():
    """Two points: a direction without effect of its own that drives the bristle of the other."""
    none = np.zeros((1, 0))
    rate = np.diag([-2.0, 0.0, 0.0, -3.0, 0.0, 0.0])
    rate[3, 1] = 1e-3  # the second direction of the first point on the first of the other
    force = np.array([[1.0, 0.0, 0.0, 1e-6, 0.0, 0.0]])
    by = SystemRateTangents(none, none, force, none, none, rate)
    basis = active_directions(by, [(2, 3)])
    np.testing.assert_allclose(basis @ basis.T, np.diag([1.0, 1.0, 0.0, 1.0, 0.0, 0.0]), atol=1e-14)


def blocks(*given):
    """Blocks on belts of their own: masses, springs, and areas and stiffnesses of contacts."""
    bodies, items = [], []
    for i, (mass, spring, contacts) in enumerate(given):
        block, belt = RigidBody(f"block {i}", mass), RigidBody(f"belt {i}", 1.0, ("ux",))
        drive = PrescribedMotion(
            DofCoordinate(belt, "ux"), Speed(SPEED), level="velocity", name=f"drive {i}"
        )
        load = Force(block, (0.0, 0.0, -LOAD * sum(area for area, _ in contacts)), name=f"load {i}")
        pairs = [
            ContactPair(
                block, Surface(np.zeros((1, 3)), np.full(1, area)), RigidFace(belt, Plane()),
                PenaltyNormal(1e6, 0.0), ElastoPlastic(MU, c_t, 1.0), f"pair {i} {k}",
            )
            for k, (area, c_t) in enumerate(contacts)
        ]  # fmt: skip
        bodies += [block, belt]
        items += [drive, Bearing(block, spring, 1e-9, name=f"spring {i}"), load, *pairs]
    return System(bodies, items)


def test_soft_contacts_beside_stiff_ones():
    """A block with a small soft contact swings as alone, whatever is beside it."""
    soft, stiff = (1e-6, 0.1, [(1e-6, 1e5)]), (2.0, STIFFNESS, [(1.0, 2e11)])
    alone, both = (
        operating_point(blocks(*some), friction="state").modes.eigenvalues
        for some in ((soft,), (soft, stiff))
    )
    swings = alone[alone.imag > 0.0]
    assert np.abs(swings.real).max() > 10.0
    nearest = np.abs(both - swings[:, None]).min(axis=1)
    np.testing.assert_array_less(nearest, 1e-6 * np.abs(swings))


def test_contacts_side_by_side_have_the_shares_of_all_bristles(monkeypatch):
    """Two unequal contacts of one block: each feeds the mode as with all components of z."""
    made = blocks((MASS, STIFFNESS, [(1.0, 1e7), (3.0, 1e7)]))

    def terms():
        point = operating_point(made, friction="state")
        mode = int(np.argmin(np.abs(point.modes.eigenvalues - across(point))))
        return {(one.item, one.term): one.total for one in point.balance(mode).terms}

    found = terms()
    monkeypatch.setattr(
        sys.modules["fecontact.analysis.stability.linearise"],
        "active_directions",
        lambda by, _: np.eye(len(by.z_rate_by_z)),
    )
    whole = terms()
    assert min(whole.values()) < -10.0
    assert found == pytest.approx(whole, rel=1e-9, abs=1e-9)


def test_no_history_is_refused(elastic_disc, ritz):
    made = elastic_disc.build(elastic_disc.ElasticDisc(), ritz)
    with pytest.raises(InputError, match="ElastoPlastic"):
        linearise(made, steady_state(made).state, friction="state")
    with pytest.raises(InputError, match="friction"):
        linearise(made, steady_state(made).state, friction="sticky")


@pytest.mark.parametrize(
    "make", [system, lambda: coupling.build(coupling.ModeCoupling(damping=9.0))]
)
def test_power_balance_closes_with_elastic_slip(make):
    point = operating_point(make(), friction="state")
    for mode, z in enumerate(point.modes.eigenvalues):
        if z.imag > 0.0:
            balance = point.balance(mode)
            total = sum(term.total for term in balance.terms)
            assert total == pytest.approx(z.real, rel=1e-8, abs=1e-12 * abs(z))
            assert balance.error < 1e-8


def creep(k, gap, gap_rate, state):
    pressure = max(k[0] * (-gap - state[0]), 0.0)
    return pressure, (pressure / k[1],)


def crept(k, gap, gap_rate, before, state):
    pressure = max(k[0] * (-gap - state[0]), 0.0)
    return pressure, -k[0] if pressure > 0.0 else 0.0, 0.0, state


def lost(k, gap, gap_rate, state):
    return 0.0, 0.0


def d_creep(k, gap, gap_rate, state):
    c = k[0] if -gap >= state[0] else 0.0
    return NormalRateSlopes(-c, 0.0, (-c,), (-c / k[1],), (0.0,), (-c / k[1],))


def test_a_layer_that_never_rests_is_refused():
    """It creeps as long as it carries: no steady state, though all other rates are zero."""
    point = replace(PenaltyNormal.point, prepare=lambda p, h: (p[0], 1e4), rate=creep,
                    d_rate=d_creep, step=crept, balance=lost)  # fmt: skip
    law = type("Creeping", (PenaltyNormal,), {"point": point, "states": (scalar("settled"),)})
    with pytest.raises(SolverError, match=r"contact: Creeping does not rest .* at rest is 50;"):
        operating_point(system(1e5, 100.0, law(1e6)), friction="state")
