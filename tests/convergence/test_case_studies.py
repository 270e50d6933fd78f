"""Convergence of models of the cases: with the step, the tolerance, the stiffness, the mesh."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import fecontact as fc


def test_energy_left_over_by_a_sliding_block_falls_with_the_square_of_the_step():
    case = fc.load_module("classic/block_on_incline")
    p = case.Incline()
    system = case.build(p, p.steep)
    start = case.sliding(p, system, p.steep, p.speed)
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
    off = [
        abs(case.period_of(case.cycle(replace(p, bristles=c), 1, rtol=1e-5)) / p.period - 1.0)
        for c in stiffness
    ]
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
    shape, stiffness = beam.bent
    end = 4.0 * np.pi * np.sqrt(shape @ beam.body.mass_matrix(0.0 * shape) @ shape / stiffness)
    start = beam.released(p.amplitude)
    step = end / fc.simulate(beam.system, end, start, "explicit", end).statistics.steps
    left = []
    for factor in (1.0, 0.5):
        options = {"output": end, "step": factor * step}
        lines = fc.simulate(beam.system, end, start, "explicit", **options).energies
        left.append(abs(lines["residual"][-1] + lines["numerical"][-1]))
    assert left[1] <= 0.6 * left[0]
