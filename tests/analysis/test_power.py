"""The power balance of a mode names what feeds it, and closes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fecontact.analysis import Branch, complex_modes, linearise, operating_point, steady_state
from fecontact.analysis.stability.operating_point import aligned
from fecontact.body import RigidBody
from fecontact.case.registry import load_module
from fecontact.contact import (
    ContactPair,
    CoulombSliding,
    PenaltyNormal,
    Plane,
    RigidFace,
    Stribeck,
    Surface,
)
from fecontact.joint import Bearing, DofCoordinate, Force, PrescribedMotion, Speed, SpringDamper
from fecontact.system import System


@pytest.fixture(scope="module")
def disc(elastic_disc, ritz):
    return operating_point(elastic_disc.build(elastic_disc.ElasticDisc(), ritz))


@pytest.fixture(scope="module")
def coupling():
    return load_module("classic/mode_coupling")


def matrices(point):
    """Sums of the contributions in the amplitudes of the model."""
    model = point.model
    Z = np.eye(point.system.size) if model.basis is None else model.basis
    W = np.zeros_like(Z) if model.turned is None else model.turned
    K, D = np.zeros((2, *model.mass.shape))
    for part in point.contributions:
        K -= Z[part.indices].T @ (part.by_q @ Z[part.indices] + part.by_v @ W[part.indices])
        D -= Z[part.indices].T @ part.by_v @ Z[part.indices]
    return D, K


def test_contributions_are_the_whole_of_the_matrices(disc, coupling):
    for point in (disc, operating_point(coupling.build(coupling.ModeCoupling(damping=10.0)))):
        D, K = matrices(point)
        np.testing.assert_allclose(D, point.model.by_rate, atol=1e-10 * np.abs(D).max())
        np.testing.assert_allclose(K, point.model.by_position, atol=1e-10 * np.abs(K).max())


def test_every_mode_of_the_disc_closes(disc):
    for mode, z in enumerate(disc.modes.eigenvalues):
        balance = disc.balance(mode)
        assert balance.growth == z.real
        assert sum(term.total for term in balance.terms) == pytest.approx(z.real, rel=1e-8)
        assert sum(balance.by_item().values()) == pytest.approx(z.real, rel=1e-8)
        assert sum(balance.stored().values()) == pytest.approx(balance.potential, rel=1e-8)


def test_why_the_disc_squeals(disc):
    """Type II (notes T21): friction that follows the pressure feeds, bearing and plate take."""
    balance = disc.balance()
    assert balance.growth > 0.0
    assert (balance.source.item, balance.source.term) == ("contact", "friction by pressure")
    by_item = balance.by_item()
    assert by_item["contact"] > 0.0 > max(by_item["bearing"], by_item["plate"])
    conservative = [
        s for s in balance.terms if s.term in ("stiffness and spin", "normal stiffness")
    ]
    assert len(conservative) == 2
    assert all(abs(s.total) < 1e-9 * abs(balance.source.total) for s in conservative)


def belt_block(mu, mass=2.0, load=30.0, damping=4.0, speed=0.5):
    """Block on a belt, held along the belt by a spring."""
    block = RigidBody("block", mass, ("ux", "uz"))
    belt = RigidBody("belt", 1.0, ("ux",))
    drive = PrescribedMotion(
        DofCoordinate(belt, "ux"), Speed(speed), level="velocity", name="drive"
    )
    spring = Bearing(block, 800.0, 1e-6, radial_damping=damping)
    contact = ContactPair(
        block, Surface(np.zeros((1, 3)), np.ones(1)), RigidFace(belt, Plane()),
        PenaltyNormal(1e6, 0.0), CoulombSliding(mu),
    )  # fmt: skip
    return System([block, belt], [drive, spring, Force(block, (0.0, 0.0, -load)), contact])


def test_falling_friction_has_its_closed_form():
    """m x'' + (d + N mu'(v)) x' + c x = 0: terms -d/(2 m) and -N mu'/(2 m) (Jehle 8.2)."""
    law = Stribeck(0.2, 0.5, 0.3)
    point = operating_point(belt_block(law))
    slope = law.values(np.array([0.5]), np.array([30.0]), np.array([2]))[1][0]
    assert slope < 0.0
    mode = int(np.argmin(np.abs(point.modes.frequency - np.sqrt(400.0) / (2 * np.pi))))
    terms = {(s.item, s.term): s for s in point.balance(mode).terms}
    falling = terms["contact", "friction by speed"]
    assert falling.damping == pytest.approx(-30.0 * slope / (2 * 2.0), rel=1e-6)
    assert terms["bearing", ""].damping == pytest.approx(-4.0 / (2 * 2.0), rel=1e-6)
    assert point.modes.growth[mode] == pytest.approx(-(4.0 + 30.0 * slope) / 4.0, rel=1e-6)


def test_mode_coupling_is_fed_by_pressure(coupling):
    balance = operating_point(coupling.build(coupling.ModeCoupling())).balance()
    assert balance.source.label == "contact, friction by pressure"
    assert balance.source.circulatory == pytest.approx(balance.growth, rel=1e-10)
    assert balance.error < 1e-8


@pytest.mark.parametrize("damping", [0.0, 0.5])
def test_divergence_closes_too(damping):
    """A mass beyond its buckling load: negative stiffness of a compressed spring feeds it."""
    mass = RigidBody("mass", 1.0, ("ux",))
    items = [
        SpringDamper(None, mass, stiffness=100.0, damping=damping, free_length=2.0,
                     point_a=(0.0, 0.0, 1.0), point_b=(0.0, 0.0, 0.0), name="strut"),
        Bearing(mass, 30.0, 0.0),
    ]  # fmt: skip
    point = operating_point(System([mass], items), np.zeros(1))
    balance = point.balance()
    assert balance.diverges
    assert balance.growth == pytest.approx(np.sqrt(70.0), rel=1e-9)
    assert balance.source.item == "strut"
    assert balance.source.total == pytest.approx(100.0 / np.sqrt(70.0), rel=1e-9)
    assert sum(s.total for s in balance.terms) == pytest.approx(balance.growth, rel=1e-10)


def test_branch_remembers_and_starts_nearby(coupling, monkeypatch):
    from fecontact.analysis.stability import operating_point as module

    guesses = []
    original = module.steady_state

    def spy(system, guess=None, check_time=True):
        guesses.append(guess)
        return original(system, guess)

    monkeypatch.setattr(module, "steady_state", spy)
    monkeypatch.setattr(module, "steady_near", spy)
    branch = Branch(lambda mu: coupling.build(coupling.ModeCoupling(friction=mu)))
    first = branch.at(0.5)
    assert branch.at(0.5) is first
    branch.at(0.6)
    assert guesses[0] is None
    assert guesses[1] is first.steady.state.q
    assert len(guesses) == 2


def test_aligned_models_keep_their_eigenvalues(coupling):
    system = coupling.build(coupling.ModeCoupling(damping=10.0))
    model = linearise(system, steady_state(system).state)
    rng = np.random.default_rng(0)
    T = np.linalg.qr(rng.standard_normal((2, 2)))[0]
    reference = replace(model, basis=model.basis @ T)
    turned = aligned(model, reference)
    np.testing.assert_allclose(turned.basis, reference.basis, atol=1e-12)
    np.testing.assert_allclose(
        complex_modes(turned).eigenvalues, complex_modes(model).eigenvalues, rtol=1e-10
    )


def test_energies_of_two_masses_have_their_closed_form():
    """x = (1, -+1)/sqrt(2): each outer spring stores c/4, the middle one nothing or k."""
    one = RigidBody("one", 1.0, ("ux",))
    two = RigidBody("two", 1.0, ("ux",), position=(1.0, 0.0, 0.0))
    items = [
        Bearing(one, 100.0, 0.0, name="left"),
        Bearing(two, 100.0, 0.0, name="right"),
        SpringDamper(one, two, stiffness=50.0, name="middle"),
    ]
    point = operating_point(System([one, two], items))
    np.testing.assert_allclose(point.modes.participation["one"], 0.5, rtol=1e-12)
    for mode, middle in ((0, 0.0), (1, 50.0)):
        balance = point.balance(mode)
        stored = balance.stored()
        assert stored["left"] == pytest.approx(25.0)
        assert stored["middle"] == pytest.approx(middle, abs=1e-9)
        assert sum(stored.values()) == pytest.approx(balance.kinetic)
