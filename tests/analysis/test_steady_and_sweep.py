from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fecontact.analysis import (
    Branch,
    LinearModel,
    MatrixBranch,
    critical_value,
    operating_point,
    sweep,
)
from fecontact.analysis.stability.critical import unstable_intervals
from fecontact.analysis.stability.scope import Scope
from fecontact.analysis.steady.equilibrium import steady_state
from fecontact.case.registry import load_module
from fecontact.errors import InputError, SolverError
from fecontact.system import System


@pytest.fixture(scope="module")
def build(elastic_disc, ritz):
    def build(**changes):
        return elastic_disc.build(replace(elastic_disc.ElasticDisc(), **changes), ritz)

    return build


def test_forces_balance(build):
    system = build()
    steady = steady_state(system)
    force = system.force(steady.state)
    assert np.abs(force[:3]).max() < 1e-6
    assert steady.residual < 1e-11
    contact = steady.contacts["contact"]
    # axial balance of the clutch: load = bearing + contact
    assert contact.normal_force == pytest.approx(5000.0 + 3e6 * steady.state.q[2], rel=1e-4)
    assert contact.sliding == 24
    assert np.all(contact.slip_speed > 0.0)


def test_same_state_from_other_guesses(build):
    system = build()
    reference = steady_state(system).state.q
    for lift in (1e-4, -1e-3):
        guess = np.zeros(system.size)
        guess[2] = lift
        np.testing.assert_allclose(steady_state(system, guess).state.q, reference, atol=1e-10)


def test_guess_of_another_size(build):
    system = build()
    for guess in (np.zeros(system.size + 1), [0.0, 0.0], 0.0):
        with pytest.raises(InputError, match=rf"guess.* numbers of shape \({system.size},\)"):
            steady_state(system, guess)


def test_lifted_clutch_has_open_contact(elastic_disc, ritz):
    """A bearing whose rest position is far above the plate carries the load alone."""
    p = elastic_disc.ElasticDisc()
    system = elastic_disc.build(p, ritz)
    items = {item.name: item for item in system.items[len(system.bodies) :]}
    items["bearing"] = replace(items["bearing"], offset=(0.0, 0.0, 0.01))
    steady = steady_state(System(system.bodies, list(items.values())))
    assert steady.contacts["contact"].open == 24
    assert steady.state.q[2] == pytest.approx(0.01 - 5000.0 / 3e6)
    round_off = 1e-14 * abs(steady.state.q[2])
    assert np.abs(steady.state.q[3:]).max() <= round_off  # of the plate at rest


def test_equal_speeds_have_no_sliding_state(elastic_disc, ritz):
    with pytest.raises(InputError, match="slip"):
        replace(elastic_disc.ElasticDisc(), plate_speed=300.0)


def test_sweep_goes_on_after_a_failure(elastic_disc, build):
    study = sweep(lambda speed: build(plate_speed=speed), [290.0, 300.0, 390.0, 480.0], "speed")
    assert list(study.failures) == [1]
    assert "slip" in study.failures[1]
    assert np.isnan(study.growth[1])
    assert study.growth[2] == pytest.approx(13.73, abs=0.01)
    assert study.frequency[2] == pytest.approx(1276.9, abs=0.1)
    assert study.modes[1] is None


def oscillators(growth):
    """Branch of one oscillator whose growth rate is a function of the parameter, 1 Hz."""

    def model(p):
        one = np.eye(1)
        return LinearModel.of(one, -2.0 * growth(p) * one, 39.5 * one, {"m": slice(None)})

    return MatrixBranch(model)


def test_boundaries_are_roots_not_interpolated():
    """Growth p^3 - 0.2: at 0 and 1 a straight line would put the boundary at 0.2, it is 0.585."""
    branch = oscillators(lambda p: p**3 - 0.2)
    assert unstable_intervals(branch, [1.0, 0.0]) == [(pytest.approx(0.2 ** (1 / 3)), 1.0)]
    both = oscillators(lambda p: (p - 0.3) * (0.9 - p))
    ((first, last),) = unstable_intervals(both, np.linspace(0.0, 1.0, 4))
    assert (first, last) == (pytest.approx(0.3), pytest.approx(0.9))
    assert unstable_intervals(both, [0.4, 0.5]) == [(0.4, 0.5)]
    assert unstable_intervals(both, [0.0, 0.1]) == []
    assert unstable_intervals(both, []) == []


def test_a_second_mode_that_grows_earlier_is_the_border():
    """The fastest mode at the end is not the first to grow: at 0.6 and at 0.2."""

    def model(p):
        growth = np.diag([10.0 * (p - 0.6), p - 0.2])
        return LinearModel.of(np.eye(2), -2.0 * growth, np.diag([1e3, 4e3]), {"m": slice(None)})

    branch = MatrixBranch(model)
    assert branch.at(1.0).modes.leading == 0
    assert critical_value(branch, 0.0, 1.0).value == pytest.approx(0.2, rel=1e-8)
    assert critical_value(branch, 0.0, 1.0, mode=0).value == pytest.approx(0.6, rel=1e-8)
    assert unstable_intervals(branch, [0.0, 1.0]) == [(pytest.approx(0.2, rel=1e-8), 1.0)]


