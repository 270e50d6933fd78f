"""Convergence of models of the cases: with the step, the tolerance, the stiffness, the mesh."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import fecontact as fc


def test_energy_left_over_by_a_sliding_block_falls_with_the_square_of_the_step():
    case = fc.load_module("classic/block_on_incline")
    p = case.Incline()
    system = case.build(p, p.steep)
    start = case.started(p, system, p.steep, p.speed)
    left = []
    for step in (4e-3, 2e-3):
        energies = fc.simulate(system, 0.1, start, output=0.1, step=step).energies
        left.append(abs(energies["residual"][-1] + energies["numerical"][-1]))
    assert np.log2(left[0] / left[1]) >= 1.5


def test_stick_slip_period_tends_to_that_of_rigid_friction():
    """-A k/c_t of the stretch and +B sqrt(k/c_t) of the relaxation, A = 0.081, B = 0.001.

    Up to c_t = 6e7 N/m they take from each other, and the fall looks faster than order 1.
    """
    case = fc.load_module("classic/belt_oscillator")
    p, stiffness = case.BeltOscillator(), (1e5, 1e6)
    off = []
    for c in stiffness:
        rises = case.cycle(replace(p, bristles=c), 1, rtol=1e-5).events
        off.append(abs((rises[-1].state.t - rises[-2].state.t) / p.rigid.period - 1.0))
    assert np.log(off[0] / off[1]) / np.log(stiffness[1] / stiffness[0]) >= 0.5


def test_energy_left_over_by_stick_slip_falls_with_the_tolerance():
    case = fc.load_module("classic/belt_oscillator")
    left = []
    for rtol in (1e-4, 1e-5):
        energies = case.cycle(replace(case.BeltOscillator(), bristles=1e5), 1, rtol=rtol).energies
        left.append(abs(energies["residual"][-1]) + abs(energies["numerical"][-1]))
    assert left[1] <= 0.5 * left[0]


def test_energy_left_over_by_a_beam_on_friction_falls_with_the_step():
    case = fc.load_module("classic/frictional_beam")
    p = case.FrictionalBeam()
    beam = case.Beam(p)
    end = 2.0 * beam.period
    start = beam.released(p.amplitude)
    step = end / fc.simulate(beam.system, end, start, "explicit", end).statistics.steps
    left = []
    for factor in (1.0, 0.5):
        options = {"output": end, "step": factor * step}
        lines = fc.simulate(beam.system, end, start, "explicit", **options).energies
        left.append(abs(lines["residual"][-1] + lines["numerical"][-1]))
    assert left[1] <= 0.6 * left[0]


def test_energy_left_over_by_judder_falls_with_the_step():
    case = fc.load_module("classic/clutch_judder")
    clutch = case.Clutch(case.Judder())
    system = clutch.system(clutch.parameters.inertia)
    steady = fc.steady_state(clutch.system()).state
    v = np.append(steady.v, clutch.parameters.speed)
    start = system.sliding(fc.State(0.0, np.append(steady.q, 0.0), v))
    step = 0.01 / fc.simulate(system, 0.01, start, "explicit", 0.01).statistics.steps
    left = []
    for factor in (1.0, 0.5):
        lines = fc.simulate(system, 0.01, start, "explicit", 0.01, step=factor * step).energies
        left.append(abs(lines["residual"][-1] + lines["numerical"][-1]))
    assert left[1] <= 0.6 * left[0]


def test_methods_agree_on_an_engagement_as_the_step_falls():
    """Slip that turns in the frame of the flywheel: order 1 in small steps."""
    case = fc.load_module("classic/clutch_engagement")
    p = case.Engagement()
    system, end = case.build(replace(p, radial=2, circumferential=8)), case.AFTER * p.slip_time

    def run(method, **options):
        return fc.simulate(system, end, case.start(p, system), method, end, **options)

    def order(errors):
        return np.log2(errors[0] / errors[1])

    def line(motions, name):
        return [abs(motion.energies[name][-1]) for motion in motions]

    angle = case.difference(run("ode", **case.TIGHT), "position")[-1]
    for method in ("implicit", "explicit"):
        coarse = [run(method, step=end / count) for count in (230, 460)]
        assert order([abs(case.difference(m, "position")[-1] - angle) for m in coarse]) >= 1.0
    assert abs(order(line(coarse, "numerical")) - 2.0) <= 0.2  # of the explicit method
    fine = [run("explicit", step=end / count) for count in (1840, 3680)]
    assert order(line(fine, "residual")) >= 0.8


def test_energy_left_over_by_the_wedged_disc_falls_with_the_square_of_the_step():
    case = fc.load_module("stamm/wedged_disc")
    left = [case.unaccounted(case.WedgedDisc(), step=step) for step in (1e-3, 5e-4)]
    assert np.log2(left[0] / left[1]) >= 1.8


def test_first_step_of_a_hoop_tends_to_rigid_rolling_with_the_stiffness():
    case = fc.load_module("stamm/rolling_hoop")
    p = case.Hoop()
    rigid = 0.5 * p.step * p.pull / p.mass
    stiff = [replace(p, stiffness=factor * p.stiffness) for factor in (1e4, 1e5)]
    errors = [abs(case.stepped(each, 0.0)[0] / rigid - 1.0) for each in stiff]
    assert errors[1] <= 0.35 * errors[0]


@pytest.mark.slow
def test_force_of_a_ball_on_a_plate_converges_with_the_cells():
    case = fc.load_module("waehrisch/hertz_ball_elements")
    p, errors = case.BallOnPlate(), []
    for cells in (p.cells - 7, p.cells):
        problem = case.pair(p, cells)
        found = case.measured(p, problem, fc.load_path(problem, case.LOADS))
        errors.append(abs(found["force at 1 d"] - 1.0))
    assert errors[1] <= 0.5 * errors[0]


@pytest.mark.slow
def test_shear_of_a_ball_on_a_plate_converges_with_the_cells():
    case = fc.load_module("waehrisch/hertz_ball_tangential_elements")
    p, errors = case.ShearedBall(), []
    for cells in (p.cells - 4, p.cells):
        problem = case.pair(p, cells)
        found = case.measured(p, problem, fc.load_path(problem, case.LOADS))
        errors.append([abs(found[name] - 1.0) for name in ("c_x", "shift delta at full slip")])
    assert np.all(np.divide(errors[1], errors[0]) <= 0.6)


def test_wobble_tends_to_the_closed_form_with_the_preload():
    """The closed form leaves out moments of the preload on the tilted ring."""
    case = fc.load_module("jehle/wobble")
    away = []
    for preload in (1e-4, 1e-5):
        p = replace(case.Wobble(), preload=preload)
        found = case.tilts(fc.operating_point(case.build(p)))
        away.append(np.abs(found - p.exact.eigenvalues).max())
    assert abs(fc.observed_order(away, 10.0) - 1.0) <= 0.05


def test_two_ways_to_drive_a_hub_agree_with_the_order_of_the_method():
    """A frame of prescribed motion, and a hinge with a prescribed angle (a DAE): order 2."""
    case = fc.load_module("classic/flexible_spin_up")
    model, gaps = case.beam(case.SpinUp()), []
    for step in (0.02, 0.01):
        p = replace(case.SpinUp(), step=step)
        w = case.deflection(p, case.spun_up(p, model, 0.1 * p.duration))
        body = fc.ElasticBody("beam", model)
        hinge = fc.Revolute(None, body, point_b=(0.0, 0.0, 0.0), axis="z", name="hub")
        system = fc.System([body], [hinge, fc.PrescribedMotion(hinge.angle, p.hub)])
        driven = fc.simulate(system, 0.1 * p.duration, system.rest(), step=step, output=0.1)
        gaps.append(np.abs(case.deflection(p, driven) - w).max() / np.abs(w).max())
    assert abs(fc.observed_order(gaps) - 2.0) <= 0.1


@pytest.mark.parametrize(
    ("frame", "step"),
    [("clamped frame", 1e-3), pytest.param("free frame", 2.5e-4, marks=pytest.mark.slow)],
)
def test_floating_frame_is_exact_to_first_order_in_the_deflection(frame, step):
    """Halving the compliance of a flexible pendulum quarters the error of its path.

    In the free frame the error of the time steps is comparable at 1 ms.
    """
    case = fc.load_module("classic/flexible_pendulum")
    p, errors = case.FlexiblePendulum(), []
    for q in (p, replace(p, young=2.0 * p.young)):
        exact = case.chain(q, np.linspace(0.0, q.time, 31))
        away = case.released(q, frame, step)[1] - exact
        errors.append(np.linalg.norm(away, axis=1).max())
    assert abs(fc.observed_order(errors) - 2.0) <= 0.25


@pytest.mark.slow
def test_harmonic_balance_with_sticking_needs_harmonics():
    """The acceleration has kinks: with 8 harmonics the amplitude is off, with 24 half as much."""
    case = fc.load_module("classic/belt_cycles")
    p = case.BeltCycles()
    speed = 0.6 * p.exact.onset
    motion, orbit = fc.SystemMotion(case.build(p, speed)), case.cycle_at(p, speed, p.steps)
    found = [
        case.balance(p, motion, orbit, count, speed) for count in (p.harmonics // 3, p.harmonics)
    ]
    off = [abs(float(each.amplitude[0] / orbit.amplitude[0]) - 1.0) for each in found]
    assert off[1] <= 0.5 * off[0]


def test_energy_left_over_by_squeal_falls_with_the_step():
    """With points that open and close: order 2 of the numerical line, less of the residual."""
    case = fc.load_module("jehle/elastic_disc_cycle")
    p = case.LimitCycle()
    system, steady = case.in_time.sliding(p, "Ritz")
    start = case.in_time.leading_mode(system, steady).disturbed(steady, p.whirl)
    options = {"method": "explicit", "output": case.SHORT, "backend": "compiled"}
    lines = [
        fc.simulate(system, case.SHORT, start, step=factor * p.cycle_step, **options).energies
        for factor in (1.0, 0.5)
    ]
    for name, least in (("numerical", 1.9), ("residual", 1.5)):
        assert fc.observed_order([abs(each[name][-1]) for each in lines]) >= least
