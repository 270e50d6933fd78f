"""A fixed step that cannot resolve a mode that grows says so, before and after the run."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from fecontact.analysis import disturbance, operating_point, steady_state
from fecontact.body import ElasticBody
from fecontact.case.registry import load_module
from fecontact.contact import ContactPair, RigidContact
from fecontact.contact.status import STICK
from fecontact.fem import STEEL, ElasticSolid
from fecontact.integrate import simulate
from fecontact.integrate.implicit import resolution
from fecontact.integrate.implicit.resolution import (
    numerical_growth,
    theta_growth,
    unresolved_growth,
)
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.results import Result
from fecontact.system import State, System
from fecontact.view.gallery import Request, plot_result

coupling = load_module("classic/mode_coupling")
Z = 91.0968 + 2j * np.pi * 225.55
"""Closed form of mode coupling at mu = 0.8."""
ALPHA = partial(numerical_growth, rho_inf=0.8)


@pytest.fixture(scope="module")
def mode():
    system = coupling.build(coupling.ModeCoupling())
    return disturbance(system, steady_state(system).state)


@pytest.mark.filterwarnings("ignore:step = 0.002 s cannot resolve")
@pytest.mark.parametrize(("step", "rho_inf"), [(2e-4, 0.8), (1e-3, 0.8), (2e-3, 0.5)])
def test_growth_of_the_method_is_that_of_a_run(mode, step, rho_inf):
    """A disturbed motion against the spectral radius of the method."""
    z = mode.value
    options = {"step": step, "rho_inf": rho_inf}
    motion = simulate(mode.system, 100 * step, mode.start(1e-9), "implicit", **options)
    late = motion.t > 20 * step
    size = np.log(np.abs(mode.amplitude(motion)))[late]
    found = np.polyfit(motion.t[late], size, 1)[0]
    assert found == pytest.approx(numerical_growth(z, step, rho_inf), rel=0.02, abs=1.0)


def test_a_coarse_step_is_said_before_and_after(mode):
    with pytest.warns(UserWarning, match=r"step = 0\.003 s cannot resolve a mode that grows"):
        motion = simulate(mode.system, 0.1, mode.start(1e-8), "implicit", step=3e-3)
    assert motion.status == "finished"
    assert "+91.1 1/s at 225.5 Hz" in motion.message
    assert np.abs(mode.amplitude(motion))[-1] < np.abs(mode.amplitude(motion))[0] * np.exp(9.1) / 10
    needed = float(motion.message.split("step <= ")[1].split(" s")[0])
    assert numerical_growth(Z, needed, 0.8) >= 0.5 * Z.real
    assert unresolved_growth(mode.system, mode.steady, needed, ALPHA) == ""


def test_steps_of_20_us_and_a_mode_of_31_khz():
    """Stiffnesses times 137.5^2: it grows 137.5 times as fast, but in the run nine times less."""
    faster = 31e3 / 225.55
    p = coupling.ModeCoupling()
    names = ("stiffness_1", "stiffness_2", "contact_stiffness", "tangential_stiffness")
    stiff = replace(
        p, load=1e3, spring_length=0.01, **{name: faster**2 * getattr(p, name) for name in names}
    )
    system = coupling.build(stiff)
    mode = disturbance(system, steady_state(system).state)
    assert mode.frequency == pytest.approx(31e3, rel=1e-3)
    assert mode.growth == pytest.approx(faster * Z.real, rel=1e-3)
    with pytest.warns(UserWarning, match=r"step = 2e-05 s cannot resolve a mode that grows"):
        motion = simulate(system, 2e-3, mode.start(1e-10), "implicit", step=2e-5)
    lost = ALPHA(mode.value, 2e-5)
    assert lost < mode.growth / 9.0
    assert f"1/s at 3.1e+04 Hz: with this step {lost:+.3g} 1/s" in motion.message
    size = np.abs(mode.amplitude(motion))
    assert np.log(size[-1] / size[0]) == pytest.approx(2e-3 * lost, rel=0.05)
    fine = simulate(system, 2e-4, mode.start(1e-10), "implicit", step=1e-6)
    grown = np.abs(mode.amplitude(fine))
    assert np.log(grown[-1] / grown[0]) == pytest.approx(2e-4 * mode.growth, rel=0.02)
    assert "resolve" not in fine.message


def set_valued(system):
    """The block with set-valued friction on the same normal law, for Moreau's time stepping."""
    pair = next(item for item in system.items if isinstance(item, ContactPair))
    rigid = RigidContact(
        pair.slave, pair.surface, pair.master, 0.8, normal=pair.normal, name="contact"
    )
    others = [item for item in system.items[len(system.bodies) :] if item is not pair]
    return System(system.bodies, [*others, rigid, *system.constraints])


