"""Simulations that write their result: restart, kill, stop, other systems."""

from __future__ import annotations

import importlib.util
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from fecontact.body import RigidBody
from fecontact.contact import ContactPair, CoulombSliding, PenaltyNormal, Surface
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.master.shape import Plane
from fecontact.errors import InputError
from fecontact.integrate import SimulationError, simulate
from fecontact.joint import Bearing, Force
from fecontact.results import Result, StoredRun
from fecontact.system import System
from fecontact.view.gallery import Request, plot_result

SCRIPT = Path(__file__).parents[1] / "results" / "sliding_block.py"
T_END = 0.06


@pytest.fixture(scope="module")
def block():
    spec = importlib.util.spec_from_file_location("sliding_block", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def whole(block, tmp_path_factory):
    """Uninterrupted run of the block."""
    path = tmp_path_factory.mktemp("whole") / "run.h5"
    return path, block.run(path, T_END)


def assert_same(one, other):
    """Both files hold the same numbers, to the last bit."""
    a, b = StoredRun.load(one), StoredRun.load(other)
    assert a.complete == b.complete
    assert a.shapes == b.shapes
    for name in a.shapes:
        np.testing.assert_array_equal(a.records(name), b.records(name), err_msg=name)


def child(path):
    """Start the block in another process, wait for its first records, and halt it there.

    On a busy machine it might else be finished before the test goes on.
    """
    command = [sys.executable, str(SCRIPT), str(path), str(T_END)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not (path.exists() and StoredRun.load(path).complete > 1):
        time.sleep(0.02)
    process.send_signal(signal.SIGSTOP)
    return process


def test_file_holds_the_motion(whole):
    path, motion = whole
    run = StoredRun.load(path)
    assert (run.status, run.about["method"]) == ("finished", "implicit")
    for name in ("t", "q", "v", "a", "lam", "z", "slip_totals", "resume"):
        np.testing.assert_array_equal(run.records(name), getattr(motion, name), err_msg=name)
    np.testing.assert_array_equal(run.records("status"), motion.contact_status)
    for name, line in motion.energies.items():
        np.testing.assert_array_equal(run.records(f"energies/{name}"), line)
    last = motion.contacts["foot"][-1]
    for name in ("gap", "pressure", "normal", "traction", "slip", "position"):
        np.testing.assert_array_equal(run.record()[f"contacts/0/{name}"], getattr(last, name))


def test_restart_is_exact(block, whole, tmp_path):
    """A run to the middle, continued in place and in another file."""
    path, other = tmp_path / "run.h5", tmp_path / "other.h5"
    block.run(path, T_END / 2)
    later = block.run(path, T_END, restart=True, store=other)
    assert later.t[0] == pytest.approx(T_END / 2)
    assert_same(whole[0], other)
    assert len(StoredRun.load(path).about["earlier"]) == 0
    assert StoredRun.load(other).about["earlier"][0]["until"] == later.t[0]
    block.run(path, T_END, restart=True)
    assert_same(whole[0], path)
    with pytest.raises(InputError, match=r"invalid t_end = 0\.06 s: expected after"):
        block.run(path, T_END, restart=True)
    assert_same(whole[0], path)


def kill_and_continue(block, whole, path, seed):
    process = child(path)
    process.send_signal(signal.SIGCONT)
    time.sleep(0.3 * random.Random(seed).random())
    process.kill()
    process.wait()
    run = StoredRun.load(path)
    assert run.status == "killed"
    np.testing.assert_array_equal(run.records("q"), whole[1].q[: run.complete])
    block.run(path, T_END, restart=True)
    assert_same(whole[0], path)
    assert os.listdir(path.parent) == [path.name]


def test_killed_and_continued(block, whole, tmp_path):
    kill_and_continue(block, whole, tmp_path / "run.h5", 1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 22))
def test_killed_at_many_moments(block, whole, tmp_path, seed):
    kill_and_continue(block, whole, tmp_path / "run.h5", seed)


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)]
)
def test_clean_stop(block, whole, tmp_path, number):
    """A signal ends the run with all that was computed; a second writer is refused meanwhile."""
    path = tmp_path / "run.h5"
    process = child(path)
    with pytest.raises(InputError, match="being written by another run"):
        block.run(path, T_END, overwrite=True)
    process.send_signal(number)
    process.send_signal(signal.SIGCONT)
    _, errors = process.communicate(timeout=60)
    if number == signal.SIGTERM:
        assert "Terminated: terminated; restart continues" in errors
    else:
        assert process.returncode == 0, errors
    run = StoredRun.load(path)
    assert run.status == "interrupted"
    assert 1 < run.complete < 61
    block.run(path, T_END, restart=True)
    assert_same(whole[0], path)


