"""Tracking, critical values, sensitivities and responses along a branch of operating points."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fecontact.analysis import (
    Branch,
    MatrixBranch,
    coalescence,
    complex_modes,
    critical_value,
    frequency_response,
    linearise,
    operating_point,
    sensitivities,
    steady_state,
    track_modes,
)
from fecontact.analysis.stability.linearise import LinearModel
from fecontact.analysis.stability.sensitivity import by_matrices
from fecontact.analysis.stability.tracking import likeness
from fecontact.body import RigidBody
from fecontact.case.registry import load_module
from fecontact.errors import InputError
from fecontact.joint import Bearing, Gravity, Revolute, SpringDamper
from fecontact.system import System

coupling = load_module("classic/mode_coupling")


def family(matrices):
    """Branch of matrices M, C, K given directly, without a system."""
    return MatrixBranch(lambda p: LinearModel.of(*matrices(p), {"all": slice(None)}))


def crossing(p):
    """Two uncoupled oscillators whose frequencies cross at p = 0.5."""
    return np.eye(2), 0.01 * np.eye(2), np.diag([1.0 + p, 2.0 - p])


def veering(p):
    """The same, weakly coupled: the frequencies avoid each other and the shapes are exchanged."""
    M, C, K = crossing(p)
    return M, C, K + 0.02 * np.array([[0.0, 1.0], [1.0, 0.0]])


def test_modes_keep_their_shape_through_a_crossing():
    tracks = track_modes(family(crossing), np.linspace(0.0, 1.0, 4))
    p = tracks.values
    expected = np.column_stack([1.0 + p, 2.0 - p])
    np.testing.assert_allclose(np.abs(tracks.eigenvalues) ** 2, expected, rtol=1e-12)


def test_modes_follow_their_branch_through_veering():
    """A coarse step would jump; halving follows the smooth branches, which do not cross."""
    tracks = track_modes(family(veering), np.linspace(0.0, 1.0, 4))
    squares = np.abs(tracks.eigenvalues) ** 2
    assert np.all(squares[:, 0] < squares[:, 1])
    assert np.all(np.diff(squares[:, 0])[[0, -1]] * [1, -1] > 0.0)


def test_likeness_is_one_with_itself():
    rng = np.random.default_rng(1)
    K = rng.standard_normal((4, 4)) + 10 * np.eye(4)
    C = 0.1 * rng.standard_normal((4, 4))
    point = family(lambda p: (np.eye(4), C, K)).at(0.0)
    np.testing.assert_allclose(likeness(point, point), np.eye(4), atol=1e-10)


def test_tracking_over_flutter_and_back():
    """Through two double eigenvalues, on matrices of Jehle's two-dof model (source notes 8.1)."""

    def matrices(tb, j1=0.05, r=5.0, mu=0.3):
        x = mu * tb * r

        def parts(a, b):
            return np.array([[1 + a - x, -1 + x], [-1, 1 + b]])

        M = np.diag([1 + j1 * (r * tb) ** 2, 10.0])
        return M, 13 / 7e6**0.5 * parts(3 / 7, 12 / 7), parts(3 / 7, 12 / 7)

    branch = family(matrices)
    onset = critical_value(branch, 0.5, 0.8)
    end = critical_value(branch, 0.9, 1.05)
    assert onset.value == pytest.approx(0.6668, abs=1e-4)  # source notes T7
    assert end.value == pytest.approx(0.9858, abs=1e-4)
    largest = max(np.linspace(0.8, 0.86, 61), key=lambda tb: branch.at(tb).modes.leading_growth)
    rate = np.sqrt(7e6)
    assert rate * branch.at(largest).modes.leading_growth == pytest.approx(226.5, abs=0.1)
    assert largest == pytest.approx(0.831, abs=1e-3)
    tracks = track_modes(branch, np.linspace(0.4, 1.1, 36))
    assert np.isfinite(tracks.eigenvalues).all()
    assert len(set(map(tuple, np.sort(tracks.indices)))) == 1


def test_divergence_boundary_of_jehle():
    """Digest T7: det K = 0 at tan beta = 1.11905, by root finding on a mode that turns real."""

    def stiffness(tb):
        x = 1.5 * tb
        return np.array([[1 + 3 / 7 - x, -1 + x], [-1, 1 + 12 / 7]])

    branch = family(
        lambda tb: (np.diag([1 + 0.05 * 25 * tb**2, 10.0]), 1e-2 * np.eye(2), stiffness(tb))
    )
    found = critical_value(branch, 1.119, 1.2)
    assert found.value == pytest.approx((3 / 7 / (12 / 7) + 3 / 7 + 1) / 1.5, rel=1e-8)
    assert found.frequency == 0.0


def test_onset_of_mode_coupling():
    p = coupling.ModeCoupling(load=1.0)
    found = coalescence(Branch(lambda mu: coupling.build(replace(p, friction=mu))), 0.5, 1.0)
    assert found.value == pytest.approx(0.75, rel=1e-6)
    assert found.eigenvalue.imag == pytest.approx(np.sqrt(2e6), rel=1e-6)