@pytest.mark.parametrize(
    ("step", "theta", "said"), [(5e-4, 0.5, False), (2e-3, 0.5, True), (5e-4, 1.0, True)]
)
def test_moreau_says_it_too(mode, step, theta, said):
    """With theta = 1/2 and two steps in a radian a third of the growth is left; theta = 1 damps."""
    near = mode.start(1e-9)
    start = State(0.0, near.q, near.v, near.lam)
    system = set_valued(mode.system)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        motion = simulate(system, 60 * step, start, "moreau", step=step, theta=theta)
    expected = theta_growth(mode.value, step, theta)
    assert any("cannot resolve a mode that grows" in str(w.message) for w in caught) == said
    assert (f"with this step {expected:+.3g} 1/s" in motion.message) == said
    dq, dv = motion.q[:, :2] - mode.steady.q[:2], motion.v[:, :2] - mode.steady.v[:2]
    size = np.log(np.linalg.norm(np.hstack([abs(Z) * dq, dv]), axis=1))
    late = motion.t > 15 * step
    found = np.polyfit(motion.t[late], size[late], 1)[0]
    assert found == pytest.approx(expected, rel=0.02)


def test_moreau_leaves_rigid_contacts_out(mode):
    pair = next(item for item in mode.system.items if isinstance(item, ContactPair))
    rigid = RigidContact(pair.slave, pair.surface, pair.master, 0.8, name="contact")
    others = [item for item in mode.system.items[len(mode.system.bodies) :] if item is not pair]
    system = System(mode.system.bodies, [*others, rigid, *mode.system.constraints])
    assert unresolved_growth(system, mode.steady, 3e-3, partial(theta_growth, theta=1.0)) == ""


def test_a_fine_step_and_a_stable_system_say_nothing(mode):
    motion = simulate(mode.system, 0.01, mode.start(1e-8), "implicit", step=1e-4)
    assert "resolve" not in motion.message
    stable = coupling.build(coupling.ModeCoupling(friction=0.3, damping=20.0))
    start = operating_point(stable).steady.state
    assert "resolve" not in simulate(stable, 0.1, start, "implicit", step=1e-2).message


def test_what_grows_later_counts_too():
    """At the start the block hangs above the belt; later it slides and should flutter."""
    system = coupling.build(coupling.ModeCoupling(damping=5.0))
    start = system.consistent(system.state(q={"block.uz": 1e-4})).state
    assert unresolved_growth(system, start, 3e-3, ALPHA) == ""
    motion = simulate(system, 0.3, start, "implicit", step=3e-3)
    assert "step = 0.003 s cannot resolve a mode that grows at t = 0." in motion.message


def test_free_motion_is_no_mode_that_grows(mode, monkeypatch):
    """Rigid-body modes have eigenvalues of round-off; a step of 1e-5 s follows them in any case."""
    z = np.logspace(-14, 0, 57)[:, None] * (1.0 + 1j * np.array([0.0, 1.0, 1e3]))
    monkeypatch.setattr(resolution, "_growing", lambda system, state: z[np.abs(z) < 100.0])
    assert unresolved_growth(mode.system, mode.steady, 1e-5, ALPHA) == ""


def test_sticking_states_are_not_judged_as_sliding(mode):
    system = mode.system
    stuck = replace(
        mode.steady, status=np.full_like(system.history_layout.filled(mode.steady).status, STICK)
    )
    assert unresolved_growth(system, mode.steady, 3e-3, ALPHA)
    assert unresolved_growth(system, stuck, 3e-3, ALPHA) == ""


def test_modes_beyond_the_validity_do_not_count(mode, monkeypatch):
    block_ = mode.system.bodies[0]
    monkeypatch.setattr(type(block_), "validity", lambda self, v: 100.0, raising=False)
    assert unresolved_growth(mode.system, mode.steady, 3e-3, ALPHA) == ""


def test_validity_reaches_the_result_file_and_its_spectrum(tmp_path):
    solid = ElasticSolid(
        block(0.1, 0.02, 0.01, cells=(4, 1, 1)), STEEL, supports={"x_min": "clamped"}
    )
    model = reduce_model(solid, contact="x_max", modes=3)
    system = System([ElasticBody("bar", model, frame="fixed")])
    limit = model.validity_frequency() / (2 * np.pi)
    start = system.state(v={"bar.e1": 1e-3})
    file = tmp_path / "run.h5"
    motion = simulate(system, 1e-3, start, "projected", 1e-5, store=file)
    result = Result.load(file)
    assert motion.validity == {"bar": limit}
    assert result.validity == {"bar": pytest.approx(limit)}
    assert f"bar to {limit:.4g} Hz" in str(result)
    for name in ("spectrum", "spectrogram", "waterfall"):
        figure = plot_result(result, Request(name, ("bar.e1",)))
        assert f"above {limit:.4g} Hz" in " ".join(
            str(artist.get_label()) for axes in figure.axes for artist in axes.patches
        )