def test_other_system_is_refused(block, whole):
    path, _ = whole
    system, start, _ = block.sliding_block(mu=0.4)
    with pytest.raises(InputError, match=r"another system: foot\..* = 0\.3 in the file, 0\.4 now"):
        simulate(system, 1.0, restart=path)
    system, start, _ = block.sliding_block()
    with pytest.raises(InputError, match="start and restart exclude each other"):
        simulate(system, 1.0, start, restart=path)
    with pytest.raises(InputError, match="expected 'implicit', which made"):
        simulate(system, 1.0, method="ode", restart=path)
    with pytest.raises(InputError, match="exists; choose another name"):
        simulate(system, 0.001, start, store=path)
    with pytest.raises(InputError, match="does not exist"):
        simulate(system, 1.0, restart="none.h5")


class Breaking(Bearing):
    """A bearing that gives no force after a while."""

    def force(self, t, q, v):
        return super().force(t, q, v) * (np.nan if t > 0.0505 else 1.0)

    def evaluate(self, t, q, v):
        _, by_q, by_v = super().evaluate(t, q, v)
        return self.force(t, q, v), by_q, by_v


def test_failed_run_is_stored(tmp_path):
    body = RigidBody("mass", 1.0, ("ux",))
    system = System([body], [Breaking(body, 1e4, 1e4)])
    path, start = tmp_path / "run.h5", system.state(q={"mass.ux": 1e-3})
    with pytest.raises(SimulationError) as failure:
        simulate(system, 0.1, start, step=1e-3, store=path)
    result = Result.load(path)
    assert result.status == "failed"
    assert result.message == str(failure.value)
    np.testing.assert_array_equal(result.q, failure.value.trajectory.q)
    assert result.t[-1] == pytest.approx(0.05)


@pytest.mark.parametrize("method", ["projected", "ode"])
def test_other_methods(tmp_path, method):
    """All methods store, and continue a stored motion."""
    body = RigidBody("mass", 1.0, ("ux",))
    system = System([body], [Bearing(body, 1e4, 1e4)])
    path, start = tmp_path / "run.h5", system.state(q={"mass.ux": 1e-3})
    simulate(system, 0.05, start, method, output=0.01, store=path, rtol=1e-9)
    simulate(system, 0.1, method=method, output=0.01, restart=path, rtol=1e-9)
    result = Result.load(path)
    np.testing.assert_allclose(result.t, np.linspace(0.0, 0.1, 11), atol=1e-15)
    exact = 1e-3 * np.cos(100 * result.t)
    np.testing.assert_allclose(result["mass.ux"], exact, atol=1e-9)


def test_a_contact_without_history_has_fields(tmp_path):
    """A block of weight N slides with Coulomb friction mu N: forces, status, power mu N v."""
    block, load, mu = RigidBody("block", 2.0, ("ux", "uz")), 20.0, 0.3
    points = Surface(np.array([[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0]]), np.ones(2))
    pair = ContactPair(
        block, points, RigidFace(None, Plane()), PenaltyNormal(1e5, 1e3), CoulombSliding(mu),
        name="foot",
    )  # fmt: skip
    system = System([block], [Force(block, (0.0, 0.0, -load)), pair])
    start = system.state(q={"block.uz": -load / 2e5}, v={"block.ux": 1.0})
    path = tmp_path / "run.h5"
    simulate(system, 0.02, start, step=1e-3, output=0.01, store=path)
    foot = Result.load(path).contacts["foot"]
    np.testing.assert_allclose(foot.normal_force, load, rtol=1e-9)
    np.testing.assert_allclose(foot.force, [[-mu * load, 0.0, load]] * 3, atol=1e-8)
    assert foot.status.tolist() == [[2, 2]] * 3
    speed = 1.0 - mu * load / 2.0 * np.array([0.0, 0.01, 0.02])
    np.testing.assert_allclose(foot.field("slip_power"), mu * load * speed, rtol=1e-8)
    power = mu * 0.5 * load * np.column_stack([speed, speed])
    np.testing.assert_allclose(foot.field("point_slip_power"), power, rtol=1e-8)
    np.testing.assert_allclose(foot.heat_flux, power, rtol=1e-8)
    assert "slip_work" not in foot.names
    plot_result(Result.load(path), Request.of("map:foot"))