@pytest.mark.parametrize("onset", [0.2, -1.0])
def test_a_growing_mode_that_enters_the_band_is_the_border(onset):
    """It grows from 0.2 on, or everywhere, at 20 Hz; at p = 0.7 it comes to the 10 Hz of the band.

    A second mode, damped, is in the band throughout.
    """

    def model(p):
        z = (p - onset) + 2j * np.pi * (20.0 - 20.0 * (p - 0.2))  # |z|^2 and -2 Re z
        D, K = np.diag([-2.0 * z.real, 0.2]), np.diag([abs(z) ** 2, 39.5])
        scope = Scope(band=(0.0, 10.0))
        return LinearModel.of(np.eye(2), D, K, {"m": slice(None)}, scope=scope)

    branch = MatrixBranch(model)
    found = critical_value(branch, 0.0, 1.0)
    assert found.value == pytest.approx(0.7, rel=1e-6)
    assert found.frequency == pytest.approx(10.0, rel=1e-5)
    assert unstable_intervals(branch, [0.0, 1.0]) == [(found.value, 1.0)]
    assert unstable_intervals(branch, [0.0, 0.6]) == []
    with pytest.raises(InputError, match="no boundary"):
        critical_value(branch, 0.3, 0.6)


def test_sweep_and_critical_value_agree_on_a_coarse_grid():
    """Closed form of mode coupling without damping: onset at 0.75, the grid has 0.2 and 1.4."""
    coupling = load_module("classic/mode_coupling")

    def made(mu):
        return coupling.build(coupling.ModeCoupling(friction=mu, damping=20.0))

    ((first, last),) = sweep(made, [0.2, 1.4], "friction").unstable
    assert first == pytest.approx(critical_value(Branch(made), 0.2, 1.4).value, rel=1e-8)
    assert first == pytest.approx(0.75045, abs=1e-5)
    assert last == 1.4


@pytest.mark.parametrize("values", ["abc", ["low", "high"], [0.1, np.nan], [[0.1], [0.2]], 0.3])
def test_values_of_a_sweep_are_numbers(values):
    with pytest.raises(InputError, match="sweep: invalid values"):
        sweep(lambda value: None, values, "speed")


def test_sweep_starts_from_its_neighbour(build, monkeypatch):
    from fecontact.analysis.stability import operating_point as branch

    guesses = []

    def spy(system, guess=None, check_time=True):
        guesses.append(guess)
        return steady_state(system, guess)

    monkeypatch.setattr(branch, "steady_state", spy)
    monkeypatch.setattr(branch, "steady_near", spy)
    sweep(lambda speed: build(plate_speed=speed), [390.0, 391.0], "speed")
    assert guesses[0] is None
    assert guesses[1][2] == pytest.approx(-0.5137e-3, abs=1e-6)


@pytest.mark.parametrize("load", [1.0, 5e4, 3e5])
def test_small_and_large_loads(build, load):
    steady = steady_state(build(load=load))
    assert steady.residual < 1e-11


def test_impossible_load_is_no_steady_state(build):
    with pytest.raises(SolverError, match="not finite"):
        steady_state(build(load=1e300))


def test_load_that_drives_the_contact_off_the_plate(build):
    with pytest.raises(SolverError, match="leaves the plate"):
        steady_state(build(load=1e7))


def test_names_must_differ(build):
    system = build()
    with pytest.raises(InputError, match="'clutch', used twice"):
        System([system.bodies[0], system.bodies[0]])


def test_item_of_a_foreign_body(build):
    """A body of the same name but other numbers; one of the same numbers is the same body."""
    system, same, other = build(), build(), build(clutch_mass=0.6)
    with pytest.raises(InputError, match="another one than that of the system"):
        System(system.bodies, [other.items[-1]])
    with pytest.raises(InputError, match="unknown body"):
        System(system.bodies[1:], [other.items[-1]])
    again = System(system.bodies, same.items[len(same.bodies) :])
    state = steady_state(system).state
    np.testing.assert_allclose(again.force(state), system.force(state), rtol=0.0, atol=1e-9)


def test_coordinates_are_named(build):
    assert build().coordinates[:4] == ("clutch.ux", "clutch.uy", "clutch.uz", "plate.k0.0")


def test_unsupported_clutch_is_reported(build):
    """Without axial bearing and without load the clutch floats: the tangent is singular."""
    system = build()
    free = System(system.bodies, [system.items[2]])
    assert free.items[-1].name == "bearing"
    with pytest.raises(SolverError):
        steady_state(System(system.bodies, [i for i in system.items if i.name == "force"]))


def test_sweep_past_self_locking():
    """Jehle (4.7): from tan(beta_b) = 1.119 on a pressed clutch has no sliding equilibrium."""
    gearbox = load_module("jehle/gearbox_axial")

    class Pressed(gearbox.Gearbox):
        @property
        def pull(self):
            return -self.load + self.axial_stiffness * gearbox.OVERLAP

    def made(slope):
        return gearbox.build(replace(Pressed(ring_points=4), slope=slope))

    assert 1.11 < Pressed().locking_slope < 1.13
    study = sweep(made, [0.5, 1.0, 1.11, 1.13, 1.3, 0.8], "tan(beta_b)")
    assert set(study.failures) == {3, 4}
    assert all("no steady state, as of a clutch that locks" in r for r in study.failures.values())
    alone = operating_point(made(0.8)).modes.leading_growth
    assert study.growth[5] == pytest.approx(alone, rel=1e-9)
    assert study.growth[5] > 200.0


def test_boundary_of_divergence_is_found_between_two_values_of_a_sweep():
    """Two modes meet at zero, where the steady force changes its sign: no single one crosses."""
    gearbox = load_module("jehle/gearbox_axial")
    p = gearbox.Gearbox(ring_points=4)

    def made(slope):
        return gearbox.build(replace(p, slope=slope))

    study = sweep(made, [1.05, 1.1, 1.15, 1.2], "tan(beta_b)")
    ((first, last),) = study.unstable
    assert first == pytest.approx(p.locking_slope, rel=1e-6)
    assert last == 1.2