def test_ends_on_one_side_are_refused():
    branch = Branch(lambda mu: coupling.build(coupling.ModeCoupling(friction=mu, damping=20.0)))
    with pytest.raises(InputError, match="no boundary"):
        critical_value(branch, 0.1, 0.2)
    with pytest.raises(InputError, match="meet"):
        coalescence(branch, 0.1, 0.2)


def strut(**changes):
    """Pendulum of two links with a strut and dampers: constraints, a steady state that moves."""
    p = {"length": 0.6, "stiffness": 900.0, "damping": 3.0, "gravity": 9.81, "mass": 2.0, **changes}
    l = p["length"]  # noqa: E741
    first, second = (
        RigidBody(f"arm{k}", p["mass"], ("ux", "uz", "ry"), inertia=(0.1, 0.05, 0.1),
                  position=(0.0, 0.0, -l * (k + 0.5)))
        for k in range(2)
    )  # fmt: skip
    items = [
        Revolute(None, first, point_b=(0.0, 0.0, l / 2), axis="y", name="upper"),
        Revolute(first, second, point_b=(0.0, 0.0, l / 2), axis="y", name="lower"),
        Gravity([first, second], (0.0, 0.0, -p["gravity"])),
        SpringDamper(None, second, stiffness=p["stiffness"], damping=p["damping"],
                     point_a=(0.8, 0.0, -1.2), point_b=(0.0, 0.0, 0.0), free_length=0.5),
        Bearing(first, 50.0, 0.0, radial_damping=1.5),
    ]  # fmt: skip
    return System([first, second], items)


@pytest.mark.parametrize("name", ["stiffness", "damping", "gravity", "length", "mass"])
def test_sensitivity_against_differences_of_eigenvalues(name):
    values = {"length": 0.6, "stiffness": 900.0, "damping": 3.0, "gravity": 9.81, "mass": 2.0}
    point, found = sensitivities(strut, values, [name])
    h = 2e-3 * values[name]

    def z(shift):
        near = operating_point(
            strut(**{**values, name: values[name] + shift}), point.steady.state.q
        )
        return near.modes.eigenvalues

    weights = ((1, 0.75), (2, -0.15), (3, 1.0 / 60.0))
    expected = sum(w / h * (z(k * h) - z(-k * h)) for k, w in weights)
    np.testing.assert_allclose(found[name], expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())


def test_sensitivity_of_the_disc(elastic_disc, ritz):
    """Along the steady branch: load and friction move the equilibrium of the plate."""
    p = elastic_disc.ElasticDisc()

    def build(**changes):
        return elastic_disc.build(replace(p, **changes), ritz)

    values = {"load": 5000.0, "friction": 0.3}
    point, found = sensitivities(build, values, list(values))
    lead = point.modes.leading
    for name, value in values.items():
        h = 1e-3 * value

        def z(shift, name=name, value=value):
            modes = operating_point(build(**{**values, name: value + shift})).modes
            return modes.eigenvalues[modes.leading]

        expected = sum(w / h * (z(k * h) - z(-k * h)) for k, w in ((1, 2 / 3), (2, -1 / 12)))
        assert found[name][lead] == pytest.approx(expected, rel=1e-6)


def test_sensitivity_by_given_matrices():
    """dz/dc of one oscillator: m z^2 + d z + c = 0, dz/dc = -1/(2 m z + d)."""
    m, d, c = 2.0, 0.3, 50.0
    one = np.eye(1)
    modes = complex_modes(
        LinearModel(m * one, d * one, 0 * one, c * one, 0 * one, {"m": slice(0, 1)})
    )
    found = by_matrices(modes, 0 * one, 0 * one, one)
    np.testing.assert_allclose(found, -1.0 / (2 * m * modes.eigenvalues + d), rtol=1e-12)


def test_sensitivity_refuses_unknown_names():
    with pytest.raises(InputError, match="unknown parameter"):
        sensitivities(strut, {"mass": 2.0}, ["weight"])
    with pytest.raises(InputError, match="relative"):
        sensitivities(strut, {"damping": 0.0}, ["damping"])


def test_response_is_the_sum_of_the_modes():
    """Left and right vectors give the same response as the direct solution."""
    system = strut()
    model = linearise(system, steady_state(system).state)
    modes = complex_modes(model)
    load = np.arange(1.0, 7.0)
    f = np.array([0.1, 1.0, 4.0])
    x = frequency_response(model, f, load)
    z = np.concatenate([modes.eigenvalues, modes.eigenvalues.conj()])
    right = np.hstack([modes.vectors, modes.vectors.conj()])
    left = np.hstack([modes.left, modes.left.conj()])
    for row, omega in zip(x, 2 * np.pi * f, strict=True):
        forced = left.conj().T @ (model.basis.T @ load)
        np.testing.assert_allclose(right @ (forced / (1j * omega - z)), row, rtol=1e-9)


def test_response_refuses_a_wrong_load():
    model = LinearModel(*(np.eye(1),) * 5, {"m": slice(0, 1)})
    with pytest.raises(InputError, match="one per dof"):
        frequency_response(model, np.array([1.0]), np.ones(2))
